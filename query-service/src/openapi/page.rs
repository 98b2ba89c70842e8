//! The document as a page for people: HTML without scripts, with its styles inside, so that nothing is loaded from anywhere and the policy of
//! the page can forbid it.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::document;

const STYLE: &str = include_str!("page.css");

/// Nothing may be loaded or run; the one style is named by its hash.
pub static CONTENT_SECURITY_POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

/// The page of `GET /docs`.
#[must_use]
pub fn html() -> String {
    let document = document();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (text(document, "/info/title")) ": the REST interface" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (text(document, "/info/title")) " " small { (text(document, "/info/version")) } }
                    p { (marked(text(document, "/info/description"))) }
                    p { "The same for machines: " a href="openapi.json" { "openapi.json" } " (OpenAPI 3.1)." }
                }
                (contents(document))
                main {
                    @for tag in list(document, "/tags") { (tagged(document, tag)) }
                    h2 id="schemas" { "Schemas" }
                    @for (name, schema) in members(document, "/components/schemas") { (named_schema(name, schema)) }
                }
            }
        }
    };
    page.into_string()
}

/// An operation with where it is asked for.
type Request<'a> = (&'a str, &'a str, &'a Value);

fn operations(document: &Value) -> impl Iterator<Item = Request<'_>> {
    members(document, "/paths").flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    })
}

fn of_tag<'a>(document: &'a Value, tag: &'a str) -> impl Iterator<Item = Request<'a>> {
    operations(document).filter(move |(_, _, operation)| text(operation, "/tags/0") == tag)
}

fn contents(document: &Value) -> Markup {
    html! {
        nav {
            @for tag in list(document, "/tags") {
                @let name = text(tag, "/name");
                h2 { (name) }
                ul {
                    @for (method, path, operation) in of_tag(document, name) {
                        li { a href={ "#" (text(operation, "/operationId")) } { (method.to_ascii_uppercase()) " " (path) } }
                    }
                }
            }
            p { a href="#schemas" { "Schemas" } }
        }
    }
}

fn tagged(document: &Value, tag: &Value) -> Markup {
    let name = text(tag, "/name");
    html! {
        section {
            h2 { (name) }
            p { (marked(text(tag, "/description"))) }
            @for request in of_tag(document, name) { (operation(document, request)) }
        }
    }
}

fn operation(document: &Value, (method, path, operation): Request<'_>) -> Markup {
    html! {
        article id=(text(operation, "/operationId")) {
            h3 { span.method { (method.to_ascii_uppercase()) } " " code { (path) } }
            p { strong { (text(operation, "/summary")) } " " (marked(text(operation, "/description"))) }
            @if list(operation, "/security").next().is_none() { p { "Asked without a key." } }
            @let headers: Vec<&Value> = list(operation, "/parameters").map(|one| resolved(document, one)).collect();
            h4 { "Request headers" }
            dl {
                @if list(operation, "/security").next().is_some() { dt { code { "API-Key" } } dd { "required" } }
                @for header in headers {
                    dt { code { (text(header, "/name")) } }
                    dd { (marked(text(header, "/description"))) }
                }
            }
            @if let Some(body) = operation.pointer("/requestBody/content/application~1json") {
                h4 { "Body" }
                (properties(resolved(document, body.get("schema").unwrap_or(&Value::Null))))
                @if let Some(example) = body.get("example") { pre { (pretty(example)) } }
            }
            h4 { "Answers" }
            dl {
                @for (status, answer) in members(operation, "/responses") {
                    @let answer = resolved(document, answer);
                    dt { code { (status) } }
                    dd {
                        (marked(text(answer, "/description")))
                        @if let Some(schema) = answer.pointer("/content/application~1json/schema").filter(|_| status == "200") {
                            " Body: " (kind(schema)) "."
                        }
                        br;
                        small { "Headers: " (names(answer, "/headers")) }
                    }
                }
            }
        }
    }
}

fn named_schema(name: &str, schema: &Value) -> Markup {
    html! {
        article id={ "schema-" (name) } {
            h3 { (name) }
            p { (marked(text(schema, "/description"))) }
            @if schema.get("properties").is_some() { (properties(schema)) } @else { p { (kind(schema)) } }
        }
    }
}

/// The members of an object, those of objects inside by their dot path.
fn properties(schema: &Value) -> Markup {
    let mut rows = Vec::new();
    push(schema, "", &mut rows);
    html! {
        table {
            tr { th { "name" } th { "type" } th { "" } }
            @for (path, is_required, schema) in rows {
                tr {
                    td { code { (path) } @if is_required { " " small { "required" } } }
                    td { (kind(schema)) (bounds(schema)) }
                    td { (marked(text(schema, "/description"))) }
                }
            }
        }
    }
}

fn push<'a>(schema: &'a Value, above: &str, rows: &mut Vec<(String, bool, &'a Value)>) {
    for (name, member) in members(schema, "/properties") {
        let path = format!("{above}{name}");
        let is_required = list(schema, "/required").any(|one| one == name.as_str());
        rows.push((path.clone(), is_required, member));
        let below = format!("{path}.");
        push(member, &below, rows);
        if let Some(items) = member.get("items") {
            push(items, &below, rows);
        }
    }
}

/// A type in a few words.
fn kind(schema: &Value) -> Markup {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        return html! { a href={ "#schema-" (name) } { (name) } };
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(choices) = schema.get(key).and_then(Value::as_array) {
            return html! {
                @for (at, choice) in choices.iter().enumerate() { @if at > 0 { " or " } (kind(choice)) }
            };
        }
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return html! {
            @for (at, word) in words.iter().enumerate() { @if at > 0 { ", " } code { (plain(word)) } }
        };
    }
    if let Some(word) = schema.get("const") {
        return html! { code { (plain(word)) } };
    }
    let types = match schema.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(several)) => several
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" or "),
        _ => "object".to_owned(),
    };
    html! {
        (types)
        @if let Some(items) = schema.get("items") { " of " (kind(items)) }
        @if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) { ", each " (kind(values)) }
        @if let Some(format) = schema.get("format").and_then(Value::as_str) { " (" (format) ")" }
    }
}

fn bounds(schema: &Value) -> Markup {
    let number = |key: &str| schema.get(key).and_then(Value::as_u64);
    html! {
        @if let (Some(low), Some(high)) = (number("minimum"), number("maximum")) { ", " (low) " to " (high) }
        @if let (Some(low), Some(high)) = (number("minItems"), number("maxItems")) { ", " (low) " to " (high) }
        @if let Some(longest) = number("maxLength") { ", up to " (longest) " characters" }
        @if let Some(default) = schema.get("default") { ", default " code { (plain(default)) } }
    }
}

/// What a reference stands for; anything else is itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let reference = value.get("$ref").and_then(Value::as_str);
    let found = reference
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| document.pointer(pointer));
    found.unwrap_or(value)
}

/// Text with its backticks as code.
fn marked(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn names(value: &Value, pointer: &str) -> String {
    let names = members(value, pointer).map(|(name, _)| name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default()
}

fn list<'a>(value: &'a Value, pointer: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    let list = value.pointer(pointer).and_then(Value::as_array);
    list.into_iter().flatten()
}

fn members<'a>(value: &'a Value, pointer: &str) -> serde_json::map::Iter<'a> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    let members = value.pointer(pointer).and_then(Value::as_object);
    members.unwrap_or(&NONE).iter()
}
