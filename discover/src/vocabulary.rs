//! The product's words: closed vocabularies, synonyms, regions, and what small words do. `vocabulary.json` has the first
//! three, with their source beside it; the last stand here.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::lex::stems;
use crate::meaning::{Contact, Cue, Meaning, Place};

/// Words of the longest phrase.
pub(crate) const LONGEST: usize = 7;

#[derive(Debug, Deserialize)]
struct Source {
    levels: Vec<Values>,
    functions: Vec<OneValue>,
    occupations: Vec<String>,
    occupation_aliases: HashMap<String, Vec<String>>,
    titles: HashMap<String, String>,
    sizes: Vec<String>,
    size_terms: Vec<Values>,
    types: Vec<OneValue>,
    industries: Vec<String>,
    industry_terms: Vec<Values>,
    countries: Vec<CountrySource>,
    country_aliases: HashMap<String, String>,
    regions: Vec<Region>,
    states: Vec<StateSource>,
    state_aliases: HashMap<String, String>,
    state_groups: Vec<StateGroup>,
    metro_areas: Vec<Metro>,
    city_aliases: HashMap<String, String>,
    city_default: HashMap<String, [String; 3]>,
    both_places: Vec<String>,
    company_aliases: HashMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Values {
    words: Vec<String>,
    values: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct OneValue {
    words: Vec<String>,
    value: String,
}

#[derive(Debug, Deserialize)]
struct CountrySource {
    name: String,
    demonyms: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Region {
    words: Vec<String>,
    countries: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct StateSource {
    code: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct StateGroup {
    words: Vec<String>,
    states: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Metro {
    words: Vec<String>,
    state: String,
    cities: Vec<String>,
}

/// Everything that phrases can mean, whatever build is active.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    phrases: HashMap<String, Vec<Meaning>>,
    /// Beginnings of phrases, so that a search for the longest one ends early.
    beginnings: HashSet<String>,
    /// Codes of states by their two letters.
    state_codes: HashMap<String, String>,
    /// City, state, country of cities that are meant where only the name is given.
    city_default: HashMap<String, [String; 3]>,
    /// Names that stand for more than one place.
    both_places: HashSet<String>,
    company_aliases: HashMap<String, String>,
    /// Sizes from the smallest to the largest, with their bounds.
    sizes: Vec<(String, u64, u64)>,
    /// Words of the phrases, for the repair of slips.
    words: HashSet<String>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let source = serde_json::from_str(include_str!("../vocabulary.json"));
    Vocabulary::of(source.unwrap_or_else(|fault| unreachable!("vocabulary.json: {fault}")))
});

/// The product's vocabulary.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

impl Vocabulary {
    fn of(source: Source) -> Self {
        let mut made = Self {
            phrases: HashMap::new(),
            beginnings: HashSet::new(),
            state_codes: source
                .states
                .iter()
                .filter_map(|state| {
                    Some((
                        state.code.split_once('-')?.1.to_lowercase(),
                        state.name.clone(),
                    ))
                })
                .collect(),
            city_default: source.city_default,
            both_places: source.both_places.into_iter().collect(),
            company_aliases: source.company_aliases,
            sizes: source
                .sizes
                .iter()
                .filter_map(|size| bounds(size))
                .collect(),
            words: HashSet::new(),
        };
        for level in &source.levels {
            for words in &level.words {
                made.add(words, Meaning::Level(level.values.clone()));
            }
        }
        for function in &source.functions {
            for words in &function.words {
                made.add(words, Meaning::Function(function.value.clone()));
            }
        }
        for title in &source.occupations {
            made.add(title, Meaning::Title(title.clone()));
            for words in source.occupation_aliases.get(title).into_iter().flatten() {
                made.add(words, Meaning::Title(title.clone()));
            }
        }
        for (words, title) in &source.titles {
            made.add(words, Meaning::Title(title.clone()));
            made.add(title, Meaning::Title(title.clone()));
        }
        for term in &source.size_terms {
            for words in &term.words {
                made.add(words, Meaning::Size(term.values.clone()));
            }
        }
        for kind in &source.types {
            for words in &kind.words {
                made.add(words, Meaning::Type(kind.value.clone()));
            }
        }
        for term in &source.industry_terms {
            for words in &term.words {
                made.add(words, Meaning::Industry(term.values.clone()));
            }
        }
        for industry in &source.industries {
            if !made.has(industry, |meaning| matches!(meaning, Meaning::Industry(_))) {
                made.add(industry, Meaning::Industry(vec![industry.clone()]));
            }
            let spelled = industry.replace('&', "and");
            if !made.has(&spelled, |meaning| matches!(meaning, Meaning::Industry(_))) {
                made.add(&spelled, Meaning::Industry(vec![industry.clone()]));
            }
        }
        made.add_places(
            &source.countries,
            &source.country_aliases,
            &source.regions,
            &source.states,
            &source.state_aliases,
        );
        for group in &source.state_groups {
            for words in &group.words {
                made.add(words, Meaning::Place(Place::States(group.states.clone())));
            }
        }
        for metro in &source.metro_areas {
            for words in &metro.words {
                let (state, cities) = (metro.state.clone(), metro.cities.clone());
                made.add(words, Meaning::Place(Place::Metro { state, cities }));
            }
        }
        for (words, city) in &source.city_aliases {
            made.add(words, Meaning::Place(Place::City(city.clone())));
        }
        for city in made.city_default.keys().cloned().collect::<Vec<_>>() {
            made.add(&city, Meaning::Place(Place::City(city.clone())));
        }
        for (words, contact) in CONTACTS {
            words
                .iter()
                .for_each(|words| made.add(words, Meaning::Contact(*contact)));
        }
        for words in ["decision maker", "decisionmaker"] {
            made.add(words, Meaning::DecisionMaker);
        }
        for words in [
            "platform worker",
            "gig worker",
            "gig economy worker",
            "gig or platform worker",
            "gig and platform worker",
        ] {
            made.add(words, Meaning::PlatformWorker);
        }
        for (cue, phrases) in CUES {
            for words in *phrases {
                made.add(words, Meaning::Word(*cue));
            }
        }
        made
    }

    fn add_places(
        &mut self,
        countries: &[CountrySource],
        aliases: &HashMap<String, String>,
        regions: &[Region],
        states: &[StateSource],
        state_aliases: &HashMap<String, String>,
    ) {
        for country in countries {
            let place = Place::Country(country.name.clone());
            self.add(&country.name, Meaning::Place(place.clone()));
            for demonym in &country.demonyms {
                self.add(demonym, Meaning::Demonym(place.clone()));
            }
        }
        for (words, country) in aliases {
            self.add(words, Meaning::Place(Place::Country(country.clone())));
        }
        for region in regions {
            for words in &region.words {
                let place = Place::Countries(region.countries.clone());
                let is_adjective = [
                    "ean", "ian", "can", "nordic", "baltic", "iberian", "eastern",
                ]
                .iter()
                .any(|ending| words.ends_with(ending));
                let meaning = if is_adjective {
                    Meaning::Demonym(place)
                } else {
                    Meaning::Place(place)
                };
                self.add(words, meaning);
            }
        }
        for state in states {
            self.add(
                &state.name,
                Meaning::Place(Place::State(state.name.clone())),
            );
        }
        for (words, state) in state_aliases {
            self.add(words, Meaning::Place(Place::State(state.clone())));
        }
    }

    fn add(&mut self, words: &str, meaning: Meaning) {
        let key = stems(words);
        let mut beginning = String::new();
        for word in key.split(' ') {
            if !beginning.is_empty() {
                beginning.push(' ');
            }
            beginning.push_str(word);
            self.beginnings.insert(beginning.clone());
            if word.len() > 2 && word.chars().all(char::is_alphabetic) {
                self.words.insert(word.to_owned());
            }
        }
        let meanings = self.phrases.entry(key).or_default();
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }

    fn has(&self, words: &str, is_it: impl Fn(&Meaning) -> bool) -> bool {
        self.phrases
            .get(&stems(words))
            .is_some_and(|all| all.iter().any(is_it))
    }

    /// What a phrase, given as stems joined by spaces, may mean.
    pub(crate) fn get(&self, stems: &str) -> &[Meaning] {
        self.phrases.get(stems).map_or(&[], Vec::as_slice)
    }

    /// Whether a phrase begins so.
    pub(crate) fn begins(&self, stems: &str) -> bool {
        self.beginnings.contains(stems)
    }

    /// Whether a stem is part of some phrase.
    pub(crate) fn knows(&self, stem: &str) -> bool {
        self.words.contains(stem) || self.phrases.contains_key(stem)
    }

    /// All words of phrases.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    pub(crate) fn state_of_code(&self, code: &str) -> Option<&str> {
        self.state_codes.get(code).map(String::as_str)
    }

    pub(crate) fn city_default(&self, city: &str) -> Option<&[String; 3]> {
        self.city_default.get(city)
    }

    pub(crate) fn is_both_places(&self, name: &str) -> bool {
        self.both_places.contains(name)
    }

    pub(crate) fn company_alias(&self, name: &str) -> Option<&str> {
        self.company_aliases.get(name).map(String::as_str)
    }

    /// Sizes of companies, from the smallest: name, least and greatest number of employees.
    pub(crate) fn sizes(&self) -> &[(String, u64, u64)] {
        &self.sizes
    }
}

fn bounds(size: &str) -> Option<(String, u64, u64)> {
    let (least, greatest) = size.split_once('-')?;
    Some((size.to_owned(), least.parse().ok()?, greatest.parse().ok()?))
}

const CONTACTS: &[(&[&str], Contact)] = &[
    (
        &[
            "work email",
            "work e mail",
            "email",
            "e mail",
            "business email",
            "business e mail",
            "corporate email",
            "email address",
            "e mail address",
            "work email address",
            "business email address",
            "work address",
            "reachable by email",
            "contactable by email",
            "reached by email",
            "contacted by email",
            "reachable via email",
            "reached via email",
            "contactable via email",
            "reachable by work email",
            "emailable",
            "company email",
            "professional email",
            "work mail",
            "mail address",
            "contact by email",
            "reach by email",
            "emailed",
            "verified work email",
        ],
        Contact::WorkEmail,
    ),
    (
        &[
            "linkedin",
            "linkedin profile",
            "linkedin page",
            "linkedin url",
            "linkedin account",
            "linkedin link",
            "linked in",
            "linked in profile",
            "linkedin profile url",
            "li profile",
            "company linkedin page",
            "linkedin presence",
            "linkedin company page",
        ],
        Contact::LinkedIn,
    ),
];

const CUES: &[(Cue, &[&str])] = &[
    (Cue::Or, &["or", "and or", "or else"]),
    (
        Cue::And,
        &[
            "and",
            "&",
            "plus",
            "as well as",
            "also",
            "and also",
            "+",
            "along with",
            "together with",
        ],
    ),
    (Cue::But, &["but", "yet", "however", "though", "although"]),
    (Cue::Either, &["either", "both"]),
    (
        Cue::Not,
        &[
            "not",
            "isn't",
            "aren't",
            "is not",
            "are not",
            "don't",
            "do not",
            "doesn't",
            "does not",
            "who aren't",
            "never",
            "no longer",
            "can't be",
            "not be",
            "shouldn't be",
            "should not be",
            "must not be",
            "won't",
            "not already",
            "not currently",
            "isnt",
            "arent",
            "dont",
            "that aren't",
            "haven't",
            "have not",
            "nobody",
            "no one",
            "non",
            "not to be",
            "wasn't",
            "weren't",
            "was not",
            "were not",
        ],
    ),
    (Cue::Neither, &["neither"]),
    (Cue::Nor, &["nor"]),
    (
        Cue::Except,
        &[
            "except",
            "except for",
            "excluding",
            "exclude",
            "excl",
            "leave out",
            "leaving out",
            "other than",
            "apart from",
            "aside from",
            "anything but",
            "anyone but",
            "anywhere but",
            "everyone but",
            "everything but",
            "all but",
            "but not",
            "but no",
            "minus",
            "skip",
            "skipping",
            "omit",
            "omitting",
            "ignore",
            "ignoring",
            "rather than",
            "as long as it's not",
            "but exclude",
            "but excluding",
            "drop",
            "save for",
            "barring",
            "with the exception of",
            "filter out",
            "but without",
            "please exclude",
            "and exclude",
            "anybody but",
            "everybody but",
            "but skip",
            "nothing",
            "remove",
            "rule out",
            "avoid",
            "anywhere except",
            "instead of",
        ],
    ),
    (
        Cue::Outside,
        &[
            "outside",
            "outside of",
            "not in",
            "not from",
            "not based in",
            "located outside",
            "based outside",
            "outwith",
        ],
    ),
    (
        Cue::Without,
        &[
            "without",
            "no",
            "lacking",
            "w o",
            "with no",
            "having no",
            "who lack",
            "missing",
            "without any",
            "have no",
            "has no",
            "don't have",
            "doesn't have",
            "do not have",
            "does not have",
            "without a",
            "lack",
        ],
    ),
    (
        Cue::In,
        &[
            "in",
            "from",
            "based in",
            "located in",
            "living in",
            "live in",
            "lives in",
            "residing in",
            "reside in",
            "around",
            "near",
            "based",
            "based out of",
            "situated in",
            "within",
            "across",
            "based around",
            "sitting in",
            "anywhere in",
            "somewhere in",
            "who live in",
            "headquartered in",
            "hq in",
            "hq",
            "headquarter in",
            "headquarters in",
            "headquarter",
            "headquartered",
            "home in",
            "throughout",
            "located",
            "hqed in",
            "hq'd in",
            "domiciled in",
            "inside",
            "in and around",
            "over in",
            "out of",
            "anywhere",
            "somewhere",
            "location",
            "country",
            "region",
            "city",
            "geo",
            "geography",
            "territory",
            "market",
            "whose headquarter is in",
            "whose headquarter are in",
            "headquarters",
            "headquartered out of",
            "operating in",
            "stationed in",
            "sits in",
            "located within",
            "province",
            "city of",
            "greater",
            "metro",
            "metro area",
            "metropolitan area",
            "and area",
            "area",
        ],
    ),
    (
        Cue::At,
        &[
            "at",
            "for",
            "working at",
            "work at",
            "works at",
            "working for",
            "work for",
            "works for",
            "employed by",
            "employed at",
            "currently at",
            "currently working at",
            "currently employed by",
            "employer",
            "company",
            "account list",
            "at the company",
            "on the payroll of",
            "whose employer is",
            "target account",
            "named account",
            "account",
            "inside of",
            "who work at",
            "who works at",
            "on staff at",
            "employee of",
            "staff of",
            "staff at",
            "staffer at",
            "employee at",
            "member of",
            "working with",
            "currently work at",
            "currently works at",
            "by",
            "within company",
            "people of",
        ],
    ),
    (
        Cue::With,
        &[
            "with",
            "w",
            "who have",
            "that have",
            "having",
            "has",
            "have",
            "which have",
            "who has",
            "that has",
            "whose",
            "who've",
            "possessing",
            "holding",
            "having at least",
            "there is",
            "there's",
        ],
    ),
    (Cue::Of, &["of", "on", "side of", "part of"]),
    (
        Cue::People,
        &[
            "people",
            "person",
            "ppl",
            "professional",
            "folk",
            "contact",
            "candidate",
            "anyone",
            "anybody",
            "everyone",
            "everybody",
            "someone",
            "somebody",
            "employee",
            "individual",
            "worker",
            "staff",
            "staffer",
            "talent",
            "lead",
            "prospect",
            "those",
            "men and women",
            "member",
            "personnel",
            "profile",
            "human",
            "guy",
            "expert",
            "specialist",
            "practitioner",
            "colleague",
            "hire",
            "people person",
            "user",
            "who",
            "whom",
            "persona",
            "team member",
            "crew",
            "type",
            "side",
            "role",
            "position",
            "job",
            "function",
            "department",
            "team",
            "dept",
            "level",
            "seniority",
            "anyone who",
            "titled",
            "title holder",
            "working as",
            "work as",
            "works as",
            "employed as",
            "currently working as",
            "serving as",
            "acting as",
            "grade",
            "rank",
        ],
    ),
    (
        Cue::Companies,
        &[
            "company",
            "firm",
            "business",
            "organisation",
            "organization",
            "org",
            "employer",
            "corporation",
            "enterprise",
            "compan",
            "co",
            "brand",
            "vendor",
            "provider",
            "shop",
            "outfit",
            "agency",
            "group",
            "operator",
            "studio",
            "player",
            "maker",
            "institution",
            "supplier",
            "house",
            "entity",
            "venture",
            "account",
            "producer",
            "chain",
            "agencie",
            "concern",
            "establishment",
            "developer company",
            "ones",
            "one",
            "body",
            "anything",
            "something",
            "which",
            "that",
            "it",
            "they",
            "them",
            "each",
            "whichever",
            "cos",
        ],
    ),
    (
        Cue::Seen,
        &[
            "last seen",
            "seen",
            "last updated",
            "updated",
            "active",
            "last active",
            "spotted",
            "last spotted",
            "observed",
            "refreshed",
            "last observed",
            "freshly seen",
            "recorded",
            "last refreshed",
            "verified",
            "last verified",
            "data from",
            "record from",
            "last confirmed",
            "confirmed",
            "fresh",
        ],
    ),
    (
        Cue::Founded,
        &[
            "founded",
            "started",
            "established",
            "launched",
            "incorporated",
            "created",
            "set up",
            "formed",
            "founding year",
            "year founded",
            "started up",
            "founding",
            "founded year",
            "est",
            "born",
            "began",
            "were founded",
            "was founded",
            "opened",
            "in business since",
            "around since",
            "dating from",
            "in existence since",
            "year of founding",
            "incorporation",
            "came into being",
            "in operation since",
            "in business",
            "dating back to",
        ],
    ),
    (
        Cue::Experience,
        &[
            "experience",
            "exp",
            "of experience",
            "of exp",
            "yoe",
            "of work experience",
            "work experience",
            "of professional experience",
            "professional experience",
            "of working experience",
            "in the workforce",
            "in the business",
            "of career",
            "in their career",
            "of industry experience",
            "in the field",
            "under their belt",
            "on the job",
            "of career experience",
            "experience level",
            "career",
        ],
    ),
    (
        Cue::Employees,
        &[
            "employee",
            "headcount",
            "staff",
            "people",
            "ppl",
            "worker",
            "staff member",
            "head",
            "person",
            "team size",
            "workforce",
            "strong",
            "head count",
            "payroll",
            "employee count",
            "number of employee",
            "fte",
            "company headcount",
            "employee headcount",
            "team of",
            "person strong",
            "headcount size",
            "staffer",
            "in headcount",
            "on staff",
            "on payroll",
            "total employee",
        ],
    ),
    (
        Cue::Tenure,
        &[
            "average tenure",
            "tenure",
            "mean tenure",
            "avg tenure",
            "average employee tenure",
            "employee tenure",
            "average time at the company",
            "average staff tenure",
        ],
    ),
    (
        Cue::Growth,
        &[
            "growth",
            "grew",
            "growing",
            "grown",
            "grow",
            "headcount growth",
            "employee growth",
            "expanding",
            "expanded",
            "growth rate",
            "increased",
            "added",
            "headcount growth rate",
            "employee growth rate",
            "expansion",
            "grew headcount",
            "growing headcount",
            "increase",
            "increasing",
            "hired up",
            "scaled",
            "rose",
            "rising",
            "up",
            "staff growth",
            "scaling",
            "headcount is growing",
            "headcount grew",
            "headcount has grown",
        ],
    ),
    (
        Cue::Shrinking,
        &[
            "shrinking",
            "shrank",
            "shrunk",
            "declining",
            "declined",
            "fell",
            "falling",
            "contracting",
            "contracted",
            "lost",
            "cut",
            "dropped",
            "decreased",
            "decreasing",
            "shrink",
            "losing",
            "reduced",
            "downsized",
            "downsizing",
            "headcount decline",
            "decline",
            "went down",
            "laid off",
            "fallen",
            "down",
            "shed",
        ],
    ),
    (
        Cue::Doubled,
        &[
            "doubled",
            "doubling",
            "double",
            "doubled in size",
            "doubled headcount",
        ],
    ),
    (
        Cue::Sources,
        &[
            "source",
            "data source",
            "independent source",
            "confirmed by source",
        ],
    ),
    (Cue::Old, &["old", "of age", "in age", "year old company"]),
    (
        Cue::Size,
        &[
            "size",
            "company size",
            "of size",
            "size band",
            "size bracket",
            "employee range",
            "headcount band",
            "size range",
            "headcount range",
            "company headcount",
            "in size",
        ],
    ),
    (
        Cue::Sector,
        &[
            "industry",
            "sector",
            "space",
            "vertical",
            "field",
            "business of",
            "industry is",
            "company industry",
        ],
    ),
    (Cue::State, &["state", "state of"]),
    (
        Cue::Named,
        &[
            "named",
            "called",
            "name",
            "by the name of",
            "name is",
            "company name",
            "company name is",
            "firm name",
            "whose name is",
            "name of",
            "full name",
            "goes by",
        ],
    ),
    (
        Cue::Surname,
        &[
            "surname",
            "last name",
            "family name",
            "the last name",
            "the surname",
            "the family name",
        ],
    ),
    (
        Cue::FirstName,
        &[
            "first name",
            "given name",
            "forename",
            "the first name",
            "the given name",
        ],
    ),
    (
        Cue::Domain,
        &[
            "domain",
            "company domain",
            "website",
            "web site",
            "domain is",
            "web domain",
            "site",
        ],
    ),
    (
        Cue::More,
        &[
            "more than",
            "over",
            "above",
            "greater than",
            "exceeding",
            "bigger than",
            "larger than",
            "north of",
            "beyond",
            ">",
            "higher than",
            "upwards of",
            "longer than",
            "in excess of",
            "mor than",
            "more then",
            "exceed",
            "older than",
            "better than",
            "topping",
            "by more than",
            "by over",
        ],
    ),
    (
        Cue::Less,
        &[
            "less than",
            "fewer than",
            "under",
            "below",
            "smaller than",
            "<",
            "lower than",
            "shorter than",
            "south of",
            "younger than",
            "less then",
            "fewer then",
        ],
    ),
    (
        Cue::AtLeast,
        &[
            "at least",
            "minimum",
            "minimum of",
            "min",
            "no less than",
            "with no less than",
            "with no fewer than",
            "not less than",
            "no fewer than",
            "not fewer than",
            "a minimum of",
            "at minimum",
            "> =",
            "≥",
            "from at least",
            "at the very least",
            "upward of",
        ],
    ),
    (
        Cue::AtMost,
        &[
            "up to",
            "at most",
            "with no more than",
            "having no more than",
            "with not more than",
            "but no more than",
            "but not more than",
            "but no older than",
            "no more than",
            "not more than",
            "maximum",
            "maximum of",
            "max",
            "a maximum of",
            "< =",
            "≤",
            "not exceeding",
            "no larger than",
            "no bigger than",
            "no greater than",
            "not over",
            "no older than",
            "tops",
            "not above",
        ],
    ),
    (
        Cue::Between,
        &[
            "between",
            "anywhere between",
            "somewhere between",
            "ranging from",
            "range from",
            "anywhere from",
            "ranging between",
            "in the range of",
            "in the range",
        ],
    ),
    (Cue::To, &["to", "–", "through", "until", "up until"]),
    (Cue::Exactly, &["exactly", "precisely", "just", "="]),
    (
        Cue::Since,
        &[
            "since",
            "in or after",
            "from",
            "as of",
            "starting in",
            "on or after",
            "no earlier than",
            "not before",
        ],
    ),
    (
        Cue::Before,
        &["before", "prior to", "earlier than", "pre", "no later than"],
    ),
    (Cue::After, &["after", "later than", "post"]),
    (
        Cue::During,
        &[
            "during",
            "in",
            "in the",
            "over the course of",
            "in the year",
            "year",
        ],
    ),
    (
        Cue::Last,
        &[
            "last",
            "past",
            "over the last",
            "over the past",
            "in the last",
            "in the past",
            "within the last",
            "within the past",
            "during the last",
            "during the past",
            "the last",
            "the past",
            "previous",
            "within",
            "recent",
            "trailing",
            "preceding",
            "in last",
            "in past",
            "over last",
            "over past",
        ],
    ),
    (
        Cue::This,
        &[
            "this year",
            "so far this year",
            "year to date",
            "in the current year",
        ],
    ),
    (
        Cue::Contains,
        &[
            "contain",
            "containing",
            "include",
            "including",
            "with",
            "has the word",
            "that contain",
            "contains the word",
            "including the word",
            "with the word",
            "mention",
            "mentioning",
            "matching",
        ],
    ),
    (
        Cue::StartsWith,
        &[
            "starting with",
            "start with",
            "beginning with",
            "begin with",
            "that start with",
        ],
    ),
    (
        Cue::Title,
        &[
            "job title",
            "title",
            "job title is",
            "job title contain",
            "with the title",
            "with the job title",
        ],
    ),
    (Cue::Filler, FILLER),
];

/// Words that ask nothing.
const FILLER: &[&str] = &[
    "a",
    "an",
    "the",
    "and who",
    "find",
    "find me",
    "show",
    "show me",
    "give",
    "give me",
    "get",
    "get me",
    "list",
    "list of",
    "a list of",
    "please",
    "pls",
    "plz",
    "i",
    "i'm",
    "we",
    "we're",
    "i am",
    "we are",
    "i'd",
    "we'd",
    "i've",
    "we've",
    "me",
    "us all",
    "my",
    "our",
    "you",
    "your",
    "looking",
    "looking for",
    "search",
    "searching",
    "search for",
    "want",
    "need",
    "needed",
    "like",
    "would",
    "love",
    "would like",
    "would love",
    "hi",
    "hello",
    "hey",
    "hiya",
    "yo",
    "so",
    "some",
    "any",
    "all",
    "every",
    "each",
    "is",
    "are",
    "be",
    "been",
    "being",
    "was",
    "were",
    "do",
    "does",
    "did",
    "can",
    "could",
    "should",
    "must",
    "may",
    "might",
    "will",
    "shall",
    "who is",
    "who are",
    "that is",
    "that are",
    "which are",
    "which is",
    "there",
    "there any",
    "are there",
    "is there",
    "what",
    "what are",
    "where",
    "how about",
    "their",
    "his",
    "her",
    "its",
    "currently",
    "current",
    "presently",
    "now",
    "right now",
    "today",
    "ideally",
    "preferably",
    "maybe",
    "perhaps",
    "possibly",
    "also",
    "only",
    "just",
    "really",
    "actually",
    "basically",
    "simply",
    "kindly",
    "thanks",
    "thank you",
    "cheers",
    "thx",
    "who",
    "that",
    "which",
    "whose",
    "as",
    "to",
    "of",
    "working",
    "work",
    "works",
    "employed",
    "serving",
    "located",
    "living",
    "seniority",
    "provide",
    "provide me",
    "detail",
    "details of",
    "detail of",
    "detial of",
    "information",
    "info",
    "info on",
    "record",
    "data",
    "database",
    "bunch of",
    "a bunch of",
    "lot of",
    "number of",
    "set of",
    "group of",
    "couple of",
    "few",
    "handful of",
    "return",
    "fetch",
    "pull",
    "pull up",
    "pull me",
    "build",
    "build me",
    "build a list of",
    "identify",
    "locate",
    "source",
    "sourcing",
    "see",
    "look",
    "look up",
    "look for",
    "lookup",
    "target",
    "target list",
    "target list of",
    "target account",
    "target acct",
    "interested in",
    "interest in",
    "interested",
    "help me find",
    "help",
    "help me",
    "can you find",
    "could you find",
    "i want",
    "i need",
    "we want",
    "we need",
    "let's find",
    "let me see",
    "role",
    "persona",
    "icp",
    "ideal customer profile",
    "audience",
    "segment",
    "after",
    "after some",
    "hunting for",
    "hunting",
    "hunt",
    "trying to find",
    "trying to reach",
    "reach",
    "reach out",
    "reach out to",
    "in order",
    "required",
    "a must",
    "is a must",
    "must have",
    "is required",
    "mandatory",
    "needed",
    "essential",
    "on file",
    "available",
    "listed on file",
    "on record",
    "type",
    "kind of",
    "kind",
    "sort",
    "sort of",
    "specifically",
    "particularly",
    "especially",
    "mainly",
    "mostly",
    "exclusively",
    "strictly",
    "well",
    "then",
    "too",
    "still",
    "even",
    "already",
    "ok",
    "okay",
    "um",
    "well then",
    "if possible",
    "if you can",
    "it would be great if",
    "would be great",
    "nice to have",
    "they",
    "them",
    "it",
    "this",
    "these",
    "those",
    "he",
    "she",
    "we'll",
    "i'll",
    "they're",
    "who're",
    "seek",
    "seeking",
    "recruit",
    "recruiting for",
    "hiring for",
    "tell me",
    "tell me about",
    "know",
    "tell",
    "want to see",
    "would want",
    "with",
    "for",
    "at",
    "by",
    "be able to",
    "able to",
    "have",
    "had",
    "has",
    "having",
    "come",
    "from",
    "up",
    "out",
    "about",
    "on",
    "yes",
    "true",
    "present",
    "somewhere",
    "anywhere",
    "wherever",
    "whichever",
    "whoever",
    "whatever",
    "there's",
    "that's",
    "what's",
    "who's",
    "let",
    "let's",
    "go",
    "going",
    "make",
    "made",
    "put together",
    "putting together",
    "compile",
    "prepare",
    "draw up",
    "assemble",
    "when",
    "while",
    "if",
    "than",
    "such",
    "same",
    "other",
    "others",
    "more",
    "people who",
    "one",
    "ones",
    "role",
    "field",
    "year",
    "area",
    "hand",
    "negative",
    "good day",
    "good morning",
    "good afternoon",
    "good evening",
    "many thanks",
    "gotta",
    "gotta have",
    "got to",
    "longlist",
    "shortlist",
    "a lot",
    "by the way",
    "either way",
    "two kind",
    "two kind of",
    "kinda",
    "ideal",
    "outreach",
    "greetings",
    "dear",
    "sir",
    "team",
    "everyone",
    "in total",
    "overall",
    "total",
    "respectively",
    "etc",
    "per",
    "via",
    "through",
    "matching",
    "match",
    "fit",
    "fitting",
    "meet",
    "meeting",
    "criteria",
    "criterion",
    "following",
    "condition",
    "requirement",
    "filter",
    "filter for",
    "filter by",
    "query",
    "where the",
    "whose",
    "held",
    "hold",
    "holding",
    "holders",
    "holder",
    "run",
    "running",
    "run by",
    "company's",
    "businesses'",
    "count",
    "possess",
    "possible",
    "exist",
    "existing",
    "include",
    "including",
    "keep",
    "consider",
];
