//! From tokens to pieces: the longest phrases that the vocabulary or the build knows, each with all that it may mean.

mod build_names;
mod codes;
mod employers;
mod homonyms;
mod named;
mod phrase;
mod plain_codes;
mod slips;
mod titles;

use dialect::{Catalog, ColumnId};
use events_schema::record::RecordKind;

use crate::lex::{Kind, Token};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning};

use build_names::Stored;
pub(crate) use codes::GEORGIAN;
use phrase::Phrase;

/// A phrase, a number or a mark.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// Tokens, the last one not included.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) what: What,
    /// Whether persons of the build have this name.
    pub(crate) name: NameOf,
}

/// Whose name a word is that stands behind "named".
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NameOf {
    /// The first name of somebody.
    pub(crate) given: bool,
    /// The last name of somebody.
    pub(crate) family: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// What the phrase may mean; none if nothing knows it.
    Phrase(Vec<Meaning>),
    Number(f64),
    Mark(char),
}

/// A word that was read as another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repair {
    pub(crate) token: usize,
    pub(crate) read_as: String,
}

/// The pieces of a text, and the slips that were repaired.
pub(crate) fn annotate<L: Lexicon>(
    kind: RecordKind,
    text: &str,
    tokens: &[Token],
    lexicon: &L,
) -> (Vec<Piece>, Vec<Repair>) {
    let mut annotator = Annotator {
        columns: Columns::of(kind),
        text,
        tokens,
        stems: tokens.iter().map(stem_of_phrases).collect(),
        lexicon,
        stored: Vec::new(),
        pieces: Vec::new(),
    };
    annotator.stored = (0..tokens.len())
        .map(|at| annotator.stored_from(at))
        .collect();
    let repairs = annotator.repair();
    let mut at = 0;
    while at < tokens.len() {
        at = annotator.piece(at);
    }
    (annotator.pieces, repairs)
}

/// The stem by which phrases have a token: "data ppl" are data people.
fn stem_of_phrases(token: &Token) -> String {
    match token.stem.as_str() {
        "ppl" => "people".to_owned(),
        stem => stem.to_owned(),
    }
}

/// Columns whose values are looked up.
struct Columns {
    company: Option<ColumnId>,
    city: Option<ColumnId>,
    state: Option<ColumnId>,
    country: Option<ColumnId>,
    first_name: Option<ColumnId>,
    last_name: Option<ColumnId>,
    job_title: Option<ColumnId>,
}

impl Columns {
    fn of(kind: RecordKind) -> Self {
        let find = |path: &str| Catalog::of(kind).find(path);
        match kind {
            RecordKind::Person => Self {
                company: find("company_name"),
                city: find("city"),
                state: find("state"),
                country: find("country"),
                first_name: find("first_name"),
                last_name: find("last_name"),
                job_title: find("job_title"),
            },
            RecordKind::Company => Self {
                company: find("name.cleaned"),
                city: find("locations.city"),
                state: find("locations.state"),
                country: find("locations.country"),
                first_name: None,
                last_name: None,
                job_title: None,
            },
        }
    }
}

struct Annotator<'a, L> {
    columns: Columns,
    text: &'a str,
    tokens: &'a [Token],
    /// Of the tokens, after repair.
    stems: Vec<String>,
    lexicon: &'a L,
    /// Of each token: the names of the build that begin with it.
    stored: Vec<Stored>,
    pieces: Vec<Piece>,
}

