//! From text to query: length, tokens, limits, statement, conditions, elements, normal form; in this order.

use events_schema::record::RecordKind;
use sqlparser::ast::{Expr, OrderByExpr, OrderBySort, Spanned as _};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use crate::column::{Catalog, ListForm};
use crate::condition::Reader;
use crate::element::{self, MAX_MULTIPLIED, TooMany};
use crate::filter::{OrderKey, Query};
use crate::lexer::{self, lower_first};
use crate::literal::Reading;
use crate::names::{self, Named};
use crate::precheck::{self, MAX_ORDER_KEYS};
use crate::refusal::{Fault, Refusal, end_of};
use crate::statement::{self, Section};

/// Deep enough for every text that the limits let pass: at each level of brackets the right sides of an OR and of an
/// AND, and the NOT.
const MAX_RECURSION: usize = 4 * precheck::MAX_NESTING + 16;

/// A query, and what was read into its literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The query, in normal form.
    pub query: Query,
    /// The literals that are searched for in another form than they were given, apart from upper and lower case.
    pub readings: Vec<Reading>,
}

impl Query {
    /// Reads a query on records of a kind.
    ///
    /// # Errors
    /// Says what is wrong, where, and what would be accepted instead, for every text that is no query.
    pub fn parse(kind: RecordKind, text: &str) -> Result<Parsed, Refusal> {
        parse(kind, text).map_err(|fault| fault.about(text))
    }
}

fn parse(kind: RecordKind, text: &str) -> Result<Parsed, Fault> {
    precheck::length(text)?;
    let tokens = lexer::tokens(text)?;
    precheck::caps(&tokens)?;
    let statement = statement::read(kind, &tokens, end_of(text))?;
    let mut reader = Reader {
        catalog: Catalog::of(kind),
        prefixes: &statement.prefixes,
        readings: Vec::new(),
    };
    let filter = match &statement.condition {
        Some(section) => {
            let expr = expressions(section, |parser| parser.parse_expr())?;
            let tree = reader
                .tree(&expr)
                .map_err(|fault| fault.or_at(start(section)))?;
            let filter = element::filter(tree).map_err(|TooMany| {
                let message = format!("The ORs in this AND are about the same list and about other columns, too: multiplied out step by step, they make more than {MAX_MULTIPLIED} comparisons. Use fewer of them, or shorter lists and texts beside them.");
                Fault::too_complex(start(section), message)
            })?;
            Some(filter.normal(kind))
        }
        None => None,
    };
    let order = match &statement.order {
        Some(section) => {
            let keys = expressions(section, |parser| {
                parser.parse_comma_separated(Parser::parse_order_by_expr)
            })?;
            order(&reader, &keys).map_err(|fault| fault.or_at(start(section)))?
        }
        None => Vec::new(),
    };
    Ok(Parsed {
        readings: reader.readings,
        query: Query {
            kind,
            filter,
            order,
        },
    })
}

fn start(section: &Section<'_>) -> Location {
    section
        .tokens
        .first()
        .map_or(section.end, |token| token.span.start)
}

/// Lets the parser read all tokens of a section.
fn expressions<T>(
    section: &Section<'_>,
    read: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
) -> Result<T, Fault> {
    let dialect = PostgreSqlDialect {};
    let mut parser = Parser::new(&dialect)
        .with_recursion_limit(MAX_RECURSION)
        .with_tokens_with_locations(lexer::for_parser(section.tokens));
    let parsed = read(&mut parser).map_err(|error| fault(&error, section.end))?;
    let TokenWithSpan { token, span } = parser.peek_token();
    if token == Token::EOF {
        return Ok(parsed);
    }
    let message = format!("`{}` is not expected here.", shown(&token));
    Err(Fault::parse(span.start, message))
}

/// The parser's own message; it ends with the place, where there is one.
fn fault(error: &ParserError, end: Location) -> Fault {
    match error {
        ParserError::RecursionLimitExceeded => {
            Fault::too_complex(end, "The query is nested too deep.")
        }
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            let (message, at) = place(message);
            let message = message
                .replace("found: EOF", "found: the end")
                .replace('"', "");
            let message: String = lower_first(&message).chars().take(160).collect();
            Fault::parse(at, format!("The query cannot be read: {message}.")).or_at(end)
        }
    }
}

fn place(message: &str) -> (&str, Location) {
    let found = message.rsplit_once(" at Line: ").and_then(|(text, place)| {
        let (line, column) = place.split_once(", Column: ")?;
        Some((
            text,
            Location::new(line.parse().ok()?, column.parse().ok()?),
        ))
    });
    found.unwrap_or((message, Location::empty()))
}

fn shown(token: &Token) -> String {
    token
        .to_string()
        .replace('"', "")
        .chars()
        .take(32)
        .collect()
}

fn order(reader: &Reader<'_>, keys: &[OrderByExpr]) -> Result<Vec<OrderKey>, Fault> {
    let mut order: Vec<OrderKey> = Vec::new();
    for OrderByExpr {
        expr,
        options,
        with_fill,
    } in keys
    {
        let (named, at) = match expr {
            Expr::Value(_) | Expr::UnaryOp { .. } | Expr::BinaryOp { .. } => {
                return Err(Fault::forbidden(
                    expr.span().start,
                    "ORDER BY takes columns.",
                ));
            }
            column => reader.named(column)?,
        };
        let descending = match &options.sort {
            None | Some(OrderBySort::Asc) => false,
            Some(OrderBySort::Desc) => true,
            Some(_) => return Err(Fault::forbidden(at, "ORDER BY takes ASC or DESC.")),
        };
        if with_fill.is_some() {
            return Err(Fault::forbidden(at, "FILL is not allowed."));
        }
        let Some(column) = names::orderable(reader.catalog, &named) else {
            return Err(unordered(reader.catalog, &named, at));
        };
        // A column that came before decides already.
        if !order.iter().any(|key| key.column == column) {
            if order.len() >= MAX_ORDER_KEYS {
                let message = format!("ORDER BY may have {MAX_ORDER_KEYS} columns.");
                return Err(Fault::too_complex(at, message));
            }
            order.push(OrderKey {
                column,
                descending,
                nulls_first: options.nulls_first.unwrap_or(false),
            });
        }
    }
    Ok(order)
}

fn unordered(catalog: &Catalog, named: &Named, at: Location) -> Fault {
    let (what, path) = match named {
        Named::Record(target) => ("an entry of a map", &catalog.column(target.column).path),
        Named::Element(_, target) | Named::Shortcut { target, .. } => {
            ("a value of a list", &catalog.column(target.column).path)
        }
        Named::List(list) => {
            let list = catalog.list(*list);
            let what = match list.form {
                ListForm::Entries => "a map",
                ListForm::Elements | ListForm::NameForms => "a list",
            };
            (what, &list.path)
        }
    };
    let message = format!("`{path}` is {what}: a record has no one value to be ordered by.");
    let last = path
        .trim_end_matches(".cleaned")
        .rsplit('.')
        .next()
        .unwrap_or(path);
    let near = catalog.columns().iter().filter(|column| {
        column.place == crate::Place::Record && column.path.split('_').any(|word| word == last)
    });
    Fault::forbidden(at, message)
        .suggest_all(near.take(3).map(|column| column.path.clone()).collect())
}
