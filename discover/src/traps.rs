//! Words that begin something which no column answers, and how far it reaches: "who speak Spanish" is not about Spain.

use events_schema::record::RecordKind;

use crate::Reason;
use crate::amount::Text;
use crate::annotate::is_place;
use crate::meaning::{Cue, Meaning};

/// How far an unanswerable phrase reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Only its own words.
    Words,
    /// The next phrase too.
    Next,
    /// To the end of the clause.
    Clause,
    /// To the end of the text: what follows a statement for a database is part of it.
    Rest,
}

use Reach::{Clause, Next, Rest, Words};
use Reason::{NoSuchField, PastEmployer, ProtectedTrait, Ranking, UnknownTerm};

const TRAPS: &[(&str, Reason, Reach)] = &[
    // Languages
    ("speak", NoSuchField, Clause),
    ("speaking", NoSuchField, Clause),
    ("speaker", NoSuchField, Words),
    ("fluent", NoSuchField, Clause),
    ("fluent in", NoSuchField, Clause),
    ("native", NoSuchField, Clause),
    ("bilingual", NoSuchField, Clause),
    ("multilingual", NoSuchField, Words),
    ("language", NoSuchField, Words),
    // Skills and tools
    ("who know", NoSuchField, Clause),
    ("know", NoSuchField, Clause),
    ("knowing", NoSuchField, Clause),
    ("knowledge of", NoSuchField, Clause),
    ("skilled", NoSuchField, Clause),
    ("skilled in", NoSuchField, Clause),
    ("skill", NoSuchField, Clause),
    ("proficient", NoSuchField, Clause),
    ("expertise", NoSuchField, Clause),
    ("experienced in", NoSuchField, Clause),
    ("experienced with", NoSuchField, Clause),
    ("experience with", NoSuchField, Clause),
    ("experience using", NoSuchField, Clause),
    ("background in", NoSuchField, Clause),
    ("familiar with", NoSuchField, Clause),
    ("expert in", NoSuchField, Clause),
    ("using", NoSuchField, Clause),
    ("use", NoSuchField, Clause),
    ("used", NoSuchField, Clause),
    ("running on", NoSuchField, Clause),
    ("run on", NoSuchField, Clause),
    ("powered by", NoSuchField, Clause),
    ("built on", NoSuchField, Clause),
    ("built with", NoSuchField, Clause),
    ("tech stack", NoSuchField, Clause),
    ("certified", NoSuchField, Words),
    ("certification", NoSuchField, Clause),
    ("certificate", NoSuchField, Clause),
    ("iso", NoSuchField, Clause),
    ("licensed", NoSuchField, Words),
    ("code in", NoSuchField, Clause),
    ("specialize in", NoSuchField, Clause),
    ("specialise in", NoSuchField, Clause),
    ("specializing in", NoSuchField, Clause),
    ("specialising in", NoSuchField, Clause),
    ("specialized in", NoSuchField, Clause),
    ("focused on", NoSuchField, Clause),
    ("focusing on", NoSuchField, Clause),
    ("focus on", NoSuchField, Clause),
    // Education
    ("alumni", NoSuchField, Words),
    ("alumni of", NoSuchField, Clause),
    ("alumni from", NoSuchField, Clause),
    ("alumnus", NoSuchField, Words),
    ("alumnus of", NoSuchField, Clause),
    ("alum", NoSuchField, Words),
    ("alum of", NoSuchField, Clause),
    ("graduate of", NoSuchField, Clause),
    ("graduated", NoSuchField, Clause),
    ("studied", NoSuchField, Clause),
    ("study", NoSuchField, Clause),
    ("degree", NoSuchField, Clause),
    ("mba", NoSuchField, Words),
    ("phd", NoSuchField, Words),
    ("phds", NoSuchField, Words),
    ("bachelor", NoSuchField, Clause),
    ("master", NoSuchField, Clause),
    ("master of", NoSuchField, Clause),
    ("attended", NoSuchField, Clause),
    ("majored", NoSuchField, Clause),
    ("educated", NoSuchField, Clause),
    ("went to", NoSuchField, Clause),
    ("doctorate", NoSuchField, Words),
    ("diploma", NoSuchField, Words),
    // The past
    ("ex", PastEmployer, Next),
    ("former", PastEmployer, Next),
    ("formerly", PastEmployer, Clause),
    ("previously", PastEmployer, Clause),
    ("used to", PastEmployer, Clause),
    ("once worked", PastEmployer, Clause),
    ("worked at", PastEmployer, Clause),
    ("worked for", PastEmployer, Clause),
    ("worked in", PastEmployer, Clause),
    ("have worked", PastEmployer, Clause),
    ("has worked", PastEmployer, Clause),
    ("past employer", PastEmployer, Clause),
    ("previous employer", PastEmployer, Clause),
    ("past job", PastEmployer, Clause),
    ("previous role", PastEmployer, Clause),
    ("past role", PastEmployer, Clause),
    ("past experience", PastEmployer, Clause),
    ("left", PastEmployer, Clause),
    ("came from", PastEmployer, Clause),
    ("prior experience", PastEmployer, Clause),
    ("worked with", PastEmployer, Clause),
    ("worked", PastEmployer, Clause),
    ("who were", PastEmployer, Clause),
    ("was at", PastEmployer, Clause),
    ("were at", PastEmployer, Clause),
    // Changes of jobs
    ("promoted", NoSuchField, Clause),
    ("changed job", NoSuchField, Clause),
    ("changed role", NoSuchField, Clause),
    ("changed compan", NoSuchField, Clause),
    ("switched", NoSuchField, Clause),
    ("new job", NoSuchField, Clause),
    ("new role", NoSuchField, Clause),
    ("new to", NoSuchField, Clause),
    ("joined", NoSuchField, Clause),
    ("just joined", NoSuchField, Clause),
    ("recently joined", NoSuchField, Clause),
    ("recently hired", NoSuchField, Clause),
    ("hired in", NoSuchField, Clause),
    ("hired", NoSuchField, Clause),
    ("moved", NoSuchField, Clause),
    ("open to", NoSuchField, Clause),
    ("looking for a job", NoSuchField, Clause),
    ("looking for a new", NoSuchField, Clause),
    ("looking for new", NoSuchField, Clause),
    ("looking for work", NoSuchField, Clause),
    ("looking to", NoSuchField, Clause),
    ("willing to", NoSuchField, Clause),
    ("ready to", NoSuchField, Clause),
    ("relocate", NoSuchField, Clause),
    ("relocating", NoSuchField, Clause),
    ("job seeker", NoSuchField, Words),
    ("available for", NoSuchField, Clause),
    ("available to", NoSuchField, Clause),
    ("reporting to", NoSuchField, Clause),
    ("report to", NoSuchField, Clause),
    ("who manage", NoSuchField, Clause),
    ("managing", NoSuchField, Clause),
    ("manages", NoSuchField, Clause),
    ("responsible for", NoSuchField, Clause),
    ("in charge of", NoSuchField, Clause),
    ("time in role", NoSuchField, Clause),
    ("in their current role", NoSuchField, Clause),
    ("in current role", NoSuchField, Clause),
    ("in role", NoSuchField, Clause),
    ("stayed", NoSuchField, Clause),
    ("been at", NoSuchField, Clause),
    ("been with", NoSuchField, Clause),
    ("been in", NoSuchField, Clause),
    ("work from home", NoSuchField, Words),
    ("remote", NoSuchField, Words),
    ("remotely", NoSuchField, Words),
    ("part time", NoSuchField, Words),
    ("full time", NoSuchField, Words),
    ("visa", NoSuchField, Clause),
    ("security clearance", NoSuchField, Clause),
    ("clearance", NoSuchField, Words),
    ("citizen", NoSuchField, Clause),
    ("citizenship", NoSuchField, Clause),
    ("passport", NoSuchField, Clause),
    // Money
    ("salary", NoSuchField, Clause),
    ("earning", NoSuchField, Clause),
    ("earn", NoSuchField, Clause),
    ("who make", NoSuchField, Clause),
    ("paid", NoSuchField, Clause),
    ("compensation", NoSuchField, Clause),
    ("income", NoSuchField, Clause),
    ("raised", NoSuchField, Clause),
    ("raise", NoSuchField, Clause),
    ("raising", NoSuchField, Clause),
    ("series a", NoSuchField, Words),
    ("series b", NoSuchField, Words),
    ("series c", NoSuchField, Words),
    ("series d", NoSuchField, Words),
    ("series", NoSuchField, Next),
    ("seed", NoSuchField, Words),
    ("seed stage", NoSuchField, Words),
    ("pre seed", NoSuchField, Words),
    ("early stage", NoSuchField, Words),
    ("late stage", NoSuchField, Words),
    ("growth stage", NoSuchField, Words),
    ("funded", NoSuchField, Clause),
    ("funding", NoSuchField, Clause),
    ("well funded", NoSuchField, Words),
    ("vc backed", NoSuchField, Words),
    ("vc funded", NoSuchField, Words),
    ("venture backed", NoSuchField, Words),
    ("venture funded", NoSuchField, Words),
    ("pe backed", NoSuchField, Words),
    ("backed by", NoSuchField, Clause),
    ("backed", NoSuchField, Words),
    ("bootstrapped", NoSuchField, Words),
    ("ipo", NoSuchField, Clause),
    ("valuation", NoSuchField, Clause),
    ("valued at", NoSuchField, Clause),
    ("unicorn", NoSuchField, Words),
    ("investor", NoSuchField, Clause),
    ("acquired", NoSuchField, Clause),
    ("revenue", NoSuchField, Clause),
    ("annual revenue", NoSuchField, Clause),
    ("arr", NoSuchField, Clause),
    ("turnover", NoSuchField, Clause),
    ("profitable", NoSuchField, Words),
    ("profit", NoSuchField, Clause),
    ("market cap", NoSuchField, Clause),
    ("ebitda", NoSuchField, Clause),
    ("budget", NoSuchField, Clause),
    ("net worth", NoSuchField, Clause),
    // Business
    ("b2b", NoSuchField, Words),
    ("b2c", NoSuchField, Words),
    ("d2c", NoSuchField, Words),
    ("dtc", NoSuchField, Words),
    ("sell to", NoSuchField, Clause),
    ("selling to", NoSuchField, Clause),
    ("that sell", NoSuchField, Clause),
    ("who sell", NoSuchField, Clause),
    ("which sell", NoSuchField, Clause),
    ("sell", NoSuchField, Clause),
    ("selling", NoSuchField, Clause),
    ("serve", NoSuchField, Clause),
    ("serving", NoSuchField, Clause),
    ("customer of", NoSuchField, Clause),
    ("client of", NoSuchField, Clause),
    ("supplier of", NoSuchField, Clause),
    ("supplier to", NoSuchField, Clause),
    ("competitor", NoSuchField, Clause),
    ("competitor of", NoSuchField, Clause),
    ("competing with", NoSuchField, Clause),
    ("similar to", NoSuchField, Clause),
    ("partnered with", NoSuchField, Clause),
    ("partner of", NoSuchField, Clause),
    ("subsidiary of", NoSuchField, Clause),
    ("owned by", NoSuchField, Clause),
    ("founded by", NoSuchField, Clause),
    ("led by", NoSuchField, Clause),
    ("women owned", ProtectedTrait, Words),
    ("woman owned", ProtectedTrait, Words),
    ("minority owned", ProtectedTrait, Words),
    ("black owned", ProtectedTrait, Words),
    ("veteran owned", ProtectedTrait, Words),
    ("family owned", NoSuchField, Words),
    ("employee owned", NoSuchField, Words),
    ("women led", ProtectedTrait, Words),
    ("female led", ProtectedTrait, Words),
    ("female founded", ProtectedTrait, Words),
    ("hiring", NoSuchField, Clause),
    ("recruiting for", NoSuchField, Clause),
    ("open role", NoSuchField, Clause),
    ("job opening", NoSuchField, Clause),
    ("opening", NoSuchField, Clause),
    ("vacancy", NoSuchField, Clause),
    ("job posting", NoSuchField, Clause),
    ("new office", NoSuchField, Clause),
    ("offices in", NoSuchField, Clause),
    ("office in", NoSuchField, Clause),
    ("ticker", NoSuchField, Clause),
    ("ticker symbol", NoSuchField, Clause),
    ("fortune", NoSuchField, Next),
    ("forbes", NoSuchField, Clause),
    ("in the news", NoSuchField, Clause),
    ("glassdoor", NoSuchField, Clause),
    ("rating", NoSuchField, Clause),
    ("rated", NoSuchField, Clause),
    ("review", NoSuchField, Clause),
    ("award", NoSuchField, Clause),
    ("award winning", NoSuchField, Words),
    ("making", NoSuchField, Clause),
    ("that make", NoSuchField, Clause),
    ("working on", NoSuchField, Clause),
    ("building", NoSuchField, Clause),
    // What people do
    ("interested in", NoSuchField, Clause),
    ("likely to", NoSuchField, Clause),
    ("intent", NoSuchField, Clause),
    ("in the market for", NoSuchField, Clause),
    ("in market for", NoSuchField, Clause),
    ("posted", NoSuchField, Clause),
    ("posting", NoSuchField, Clause),
    ("tweeted", NoSuchField, Clause),
    ("active on", NoSuchField, Clause),
    ("follow", NoSuchField, Clause),
    ("follower", NoSuchField, Clause),
    ("connection", NoSuchField, Clause),
    ("spoke at", NoSuchField, Clause),
    ("attending", NoSuchField, Clause),
    ("visited", NoSuchField, Clause),
    ("visiting", NoSuchField, Clause),
    ("love", NoSuchField, Clause),
    ("who like", NoSuchField, Clause),
    ("who enjoy", NoSuchField, Clause),
    ("passionate", NoSuchField, Clause),
    ("volunteer at", NoSuchField, Clause),
    ("volunteering", NoSuchField, Clause),
    ("patent", NoSuchField, Clause),
    ("published", NoSuchField, Clause),
    ("publication", NoSuchField, Words),
    ("hobby", NoSuchField, Clause),
    ("kid", NoSuchField, Clause),
    ("children", ProtectedTrait, Clause),
    // Ways to reach people that are no columns
    ("phone", NoSuchField, Words),
    ("phone number", NoSuchField, Words),
    ("mobile", NoSuchField, Words),
    ("mobile number", NoSuchField, Words),
    ("mobile phone", NoSuchField, Words),
    ("mobile phone number", NoSuchField, Words),
    ("cell", NoSuchField, Words),
    ("cell phone", NoSuchField, Words),
    ("cell number", NoSuchField, Words),
    ("cell phone number", NoSuchField, Words),
    ("telephone", NoSuchField, Words),
    ("telephone number", NoSuchField, Words),
    ("direct dial", NoSuchField, Words),
    ("direct line", NoSuchField, Words),
    ("direct phone", NoSuchField, Words),
    ("landline", NoSuchField, Words),
    ("personal email", NoSuchField, Words),
    ("private email", NoSuchField, Words),
    ("personal email address", NoSuchField, Words),
    ("personal e mail", NoSuchField, Words),
    ("gmail address", NoSuchField, Words),
    ("home address", NoSuchField, Words),
    ("postal address", NoSuchField, Words),
    ("whatsapp", NoSuchField, Words),
    ("twitter", NoSuchField, Words),
    ("github", NoSuchField, Words),
    ("facebook profile", NoSuchField, Words),
    ("instagram", NoSuchField, Words),
    ("x account", NoSuchField, Words),
    ("verified phone", NoSuchField, Words),
    ("work phone", NoSuchField, Words),
    ("personal phone", NoSuchField, Words),
    // Protected traits
    ("female", ProtectedTrait, Words),
    ("male", ProtectedTrait, Words),
    ("women", ProtectedTrait, Words),
    ("woman", ProtectedTrait, Words),
    ("men", ProtectedTrait, Words),
    ("man", ProtectedTrait, Words),
    ("girl", ProtectedTrait, Words),
    ("boy", ProtectedTrait, Words),
    ("lady", ProtectedTrait, Words),
    ("gender", ProtectedTrait, Words),
    ("lgbt", ProtectedTrait, Words),
    ("lgbtq", ProtectedTrait, Words),
    ("gay", ProtectedTrait, Words),
    ("lesbian", ProtectedTrait, Words),
    ("queer", ProtectedTrait, Words),
    ("trans", ProtectedTrait, Words),
    ("transgender", ProtectedTrait, Words),
    ("straight", ProtectedTrait, Words),
    ("black", ProtectedTrait, Words),
    ("white", ProtectedTrait, Words),
    ("asian", ProtectedTrait, Words),
    ("hispanic", ProtectedTrait, Words),
    ("latino", ProtectedTrait, Words),
    ("latina", ProtectedTrait, Words),
    ("latinx", ProtectedTrait, Words),
    ("caucasian", ProtectedTrait, Words),
    ("african american", ProtectedTrait, Words),
    ("arab", ProtectedTrait, Words),
    ("minority", ProtectedTrait, Words),
    ("minorities", ProtectedTrait, Words),
    ("ethnic", ProtectedTrait, Clause),
    ("ethnicity", ProtectedTrait, Words),
    ("race", ProtectedTrait, Words),
    ("jewish", ProtectedTrait, Words),
    ("jew", ProtectedTrait, Words),
    ("muslim", ProtectedTrait, Words),
    ("christian", ProtectedTrait, Words),
    ("catholic", ProtectedTrait, Words),
    ("hindu", ProtectedTrait, Words),
    ("buddhist", ProtectedTrait, Words),
    ("sikh", ProtectedTrait, Words),
    ("mormon", ProtectedTrait, Words),
    ("atheist", ProtectedTrait, Words),
    ("religion", ProtectedTrait, Words),
    ("religious", ProtectedTrait, Words),
    ("disabled", ProtectedTrait, Words),
    ("disability", ProtectedTrait, Words),
    ("disabilities", ProtectedTrait, Words),
    ("veteran", ProtectedTrait, Words),
    ("pregnant", ProtectedTrait, Words),
    ("married", ProtectedTrait, Words),
    ("divorced", ProtectedTrait, Words),
    ("unmarried", ProtectedTrait, Words),
    ("young", ProtectedTrait, Words),
    ("younger", ProtectedTrait, Words),
    ("millennial", ProtectedTrait, Words),
    ("gen z", ProtectedTrait, Words),
    ("gen x", ProtectedTrait, Words),
    ("boomer", ProtectedTrait, Words),
    ("mother", ProtectedTrait, Words),
    ("father", ProtectedTrait, Words),
    ("parent", ProtectedTrait, Words),
    ("mom", ProtectedTrait, Words),
    ("dad", ProtectedTrait, Words),
    ("sexual orientation", ProtectedTrait, Words),
    ("age", ProtectedTrait, Clause),
    ("aged", ProtectedTrait, Clause),
    ("immigrant", ProtectedTrait, Words),
    ("healthy", ProtectedTrait, Words),
    ("vegan", ProtectedTrait, Words),
    ("political", ProtectedTrait, Clause),
    ("republican", ProtectedTrait, Words),
    ("democrat", ProtectedTrait, Words),
    ("union member", ProtectedTrait, Words),
    ("criminal record", ProtectedTrait, Words),
    ("retired", NoSuchField, Words),
    ("single mother", ProtectedTrait, Words),
    ("elderly", ProtectedTrait, Words),
    ("senior citizen", ProtectedTrait, Words),
    // What is said to a program, not asked for
    ("disregard", UnknownTerm, Rest),
    ("ignore all", UnknownTerm, Rest),
    ("ignore previous", UnknownTerm, Rest),
    ("ignore your", UnknownTerm, Rest),
    ("forget your", UnknownTerm, Rest),
    ("forget all", UnknownTerm, Rest),
    ("system prompt", UnknownTerm, Rest),
    ("password", UnknownTerm, Clause),
    ("api key", UnknownTerm, Clause),
    ("pretend", UnknownTerm, Rest),
    ("you are now", UnknownTerm, Rest),
    ("experienced", NoSuchField, Words),
    ("tripled", NoSuchField, Clause),
    ("quadrupled", NoSuchField, Clause),
    ("tripling", NoSuchField, Clause),
    ("cancer", ProtectedTrait, Words),
    ("politician", NoSuchField, Words),
    // Statements for databases
    ("drop table", UnknownTerm, Rest),
    ("drop database", UnknownTerm, Rest),
    ("delete from", UnknownTerm, Rest),
    ("insert into", UnknownTerm, Rest),
    ("union select", UnknownTerm, Rest),
    ("union all", UnknownTerm, Rest),
    ("truncate table", UnknownTerm, Rest),
    ("alter table", UnknownTerm, Rest),
    ("update company", UnknownTerm, Rest),
    ("update person", UnknownTerm, Rest),
    ("update people", UnknownTerm, Rest),
    ("exec", UnknownTerm, Rest),
    // Rankings
    ("best", Ranking, Words),
    ("top", Ranking, Words),
    ("largest", Ranking, Words),
    ("biggest", Ranking, Words),
    ("fastest", Ranking, Words),
    ("fastest growing", Ranking, Words),
    ("highest", Ranking, Next),
    ("lowest", Ranking, Next),
    ("oldest", Ranking, Words),
    ("newest", Ranking, Words),
    ("youngest", Ranking, Words),
    ("smallest", Ranking, Words),
    ("richest", Ranking, Words),
    ("leading", Ranking, Words),
    ("most", Ranking, Next),
    ("least", Ranking, Next),
    ("sorted", Ranking, Clause),
    ("sort", Ranking, Clause),
    ("ordered", Ranking, Clause),
    ("order by", Ranking, Clause),
    ("rank", Ranking, Clause),
    ("ranked", Ranking, Clause),
    ("ranking", Ranking, Clause),
    ("random", Ranking, Words),
    ("randomly", Ranking, Words),
    ("sample", Ranking, Words),
    ("how many", Ranking, Words),
    ("count of", Ranking, Words),
    ("number one", Ranking, Words),
    ("first", Ranking, Next),
    ("in descending order", Ranking, Words),
    ("in ascending order", Ranking, Words),
    ("alphabetically", Ranking, Words),
    ("by seniority", Ranking, Words),
    ("best paid", Ranking, Words),
    ("highest paid", Ranking, Words),
    ("most senior", Ranking, Words),
    ("most recent", Ranking, Words),
    ("most influential", Ranking, Words),
    ("most experienced", Ranking, Words),
    ("longest serving", Ranking, Words),
    ("longest tenured", Ranking, Words),
    ("fast", Ranking, Words),
    ("rapidly", Ranking, Words),
    ("quickly", Ranking, Words),
    ("hottest", Ranking, Words),
    ("trending", Ranking, Words),
    ("oldest first", Ranking, Words),
    ("newest first", Ranking, Words),
    ("largest first", Ranking, Words),
    ("one per", Ranking, Clause),
    ("per company", Ranking, Words),
    ("per country", Ranking, Words),
    ("average", Ranking, Words),
    ("total number of", Ranking, Words),
    ("sorting", Ranking, Clause),
    ("grouped by", Ranking, Clause),
    ("group by", Ranking, Clause),
];

