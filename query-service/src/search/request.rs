//! From a body to a query and a page of it. Every fault of the body is found before one is reported.

use column_files::{Page, Start};
use dialect::{Parsed, Query, Reading, Refusal};
use events_schema::api::limits::{
    DEFAULT_SEARCH_LIMIT, MAX_OFFSET, MAX_PAGE_LIMIT, MAX_STRING_CHARS,
};
use events_schema::record::RecordKind;
use serde_json::{Map, Value};
use service_kit::{Fields, Problem};

use super::asked::Asked;
use super::cursor::{Cursor, Fingerprint};
use crate::instead::UnknownField;
use crate::pin::{DATA_BUILD, Pin};
use crate::render::{View, field_list};
use crate::spending::{DRY_RUN, MAX_CREDITS, MaxCredits};

const ACCEPTED: &[&str] = &[
    "query",
    "limit",
    "offset",
    "cursor",
    DATA_BUILD,
    DRY_RUN,
    MAX_CREDITS,
    "titlecase",
    "include_fields",
    "exclude_fields",
    "pretty_print",
];

/// A request that can be answered.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    /// What is asked.
    pub query: Asked,
    /// What its cursor belongs to.
    pub of_cursor: Option<Belongs>,
    /// Literals that were read as something else than they say.
    pub readings: Vec<Reading>,
    /// Most records.
    pub limit: u32,
    /// From where.
    pub start: Start,
    /// The build that is to answer instead of the active one.
    pub pin: Option<Pin>,
    /// How the records are shown.
    pub view: View,
    /// Whether only the total and the price are wanted.
    pub dry_run: bool,
    /// The most that the page may cost.
    pub max_credits: Option<MaxCredits>,
}

/// Why a request is refused.
#[derive(Debug)]
pub enum SearchRefusal {
    /// Unknown, missing or malformed parameters.
    Form(Problem),
    /// Malformed parameters, beside a cursor that was not compared with the query yet.
    Page(Asked, Belongs),
    /// The text is no query.
    Query(Box<Refusal>),
    /// Names in a field list that no field has.
    UnknownFields(Vec<UnknownField>),
}

impl SearchRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// The first refusal in the order: unknown or missing parameters, the query, field lists, formats.
    pub fn read(kind: RecordKind, body: &Map<String, Value>) -> Result<Self, SearchRefusal> {
        let mut fields = Fields::new(body, ACCEPTED);
        fields.require("query");
        let query = text(&mut fields);
        let limit = fields.integer(
            "limit",
            1..=i64::from(MAX_PAGE_LIMIT),
            i64::from(DEFAULT_SEARCH_LIMIT),
        );
        let offset = fields.integer("offset", 0..=i64::from(MAX_OFFSET), 0);
        let cursor = cursor(&mut fields);
        let named = Pin::read(&mut fields);
        let dry_run = fields.boolean(DRY_RUN, false);
        let max_credits = MaxCredits::read(&mut fields);
        let titlecase = fields.boolean("titlecase", false);
        let pretty_print = fields.boolean("pretty_print", false);
        let include = field_list(&mut fields, "include_fields");
        let exclude = field_list(&mut fields, "exclude_fields");
        fields.check_names().map_err(SearchRefusal::Form)?;

        // Where the field holds no text, what is wrong with it is said in the end.
        let query = query.map(|text| Query::parse(kind, text)).transpose();
        let query = query.map_err(|refusal| SearchRefusal::Query(Box::new(refusal)))?;
        let view = View::new(kind, &include, &exclude, titlecase, pretty_print)
            .map_err(SearchRefusal::UnknownFields)?;
        let (query, readings) = match query {
            Some(Parsed { query, readings }) => (Some(Asked::from(query)), readings),
            None => (None, Vec::new()),
        };
        let of_cursor = match (&cursor, &query) {
            (Some((_, cursor)), Some(_)) => {
                let belongs = Belongs::of(fields, cursor, offset, named.as_ref());
                Some(belongs)
            }
            _ => {
                fields.finish().map_err(SearchRefusal::Form)?;
                None
            }
        };
        let Some(query) = query else {
            unreachable!("a query that is missing or no text was refused above")
        };
        if let Some(belongs) = of_cursor.as_ref().filter(|belongs| belongs.own.is_some()) {
            return Err(SearchRefusal::Page(query, belongs.clone()));
        }
        let whole = |number: i64| u32::try_from(number).unwrap_or_default();
        let start = match &cursor {
            Some((_, cursor)) => Start::After(cursor.last_rank),
            None => Start::Offset(whole(offset)),
        };
        let from_cursor = cursor.map(|(given, cursor)| Pin {
            build: cursor.build,
            field: "cursor",
            given,
        });
        Ok(Self {
            query,
            of_cursor,
            readings,
            limit: whole(limit),
            start,
            pin: from_cursor.or(named),
            view,
            dry_run,
            max_credits,
        })
    }

    /// Whether the cursor belongs to the query: work that is done for nobody without a key.
    ///
    /// # Errors
    /// It belongs to another one.
    pub fn check(&self) -> Result<(), SearchRefusal> {
        let problem = self
            .of_cursor
            .as_ref()
            .and_then(|of| of.problem(&self.query));
        problem.map_or(Ok(()), |problem| Err(SearchRefusal::Form(problem.clone())))
    }

    /// The page, and one row more, by which it shows whether others follow.
    #[must_use]
    pub const fn page(&self) -> Page {
        Page {
            limit: self.limit.saturating_add(1),
            start: self.start,
        }
    }
}

