//! Words and signs that only other languages of SQL have: each is refused by its name, where it stands.

use events_schema::api::limits::{MAX_OFFSET, MAX_PAGE_LIMIT};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan};

use crate::lexer::{is_keyword, keyword_at};
use crate::literal::is_date;
use crate::refusal::{Fault, Reason};
use crate::statement::Section;

/// As long as a date of a day.
const DAY: &str = "2026-03-31";
const ARITHMETIC: &str = "Expressions are not allowed: compare a column with a value.";

/// Refuses words that only other kinds of queries have, calls of functions, and signs without a number behind them.
pub(crate) fn allowed(section: &Section<'_>) -> Result<(), Fault> {
    let tokens = section.tokens;
    for (at, token) in tokens.iter().enumerate() {
        if let Some(fault) = refused_at(tokens, at) {
            return Err(fault);
        }
        if has_no_left_side(tokens, at) {
            let message = format!("A condition is expected here, not {}.", token.token);
            return Err(Fault::parse(token.span.start, message));
        }
        let here = token.span.start;
        let next = tokens.get(at + 1).map(|token| &token.token);
        match &token.token {
            Token::Word(word) if next == Some(&Token::LParen) && !takes_brackets(tokens, at) => {
                let name: String = word.value.chars().take(64).collect();
                let message = format!("Functions are not allowed: `{name}`.");
                return Err(Fault::forbidden(here, message));
            }
            Token::Word(word)
                if is_type(&word.value)
                    && let Some(Token::SingleQuotedString(text)) = next =>
            {
                let fault = Fault::forbidden(here, "A value has no type in front of it.");
                // Dates have no time of the day.
                let day = text.get(..DAY.len()).unwrap_or(text);
                return Err(if is_date(day) {
                    fault.suggest(format!("'{day}'"))
                } else {
                    fault
                });
            }
            Token::Word(_) if is_keyword(tokens, at, "IS") => is_null(tokens, at, section.end)?,
            // Refused before the parser sees them: a chain of sums or products nests as deep as it is long.
            Token::Mul => return Err(Fault::forbidden(here, ARITHMETIC)),
            Token::Minus | Token::Plus if !matches!(next, Some(Token::Number(..))) => {
                return Err(Fault::forbidden(
                    here,
                    "A sign stands before a number only.",
                ));
            }
            Token::Minus | Token::Plus if !takes_sign(tokens, at) => {
                return Err(Fault::forbidden(here, ARITHMETIC));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether other languages write it in front of a text that is a date: `DATE '2026-08-01'`.
fn is_type(word: &str) -> bool {
    const TYPES: [&str; 4] = ["DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ"];
    TYPES.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Refuses what stands behind an IS and is neither NULL nor one of the words that are refused by their column.
fn is_null(tokens: &[TokenWithSpan], at: usize, end: Location) -> Result<(), Fault> {
    const WORDS: [&str; 4] = ["NULL", "TRUE", "FALSE", "DISTINCT"];
    let next = at + 1 + usize::from(is_keyword(tokens, at + 1, "NOT"));
    if WORDS.iter().any(|word| is_keyword(tokens, next, word)) {
        return Ok(());
    }
    let here = tokens.get(next).map_or(end, |token| token.span.start);
    let fault = Fault::parse(here, "NULL or NOT NULL is expected behind IS.");
    Err(fault.suggest("IS NULL").suggest("IS NOT NULL"))
}

/// Whether an operator stands where a condition begins: the parser would take it for a name.
fn has_no_left_side(tokens: &[TokenWithSpan], at: usize) -> bool {
    const OPERATORS: [&str; 7] = ["AND", "OR", "IN", "LIKE", "ILIKE", "BETWEEN", "IS"];
    let is = |at: usize, words: &[&str]| words.iter().any(|word| is_keyword(tokens, at, word));
    if !is(at, &OPERATORS) {
        return false;
    }
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    let opens = |token: &TokenWithSpan| matches!(token.token, Token::LParen | Token::Comma);
    is(before, &["AND", "OR"])
        || tokens.get(before).is_some_and(opens)
        || (is(before, &["NOT"]) && is(at, &["AND", "OR", "IS"]))
}

/// Whether a signed number may begin at a place.
fn takes_sign(tokens: &[TokenWithSpan], at: usize) -> bool {
    const WORDS: [&str; 4] = ["BETWEEN", "AND", "OR", "NOT"];
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    tokens.get(before).is_some_and(|token| {
        matches!(
            token.token,
            Token::Eq
                | Token::Neq
                | Token::Lt
                | Token::Gt
                | Token::LtEq
                | Token::GtEq
                | Token::LParen
                | Token::Comma
        )
    }) || WORDS.iter().any(|word| is_keyword(tokens, before, word))
}

/// Words that a bracket may follow.
fn takes_brackets(tokens: &[TokenWithSpan], at: usize) -> bool {
    const WORDS: [&str; 8] = [
        "AND", "OR", "NOT", "IN", "LIKE", "ILIKE", "BETWEEN", "LOWER",
    ];
    keyword_at(tokens, at)
        .is_some_and(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Why the word at a place is refused, if it is.
pub(crate) fn refused_at(tokens: &[TokenWithSpan], at: usize) -> Option<Fault> {
    let word = keyword_at(tokens, at)?.to_ascii_uppercase();
    let (reason, message) = refused_word(&word)?;
    let here = tokens.get(at)?.span.start;
    let fault = Fault::new(reason, here, message);
    if reason != Reason::LimitInSql {
        return Some(fault);
    }
    let asked = Page::read(tokens.get(at..).unwrap_or_default());
    Some(asked.suggestions().into_iter().fold(fault, Fault::suggest))
}

/// What the words at the end of a statement say about the page: parameters of the request here.
#[derive(Default)]
struct Page {
    /// By the word; without a number where it is none.
    limit: Option<Option<u32>>,
    offset: Option<Option<u32>>,
}

impl Page {
    /// `LIMIT 10 OFFSET 5`, in either order, `LIMIT 5, 10` with the offset first, `FETCH FIRST 10 ROWS ONLY`.
    fn read(tokens: &[TokenWithSpan]) -> Self {
        let mut page = Self::default();
        let token = |at: usize| tokens.get(at).map(|token| &token.token);
        let number = |at: usize| match token(at) {
            Some(Token::Number(digits, _)) => digits.parse().ok(),
            _ => None,
        };
        for at in 0..tokens.len() {
            let is = |word| is_keyword(tokens, at, word);
            if is("OFFSET") {
                page.offset = Some(number(at + 1));
            } else if is("LIMIT") && token(at + 2) == Some(&Token::Comma) {
                page.offset = Some(number(at + 1));
                page.limit = Some(number(at + 3));
            } else if is("LIMIT") {
                page.limit = Some(number(at + 1));
            } else if is("FETCH") {
                page.limit = Some(number(at + 2));
            }
        }
        page
    }

    /// Nothing that the request would be refused for.
    fn suggestions(&self) -> Vec<String> {
        let one = |name: &str, number: Option<u32>, (least, most): (u32, u32)| match number {
            Some(number) if (least..=most).contains(&number) => {
                format!("set \"{name}\": {number}")
            }
            _ => format!("set \"{name}\" in the request, from {least} to {most}"),
        };
        let limit = self.limit.map(|of| one("limit", of, (1, MAX_PAGE_LIMIT)));
        let offset = self.offset.map(|of| one("offset", of, (0, MAX_OFFSET)));
        limit.into_iter().chain(offset).collect()
    }
}

/// Statements that are not queries.
pub(crate) const STATEMENTS: [&str; 43] = [
    "ALTER",
    "ANALYZE",
    "BEGIN",
    "CALL",
    "CLOSE",
    "CLUSTER",
    "COMMENT",
    "COMMIT",
    "COPY",
    "CREATE",
    "DEALLOCATE",
    "DECLARE",
    "DELETE",
    "DISCARD",
    "DO",
    "DROP",
    "END",
    "EXECUTE",
    "EXPLAIN",
    "FETCH",
    "GRANT",
    "INSERT",
    "LISTEN",
    "LOAD",
    "LOCK",
    "MERGE",
    "MOVE",
    "NOTIFY",
    "PREPARE",
    "REINDEX",
    "RESET",
    "REVOKE",
    "ROLLBACK",
    "SAVEPOINT",
    "SET",
    "SHOW",
    "START",
    "TABLE",
    "TRUNCATE",
    "UPDATE",
    "VACUUM",
    "VALUES",
    "WITH",
];

/// Words of SQL that this language leaves out.
pub(crate) fn refused_word(word: &str) -> Option<(Reason, String)> {
    let what = match word {
        "LIMIT" | "OFFSET" | "FETCH" => {
            let parameter = if word == "OFFSET" { "offset" } else { "limit" };
            let message =
                format!("{word} is not allowed in the query; use the {parameter} parameter.");
            return Some((Reason::LimitInSql, message));
        }
        "SELECT" | "EXISTS" | "WITH" | "VALUES" | "LATERAL" => "Subqueries are not allowed",
        "UNION" | "INTERSECT" | "EXCEPT" | "MINUS" => "Set operations are not allowed",
        "JOIN" | "INNER" | "LEFT" | "RIGHT" | "FULL" | "OUTER" | "CROSS" | "NATURAL" | "USING"
        | "ON" | "ONLY" | "TABLESAMPLE" => "One table is searched and joined with nothing",
        "GROUP" | "HAVING" => {
            "Groups are not allowed; the `total` of an answer counts, one query a group, and `dry_run` asks for it free"
        }
        "WINDOW" | "OVER" | "QUALIFY" | "PARTITION" => "Groups and windows are not allowed",
        "FOR" | "INTO" | "RETURNING" | "DISTINCT" => "This is not allowed",
        "CASE" | "WHEN" | "THEN" | "ELSE" | "CAST" | "INTERVAL" | "ARRAY" | "ROW" | "ANY"
        | "ALL" | "SOME" => "Expressions are not allowed: compare a column with a value",
        "ESCAPE" => "ESCAPE is not allowed; a backslash takes the meaning of % and _ away",
        "COLLATE" => "COLLATE is not allowed; text is compared without regard to case",
        "SIMILAR" | "REGEXP" | "RLIKE" | "GLOB" | "MATCH" | "OVERLAPS" | "SYMMETRIC" | "ISNULL"
        | "NOTNULL" | "XOR" | "DIV" | "MOD" | "OPERATOR" | "AT" => "This operator is not allowed",
        _ => return None,
    };
    let message = if what.contains(word) {
        format!("{what}.")
    } else {
        format!("{what} ({word}).")
    };
    Some((Reason::ForbiddenConstruct, message))
}
