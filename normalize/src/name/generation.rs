//! Which bearer of one name in a family: `sr.`, `jr.`, `iii`.

use super::bare::bare;

/// The place in the line of those who bear the name, from 1: a senior is the first, a junior the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Generation(u8);

/// The generation among the suffixes of a name; `None` where they name none: `phd`.
#[must_use]
pub fn generation(suffix: &str) -> Option<Generation> {
    let number = |word: &str| match &*bare(word) {
        "sr" | "snr" | "senior" | "i" => Some(1),
        "jr" | "jnr" | "junior" | "ii" | "2nd" => Some(2),
        "iii" | "3rd" => Some(3),
        "iv" | "4th" => Some(4),
        "v" | "5th" => Some(5),
        "vi" => Some(6),
        "vii" => Some(7),
        "viii" => Some(8),
        _ => None,
    };
    suffix.split([' ', ',']).find_map(number).map(Generation)
}

#[cfg(test)]
mod tests {
    use super::generation;

    #[test]
    fn a_junior_is_a_second_and_no_senior() {
        assert_eq!(generation("Jr."), generation("phd, ii"));
        assert_ne!(generation("jr."), generation("sr."));
        assert_ne!(generation("iii"), generation("iv"));
        assert_eq!(generation("md phd"), None);
    }
}
