//! Company names, websites and domains: what it is, and its canonical form (`docs/CANON.md`, "company").
//!
//! A name is lower case with its accents, without legal form (`Northwind Tools, Inc.` → `northwind tools`). A website
//! or domain gives the domain.

mod asides;
mod forms;
mod law;

use std::sync::LazyLock;

use crate::name::shares;
use crate::table::{self, Words};
use crate::{Unreadable, country, domain, emoji, sheet, state, text, url};

pub use asides::Asides;
pub(crate) use asides::is_department_behind;

const INVALID: Unreadable = Unreadable::new("not a company name, website or domain");

/// How the input was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name.
    Name,
    /// A name that is a domain and a legal form: `Amazon.com, Inc.`
    NamedAsDomain,
    /// A URL.
    Website,
    /// A bare host name.
    Domain,
}

impl Kind {
    /// The value of `type` in the answer.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name | Self::NamedAsDomain => "name",
            Self::Website => "website",
            Self::Domain => "domain",
        }
    }
}

/// A cleaned company: for a website or domain `name` holds the domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyName {
    /// The canonical name or domain.
    pub name: String,
    /// How the input was understood.
    pub kind: Kind,
}

/// Reads a name, website or domain.
///
/// # Errors
/// When there is no letter or digit in it.
pub fn clean(company: &str) -> Result<CompanyName, Unreadable> {
    if let Some((name, kind)) = web(company) {
        return Ok(CompanyName { name, kind });
    }
    if company.len() > text::MAX_LINE_BYTES {
        return Err(INVALID);
    }
    let company = sheet::without_apostrophe_of_text(company.trim_start());
    let mut cleaned = without_marks(text::clean(company));
    // What stood around a formula is gone.
    while cleaned.contains("=\"")
        && let name = without_what_is_around(&cleaned)
        && name.starts_with(['=', '"'])
        && let again = without_marks(text::clean(name))
        && again.len() < name.len()
    {
        cleaned = again;
    }
    let name = without_what_is_around(&cleaned);
    if text::is_blank(name) || is_no_host(name) {
        return Err(INVALID);
    }
    if let Some((domain, kind)) = web(name) {
        let has_form = letters(name) < letters(&cleaned);
        let kind = match kind {
            Kind::Domain if has_form => Kind::NamedAsDomain,
            other => other,
        };
        return Ok(CompanyName { name: domain, kind });
    }
    Ok(CompanyName {
        name: name.to_owned(),
        kind: Kind::Name,
    })
}

/// Forms can stand before pictures, and pictures before forms: `acme llc 🚀`, `acme 🚀 llc`. Labels stand before either.
fn without_what_is_around(cleaned: &str) -> &str {
    let mut name = cleaned;
    loop {
        let bare = sheet::behind_label(without_pictures(name), &LABELS);
        let shorter = forms::without(bare);
        if shorter.len() == name.len() {
            return name;
        }
        name = shorter;
    }
}

/// What lists call a company, before a colon.
const LABELS: [&str; 30] = [
    "company",
    "company name",
    "name of company",
    "employer",
    "current employer",
    "current company",
    "organization",
    "organisation",
    "organization name",
    "organisation name",
    "firma",
    "firmenname",
    "unternehmen",
    "arbeitgeber",
    "entreprise",
    "société",
    "employeur",
    "empresa",
    "compañía",
    "empregador",
    "azienda",
    "società",
    "bedrijf",
    "werkgever",
    "arbetsgivare",
    "компания",
    "организация",
    "会社名",
    "公司",
    "회사명",
];

/// A picture before a form alone, or before an ending, is the name: `🚀 inc`, `🚀.com`.
fn without_pictures(name: &str) -> &str {
    let bare = emoji::and_flags_off(name);
    let is_all = bare.len() < name.len()
        && (bare.starts_with('.') || forms::without(&format!("acme {bare}")) == "acme");
    if is_all { name } else { bare }
}

