//! The product's words: closed vocabularies, synonyms and regions (`vocabulary.json`), and what small words do
//! (`words.json`).

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;
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
    /// Cities behind which a code is that of their country, not of the state that has it, too.
    cities_of_codes: HashMap<String, Vec<String>>,
}

/// Small words, by what they do.
#[derive(Debug, Deserialize)]
struct Words {
    cues: BTreeMap<Cue, Vec<String>>,
    contacts: BTreeMap<Contact, Vec<String>>,
    /// Small words that say nothing wherever they stand.
    silent: Vec<String>,
    /// Small words that ask, where a clause begins with them, and say something elsewhere.
    requests: Vec<String>,
    /// Small words that say of what kind is what follows them.
    labels: Vec<String>,
    /// Nouns for what is asked, and for whoever is: they say nothing unless they say which.
    nouns: Vec<String>,
    /// Common English words, which are no slips of others.
    common: Vec<String>,
    /// Words that are meant as they are written: no slips of others, and none are slips of them.
    plain: HashSet<String>,
    /// Capitals and large cities, which are no slips of others.
    cities: HashSet<String>,
    /// What those who ask want to do with whom they ask for.
    purposes: HashSet<String>,
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
    code: String,
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
    country: String,
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

/// Cities whose names are those of persons, firms or other things as often: they are meant only where the build has them.
const NAMED_AS_CITIES: &[&str] = &[
    "bonn",
    "caguas",
    "cali",
    "cartagena",
    "cordoba",
    "essen",
    "florence",
    "hamilton",
    "lima",
    "mendoza",
    "ponce",
    "regina",
    "rosario",
    "surrey",
    "verona",
    "waterloo",
];

const DECISION_MAKERS: &[&str] = &["decision maker", "decisionmaker", "key decision maker"];

const PLATFORM_WORKERS: &[&str] = &[
    "platform worker",
    "gig worker",
    "gig economy worker",
    "gig work",
    "gig or platform worker",
    "gig and platform worker",
];

/// Endings of the words for a region that say of where something is: "European", "Nordic".
const ADJECTIVES: &[&str] = &[
    "ean", "ian", "can", "nordic", "baltic", "iberian", "eastern",
];

/// Everything that phrases can mean, whatever build is active.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    phrases: HashMap<String, Vec<Meaning>>,
    /// Beginnings of phrases, so that a search for the longest one ends early.
    beginnings: HashSet<String>,
    /// Codes of states by their two letters.
    state_codes: HashMap<String, String>,
    /// Countries of states.
    state_countries: HashMap<String, String>,
    /// Names of countries by their code, in small letters as it is of states.
    country_codes: HashMap<String, String>,
    /// Codes of countries that are those of states, too, by cities in these countries.
    codes_of_cities: HashMap<String, String>,
    /// City, state, country of cities that are meant where only the name is given.
    city_default: HashMap<String, [String; 3]>,
    /// Names that stand for more than one place.
    both_places: HashSet<String>,
    company_aliases: HashMap<String, String>,
    /// Sizes from the smallest to the largest, with their bounds.
    sizes: Vec<(String, u64, u64)>,
    /// Words of the phrases, for the repair of slips.
    words: HashSet<String>,
    /// Common English words.
    common: HashSet<String>,
    /// Words that are no slips.
    plain: HashSet<String>,
    /// Names of large cities, which are no slips either.
    cities: HashSet<String>,
    /// Verbs that say what somebody is asked for.
    purposes: HashSet<String>,
    /// Small words by when they say nothing, as stems.
    silent: HashSet<String>,
    requests: HashSet<String>,
    labels: HashSet<String>,
    nouns: HashSet<String>,
    /// Words and common words, by their number of letters.
    by_length: Vec<Vec<String>>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let source = part("vocabulary.json", include_str!("../vocabulary.json"));
    let words = part("words.json", include_str!("../words.json"));
    Vocabulary::of(&source, &words)
});

/// Reads a file that is part of the program; a test reads each of them.
pub(crate) fn part<T: serde::de::DeserializeOwned>(name: &str, text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|fault| unreachable!("{name}: {fault}"))
}

/// The product's vocabulary.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