impl<L: Lexicon> Annotator<'_, L> {
    fn has(&self, column: Option<ColumnId>, value: &str) -> bool {
        column.is_some_and(|column| self.lexicon.has(column, value))
    }

    fn last_cue(&self, cue: Cue) -> bool {
        self.pieces.last().is_some_and(|piece| piece.may_be(cue))
    }

    /// Whether the piece before a comma or a conjunction has a meaning.
    fn goes_on(&self, is_it: impl Fn(&Meaning) -> bool) -> bool {
        self.joined_before()
            .is_some_and(|piece| piece.meanings().iter().any(is_it))
    }

    /// The piece before a comma or a conjunction that was read last.
    fn joined_before(&self) -> Option<&Piece> {
        let joins = |piece: &Piece| {
            matches!(piece.what, What::Mark(',' | '/' | '&' | '+'))
                || piece.may_be(Cue::Or)
                || piece.may_be(Cue::And)
                || piece.may_be(Cue::Nor)
        };
        let mut before = self.pieces.iter().rev().take(4).enumerate();
        let (joins, piece) = before.find(|(_, piece)| !joins(piece))?;
        (joins > 0).then_some(piece)
    }

    /// Reads the piece that begins with a token; the token behind it.
    fn piece(&mut self, at: usize) -> usize {
        let Some(token) = self.tokens.get(at) else {
            return at + 1;
        };
        let mut phrase = self.phrase_in_place(at);
        // "Waste Management", "Gold's Gym" are names.
        if self.names_firm(at, phrase.length) {
            let of_name = self.unknown_employer(at).unwrap_or(phrase.length);
            return self.push_name(at, of_name.max(phrase.length));
        }
        self.read_oil_or_states(at, &mut phrase);
        if let Kind::Number(number) = token.kind
            && self.company(at, 2).is_none()
            && !self.is_number_named(at)
        {
            self.push(at, at + 1, What::Number(number));
            return at + 1;
        }
        if let Kind::Mark(mark) = token.kind {
            return self.push_mark(at, mark, phrase);
        }
        self.add_company(at, &mut phrase);
        if let Some(of_name) = self.other_employer(at, &phrase.meanings) {
            return self.push_name(at, of_name);
        }
        self.add_city(at, &mut phrase);
        self.prefer_stored_places(at, phrase.length, &mut phrase.meanings);
        self.add_called_state(at, &mut phrase);
        self.add_full_name(at, token, &mut phrase);
        self.read_code(at, token, &mut phrase);
        if let Some((length, title)) = self.stored_title(at, phrase.length, &phrase.meanings) {
            phrase = Phrase::of(length, Meaning::Title(title));
        }
        if self.is_pronoun(at) {
            let is_function = |meaning: &Meaning| matches!(meaning, Meaning::Function(_));
            phrase.meanings.retain(|meaning| !is_function(meaning));
            phrase.length = 1;
        }
        // "Give us", not "the US".
        if token.text == "us" && !token.is_upper && !self.names_country(at) {
            phrase = Phrase::of(1, Meaning::Word(Cue::Filler));
        }
        let to = at + phrase.length.max(1);
        self.push(at, to, What::Phrase(phrase.meanings));
        to
    }

    /// The tokens of an employer that the build does not have, with its campus: "(at) Initech Labs".
    fn other_employer(&self, at: usize, meanings: &[Meaning]) -> Option<usize> {
        let is_company = |meaning: &Meaning| matches!(meaning, Meaning::Company(_));
        if meanings.iter().any(is_company) {
            return None;
        }
        let of_name = self.unknown_employer(at).or_else(|| self.employer_of(at))?;
        Some(of_name + self.campus(at, at + of_name))
    }

    /// A name of so many tokens that nothing knows; the token behind it.
    fn push_name(&mut self, at: usize, length: usize) -> usize {
        self.push(at, at + length, What::Phrase(Vec::new()));
        at + length
    }

    /// A mark, unless a phrase begins with it; the token behind it.
    fn push_mark(&mut self, at: usize, mark: char, phrase: Phrase) -> usize {
        if phrase.length > 0 {
            self.push(at, at + phrase.length, What::Phrase(phrase.meanings));
            return at + phrase.length;
        }
        self.push(at, at + 1, What::Mark(mark));
        at + 1
    }

    fn push(&mut self, from: usize, to: usize, what: What) {
        let name = self.name_of(from, to, &what);
        self.pieces.push(Piece {
            from,
            to,
            what,
            name,
        });
    }

    /// Whose name one word is. It is looked up only where something was said to be a name, or a word in capitals is nothing else.
    fn name_of(&self, from: usize, to: usize, what: &What) -> NameOf {
        let is_said = || self.pieces.iter().any(|piece| piece.may_be(Cue::Named));
        let is_open = matches!(what, What::Phrase(meanings) if meanings.is_empty());
        match self.tokens.get(from..to) {
            Some([token]) if token.is_word() && (is_open && token.is_capital || is_said()) => {
                NameOf {
                    given: self.has(self.columns.first_name, &token.text),
                    family: self.has(self.columns.last_name, &token.text),
                }
            }
            _ => NameOf::default(),
        }
    }
}

pub(crate) fn is_place(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Place(_))
}

impl Piece {
    pub(crate) fn meanings(&self) -> &[Meaning] {
        match &self.what {
            What::Phrase(meanings) => meanings,
            _ => &[],
        }
    }

    pub(crate) fn may_be(&self, cue: Cue) -> bool {
        self.meanings().contains(&Meaning::Word(cue))
    }

    pub(crate) fn is_mark(&self, mark: char) -> bool {
        matches!(self.what, What::Mark(found) if found == mark)
    }

    pub(crate) const fn number(&self) -> Option<f64> {
        match self.what {
            What::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Something that only helps to read others, or says nothing.
    pub(crate) fn is_small(&self) -> bool {
        let meanings = self.meanings();
        !meanings.is_empty()
            && meanings
                .iter()
                .all(|meaning| matches!(meaning, Meaning::Word(_)))
    }
}
