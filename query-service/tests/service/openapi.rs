//! The description of the interface: whether it is OpenAPI, and whether the interface is as it says. What it says of bodies is held
//! against the readers of requests, against every golden file, and against the examples of the pages.

use std::collections::BTreeSet;

use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use events_schema::api::endpoint::Endpoint;
use events_schema::api::operation::Operation;
use events_schema::record::RecordKind;
use http::{Request, header};
use jsonschema::Validator;
use normalize::check::Field;
use query_service::autocomplete::request::AutocompleteRequest;
use query_service::discover::request::DiscoverRequest;
use query_service::enrich::request::bulk::BulkRequest;
use query_service::enrich::request::{EnrichRequest, RequestRefusal};
use query_service::openapi::{CONTENT_SECURITY_POLICY, document, html};
use query_service::search::request::{SearchRefusal, SearchRequest};
use query_service::utility::Utility;
use serde_json::{Map, Value, json};
use service_kit::Problem;
use sha2::{Digest, Sha256};

use crate::golden;
use crate::stack::Stack;

const OPENAPI: &str = include_str!("../openapi/schema-3.1.json");
const API: &str = include_str!("../../../docs/API.md");
const REPORTS: &str = include_str!("../../../docs/REPORTS.md");
/// Headers that no interface need describe.
const OF_HTTP: &[&str] = &["content-type", "content-length"];

fn described(operation: Operation) -> &'static Value {
    let method = operation.method().as_str().to_ascii_lowercase();
    &document()["paths"][operation.path()][method]
}

fn components() -> &'static Map<String, Value> {
    document()["components"].as_object().unwrap()
}

fn resolved(value: &'static Value) -> &'static Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document().pointer(&reference[1..]).unwrap(),
        None => value,
    }
}

/// Every value of a document, with what it is reached by.
fn walk<'a>(value: &'a Value, seen: &mut impl FnMut(&'a str, &'a Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                seen(name, member);
                walk(member, seen);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, seen)),
        _ => {}
    }
}

/// Nothing but what is described: an answer may get keys one day, and then the description gets them, too.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") && members.contains_key("type") {
                let closed = members.entry("additionalProperties");
                closed.or_insert(json!(false));
            }
            members.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn validator(schema: &Value) -> Validator {
    let mut schemas = components()["schemas"].clone();
    close(&mut schemas);
    let mut whole = schema.clone();
    whole["components"] = json!({"schemas": schemas});
    jsonschema::validator_for(&whole).unwrap()
}

fn faults(validator: &Validator, value: &Value) -> Vec<String> {
    let faults = validator.iter_errors(value);
    faults
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect()
}

fn body_schema(operation: Operation) -> &'static Value {
    &described(operation)["requestBody"]["content"]["application/json"]["schema"]
}

fn answer_schema(operation: Operation, status: &str) -> &'static Value {
    let answer = resolved(&described(operation)["responses"][status]);
    &answer["content"]["application/json"]["schema"]
}

