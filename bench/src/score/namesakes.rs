//! Records that no request by name can tell apart: companies that bear one name, and persons of one name with the same employer, school,
//! city or title, whichever is asked for. Told by the records' own letters and digits, not by the canon that is measured.

use std::borrow::Cow;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{HashMap, HashSet};
use std::hash::{Hash as _, Hasher as _};

use serde::Deserialize;
use serde_json::{Map, Value};

/// Fields of a request that hold the name itself, or say so little that no two of a name differ by it.
const NAME: &[&str] = &[
    "full_name",
    "first_name",
    "last_name",
    "country",
    "default_region",
];
/// Fields of a request that are looked for in the records of a name.
const CONTEXT: &[&str] = &["company", "school", "city", "job_title"];

/// Who bears which name.
#[derive(Debug, Default)]
pub(crate) struct Namesakes {
    /// The first company of each name.
    companies: HashMap<u64, String>,
    shared_companies: HashSet<String>,
    persons: HashMap<u64, Vec<Bearer>>,
    /// The name of each person by id.
    names: HashMap<u64, u64>,
}

#[derive(Debug)]
struct Bearer {
    id: u64,
    is_loaded: bool,
    /// Field of a request, and a value of the record.
    contexts: HashSet<(&'static str, u64)>,
}

#[derive(Deserialize)]
struct Person<'a> {
    #[serde(borrow)]
    service_id: Option<Cow<'a, str>>,
    first_name: Option<Cow<'a, str>>,
    last_name: Option<Cow<'a, str>>,
    company_name: Option<Cow<'a, str>>,
    city: Option<Cow<'a, str>>,
    job_title: Option<Cow<'a, str>>,
    education: Option<Vec<Study<'a>>>,
    experience: Option<Vec<Job<'a>>>,
}

#[derive(Deserialize)]
struct Study<'a> {
    #[serde(borrow)]
    school: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Job<'a> {
    #[serde(borrow)]
    title: Option<Cow<'a, str>>,
    company_name: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Company<'a> {
    #[serde(borrow)]
    service_id: Option<Cow<'a, str>>,
    name: Option<Value>,
}

impl Namesakes {
    /// Notes a line of persons; its id.
    pub(crate) fn person(
        &mut self,
        line: &str,
        is_loaded: bool,
    ) -> serde_json::Result<Option<String>> {
        let person: Person<'_> = serde_json::from_str(line)?;
        let (Some(id), Some(first), Some(last)) =
            (&person.service_id, &person.first_name, &person.last_name)
        else {
            return Ok(person.service_id.map(Cow::into_owned));
        };
        let name = hash(&[first, last]);
        let studies = person.education.iter().flatten();
        let jobs = || person.experience.iter().flatten();
        let schools = studies.map(|study| &study.school);
        let employers = jobs().map(|job| &job.company_name);
        let titles = jobs().map(|job| &job.title);
        let contexts = (schools.map(|school| ("school", school)))
            .chain(employers.map(|employer| ("company", employer)))
            .chain(titles.map(|title| ("job_title", title)))
            .chain([
                ("company", &person.company_name),
                ("city", &person.city),
                ("job_title", &person.job_title),
            ])
            .filter_map(|(field, value)| Some((field, hash(&[value.as_deref()?]))));
        self.names.insert(hash(&[id]), name);
        self.persons.entry(name).or_default().push(Bearer {
            id: hash(&[id]),
            is_loaded,
            contexts: contexts.collect(),
        });
        Ok(person.service_id.map(Cow::into_owned))
    }

    /// Notes a line of companies; its id.
    pub(crate) fn company(&mut self, line: &str) -> serde_json::Result<Option<String>> {
        let company: Company<'_> = serde_json::from_str(line)?;
        let id = company.service_id.map(Cow::into_owned);
        let name = company.name.as_ref().and_then(|name| name.get("cleaned"));
        if let (Some(id), Some(name)) = (&id, name.and_then(Value::as_str)) {
            match self.companies.entry(hash(&[name])) {
                Entry::Vacant(first) => {
                    first.insert(id.clone());
                }
                Entry::Occupied(first) => {
                    self.shared_companies.insert(first.get().clone());
                    self.shared_companies.insert(id.clone());
                }
            }
        }
        Ok(id)
    }

    /// Whether another company bears the name of this one.
    pub(crate) fn is_shared_company(&self, id: &str) -> bool {
        self.shared_companies.contains(id)
    }