/// Whether a word is part of an unanswerable phrase: it is no slip of another one.
pub(crate) fn knows(word: &str) -> bool {
    TRAPS
        .iter()
        .any(|(phrase, ..)| phrase.split(' ').any(|part| part == word))
}

/// An unanswerable phrase that begins with piece `at`: the piece behind it, and why.
pub(crate) fn trap(kind: RecordKind, text: Text<'_>, at: usize) -> Option<(usize, Reason)> {
    let piece = text.piece(at)?;
    let stems: Vec<&str> = text
        .tokens
        .get(piece.from..)?
        .iter()
        .take(4)
        .take_while(|token| token.is_word())
        .map(|token| token.stem.as_str())
        .collect();
    let texts: Vec<&str> = text
        .tokens
        .get(piece.from..)?
        .iter()
        .take(4)
        .map(|token| token.text.as_str())
        .collect();
    let (length, reason, reach) = (1..=stems.len()).rev().find_map(|length| {
        let (phrase, raw) = (
            stems.get(..length)?.join(" "),
            texts.get(..length)?.join(" "),
        );
        TRAPS
            .iter()
            .find(|(words, ..)| *words == phrase || *words == raw)
            .map(|(_, reason, reach)| (length, *reason, *reach))
    })?;
    // "First, managers in Spain; second, …" counts the requests.
    if phrase_counts(text, at) {
        return None;
    }
    // A longer phrase of the vocabulary is what it says: "senior vice president", "master data manager".
    if piece.to - piece.from > length
        || (piece.to - piece.from == length && !piece.meanings().is_empty() && !piece.is_small())
    {
        return None;
    }
    let end_token = piece.from + length;
    let mut end = at + 1;
    while text.piece(end).is_some_and(|piece| piece.from < end_token) {
        end += 1;
    }
    // "backed by at least 10 sources" is a column.
    let counts_sources = (end..end + 5).any(|at| text.may_be(at, Cue::Sources));
    if counts_sources && texts.first() == Some(&"backed") {
        return None;
    }
    // In front of a role it describes those who have it: "recently promoted managers", "Spanish-speaking nurses".
    let is_attribute = kind == RecordKind::Person
        && stems.first().is_some_and(|word| {
            word.ends_with("ed")
                || word.ends_with("ing")
                || matches!(*word, "fluent" | "bilingual" | "native" | "remote")
        })
        && text.piece(end).is_some_and(|next| {
            next.meanings().iter().any(|meaning| {
                matches!(
                    meaning,
                    Meaning::Title(_)
                        | Meaning::Level(_)
                        | Meaning::Function(_)
                        | Meaning::Word(Cue::People)
                )
            })
        });
    let reach = if is_attribute { Words } else { reach };
    // "average tenure" is a column.
    if reason == Ranking && kind == RecordKind::Company && text.may_be(end, Cue::Tenure) {
        return None;
    }
    Some((
        match reach {
            Words => numbers_around(text, end, reason),
            Next => next(text, end),
            // What is named is content; what is done needs something that it is done to.
            Clause => clause_from(
                text,
                end,
                NAMED.contains(&stems.get(length - 1).copied().unwrap_or_default()),
            ),
            Rest => text.pieces.len(),
        },
        reason,
    ))
}

