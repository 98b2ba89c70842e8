//! `SELECT * FROM person|company [AS alias] [WHERE …] [ORDER BY …]`, and nothing else.

use events_schema::record::RecordKind;
use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use crate::fold;
use crate::lexer::{is_keyword, keyword_at};
use crate::near::nearest;
use crate::refusal::{Fault, Reason};
use crate::words::{STATEMENTS, allowed, refused_at, refused_word};

/// The parts of a statement.
pub(crate) struct Statement<'a> {
    /// What may stand before a column's path: the table as written, its other names, its alias.
    pub(crate) prefixes: Vec<String>,
    /// The condition, where there is a WHERE.
    pub(crate) condition: Option<Section<'a>>,
    /// The keys of ORDER BY.
    pub(crate) order: Option<Section<'a>>,
}

/// Tokens of a part, and where it ends.
#[derive(Clone, Copy)]
pub(crate) struct Section<'a> {
    pub(crate) tokens: &'a [TokenWithSpan],
    pub(crate) end: Location,
}

/// Names under which the table of a kind is known.
pub(crate) const fn tables(kind: RecordKind) -> &'static [&'static str] {
    match kind {
        RecordKind::Person => &["person", "people", "persons"],
        RecordKind::Company => &["company", "companies"],
    }
}

/// Takes a statement apart.
pub(crate) fn read(
    kind: RecordKind,
    tokens: &[TokenWithSpan],
    end: Location,
) -> Result<Statement<'_>, Fault> {
    let tokens = one_statement(tokens, end)?;
    select_star(tokens, kind, end)?;
    let mut at = 3;
    let table = table(tokens, at, kind, end)?;
    at += 1;
    let mut prefixes: Vec<String> = tables(kind).iter().map(|&name| name.to_owned()).collect();
    prefixes.push(table);
    let has_as = is_keyword(tokens, at, "AS");
    at += usize::from(has_as);
    let alias = at;
    match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(alias)) if has_as || !ends_table(tokens, at) => {
            prefixes.push(fold(&alias.value));
            at += 1;
        }
        Some(_) | None if has_as => {
            return Err(Fault::parse(
                place(tokens, at, end),
                "An alias is missing behind AS.",
            ));
        }
        _ => {}
    }
    let (mut condition, mut order) = (None, None);
    if is_keyword(tokens, at, "WHERE") {
        let (section, next) = section(tokens, at + 1, end);
        condition = Some(section);
        at = next;
    }
    if is_keyword(tokens, at, "ORDER") {
        if !is_keyword(tokens, at + 1, "BY") {
            return Err(Fault::parse(
                place(tokens, at + 1, end),
                "BY is missing behind ORDER.",
            ));
        }
        let (section, next) = section(tokens, at + 2, end);
        order = Some(section);
        at = next;
    }
    if at < tokens.len() {
        let is_alias = !has_as && at == alias + 1;
        let alias = is_alias.then_some(alias);
        return Err(unexpected(tokens, at, alias, end));
    }
    for part in condition.iter().chain(&order) {
        allowed(part)?;
    }
    Ok(Statement {
        prefixes,
        condition,
        order,
    })
}

/// The tokens without the semicolons at the end.
fn one_statement(tokens: &[TokenWithSpan], end: Location) -> Result<&[TokenWithSpan], Fault> {
    let is_end = |token: &TokenWithSpan| token.token == Token::SemiColon;
    let length = tokens
        .iter()
        .rposition(|token| !is_end(token))
        .map_or(0, |last| last + 1);
    let (statement, _) = tokens.split_at_checked(length).unwrap_or((tokens, &[]));
    if statement.is_empty() {
        let place = tokens.first().map_or(end, |token| token.span.start);
        return Err(Fault::parse(place, "The query is empty.").suggest("SELECT * FROM …"));
    }
    match statement.iter().position(is_end) {
        Some(at) => Err(Fault::forbidden(
            place(statement, at + 1, end),
            "Only one statement is allowed.",
        )),
        None => Ok(statement),
    }
}

fn select_star(tokens: &[TokenWithSpan], kind: RecordKind, end: Location) -> Result<(), Fault> {
    let accepted = format!("SELECT * FROM {kind} WHERE …");
    if !is_keyword(tokens, 0, "SELECT") {
        let place = place(tokens, 0, end);
        let fault = match keyword_at(tokens, 0)
            .map(str::to_ascii_uppercase)
            .as_deref()
        {
            Some(word) if STATEMENTS.contains(&word) => {
                Fault::forbidden(place, format!("{word} is not allowed: only SELECT is."))
            }
            _ if tokens
                .first()
                .is_some_and(|first| first.token == Token::LParen) =>
            {
                Fault::forbidden(place, "Brackets around a statement are not allowed.")
            }
            _ => Fault::parse(place, "A query begins with SELECT."),
        };
        return Err(fault.suggest(accepted));
    }
    match tokens.get(1).map(|token| &token.token) {
        Some(Token::Mul) => {}
        Some(_) if is_keyword(tokens, 1, "TOP") => {
            let here = place(tokens, 1, end);
            let message = "TOP is not allowed in the query; use the limit parameter.";
            let fault = Fault::new(Reason::LimitInSql, here, message);
            return Err(fault
                .suggest("set \"limit\" in the request")
                .suggest(accepted));
        }
        None => return Err(Fault::parse(end, "`* FROM` is missing.").suggest(accepted)),
        Some(_) => return Err(not_star(tokens, 1, end).suggest(accepted)),
    }
    if is_keyword(tokens, 2, "FROM") {
        return Ok(());
    }
    let at = place(tokens, 2, end);
    let fault = match keyword_at(tokens, 2)
        .map(str::to_ascii_uppercase)
        .as_deref()
    {
        Some("INTO") => Fault::forbidden(at, "INTO is not allowed."),
        Some("EXCEPT" | "EXCLUDE" | "REPLACE" | "RENAME" | "AS") => not_star(tokens, 2, end),
        _ if tokens
            .get(2)
            .is_some_and(|token| token.token == Token::Comma) =>
        {
            not_star(tokens, 2, end)
        }
        _ => Fault::parse(at, "FROM is missing."),
    };
    Err(fault.suggest(accepted))
}

