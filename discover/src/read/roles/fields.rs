//! Levels behind a title that are of its field: "product managers or directors".

use crate::cond::Cond;
use crate::meaning::{Meaning, is_adjective};
use crate::vocabulary::vocabulary;

use super::super::Reader;
use super::{Values, of_levels_in};

/// Levels that are of the field of the title in front of them: "product managers or directors".
const OF_FIELDS: &[&str] = &["manager", "director", "vp", "senior"];

/// Words for fields, and for nobody who works there: what managers manage. Not "sales reps", "legal counsel", "buyer".
pub(super) const FIELDS: &[&str] = &[
    "accounting",
    "admin",
    "administration",
    "analytics",
    "bd",
    "business development",
    "clinical",
    "communications",
    "comms",
    "consulting",
    "creative",
    "cs",
    "customer service",
    "customer success",
    "customer support",
    "data science",
    "design",
    "education",
    "eng",
    "engineering",
    "finance",
    "hr",
    "human resources",
    "information technology",
    "it",
    "legal",
    "marketing",
    "mktg",
    "operations",
    "ops",
    "partnerships",
    "people operations",
    "people ops",
    "procurement",
    "product",
    "product management",
    "purchasing",
    "qa",
    "quality",
    "quality assurance",
    "r & d",
    "r&d",
    "real estate",
    "research",
    "research and development",
    "sales",
    "support",
];

impl Reader<'_> {
    /// "Product managers or directors": a title, or the levels behind it in the field that the title names; and the piece behind.
    pub(super) fn or_levels_of_field(&self, at: usize, title: Cond) -> (Cond, usize) {
        let Some((function, levels)) = self.levels_of_field(at) else {
            return (title, at + 1);
        };
        let of_field = of_levels_in(levels.values, vec![function]);
        (Cond::any(vec![title, of_field]), levels.to)
    }

    /// The field in a title, and the levels behind it that have none of their own.
    fn levels_of_field(&self, at: usize) -> Option<(String, Values)> {
        let stem = self.text.stem(at);
        let field = stem.strip_suffix(" manager")?;
        if self.follows_others(at) {
            return None;
        }
        let mut meanings = vocabulary().get(field).iter();
        let function = meanings.find_map(|meaning| match meaning {
            Meaning::Function(value) => Some(value.clone()),
            _ => None,
        });
        let function = function.filter(|_| FIELDS.contains(&field))?;
        let levels = self.bare_levels(at + 1);
        let is_noun = !levels.values.is_empty() && !is_adjective(&levels.values);
        let is_of_field = |value: &String| OF_FIELDS.contains(&value.as_str());
        (is_noun && !self.are_of_others(at, levels.to) && levels.values.iter().all(is_of_field))
            .then_some((function, levels))
    }

    /// Whether what is said with a title leaves open of what the levels behind it are: "designers, product managers and directors" may be
    /// of anything; "VPs or product managers or directors": other levels have no field, either.
    fn follows_others(&self, at: usize) -> bool {
        let is_other = |at: usize| {
            self.level(at).is_some()
                || self.title(at).is_some_and(|title| {
                    title.contains("chief") || title.contains("founder") || title.contains("owner")
                })
        };
        let is_denied = |at: usize| self.says_not(at) || self.text.said(at).starts_with("exclud");
        let lead = (0..=at)
            .rev()
            .find(|at| {
                let before = at
                    .checked_sub(1)
                    .and_then(|before| self.adjective_level(before));
                before.is_none()
            })
            .unwrap_or(at);
        let is_listed = lead
            .checked_sub(1)
            .is_some_and(|before| self.separator(before).is_some());
        is_listed
            || (0..at.saturating_sub(1)).any(is_other)
            || (0..self.text.pieces.len()).any(is_denied)
            || self.leaves_out()
    }

    /// Whether the levels behind a title, up to piece `to`, are of something else than its field: "product managers or directors and VPs of
    /// sales" are both of sales, "managing directors" of whole companies.
    fn are_of_others(&self, at: usize, to: usize) -> bool {
        let is_role = |at: usize| self.meanings(at).iter().any(Meaning::is_role);
        let goes_on = self
            .separator(to)
            .is_some_and(|next| is_role(next) || is_role(next + 1));
        let is_of_company = |at: usize| {
            let said = self.text.said(at);
            said.contains(' ') && !said.contains("vice president") && !said.contains("vp")
        };
        // "Product managers or directors reporting to VPs"
        let is_level = |at: usize| self.level(at).is_some();
        goes_on || (at + 1..to).any(is_of_company) || (to..self.text.pieces.len()).any(is_level)
    }
}