impl Vocabulary {
    /// Each phrase means what it was added as, in this order.
    fn of(source: &Source, words: &Words) -> Self {
        let sizes = source.sizes.iter();
        let mut made = Self {
            city_default: source.city_default.clone(),
            both_places: source.both_places.iter().cloned().collect(),
            company_aliases: source.company_aliases.clone(),
            sizes: sizes.filter_map(|size| bounds(size)).collect(),
            common: words.common.iter().cloned().collect(),
            plain: words.plain.clone(),
            cities: words.cities.clone(),
            purposes: words.purposes.clone(),
            silent: all_stems(&words.silent),
            requests: all_stems(&words.requests),
            labels: all_stems(&words.labels),
            nouns: all_stems(&words.nouns),
            ..Self::default()
        };
        made.read_codes(source);
        made.add_roles(source);
        made.add_companies(source);
        made.add_places(source);
        made.add_groups_of_places(source);
        made.add_small_words(words);
        made.by_length = by_length(made.words.union(&made.common));
        made
    }

    /// Codes of states and of countries, and what they are of.
    fn read_codes(&mut self, source: &Source) {
        for state in &source.states {
            if let Some((_, code)) = state.code.split_once('-') {
                let code = code.to_lowercase();
                self.state_codes.insert(code, state.name.clone());
            }
            let (name, country) = (state.name.clone(), state.country.clone());
            self.state_countries.insert(name, country);
        }
        for country in &source.countries {
            let code = country.code.to_lowercase();
            self.country_codes.insert(code, country.name.clone());
        }
        for (code, cities) in &source.cities_of_codes {
            let code = code.to_lowercase();
            let each = cities.iter().map(|city| (city.clone(), code.clone()));
            self.codes_of_cities.extend(each);
        }
    }

    /// "Managers", "finance", "nurses"
    fn add_roles(&mut self, source: &Source) {
        for level in &source.levels {
            self.add_all(&level.words, &Meaning::Level(level.values.clone()));
        }
        for function in &source.functions {
            self.add_all(&function.words, &Meaning::Function(function.value.clone()));
        }
        for title in &source.occupations {
            let meaning = Meaning::Title(title.clone());
            self.add(title, meaning.clone());
            let aliases = source.occupation_aliases.get(title);
            self.add_all(aliases.into_iter().flatten(), &meaning);
        }
        for (words, title) in &source.titles {
            self.add_all([words, title], &Meaning::Title(title.clone()));
        }
    }

    /// "Startups", "nonprofits", "banks"
    fn add_companies(&mut self, source: &Source) {
        for term in &source.size_terms {
            self.add_all(&term.words, &Meaning::Size(term.values.clone()));
        }
        for kind in &source.types {
            self.add_all(&kind.words, &Meaning::Type(kind.value.clone()));
        }
        for term in &source.industry_terms {
            self.add_all(&term.words, &Meaning::Industry(term.values.clone()));
        }
        let is_industry = |meaning: &Meaning| matches!(meaning, Meaning::Industry(_));
        for industry in &source.industries {
            for spelled in [industry.clone(), industry.replace('&', "and")] {
                if !self.has(&spelled, is_industry) {
                    self.add(&spelled, Meaning::Industry(vec![industry.clone()]));
                }
            }
        }
    }

    /// "Spain", "Spanish", "DACH", "Nordic", "Texas"
    fn add_places(&mut self, source: &Source) {
        for country in &source.countries {
            let place = Place::Country(country.name.clone());
            self.add(&country.name, Meaning::Place(place.clone()));
            self.add_all(&country.demonyms, &Meaning::Demonym(place));
        }
        for (words, country) in &source.country_aliases {
            self.add(words, Meaning::Place(Place::Country(country.clone())));
        }
        for region in &source.regions {
            for words in &region.words {
                let place = Place::Countries(region.countries.clone());
                let is_adjective = ADJECTIVES.iter().any(|ending| words.ends_with(ending));
                let meaning = if is_adjective {
                    Meaning::Demonym(place)
                } else {
                    Meaning::Place(place)
                };
                self.add(words, meaning);
            }
        }
        for state in &source.states {
            let place = Place::State(state.name.clone());
            self.add(&state.name, Meaning::Place(place));
        }
        for (words, state) in &source.state_aliases {
            self.add(words, Meaning::Place(Place::State(state.clone())));
        }
    }