fn not_star(tokens: &[TokenWithSpan], at: usize, end: Location) -> Fault {
    let counts = is_keyword(tokens, at, "COUNT");
    let message = if counts {
        "A query selects `*` and nothing beside it; the `total` of its answer counts, and `dry_run` asks for it free."
    } else {
        "A query selects `*` and nothing beside it; which fields are returned is said by include_fields and exclude_fields."
    };
    let fault = Fault::new(Reason::NotSelectStar, place(tokens, at, end), message);
    if counts {
        fault.suggest("set \"dry_run\": true")
    } else {
        fault
    }
}

fn table(
    tokens: &[TokenWithSpan],
    at: usize,
    kind: RecordKind,
    end: Location,
) -> Result<String, Fault> {
    let here = place(tokens, at, end);
    let name = match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(word)) if !is_keyword(tokens, at, "WHERE") => fold(&word.value),
        Some(Token::LParen) => {
            return Err(Fault::forbidden(here, "Subqueries are not allowed.").suggest(kind.name()));
        }
        _ => {
            let fault = Fault::parse(here, "The name of the table is missing.");
            return Err(fault.suggest(kind.name()));
        }
    };
    let is_known = tables(kind).contains(&name.as_str());
    let next = tokens.get(at + 1).map(|token| &token.token);
    if is_known && next == Some(&Token::LParen) {
        return Err(Fault::forbidden(here, "Functions are not allowed."));
    }
    if is_known && next != Some(&Token::Period) {
        return Ok(name);
    }
    let shown: String = name.chars().take(64).collect();
    let other = RecordKind::ALL.into_iter().find(|&other| other != kind);
    let message = match other {
        Some(other) if tables(other).contains(&name.as_str()) => {
            format!("This endpoint searches the table {kind}, not {other}.")
        }
        _ if is_known => "A table has no schema here.".to_owned(),
        _ => format!("There is no table `{shown}`."),
    };
    Err(Fault::new(Reason::UnknownTable, here, message).suggest(kind.name()))
}

/// Whether a word behind the table cannot be its alias.
fn ends_table(tokens: &[TokenWithSpan], at: usize) -> bool {
    keyword_at(tokens, at).is_some_and(|word| {
        let word = word.to_ascii_uppercase();
        matches!(word.as_str(), "WHERE" | "ORDER") || refused_word(&word).is_some()
    })
}

/// From here to ORDER outside of brackets, or to the end.
fn section(tokens: &[TokenWithSpan], from: usize, end: Location) -> (Section<'_>, usize) {
    let mut depth = 0_usize;
    let mut to = tokens.len();
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth == 0 && is_keyword(tokens, at, "ORDER") => {
                to = at;
                break;
            }
            _ => {}
        }
    }
    let section = Section {
        tokens: tokens.get(from..to).unwrap_or(&[]),
        end: place(tokens, to, end),
    };
    (section, to)
}

/// A word behind the table that would be its alias, and looks like the word that is missing: `WEHRE`.
fn misspelt(tokens: &[TokenWithSpan], at: usize, end: Location) -> Option<Fault> {
    let word = keyword_at(tokens, at)?.to_ascii_uppercase();
    let meant = match *nearest(&word, ["WHERE", "ORDER"], 1).first()? {
        "ORDER" => "ORDER BY",
        meant => meant,
    };
    let message = format!("{meant} is expected here.");
    Some(Fault::parse(place(tokens, at, end), message).suggest(meant))
}

/// What stands where a statement should end, behind an alias if there is one without AS.
fn unexpected(tokens: &[TokenWithSpan], at: usize, alias: Option<usize>, end: Location) -> Fault {
    let here = place(tokens, at, end);
    if let Some(fault) = refused_at(tokens, at) {
        return fault;
    }
    match tokens.get(at).map(|token| &token.token) {
        Some(Token::Comma) => Fault::forbidden(here, "Only one table is allowed."),
        _ => alias
            .and_then(|alias| misspelt(tokens, alias, end))
            .unwrap_or_else(|| Fault::parse(here, "WHERE, ORDER BY or the end is expected here.")),
    }
}

/// Where a token begins, or the end.
fn place(tokens: &[TokenWithSpan], at: usize, end: Location) -> Location {
    tokens.get(at).map_or(end, |token| token.span.start)
}
