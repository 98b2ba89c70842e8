//! Bodies of answers. What is serialized from a type is described by that type; what is written piece by piece stands here, and tests
//! compare it with answers.

use discover::Interpretation;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::operation::{Operation, single};
use events_schema::record::RecordKind;
use events_schema::report::v1::{IssueLevel, IssueType, ReportStatus};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::operations::Described as _;
use super::{camel, headers, nullable, object, records, schema};
use crate::enrich::MatchMetadata;
use crate::enrich::explain::Explanation;

/// The 200 of an operation.
pub(super) fn of(operation: Operation) -> Value {
    json!({
        "description": "What was asked for.",
        "headers": headers::of_answer(operation),
        "content": {"application/json": {"schema": schema(&name(operation))}},
    })
}

fn name(operation: Operation) -> String {
    format!("{}Answer", camel(&operation.id()))
}

/// A schema for each answer, and those of the types in them.
pub(super) fn schemas(schemas: &mut Map<String, Value>) {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| {
        settings.meta_schema = None;
        settings.definitions_path = "/components/schemas".into();
    });
    let mut types = Types(settings.into_generator());
    for operation in Operation::all() {
        let answer = match operation {
            Operation::Of(endpoint) => of_endpoint(endpoint, operation, &mut types),
            Operation::Bulk(kind) => bulk(kind),
            Operation::Credits => credits(),
            Operation::Ledger => ledger(),
            Operation::Report => report_shown(&mut types),
            Operation::Live => object([("status", json!({"const": "live"}))]),
            Operation::Ready => object([("status", json!({"const": "ready"}))]),
        };
        schemas.insert(name(operation), answer);
    }
    for kind in RecordKind::ALL {
        schemas.insert(match_name(kind), one_match(kind, &mut types));
    }
    let mut definitions = types.0.take_definitions(true);
    // Written beside what the translation itself says.
    let source = json!({"enum": ["local", "model", null], "description": "who read the words; null where it is not known any more"});
    if let Some(Value::Object(interpretation)) = definitions.get_mut("Interpretation") {
        if let Some(Value::Object(properties)) = interpretation.get_mut("properties") {
            properties.insert("source".to_owned(), source);
        }
        if let Some(Value::Array(required)) = interpretation.get_mut("required") {
            required.push(json!("source"));
        }
    }
    schemas.extend(definitions);
}

/// Describes types, each once.
struct Types(SchemaGenerator);

impl Types {
    fn of<T: JsonSchema>(&mut self) -> Value {
        self.0.subschema_for::<T>().to_value()
    }
}

fn of_endpoint(endpoint: Endpoint, operation: Operation, types: &mut Types) -> Value {
    let kind = operation.kind();
    match (endpoint, kind) {
        (Endpoint::PersonEnrich | Endpoint::CompanyEnrich, Some(kind)) => enrich(kind),
        (Endpoint::PersonSearch | Endpoint::CompanySearch, Some(kind)) => search(kind),
        (Endpoint::PersonDiscover | Endpoint::CompanyDiscover, Some(kind)) => discover(kind, types),
        (Endpoint::ReportPerson | Endpoint::ReportCompany, _) => report(types),
        (Endpoint::UtilityClean, _) => clean(),
        (Endpoint::UtilityHashEmail, _) => hash_email(),
        (Endpoint::UtilityValidate, _) => validate(),
        (Endpoint::Autocomplete, _) => autocomplete(),
        (
            Endpoint::PersonEnrich
            | Endpoint::CompanyEnrich
            | Endpoint::PersonSearch
            | Endpoint::CompanySearch
            | Endpoint::PersonDiscover
            | Endpoint::CompanyDiscover,
            None,
        ) => unreachable!("these are of a kind of records"),
    }
}

fn match_name(kind: RecordKind) -> String {
    format!("{}Match", records::name(kind))
}

fn match_ref(kind: RecordKind) -> Value {
    schema(&match_name(kind))
}

/// A record under the name of its kind.
fn record(kind: RecordKind) -> (&'static str, Value) {
    (kind.name(), schema(records::name(kind)))
}

fn one_match(kind: RecordKind, types: &mut Types) -> Value {
    let metadata = nullable(types.of::<MatchMetadata>());
    let mut one = object([record(kind), ("match_metadata", metadata)]);
    // With `explain` alone, so that it is not required.
    may_have(&mut one, "explanation", types.of::<Explanation>());
    one
}

fn may_have(object: &mut Value, name: &str, schema: Value) {
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.insert(name.to_owned(), schema);
    }
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn whole() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn text_or_null() -> Value {
    json!({"type": ["string", "null"]})
}

fn matches(of: Value) -> Value {
    object([("matches", list(of)), ("total", whole())])
}

fn bulk(kind: RecordKind) -> Value {
    let result = object([
        ("matches", list(match_ref(kind))),
        ("total", whole()),
        ("error", nullable(schema("ItemError"))),
        ("metadata", json!({"type": "object"})),
    ]);
    let mut answer = object([("results", list(result))]);
    if let Some(members) = answer.as_object_mut() {
        let told = format!(
            "results in the order of the items, each as {} answers",
            single(kind).route()
        );
        members.insert("description".to_owned(), json!(told));
    }
    answer
}

fn search(kind: RecordKind) -> Value {
    let mut answer = matches(object([record(kind)]));
    let cursor = json!({"type": ["string", "null"], "description": "asks for the next page; null on the last one"});
    may_have(&mut answer, "next_cursor", cursor);
    may_cost(&mut answer);
    answer
}