    /// "New England", "the Bay Area", "NYC", "Paris"
    fn add_groups_of_places(&mut self, source: &Source) {
        for group in &source.state_groups {
            let place = Place::States(group.states.clone());
            self.add_all(&group.words, &Meaning::Place(place));
        }
        for metro in &source.metro_areas {
            let (state, cities) = (metro.state.clone(), metro.cities.clone());
            let place = Place::Metro { state, cities };
            self.add_all(&metro.words, &Meaning::Place(place));
        }
        for (words, city) in &source.city_aliases {
            self.add(words, Meaning::Place(Place::City(city.clone())));
        }
        for city in source.city_default.keys() {
            self.add(city, Meaning::Place(Place::City(city.clone())));
        }
        let local = source.city_aliases.values();
        let of_codes = source.cities_of_codes.values().flatten();
        let is_city_first = |city: &&String| !NAMED_AS_CITIES.contains(&city.as_str());
        for city in local.chain(of_codes).filter(is_city_first) {
            self.add_known_city(city);
        }
    }

    /// A city that is known by its own name, too: no word is a slip of it where the build does not have it.
    fn add_known_city(&mut self, city: &str) {
        let key = stems(city);
        if self.phrases.contains_key(&key) {
            return;
        }
        let ends = key
            .match_indices(' ')
            .map(|(end, _)| end)
            .chain([key.len()]);
        let beginnings = ends.filter_map(|end| key.get(..end)).map(str::to_owned);
        self.beginnings.extend(beginnings);
        let place = Meaning::Place(Place::City(city.to_owned()));
        self.phrases.insert(key, vec![place]);
    }

    /// "Email", "decision makers", "gig workers", and words that help to read others: "at least"
    fn add_small_words(&mut self, words: &Words) {
        for (contact, phrases) in &words.contacts {
            self.add_all(phrases, &Meaning::Contact(*contact));
        }
        for words in DECISION_MAKERS {
            self.add(words, Meaning::DecisionMaker);
        }
        for words in PLATFORM_WORKERS {
            self.add(words, Meaning::PlatformWorker);
        }
        for (cue, phrases) in &words.cues {
            self.add_all(phrases, &Meaning::Word(*cue));
        }
    }

