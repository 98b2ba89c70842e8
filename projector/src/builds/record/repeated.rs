//! Values that many records share: an employer, a title, a school, a host. What the canon makes of one is made once and kept for the other
//! records of the chunk.
//!
//! Nothing here changes a value: what is kept is what a pure function made of the same text. It is bounded: by [`MAX_KEPT`] texts a field,
//! of at most [`MAX_BYTES`] each.

use std::collections::HashMap;

use normalize::keys::{company_context, school_name_key};
use normalize::{Unreadable, company, domain, linkedin_company, school, title, vocabulary};

/// Texts of one field; beyond it the field begins anew. A chunk holds some thousands of persons.
const MAX_KEPT: usize = 16 * 1024;
/// Longer texts are rarely those of two records.
const MAX_BYTES: usize = 128;

type Read = Result<String, Unreadable>;

/// What was made of the texts of a chunk so far.
#[derive(Default)]
pub(super) struct Repeated {
    companies: Kept<Read>,
    schools: Kept<Read>,
    titles: Kept<Read>,
    hosts: Kept<Read>,
    company_profiles: Kept<Read>,
    roles: Kept<Role>,
    company_keys: Kept<String>,
    school_keys: Kept<String>,
}

/// What a title says of a job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) seniority_level: Option<String>,
    pub(super) job_function: Option<String>,
}

impl Repeated {
    /// The name of a company: canonical for a name, the host for a website.
    pub(super) fn company(&mut self, given: &str) -> Read {
        let clean = |given: &str| company::clean(given).map(|read| read.name);
        self.companies.of(given, clean)
    }

    pub(super) fn school(&mut self, given: &str) -> Read {
        self.schools.of(given, school::clean)
    }

    pub(super) fn title(&mut self, given: &str) -> Read {
        self.titles.of(given, title::clean)
    }

    pub(super) fn host(&mut self, given: &str) -> Read {
        self.hosts.of(given, domain::clean)
    }

    /// A profile of a company on LinkedIn.
    pub(super) fn company_profile(&mut self, given: &str) -> Read {
        self.company_profiles.of(given, linkedin_company::clean)
    }

    /// Level and function, where a table knows the title.
    pub(super) fn role(&mut self, title: &str) -> Role {
        let known = |mapped: vocabulary::Mapped| mapped.known.then_some(mapped.value);
        self.roles.of(title, |title| Role {
            seniority_level: known(vocabulary::seniority_level(title)),
            job_function: known(vocabulary::job_function(title)),
        })
    }

    /// By what an employer's name or host leads to its people.
    pub(super) fn company_key(&mut self, employer: &str) -> String {
        self.company_keys.of(employer, company_context)
    }

    /// The same of a school.
    pub(super) fn school_key(&mut self, school: &str) -> String {
        self.school_keys.of(school, school_name_key)
    }
}

/// Of texts, what was made of them.
struct Kept<T>(HashMap<String, T>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<T: Clone> Kept<T> {
    fn of(&mut self, text: &str, make: impl FnOnce(&str) -> T) -> T {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let made = make(text);
        if text.len() <= MAX_BYTES {
            if self.0.len() >= MAX_KEPT {
                self.0.clear();
            }
            self.0.insert(text.to_owned(), made.clone());
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_would_be_made() {
        let mut repeated = Repeated::default();
        for _ in 0..2 {
            assert_eq!(
                repeated.company("Northwind Tools, Inc.").unwrap(),
                "northwind tools"
            );
            assert!(repeated.company("!!!").is_err());
            assert_eq!(
                repeated.role("software engineer"),
                Role {
                    seniority_level: Some("mid".to_owned()),
                    job_function: Some("engineering".to_owned()),
                }
            );
        }
    }

    #[test]
    fn each_text_is_made_once_and_no_more_are_kept_than_may_be() {
        let (mut kept, mut made) = (Kept::default(), 0);
        let mut of = |text: &str| {
            kept.of(text, |text| {
                made += 1;
                text.len()
            });
            (kept.0.len(), made)
        };
        assert_eq!((of("a"), of("a")), ((1, 1), (1, 1)));
        let long = "a".repeat(MAX_BYTES + 1);
        assert_eq!((of(&long), of(&long)), ((1, 2), (1, 3)));
        for number in 0..MAX_KEPT {
            assert!(of(&number.to_string()).0 <= MAX_KEPT);
        }
    }
}
