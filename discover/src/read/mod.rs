//! From pieces to items: conditions, the words between them, and what cannot be answered.

mod both;
mod bounds;
mod corrected;
mod employers;
mod exclusion;
mod founding;
mod growth;
mod lists;
mod names;
mod offices;
mod origin;
mod other_places;
mod places;
mod quantity;
mod roles;
mod silence;
mod single;
mod somebody_else;
mod unanswered;

use chrono::NaiveDate;
use events_schema::record::RecordKind;

use crate::Reason;
use crate::amount::MONEY;
use crate::annotate::What;
use crate::cond::Cond;
use crate::context::Voice;
use crate::meaning::{Contact, Cue, Meaning};
use crate::text::Text;
use crate::time::Period;
use crate::traps::{clause_end, phrase_counts, trap};
use crate::vocabulary::vocabulary;

/// Who does "outside sales".
const SELLERS: &[&str] = &[
    "rep",
    "representative",
    "manager",
    "executive",
    "people",
    "person",
    "agent",
    "consultant",
    "specialist",
];

/// What a condition is about; neighbours of one class belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Role,
    /// What those do of whom only the level was said: it narrows, and begins nothing.
    Field,
    Company,
    Industry,
    Size,
    Type,
    Place,
    Years,
    Founded,
    Employees,
    Growth,
    Tenure,
    Sources,
    Seen,
    Contact,
    Flag,
    Name,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) what: Is,
    /// Pieces, the last one not included.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Is {
    Condition(Class, Cond),
    Or,
    And,
    Comma,
    /// The end of a sentence or of a part of it.
    Break,
    But,
    Not,
    /// "Except": what follows it is left out as a whole.
    Except,
    /// "I don't want": all that is said of what follows it is left out together.
    Unwanted,
    /// "Second, …": another phrase.
    Another,
    /// "Either" and "both".
    Either,
    Open,
    Close,
    Unsupported(Reason),
    /// A value that another one stands beside, of a column that has one: it is reported, and joins, parts and turns round nothing.
    Yields,
    /// Says nothing of its own.
    Noise,
    /// A small word that says which ones are meant, and joins and parts no more than one that says nothing: "agency", "based".
    Small,
    /// Nothing knows it.
    Unknown,
}

impl Is {
    /// Whether it is a small word, which others are joined, turned round and left out across.
    pub(crate) const fn is_small(&self) -> bool {
        matches!(self, Self::Noise | Self::Small)
    }

