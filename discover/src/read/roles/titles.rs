//! Titles of the vocabulary or of the build: "product managers", "software engineers, senior".

use crate::cond::Cond;
use crate::meaning::is_adjective;

use super::super::{Class, Reader};
use super::{Values, in_title, of_levels};

impl Reader<'_> {
    /// A title, with the levels that are said of it behind a comma: "software engineers, senior". Not where something is left out, of
    /// which each is.
    pub(super) fn titled(&mut self, at: usize, title: String) -> usize {
        let (titles, to) = self.titles(at, title.clone());
        let of_titles = Values {
            values: Vec::new(),
            to,
        };
        let levels = self
            .levels_behind_comma(&of_titles)
            .filter(|levels| is_adjective(&levels.values) && !self.leaves_out());
        let Some(levels) = levels else {
            let (cond, to) = self.or_levels_of_field(at, in_title(title));
            return self.condition(Class::Role, cond, at, to);
        };
        let titles = Cond::any(titles.into_iter().map(in_title).collect());
        let cond = Cond::all(vec![titles, of_levels(levels.values)]);
        self.condition(Class::Role, cond, at, levels.to)
    }

    /// Titles that share what stands in front of them: "(senior) nurses or dentists"; the piece behind.
    pub(super) fn titles(&self, at: usize, first: String) -> (Vec<String>, usize) {
        let mut titles = vec![first];
        let mut to = at + 1;
        while let Some(next) = self.separator(to)
            && let Some(title) = self.title(next)
            && !title.starts_with("chief")
        {
            titles.push(title);
            to = next + 1;
        }
        (titles, to)
    }
}