fn enrich(kind: RecordKind) -> Value {
    let mut answer = matches(match_ref(kind));
    may_cost(&mut answer);
    answer
}

/// With `dry_run` alone.
fn may_cost(answer: &mut Value) {
    let price = json!({"type": "integer", "minimum": 0, "description": "with dry_run: what the request would cost at the most"});
    may_have(answer, "credits_required", price);
}

fn discover(kind: RecordKind, types: &mut Types) -> Value {
    let query = json!({"type": ["string", "null"], "description": "the query of search that was answered; null where it is not known any more"});
    object([
        ("matches", list(object([record(kind)]))),
        ("total", whole()),
        ("generated_query", query),
        ("interpretation", types.of::<Interpretation>()),
    ])
}

/// A value in its canonical form.
fn cleaned() -> Value {
    json!({"anyOf": [
        text(),
        object([("full_name", text()), ("code", text())]),
        object([("name", text()), ("type", json!({"type": "string", "enum": ["name", "website", "domain"]}))]),
    ]})
}

fn clean() -> Value {
    let result = object([
        ("original", text()),
        ("cleaned", nullable(cleaned())),
        (
            "normalized",
            json!({"type": "boolean", "description": "false where the value cannot be read"}),
        ),
    ]);
    object([(
        "results",
        json!({"type": "object", "additionalProperties": result}),
    )])
}

fn hash_email() -> Value {
    let digest =
        |digits: u32| json!({"type": "string", "pattern": format!("^[0-9a-f]{{{digits}}}$")});
    let hashes = object([
        ("sha256", digest(64)),
        ("sha1", digest(40)),
        ("md5", digest(32)),
    ]);
    object([
        ("email", text()),
        ("normalized_email", text()),
        ("hashes", hashes),
    ])
}

fn validate() -> Value {
    let finding = |word: &'static str| {
        object([
            ("field", text()),
            ("value", text()),
            (word, text()),
            ("suggestion", text_or_null()),
        ])
    };
    let suggestion = object([("field", text()), ("cleaned", cleaned())]);
    object([
        (
            "valid",
            json!({"type": "boolean", "description": "whether there are no errors"}),
        ),
        ("errors", list(finding("error"))),
        ("warnings", list(finding("warning"))),
        ("suggestions", list(suggestion)),
    ])
}

fn autocomplete() -> Value {
    object([(
        "results",
        list(object([("value", text()), ("count", whole())])),
    )])
}

fn report(types: &mut Types) -> Value {
    let id = || json!({"type": "string", "format": "uuid"});
    object([
        ("report_id", id()),
        ("status", types.of::<ReportStatus>()),
        ("subject_type", types.of::<RecordKind>()),
        ("service_id", id()),
        ("issue_type", types.of::<IssueType>()),
        ("issue_level", types.of::<IssueLevel>()),
        ("field", text_or_null()),
        (
            "created_at",
            json!({"type": "string", "format": "date-time"}),
        ),
    ])
}

fn report_shown(types: &mut Types) -> Value {
    let step = object([
        ("status", types.of::<ReportStatus>()),
        ("at", json!({"type": "string", "format": "date-time"})),
        ("reason", text_or_null()),
        ("data_build", text_or_null()),
    ]);
    let mut shown = report(types);
    may_have(&mut shown, "history", list(step));
    if let Some(Value::Array(required)) = shown.get_mut("required") {
        required.push(json!("history"));
    }
    shown
}

fn ledger() -> Value {
    let id = || json!({"type": "string", "format": "uuid"});
    let told = |description: &str| json!({"type": "integer", "description": description});
    let entry = object([
        ("request_id", id()),
        ("contract_id", id()),
        ("kind", json!({"enum": ["grant", "charge"]})),
        ("endpoint", text_or_null()),
        (
            "units",
            json!({"type": ["integer", "null"], "description": "what was delivered"}),
        ),
        ("credits", told("taken with a minus")),
        ("balance_after", told("of the contract")),
        (
            "occurred_at",
            json!({"type": "string", "format": "date-time"}),
        ),
    ]);
    object([
        ("entries", list(entry)),
        (
            "next_cursor",
            json!({"type": ["string", "null"], "description": "asks for older entries; null on the last page"}),
        ),
        (
            "is_current",
            json!({"type": "boolean", "description": "whether all that was answered before is there"}),
        ),
    ])
}

fn credits() -> Value {
    let id = |kind: Value| json!({"type": kind, "format": "uuid"});
    let names: Vec<&str> = Endpoint::ALL
        .iter()
        .filter(|endpoint| !endpoint.is_free())
        .map(|endpoint| endpoint.name())
        .collect();
    // Of the endpoints that the contract covers.
    let prices = json!({"type": "object", "propertyNames": {"enum": names}, "additionalProperties": whole()});
    let contract = |id: Value, number: Value, flag: Value, prices: Value| {
        vec![
            ("contract_id", id),
            ("credits_total", number.clone()),
            ("credits_used", number.clone()),
            ("credits_held", number.clone()),
            ("credits_remaining", number),
            (
                "expiration_date",
                json!({"type": ["string", "null"], "format": "date"}),
            ),
            ("is_expired", flag),
            ("prices", prices),
        ]
    };
    let one = contract(
        id(json!("string")),
        json!({"type": "integer"}),
        json!({"type": "boolean"}),
        prices.clone(),
    );
    let mut next = contract(
        id(json!(["string", "null"])),
        json!({"type": ["integer", "null"]}),
        json!({"type": ["boolean", "null"]}),
        nullable(prices),
    );
    next.push(("contracts", list(object(one))));
    object(next)
}