    /// Whether it turns round what stands behind it.
    pub(crate) const fn turns(&self) -> bool {
        matches!(self, Self::Not | Self::Except | Self::Unwanted)
    }
}

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

    fn step(&mut self, at: usize) -> usize {
        let Some(piece) = self.text.piece(at) else {
            return at + 1;
        };
        if let What::Mark(mark) = piece.what {
            if matches!(mark, '"' | '.')
                && let Some(to) = self.named(at)
            {
                return to;
            }
            // A number may begin with a mark of money or of comparison.
            if !MONEY.contains(&mark) && !matches!(mark, '<' | '>') {
                let is_label = self.items.last().is_some_and(|last| last.what.turns());
                if mark == '\n'
                    && let Some(what) = self.end_of_line(at)
                {
                    return self.push(what, at, at + 1);
                }
                let what = match mark {
                    // "Exclude: banks"
                    ':' if is_label => Is::Noise,
                    '≠' => Is::Not,
                    '-' if !self.says_how(at + 1) => Is::Not,
                    ',' | '/' | '&' => Is::Comma,
                    '+' => Is::And,
                    ';' | '.' | ':' | '!' | '?' | '\n' | '—' | '-' => Is::Break,
                    '(' => Is::Open,
                    ')' => Is::Close,
                    _ => Is::Noise,
                };
                return self.push(what, at, at + 1);
            }
        }
        if let Some(to) = self.named(at) {
            return to;
        }
        if phrase_counts(self.text, at) {
            let said = self.text.said(at);
            let is_first = said.starts_with("first") || said == "1";
            let what = if is_first { Is::Noise } else { Is::Another };
            return self.push(what, at, at + 2);
        }
        if let Some(to) = self.office(at).or_else(|| self.somebody_else(at)) {
            return to;
        }
        if let Some((to, reason)) = trap(self.kind, self.text, at) {
            return self.trapped(at, to, reason);
        }
        self.quantity(at)
            .or_else(|| self.subject(at))
            .or_else(|| self.time(at))
            .or_else(|| self.growth(at, None))
            .or_else(|| self.place(at))
            .or_else(|| self.role(at))
            .or_else(|| self.value(at))
            .or_else(|| self.size_in_front(at))
            .or_else(|| self.experience_in(at))
            .or_else(|| self.shared_title(at))
            .unwrap_or_else(|| self.small(at))
    }

    /// Conditions that a subject opens: "headcount of 100 to 2,000", "size: 51-200", "average tenure over 6 years".
    fn subject(&mut self, at: usize) -> Option<usize> {
        self.size_subject(at)
            .or_else(|| self.amount_subject(at))
            .or_else(|| self.staff_subject(at))
            .or_else(|| self.unit_in_front(at))
    }

    fn time(&mut self, at: usize) -> Option<usize> {
        if self.text.may_be(at, Cue::Founded)
            && let Some(to) = self.founding(at)
        {
            return Some(to);
        }
        if let Some(to) = self.founded_beside(at) {
            return Some(to);
        }
        // "Seen this year but not in the last 3 months"
        if self.leaves_out_time(at)
            && let Some(period) = self.text.period(at + 1, self.today)
        {
            self.push(Is::Not, at, at + 1);
            let cond = self.seen(period);
            return Some(self.condition(Class::Seen, cond, at + 1, period.to));
        }
        // "Seen in May or June 2025"
        let is_joined = self.last_class() == Some(Class::Seen);
        if is_joined && let Some(period) = self.text.period(at, self.today) {
            return Some(self.further_seen(period, at));
        }
        // "Seen in June or May"
        if is_joined && self.ends_list_of_months(at) {
            let is_dated = self.items.iter().rev().find_map(|item| {
                let is_time = matches!(item.what, Is::Condition(..));
                is_time.then(|| {
                    item.to
                        .checked_sub(1)
                        .is_some_and(|to| self.text.number(to).is_some())
                })
            });
            let period = self.text.listed_month(at, self.today);
            return period.map(|period| match is_dated {
                // "In June 2025 or May": nobody knows the year.
                Some(true) => self.push(Is::Unsupported(Reason::NoSuchField), at, period.to),
                _ => self.further_seen(period, at),
            });
        }
        if self.text.may_be(at, Cue::Seen) {
            let period = (1..=3).find_map(|skip| {
                let is_passed = (1..skip).all(|passed| {
                    self.text
                        .piece(at + passed)
                        .is_some_and(|piece| piece.is_small())
                        && (!self.says_not(at + passed)
                            || passed + 1 == skip && self.denies_time(at + passed))
                });
                let is_in = skip > 1 && self.text.said(at + skip - 1) == "not in";
                is_passed
                    .then(|| {
                        let period = self.text.period(at + skip, self.today);
                        let listed = || self.text.listed_month(at + skip, self.today);
                        period.or_else(|| is_in.then(listed).flatten())
                    })
                    .flatten()
                    .map(|period| (at + skip, period))
            });
            if let Some((from, period)) = period {
                let cond = self.seen(period);
                let not = from - 1;
                // "Last seen not in 2026"
                if not > at && self.denies_time(not) {
                    self.push(Is::Noise, at, not);
                    self.push(Is::Not, not, from);
                    return Some(self.condition(Class::Seen, cond, from, period.to));
                }
                return Some(self.condition(Class::Seen, cond, at, period.to));
            }
        }
        None
    }

    /// Whether right behind a time at which records were seen a word leaves out what follows: "(seen this year) but not".
    fn leaves_out_time(&self, at: usize) -> bool {
        let mut before = self.items.iter().rev().skip_while(|item| {
            item.what.is_small() || matches!(item.what, Is::But | Is::And | Is::Comma)
        });
        let is_seen = |item: &Item| matches!(item.what, Is::Condition(Class::Seen, _));
        let cues = [Cue::Not, Cue::Except];
        cues.iter().any(|cue| self.text.may_be(at, *cue)) && before.next().is_some_and(is_seen)
    }

    /// Whether a piece turns round the time behind it: "not", "not in".
    fn denies_time(&self, at: usize) -> bool {
        self.text.may_be(at, Cue::Not) || self.text.said(at) == "not in"
    }

    /// A further time at which records were seen. Two that are closed are alternatives, even with "and": "in May and June 2026".
    fn further_seen(&mut self, period: Period, at: usize) -> usize {
        let is_closed = |cond: &Cond| matches!(cond, Cond::Dates(_, Some(_), Some(_)));
        let is_time = |cond: &Cond| match cond {
            Cond::Any(conds) => conds.iter().all(is_closed),
            cond => is_closed(cond),
        };
        let cond = self.seen(period);
        let before = self.items.iter().rposition(|item| {
            let Is::Condition(Class::Seen, first) = &item.what else {
                return false;
            };
            is_time(first) && is_closed(&cond)
        });
        let before = before.filter(|before| {
            let mut between = self.items.iter().skip(before + 1);
            between.all(|item| {
                matches!(
                    item.what,
                    Is::Or | Is::And | Is::Comma | Is::Noise | Is::Small
                )
            })
        });
        let Some(before) = before else {
            return self.condition(Class::Seen, cond, at, period.to);
        };
        let mut tail = self.items.split_off(before).into_iter();
        match tail.next() {
            Some(Item {
                what: Is::Condition(_, first),
                from,
                ..
            }) => self.condition(Class::Seen, Cond::any(vec![first, cond]), from, period.to),
            _ => self.condition(Class::Seen, cond, at, period.to),
        }
    }

    /// Whether a month stands alone behind a list of times: "(June) or May", not "(June) or may have left".
    fn ends_list_of_months(&self, at: usize) -> bool {
        let goes_on = self.text.may_be(at + 1, Cue::Or) || self.text.may_be(at + 1, Cue::And);
        let is_end = self
            .text
            .piece(at + 1)
            .is_none_or(|piece| matches!(piece.what, What::Mark(_)));
        let is_verb = self.text.said(at) == "may" && !self.text.is_capital(at);
        is_end || goes_on || !is_verb
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

    fn seen(&self, period: Period) -> Cond {
        let is_person = self.is_person();
        let text = |date: NaiveDate| {
            if is_person {
                date.format("%Y-%m-%d").to_string()
            } else {
                date.format("%Y-%m").to_string()
            }
        };
        // An open end is said with the first day that does not belong to it.
        let last = match period.first {
            Some(_) => period.last,
            None => period.last.and_then(|date| date.succ_opt()),
        };
        Cond::Dates("last_seen", period.first.map(text), last.map(text))
    }

    /// A value of a column.
    fn value(&mut self, at: usize) -> Option<usize> {
        let to = at + 1;
        let (company, industry, size) = if self.is_person() {
            ("company_name", "company_industry", "company_size")
        } else {
            ("name.cleaned", "industry", "size")
        };
        if let Some(contact) = self.find(at, |meaning| match meaning {
            Meaning::Contact(contact) => Some(*contact),
            _ => None,
        }) {
            // "Email marketers" do it by email.
            let is_work = self.text.said(at) == "email"
                && self.function(to).as_deref() == Some("marketing")
                && self.last_class() != Some(Class::Contact);
            let is_led_to = at.checked_sub(1).is_some_and(|before| {
                [Cue::With, Cue::Without, Cue::Not]
                    .iter()
                    .any(|cue| self.text.may_be(before, *cue))
            });
            if is_work && !is_led_to {
                return Some(self.push(Is::Unknown, at, to));
            }
            return Some(match (contact, self.kind) {
                (Contact::LinkedIn, _) => {
                    self.condition(Class::Contact, Cond::Known("linkedin_url"), at, to)
                }
                (Contact::WorkEmail, RecordKind::Person) => {
                    self.condition(Class::Contact, Cond::Known("work_email"), at, to)
                }
                (Contact::WorkEmail, RecordKind::Company) => {
                    self.push(Is::Unsupported(Reason::NoSuchField), at, to)
                }
            });
        }
        for meaning in self.meanings(at).to_vec() {
            match meaning {
                Meaning::DecisionMaker if self.is_person() => {
                    return Some(self.condition(
                        Class::Flag,
                        Cond::True("is_decision_maker"),
                        at,
                        to,
                    ));
                }
                Meaning::PlatformWorker if self.is_person() => {
                    return Some(self.condition(
                        Class::Flag,
                        Cond::True("is_platform_worker"),
                        at,
                        to,
                    ));
                }
                Meaning::Company(name) if self.is_person() || self.names_company(at) => {
                    return Some(self.condition(
                        Class::Company,
                        Cond::In(company, vec![name]),
                        at,
                        to,
                    ));
                }
                _ => {}
            }
        }
        let of_type = self.find(at, |meaning| match meaning {
            Meaning::Type(value) => Some(value.clone()),
            _ => None,
        });
        let of_industry = self.find(at, |meaning| match meaning {
            Meaning::Industry(values) => Some(values.clone()),
            _ => None,
        });
        if let Some(to) = self.government_owner(at) {
            let cond = Cond::In("type", vec!["government".to_owned()]);
            return Some(self.condition(Class::Type, cond, at, to));
        }
        if let Some(value) = of_type {
            let prefers_industry = self.is_person()
                || self.text.may_be(at + 1, Cue::Sector)
                || self.last_class() == Some(Class::Industry) && of_industry.is_some();
            if !prefers_industry {
                return Some(self.condition(Class::Type, Cond::In("type", vec![value]), at, to));
            }
            // Of persons no column has the type of the employer; government is an industry, too.
            if of_industry.is_none() && value == "government" {
                let cond = Cond::In(industry, vec!["government administration".to_owned()]);
                let to = self.over_company_noun(to);
                return Some(self.condition(Class::Industry, cond, at, to));
            }
            if of_industry.is_none() {
                return Some(self.push(Is::Unsupported(Reason::NoSuchField), at, to));
            }
        }
        if let Some(values) = of_industry {
            let to = self.over_company_noun(to);
            return Some(self.condition(Class::Industry, Cond::In(industry, values), at, to));
        }
        if let Some(values) = self.find(at, |meaning| match meaning {
            Meaning::Size(values) => Some(values.clone()),
            _ => None,
        }) {
            let to = self.over_company_noun(to);
            return Some(self.condition(Class::Size, Cond::In(size, values), at, to));
        }
        None
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
        is_of_them.then_some(to)
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

    /// Words that put others together or say nothing.
    fn small(&mut self, at: usize) -> usize {
        let to = at + 1;
        let said = self.text.said(at);
        let is = |cue| self.text.may_be(at, cue);
        let what = if is(Cue::Or) {
            Is::Or
        } else if is(Cue::And) {
            Is::And
        } else if is(Cue::Except) && matches!(self.text.said(at).as_str(), "but not" | "but no") {
            // "Engineers but not managers at Amazon": what comes behind is said of both.
            Is::Not
        } else if is(Cue::Except) {
            Is::Except
        } else if self.is_kind_of_sales(at) {
            Is::Unknown
        } else if is(Cue::Neither) || is(Cue::Not) || is(Cue::Outside) || is(Cue::Without) {
            Is::Not
        } else if is(Cue::Nor) {
            Is::Or
        } else if is(Cue::But) {
            Is::But
        } else if is(Cue::Either) {
            Is::Either
        } else if self.is_grade(at) || self.says_who_leads(at) {
            Is::Unknown
        } else if self.says_nothing(at) || self.says_aside(at) {
            Is::Noise
        } else if self.text.piece(at).is_some_and(|piece| piece.is_small()) && !matters(&said) {
            Is::Small
        } else {
            Is::Unknown
        };
        // "LinkedIn no" behind the condition.
        if what == Is::Not
            && is(Cue::Without)
            && self.ends_here(to)
            && self.items.last().is_some_and(|last| last.to == at)
        {
            let last = self.items.last_mut();
            if let Some(Item {
                what: Is::Condition(Class::Contact, cond),
                to: end,
                ..
            }) = last
            {
                *cond = cond.clone().not();
                *end = to;
                return to;
            }
        }
        self.push(what, at, to)
    }

    /// "Outside sales reps" sell outside: where a phrase begins with it, it leaves out nothing. "Managers, outside sales" are not of sales.
    fn is_kind_of_sales(&self, at: usize) -> bool {
        let begins = at.checked_sub(1).is_none_or(|before| {
            let said = self.text.said(before);
            let is_mark = matches!(
                self.text.piece(before).map(|piece| &piece.what),
                Some(What::Mark(_))
            );
            is_mark
                || matches!(
                    said.as_str(),
                    "or" | "and" | "a" | "an" | "the" | "any" | "all"
                )
                || vocabulary().is_request(&self.text.stem(before))
        });
        // "People in Texas, outside sales roles" are of others.
        let is_work = |stem: &str| at == 0 && matches!(stem, "job" | "role");
        let is_noun = |stem: &str| SELLERS.contains(&stem) || is_work(stem);
        let next = self.text.stem(at + 1);
        let says_who = match next
            .strip_prefix("sales")
            .or_else(|| next.strip_prefix("sale"))
        {
            Some("") => is_noun(&self.text.stem(at + 2)),
            Some(noun) => noun.strip_prefix(' ').is_some_and(is_noun),
            None => false,
        };
        begins && self.text.said(at) == "outside" && says_who
    }

    /// Whether a small word begins what a dash parts: "CFOs -in Texas".
    fn says_how(&self, at: usize) -> bool {
        self.text.piece(at).is_some_and(|piece| piece.is_small())
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

/// Words of cues that ask something where nothing makes a condition of them.
fn matters(said: &str) -> bool {
    matches!(
        said,
        "active"
            | "verified"
            | "fresh"
            | "updated"
            | "growing"
            | "growth"
            | "grew"
            | "shrinking"
            | "tenure"
            | "average tenure"
            | "confirmed"
            | "founded"
            | "doubled"
            | "expanding"
            | "declining"
            | "old"
            | "launched"
            | "scaling"
            | "headcount growth"
            | "domain"
            | "website"
            | "recent"
            | "domain is"
            | "cut"
            | "lost"
            | "experience"
            | "shrank"
            | "fell"
    )
}
