//! From pieces to items: conditions, the words between them, and what cannot be answered.

mod anyone;
mod both;
mod bounds;
mod corrected;
mod employers;
mod exclusion;
mod founding;
mod growth;
mod item;
mod lists;
mod marks;
mod names;
mod offices;
mod origin;
mod other_places;
mod places;
mod quantity;
mod roles;
mod seen;
mod silence;
mod single;
mod small_words;
mod somebody_else;
mod unanswered;
mod values;

use chrono::NaiveDate;
use events_schema::record::RecordKind;

use crate::Reason;
use crate::annotate::What;
use crate::cond::Cond;
use crate::context::{Indifference, Voice, indifference};
use crate::meaning::{Cue, Meaning};
use crate::text::Text;
use crate::traps::{clause_end, phrase_counts, trap};

pub(crate) use item::{Class, Is, Item};

/// Reads all pieces.
pub(crate) fn read(
    kind: RecordKind,
    text: Text<'_>,
    today: NaiveDate,
    context: &[Voice],
) -> Vec<Item> {
    let mut reader = Reader {
        kind,
        text,
        today,
        items: Vec::new(),
    };
    let mut at = 0;
    while at < text.pieces.len() {
        let to = match context.get(at).copied().unwrap_or_default() {
            Voice::Asks => reader.step(at),
            Voice::Tells => reader.push(Is::Noise, at, at + 1),
            Voice::Denies => reader.push(Is::Unwanted, at, at + 1),
            Voice::AsksAnew => reader.push(Is::But, at, at + 1),
        };
        at = to.max(at + 1);
    }
    reader.lists();
    reader.leave_one_value();
    reader.each(Reader::or_anyone);
    reader.each(Reader::said_origin);
    reader.each(Reader::origin);
    reader.each(Reader::corrected);
    reader.both();
    reader.exclusions();
    reader.items
}

struct Reader<'a> {
    kind: RecordKind,
    text: Text<'a>,
    today: NaiveDate,
    items: Vec<Item>,
}

