//! From tokens to pieces: the longest phrases that the vocabulary or the build knows, each with all that it may mean.

mod codes;
mod employers;
mod plain_codes;
mod titles;

use dialect::{Catalog, ColumnId};
use events_schema::record::RecordKind;

use crate::lex::{Kind, Token, plain, stem};
use crate::lexicon::Lexicon;
use crate::meaning::{Cue, Meaning, Place};
use crate::spelling;
use crate::vocabulary::{LONGEST, vocabulary};

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

/// How a phrase may be stored: as it is written, its words, and without accents, each once.
#[derive(Debug, Default)]
struct Forms {
    all: Vec<String>,
    /// So many of them are not the one without accents.
    with_accents: usize,
}

/// Names of the build that begin with a token, by their number of tokens less one.
#[derive(Debug, Default)]
struct Stored {
    companies: Vec<Option<String>>,
    places: Vec<Option<Place>>,
}

/// Whether a word names no value by itself, and begins nothing that does.
fn says_nothing(word: &str) -> bool {
    let stem = stem(word);
    let meanings = vocabulary().get(&stem);
    let is_cue = |meaning: &Meaning| matches!(meaning, Meaning::Word(_));
    meanings.iter().all(is_cue) && (!meanings.is_empty() || vocabulary().is_common(word))
}