fn names(schema: &'static Value) -> BTreeSet<&'static str> {
    let properties = resolved(schema)["properties"].as_object().unwrap();
    properties.keys().map(String::as_str).collect()
}

fn asked_for(method: &str, path: &str) -> Option<Operation> {
    Operation::all().find(|one| one.method().as_str() == method && one.path() == path)
}

#[test]
fn the_document_is_openapi_3_1_by_the_schema_of_its_makers() {
    let schema: Value = serde_json::from_str(OPENAPI).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert_eq!(faults(&validator, document()), [""; 0]);
    for (name, schema) in components()["schemas"].as_object().unwrap() {
        assert!(jsonschema::meta::is_valid(schema), "{name}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_referred_to() {
    let mut references = BTreeSet::new();
    walk(document(), &mut |name, value| {
        if name == "$ref" {
            references.insert(value.as_str().unwrap());
        }
    });
    for reference in &references {
        let found = reference
            .strip_prefix('#')
            .and_then(|at| document().pointer(at));
        assert!(found.is_some(), "{reference}");
    }
    for kind in ["schemas", "responses", "parameters", "headers"] {
        for name in components()[kind].as_object().unwrap().keys() {
            let reference = format!("#/components/{kind}/{name}");
            assert!(references.contains(reference.as_str()), "{reference}");
        }
    }
}

#[test]
fn every_operation_has_a_name_of_its_own_and_says_what_it_costs() {
    let mut ids = BTreeSet::new();
    for operation in Operation::all() {
        let described = described(operation);
        assert!(ids.insert(described["operationId"].as_str().unwrap()));
        let text = described["description"].as_str().unwrap();
        match operation.endpoint() {
            Some(endpoint) if !endpoint.is_free() => {
                assert!(text.contains(endpoint.unit()), "{text}");
                let limit = format!("{} requests a minute", endpoint.default_rate_limit());
                assert!(text.contains(&limit), "{text}");
            }
            _ => assert!(text.contains("Free"), "{text}"),
        }
    }
    for endpoint in Endpoint::ALL {
        assert!(ids.contains(endpoint.name()), "{endpoint}");
    }
}

/// What the reader of a body says of it; none where another service reads it.
fn read(operation: Operation, body: &Map<String, Value>) -> Option<Result<(), Value>> {
    use RecordKind::{Company, Person};
    let of_form = |problem: Problem| problem.part();
    let of_request = |refusal| match refusal {
        RequestRefusal::Form(problem) => problem.part(),
        other => json!(format!("{other:?}")),
    };
    let of_search = |refusal| match refusal {
        SearchRefusal::Form(problem) => problem.part(),
        other => json!(format!("{other:?}")),
    };
    let enrich = |kind| {
        EnrichRequest::read(kind, body)
            .map(drop)
            .map_err(of_request)
    };
    let search = |kind| SearchRequest::read(kind, body).map(drop).map_err(of_search);
    let discover = |kind| {
        DiscoverRequest::read(kind, body)
            .map(drop)
            .map_err(of_search)
    };
    let utility = |utility: Utility| utility.read(body).map(drop).map_err(of_form);
    Some(match operation {
        Operation::Of(Endpoint::PersonEnrich) => enrich(Person),
        Operation::Of(Endpoint::CompanyEnrich) => enrich(Company),
        Operation::Of(Endpoint::PersonSearch) => search(Person),
        Operation::Of(Endpoint::CompanySearch) => search(Company),
        Operation::Of(Endpoint::PersonDiscover) => discover(Person),
        Operation::Of(Endpoint::CompanyDiscover) => discover(Company),
        Operation::Of(Endpoint::UtilityClean) => utility(Utility::Clean),
        Operation::Of(Endpoint::UtilityHashEmail) => utility(Utility::HashEmail),
        Operation::Of(Endpoint::UtilityValidate) => utility(Utility::Validate),
        Operation::Of(Endpoint::Autocomplete) => {
            AutocompleteRequest::read(body).map(drop).map_err(of_form)
        }
        Operation::Bulk(kind) => BulkRequest::read(kind, body).map(drop).map_err(of_request),
        Operation::Of(Endpoint::ReportPerson | Endpoint::ReportCompany)
        | Operation::Credits
        | Operation::Ledger
        | Operation::Report
        | Operation::Live
        | Operation::Ready => return None,
    })
}

/// The names that a reader takes, as its refusal of another one tells them.
fn accepted(operation: Operation) -> Option<BTreeSet<String>> {
    let body = json!({"no_such_parameter": 1});
    let refused = read(operation, body.as_object().unwrap())?.unwrap_err();
    assert_eq!(refused["details"]["reason"], "unknown_parameter");
    let accepted = refused["details"]["accepted"].as_array().unwrap().iter();
    Some(
        accepted
            .map(|name| name.as_str().unwrap().to_owned())
            .collect(),
    )
}

fn as_strs(names: &BTreeSet<String>) -> BTreeSet<&str> {
    names.iter().map(String::as_str).collect()
}

#[test]
fn the_properties_of_a_body_are_the_names_that_its_reader_takes() {
    let mut compared = 0;
    for operation in Operation::all() {
        if let Some(accepted) = accepted(operation) {
            assert_eq!(
                names(body_schema(operation)),
                as_strs(&accepted),
                "{operation:?}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 12);
    for kind in RecordKind::ALL {
        let bulk = resolved(body_schema(Operation::Bulk(kind)));
        let mut item = names(&bulk["properties"]["items"]["items"]);
        assert!(item.remove("metadata"));
        for of_the_whole in ["pretty_print", "data_build", "max_credits", "dry_run"] {
            assert!(item.insert(of_the_whole), "{of_the_whole}");
        }
        let single = match kind {
            RecordKind::Person => Endpoint::PersonEnrich,
            RecordKind::Company => Endpoint::CompanyEnrich,
        };
        let single = accepted(Operation::Of(single)).unwrap();
        assert_eq!(item, as_strs(&single), "{kind}");
    }
    let clean = resolved(body_schema(Operation::Of(Endpoint::UtilityClean)));
    let told = clean["properties"]["fields"]["description"]
        .as_str()
        .unwrap();
    let (_, told) = told.split_once(": ").unwrap();
    let fields = Field::CLEANABLE.iter().map(|field| field.as_str());
    assert_eq!(
        told.split(", ").collect::<BTreeSet<_>>(),
        fields.collect::<BTreeSet<_>>()
    );
}

#[test]
fn what_is_required_is_missed_and_what_is_too_long_is_refused() {
    for operation in Operation::all() {
        if read(operation, &Map::new()).is_none() {
            continue;
        }
        let described = &described(operation)["requestBody"]["content"]["application/json"];
        let example = described["example"].as_object().unwrap();
        let schema = resolved(&described["schema"]);
        let required = schema["required"].as_array();
        for name in required.into_iter().flatten() {
            let mut body = example.clone();
            body.remove(name.as_str().unwrap());
            let refused = read(operation, &body).unwrap().unwrap_err();
            assert_eq!(
                refused["details"]["reason"], "missing_parameter",
                "{operation:?}"
            );
            assert_eq!(refused["details"]["parameters"], json!([name]));
        }
        for (name, property) in schema["properties"].as_object().unwrap() {
            let Some(longest) = property["maxLength"].as_u64() else {
                continue;
            };
            let told = |chars: u64| {
                let mut body = example.clone();
                let text = "a".repeat(usize::try_from(chars).unwrap());
                body.insert(name.clone(), json!(text));
                read(operation, &body)
                    .unwrap()
                    .map_err(|why| why.to_string())
            };
            let is_of_length = |why: &String| {
                ["at most", "outside", "TooComplex"]
                    .iter()
                    .any(|word| why.contains(word))
            };
            let (within, above) = (told(longest), told(longest + 1));
            assert!(
                above.as_ref().is_err_and(is_of_length),
                "{operation:?} {name} {above:?}"
            );
            assert!(
                !within.as_ref().is_err_and(is_of_length),
                "{operation:?} {name} {within:?}"
            );
        }
    }
}

#[test]
fn every_example_is_taken_by_its_schema_and_by_its_reader() {
    for operation in Operation::all().filter(|one| one.method() == http::Method::POST) {
        let described = &described(operation)["requestBody"]["content"]["application/json"];
        let example = &described["example"];
        let validator = validator(&described["schema"]);
        assert_eq!(faults(&validator, example), [""; 0], "{operation:?}");
        assert!(!validator.is_valid(&json!({"no_such_parameter": 1})));
        let read = read(operation, example.as_object().unwrap());
        assert!(read.is_none_or(|read| read.is_ok()), "{operation:?}");
    }
}

/// The body of a golden request without items that are refused for themselves: those need not be as described.
fn well_formed(golden: &Value) -> Value {
    let mut body = golden["request"]["body"].clone();
    let results = &golden["response"]["body"]["results"];
    if let (Some(items), Some(results)) = (body["items"].as_array().cloned(), results.as_array()) {
        let kept = items.into_iter().zip(results).filter(|(_, result)| {
            let error = &result["error"]["error"];
            error != "bad_request" && error != "validation_error"
        });
        body["items"] = kept.map(|(item, _)| item).collect();
    }
    body
}

#[test]
fn every_golden_request_and_answer_is_as_described() {
    let (mut requests, mut answers) = (0, BTreeSet::new());
    for file in golden::files() {
        let golden: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let (request, response) = (&golden["request"], &golden["response"]);
        let method = request["method"].as_str().unwrap_or("POST");
        let Some(operation) = asked_for(method, request["path"].as_str().unwrap()) else {
            continue;
        };
        let file = file.display();
        let status = response["status"].to_string();
        // Of a method that the route does not have: no operation.
        if status == "405" {
            continue;
        }
        if ["200", "402", "404"].contains(&status.as_str()) {
            let validator = validator(body_schema(operation));
            assert_eq!(faults(&validator, &well_formed(&golden)), [""; 0], "{file}");
            requests += 1;
        }
        let validator = validator(answer_schema(operation, &status));
        assert_eq!(faults(&validator, &response["body"]), [""; 0], "{file}");
        let answer = resolved(&described(operation)["responses"][&status]);
        let headers = answer["headers"].as_object().unwrap().keys();
        let headers: BTreeSet<String> = headers.map(|name| name.to_ascii_lowercase()).collect();
        for name in response["headers"].as_object().unwrap().keys() {
            let is_described = headers.contains(name) || OF_HTTP.contains(&name.as_str());
            assert!(is_described, "{file}: {name}");
        }
        answers.insert(status);
    }
    assert!(
        requests > 20 && answers.len() > 10,
        "{requests} {answers:?}"
    );
}

/// The examples of a section of a page: what is asked in plain fences, what is answered in fences of JSON.
fn fences(section: &str) -> impl Iterator<Item = (bool, Value)> + '_ {
    let blocks = section.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| {
        let (is_answer, text) = match block.strip_prefix("json\n") {
            Some(text) => (true, text),
            None => (false, block),
        };
        Some((is_answer, serde_json::from_str(text).ok()?))
    })
}

#[test]
fn the_examples_of_the_pages_are_as_described() {
    let mut checked = 0;
    let mut check = |operation: Operation, section: &str| {
        for (is_answer, example) in fences(section) {
            let schema = if is_answer {
                answer_schema(operation, "200")
            } else {
                body_schema(operation)
            };
            let faults = faults(&validator(schema), &example);
            assert_eq!(faults, [""; 0], "{operation:?}: {example}");
            checked += 1;
        }
    };
    for section in API.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').unwrap();
        // The example stands for the first and, where several are told at once, is of a kind of records.
        let is_of_company = text.contains("\"company\":{\"service_id\"");
        let routes = heading.split(", ").filter_map(|route| {
            let (method, path) = route.split_once(' ')?;
            asked_for(method, path)
        });
        let routes: Vec<Operation> = routes.collect();
        let operation = if is_of_company {
            routes.last()
        } else {
            routes.first()
        };
        if let Some(operation) = operation {
            check(*operation, text);
        }
    }
    for (heading, operation) in [
        ("Filing a report", Operation::Of(Endpoint::ReportPerson)),
        ("Reading a report", Operation::Report),
    ] {
        let section = REPORTS
            .split("\n## ")
            .find(|part| part.starts_with(heading));
        check(operation, section.unwrap());
    }
    assert!(checked >= 22, "{checked}");
}

#[test]
fn the_page_tells_every_operation_and_loads_nothing() {
    let page = html();
    for operation in Operation::all() {
        assert!(page.contains(&format!("<article id=\"{}\">", operation.id())));
    }
    for name in components()["schemas"].as_object().unwrap().keys() {
        assert!(
            page.contains(&format!("<article id=\"schema-{name}\">")),
            "{name}"
        );
    }
    for banned in [
        "<script", "<link", "<img", "style=\"", "://", "@import", "url(",
    ] {
        assert!(!page.contains(banned), "{banned}");
    }
    let (_, style) = page.split_once("<style>").unwrap();
    let (style, _) = style.split_once("</style>").unwrap();
    let hash = STANDARD.encode(Sha256::digest(style));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'");
    assert!(CONTENT_SECURITY_POLICY.starts_with(&policy));
}

#[tokio::test]
async fn both_are_answered_to_anybody_and_counted_nowhere() {
    let stack = Stack::start_empty(0).await;
    let get = |path: &str| Request::get(path).body(Body::empty()).unwrap();
    let json = stack.send(get("/openapi.json")).await;
    assert_eq!(json.status, 200);
    assert_eq!(json.header("content-type"), Some("application/json"));
    assert_eq!(json.body(), *document());
    assert!(json.header("request-id").is_some() && json.header("process-time").is_some());
    let page = stack.send(get("/docs")).await;
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(
        page.header("content-security-policy"),
        Some(CONTENT_SECURITY_POLICY.as_str())
    );
    assert_eq!(page.text, html());
    for (path, full) in [("/openapi.json", &json), ("/docs", &page)] {
        let tag = full.header("etag").unwrap();
        assert_eq!(full.header("cache-control"), Some("public, max-age=300"));
        let known = Request::get(path).header(header::IF_NONE_MATCH, tag);
        let known = stack.send(known.body(Body::empty()).unwrap()).await;
        assert_eq!((known.status.as_u16(), known.text.as_str()), (304, ""));
        let head = Request::head(path).body(Body::empty()).unwrap();
        let head = stack.send(head).await;
        assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
        assert_eq!(head.header("etag"), Some(tag));
        let post = Request::post(path).body(Body::empty()).unwrap();
        let post = stack.send(post).await;
        assert_eq!(
            (post.status.as_u16(), post.header("allow")),
            (405, Some("GET, HEAD"))
        );
    }
    assert!(stack.ledger.calls().is_empty());
    stack.stop().await;
}
