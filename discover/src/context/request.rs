//! The words with which the one who asks comes to what they ask for, and what they want to do with it.

use crate::annotate::{Piece, What};
use crate::meaning::{Cue, Meaning};
use crate::text::Text;
use crate::vocabulary::vocabulary;

use super::sentence::says_who;

/// Behind these what is wanted begins.
pub(super) const REQUESTS: &[&str] = &[
    "looking for",
    "look for",
    "search for",
    "want",
    "need",
    "find",
    "find me",
    "list of",
    "a list of",
    "get",
    "get me",
    "target",
    "target list of",
    "would like",
    "would love",
    "would want",
    "interested in",
    "i want",
    "i need",
    "we want",
    "we need",
    "show me",
    "give me",
    "seeking",
    "searching for",
    "sourcing",
    "hunting for",
    "hunting",
    "trying to find",
    "trying to reach",
    "after",
    "after some",
    "love",
    "like",
    "who",
    "identify",
    "build a list of",
    "hiring for",
    "recruiting for",
    "reach",
    "want to see",
    "searching",
    "contact",
    "meet",
    "reach out to",
    "pull",
    "find people",
    "source",
    "need a list of",
    "in need of",
    "wish",
    "must have",
    "wonder",
    "wondering",
    "could use",
    "ask for",
    "asking for",
    "grateful for",
    "thankful for",
    "glad to see",
    "happy to see",
    "opening for",
    "openings for",
];
/// Behind these what is wanted begins where a clause begins with them: "…, so list nurses", but not "we list houses".
const IMPERATIVES: &[&str] = &[
    "list",
    "show",
    "give",
    "name",
    "send",
    "provide",
    "return",
    "fetch",
    "compile",
    "display",
    "suggest",
    "recommend",
    "share",
    "tell",
    "export",
    "prepare",
    "bring",
    "help",
];
/// Right behind the one who asks these ask, unless a clause behind them does: "I'm hiring nurses", "we have to call CFOs".
const UNDERTAKINGS: &[&str] = &[
    "hiring",
    "recruiting",
    "headhunting",
    "inviting",
    "interviewing",
    "contacting",
    "approaching",
    "have to",
    "must",
    "should",
    "ought to",
    "plan to",
    "planning to",
    "hope to",
    "hoping to",
    "intend to",
    "aim to",
    "going to",
    "about to",
    "needing",
    "looking to",
    "trying to",
    "wanting to",
    "keen to",
    "eager to",
    "gotta",
    "got to",
];
/// Whom the one who does this is after, if it is somebody, and if nothing is asked for in a later sentence: "we are targeting banks",
/// but "we are targeting banks. Find CFOs", "I'm looking into a role at Google".
const PURSUITS: &[&str] = &[
    "targeting",
    "exploring",
    "evaluating",
    "assessing",
    "considering",
    "collecting",
    "gathering",
    "require",
    "focusing on",
    "looking at",
    "looks at",
    "looks for",
    "looking into",
    "on the hunt for",
    "on the lookout for",
    "in search of",
    "in the market for",
    "keen on",
    "curious about",
];
/// Behind "only" these say which ones are wanted, where what follows says whom: "we can only use contacts with email", but not "we only
/// use Salesforce", "we only work with banks".
const RESTRICTIONS: &[&str] = &[
    "use",
    "take",
    "accept",
    "consider",
    "contact",
    "include",
    "process",
    "handle",
    "look at",
    "work with",
];
/// In front of a noun for whom somebody is after: "our ideal customers are".
const IDEALS: &[&str] = &[
    "ideal",
    "target",
    "perfect",
    "dream",
    "preferred",
    "best",
    "typical",
    "main",
];
/// Whom somebody is after, where only "main" or "best" says so.
const BUYERS: &[&str] = &[
    "customer", "client", "buyer", "prospect", "user", "lead", "account",
];
/// Words for whom somebody is after, without another one.
const PROFILES: &[&str] = &[
    "icp",
    "persona",
    "buyer persona",
    "target persona",
    "ideal customer profile",
];
/// Between the one who asks and what they do, or in front of a request.
const SOFTENERS: &[&str] = &[
    "please",
    "is",
    "are",
    "kindly",
    "now",
    "right now",
    "then",
    "also",
    "just",
    "currently",
    "actively",
    "urgently",
    "always",
    "still",
    "really",
    "can",
    "could",
    "would",
    "you",
    "i",
    "we",
    "i'd",
    "we'd",
    "i'm",
    "we're",
    "i'll",
    "we'll",
];
/// What is done to somebody with something: "(want to) sell software to".
const OFFERS: &[&str] = &["sell", "offer", "pitch", "present", "introduce", "market"];
/// So many pieces lie at most between an offer and its "to".
const LONGEST_OFFER: usize = 5;