/// Whether a word only numbers what follows it.
pub(crate) fn phrase_counts(text: Text<'_>, at: usize) -> bool {
    let is_number = matches!(
        text.said(at).as_str(),
        "first" | "firstly" | "second" | "secondly" | "third" | "thirdly" | "fourth"
    );
    is_number && (text.is_mark(at + 1, ',') || text.is_mark(at + 1, ':'))
}

/// The number behind "top".
fn numbers_around(text: Text<'_>, end: usize, reason: Reason) -> usize {
    if reason == Ranking && text.number(end).is_some() {
        end + 1
    } else {
        end
    }
}

/// Over the next phrase that says something.
fn next(text: Text<'_>, mut at: usize) -> usize {
    while text.may_be(at, Cue::Filler) && !text.may_be(at, Cue::In) && !text.may_be(at, Cue::At) {
        at += 1;
    }
    let is_content = text
        .piece(at)
        .is_some_and(|piece| !matches!(piece.what, crate::annotate::What::Mark(_)));
    if is_content { at + 1 } else { at }
}

/// Traps that say something without an object.
const NAMED: &[&str] = &[
    "degree",
    "certification",
    "certificate",
    "diploma",
    "skill",
    "salary",
    "income",
    "compensation",
    "revenue",
    "funding",
    "profit",
    "turnover",
    "valuation",
    "budget",
    "visa",
    "citizenship",
    "passport",
    "intent",
    "hobby",
    "follower",
    "connection",
    "rating",
    "review",
    "award",
    "patent",
    "investor",
    "children",
    "kid",
    "promoted",
    "relocating",
    "relocate",
    "remote",
];

