//! What nothing answers, with what belongs to it in front: "Stanford alumni", "(with) Python and AWS skills".

use crate::Reason;
use crate::meaning::{Cue, Meaning};

use super::{Class, Is, Item, Reader};

impl Reader<'_> {
    /// A phrase that nothing answers, and what in front of it belongs to it.
    pub(super) fn trapped(&mut self, at: usize, to: usize, reason: Reason) -> usize {
        let mut from = at;
        if self.is_of_a_list(at)
            && let Some(first) = self.list_behind_with()
        {
            from = self.items.get(first).map_or(at, |item| item.from);
            self.items.truncate(first);
        } else if self.takes_before(at) {
            let word = self.text.stem(at);
            while let Some(last) = self.items.last() {
                let is_adjacent = last.to == from
                    && (matches!(last.what, Is::Unknown | Is::Unsupported(_))
                        || word == "degree" && matches!(last.what, Is::Condition(Class::Role, _))
                        || matches!(
                            last.what,
                            Is::Condition(
                                Class::Company | Class::Place | Class::Industry | Class::Name,
                                _
                            )
                        ));
                if !is_adjacent {
                    break;
                }
                from = last.from;
                self.items.pop();
            }
        }
        from = self.school_of_place(from);
        // A number in front of "largest" belongs to it.
        if reason == Reason::Ranking
            && let Some(last) = self.items.last()
            && last.to == from
            && last.what == Is::Unknown
            && self.text.number(last.from).is_some()
        {
            from = last.from;
            self.items.pop();
        }
        self.push(Is::Unsupported(reason), from, to)
    }

    /// Whether a place and a word for a school were read last: "Georgia Tech (graduates)".
    pub(super) fn ends_school(&self) -> bool {
        let [.., place, school] = self.items.as_slice() else {
            return false;
        };
        let is_word = matches!(
            self.text.said(school.from).as_str(),
            "tech" | "university" | "college"
        );
        let is_place = matches!(place.what, Is::Condition(Class::Place, _));
        is_word && is_place && place.to == school.from
    }

    /// "University of (Michigan graduates)": where that begins whose graduates they are.
    fn school_of_place(&mut self, from: usize) -> usize {
        let [.., school, of] = self.items.as_slice() else {
            return from;
        };
        let is_of = of.to == from && self.text.said(of.from) == "of" && of.what.is_small();
        let is_school = self.text.stem(school.from) == "university" && school.to == of.from;
        if !is_of || !is_school {
            return from;
        }
        let from = school.from;
        self.items.truncate(self.items.len() - 2);
        from
    }

    /// Words that say something of what stands right in front of them.
    fn takes_before(&self, at: usize) -> bool {
        self.is_of_a_list(at)
            || matches!(
                self.text.stem(at).as_str(),
                "alumni"
                    | "alum"
                    | "alumnu"
                    | "alumnus"
                    | "speaker"
                    | "speaking"
                    | "certified"
                    | "follower"
                    | "rating"
                    | "revenue"
                    | "funding"
                    | "graduate"
                    | "grad"
                    | "educated"
            )
    }

    /// Words that end a list of what somebody has learned.
    fn is_of_a_list(&self, at: usize) -> bool {
        matches!(
            self.last_word(at).as_str(),
            "skill"
                | "knowledge"
                | "experience"
                | "exp"
                | "expertise"
                | "degree"
                | "certification"
                | "certificate"
                | "license"
        )
    }

    /// The noun of a phrase: of "work experience" the second word.
    fn last_word(&self, at: usize) -> String {
        let stem = self.text.stem(at);
        stem.rsplit(' ').next().unwrap_or_default().to_owned()
    }

    /// The first item of a list that "with" opens and the last item ends: "with [Java and Salesforce] experience". What stands in
    /// it is neither an employer nor a role.
    fn list_behind_with(&self) -> Option<usize> {
        let is_listed = |item: &Item| match item.what {
            Is::Unknown | Is::Unsupported(_) | Is::And | Is::Or | Is::Comma => true,
            Is::Condition(class, _) => matches!(
                class,
                Class::Company
                    | Class::Role
                    | Class::Industry
                    | Class::Size
                    | Class::Type
                    | Class::Place
                    | Class::Name
            ),
            Is::Noise | Is::Small => ![Cue::With, Cue::In, Cue::At]
                .iter()
                .any(|cue| self.text.may_be(item.from, *cue)),
            _ => false,
        };
        let before = self.items.iter().rposition(|item| !is_listed(item))?;
        let is_with = self
            .items
            .get(before)
            .is_some_and(|item| item.what.is_small() && self.text.may_be(item.from, Cue::With));
        let listed = self.items.get(before + 1..).unwrap_or_default();
        let says_nothing = listed.iter().take_while(|item| item.what.is_small());
        let first = says_nothing.count();
        (is_with && first < listed.len()).then_some(before + 1 + first)
    }

    /// "(with) SAP experience": experience that no number measures, with what it is in.
    pub(super) fn experience_in(&mut self, at: usize) -> Option<usize> {
        let is_experience = matches!(self.last_word(at).as_str(), "experience" | "exp");
        let in_something = self.list_behind_with().is_some()
            || self.items.last().is_some_and(|last| {
                last.to == at && matches!(last.what, Is::Condition(Class::Company, _))
            });
        (is_experience && in_something).then(|| self.trapped(at, at + 1, Reason::NoSuchField))
    }

    /// "(with) German and French": languages, since neither people nor companies follow that are from there.
    pub(super) fn language(&mut self, at: usize) -> Option<usize> {
        let is_language = |at: usize| {
            let is_demonym = |meaning: &Meaning| matches!(meaning, Meaning::Demonym(_));
            self.meanings(at).iter().any(is_demonym) && !self.is_place_at(at)
        };
        let mut to = at + 1;
        while let Some(next) = self.separator(to)
            && is_language(next)
        {
            to = next + 1;
        }
        let before = at.checked_sub(1)?;
        let is_with = self.text.may_be(before, Cue::With) || self.list_behind_with().is_some();
        (self.is_person() && is_with && !self.says_people(to))
            .then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, to))
    }
}
