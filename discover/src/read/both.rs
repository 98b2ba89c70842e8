//! What is said of one person twice: "people who are VPs and work in engineering". Of roles "and" means either where it stands between
//! two nouns ("VPs and engineers"); behind a verb of its own, the second narrows the first.

use crate::cond::Cond;
use crate::meaning::{Cue, is_adjective};

use super::lists::column;
use super::{Class, Is, Reader};

/// What says something of those who were named in front.
const VERBS: &[&str] = &[
    "is", "are", "work", "works", "working", "employed", "live", "lives", "living", "based",
    "have", "has", "having", "hold", "holds", "=",
];

/// What may stand beside such a verb. No noun: "and people who work in sales" are others.
const BESIDE: &[&str] = &[
    "who",
    "that",
    "which",
    "also",
    "both",
    "currently",
    "presently",
    "now",
    "already",
    "in",
    "at",
    "of",
    "as",
    "on",
    "within",
    "a",
    "an",
    "the",
    "with",
    "either",
    "seniority",
    "level",
    "function",
    "title",
    "department",
    "role",
    "position",
    "job",
    "whose",
];

impl Reader<'_> {
    /// Reads where "and" joins two things that are said of one.
    pub(super) fn both(&mut self) {
        self.each(Self::in_or_around);
        self.each(Self::and_are);
        self.each(Self::and_do);
        self.each(Self::who_are);
        self.each(Self::both_titles);
        self.each(Self::and_in_capitals);
        self.each(Self::field_behind);
        self.each(Self::or_in_field);
        self.each(Self::level_of_field);
        self.each(Self::level_in_a_part);
        self.each(Self::in_passing);
        self.each(Self::level_at_the_end);
        self.each(Self::who_are_or_have);
    }

    /// The single words of small items.
    pub(super) fn small_words(&self, from: usize, to: usize) -> Option<Vec<String>> {
        if !(from..to).all(|at| self.is_small(at) || self.what(at) == Some(&Is::Either)) {
            return None;
        }
        let words: Vec<String> = (from..to).map(|at| self.words(at)).collect();
        let words = words.join(" ");
        Some(words.split_whitespace().map(str::to_owned).collect())
    }

    /// Whether the small words between two items say something of those who were named in front: "who work in".
    fn has_verb(&self, from: usize, to: usize) -> bool {
        self.small_words(from, to).is_some_and(|words| {
            let is_verb = |word: &String| VERBS.contains(&word.as_str());
            let is_beside = |word: &String| BESIDE.contains(&word.as_str());
            words.iter().any(is_verb) && words.iter().all(|word| is_verb(word) || is_beside(word))
        })
    }

    /// Whether a word may say something of "those": "(those) who work at".
    pub(super) fn says_of_those(&self, word: &str) -> bool {
        VERBS.contains(&word) || BESIDE.contains(&word) || matches!(word, "from" | "for" | "any")
    }

    /// Whether the small words between two items are prepositions: "(who are senior or) in (Berlin)".
    fn is_prepositional(&self, from: usize, to: usize) -> bool {
        self.small_words(from, to).is_some_and(|words| {
            !words.is_empty()
                && words
                    .iter()
                    .all(|word| super::silence::is_preposition(word))
        })
    }

    /// Whether something in front of an item, in its clause, turns round what is no role or a list of roles that goes on.
    fn is_turned_role(&self, item: usize) -> bool {
        self.turn_before(item).is_some_and(|turn| {
            let first = self.over_small(turn + 1);
            let is_other = self.class(first).is_some_and(|class| class != Class::Role);
            self.what(turn) != Some(&Is::Not) || !is_other
        })
    }

    /// The columns of a role.
    fn role_columns(&self, item: usize) -> Vec<&'static str> {
        match self.what(item) {
            Some(Is::Condition(Class::Role | Class::Field, Cond::All(parts))) => {
                parts.iter().filter_map(column).collect()
            }
            Some(Is::Condition(Class::Role | Class::Field, cond)) => {
                column(cond).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether two roles say nothing of the same column: a level and a function, but not two functions.
    pub(super) fn are_apart(&self, one: usize, other: usize) -> bool {
        let (columns, others) = (self.role_columns(one), self.role_columns(other));
        !columns.is_empty()
            && !others.is_empty()
            && !columns.iter().any(|column| others.contains(column))
    }

    /// The last role in front of an item, in its sentence.
    fn role_before(&self, item: usize) -> Option<usize> {
        let ends = |at: &usize| self.what(*at) != Some(&Is::Break);
        let mut before = (0..item).rev().take_while(ends);
        before.find(|at| matches!(self.class(*at), Some(Class::Role | Class::Field)))
    }

    /// Makes a role narrow what stands in front of it, over what joins them.
    fn narrows(&mut self, join: usize, role: usize) {
        self.becomes(join, Is::Noise);
        self.is_field_of(role);
    }

    fn is_field_of(&mut self, role: usize) {
        if let Some(Is::Condition(class, _)) = self.items.get_mut(role).map(|item| &mut item.what) {
            *class = Class::Field;
        }
    }

    /// "VPs and work in engineering", "managers, who work in operations"
    fn and_are(&mut self, join: usize) {
        if !matches!(self.what(join), Some(Is::And | Is::Comma)) {
            return;
        }
        let role = join + 1 + (join + 1..).take_while(|at| self.is_passed(*at)).count();
        let Some(before) = self.role_before(join) else {
            return;
        };
        let is_said = self.class(role) == Some(Class::Role)
            && self.has_verb(join + 1, role)
            && self
                .before_small(join)
                .is_some_and(|at| self.class(at).is_some());
        if is_said && self.are_apart(before, role) && !self.is_turned_role(join) {
            self.narrows(join, role);
        }
    }

    /// "Who are not managers and work in sales": behind a verb of its own stands what they are, not more of what they are not.
    fn and_do(&mut self, join: usize) {
        let role = self.over_small(join + 1);
        let is_role = |at: usize| self.class(at) == Some(Class::Role);
        let is_listed = |at: &usize| {
            let is_word =
                self.joins(*at) || self.is_small(*at) || self.what(*at) == Some(&Is::Either);
            is_role(*at) || is_word
        };
        let listed = (0..join).rev().take_while(is_listed).count();
        let turn = (join - listed).checked_sub(1);
        let is_not = turn.is_some_and(|turn| self.what(turn) == Some(&Is::Not));
        let is_of_roles = is_role(role) && self.before_small(join).is_some_and(is_role);
        if self.what(join) == Some(&Is::And)
            && is_not
            && is_of_roles
            && self.has_verb(join + 1, role)
        {
            self.becomes(join, Is::But);
        }
    }

    /// "Engineers in Rome, senior", "marketers in Rome, director or above", "people in legal or finance, VP and above": a level that only
    /// describes, or has a bound, behind a comma and at an end, is said of those in front.
    fn level_at_the_end(&mut self, level: usize) {
        let behind_label = self.label_before(level);
        let is_labelled = behind_label.is_some();
        let comma = behind_label
            .or(Some(level))
            .and_then(|first| first.checked_sub(1))
            .filter(|at| self.what(*at) == Some(&Is::Comma));
        let ends = matches!(
            self.what(self.over_small(level + 1)),
            None | Some(Is::Comma | Is::Break)
        );
        let (Some(comma), Some(role)) = (comma, self.role_before(level)) else {
            return;
        };
        let words = self.words(level);
        let is_bound = self.is_bounded(level)
            || words.ends_with('+')
            || words.ends_with("level")
            || is_labelled;
        let is_said_of = is_bound || self.is_adjective_level(level) && !self.ends_in_plural(level);
        let is_far = self
            .before_small(comma)
            .is_some_and(|at| at > role && self.class(at).is_some());
        if (is_far || self.are_those_in(role))
            && ends
            && is_said_of
            && self.are_apart(role, level)
            && self.turn_before(level).is_none()
        {
            self.narrows(comma, level);
        }
    }

    /// "People in legal or finance": whether functions that end with an item, behind "in", are all that was said of roles.
    fn are_those_in(&self, last: usize) -> bool {
        let first = self.list_begin(last);
        let is_function = |at: usize| {
            matches!(
                self.what(at),
                Some(Is::Condition(Class::Role, Cond::In("job_function", _)))
            )
        };
        let is_led = first.checked_sub(1).is_some_and(|lead| {
            let words = self.words(lead);
            self.is_small(lead) && matches!(words.rsplit(' ').next(), Some("in" | "within"))
        });
        let are_all = (first..=last).all(|at| is_function(at) || self.class(at).is_none());
        is_led && are_all && self.role_before(first).is_none()
    }

    /// The word right in front of an item that says it is a level: "seniority director".
    fn label_before(&self, item: usize) -> Option<usize> {
        let label = item.checked_sub(1).filter(|at| self.is_small(*at))?;
        let words = self.words(label);
        matches!(words.as_str(), "level" | "seniority" | "seniority level").then_some(label)
    }

    /// "Engineers at Google who are managers": of the same people.
    fn who_are(&mut self, role: usize) {
        let before = self.before_small(role);
        let (Some(Class::Role), Some(before)) = (self.class(role), before) else {
            return;
        };
        let says_who = |at: usize| self.opens_clause(at) || self.words(at) == "working";
        let who = (before + 1..role).any(says_who);
        let Some(noun) = self.role_before(role) else {
            return;
        };
        let is_behind = self.class(before).is_some_and(|class| class != Class::Role);
        if who
            && is_behind
            && self.has_verb(before + 1, role)
            && self.are_apart(noun, role)
            && !self.is_turned_role(role)
        {
            self.is_field_of(role);
        }
    }

    /// Whether "who" stands at an item.
    fn opens_clause(&self, item: usize) -> bool {
        let words = self.words(item);
        let mut words = words.split(' ');
        self.is_small(item) && words.any(|word| matches!(word, "who" | "that" | "which"))
    }

    fn is_passed(&self, item: usize) -> bool {
        self.is_small(item) || self.what(item) == Some(&Is::Either)
    }

    /// "Who are both founders and CEOs"
    fn both_titles(&mut self, join: usize) {
        if self.what(join) != Some(&Is::And) {
            return;
        }
        let role = join + 1;
        let before = join
            .checked_sub(1)
            .filter(|at| self.class(*at) == Some(Class::Role));
        let both = before.and_then(|at| at.checked_sub(1));
        let says_are = |both: usize| {
            let verb = both.checked_sub(1).map(|at| self.words(at));
            let words = verb.unwrap_or_default();
            self.words(both) == "both" && matches!(words.rsplit(' ').next(), Some("are" | "is"))
        };
        let (Some(before), Some(both)) = (before, both) else {
            return;
        };
        let is_title = |at| {
            let cond = self.what(at);
            matches!(
                cond,
                Some(Is::Condition(Class::Role, Cond::Contains("job_title", ..)))
            )
        };
        let are_two = is_title(before) && is_title(role) || self.are_apart(before, role);
        if self.class(role) == Some(Class::Role)
            && are_two
            && says_are(both)
            && self.turn_before(join).is_none()
        {
            self.becomes(both, Is::Noise);
            self.narrows(join, role);
        }
    }

    /// "director AND sales AND Germany": capitals join what must all hold, and so does "+", unless they stand between two plurals.
    fn and_in_capitals(&mut self, join: usize) {
        let token = self
            .items
            .get(join)
            .and_then(|item| self.text.first_token(item.from));
        let is_sign = token.is_some_and(|token| token.is_upper || token.is_mark('+'));
        let is_close = |at: &usize| self.what(*at) == Some(&Is::Close);
        let before = (0..join).rev().find(|at| !is_close(at));
        let is_open = |at: &usize| self.what(*at) == Some(&Is::Open);
        let role = join + 1 + (join + 1..).take_while(is_open).count();
        let Some(before) = before else {
            return;
        };
        let is_all_upper = self
            .text
            .tokens
            .iter()
            .all(|token| token.is_upper || !token.is_word());
        let is_noun = |at: usize| self.ends_in_plural(at) && !self.is_field(at);
        let are_roles = self.class(role) == Some(Class::Role)
            && matches!(self.class(before), Some(Class::Role | Class::Field));
        if self.what(join) == Some(&Is::And)
            && is_sign
            && !is_all_upper
            && are_roles
            && self.are_apart(before, role)
            && !is_noun(before)
            && !is_noun(role)
            && self.turn_before(join).is_none()
        {
            self.narrows(join, role);
        }
    }

    /// "Managers at Google in finance": a function behind "in", which nothing joins, is that of those whose level or title was said in
    /// front. Of two functions ("engineers at Google in sales") no record has both: the second is reported.
    fn field_behind(&mut self, role: usize) {
        let is_function = matches!(
            self.what(role),
            Some(Is::Condition(Class::Role, Cond::In("job_function", _)))
        );
        let (Some(other), Some(noun)) = (self.before_small(role), self.role_before(role)) else {
            return;
        };
        let is_behind = matches!(
            self.class(other),
            Some(
                Class::Company
                    | Class::Industry
                    | Class::Size
                    | Class::Place
                    | Class::Contact
                    | Class::Years
            )
        );
        let in_words = self.small_words(other + 1, role).unwrap_or_default();
        let is_led_to = in_words.iter().any(|word| word == "in" || word == "within")
            && in_words
                .iter()
                .all(|word| matches!(word.as_str(), "in" | "within" | "the"));
        // "At Google or Meta" is one list.
        let is_listed = |join: usize| {
            let around = (self.before_small(join), self.over_small(join + 1));
            let one = around.0.and_then(|at| self.class(at));
            one.is_some() && one == self.class(around.1)
        };
        let is_whole = (noun + 1..role).all(|at| match self.what(at) {
            Some(Is::Or | Is::And | Is::Comma) => is_listed(at),
            // "Managers not at Google in finance"
            Some(Is::Condition(..) | Is::Not) => true,
            _ => self.is_small(at),
        });
        if !is_function || !is_behind || !is_led_to || !is_whole || self.is_turned_role(role) {
            return;
        }
        if self.are_apart(noun, role) {
            self.is_field_of(role);
        } else {
            self.report(role, role);
        }
    }

    /// "… and work in sales or in marketing": a further value of what narrows.
    fn or_in_field(&mut self, join: usize) {
        let role = self.over_small(join + 1);
        let before = join
            .checked_sub(1)
            .filter(|at| self.class(*at) == Some(Class::Field));
        let (Some(before), Some(Class::Role)) = (before, self.class(role)) else {
            return;
        };
        let is_list = self.what(join) == Some(&Is::Or)
            && self.role_columns(before) == self.role_columns(role)
            && !self.says(join + 1, role, &[Cue::People]);
        if is_list {
            self.is_field_of(role);
        }
    }

    /// "Director of retail operations": what a level is "of" is no second phrase. "Enterprise sales" are sold to enterprises and
    /// "software engineering" is a kind of it: neither says what the employer is.
    fn level_of_field(&mut self, level: usize) {
        let is_level = matches!(
            self.what(level),
            Some(Is::Condition(Class::Role, Cond::In("seniority_level", _)))
        );
        let of = level + 1;
        let is_of = self.is_small(of) && matches!(self.words(of).as_str(), "of" | "for" | "of the");
        let which = if is_of { of + 1 } else { of };
        let role = which + 1;
        let is_which = matches!(self.class(which), Some(Class::Industry | Class::Size));
        let ends = (self.items.get(which), self.items.get(role));
        let is_beside = matches!(ends, (Some(first), Some(second)) if first.to == second.from);
        if !is_level || !is_which || !is_beside || !self.is_field(role) {
            return;
        }
        self.is_field_of(role);
        if self.class(which) == Some(Class::Size) || self.words(which) == "software" {
            self.report(which, which);
        }
    }

    /// "Product manager | Germany | senior", "Engineering at Klarna. Directors or VPs.": a level in a part of its own is that of the
    /// role in front, where that has none.
    fn level_in_a_part(&mut self, level: usize) {
        let Some(Is::Condition(Class::Role, Cond::In("seniority_level", levels))) =
            self.what(level)
        else {
            return;
        };
        let is_one = is_adjective(levels) || !self.ends_in_plural(level);
        let begins = self
            .before_label(level)
            .is_some_and(|before| self.what(before) == Some(&Is::Break));
        let ends = matches!(
            self.what(self.over_small(level + 1)),
            None | Some(Is::Break)
        );
        let mut roles = (0..level).filter(|at| self.class(*at) == Some(Class::Role));
        let (Some(role), None) = (roles.next(), roles.next()) else {
            return;
        };
        if begins
            && ends
            && (is_one || self.is_field(role))
            && self.are_apart(role, level)
            && !(0..level).any(|at| self.turns(at))
        {
            self.is_field_of(level);
        }
    }

    /// What stands in front of an item, its label and the colon behind that.
    pub(super) fn before_label(&self, item: usize) -> Option<usize> {
        let before = self.before_small(item)?;
        let is_colon = self.words(before) == ":";
        if is_colon {
            self.before_small(before)
        } else {
            Some(before)
        }
    }

    /// "Engineers in or around Munich": one preposition or another joins nothing.
    fn in_or_around(&mut self, join: usize) {
        let ends_in_preposition = |at: usize| {
            let words = self.words(at);
            let is_word = self.is_small(at) || self.turns(at);
            is_word
                && words
                    .rsplit(' ')
                    .next()
                    .is_some_and(super::silence::is_preposition)
        };
        let is_where = |at: usize| {
            let words = self.words(at);
            self.is_small(at)
                && words
                    .split(' ')
                    .next()
                    .is_some_and(super::silence::is_preposition)
        };
        let is_join = matches!(self.what(join), Some(Is::Or | Is::And));
        let is_of_place = self.class(self.over_small(join + 1)) == Some(Class::Place);
        let before = join.checked_sub(1);
        if is_join && is_of_place && before.is_some_and(ends_in_preposition) && is_where(join + 1) {
            self.becomes(join, Is::Noise);
        }
    }

    /// "Engineers, preferably senior, in Munich": a level that is said in passing is that of those in front. What is preferred need
    /// not be so, and is told.
    fn in_passing(&mut self, level: usize) {
        let word = level.checked_sub(1);
        let says = |at: usize| {
            self.is_small(at) && matches!(self.words(at).as_str(), "preferably" | "ideally")
        };
        let (Some(word), true) = (word.filter(|at| says(*at)), self.is_adjective_level(level))
        else {
            return;
        };
        let comma = word
            .checked_sub(1)
            .filter(|at| self.what(*at) == Some(&Is::Comma));
        let ends = matches!(self.what(level + 1), None | Some(Is::Comma | Is::Break));
        let role = self.role_before(level);
        if let (Some(comma), Some(role)) = (comma, role)
            && ends
            && self.are_apart(role, level)
            && self.turn_before(level).is_none()
        {
            self.narrows(comma, level);
            self.becomes(word, Is::Unknown);
        }
    }

    pub(super) fn is_adjective_level(&self, item: usize) -> bool {
        match self.what(item) {
            Some(Is::Condition(Class::Role, Cond::In("seniority_level", levels))) => {
                is_adjective(levels)
            }
            _ => false,
        }
    }

    /// "Engineers who are senior or have linkedin": what "who" opens is said of the noun in front, as if it stood in brackets.
    fn who_are_or_have(&mut self, first: usize) {
        let before = self.before_small(first).map_or(0, |before| before + 1);
        let has_noun = before
            .checked_sub(1)
            .is_some_and(|noun| self.class(noun).is_some());
        if self.class(first).is_none()
            || !has_noun
            || !(before..first).any(|at| self.opens_clause(at))
            || !self.has_verb(before, first)
            || self.turn_before(first).is_some()
        {
            return;
        }
        let Some(last) = self.end_of_alternatives(first) else {
            return;
        };
        self.insert(last + 1, Is::Close);
        self.insert(first, Is::Open);
    }

    /// The last of what "or" and a verb of its own join with a condition, if "and" does not go on behind it.
    fn end_of_alternatives(&self, first: usize) -> Option<usize> {
        let (mut last, mut found) = (self.list_end(first), None);
        while self.what(last + 1) == Some(&Is::Or) {
            let or = last + 1;
            let verb = or + 1 + (or + 1..).take_while(|at| self.is_passed(*at)).count();
            let is_where =
                self.class(verb) != self.class(first) && self.is_prepositional(or + 1, verb);
            if !is_where && !self.has_verb(or + 1, verb) {
                return None;
            }
            let next = if self.what(verb) == Some(&Is::Not) {
                self.over_small(verb + 1)
            } else {
                verb
            };
            self.class(next)?;
            last = self.list_end(next);
            found = Some(last);
        }
        let goes_on = matches!(self.what(last + 1), Some(Is::And | Is::Or));
        found.filter(|_| !goes_on)
    }
}
