//! One request for one company.

use events_schema::record::RecordKind;
use serde_json::{Map, Value, json};

use super::dice::Dice;
use super::{company_names, identifiers, text, texts};
use crate::query::Query;

/// What a request gives, as often as it stands here.
const KINDS: &[&str] = &[
    "domain",
    "domain",
    "name",
    "name",
    "name",
    "name_country",
    "linkedin",
    "ticker",
    "none_domain",
    "none_company",
];

/// A request in one of the kinds that the record has values for.
pub(super) fn query(record: &Value, dice: &mut Dice) -> Option<Query> {
    let kind = dice.of(KINDS)?;
    let mut body = Map::new();
    let mut noise = Vec::new();
    let mut put = |field: &str, value: &str| body.insert(field.to_owned(), json!(value));
    match kind {
        "domain" => {
            let (given, how) = domain(text(record, "/domain")?, dice);
            put("domain", &given);
            noise.push(how);
        }
        "name" | "name_country" => {
            let (given, how) = company_names::spoilt(record, dice)?;
            put("name", &given);
            noise.push(how);
            if kind == "name_country" {
                put("country", text(record, "/locations/0/country_code")?);
            }
        }
        "linkedin" => {
            let (given, how) = identifiers::profile(text(record, "/linkedin_url")?, dice);
            put("linkedin_url", &given);
            noise.push(how);
        }
        "ticker" => {
            let symbol = dice.of(&texts(record, "tickers", "symbol"))?;
            put("ticker_symbol", &format!(" {} ", symbol.to_lowercase()));
        }
        "none_domain" => {
            put(
                "domain",
                &format!("zz-nowhere-{}.example", dice.below(1 << 30)),
            );
        }
        _ => {
            put(
                "name",
                &format!("Zvorkenbaal {} Quarries", dice.below(1 << 30)),
            );
        }
    }
    let truth = text(record, "/service_id").filter(|_| !kind.starts_with("none_"));
    Some(Query {
        subject: RecordKind::Company,
        kind: kind.to_owned(),
        noise: noise
            .into_iter()
            .filter(|how| *how != "as it is")
            .map(str::to_owned)
            .collect(),
        body,
        truth: truth.map(str::to_owned),
        names: None,
    })
}

fn domain(host: &str, dice: &mut Dice) -> (String, &'static str) {
    match dice.below(6) {
        0 => (format!("https://www.{host}/careers?ref=1"), "website"),
        1 => (host.to_uppercase(), "capitals"),
        2 => (format!("http://{host}:8080/"), "port"),
        3 => (format!("info@{host}"), "address"),
        4 => (format!("shop.{host}"), "deeper host"),
        _ => (format!("{host}."), "closing dot"),
    }
}
