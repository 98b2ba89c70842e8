//! Names of the build that begin with a token: companies and places, in all ways in which they may be stored.

use dialect::ColumnId;

use crate::lex::{Kind, plain};
use crate::lexicon::Lexicon;
use crate::meaning::Place;
use crate::vocabulary::{LONGEST, vocabulary};

use super::{Annotator, codes};

/// How a phrase may be stored: as it is written, its words, and without accents, each once.
#[derive(Debug, Default)]
pub(super) struct Forms {
    pub(super) all: Vec<String>,
    /// So many of them are not the one without accents.
    pub(super) with_accents: usize,
}

/// Names of the build that begin with a token, by their number of tokens less one.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) companies: Vec<Option<String>>,
    pub(super) places: Vec<Option<Place>>,
}

impl<L: Lexicon> Annotator<'_, L> {
    /// Looks up which names begin with a token, further only while some name goes on so.
    pub(super) fn stored_from(&self, at: usize) -> Stored {
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
    pub(super) fn is_cut(&self, at: usize) -> bool {
        let last = at.checked_sub(1).and_then(|last| self.tokens.get(last));
        let behind = last.and_then(|last| self.text.get(last.end..));
        let next = behind.and_then(|behind| behind.chars().next());
        next.is_some_and(unicode_normalization::char::is_combining_mark)
    }

    /// Whether some value of a column begins with one of these.
    pub(super) fn goes_on_as(&self, column: Option<ColumnId>, forms: &[String]) -> bool {
        let begins = |column| forms.iter().any(|form| self.lexicon.begins(column, form));
        column.is_some_and(begins)
    }

    /// Text of so many tokens as it may be stored; none where it is no name.
    pub(super) fn forms(&self, at: usize, length: usize) -> Forms {
        self.forms_of_name(at, length).unwrap_or_default()
    }

    pub(super) fn forms_of_name(&self, at: usize, length: usize) -> Option<Forms> {
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
    pub(super) fn company_among(
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

    pub(super) fn company(&self, at: usize, length: usize) -> Option<String> {
        let stored = self.stored.get(at)?;
        stored.companies.get(length.checked_sub(1)?)?.clone()
    }

    pub(super) fn city(&self, at: usize, length: usize) -> Option<Place> {
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
}