    /// Phrases that mean the same.
    fn add_all<'a>(&mut self, phrases: impl IntoIterator<Item = &'a String>, meaning: &Meaning) {
        for words in phrases {
            self.add(words, meaning.clone());
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

    /// Whether a word can mean something.
    pub(crate) fn means(&self, word: &str, is_it: impl Fn(&Meaning) -> bool) -> bool {
        self.get(&crate::lex::stem(word)).iter().any(is_it)
    }

    /// Whether a phrase begins so.
    pub(crate) fn begins(&self, stems: &str) -> bool {
        self.beginnings.contains(stems)
    }

    /// Whether a stem is part of some phrase.
    pub(crate) fn knows(&self, stem: &str) -> bool {
        self.words.contains(stem) || self.phrases.contains_key(stem)
    }

    /// Whether a word is a common one that no rule is about.
    pub(crate) fn is_common(&self, word: &str) -> bool {
        self.common.contains(word) || self.is_purpose(word)
    }

    /// Whether a word is the name of a capital or a large city, whether or not the build has it: "manila".
    pub(crate) fn is_large_city(&self, word: &str) -> bool {
        self.cities.contains(word)
    }

    /// Whether a word is meant as it is written.
    pub(crate) fn is_plain(&self, word: &str) -> bool {
        self.plain.contains(word)
    }

    /// Whether a word says what somebody is asked for: "(to) invite", "inviting".
    pub(crate) fn is_purpose(&self, word: &str) -> bool {
        let stem = word.strip_suffix("ing");
        self.purposes.contains(word)
            || stem.is_some_and(|stem| {
                self.purposes.contains(stem) || self.purposes.contains(&format!("{stem}e"))
            })
    }

    /// Whether a phrase says nothing wherever it stands.
    pub(crate) fn is_silent(&self, stems: &str) -> bool {
        self.silent.contains(stems)
    }

    /// Whether a phrase asks where a clause begins with it.
    pub(crate) fn is_request(&self, stems: &str) -> bool {
        self.requests.contains(stems)
    }

    /// Whether a phrase says of what kind is what follows it.
    pub(crate) fn is_label(&self, stems: &str) -> bool {
        self.labels.contains(stems)
    }

    /// Whether a phrase is a noun for what is asked.
    pub(crate) fn is_noun(&self, stems: &str) -> bool {
        self.nouns.contains(stems)
    }

    /// Words of phrases and common ones, of so many letters.
    pub(crate) fn words_of(&self, letters: RangeInclusive<usize>) -> impl Iterator<Item = &str> {
        let words = letters.filter_map(|letters| self.by_length.get(letters));
        words.flatten().map(String::as_str)
    }

    pub(crate) fn state_of_code(&self, code: &str) -> Option<&str> {
        self.state_codes.get(code).map(String::as_str)
    }

    /// The country of a code behind a city, unless it is the code of a state in which the city may lie.
    pub(crate) fn country_of_code(&self, code: &str, city: &str) -> Option<&str> {
        let is_country = !self.state_codes.contains_key(code)
            || self
                .codes_of_cities
                .get(city)
                .is_some_and(|known| known == code);
        let country = self.country_codes.get(code).filter(|_| is_country);
        country.map(String::as_str)
    }

    pub(crate) fn country_of_state(&self, state: &str) -> Option<&str> {
        self.state_countries.get(state).map(String::as_str)
    }

    /// The country of a city that is meant where only the name is given, or whose country has the code of a state.
    pub(crate) fn country_of_city(&self, city: &str) -> Option<&str> {
        let by_code = || self.country_codes.get(self.codes_of_cities.get(city)?);
        let by_default = self.city_default.get(city).map(|[_, _, country]| country);
        by_default.or_else(by_code).map(String::as_str)
    }

    pub(crate) fn city_default(&self, city: &str) -> Option<&[String; 3]> {
        self.city_default.get(city)
    }

    /// Whether a city that is meant where only the name is given lies in a state.
    pub(crate) fn is_in_state(&self, city: &str, state: &str) -> bool {
        let known = self.city_default.get(city);
        known.is_some_and(|[_, of, _]| of == state)
    }

    /// A word, given as its stem, as it is spelled where it is the name of a place.
    pub(crate) fn spelled(&self, stem: &str) -> String {
        let mut names = self.get(stem).iter().filter_map(|meaning| match meaning {
            Meaning::Place(Place::State(name) | Place::Country(name) | Place::City(name)) => {
                Some(name.as_str())
            }
            _ => None,
        });
        let name = names.find(|name| crate::lex::stem(name) == stem);
        name.unwrap_or(stem).to_owned()
    }

    /// Whether a name is that of the state of a country in which one of the best-known cities lies.
    pub(crate) fn is_part_of(&self, state: &str, country: &str) -> bool {
        let mut known = self.city_default.values();
        known.any(|[city, of, in_country]| of == state && in_country == country && city != state)
    }

    /// The name of the country of two letters.
    pub(crate) fn country_with_code(&self, code: &str) -> Option<&str> {
        self.country_codes.get(code).map(String::as_str)
    }

    pub(crate) fn is_both_places(&self, name: &str) -> bool {
        self.both_places.contains(name)
    }

    pub(crate) fn company_alias(&self, name: &str) -> Option<&str> {
        self.company_aliases.get(name).map(String::as_str)
    }

    /// Whether another name of a company begins so.
    pub(crate) fn begins_alias(&self, start: &str) -> bool {
        self.company_aliases
            .keys()
            .any(|alias| alias.starts_with(start))
    }

    /// Whether a text is the stored name of a state.
    pub(crate) fn is_state(&self, name: &str) -> bool {
        self.has(
            name,
            |meaning| matches!(meaning, Meaning::Place(Place::State(known)) if known == name),
        )
    }

    /// Whether a text is the stored name of a country.
    pub(crate) fn is_country(&self, name: &str) -> bool {
        self.has(
            name,
            |meaning| matches!(meaning, Meaning::Place(Place::Country(known)) if known == name),
        )
    }

    /// Whether a text is an occupation, in the form in which job titles are looked for.
    pub(crate) fn is_title(&self, title: &str) -> bool {
        self.has(
            title,
            |meaning| matches!(meaning, Meaning::Title(known) if known == title),
        )
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

fn all_stems(phrases: &[String]) -> HashSet<String> {
    phrases.iter().map(|words| stems(words)).collect()
}

/// Words by their number of letters.
fn by_length<'a>(words: impl Iterator<Item = &'a String>) -> Vec<Vec<String>> {
    let mut by_length = Vec::new();
    for word in words {
        let letters = word.chars().count();
        if by_length.len() <= letters {
            by_length.resize(letters + 1, Vec::new());
        }
        if let Some(words) = by_length.get_mut(letters) {
            words.push(word.clone());
        }
    }
    by_length
}
