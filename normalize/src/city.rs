//! Cities: lower case and single spaces. No gazetteer: a place that nobody listed is still a place.

use crate::{Unreadable, country, state, text};

const SEPARATORS: [char; 3] = [',', ';', ' '];

/// The city's name in lower case, without the state or country that people write behind it: `Chicago, IL`.
///
/// # Errors
/// When there is no letter in it.
pub fn clean(city: &str) -> Result<String, Unreadable> {
    let cleaned = text::clean(city);
    let cleaned = without_region(cleaned.trim_matches(SEPARATORS)).trim_end_matches(SEPARATORS);
    if cleaned.chars().any(char::is_alphabetic) {
        Ok(cleaned.to_owned())
    } else {
        Err(Unreadable::new("not a city name"))
    }
}

/// What stands before the first comma, if nothing but states and countries follows.
fn without_region(city: &str) -> &str {
    let Some((name, regions)) = city.split_once(',') else {
        return city;
    };
    let is_region = |part: &str| {
        let part = part.trim();
        state::clean(part, None).is_ok() || country::clean(part).is_ok()
    };
    if city.len() <= text::MAX_LINE_BYTES && regions.split(',').all(is_region) {
        name
    } else {
        city
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn a_state_or_country_behind_the_name_is_no_part_of_it() {
        for (written, city) in [
            ("Chicago, IL", "chicago"),
            ("Paris, France", "paris"),
            ("Portland, Oregon, USA", "portland"),
            ("Stoke-on-Trent", "stoke-on-trent"),
            ("Chicago; , IL", "chicago"),
            ("Somewhere, Nowhere", "somewhere, nowhere"),
        ] {
            assert_eq!(clean(written).as_deref(), Ok(city), "{written}");
        }
    }
}
