//! The words and signs of a query, with their places.
//!
//! Only a closed set goes on to the parser: identifiers, plain string literals, numbers, comparisons, brackets, and the
//! keywords of this language. Comments, placeholders, other kinds of strings and all other operators end here.
//!
//! Every word that is no keyword of this language is handed on as a quoted identifier, so that the parser, which knows
//! some hundred keywords more, sees none of them.

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Location, Span, Token, TokenWithSpan, Tokenizer, Whitespace, Word};

use crate::refusal::Fault;

/// Keywords of conditions and of ORDER BY.
const KEYWORDS: [&str; 17] = [
    "AND", "OR", "NOT", "IN", "LIKE", "ILIKE", "BETWEEN", "IS", "NULL", "TRUE", "FALSE", "ASC",
    "DESC", "NULLS", "FIRST", "LAST", "LOWER",
];

/// Marks that word processors put where SQL has `'` or `"`, and the one of another dialect.
const QUOTATION_MARKS: [char; 8] = ['‘', '’', '‚', '“', '”', '„', '`', '´'];

/// The tokens of a text without white space.
///
/// # Errors
/// Where a string or quoted identifier does not end, and at the first sign that is not of this language.
pub(crate) fn tokens(text: &str) -> Result<Vec<TokenWithSpan>, Fault> {
    let dialect = PostgreSqlDialect {};
    let read = Tokenizer::new(&dialect, text)
        .tokenize_with_location()
        .map_err(|fault| {
            let message = lower_first(fault.message.trim_end_matches('.'));
            let message = format!("The query cannot be read: {message}.");
            Fault::parse(fault.location, message)
        })?;
    let mut tokens: Vec<TokenWithSpan> = Vec::with_capacity(read.len() / 2);
    for token in read {
        let at = token.span.start;
        match &token.token {
            Token::Whitespace(Whitespace::Space | Whitespace::Newline | Whitespace::Tab) => {}
            Token::Number(digits, false) if is_key(digits, at, &tokens) => {
                let key = digits.trim_start_matches('.').to_owned();
                let dot = Location::new(at.line, at.column + 1);
                tokens.push(TokenWithSpan::new(Token::Period, at.span_to(dot)));
                tokens.push(word(key, dot.span_to(token.span.end)));
            }
            Token::Word(rest) if rest.quote_style.is_none() => match tokens.last_mut() {
                // `12` and `m` of `….12m`.
                Some(last) if is_key_part(last) && last.span.end == at => {
                    if let Token::Word(key) = &mut last.token {
                        key.value.push_str(&rest.value);
                    }
                    last.span.end = token.span.end;
                }
                _ if is_accepted(&token.token) => tokens.push(token),
                _ => return Err(refusal(&token.token, at)),
            },
            accepted if is_accepted(accepted) => tokens.push(token),
            refused => return Err(refusal(refused, at)),
        }
    }
    Ok(tokens)
}

/// The tokens as the parser gets them: every word that is no keyword here as a quoted identifier, and a number with its
/// sign, which the parser would take apart, so that a refusal points at the whole.
pub(crate) fn for_parser(tokens: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let is_keyword = |word: &str| {
        KEYWORDS
            .iter()
            .any(|keyword| word.eq_ignore_ascii_case(keyword))
    };
    let mut plain: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let next = match &token.token {
            Token::Word(found) if !keyword_at(tokens, at).is_some_and(is_keyword) => {
                word(found.value.clone(), token.span)
            }
            Token::Number(digits, long) => {
                match plain.pop_if(|last| matches!(last.token, Token::Minus | Token::Plus)) {
                    Some(sign) => {
                        let minus = if sign.token == Token::Minus { "-" } else { "" };
                        let number = Token::Number(format!("{minus}{digits}"), *long);
                        TokenWithSpan::new(number, sign.span.start.span_to(token.span.end))
                    }
                    None => token.clone(),
                }
            }
            _ => token.clone(),
        };
        plain.push(next);
    }
    plain
}

/// Whether the token is this keyword: unquoted and no part of a path.
pub(crate) fn is_keyword(tokens: &[TokenWithSpan], at: usize, keyword: &str) -> bool {
    keyword_at(tokens, at).is_some_and(|word| word.eq_ignore_ascii_case(keyword))
}