/// The beginning of a URL that nothing follows: `https://`, `www.`
pub(crate) fn is_no_host(text: &str) -> bool {
    let rest = ["http:", "https:"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    match rest {
        Some(rest) => matches!(rest.trim_matches(['/', '.']), "" | "www"),
        None => text == "www.",
    }
}

static PLACEHOLDERS: LazyLock<Words> =
    LazyLock::new(|| table::lines(include_str!("../../tables/company_placeholders.txt")).collect());

/// True when a name says nothing about an organization: `n/a`, `self-employed`, `test`.
#[must_use]
pub fn is_placeholder(name: &str) -> bool {
    PLACEHOLDERS.contains(text::fold(name).as_str())
}

/// Words that a name has or has not without being another company's.
static LIGHT_WORDS: LazyLock<Words> =
    LazyLock::new(|| table::lines(include_str!("../../tables/company_words_light.txt")).collect());
/// Words that many organisations have in their names.
static COMMON_WORDS: LazyLock<Words> = LazyLock::new(|| {
    let files = [
        include_str!("../../tables/company_words.txt"),
        include_str!("../../tables/company_words_more.txt"),
    ];
    files.into_iter().flat_map(table::lines).collect()
});
/// Shorter words that are a country's code are words as well.
const MIN_COUNTRY: usize = 4;

/// True for a folded word that says in which form a company is, or nothing: `group`, `services`, `publ`.
#[must_use]
pub fn is_light_word(word: &str) -> bool {
    LIGHT_WORDS.contains(word) || forms::is_form(word)
}

/// True for a folded word that is a country: `germany`, not `jordan`, which people are called, nor `georgia`, a state.
#[must_use]
pub fn is_country(word: &str) -> bool {
    word.len() >= MIN_COUNTRY
        && country::clean(word).is_ok()
        && shares::given(word).is_none()
        && state::clean(word, Some("US")).is_err()
}

/// True for a folded word that many organisations have, which so hardly says which one it is: the light ones, countries, and
/// those of kinds, trades and cities: `bank`, `mining`, `london`.
#[must_use]
pub fn is_common_word(word: &str) -> bool {
    COMMON_WORDS.contains(word) || is_light_word(word) || is_country(word)
}

/// The domain where a text is a website (scheme, `www.` or path) or a bare domain with a listed suffix.
pub(crate) fn web(text: &str) -> Option<(String, Kind)> {
    if !text.contains('.') {
        return None;
    }
    let tidied = url::tidy(text);
    if tidied.contains(char::is_whitespace) || !tidied.contains('.') {
        return None;
    }
    let split = url::split(&tidied)?;
    // `info@acme.com` is a mailbox; `https://user:word@acme.com` is a page; what looks like a host before the sign may hide the real one.
    let is_page = tidied.starts_with("http://") || tidied.starts_with("https://");
    if split
        .user
        .is_some_and(|user| !is_page || user.contains('.'))
    {
        return None;
    }
    let host = domain::clean(&tidied).ok()?;
    let www = split
        .host
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("www."));
    let known = domain::has_listed_suffix(&host) || host.ends_with(".example");
    if split.has_scheme || www {
        // A host of no suffix that starts with a legal form would be read as a name the next time.
        let is_host = known || forms::without_attached(&host).len() == host.len();
        return is_host.then_some((host, Kind::Website));
    }
    match (known, split.path.is_empty()) {
        (false, _) => None,
        (true, true) => Some((host, Kind::Domain)),
        (true, false) => Some((host, Kind::Website)),
    }
}

/// A name without legal forms of either list: for keys, which must meet where one source writes the form and another
/// does not.
pub(crate) fn bare_name(cleaned: &str) -> &str {
    forms::without_those_of_keys(cleaned)
}

fn letters(name: &str) -> usize {
    name.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Marks of registration belong to a logo, not to a name.
fn without_marks(name: String) -> String {
    const MARKS: [char; 4] = ['™', '®', '©', '℠'];
    const IN_BRACKETS: &str = "(tm)";
    if name.contains(MARKS) || name.contains(IN_BRACKETS) {
        text::clean(&name.replace(MARKS, "").replace(IN_BRACKETS, ""))
    } else {
        name
    }
}