    /// Whether a person of this name works or worked there.
    pub(crate) fn is_at(&self, name: [&str; 2], company: &str) -> bool {
        let employer = ("company", hash(&[company]));
        let bearers = self.persons.get(&hash(&name)).into_iter().flatten();
        bearers
            .filter(|bearer| bearer.is_loaded)
            .any(|bearer| bearer.contexts.contains(&employer))
    }

    /// Whether what is asked of this person, name and context, is as true of another one who is loaded. A request by anything else is
    /// never shared.
    pub(crate) fn is_shared_person(&self, id: &str, body: &Map<String, Value>) -> bool {
        let is_known =
            |field: &String| NAME.contains(&field.as_str()) || CONTEXT.contains(&field.as_str());
        if !body.keys().all(is_known) {
            return false;
        }
        let id = hash(&[id]);
        let bearers = self.names.get(&id).and_then(|name| self.persons.get(name));
        let Some(bearers) = bearers else { return false };
        let Some(meant) = bearers.iter().find(|bearer| bearer.id == id) else {
            return false;
        };
        let fits = |other: &Bearer| {
            let mut asked = CONTEXT.iter().filter(|field| body.contains_key(**field));
            asked.all(|field| {
                let given = body.get(*field).and_then(Value::as_str).unwrap_or_default();
                let given = (*field, hash(&[given]));
                if meant.contexts.contains(&given) {
                    return other.contexts.contains(&given);
                }
                // Written in another way: any that both have.
                let mut both = meant.contexts.intersection(&other.contexts);
                both.any(|(of, _)| of == field)
            })
        };
        let mut others = bearers
            .iter()
            .filter(|other| other.is_loaded && other.id != id);
        others.any(fits)
    }
}

/// Of letters and digits alone.
fn hash(texts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for text in texts {
        for letter in text.to_lowercase().chars().filter(|c| c.is_alphanumeric()) {
            letter.hash(&mut hasher);
        }
        '\0'.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Three of one name, two of them at one school, and one of another name there.
    fn world(is_second_loaded: bool) -> Namesakes {
        let mut namesakes = Namesakes::default();
        let records = [
            ("a", "Ann", "Lee", "yale", "acme", true),
            ("b", "ann", "lee", "Yale", "initech", is_second_loaded),
            ("c", "ann", "lee", "mit", "acme", true),
            ("d", "bo", "lee", "yale", "acme", true),
        ];
        for (id, first, last, school, company, is_loaded) in records {
            let line = json!({
                "service_id": id, "first_name": first, "last_name": last, "company_name": company,
                "education": [{ "school": school }, { "school": null }],
            });
            let noted = namesakes.person(&line.to_string(), is_loaded).unwrap();
            assert_eq!(noted.as_deref(), Some(id));
        }
        namesakes
    }

    fn is_shared(world: &Namesakes, id: &str, body: Value) -> bool {
        world.is_shared_person(id, body.as_object().unwrap())
    }

    #[test]
    fn a_namesake_with_the_same_school_is_as_good_an_answer() {
        let body = json!({ "full_name": "ann lee", "school": "YALE" });
        let world = world(true);
        assert!(is_shared(&world, "a", body.clone()));
        assert!(is_shared(&world, "b", body.clone()));
        assert!(!is_shared(
            &world,
            "c",
            json!({ "full_name": "ann lee", "school": "mit" })
        ));
        assert!(!is_shared(&world, "d", body));
    }

    #[test]
    fn all_that_is_asked_must_fit() {
        let world = world(true);
        let body = json!({ "full_name": "ann lee", "school": "yale", "company": "acme" });
        assert!(!is_shared(&world, "a", body));
        let body = json!({ "full_name": "ann lee", "school": "yale", "email": "ann@acme.com" });
        assert!(!is_shared(&world, "a", body));
    }

    #[test]
    fn a_school_that_is_written_in_another_way_is_any_that_both_have() {
        let body = json!({ "full_name": "ann lee", "school": "yale university" });
        assert!(is_shared(&world(true), "a", body.clone()));
        assert!(!is_shared(&world(true), "c", body));
    }

    #[test]
    fn one_of_a_name_is_found_where_he_works() {
        let world = world(false);
        assert!(world.is_at(["BO", "Lee"], "Acme"));
        assert!(!world.is_at(["ann", "lee"], "initech"));
        assert!(!world.is_at(["lee", "bo"], "acme"));
    }

    #[test]
    fn who_is_not_loaded_is_no_answer() {
        let body = json!({ "full_name": "ann lee", "school": "yale" });
        assert!(!is_shared(&world(false), "a", body.clone()));
        assert!(is_shared(&world(false), "b", body));
    }
}