impl<L: Lexicon> Annotator<'_, L> {
    fn has(&self, column: Option<ColumnId>, value: &str) -> bool {
        column.is_some_and(|column| self.lexicon.has(column, value))
    }

    /// Repairs words that neither the vocabulary nor the build knows.
    fn repair(&mut self) -> Vec<Repair> {
        let named = self.named_tokens();
        let titled = self.titled_tokens();
        let mut repairs = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let before = at
                .checked_sub(1)
                .and_then(|before| self.tokens.get(before))
                .map_or("", |before| before.text.as_str());
            let is_given = matches!(before, "named" | "called" | "name" | "surname");
            if !token.is_word()
                || is_given
                || self.is_in_given_name(at)
                || named.contains(&at)
                || titled.contains(&at)
                || self.is_known(token)
            {
                continue;
            }
            // "At Stanford" names an employer that the build does not have, not Stamford.
            let is_employer =
                (before == "at" || before == "from" && self.follows_degree(at)) && token.is_capital;
            let city = self
                .columns
                .city
                .filter(|_| !is_employer)
                .and_then(|column| spelling::stored_near(&token.text, column, &self.lexicon));
            let follows_place = matches!(
                before,
                "in" | "from" | "near" | "around" | "or" | "and" | ","
            );
            // "In Rome" is a place that the build does not have, not a role; "at Cisco, Juniper" a company, not a junior.
            let is_name = token.is_capital && at > 0;
            let is_listed = is_name
                && matches!(before, "," | "or" | "and" | "&")
                && at.checked_sub(2).is_some_and(|listed| {
                    named.contains(&listed)
                        || self.company(listed, 1).is_some()
                        || self.city(listed, 1).is_some()
                });
            let word = spelling::repaired(&token.text).filter(|word| {
                let is_behind = matches!(before, "in" | "from" | "near" | "around" | "at" | "of");
                !(is_name && is_behind && says_nothing(word)
                    || is_listed && !vocabulary().means(word, is_place))
            });
            let repaired = match (word, city) {
                (Some(_), Some(city)) if token.is_capital && follows_place => city,
                (Some(word), _) => word,
                (None, Some(city)) => city,
                (None, None) => continue,
            };
            if let Some(stem) = self.stems.get_mut(at) {
                *stem = repaired.clone();
            }
            repairs.push(Repair {
                token: at,
                read_as: repaired,
            });
        }
        repairs
    }

    /// "A degree from Stanford" names a school.
    fn follows_degree(&self, at: usize) -> bool {
        let degree = at.checked_sub(2).and_then(|at| self.tokens.get(at));
        degree.is_some_and(|token| {
            matches!(
                token.stem.as_str(),
                "degree" | "diploma" | "doctorate" | "mba" | "phd" | "bachelor" | "master"
            )
        })
    }

    /// Whether a word in capitals belongs to a name that was given: "named Universität St. Gallen".
    fn is_in_given_name(&self, at: usize) -> bool {
        let is_capital = |at: usize| self.tokens.get(at).is_some_and(|token| token.is_capital);
        let goes_on = |token: &&Token| {
            token.is_word() && token.is_capital
                || matches!(token.kind, Kind::Mark('.' | '(' | '&' | '\''))
                || matches!(token.text.as_str(), "of" | "the" | "and" | "de" | "für")
        };
        let before = self.tokens.get(..at).unwrap_or_default();
        let first = before.iter().rev().find(|token| !goes_on(token));
        is_capital(at)
            && first.is_some_and(|token| matches!(token.text.as_str(), "named" | "called"))
    }

    fn is_known(&self, token: &Token) -> bool {
        let is_code = token.is_upper && token.text.len() == 2;
        is_code
            || vocabulary().knows(&token.stem)
            || vocabulary().knows(&token.text)
            || vocabulary().is_common(&token.text)
            || vocabulary().is_common(&token.stem)
            || vocabulary().is_plain(&token.text)
            || vocabulary().is_plain(&token.stem)
            || token.text.contains('.')
            || crate::traps::knows(&token.stem)
            || crate::traps::knows(&token.text)
            || [
                self.columns.company,
                self.columns.city,
                self.columns.state,
                self.columns.first_name,
                self.columns.last_name,
            ]
            .into_iter()
            .any(|column| self.has(column, &token.text))
    }

    /// Tokens of names of more than one word that the build knows.
    fn named_tokens(&self) -> Vec<usize> {
        let mut named = Vec::new();
        for at in 0..self.tokens.len() {
            if let Some(length) = (2..=LONGEST).rev().find(|length| {
                self.company(at, *length).is_some() || self.city(at, *length).is_some()
            }) {
                named.extend(at..at + length);
            }
        }
        named
    }

    /// Looks up which names begin with a token, further only while some name goes on so.
    fn stored_from(&self, at: usize) -> Stored {
        let columns = &self.columns;
        let mut stored = Stored::default();
        let mut are_open = [true; 4];
        for length in 1..=LONGEST {
            let forms = self.forms(at, length);
            let before = are_open;
            let [alias, company, city, state] = &mut are_open;
            let name = self.company_among(&forms.all, alias, company);
            stored.companies.push(name);
            // Codes are no names.
            let forms = forms.all.get(..forms.with_accents).unwrap_or_default();
            let is_name = |form: &&String| form.chars().count() > 2;
            let find = |column, is_open: &mut bool| {
                *is_open = *is_open && (forms.is_empty() || self.goes_on_as(column, forms));
                let mut forms = forms.iter().filter(is_name);
                is_open.then(|| forms.find(|form| self.has(column, form)).cloned())?
            };
            let city = find(columns.city, city).map(Place::City);
            let place = city.or_else(|| find(columns.state, state).map(Place::State));
            stored.places.push(place);
            if self.is_cut(at + length) {
                are_open = before;
            }
            if !are_open.contains(&true) {
                break;
            }
        }
        stored
    }

    /// Whether the text in front of a token ends within a letter: an accent that is a character of its own stands there.
    fn is_cut(&self, at: usize) -> bool {
        let last = at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let behind = last.and_then(|last| self.text.get(last.end..));
        let next = behind.and_then(|behind| behind.chars().next());
        next.is_some_and(unicode_normalization::char::is_combining_mark)
    }

    /// Whether some value of a column begins with one of these.
    fn goes_on_as(&self, column: Option<ColumnId>, forms: &[String]) -> bool {
        let begins = |column| forms.iter().any(|form| self.lexicon.begins(column, form));
        column.is_some_and(begins)
    }

    /// Text of so many tokens as it may be stored; none where it is no name.
    fn forms(&self, at: usize, length: usize) -> Forms {
        self.forms_of_name(at, length).unwrap_or_default()
    }

    fn forms_of_name(&self, at: usize, length: usize) -> Option<Forms> {
        let tokens = self.tokens.get(at..at + length)?;
        let (first, last) = (tokens.first()?, tokens.last()?);
        if !first.is_word() && first.number().is_none()
            || matches!(last.kind, Kind::Mark(mark) if mark != ')')
        {
            return None;
        }
        // A name does not go across the end of a clause.
        let is_broken = tokens.iter().any(|token| matches!(token.kind, Kind::Mark(mark) if !matches!(mark, '&' | '+' | '.' | '/' | '(' | ')')));
        if is_broken {
            return None;
        }
        let raw = dialect::fold(self.text.get(first.start..last.end)?);
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let (words, plain) = (words.join(" "), plain(&raw));
        let mut all = vec![raw];
        if !all.contains(&words) {
            all.push(words);
        }
        all.extend(codes::spelled_out(tokens));
        let with_accents = all.len();
        if !all.contains(&plain) {
            all.push(plain);
        }
        Some(Forms { all, with_accents })
    }

    /// The company of these forms. `is_open` stays while some company's name goes on so, `is_alias` while another name of
    /// one does.
    fn company_among(
        &self,
        forms: &[String],
        is_alias: &mut bool,
        is_open: &mut bool,
    ) -> Option<String> {
        let base = forms.first().and_then(|first| first.strip_suffix("'s"));
        let all = || forms.iter().map(String::as_str).chain(base);
        let known = |form| {
            let name = vocabulary().company_alias(form);
            name.filter(|name| self.has(self.columns.company, name))
        };
        let alias = all().find_map(known);
        let begins = |form: &String| vocabulary().begins_alias(form);
        *is_alias = *is_alias && (forms.is_empty() || forms.iter().any(begins));
        *is_open = *is_open && (forms.is_empty() || self.goes_on_as(self.columns.company, forms));
        let mut stored = all().filter(|form| *is_open || Some(*form) == base);
        alias
            .or_else(|| stored.find(|form| self.has(self.columns.company, form)))
            .map(str::to_owned)
    }

    fn company(&self, at: usize, length: usize) -> Option<String> {
        let stored = self.stored.get(at)?;
        stored.companies.get(length.checked_sub(1)?)?.clone()
    }

    fn city(&self, at: usize, length: usize) -> Option<Place> {
        let stored = self.stored.get(at)?;
        let stored = stored.places.get(length.checked_sub(1)?)?;
        // A slip that was repaired.
        let is_repaired = |stem: &&String| {
            length == 1
                && stem.chars().count() > 2
                && self
                    .tokens
                    .get(at)
                    .is_some_and(|token| token.is_word() && token.stem != **stem)
        };
        let repaired = self.stems.get(at).filter(is_repaired);
        let find = |column| repaired.filter(|stem| self.has(column, stem)).cloned();
        match stored {
            Some(Place::City(city)) => Some(Place::City(city.clone())),
            other => find(self.columns.city)
                .map(Place::City)
                .or_else(|| other.clone())
                .or_else(|| find(self.columns.state).map(Place::State)),
        }
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
            && let Some(of_name) = self.unknown_employer(at)
        {
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

    /// Whether words that say nothing, or only ask, are written as a name, or stand where one does: "CFOs of Quick Question", "Extract
    /// Technologies", "companies called U".
    fn names_small_words(&self, at: usize, length: usize) -> bool {
        let (Some(token), Some(tokens)) = (self.tokens.get(at), self.tokens.get(at..at + length))
        else {
            return false;
        };
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let said = before.map_or("", |before| before.text.as_str());
        let next = self.tokens.get(at + 1);
        let is_behind = matches!(said, "at" | "of" | "called" | "named" | "for");
        match self.spoken(at, length).as_str() {
            "u" => {
                let is_asked = matches!(said, "can" | "could" | "would" | "will" | "do" | "if");
                let asks = next.is_some_and(|next| vocabulary().is_request(&next.stem));
                token.is_capital || is_behind || !(is_asked || asks)
            }
            "positive" => {
                let grows =
                    next.is_some_and(|next| matches!(next.stem.as_str(), "growth" | "headcount"));
                is_behind || token.is_capital && !grows
            }
            "extract" | "retrieve" => {
                let is_firm = |stem: &str| {
                    matches!(
                        stem,
                        "technology" | "system" | "solution" | "network" | "lab" | "group"
                    )
                };
                let is_open = next.is_some_and(|next| {
                    next.is_word()
                        && next.is_capital
                        && (is_firm(&next.stem) || self.phrase(at + 1).1.is_empty())
                });
                is_behind || token.is_capital && (is_open || before.is_some_and(Token::is_word))
            }
            "quick one" | "quick question" | "best regards" | "kind regards" | "warm regards"
            | "best wishes" => {
                let begins = before.is_none_or(|before| !before.is_word());
                let mut rest = tokens.iter().skip(1);
                is_behind
                    || token.is_capital && !begins
                    || token.is_capital && !token.is_upper && rest.any(|token| token.is_capital)
            }
            _ => false,
        }
    }

    /// "Would it be possible", "make it CFOs": no information technology.
    fn is_pronoun(&self, at: usize) -> bool {
        let said = |at: Option<usize>| {
            let token = at.and_then(|at| self.tokens.get(at));
            token.map_or("", |token| token.text.as_str())
        };
        let is_small = self
            .tokens
            .get(at)
            .is_some_and(|token| token.text == "it" && !token.is_upper);
        let before = said(at.checked_sub(1));
        let is_asked = matches!(
            before,
            "would" | "could" | "should" | "will" | "can" | "is" | "was" | "make" | "if" | "that"
        );
        let is_done = matches!(
            said(at.checked_add(1)),
            "be" | "is" | "was" | "would" | "could" | "should" | "has" | "possible" | "looks"
        );
        // "Does it managers" is of those who manage it.
        let is_role_next = || self.phrase(at + 1).1.iter().any(Meaning::is_role);
        let is_subject = matches!(before, "would" | "does" | "did") && !is_role_next();
        is_small && (is_asked && is_done || before == "make" || is_subject)
    }

    /// The words of some tokens.
    fn spoken(&self, at: usize, length: usize) -> String {
        let tokens = self.tokens.get(at..at + length).unwrap_or_default();
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        words.join(" ")
    }

    /// Whether a name of the build is meant although nothing says that a company follows: it is written as a name, and it
    /// is not also a word.
    fn is_named(&self, at: usize, length: usize, of_phrase: usize) -> bool {
        let tokens = self.tokens.get(at..at + length).unwrap_or_default();
        let capitals = tokens.iter().any(|token| token.is_capital);
        let is_domain = tokens.iter().any(|token| token.text.contains('.'));
        let employees = self.tokens.get(at + length).is_some_and(|next| {
            matches!(
                next.stem.as_str(),
                "employee" | "staff" | "alumni" | "people"
            )
        });
        if of_phrase == 0 {
            capitals || is_domain || employees || self.is_left_out()
        } else {
            length > of_phrase && capitals
        }
    }

    /// Whether the word read last leaves out what follows: "not infosys", "-google".
    fn is_left_out(&self) -> bool {
        let cues = [Cue::Not, Cue::Except, Cue::Outside];
        self.pieces.last().is_some_and(|piece| {
            matches!(piece.what, What::Mark('-' | '≠'))
                || cues.into_iter().any(|cue| piece.may_be(cue))
        })
    }

    /// Whether what is written as a number is the name of a company: "at 3M", "CEO of 3M", "3M executives", not "3M employees" of a
    /// company, nor "3M+".
    fn is_number_named(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).filter(|token| token.number().is_some()) else {
            return false;
        };
        let raw = self.text.get(token.start..token.end).unwrap_or_default();
        let is_person = self.columns.job_title.is_some();
        let next = self.tokens.get(at + 1);
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_led_to = self.last_cue(Cue::At)
            || self.goes_on(|meaning| matches!(meaning, Meaning::Company(_)))
            || match before.map(|before| before.text.as_str()) {
                None => is_person || next.is_none(),
                Some("of") => is_person && self.is_of_role() && self.ends_employer(at + 1),
                Some(before) => matches!(before, "named" | "called"),
            };
        let counts = next.is_some_and(|next| {
            matches!(next.kind, Kind::Mark('+' | '-' | '–' | '%'))
                || matches!(next.text.as_str(), "to" | "plus")
                || before.is_none() && matches!(next.text.as_str(), "or" | "and")
                || !is_person
                    && matches!(
                        next.stem.as_str(),
                        "employee" | "staff" | "people" | "worker"
                    )
        });
        let has_capital = raw.chars().any(char::is_uppercase);
        is_led_to && has_capital && !counts && self.company(at, 1).is_some()
    }

    /// Whether "of" was said of somebody's role: "CEO of", not "a team of".
    fn is_of_role(&self) -> bool {
        let mut before = self.pieces.iter().rev();
        let is_of = |piece: &&Piece| {
            let token = self.tokens.get(piece.from);
            piece.to == piece.from + 1 && token.is_some_and(|token| token.text == "of")
        };
        let is_team = |piece: &Piece| {
            let mut tokens = self.tokens.get(piece.from..piece.to).into_iter().flatten();
            tokens.any(|token| matches!(token.stem.as_str(), "team" | "group"))
        };
        let of = before.find(|piece| !is_of(piece));
        of.is_some_and(|piece| {
            !is_team(piece)
                && piece.meanings().iter().any(|meaning| {
                    meaning.is_role()
                        || matches!(
                            meaning,
                            Meaning::DecisionMaker | Meaning::Word(Cue::People | Cue::Employees)
                        )
                })
        })
    }

    /// Whether nothing that is counted stands there: "of 3M in Texas", not "of 3M budgets".
    fn ends_employer(&self, at: usize) -> bool {
        let leads_on = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Word(
                    Cue::In
                        | Cue::At
                        | Cue::With
                        | Cue::Without
                        | Cue::Or
                        | Cue::And
                        | Cue::But
                        | Cue::Not
                        | Cue::Except
                        | Cue::Outside
                )
            )
        };
        self.tokens.get(at).is_none_or(|next| {
            !next.is_word() && next.number().is_none()
                || matches!(next.text.as_str(), "who" | "that" | "since")
                || self.phrase(at).1.iter().any(leads_on)
        })
    }

    /// Whether another word stands right in front of "oil companies" that is no place, kind or small word: "palm oil companies".
    fn names_other_oil(&self, at: usize, length: usize) -> bool {
        let is_oil = self.tokens.get(at).is_some_and(|token| token.text == "oil");
        let is_firm = length == 2
            && self
                .tokens
                .get(at + 1)
                .is_some_and(|token| matches!(token.stem.as_str(), "company" | "firm"));
        let is_other = |piece: &Piece| match &piece.what {
            What::Phrase(meanings) => meanings.iter().all(|meaning| {
                !matches!(
                    meaning,
                    Meaning::Place(_)
                        | Meaning::Demonym(_)
                        | Meaning::Size(_)
                        | Meaning::Type(_)
                        | Meaning::Word(_)
                )
            }),
            _ => false,
        };
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let is_essential = before.is_some_and(|before| before.text == "essential");
        is_oil && is_firm && (is_essential || self.pieces.last().is_some_and(is_other))
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