/// The unquoted word at a place that is no part of a path.
pub(crate) fn keyword_at(tokens: &[TokenWithSpan], at: usize) -> Option<&str> {
    match &tokens.get(at)?.token {
        Token::Word(word) if word.quote_style.is_none() && !part_of_path(tokens, at) => {
            Some(&word.value)
        }
        _ => None,
    }
}

fn part_of_path(tokens: &[TokenWithSpan], at: usize) -> bool {
    let is_period = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.token == Token::Period)
    };
    at.checked_sub(1).is_some_and(is_period) || is_period(at + 1)
}

/// Whether a number that begins with a dot is a key behind a name: `growth_rate.12m` is read as `growth_rate`, `.12`, `m`.
fn is_key(digits: &str, at: Location, before: &[TokenWithSpan]) -> bool {
    digits.starts_with('.')
        && before
            .last()
            .is_some_and(|last| matches!(last.token, Token::Word(_)) && last.span.end == at)
}

fn word(value: String, span: Span) -> TokenWithSpan {
    TokenWithSpan::new(
        Token::Word(Word {
            value,
            quote_style: Some('"'),
            keyword: sqlparser::keywords::Keyword::NoKeyword,
        }),
        span,
    )
}

/// Whether the token was made by [`word`] out of digits: one that was quoted spans its quotes, too.
fn is_key_part(token: &TokenWithSpan) -> bool {
    match &token.token {
        Token::Word(word) => {
            let chars = u64::try_from(word.value.chars().count()).unwrap_or(u64::MAX);
            word.value.starts_with(|c: char| c.is_ascii_digit())
                && word.quote_style.is_some()
                && token
                    .span
                    .end
                    .column
                    .saturating_sub(token.span.start.column)
                    == chars
        }
        _ => false,
    }
}

fn is_accepted(token: &Token) -> bool {
    match token {
        Token::Word(word) => match word.quote_style {
            None => !word.value.contains(QUOTATION_MARKS),
            quote => quote == Some('"'),
        },
        Token::Number(_, is_long) => !is_long,
        Token::SingleQuotedString(_)
        | Token::Comma
        | Token::Period
        | Token::Eq
        | Token::Neq
        | Token::Lt
        | Token::Gt
        | Token::LtEq
        | Token::GtEq
        | Token::LParen
        | Token::RParen
        | Token::Mul
        | Token::Minus
        | Token::Plus
        | Token::SemiColon => true,
        _ => false,
    }
}

fn refusal(token: &Token, at: Location) -> Fault {
    match token {
        Token::Whitespace(_) => Fault::forbidden(at, "Comments are not allowed in the query."),
        Token::Placeholder(_) | Token::Colon | Token::AtSign | Token::Question => Fault::forbidden(
            at,
            "Placeholders are not allowed: write the value into the query.",
        ),
        Token::Char(c) if QUOTATION_MARKS.contains(c) => mark(at),
        Token::Word(_) => mark(at),
        Token::HexStringLiteral(_) => {
            Fault::forbidden(at, "Numbers are written in decimal, texts in plain quotes.")
        }
        Token::DollarQuotedString(_)
        | Token::EscapedStringLiteral(_)
        | Token::NationalStringLiteral(_)
        | Token::UnicodeStringLiteral(_)
        | Token::SingleQuotedByteStringLiteral(_)
        | Token::DoubleQuotedByteStringLiteral(_) => {
            Fault::forbidden(at, "Only plain string literals are allowed.").suggest("'…'")
        }
        Token::DoubleColon => Fault::forbidden(at, "Casts are not allowed."),
        Token::LBracket | Token::RBracket => Fault::forbidden(at, "Arrays are not allowed."),
        Token::DoubleEq => Fault::forbidden(at, "`==` is not allowed.").suggest("="),
        other => {
            let sign: String = other.to_string().chars().take(16).collect();
            Fault::forbidden(at, format!("`{sign}` is not allowed in the query."))
        }
    }
}

fn mark(at: Location) -> Fault {
    Fault::forbidden(at, "This quotation mark is not allowed.")
        .suggest("'…' around a value")
        .suggest("\"…\" around a column")
}

pub(crate) fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_lowercase);
    first.chain(chars).collect()
}
