//! Whether a text describes the other kind of record than the one that is sought.

use events_schema::record::RecordKind;

use crate::annotate::{Piece, What, is_place};
use crate::interpretation::Reason;
use crate::meaning::{Cue, Meaning};
use crate::read::{Class, Is, Item};
use crate::text::Text;

/// Nouns for people by what they have learned, which no column answers: "Yale alumni in banking".
const LEARNED: &[&str] = &[
    "alum", "alumni", "alumnus", "alumnu", "graduate", "grad", "speaker", "phd", "mba",
];

/// Nouns for people by the office that they hold, which no column has.
const HOLDERS: &[&str] = &[
    "chair",
    "chairman",
    "chairmen",
    "chairperson",
    "chairwoman",
    "chairwomen",
    "dean",
    "president",
    "provost",
    "rector",
    "treasurer",
    "trustee",
];

/// Nouns for people by what they are good at: "retail gurus".
const KNOWING: &[&str] = &[
    "enthusiast",
    "evangelist",
    "expert",
    "guru",
    "gurus",
    "influencer",
    "insider",
    "leader",
    "maven",
    "ninja",
    "officer",
    "official",
    "practitioner",
    "pro",
    "rockstar",
    "veteran",
    "wizard",
];

/// Nouns for people that say of what companies do, too: "individual giving platforms", "candidates for acquisition".
const ALSO_SAID_OF_WORK: &[&str] = &["candidate", "individual", "professional"];

/// Nouns for people that are no count of employees.
const PEOPLE: &[&str] = &[
    "candidate",
    "folk",
    "individual",
    "people",
    "person",
    "ppl",
    "professional",
];

/// Whether the text describes companies where persons are sought, or persons where companies are.
pub(crate) fn is_other_kind(kind: RecordKind, view: Text<'_>, items: &[Item]) -> bool {
    match kind {
        RecordKind::Person => describes_companies(view, items),
        RecordKind::Company => describes_people(view, items),
    }
}

/// Of what is asked of companies: somebody's role, and nothing that a company has.
fn describes_people(view: Text<'_>, items: &[Item]) -> bool {
    let of_companies = has_condition(items, |class| {
        matches!(
            class,
            Class::Industry
                | Class::Size
                | Class::Type
                | Class::Name
                | Class::Company
                | Class::Founded
                | Class::Growth
                | Class::Tenure
                | Class::Employees
        )
    });
    let is_role = |at: usize| view.piece(at).is_some_and(says_role);
    // "Hiring data engineers", "led by a female CEO" say what a company does: a role does not begin them.
    let says_people = items.iter().any(|item| {
        let first = (item.from..item.to).find(|at| {
            let piece = view.piece(*at);
            piece.is_some_and(|piece| !piece.is_small())
        });
        // "Engineering companies" are no people.
        let is_of_companies =
            view.may_be(item.to, Cue::Companies) && !view.may_be(item.to, Cue::People);
        item.what == Is::Unsupported(Reason::NoSuchField)
            && first.is_some_and(is_role)
            && !is_of_companies
    });
    let is_begun = begins_with_people(view, items);
    says_people && !of_companies || is_begun || begins_with_people_at(view, items)
}

/// Whether a noun for people begins the text, and how or where they are follows: "people in Texas", "people at banks", not "people
/// analytics companies".
fn begins_with_people(view: Text<'_>, items: &[Item]) -> bool {
    let is_people = |at: usize| names_people(view, at);
    let is_silent = |at: &usize| {
        let piece = view.piece(*at);
        piece.is_some_and(|piece| piece.is_small() && !piece.may_be(Cue::Companies))
            && !view.may_be(*at, Cue::People)
            && !is_people(*at)
    };
    let first = (0..).take_while(is_silent).count();
    if !is_people(first) {
        return false;
    }
    // "People > 100" counts employees, "old people's homes" are no people.
    let is_counted = items.iter().any(|item| {
        (item.from..item.to).contains(&first)
            && matches!(item.what, Is::Condition(Class::Employees | Class::Size, _))
    });
    let is_said_of = view.number(first + 1).is_some()
        || [':', '>', '<', '=', '(']
            .iter()
            .any(|mark| view.is_mark(first + 1, *mark))
        || view.owns(first);
    if is_counted || is_said_of {
        return false;
    }
    let next = view.skip(first + 1, &["who", "are", "is"]);
    let is_told = next > first + 1 || view.said(first).ends_with(" who");
    let works = matches!(
        view.said(next).as_str(),
        "at" | "working at" | "working for"
    );
    let goes_on = view.piece(next).is_none_or(|piece| {
        piece.is_small() && !piece.may_be(Cue::Companies) || matches!(piece.what, What::Mark(_))
    });
    let is_pronoun = |at: usize| {
        matches!(
            view.said(at).as_str(),
            "which" | "that" | "it" | "they" | "them" | "one" | "ones" | "each"
        )
    };
    let says_companies = |at: usize| view.says_companies(at) && !is_pronoun(at);
    let noun = view.stem(first);
    let is_place = |at: usize| {
        let piece = view.piece(at);
        piece.is_some_and(|piece| piece.meanings().iter().any(is_place))
    };
    let is_where = view.piece(next).is_none() || view.may_be(next, Cue::In) && is_place(next + 1);
    let is_plain = is_where || !ALSO_SAID_OF_WORK.contains(&noun.as_str());
    is_told || works || is_plain && goes_on && !(first..view.pieces.len()).any(says_companies)
}

