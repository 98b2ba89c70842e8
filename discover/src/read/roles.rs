//! Levels, functions and titles, put together: "VPs and directors of finance", "marketing or sales managers".

use crate::Reason;
use crate::annotate::{What, is_place};
use crate::cond::{Cond, Within};
use crate::lex::{Token, stems};
use crate::meaning::{Cue, Meaning, is_adjective};
use crate::traps::trap;
use crate::vocabulary::vocabulary;

use super::{Class, Is, Reader};

/// How nouns end that are made of verbs and adjectives, and adjectives: no names.
const MADE: [&str; 13] = [
    "tion", "sion", "ment", "ing", "ics", "egy", "ogy", "ance", "ence", "ity", "al", "audit",
    "risk",
];

/// Levels that are of the field of the title in front of them: "product managers or directors".
const OF_FIELDS: &[&str] = &["manager", "director", "vp", "senior"];

/// Words for fields, and for nobody who works there: what managers manage. Not "sales reps", "legal counsel", "buyer".
const FIELDS: &[&str] = &[
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

/// A list of values and the piece behind it.
struct Values {
    values: Vec<String>,
    to: usize,
}

impl Reader<'_> {
    pub(super) fn role(&mut self, at: usize) -> Option<usize> {
        if let Some(to) = self.head_of(at) {
            return Some(to);
        }
        if self.is_person()
            && let Some(to) = self.chief_officer(at)
        {
            return Some(to);
        }
        let title = self.title(at);
        let level = self.level(at);
        if !self.is_person() {
            // "Nonprofits" are a type, "consulting" is an industry: only what is nothing else describes people.
            let is_else = self.meanings(at).iter().any(|meaning| {
                matches!(
                    meaning,
                    Meaning::Type(_)
                        | Meaning::Industry(_)
                        | Meaning::Size(_)
                        | Meaning::Company(_)
                        | Meaning::Word(_)
                )
            });
            let is_role = title.is_some() || level.is_some() || self.function(at).is_some();
            return (is_role && !is_else)
                .then(|| self.push(Is::Unsupported(Reason::NoSuchField), at, at + 1));
        }
        if let Some(title) = title {
            return Some(self.titled(at, title));
        }
        if let Some(levels) = level {
            // A school's graduates, not a level.
            if matches!(self.text.stem(at).as_str(), "graduate" | "grad")
                && let Some(last) = self.items.last()
                && last.to == at
                && (self.ends_school()
                    || matches!(
                        last.what,
                        Is::Unknown | Is::Condition(Class::Company | Class::Place | Class::Name, _)
                    ))
            {
                return Some(self.trapped(at, at + 1, Reason::NoSuchField));
            }
            let before = at.checked_sub(1);
            let is_compared = before.is_some_and(|before| {
                [Cue::Less, Cue::More, Cue::AtMost]
                    .iter()
                    .any(|cue| self.text.may_be(before, *cue))
            });
            if is_compared {
                let to = self.people(at + 1);
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), at - 1, to));
            }
            // "More senior than managers" is a bound that no list of levels says.
            if self.text.said(at + 1) == "than" && self.level(at + 2).is_some() {
                let to = self.people(at + 3);
                let says_more = |before: &usize| self.text.said(*before) == "more";
                let from = before.filter(says_more).unwrap_or(at);
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), from, to));
            }
            let levels = self.levels_between(at, levels);
            return Some(self.levels_first(at, levels));
        }
        if self.function(at).is_some() && !self.means_industry(at) {
            return Some(self.functions_first(at));
        }
        None
    }

    /// A title, with the levels that are said of it behind a comma: "software engineers, senior". Not where something is left out, of
    /// which each is.
    fn titled(&mut self, at: usize, title: String) -> usize {
        let (titles, to) = self.titles(at, title.clone());
        let of_titles = Values {
            values: Vec::new(),
            to,
        };
        let levels = self
            .levels_behind_comma(&of_titles)
            .filter(|levels| is_adjective(&levels.values) && !self.leaves_out());
        let in_title = |title| Cond::Contains("job_title", title, Within::Anywhere);
        let Some(levels) = levels else {
            let (cond, to) = self.or_levels_of_field(at, in_title(title));
            return self.condition(Class::Role, cond, at, to);
        };
        let titles = Cond::any(titles.into_iter().map(in_title).collect());
        let cond = Cond::all(vec![titles, Cond::In("seniority_level", levels.values)]);
        self.condition(Class::Role, cond, at, levels.to)
    }

    /// "Product managers or directors": a title, or the levels behind it in the field that the title names; and the piece behind.
    fn or_levels_of_field(&self, at: usize, title: Cond) -> (Cond, usize) {
        let Some((function, levels)) = self.levels_of_field(at) else {
            return (title, at + 1);
        };
        let of_field = Cond::all(vec![
            Cond::In("seniority_level", levels.values),
            Cond::In("job_function", vec![function]),
        ]);
        (Cond::any(vec![title, of_field]), levels.to)
    }

    /// The field in a title, and the levels behind it that have none of their own.
    fn levels_of_field(&self, at: usize) -> Option<(String, Values)> {
        let stem = self.text.stem(at);
        let field = stem.strip_suffix(" manager")?;
        // "VPs or product managers or directors": other levels have none, either.
        let is_other = |at: usize| {
            self.level(at).is_some()
                || self.title(at).is_some_and(|title| {
                    title.contains("chief") || title.contains("founder") || title.contains("owner")
                })
        };
        let is_denied = |at: usize| self.says_not(at) || self.text.said(at).starts_with("exclud");
        // "Designers, product managers and directors" may be of anything.
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
        if is_listed
            || (0..at.saturating_sub(1)).any(is_other)
            || (0..self.text.pieces.len()).any(is_denied)
            || self.leaves_out()
        {
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
        // "Product managers or directors and VPs of sales" are both of sales.
        let next = self.separator(levels.to);
        let goes_on = next.is_some_and(|next| {
            let is_role = |at: usize| self.meanings(at).iter().any(Meaning::is_role);
            is_role(next) || is_role(next + 1)
        });
        // "Managing directors" are of whole companies.
        let is_of_company = |at: usize| {
            let said = self.text.said(at);
            said.contains(' ') && !said.contains("vice president") && !said.contains("vp")
        };
        // "Product managers or directors reporting to VPs"
        let is_level = |at: usize| self.level(at).is_some();
        let goes_on = goes_on
            || (at + 1..levels.to).any(is_of_company)
            || (levels.to..self.text.pieces.len()).any(is_level);
        (is_noun && !goes_on && levels.values.iter().all(is_of_field)).then_some((function, levels))
    }

    /// "Senior", in front of a role.
    fn adjective_level(&self, at: usize) -> Option<Vec<String>> {
        self.level(at).filter(|levels| is_adjective(levels))
    }

    /// Levels behind separators that have no role of their own: "(HR managers) and directors".
    fn bare_levels(&self, mut to: usize) -> Values {
        let mut values = Vec::new();
        while let Some(next) = self.separator(to)
            && let Some(more) = self.level(next)
            && self.functions_behind(next + 1).is_none()
            && self.function(next + 1).is_none()
            && self.title(next + 1).is_none()
        {
            values.extend(more);
            to = next + 1;
        }
        Values { values, to }
    }

    fn level(&self, at: usize) -> Option<Vec<String>> {
        self.find(at, |meaning| match meaning {
            Meaning::Level(values) => Some(values.clone()),
            _ => None,
        })
    }

    pub(super) fn function(&self, at: usize) -> Option<String> {
        self.find(at, |meaning| match meaning {
            Meaning::Function(value) => Some(value.clone()),
            _ => None,
        })
    }

    fn title(&self, at: usize) -> Option<String> {
        self.find(at, |meaning| match meaning {
            Meaning::Title(title) => Some(title.clone()),
            _ => None,
        })
    }

    /// "head of product": a title by itself.
    fn head_of(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() {
            return None;
        }
        let tokens = self.text.tokens;
        let from = self.text.piece(at)?.from;
        let is_head = tokens.get(from)?.stem == "head" && tokens.get(from + 1)?.text == "of";
        if !is_head {
            return None;
        }
        let mut next = at;
        while self
            .text
            .piece(next)
            .is_some_and(|piece| piece.from < from + 2)
        {
            next += 1;
        }
        let subject = self.text.skip(next, &["the", "our", "their", "its"]);
        // "Head of the Berlin office": where, not what.
        if subject > next && self.meanings(subject).iter().any(is_place) {
            let cond = Cond::Contains("job_title", "head of".to_owned(), Within::Anywhere);
            return Some(self.condition(Class::Role, cond, at, subject));
        }
        let next = subject;
        // "Heads of an agency", "heads of unicorn startups" are nobody's title.
        if matches!(self.text.said(next).as_str(), "a" | "an")
            || trap(self.kind, self.text, next).is_some()
        {
            return None;
        }
        let subject = self.text.piece(next)?;
        let mut to = self.head_of_what(next);
        let end = self.text.piece(to - 1)?.to;
        let words: Vec<&str> = tokens
            .get(subject.from..end)?
            .iter()
            .map(|token| token.text.as_str())
            .collect();
        // "Head of the sales team"
        let words = match words.as_slice() {
            [what @ .., "team"] if !what.is_empty() => what.join(" "),
            words => words.join(" "),
        };
        let in_title =
            |of: &str| Cond::Contains("job_title", format!("head of {of}"), Within::Anywhere);
        let mut titles = vec![in_title(&words)];
        // "Heads of engineering or product", but not "… or product managers".
        for joined in self.joined_functions(to) {
            titles.push(in_title(&self.text.said(joined)));
            to = joined + 1;
        }
        Some(self.condition(Class::Role, Cond::any(titles), at, to))
    }

    /// The piece behind what somebody is head of: words that nothing knows, as in "organisational development", those behind a known one
    /// that are made of a verb or an adjective, as in "talent acquisition", and a function behind them, as in "growth marketing". Any
    /// other word may be a name.
    fn head_of_what(&self, first: usize) -> usize {
        let is_open = |at: usize| {
            let token = self.text.first_token(at);
            let is_word =
                token.is_some_and(|token| token.is_word() && !vocabulary().is_common(&token.text));
            is_word && self.meanings(at).is_empty() && trap(self.kind, self.text, at).is_none()
        };
        let is_made = |at: usize| {
            let said = self.text.said(at);
            is_open(at) && MADE.iter().any(|ending| said.ends_with(ending))
        };
        let is_unknown = is_open(first) && !self.text.is_capital(first);
        let goes_on =
            |at: &usize| is_made(*at) || is_unknown && is_open(*at) && !self.text.is_capital(*at);
        let behind = first + 1;
        let to = behind + (behind..).take_while(goes_on).count();
        let is_function = self.function(to).is_some()
            && self.title(to).is_none()
            && self.level(to).is_none()
            && !self.names_people(to)
            && !self.means_industry(to);
        if is_function { to + 1 } else { to }
    }

    /// The functions that the pieces from `at` on join, and that are no part of another role: "heads of engineering, product, or design".
    fn joined_functions(&self, mut at: usize) -> Vec<usize> {
        let is_word = |at| self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::And);
        let mut found = Vec::new();
        let mut sure = 0;
        loop {
            let is_comma = self.text.is_mark(at, ',');
            let last = usize::from(is_comma) + at;
            let ends = is_word(last) || self.text.is_mark(at, '/');
            let next = if ends { last + 1 } else { last };
            let is_function = (is_comma || ends)
                && self.function(next).is_some()
                && self.title(next).is_none()
                && !self.says_people(next + 1)
                && !self.text.said(next).ends_with(" people")
                && !self.means_industry(next);
            if !is_function {
                break;
            }
            found.push(next);
            // Commas alone may part what is asked for.
            if ends {
                sure = found.len();
            }
            at = next + 1;
        }
        found.truncate(sure);
        found
    }

    /// "Chief people officer": a title by itself, whatever stands between.
    fn chief_officer(&mut self, at: usize) -> Option<usize> {
        const MAX_WORDS: usize = 5;
        let from = self.text.piece(at)?.from;
        let tokens = self.text.tokens.get(from..)?;
        if tokens.first()?.stem != "chief" || self.title(at).is_some() {
            return None;
        }
        let is_one = |token: &&Token| {
            token.is_word() && !matches!(token.text.as_str(), "and" | "or" | "of" | "in")
        };
        let words = tokens.iter().take(MAX_WORDS).take_while(is_one);
        let officer = words.clone().position(|token| token.stem == "officer")?;
        let end = from + officer + 1;
        let last =
            (at..).find(|piece| self.text.piece(*piece).is_none_or(|piece| piece.to >= end))?;
        if officer < 2 || self.text.piece(last)?.to != end {
            return None;
        }
        let words: Vec<&str> = words
            .take(officer)
            .map(|token| token.text.as_str())
            .collect();
        let words = words.join(" ");
        let words = words.replacen("chiefs", "chief", 1);
        let cond = Cond::Contains("job_title", format!("{words} officer"), Within::Anywhere);
        Some(self.condition(Class::Role, cond, at, last + 1))
    }

    /// Whether a word that is a function and an industry is said of companies.
    pub(super) fn means_industry(&self, at: usize) -> bool {
        let is_industry = self
            .meanings(at)
            .iter()
            .any(|meaning| matches!(meaning, Meaning::Industry(_)));
        if !is_industry {
            return false;
        }
        let next = at + 1;
        let is_company_noun = |at: usize| {
            self.text.may_be(at, Cue::Sector)
                || (self.text.may_be(at, Cue::Companies) && !self.text.may_be(at, Cue::People))
        };
        if is_company_noun(next) {
            return true;
        }
        // "banking or consulting firms"
        if (self.text.may_be(next, Cue::Or)
            || self.text.may_be(next, Cue::And)
            || self.text.is_mark(next, ','))
            && self
                .meanings(next + 1)
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Industry(_)))
            && !self
                .meanings(next + 1)
                .iter()
                .any(|meaning| matches!(meaning, Meaning::Function(_)))
        {
            return true;
        }
        if self.last_class() == Some(Class::Industry) {
            return true;
        }
        // Behind a whole role another function has no place: "engineers in insurance and consulting", "at consulting".
        let before = at.checked_sub(1);
        before.is_some_and(|before| self.text.said(before) == "at") || {
            let has_function = self.items.iter().any(|item| match &item.what {
                Is::Condition(Class::Role, cond) => {
                    cond.is_about("job_function") || cond.is_about("job_title")
                }
                _ => false,
            });
            let is_joined = self.last_class() == Some(Class::Role);
            has_function
                && !is_joined
                && before.is_some_and(|before| {
                    self.text.may_be(before, Cue::In) || self.text.may_be(before, Cue::Outside)
                })
        }
    }

    /// "Junior to mid-level": these and what is between them.
    fn levels_between(&self, at: usize, first: Vec<String>) -> Values {
        const ORDER: [&str; 8] = [
            "training", "entry", "mid", "senior", "manager", "director", "vp", "cxo",
        ];
        let place = |values: &[String]| match values {
            [only] => ORDER.iter().position(|level| level == only),
            _ => None,
        };
        let is_to = matches!(
            self.text.said(at + 1).as_str(),
            "to" | "through" | "–" | "up to"
        );
        if is_to
            && let Some(last) = self.level(at + 2)
            && let (Some(from), Some(to)) = (place(&first), place(&last))
            && from < to
        {
            let between = ORDER.get(from..=to).unwrap_or_default();
            return Values {
                values: between.iter().map(|level| (*level).to_owned()).collect(),
                to: at + 3,
            };
        }
        Values {
            values: first,
            to: at + 1,
        }
    }

    /// More functions behind a first one, as long as they are not the beginning of something else.
    fn functions(&self, at: usize) -> Option<Values> {
        let mut values = vec![self.function(at)?];
        let mut to = at + 1;
        while let Some((next, function)) = self.further_function(to)
            && !(self.names_holders(to - 1) && self.has_level_of_its_own(next))
        {
            if !values.contains(&function) {
                values.push(function);
            }
            to = next + 1;
        }
        Some(Values { values, to })
    }

    /// A function behind a separator, and its piece.
    fn further_function(&self, at: usize) -> Option<(usize, String)> {
        let next = self.separator(at)?;
        let function = self.function(next)?;
        // "(Managers at Google in) finance, engineers at Meta" are two kinds of people.
        let is_other = self.text.is_mark(next - 1, ',')
            && self.names_holders(next)
            && !self.names_holders(at.saturating_sub(1));
        (self.title(next).is_none() && !self.means_industry(next) && !is_other)
            .then_some((next, function))
    }

    /// Whether a function says by itself who is sought, so that no level behind another one is theirs: "engineers or sales managers",
    /// not "marketing or sales managers".
    fn names_holders(&self, at: usize) -> bool {
        const ENDINGS: [&str; 7] = ["er", "or", "ant", "ist", "ey", "ian", "ive"];
        let (said, stem) = (self.text.said(at), self.text.stem(at));
        let is_plural = said != stem && ENDINGS.iter().any(|ending| stem.ends_with(ending));
        is_plural || ends_in_people(&said)
    }

    /// Whether a level that is a noun stands behind the functions that begin at a piece: "engineering or sales managers".
    fn has_level_of_its_own(&self, at: usize) -> bool {
        let mut to = at + 1;
        while let Some((next, _)) = self.further_function(to) {
            to = next + 1;
        }
        self.level(to).is_some_and(|levels| !is_adjective(&levels))
    }

    pub(super) fn people(&self, mut at: usize) -> usize {
        let is_people = |at: usize| {
            let said = self.text.said(at);
            !self.is_grade(at)
                && !self.is_leader(at)
                && self.text.may_be(at, Cue::People)
                && self.text.piece(at).is_some_and(|piece| piece.is_small())
                && !matches!(said.as_str(), "who" | "whom" | "side")
        };
        while is_people(at) {
            at += 1;
        }
        at
    }

    /// "Engineering leads": those who lead, and no nearer level says who that is.
    pub(super) fn is_leader(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        let is_lead = matches!(self.text.said(at).as_str(), "lead" | "leads");
        is_lead && before.is_some_and(|before| self.function(before).is_some())
    }

    /// "Who runs Apple", "who lead hospitals": which of the people there are meant.
    pub(super) fn says_who_leads(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.text.said(before));
        let is_who = before.is_some_and(|said| {
            let last = said.rsplit(' ').next().unwrap_or_default();
            matches!(last, "who" | "that")
        });
        let is_verb = matches!(
            self.text.said(at).as_str(),
            "run" | "runs" | "lead" | "leads" | "head" | "heads"
        );
        let next = self.text.skip(at + 1, &["a", "an", "the"]);
        let is_employer = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Company(_) | Meaning::Industry(_) | Meaning::Size(_)
            )
        };
        // "Who runs marketing", unless a level says who does: "who runs marketing? Directors or up"
        let is_field = self.function(next).is_some()
            && !(0..self.text.pieces.len()).any(|at| self.level(at).is_some());
        let is_noun =
            self.text.may_be(next, Cue::Companies) && !self.text.may_be(next, Cue::People);
        self.is_person()
            && is_who
            && is_verb
            && (is_noun || is_field || self.meanings(next).iter().any(is_employer))
    }

    /// "Lead engineers", "staff nurses": in front of a role no noun for people, but a grade that no level is.
    pub(super) fn is_grade(&self, at: usize) -> bool {
        let behind = self.meanings(at + 1).iter();
        let mut is_role = behind.map(Meaning::is_role);
        matches!(self.text.said(at).as_str(), "lead" | "staff") && is_role.any(|is_role| is_role)
    }

    /// Functions behind levels: "VP Eng", "directors of finance", "director level and above in engineering".
    fn functions_behind(&self, to: usize) -> Option<Values> {
        let mut at = self.text.skip(self.people(to), &["title", "titles"]);
        // "A director title and in sales"
        if self.text.may_be(at, Cue::And)
            && self.text.said(at + 1) == "in"
            && self.function(at + 2).is_some()
        {
            at += 1;
        }
        // "Directors or VPs, in marketing"; behind a comma "for" says what they are sought for.
        let is_behind_comma = self.text.is_mark(at, ',') && self.text.said(at + 1) != "for";
        let word = at + usize::from(is_behind_comma);
        let has_word = leads_to_function(&self.text.said(word));
        if has_word {
            at = self.text.skip(word + 1, &["the", "a", "our", "charge of"]);
        } else if self.text.is_mark(at, ',') {
            // "VP, engineering" at the end of a phrase, "directors or VPs, marketing or sales"
            let is_alone = self.function(at + 1).is_some()
                && !self.says_role(at + 2)
                && self.title(at + 1).is_none()
                && self
                    .separator(at + 2)
                    .is_none_or(|next| self.ends_role(next));
            let are_lists = self.ends_list(to)
                && self.functions(at + 1).is_some_and(|functions| {
                    self.ends_list(functions.to) && self.level(functions.to).is_none()
                });
            // "No managers, engineers in Berlin" asks for engineers.
            if !is_alone && !are_lists
                || (self.begins_with_not() || self.is_behind_not()) && self.names_people(at + 1)
                || self
                    .text
                    .piece(at + 2)
                    .is_some_and(|piece| piece.may_be(Cue::People))
            {
                return None;
            }
            at += 1;
        }
        // "VPs of people": the function of that name.
        if self.text.said(word) == "of"
            && self.text.said(at) == "people"
            && !self.text.stem(word - 1).ends_with("manager")
            && self.ends_noun(at + 1)
        {
            let values = vec!["human resources".to_owned()];
            return Some(Values { values, to: at + 1 });
        }
        if self.means_industry(at) || self.title(at).is_some() {
            return None;
        }
        let found = self.functions(at)?;
        // The function of a level of its own: "directors, sales managers".
        let next = found.to;
        let own = self.level(next).is_some() && !has_word && found.values.len() == 1 && at != to;
        (!own).then_some(found)
    }

    /// Whether nothing goes on with a noun: a mark, a preposition or a joining word stands there.
    fn ends_noun(&self, at: usize) -> bool {
        let leads_on = [
            Cue::In,
            Cue::At,
            Cue::With,
            Cue::Or,
            Cue::And,
            Cue::Without,
            Cue::Outside,
        ];
        self.text.piece(at).is_none_or(|piece| {
            matches!(piece.what, What::Mark(_)) || leads_on.iter().any(|cue| piece.may_be(*cue))
        })
    }

    /// Whether right in front of what is read stands a NOT: "no managers, no interns, engineers in Rome".
    fn is_behind_not(&self) -> bool {
        let mut before = self.items.iter().rev();
        let last = before.find(|item| !item.what.is_small());
        last.is_some_and(|last| last.what == Is::Not)
    }

    /// Whether a function says who: "engineers", "sales people", and not "sales".
    fn names_people(&self, at: usize) -> bool {
        let said = self.text.said(at);
        let is_plural = self.text.stem(at) != said && self.function(at).as_ref() != Some(&said);
        is_plural || ends_in_people(&said) || self.people(at + 1) > at + 1
    }

    /// Whether what begins behind a comma is no role: "VP, marketing, Texas".
    fn ends_role(&self, at: usize) -> bool {
        let leads_on = [Cue::In, Cue::At, Cue::With]
            .iter()
            .any(|cue| self.text.may_be(at, *cue));
        let is_other = |meaning: &Meaning| {
            matches!(
                meaning,
                Meaning::Place(_) | Meaning::Company(_) | Meaning::Contact(_)
            )
        };
        !self.says_role(at) && (leads_on || self.meanings(at).iter().any(is_other))
    }

    /// Whether the value in front of a piece is the last of a list, behind an "or" or "and".
    fn ends_list(&self, to: usize) -> bool {
        let joins = |at| self.text.may_be(at, Cue::Or) || self.text.may_be(at, Cue::And);
        to.checked_sub(2).is_some_and(joins)
    }

    /// Levels behind functions and a comma: "marketing or sales, directors or VPs", "engineers, senior". What is no list and says by
    /// itself who is sought is an alternative: "engineers, directors".
    fn levels_behind_comma(&self, functions: &Values) -> Option<Values> {
        let comma = self.people(functions.to);
        let first = self.text.is_mark(comma, ',').then_some(comma + 1)?;
        let mut levels = self.levels_between(first, self.level(first)?);
        while let Some(next) = self.separator(levels.to)
            && let Some(more) = self.level(next)
        {
            levels.values.extend(more);
            levels.to = next + 1;
        }
        let are_lists = self.ends_list(functions.to) && self.ends_list(levels.to);
        let has_own = self.says_role(levels.to)
            || leads_to_function(&self.text.said(levels.to))
                && self.function(levels.to + 1).is_some();
        // "Engineers, juniors" are two kinds of people.
        let is_plural = self.text.said(levels.to - 1) != self.text.stem(levels.to - 1);
        let are_adjectives = is_adjective(&levels.values) && !is_plural;
        ((are_lists || are_adjectives) && !has_own).then_some(levels)
    }

    fn levels_first(&mut self, at: usize, mut levels: Values) -> usize {
        loop {
            // "Junior or senior directors": the later level is the person's.
            while is_adjective(&levels.values)
                && let Some(values) = self.level(levels.to)
                && !is_adjective(&values)
            {
                levels = Values {
                    values,
                    to: levels.to + 1,
                };
            }
            // "junior" and the like belong to the title behind them.
            if let Some(title) = self.title(self.people(levels.to))
                && self.people(levels.to) == levels.to
            {
                let titles = self.titles(levels.to, title);
                let cond = Cond::all(vec![
                    Cond::any(
                        titles
                            .0
                            .into_iter()
                            .map(|title| Cond::Contains("job_title", title, Within::Anywhere))
                            .collect(),
                    ),
                    Cond::In("seniority_level", levels.values),
                ]);
                let (cond, to) = if titles.1 == levels.to + 1 {
                    self.or_levels_of_field(levels.to, cond)
                } else {
                    (cond, titles.1)
                };
                return self.condition(Class::Role, cond, at, to);
            }
            if let Some(functions) = self.functions_behind(levels.to) {
                if is_adjective(&levels.values)
                    && self.function(levels.to).is_some()
                    && let Some((cond, to)) =
                        self.shared_level(levels.to, &functions, &levels.values)
                {
                    return self.condition(Class::Role, cond, at, to);
                }
                let to = self.people(functions.to);
                // "senior finance managers": the later level is the person's.
                if let Some(more) = self
                    .level(functions.to)
                    .filter(|_| levels.to == self.people(levels.to))
                {
                    let values = if is_adjective(&levels.values) && !is_adjective(&more) {
                        more
                    } else {
                        [levels.values.clone(), more].concat()
                    };
                    let cond = Cond::all(vec![
                        Cond::In("seniority_level", values),
                        Cond::In("job_function", functions.values),
                    ]);
                    return self.condition(Class::Role, cond, at, functions.to + 1);
                }
                let cond = Cond::all(vec![
                    Cond::In("seniority_level", levels.values),
                    Cond::In("job_function", functions.values),
                ]);
                return self.condition(Class::Role, cond, at, to);
            }
            let more = self
                .separator(self.people(levels.to))
                .and_then(|next| Some((next, self.level(next)?)));
            let Some((next, more)) = more else {
                let to = self.people(levels.to);
                return self.condition(
                    Class::Role,
                    Cond::In("seniority_level", levels.values),
                    at,
                    to,
                );
            };
            // "managers or senior engineers": the next level has a role of its own, without "of" for both. Not so "junior or senior
            // engineers", where neither is anything without it.
            let is_shared = is_adjective(&levels.values)
                && is_adjective(&more)
                && self.people(levels.to) == levels.to;
            let own =
                !is_shared && (self.function(next + 1).is_some() || self.title(next + 1).is_some());
            if own {
                let to = self.people(levels.to);
                return self.condition(
                    Class::Role,
                    Cond::In("seniority_level", levels.values),
                    at,
                    to,
                );
            }
            for value in more {
                if !levels.values.contains(&value) {
                    levels.values.push(value);
                }
            }
            levels.to = next + 1;
        }
    }

    /// Titles that share what stands in front of them.
    fn titles(&self, at: usize, first: String) -> (Vec<String>, usize) {
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

    fn functions_first(&mut self, at: usize) -> usize {
        let Some(functions) = self.functions(at) else {
            return self.push(Is::Unknown, at, at + 1);
        };
        let behind = self.people(functions.to);
        // "marketing or sales managers", "HR managers and directors"
        let level_at = if self.level(functions.to).is_some() {
            functions.to
        } else {
            behind
        };
        if let Some(mut levels) = self.level(level_at)
            && (level_at == functions.to || functions.to == behind)
        {
            let Values { values, to } = self.bare_levels(level_at + 1);
            for value in values {
                if !levels.contains(&value) {
                    levels.push(value);
                }
            }
            let cond = Cond::all(vec![
                Cond::In("seniority_level", levels),
                Cond::In("job_function", functions.values),
            ]);
            let to = self.people(to);
            return self.condition(Class::Role, cond, at, to);
        }
        if let Some((cond, to)) = self.shared_level(at, &functions, &[]) {
            return self.condition(Class::Role, cond, at, to);
        }
        if let Some(to) = self.shared_title(at) {
            return to;
        }
        if let Some(levels) = self.levels_behind_comma(&functions) {
            let cond = Cond::all(vec![
                Cond::In("seniority_level", levels.values),
                Cond::In("job_function", functions.values),
            ]);
            return self.condition(Class::Role, cond, at, levels.to);
        }
        self.condition(
            Class::Role,
            Cond::In("job_function", functions.values),
            at,
            behind,
        )
    }

    /// "Engineering or product managers": the noun of the title at the end is that of the functions in front, too, and says their level.
    /// Not where the functions say who is sought ("engineers or product managers"), nor behind a preposition ("people in engineering or
    /// product managers"). The adjectives in front are said of the titles.
    fn shared_level(
        &self,
        at: usize,
        functions: &Values,
        adjectives: &[String],
    ) -> Option<(Cond, usize)> {
        let next = self.separator(functions.to)?;
        let joins = next.checked_sub(1)?;
        let is_list = self.text.may_be(joins, Cue::Or)
            || self.text.may_be(joins, Cue::And)
            || self.text.is_mark(joins, '/');
        let title = self.title(next).filter(|_| is_list)?;
        // "HR business partners" are partners of no firm.
        let noun = title.rsplit(' ').next()?;
        if !matches!(noun, "manager" | "director") {
            return None;
        }
        let levels = vocabulary()
            .get(&stems(noun))
            .iter()
            .find_map(|meaning| match meaning {
                Meaning::Level(levels) => Some(levels.clone()),
                _ => None,
            })?;
        let noun = noun.to_owned();
        let listed: Vec<usize> = (at..functions.to)
            .filter(|at| self.function(*at).is_some())
            .collect();
        let is_field = |at: &usize| FIELDS.contains(&self.text.said(*at).as_str());
        // "Product marketing or product managers"
        let is_part = at
            .checked_sub(1)
            .is_some_and(|before| self.function(before).is_some());
        if self.is_led_to(at)
            || is_part
            || title.split(' ').count() < 2
            || !listed.iter().all(is_field)
        {
            return None;
        }
        let (mut titles, to) = self.titles(next, title);
        // "Product or project managers": the first is a title, too.
        let mut fields = Vec::new();
        for at in listed {
            let own = format!("{} {noun}", self.text.said(at));
            match self.function(at) {
                _ if is_title(&own) => titles.push(own),
                Some(function) if !fields.contains(&function) => fields.push(function),
                _ => {}
            }
        }
        let in_title = |title| Cond::Contains("job_title", title, Within::Anywhere);
        let titles = Cond::any(titles.into_iter().map(in_title).collect());
        let titles = if adjectives.is_empty() {
            titles
        } else {
            Cond::all(vec![
                titles,
                Cond::In("seniority_level", adjectives.to_vec()),
            ])
        };
        if fields.is_empty() {
            return Some((titles, to));
        }
        let of_functions = Cond::all(vec![
            Cond::In("seniority_level", levels),
            Cond::In("job_function", fields),
        ]);
        Some((Cond::any(vec![of_functions, titles]), to))
    }

    /// Whether what is said in front of a piece leads to it, so that no noun behind a list is its own: "people in general or sales
    /// managers", "at a store or HR managers".
    fn is_led_to(&self, at: usize) -> bool {
        let is_article = |said: &str| matches!(said, "a" | "an" | "the" | "our" | "their");
        let before = at.checked_sub(1).filter(|before| {
            let said = self.text.said(*before);
            !is_article(&said)
        });
        let before = before.or_else(|| at.checked_sub(2));
        before.is_some_and(|before| {
            let said = self.text.said(before);
            let mut words = said.rsplit(' ');
            let last = words.find(|word| !is_article(word)).unwrap_or_default();
            leads_to_function(last) || matches!(last, "with" | "at" | "do" | "does" | "doing")
        })
    }

    /// "mechanical or electrical engineers": the noun of the last title is that of the others, too.
    pub(super) fn shared_title(&mut self, at: usize) -> Option<usize> {
        if !self.is_person() || self.is_led_to(at) {
            return None;
        }
        let mut words = vec![self.text.said(at)];
        let mut next = self.separator(at + 1)?;
        let (last, of_functions) = loop {
            if let Some(title) = self.title(next) {
                break (title, None);
            }
            // "Project or sales managers"
            if let Some(functions) = self.functions(next)
                && let Some(levels) = self.level(functions.to)
                && !is_adjective(&levels)
            {
                let noun = self.text.stem(functions.to);
                let cond = Cond::all(vec![
                    Cond::In("seniority_level", levels),
                    Cond::In("job_function", functions.values),
                ]);
                break (noun, Some((cond, functions.to)));
            }
            if words.len() > 4 {
                return None;
            }
            words.push(self.text.said(next));
            next = self.separator(next + 1)?;
        };
        let noun = last.rsplit(' ').next()?.to_owned();
        let mut titles: Vec<String> = words.iter().map(|word| format!("{word} {noun}")).collect();
        if !titles.iter().all(|title| is_title(title)) {
            return None;
        }
        // "Project and sales managers or directors": a level alone is of the same fields, but no title says which.
        let end = of_functions.as_ref().map_or(next, |(_, end)| *end);
        let is_level_alone = self.separator(end + 1).is_some_and(|further| {
            self.level(further)
                .is_some_and(|levels| !is_adjective(&levels))
                && self.title(further).is_none()
                && self.functions_behind(further + 1).is_none()
        });
        if of_functions.is_some() && is_level_alone {
            return None;
        }
        let (cond, end) = match of_functions {
            Some((cond, end)) => (Some(cond), end),
            None => {
                titles.push(last);
                (None, next)
            }
        };
        let titles = titles
            .into_iter()
            .map(|title| Cond::Contains("job_title", title, Within::Anywhere));
        let conds = titles.chain(cond).collect();
        Some(self.condition(Class::Role, Cond::any(conds), at, end + 1))
    }

    pub(super) fn is_place_at(&self, at: usize) -> bool {
        self.meanings(at).iter().any(is_place)
    }
}

/// Whether the last word of a phrase is a noun for people: "sales people".
pub(super) fn ends_in_people(words: &str) -> bool {
    let last = words.rsplit(' ').next().unwrap_or_default();
    matches!(
        last,
        "people" | "professionals" | "folks" | "staff" | "person" | "persons" | "employees"
    )
}

/// Whether the vocabulary has a title.
fn is_title(title: &str) -> bool {
    let meanings = vocabulary().get(&stems(title));
    meanings
        .iter()
        .any(|meaning| matches!(meaning, Meaning::Title(_)))
}

/// Whether a word behind a level says that its function follows.
fn leads_to_function(said: &str) -> bool {
    matches!(
        said,
        "of" | "in"
            | "for"
            | "from"
            | "on"
            | "within"
            | "across"
            | "in the"
            | "who work in"
            | "working in"
            | "work in"
    )
}
