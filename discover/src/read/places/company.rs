//! Where a company is, said of persons: "companies headquartered in Japan". No column has it (docs/DISCOVER.md, R12).

use crate::Reason;
use crate::meaning::{Cue, Meaning};

use super::super::{Is, Reader};

impl Reader<'_> {
    /// "(At companies) headquartered in Japan", "(banks) based in Germany or France"
    pub(super) fn company_place(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || !self.text.may_be(at, Cue::In) || !self.says_company_is(at) {
            return None;
        }
        let next = self.over_prepositions(at + 1);
        if !self.is_place_at(next) {
            return None;
        }
        let mut to = next + 1;
        while let Some(following) = self.separator(to)
            && self.is_place_at(following)
        {
            to = following + 1;
        }
        let company = self.items.pop_if(|last| {
            last.to == at && last.what.is_small() && self.text.may_be(last.from, Cue::Companies)
        });
        let from = company.map_or(at, |company| company.from);
        Some(self.push(Is::Unsupported(Reason::CompanyLocation), from, to))
    }

    /// "With its headquarters in", "(companies) based in": whether a company is there, and not a person.
    fn says_company_is(&self, at: usize) -> bool {
        let said = self.text.said(at);
        let has = |word: &str| said.contains(word);
        let is_seat = has("headquarter") || has("hq");
        let is_based = has("based") || has("located") || has("domiciled");
        let follows_company = || at.checked_sub(1).is_some_and(|it| self.says_a_company(it));
        is_seat || is_based && follows_company()
    }

    /// "Companies", "fintech", "startups", but not "those that", "consultants".
    fn says_a_company(&self, at: usize) -> bool {
        let is_pronoun = || {
            matches!(
                self.text.said(at).as_str(),
                "that" | "which" | "they" | "one" | "ones" | "it"
            )
        };
        let mean = |is_it: fn(&Meaning) -> bool| self.meanings(at).iter().any(is_it);
        self.text.may_be(at, Cue::Companies) && !is_pronoun()
            || mean(|meaning| matches!(meaning, Meaning::Industry(_) | Meaning::Size(_)))
                && !mean(|meaning| matches!(meaning, Meaning::Function(_) | Meaning::Level(_)))
    }

    /// "(Headquartered) in the (UK)": the piece behind.
    fn over_prepositions(&self, at: usize) -> usize {
        let is_passed = |at: &usize| {
            self.text.piece(*at).is_some_and(|piece| {
                piece.is_small() && (piece.may_be(Cue::In) || piece.may_be(Cue::Filler))
            })
        };
        at + (at..).take_while(is_passed).count()
    }
}
