//! From tokens to pieces: the longest phrases that the vocabulary or the build knows, each with all that it may mean.

mod build_names;
mod codes;
mod employers;
mod homonyms;
mod named;
mod plain_codes;
mod slips;
mod titles;

use dialect::{Catalog, ColumnId};
use events_schema::record::RecordKind;

use crate::lex::{Kind, Token};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::vocabulary::{LONGEST, vocabulary};

use build_names::Stored;

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
        stems: tokens.iter().map(|token| token.stem.clone()).collect(),
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

    /// The longest phrase of the vocabulary: its tokens, and what it means.
    fn phrase(&self, at: usize) -> (usize, Vec<Meaning>) {
        let mut found = (0, Vec::new());
        let mut phrase = String::new();
        for length in 1..=LONGEST {
            let Some(stem) = self.stems.get(at + length - 1) else {
                break;
            };
            if length > 1 {
                phrase.push(' ');
            }
            phrase.push_str(stem);
            if !vocabulary().begins(&phrase) {
                break;
            }
            let meanings = vocabulary().get(&phrase);
            if !meanings.is_empty() {
                found = (length, meanings.to_vec());
            }
        }
        found
    }

    /// Whether the last of some small words begins a longer phrase that says something.
    fn is_cut_by_value(&self, at: usize, length: usize, meanings: &[Meaning]) -> bool {
        let is_word = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
        let last = at + length - 1;
        let (of_value, value) = self.phrase(last);
        let says_role =
            |meaning: &Meaning| matches!(meaning, Meaning::Function(_) | Meaning::Title(_));
        meanings.iter().all(is_word)
            && of_value > 1
            && value.iter().any(says_role)
            && !vocabulary().get(&self.stems_of(at, length - 1)).is_empty()
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

    fn piece(&mut self, at: usize) -> usize {
        let Some(token) = self.tokens.get(at) else {
            return at + 1;
        };
        let (mut length, mut meanings) = self.phrase(at);
        // "In The Hague", "in the States": the article is part of the name.
        if length > 1 && self.names_place_with_article(at + length - 1) {
            length -= 1;
            meanings = vocabulary().get(&self.stems_of(at, length)).to_vec();
        }
        // "In business development": the function, not "in business".
        if length > 1 && self.is_cut_by_value(at, length, &meanings) {
            length -= 1;
            meanings = vocabulary().get(&self.stems_of(at, length)).to_vec();
        }
        // "The state banks" are banks of a state, not of the States.
        if self.names_one_state(at, length) {
            length = 1;
            meanings = vocabulary().get(&self.stems_of(at, length)).to_vec();
        }
        // "Active in Spain", but "active in March" is of when.
        if length == 2 && self.spoken(at, length) == "active in" && !self.begins_place(at + length)
        {
            length = 1;
            meanings = vocabulary().get(&self.stems_of(at, length)).to_vec();
        }
        // "Quick Question", "Retrieve Technologies" are names.
        if self.names_small_words(at, length) {
            length = 1;
            meanings.clear();
        }
        // "Waste Management", "Gold's Gym" are names.
        if self.names_firm(at, length) {
            let of_name = self.unknown_employer(at).unwrap_or(length).max(length);
            self.push(at, at + of_name, What::Phrase(Vec::new()));
            return at + of_name;
        }
        // "Olive oil companies" are no oil companies.
        if self.names_other_oil(at, length) {
            length = 1;
            meanings = vocabulary().get(&self.stems_of(at, length)).to_vec();
        }
        if let Some(country) = self.country_abroad(at) {
            length = 2;
            meanings = vec![country];
        }
        if let Kind::Number(number) = token.kind
            && self.company(at, 2).is_none()
            && !self.is_number_named(at)
        {
            self.push(at, at + 1, What::Number(number));
            return at + 1;
        }
        if let Kind::Mark(mark) = token.kind {
            if length > 0 {
                self.push(at, at + length, What::Phrase(meanings));
                return at + length;
            }
            self.push(at, at + 1, What::Mark(mark));
            return at + 1;
        }
        let (mut length, after_at) = (
            length,
            self.last_cue(Cue::At)
                || self.goes_on(|meaning| matches!(meaning, Meaning::Company(_))),
        );
        let longest_name =
            |find: &dyn Fn(usize) -> bool| (1..=LONGEST).rev().find(|length| find(*length));
        if let Some(of_name) = longest_name(&|length| self.company(at, length).is_some())
            && (after_at || self.is_number_named(at) || self.is_named(at, of_name, length))
            && of_name >= length.max(1)
            && let Some(name) = self.company(at, of_name)
        {
            if of_name > length {
                meanings.clear();
                length = of_name;
            }
            meanings.push(Meaning::Company(name));
        }
        let is_company = |meaning: &Meaning| matches!(meaning, Meaning::Company(_));
        if !meanings.iter().any(is_company)
            && let Some(of_name) = self.unknown_employer(at).or_else(|| self.employer_of(at))
        {
            let of_name = of_name + self.campus(at, at + of_name);
            self.push(at, at + of_name, What::Phrase(Vec::new()));
            return at + of_name;
        }
        if let Some(of_place) = longest_name(&|length| self.city(at, length).is_some())
            && (of_place > length
                || of_place == length && (self.last_cue(Cue::In) || self.goes_on(is_place))
                || length == 0)
            && let Some(place) = self.city(at, of_place)
        {
            if of_place > length {
                meanings.clear();
                length = of_place;
            }
            if let Some(state) = self.state_behind_city(&place) {
                meanings.push(state);
            }
            if !meanings
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Place(known) if same_name(known, &place)))
            {
                meanings.push(Meaning::Place(place));
            }
        }
        self.prefer_stored_places(at, length, &mut meanings);
        // First and last name of persons of the build.
        if meanings.is_empty()
            && length == 0
            && token.is_capital
            && let Some(next) = self.tokens.get(at + 1)
            && next.is_capital
            && next.is_word()
            && self.has(self.columns.first_name, &token.text)
            && self.has(self.columns.last_name, &next.text)
            && self.phrase(at + 1).0 <= 1
        {
            meanings.push(Meaning::FullName(format!("{} {}", token.text, next.text)));
            length = 2;
        }
        // Two capital letters behind a city are a country or a state; those that are words, too, only behind a comma.
        if let Some(country) = self.country_of_code(at, &meanings) {
            meanings = vec![country];
            length = 1;
        } else if let Some(place) = self.plain_code(at, &meanings) {
            meanings = vec![place];
            length = 1;
        } else if token.is_upper
            && token.text.len() == 2
            && !self.lists_short_city(at, &meanings)
            && let Some(state) = vocabulary().state_of_code(&token.text)
            && (self.follows_city()
                && (meanings.is_empty() || self.ends_place(at) || self.goes_on_behind(at))
                || self.last_cue(Cue::In) && !self.means_city(at, &meanings)
                || meanings.is_empty() && self.goes_on(is_place)
                || self.ends_as_state(at, &meanings))
        {
            meanings = vec![Meaning::Place(Place::State(state.to_owned()))];
            length = 1;
        }
        if let Some((of_title, title)) = self.stored_title(at, length, &meanings) {
            meanings = vec![Meaning::Title(title)];
            length = of_title;
        }
        if self.is_pronoun(at) {
            meanings.retain(|meaning| !matches!(meaning, Meaning::Function(_)));
            length = 1;
        }
        // "Give us", not "the US".
        if token.text == "us" && !token.is_upper && !self.names_country(at) {
            meanings = vec![Meaning::Word(Cue::Filler)];
            length = 1;
        }
        let length = length.max(1);
        self.push(at, at + length, What::Phrase(meanings));
        at + length
    }

    /// Whether a place stands at a token, or behind an article there.
    fn begins_place(&self, at: usize) -> bool {
        let is_article = self.tokens.get(at).is_some_and(|token| token.text == "the");
        let at = if is_article { at + 1 } else { at };
        self.phrase(at).1.iter().any(is_place)
            || (1..=LONGEST).any(|length| self.city(at, length).is_some())
    }

    /// The words of some tokens.
    fn spoken(&self, at: usize, length: usize) -> String {
        let tokens = self.tokens.get(at..at + length).unwrap_or_default();
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        words.join(" ")
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

fn same_name(a: &Place, b: &Place) -> bool {
    match (a, b) {
        (Place::City(a), Place::City(b)) | (Place::State(a), Place::State(b)) => a == b,
        _ => false,
    }
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