/// "(We can) only use contacts with email": the piece behind the verb.
pub(super) fn restricted(text: Text<'_>, from: usize) -> Option<usize> {
    let only = text.skip(from + 1, SOFTENERS);
    let behind = text.said_as(only + 1, RESTRICTIONS)?;
    let whom = text.skip(behind, &["those", "the", "any"]);
    let is_them = |at: usize| {
        text.may_be(at, Cue::People)
            || matches!(
                text.stem(at).as_str(),
                "contact" | "record" | "profile" | "one" | "those"
            )
    };
    let noun = (behind..=whom).rev().take(2).find(|at| is_them(*at))?;
    // "… for sales", "… in marketing" says what they are used for.
    let next = noun + 1;
    let says_which = matches!(
        text.said(next).as_str(),
        "with"
            | "who"
            | "that"
            | "who have"
            | "that have"
            | "having"
            | "whose"
            | "who are"
            | "that are"
    );
    let mut places = text.piece(next + 1).map_or(&[][..], Piece::meanings).iter();
    let is_where =
        text.may_be(next, Cue::In) && places.any(|meaning| matches!(meaning, Meaning::Place(_)));
    (text.said(only) == "only" && (says_which || is_where)).then_some(behind)
}

/// The piece behind the words with which the one who begins to speak at `from` asks.
pub(super) fn request(text: Text<'_>, from: usize, to: usize) -> Option<usize> {
    if let Some(wanted) = wanted_by_another(text, from) {
        return Some(wanted);
    }
    if let Some(behind) = for_employer(text, from, to) {
        let again = asked(text, behind, to);
        let names_role = (to..text.pieces.len()).any(|at| says_role(text, at));
        if again.is_some() || names_role || is_asked_later(text, to) {
            return again;
        }
    }
    if let Some(behind) = restricted(text, from) {
        return Some(behind);
    }
    let Some(undertaken) = undertaken(text, from, UNDERTAKINGS) else {
        let is_pursued =
            |behind: &usize| names_somebody(text, *behind) && !is_asked_later(text, to);
        let pursued = || pursued(text, from).filter(is_pursued);
        return asked(text, from, to).or_else(pursued);
    };
    let asks = |at: &usize| {
        let is_one = REQUESTS.contains(&text.said(*at).as_str());
        (is_one || is_imperative(text, *at)) && begins_clause(text, *at)
    };
    (undertaken..to)
        .find(asks)
        .map_or(Some(undertaken), |at| Some(at + 1))
}

/// The piece behind the words with which the one who asks says for whom they look, if that is a company: "I'm a recruiter hiring for a
/// bank". Whom they look for, a later clause says.
fn for_employer(text: Text<'_>, from: usize, to: usize) -> Option<usize> {
    const FOR: &[&str] = &[
        "hiring for",
        "recruiting for",
        "sourcing for",
        "recruit for",
        "hire for",
    ];
    let behind = (from..to).find_map(|at| text.said_as(at, FOR))?;
    let ends = |at: &usize| {
        let piece = text.piece(*at);
        piece.is_some_and(|piece| {
            !matches!(piece.what, What::Mark(_))
                && !piece.may_be(Cue::And)
                && !piece.may_be(Cue::In)
        })
    };
    let mut noun = (behind..to).take_while(ends);
    let names_company = noun.clone().any(|at| text.says_companies(at));
    (names_company && !noun.any(|at| says_role(text, at))).then_some(behind)
}

