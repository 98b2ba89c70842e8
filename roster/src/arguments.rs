//! Values on the command line that several nouns share.

use std::collections::BTreeMap;
use std::str::FromStr;

use events_schema::Credits;
use events_schema::api::endpoint::{Endpoint, EndpointSet};
use events_schema::api::limits::MAX_CREDITS;
use events_schema::ids::{ApiKeyId, InvalidId};

use crate::failure::Failure;

/// `all`, or a comma list of endpoint names.
pub(crate) fn endpoint_set(text: &str) -> Result<EndpointSet, String> {
    if text == "all" {
        return Ok(EndpointSet::All);
    }
    text.split(',')
        .map(|name| endpoint(name.trim()))
        .collect::<Result<_, _>>()
        .map(EndpointSet::Only)
        .map_err(|fault| format!("expected all, or a comma list of endpoints: {fault}"))
}

fn endpoint(name: &str) -> Result<Endpoint, String> {
    name.parse().map_err(|_| {
        let names: Vec<_> = Endpoint::ALL
            .iter()
            .map(|endpoint| endpoint.name())
            .collect();
        format!("{name:?} is no endpoint; those are: {}", names.join(" "))
    })
}

/// A number of credits from `MIN`.
pub(crate) fn credits<const MIN: i64>(text: &str) -> Result<Credits, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (MIN..=MAX_CREDITS).contains(number));
    let rule = || format!("expected a whole number from {MIN} to {MAX_CREDITS}");
    number.map(Credits).ok_or_else(rule)
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

/// Numbers by endpoint; two for one endpoint are refused, since either could be meant.
pub(crate) fn by_endpoint<const MIN: u32, const MAX: u32, N: From<u32>>(
    given: &[EndpointNumber<MIN, MAX>],
) -> Result<BTreeMap<Endpoint, N>, Failure> {
    let mut numbers = BTreeMap::new();
    for one in given {
        if numbers.insert(one.endpoint, one.number.into()).is_some() {
            let name = one.endpoint.name();
            return Err(Failure::usage(format!("{name} has two numbers")));
        }
    }
    Ok(numbers)
}

/// The public part of a key, also taken out of a whole key, so that a secret given here is never shown back in an error.
pub(crate) fn api_key_id(text: &str) -> Result<ApiKeyId, InvalidId> {
    let key = text.strip_prefix("rk_live_");
    let id = key.and_then(|key| key.get(..ApiKeyId::LENGTH));
    id.unwrap_or(text).parse()
}

#[cfg(test)]
mod tests {
    use events_schema::ids::AccountId;

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
    fn an_endpoint_has_one_number() {
        let one = "person_enrich=1".parse::<EndpointNumber<0, 9>>().unwrap();
        let other = "person_search=1".parse().unwrap();
        let two = by_endpoint::<0, 9, u32>(&[one, other]).unwrap();
        assert_eq!(two.len(), 2);
        assert!(by_endpoint::<0, 9, u32>(&[one, other, one]).is_err());
    }

    #[test]
    fn a_key_is_named_by_its_public_part_or_by_itself() {
        let id = ApiKeyId::new(AccountId::new([1; 16]), [2; 10]);
        assert_eq!(api_key_id(&id.to_string()).unwrap(), id);
        assert_eq!(api_key_id(&format!("rk_live_{id}secret")).unwrap(), id);
        assert!(api_key_id("rk_live_short").is_err());
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