impl Reader<'_> {
    fn push(&mut self, what: Is, from: usize, to: usize) -> usize {
        self.items.push(Item { what, from, to });
        to
    }

    fn condition(&mut self, class: Class, cond: Cond, from: usize, to: usize) -> usize {
        self.push(Is::Condition(class, cond), from, to)
    }

    fn is_person(&self) -> bool {
        self.kind == RecordKind::Person
    }

    fn meanings(&self, at: usize) -> &[Meaning] {
        self.text.piece(at).map_or(&[], |piece| piece.meanings())
    }

    fn find<T>(&self, at: usize, of: impl Fn(&Meaning) -> Option<T>) -> Option<T> {
        self.meanings(at).iter().find_map(of)
    }

    /// Whether piece `at` is a separator in a list; the piece behind it.
    fn separator(&self, at: usize) -> Option<usize> {
        let is_word = |at| self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::And);
        if is_word(at) || self.text.is_mark(at, '/') {
            return Some(at + 1);
        }
        if self.text.is_mark(at, ',') {
            let next = at + 1;
            return Some(if is_word(next) { next + 1 } else { next });
        }
        None
    }

    /// The class of the condition before, over connectives and words that say nothing.
    fn last_class(&self) -> Option<Class> {
        let mut before = self.items.iter().rev();
        let mut joined = false;
        loop {
            match &before.next()?.what {
                Is::Condition(class, _) => return joined.then_some(*class),
                Is::Or | Is::And | Is::Comma => joined = true,
                Is::Noise | Is::Small | Is::Either => {}
                what if what.turns() => {}
                _ => return None,
            }
        }
    }

    /// Reads what begins at a piece, one kind of beginning after the other, and gives the piece behind it.
    fn step(&mut self, at: usize) -> usize {
        let Some(piece) = self.text.piece(at) else {
            return at + 1;
        };
        if let What::Mark(mark) = piece.what
            && let Some(to) = self.mark(at, mark)
        {
            return to;
        }
        if let Some(to) = self.indifferent(at).or_else(|| self.named(at)) {
            return to;
        }
        if phrase_counts(self.text, at) {
            let said = self.text.said(at);
            let is_first = said.starts_with("first") || said == "1";
            let what = match is_first || self.asks_for_all(at) {
                true => Is::Noise,
                false => Is::Another,
            };
            return self.push(what, at, at + 2);
        }
        if let Some(to) = self.office(at).or_else(|| self.somebody_else(at)) {
            return to;
        }
        if let Some((to, reason)) = trap(self.kind, self.text, at) {
            return self.trapped(at, to, reason);
        }
        if let Some(to) = self.quantity(at).or_else(|| self.subject(at)) {
            return self.or_beyond(to);
        }
        self.time(at)
            .or_else(|| self.not_grown(at))
            .or_else(|| self.growth(at, None))
            .or_else(|| self.place(at))
            .or_else(|| self.role(at))
            .or_else(|| self.value(at))
            .or_else(|| self.size_in_front(at))
            .or_else(|| self.experience_in(at))
            .or_else(|| self.shared_title(at))
            .unwrap_or_else(|| self.small(at))
    }

    /// "(Who meet) all of the following: (1) … (2) …": what is counted is asked of the same records.
    fn asks_for_all(&self, at: usize) -> bool {
        const ALL: [[&str; 2]; 4] = [
            ["all", "following"],
            ["both", "following"],
            ["each", "following"],
            ["all", "these"],
        ];
        let to = self.text.piece(at).map_or(0, |piece| piece.from);
        let said = self.text.tokens.get(..to).unwrap_or_default();
        let mut words = said.windows(4);
        words.any(|words| {
            let [first, of, third, last] = words else {
                return false;
            };
            let is_all = |[all, those]: &[&str; 2]| {
                first.text == *all && (third.text == *those || last.text == *those)
            };
            of.text == "of" && ALL.iter().any(is_all)
        }) || said.iter().any(|word| word.text == "criteria")
    }

    /// "Doesn't matter which sector": what is all the same.
    fn indifferent(&mut self, at: usize) -> Option<usize> {
        Some(match indifference(self.text, at)? {
            Indifference::OfKind(to) => self.push(Is::Noise, at, to),
            Indifference::OfMore(to) => self.push(Is::Unsupported(Reason::NoSuchField), at, to),
        })
    }

    /// Conditions that a subject opens: "headcount of 100 to 2,000", "size: 51-200", "average tenure over 6 years".
    fn subject(&mut self, at: usize) -> Option<usize> {
        self.size_subject(at)
            .or_else(|| self.amount_subject(at))
            .or_else(|| self.staff_subject(at))
            .or_else(|| self.unit_in_front(at))
    }

    /// A time: of founding, or at which records were seen.
    fn time(&mut self, at: usize) -> Option<usize> {
        if self.text.may_be(at, Cue::Founded)
            && let Some(to) = self.founding(at)
        {
            return Some(to);
        }
        self.founded_beside(at).or_else(|| self.seen_in(at))
    }

    /// Whether something was left out so far; what is not wanted, in this sentence.
    fn leaves_out(&self) -> bool {
        let is_left_out = |item: &Item| matches!(item.what, Is::Not | Is::Except);
        let in_sentence = |item: &&Item| item.what != Is::Break;
        let mut sentence = self.items.iter().rev().take_while(in_sentence);
        sentence.any(|item| item.what.turns()) || self.items.iter().any(is_left_out)
    }

    /// Whether what follows is not meant.
    fn says_not(&self, at: usize) -> bool {
        [
            Cue::Not,
            Cue::Neither,
            Cue::Except,
            Cue::Outside,
            Cue::Without,
        ]
        .iter()
        .any(|cue| self.text.may_be(at, *cue))
    }

    fn ends_here(&self, at: usize) -> bool {
        self.text
            .piece(at)
            .is_none_or(|piece| matches!(piece.what, What::Mark(',' | '.' | ';' | '\n' | ')')))
    }

    /// To the end of what a subject without a column says.
    fn unsupported_clause(&mut self, at: usize, to: usize, reason: Reason) -> usize {
        let to = clause_end(self.text, to).max(to);
        self.push(Is::Unsupported(reason), at, to)
    }
}