/// Whether a piece says a role.
fn says_role(text: Text<'_>, at: usize) -> bool {
    let meanings = text.piece(at).map_or(&[][..], Piece::meanings);
    meanings.iter().any(Meaning::is_role)
}

/// Whether what stands from a piece on up to a preposition or a mark says who is sought.
fn names_somebody(text: Text<'_>, from: usize) -> bool {
    let ends = |at: usize| {
        let leads_on = [Cue::In, Cue::At, Cue::With];
        text.piece(at).is_none_or(|piece| {
            matches!(piece.what, What::Mark(_)) || leads_on.iter().any(|cue| piece.may_be(*cue))
        })
    };
    let mut noun = (from..).take_while(|at| !ends(*at));
    noun.any(|at| says_who(text, at) || text.may_be(at, Cue::People) && !is_job(text, at))
}

/// Whether a noun is for work, not for those who do it: "(looking into) a role".
fn is_job(text: Text<'_>, at: usize) -> bool {
    matches!(
        text.stem(at).as_str(),
        "role" | "job" | "position" | "function" | "team" | "department"
    )
}

/// The piece behind the words with which the one who asks says whom they are after.
fn pursued(text: Text<'_>, from: usize) -> Option<usize> {
    if let Some(behind) = undertaken(text, from, PURSUITS) {
        return Some(behind);
    }
    let is_owner = matches!(text.said(from).as_str(), "my" | "our");
    let verbs = ["is", "are", "would be", "will be"];
    if let Some(verb) = text.said_as(from + 1, PROFILES).filter(|_| is_owner) {
        return text.said_as(verb, &verbs);
    }
    let noun = text.said_as(from + 1, IDEALS).filter(|_| is_owner)?;
    // "Our main competitors are" says whom they fear.
    let is_vague = matches!(text.said(from + 1).as_str(), "best" | "typical" | "main");
    if is_vague && !BUYERS.contains(&text.stem(noun).as_str()) {
        return None;
    }
    text.said_as(noun + 1, &verbs)
}

/// Whether a sentence behind a piece asks for something, and not only for what is left out: "please skip banks".
fn is_asked_later(text: Text<'_>, from: usize) -> bool {
    let mut next = from;
    while let Some(behind) = asked(text, next, text.pieces.len()) {
        let excludes = [Cue::Except, Cue::Not, Cue::Without];
        if !excludes.iter().any(|cue| text.may_be(behind, *cue)) {
            return true;
        }
        next = behind;
    }
    false
}

/// The piece behind the first words that ask.
pub(super) fn asked(text: Text<'_>, from: usize, to: usize) -> Option<usize> {
    let is_content = |at: usize| text.piece(at).is_some_and(|piece| !piece.is_small());
    // "No startups please, and whose …"
    let ends_item = |at: usize| {
        text.is_mark(at, ',')
            && [Cue::And, Cue::But]
                .iter()
                .any(|cue| text.may_be(at + 1, *cue))
    };
    let asks = |at: usize| {
        let is_request = is_imperative(text, at) && begins_clause(text, at)
            || text.said(at) == "please" && !ends_item(at + 1) && (at + 1..to).any(is_content);
        let behind = text.said_as(at, REQUESTS);
        behind.or(is_request.then_some(at + 1))
    };
    (from..to).find_map(asks)
}

/// "My boss wants", "our client, a bank in Rome, needs": the piece behind it.
pub(super) fn wanted_by_another(text: Text<'_>, from: usize) -> Option<usize> {
    const LONGEST_ASIDE: usize = 8;
    let is_owner = matches!(text.said(from).as_str(), "my" | "our") || names_user(text, from);
    let mut verb = from + 2;
    if text.is_mark(verb, ',') {
        verb = (verb + 1..verb + LONGEST_ASIDE).find(|at| text.is_mark(*at, ','))? + 1;
    }
    let wants = [
        "wants",
        "needs",
        "asks for",
        "asked for",
        "requires",
        "looking for",
        "searching for",
        "seeking",
        "wants to find",
        "interested in",
    ];
    text.said_as(text.skip(verb, SOFTENERS), &wants)
        .filter(|_| is_owner)
}

