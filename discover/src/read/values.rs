//! Values of one column that stand for themselves: contacts, flags, companies, types, industries and sizes.

use events_schema::record::RecordKind;

use crate::Reason;
use crate::cond::Cond;
use crate::meaning::{Contact, Cue, Meaning};

use super::{Class, Is, Reader};

impl Reader<'_> {
    /// A value of a column: "with linkedin", "decision makers", "Siemens", "private", "fintech", "startups".
    pub(super) fn value(&mut self, at: usize) -> Option<usize> {
        self.contact(at)
            .or_else(|| self.flag(at))
            .or_else(|| self.company(at))
            .or_else(|| self.owner(at))
            .or_else(|| self.industry(at))
            .or_else(|| self.size(at))
    }

    /// "Linkedin", "work email" (docs/DISCOVER.md, R15). "Email marketers" do it by email.
    fn contact(&mut self, at: usize) -> Option<usize> {
        let contact = self.find(at, |meaning| match meaning {
            Meaning::Contact(contact) => Some(*contact),
            _ => None,
        })?;
        let to = at + 1;
        if self.markets_by_email(at) {
            return Some(self.push(Is::Unknown, at, to));
        }
        let column = match (contact, self.kind) {
            (Contact::LinkedIn, _) => "linkedin_url",
            (Contact::WorkEmail, RecordKind::Person) => "work_email",
            (Contact::WorkEmail, RecordKind::Company) => {
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, to));
            }
        };
        Some(self.condition(Class::Contact, Cond::Known(column), at, to))
    }

    /// "Email marketers", but not "with email, marketing", "linkedin, email marketing".
    fn markets_by_email(&self, at: usize) -> bool {
        let is_work = self.text.said(at) == "email"
            && self.function(at + 1).as_deref() == Some("marketing")
            && self.last_class() != Some(Class::Contact);
        let is_led_to = at.checked_sub(1).is_some_and(|before| {
            [Cue::With, Cue::Without, Cue::Not]
                .iter()
                .any(|cue| self.text.may_be(before, *cue))
        });
        is_work && !is_led_to
    }

    /// "Decision makers", "gig workers" (docs/DISCOVER.md, R17).
    fn flag(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() {
            return None;
        }
        let column = self.find(at, |meaning| match meaning {
            Meaning::DecisionMaker => Some("is_decision_maker"),
            Meaning::PlatformWorker => Some("is_platform_worker"),
            _ => None,
        })?;
        Some(self.condition(Class::Flag, Cond::True(column), at, at + 1))
    }

    /// "(At) Siemens", "(companies named) Siemens"
    fn company(&mut self, at: usize) -> Option<usize> {
        let column = match self.kind {
            RecordKind::Person => "company_name",
            RecordKind::Company => "name.cleaned",
        };
        let name = self.find(at, |meaning| match meaning {
            Meaning::Company(name) => Some(name.clone()),
            _ => None,
        })?;
        let is_asked = self.is_person() || self.names_company(at);
        let cond = Cond::In(column, vec![name]);
        is_asked.then(|| self.condition(Class::Company, cond, at, at + 1))
    }

    /// "Private", "nonprofits", "government ones": who owns a company. Of persons no column has that of the employer; government is an
    /// industry, too (docs/DISCOVER.md, R11).
    fn owner(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.government_owner(at) {
            let cond = Cond::In("type", vec!["government".to_owned()]);
            return Some(self.condition(Class::Type, cond, at, to));
        }
        let value = self.find(at, |meaning| match meaning {
            Meaning::Type(value) => Some(value.clone()),
            _ => None,
        })?;
        let to = at + 1;
        let is_industry = self.industries(at).is_some();
        let prefers_industry = self.is_person()
            || self.text.may_be(to, Cue::Sector)
            || self.last_class() == Some(Class::Industry) && is_industry;
        if !prefers_industry {
            return Some(self.condition(Class::Type, Cond::In("type", vec![value]), at, to));
        }
        if is_industry {
            return None;
        }
        if value == "government" {
            return Some(self.in_industries(vec!["government administration".to_owned()], at));
        }
        Some(self.push(Is::Unsupported(Reason::NoSuchField), at, to))
    }

    /// "Fintech", "the insurance industry"
    fn industry(&mut self, at: usize) -> Option<usize> {
        let industries = self.industries(at)?;
        Some(self.in_industries(industries, at))
    }

    fn industries(&self, at: usize) -> Option<Vec<String>> {
        self.find(at, |meaning| match meaning {
            Meaning::Industry(values) => Some(values.clone()),
            _ => None,
        })
    }

    fn in_industries(&mut self, industries: Vec<String>, at: usize) -> usize {
        let column = match self.kind {
            RecordKind::Person => "company_industry",
            RecordKind::Company => "industry",
        };
        let to = self.over_company_noun(at + 1);
        self.condition(Class::Industry, Cond::In(column, industries), at, to)
    }

    /// "Startups", "mid-market companies" (docs/DISCOVER.md, R8).
    fn size(&mut self, at: usize) -> Option<usize> {
        let column = match self.kind {
            RecordKind::Person => "company_size",
            RecordKind::Company => "size",
        };
        let sizes = self.find(at, |meaning| match meaning {
            Meaning::Size(values) => Some(values.clone()),
            _ => None,
        })?;
        let to = self.over_company_noun(at + 1);
        Some(self.condition(Class::Size, Cond::In(column, sizes), at, to))
    }

    /// "Hospitals, excluding government ones", "non-government hospitals": what is of another industry is not of that of government, so
    /// that its owner is meant. Gives the piece behind.
    fn government_owner(&self, at: usize) -> Option<usize> {
        if self.is_person() || self.text.said(at) != "government" {
            return None;
        }
        let to = self.text.skip(at + 1, &["owned", "run"]);
        let is_adjective = self.text.said_as(to, &["ones", "one"]).is_some();
        let is_industry = |meaning: &Meaning| matches!(meaning, Meaning::Industry(_));
        let mut said = self.items.iter();
        let has_industry = said.any(|item| matches!(item.what, Is::Condition(Class::Industry, _)));
        let has_noun = self.meanings(to).iter().any(is_industry);
        let mut before = self
            .items
            .iter()
            .rev()
            .skip_while(|item| item.what.is_small());
        let is_left_out = before.next().is_some_and(|item| item.what.turns());
        let is_of_them =
            is_adjective || is_left_out && (has_noun || has_industry && self.ends_here(to));
        (is_of_them || self.is_beside_owner(at)).then_some(to)
    }

    /// "Public or (government)", "(government) or nonprofit companies": beside another owner, and no sector.
    fn is_beside_owner(&self, at: usize) -> bool {
        let joins = |at: usize| {
            let cues = [Cue::Or, Cue::And, Cue::Nor];
            cues.iter().any(|cue| self.text.may_be(at, *cue))
        };
        let is_owner = |at: usize| {
            let meanings = self.meanings(at);
            let is_industry = |meaning: &Meaning| matches!(meaning, Meaning::Industry(_));
            meanings
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Type(_)))
                && !meanings.iter().any(is_industry)
        };
        let (before, next) = (at.checked_sub(1), at + 1);
        let is_last = before.is_some_and(joins) && at.checked_sub(2).is_some_and(is_owner);
        let is_first = joins(next) && is_owner(next + 1);
        let noun = if is_first { next + 2 } else { next };
        (is_last || is_first) && !self.text.may_be(noun, Cue::Sector)
    }

    /// "fintech companies", "the insurance industry": the noun belongs to the value.
    fn over_company_noun(&self, at: usize) -> usize {
        let is_noun = (self.text.may_be(at, Cue::Sector) || self.text.may_be(at, Cue::Companies))
            && !self.text.may_be(at, Cue::Filler)
            && self.text.piece(at).is_some_and(|piece| piece.is_small());
        if is_noun { at + 1 } else { at }
    }

    /// Whether a name of a company is asked for, and not only what a company does with it.
    fn names_company(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        let is_alone = self.are_only_companies();
        let follows = before.is_some_and(|before| {
            [Cue::Named, Cue::Except, Cue::Not, Cue::Nor]
                .iter()
                .any(|cue| self.text.may_be(before, *cue))
        });
        let is_taken_out = before.is_some_and(|before| self.text.may_be(before, Cue::But))
            && self.says_all(self.items.len().saturating_sub(1));
        is_alone
            || follows
            || is_taken_out
            || matches!(self.last_class(), Some(Class::Company | Class::Name))
    }
}
