//! Values on the command line that several nouns share.

use std::collections::BTreeMap;
use std::str::FromStr;

use events_schema::api::endpoint::{Endpoint, EndpointSet};

/// `all`, or a comma list of endpoint names.
pub(crate) fn endpoint_set(text: &str) -> Result<EndpointSet, String> {
    if text == "all" {
        return Ok(EndpointSet::All);
    }
    text.split(',')
        .map(|name| endpoint(name.trim()))
        .collect::<Result<_, _>>()
        .map(EndpointSet::Only)
}

fn endpoint(name: &str) -> Result<Endpoint, String> {
    name.parse().map_err(|_| {
        let names: Vec<_> = Endpoint::ALL
            .iter()
            .map(|endpoint| endpoint.name())
            .collect();
        format!(
            "{name:?} is no endpoint; use all, or some of: {}",
            names.join(" ")
        )
    })
}

/// `ENDPOINT=N`, the number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndpointNumber<const MIN: u32, const MAX: u32> {
    endpoint: Endpoint,
    number: u32,
}

impl<const MIN: u32, const MAX: u32> FromStr for EndpointNumber<MIN, MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once('=').ok_or("expected ENDPOINT=N")?;
        let number = number
            .parse()
            .ok()
            .filter(|number| (MIN..=MAX).contains(number))
            .ok_or_else(|| format!("{number:?} is not a whole number from {MIN} to {MAX}"))?;
        Ok(Self {
            endpoint: endpoint(name)?,
            number,
        })
    }
}

/// The last word on an endpoint counts.
pub(crate) fn by_endpoint<const MIN: u32, const MAX: u32, N: From<u32>>(
    given: &[EndpointNumber<MIN, MAX>],
) -> BTreeMap<Endpoint, N> {
    given
        .iter()
        .map(|one| (one.endpoint, N::from(one.number)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_all_or_a_list_of_names() {
        assert_eq!(endpoint_set("all"), Ok(EndpointSet::All));
        let two = EndpointSet::Only([Endpoint::PersonEnrich, Endpoint::UtilityClean].into());
        assert_eq!(endpoint_set("utility_clean, person_enrich"), Ok(two));
        assert!(
            endpoint_set("person_enrich,people")
                .is_err_and(|said| said.contains("\"people\" is no endpoint"))
        );
    }

    #[test]
    fn a_number_of_an_endpoint_has_a_least_and_a_most_value() {
        assert!("person_enrich=0".parse::<EndpointNumber<0, 9>>().is_ok());
        assert!("person_enrich=9".parse::<EndpointNumber<1, 9>>().is_ok());
        for bad in [
            "person_enrich=0",
            "person_enrich=-1",
            "person_enrich=10",
            "person_enrich",
            "people=1",
            "person_enrich=1.5",
        ] {
            assert!(bad.parse::<EndpointNumber<1, 9>>().is_err(), "{bad}");
        }
    }
}