/// "The user", for whom somebody else asks.
pub(super) fn names_user(text: Text<'_>, at: usize) -> bool {
    let noun = text.said(at + 1);
    text.said(at) == "the" && matches!(noun.as_str(), "user" | "client" | "customer" | "requester")
}

/// The piece behind what the one who asks, or "my company", does or is about to do.
fn undertaken(text: Text<'_>, from: usize, verbs: &[&str]) -> Option<usize> {
    let is_owner = matches!(text.said(from).as_str(), "my" | "our");
    let subject = if is_owner { from + 2 } else { from + 1 };
    text.said_as(text.skip(subject, SOFTENERS), verbs)
}

/// An imperative, which does not go on with what the one who asks does: "we buy and list houses".
fn is_imperative(text: Text<'_>, at: usize) -> bool {
    let said = text.said(at);
    let first = said.split(' ').next();
    let before = at.checked_sub(1).map(|before| text.said(before));
    let goes_on = before.is_some_and(|word| matches!(word.as_str(), "and" | "but"));
    !goes_on && first.is_some_and(|word| IMPERATIVES.contains(&word))
}

/// Whether a clause begins at a piece, or in front of words that only make it polite.
fn begins_clause(text: Text<'_>, mut at: usize) -> bool {
    while let Some(before) = at.checked_sub(1) {
        let said = text.said(before);
        if matches!(
            said.as_str(),
            "so" | "and" | "but" | "therefore" | "thus" | "hence"
        ) || text.is_mark(before, ',')
        {
            return true;
        }
        if !SOFTENERS.contains(&said.as_str()) {
            return false;
        }
        at = before;
    }
    false
}

/// Over what the one who asks wants to do with what they ask for: "(want) to invite", "(interested in) meeting", "(want) to sell
/// software to".
pub(super) fn behind_purpose(text: Text<'_>, at: usize, to: usize) -> usize {
    let verb = text.skip(at, &["to", "also", "then"]);
    let said = text.said(verb);
    let is_gerund = said.ends_with("ing") && !is_noun_in_front(text, at);
    if verb >= to || verb == at && !is_gerund && !follows_auxiliary(text, at) {
        return at;
    }
    if OFFERS.contains(&said.as_str()) {
        let ends = (verb + 1..to.min(verb + LONGEST_OFFER)).find(|at| text.said(*at) == "to");
        // "To sell not to CFOs" leaves them out.
        let denies = |end: &usize| {
            let cues = [Cue::Not, Cue::Nor, Cue::Neither, Cue::Except, Cue::Without];
            (verb + 1..*end).any(|at| cues.iter().any(|cue| text.may_be(at, *cue)))
        };
        return ends.filter(|end| !denies(end)).map_or(at, |end| end + 1);
    }
    if !vocabulary().is_purpose(&said) {
        return at;
    }
    // "To invite and interview"
    let next = verb + 1;
    let joins = text.may_be(next, Cue::And) || text.may_be(next, Cue::Or);
    if joins && vocabulary().is_purpose(&text.said(next + 1)) {
        return next + 2;
    }
    next
}

/// Whether a word behind "need" and the like says which ones are needed: "(we need) hiring managers", not "(interested in) hiring
/// managers".
fn is_noun_in_front(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let said = before.unwrap_or_default();
    matches!(
        said.rsplit(' ').next(),
        Some("need" | "want" | "find" | "for" | "seeking" | "sourcing" | "me" | "of" | "get")
    )
}

/// Whether a verb stands behind these without "to": "must call", "have to call".
fn follows_auxiliary(text: Text<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| text.said(before));
    let said = before.unwrap_or_default();
    matches!(said.as_str(), "must" | "should") || said.rsplit(' ').next() == Some("to")
}