/// The end of a clause that begins before piece `at`.
pub(crate) fn clause_end(text: Text<'_>, at: usize) -> usize {
    clause_from(text, at, false)
}

fn clause_from(text: Text<'_>, at: usize, mut has_content: bool) -> usize {
    let mut end = at;
    while let Some(piece) = text.piece(end) {
        if [',', ';', '.', ':', '(', ')', '!', '?', '\n', '"', '—']
            .iter()
            .any(|mark| piece.is_mark(*mark))
        {
            break;
        }
        if piece.may_be(Cue::But) || piece.may_be(Cue::Except) {
            break;
        }
        let word = text.said(end);
        if has_content
            && matches!(
                word.as_str(),
                "with"
                    | "who"
                    | "that"
                    | "whose"
                    | "having"
                    | "which"
                    | "who have"
                    | "that have"
                    | "who has"
                    | "that has"
                    | "who are"
                    | "that are"
                    | "but not"
            )
        {
            break;
        }
        if has_content && word.contains("work") && (word.ends_with(" as") || word.ends_with(" at"))
        {
            break;
        }
        let next = end + 1;
        let has_place = text
            .piece(next)
            .is_some_and(|next| next.meanings().iter().any(is_place));
        let has_employer = text.piece(next).is_some_and(|next| {
            next.meanings().iter().any(|meaning| {
                matches!(
                    meaning,
                    Meaning::Company(_) | Meaning::Industry(_) | Meaning::Size(_)
                )
            })
        });
        if has_content && piece.may_be(Cue::In) && (has_place || text.may_be(next, Cue::Sector)) {
            break;
        }
        if has_content && matches!(word.as_str(), "at") && has_employer {
            break;
        }
        if piece.may_be(Cue::And) || piece.may_be(Cue::Or) {
            let begins = text.piece(next).is_none_or(|next| {
                [
                    Cue::With,
                    Cue::In,
                    Cue::At,
                    Cue::Not,
                    Cue::Without,
                    Cue::Seen,
                    Cue::Founded,
                    Cue::More,
                    Cue::Less,
                    Cue::AtLeast,
                    Cue::AtMost,
                ]
                .iter()
                .any(|cue| next.may_be(*cue))
                    || next.number().is_some()
                    || next.meanings().iter().any(|meaning| {
                        matches!(
                            meaning,
                            Meaning::Contact(_) | Meaning::Level(_) | Meaning::DecisionMaker
                        )
                    })
            });
            let is_who = matches!(
                text.said(next).as_str(),
                "who" | "who are" | "are" | "that" | "is" | "live" | "work"
            );
            if begins || is_who {
                break;
            }
        }
        has_content |= !piece.is_small();
        end += 1;
    }
    end
}