/// The query as it came: its limits and its refusals are the dialect's.
fn text<'a>(fields: &mut Fields<'a>) -> Option<&'a str> {
    match fields.value("query")? {
        Value::String(text) => Some(text),
        _ => {
            fields.fail("query", "must be a string", None);
            None
        }
    }
}

fn cursor(fields: &mut Fields<'_>) -> Option<(String, Cursor)> {
    let given = fields.string("cursor", MAX_STRING_CHARS)?;
    let cursor = Cursor::decode(given);
    if cursor.is_none() {
        let error = "must be a next_cursor of an earlier answer";
        fields.fail("cursor", error, Some("leave the field out"));
    }
    Some((given.to_owned(), cursor?))
}

/// What a cursor belongs to, and what is wrong with the parameters if that is the query, and if it is another one: all faults
/// are told at once.
#[derive(Debug, Clone)]
pub struct Belongs {
    to: Fingerprint,
    own: Option<Problem>,
    another: Option<Problem>,
}

impl Belongs {
    fn of(fields: Fields<'_>, cursor: &Cursor, offset: i64, named: Option<&Pin>) -> Self {
        let mut another = fields.clone();
        another.fail(
            "cursor",
            "belongs to another query",
            Some("leave the field out"),
        );
        let faults = |mut fields: Fields<'_>| {
            if offset > 0 {
                fields.fail("offset", "must be 0 with a cursor", Some("0"));
            }
            if named.is_some_and(|pin| pin.build != cursor.build) {
                let error = "is not the build of the cursor";
                fields.fail(DATA_BUILD, error, Some(cursor.build.as_str()));
            }
            fields.finish().err()
        };
        Self {
            to: cursor.query,
            own: faults(fields),
            another: faults(another),
        }
    }

    /// What is wrong beside a query.
    pub fn problem(&self, query: &Asked) -> Option<&Problem> {
        let is_own = self.to == query.fingerprint();
        if is_own { &self.own } else { &self.another }.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(body: Value) -> Result<SearchRequest, SearchRefusal> {
        SearchRequest::read(RecordKind::Person, body.as_object().unwrap())
    }

    /// A query of so many characters, of two bytes each inside the literal.
    fn of_length(chars: usize) -> String {
        let query = "SELECT * FROM person WHERE city = ''";
        query.replace("''", &format!("'{}'", "ä".repeat(chars - query.len())))
    }

    /// The description is what models know of columns.
    #[test]
    fn the_description_of_a_query_names_columns_and_whole_closed_lists() {
        use events_schema::api::endpoint::Endpoint;
        for (kind, endpoint, lists) in [
            (RecordKind::Person, Endpoint::PersonSearch, 5),
            (RecordKind::Company, Endpoint::CompanySearch, 2),
        ] {
            let schema = events_schema::api::parameters::of(endpoint);
            let told = schema["properties"]["query"]["description"].as_str();
            let (_, told) = told.unwrap().split_once("Columns: ").unwrap();
            let mut parts = told.trim_end_matches('.').split(". ");
            for column in parts.next().unwrap().split(", ") {
                assert!(dialect::column_of(kind, column).is_ok(), "{column}");
            }
            let mut told_of = 0;
            for part in parts {
                let (column, words) = part.split_once(": ").unwrap();
                let id = dialect::column_of(kind, column).unwrap();
                let column = dialect::Catalog::of(kind).column(id);
                let words: Vec<&str> = words.split(", ").collect();
                assert_eq!(dialect::closed_values(column).unwrap(), words);
                told_of += 1;
            }
            assert_eq!(told_of, lists);
        }
    }

    #[test]
    fn a_query_that_is_too_long_is_no_fault_of_format() {
        assert!(read(json!({"query": of_length(dialect::MAX_CHARS)})).is_ok());
        let refused = read(json!({"query": of_length(dialect::MAX_CHARS + 1), "limit": 0}));
        let Err(SearchRefusal::Query(refusal)) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(refusal.reason.slug(), "too_complex");
    }

    #[test]
    fn without_a_limit_a_page_has_ten_records_and_one_more_is_looked_at() {
        let request = read(json!({"query": "SELECT * FROM people"})).unwrap();
        let start = Start::Offset(0);
        assert_eq!(
            (request.limit, request.page()),
            (10, Page { limit: 11, start })
        );
    }
}