/// Whether a piece is a noun for people, or begins with one: "people who".
fn names_people(view: Text<'_>, at: usize) -> bool {
    let stem = view.stem(at);
    let noun = stem.split(' ').next().unwrap_or_default();
    view.piece(at).is_some_and(Piece::is_small) && PEOPLE.contains(&noun)
}

/// Whether a piece names those who hold an office: "presidents" of universities.
fn says_holder(view: Text<'_>, at: usize) -> bool {
    HOLDERS.contains(&view.stem(at).as_str())
        && matches!(
            view.said(at + 1).as_str(),
            "of" | "at" | "in" | "for" | "and" | "or" | ","
        )
}

/// Whether somebody's role begins the text, and where they work follows: "marketing managers at banks".
fn begins_with_people_at(view: Text<'_>, items: &[Item]) -> bool {
    let mut said = items.iter().skip_while(|item| item.what.is_small());
    let mut roles = said.by_ref().take_while(|item| {
        let is_role = |at: usize| view.piece(at).is_some_and(says_role) || says_holder(view, at);
        matches!(
            item.what,
            Is::Unsupported(_) | Is::Unknown | Is::And | Is::Or | Is::Comma
        ) && (matches!(item.what, Is::And | Is::Or | Is::Comma)
            || (item.from..item.to).all(is_role))
    });
    let Some(last) = roles.by_ref().last() else {
        return false;
    };
    let leads_on = matches!(
        view.said(last.to).as_str(),
        "at" | "of"
            | "in"
            | "for"
            | "from"
            | "working at"
            | "working in"
            | "who work at"
            | "who work in"
    );
    leads_on && view.says_companies(last.to + 1)
}

/// Of what is asked of persons: companies, an industry or a size, and nobody.
fn describes_companies(view: Text<'_>, items: &[Item]) -> bool {
    let of_people = has_condition(items, |class| {
        matches!(
            class,
            Class::Role
                | Class::Years
                | Class::Flag
                | Class::Name
                | Class::Contact
                | Class::Company
        )
    });
    let is_of_unknown = |before: &Item| {
        let is_next = |item: &Item| {
            let noun = view.stem(item.from);
            item.from == before.to
                && item.what == Is::Unknown
                && (KNOWING.contains(&noun.as_str()) || HOLDERS.contains(&noun.as_str()))
        };
        items.iter().any(is_next) && !view.may_be(before.to - 1, Cue::Companies)
    };
    let says_company = items.iter().take(6).any(|item| match item.what {
        Is::Noise | Is::Small => view.piece(item.from).is_some_and(|piece| {
            piece.may_be(Cue::Companies) && !piece.may_be(Cue::People) && !piece.may_be(Cue::Filler)
        }),
        // "Retail gurus" are somebody, whoever that is.
        Is::Condition(Class::Industry | Class::Size, _) => !is_of_unknown(item),
        _ => false,
    });
    says_company && !of_people && !says_people(view, items)
}

/// Whether a word is said of people, though it became no condition on them.
fn says_people(view: Text<'_>, items: &[Item]) -> bool {
    // Women, believers and the like are people, unless they own a company or are what it is.
    let is_of_company = |at: usize| view.said(at) == "owned" || view.says_companies(at);
    let says_trait = items.iter().any(|item| {
        item.what == Is::Unsupported(Reason::ProtectedTrait) && !is_of_company(item.to)
    });
    let says_learned = items.iter().any(|item| {
        let mut pieces = item.from..item.to;
        match item.what {
            Is::Unsupported(Reason::NoSuchField) => {
                pieces.any(|at| LEARNED.contains(&view.stem(at).as_str()))
            }
            Is::Unknown => pieces.any(|at| says_holder(view, at)),
            Is::Unsupported(Reason::PastEmployer) => {
                pieces.any(|at| view.piece(at).is_some_and(says_role))
            }
            _ => false,
        }
    });
    // "Companies with 50 employees" says how many, not who.
    let is_counted = |at: usize| {
        let before = at.checked_sub(1);
        view.may_be(at, Cue::Employees)
            && before.is_some_and(|before| view.number(before).is_some())
    };
    let may_be = |cue| (0..view.pieces.len()).any(|at| view.may_be(at, cue) && !is_counted(at));
    let names_people = (0..view.pieces.len()).any(|at| names_people(view, at));
    // "Company: Siemens" says where somebody works, "software companies" are what is sought.
    let leads_to_employer = |at: usize| view.may_be(at, Cue::At) && view.said(at) == view.stem(at);
    let has_employer = (0..view.pieces.len()).any(leads_to_employer);
    says_trait || says_learned || names_people || may_be(Cue::People) || has_employer
}

fn has_condition(items: &[Item], is_sought: impl Fn(Class) -> bool) -> bool {
    items
        .iter()
        .any(|item| matches!(&item.what, Is::Condition(class, _) if is_sought(*class)))
}

/// Whether a piece may be a title, a level or a function.
fn says_role(piece: &Piece) -> bool {
    piece.meanings().iter().any(Meaning::is_role)
}
