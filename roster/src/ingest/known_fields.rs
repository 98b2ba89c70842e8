//! Whether a path of a map is a field that a record can hold, and which fields are near to one that is not.

use events_schema::record::{Field, FieldType, RecordKind};

/// Lists that a line may hold beside the record's own fields (`docs/RECORDS.md`, "What ingest takes").
pub(super) const fn further_lists(kind: RecordKind) -> &'static [&'static str] {
    match kind {
        RecordKind::Person => &["name_aliases", "merged_ids"],
        RecordKind::Company => &["merged_ids"],
    }
}

/// Texts that are taken as `{cleaned, raw}`, too.
const IN_BOTH_FORMS: [&str; 2] = ["job_title", "company_name"];

/// Keys of elements that stand for fields within them (`docs/RECORDS.md`, "What ingest takes").
const FLAT: [(&str, &[&str]); 3] = [
    (
        "experience",
        &[
            "company_service_id",
            "company_name",
            "company_domain",
            "company_linkedin_url",
            "company_linkedin_id",
            "company_industry",
            "company_size",
        ],
    ),
    ("education", &["school", "school_domain"]),
    ("locations", &["address"]),
];
/// Fields that are named beside one that is not known.
const MOST_NEAR: usize = 3;

/// Whether a record of a kind can hold something at a path. Elements of lists may be numbered: behind the list and nowhere else.
pub(super) fn is_known(kind: RecordKind, path: &str) -> bool {
    let mut names = path.split('.').peekable();
    let Some(first) = names.next() else {
        return false;
    };
    if further_lists(kind).contains(&first) {
        let _ = names.next_if(|name| is_number(name));
        return names.next().is_none();
    }
    let Some(mut field) = kind.fields().iter().find(|field| field.name == first) else {
        return false;
    };
    let mut is_top = true;
    loop {
        if matches!(
            field.kind,
            FieldType::List(_) | FieldType::TextList | FieldType::CleanedList(_)
        ) {
            let _ = names.next_if(|name| is_number(name));
        }
        let Some(name) = names.next() else {
            return true;
        };
        // Either form of a text is taken.
        let is_both = matches!(field.kind, FieldType::Cleaned | FieldType::CleanedList(_))
            || IN_BOTH_FORMS.contains(&field.name);
        if is_both && matches!(name, "cleaned" | "raw") {
            let _ = names.next_if(|name| is_number(name));
            return names.next().is_none();
        }
        if is_top && flat(first).contains(&name) {
            if matches!(name, "company_name" | "school") {
                let _ = names.next_if(|name| matches!(*name, "cleaned" | "raw"));
            }
            return names.next().is_none();
        }
        is_top = false;
        match field.kind {
            // Keys that the data give.
            FieldType::Map => return names.next().is_none(),
            FieldType::PeriodsMap => return names.count() <= 1,
            _ => {}
        }
        match field.children().iter().find(|child| child.name == name) {
            Some(child) => field = child,
            None => return false,
        }
    }
}

/// The known fields that are nearest to a path, none where none is near.
pub(super) fn nearest(kind: RecordKind, path: &str) -> Vec<String> {
    let plain: Vec<&str> = path.split('.').filter(|name| !is_number(name)).collect();
    let plain = plain.join(".").to_lowercase();
    let most = (plain.chars().count() / 3).max(1);
    let mut near: Vec<(usize, String)> = all(kind)
        .into_iter()
        .map(|known| (distance(&plain, &known), known))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort();
    let best = near.first().map_or(0, |(distance, _)| *distance);
    near.retain(|(distance, _)| *distance <= best + 1);
    near.truncate(MOST_NEAR);
    near.into_iter().map(|(_, known)| known).collect()
}

/// Every path, without `{cleaned, raw}` and keys that the data give.
fn all(kind: RecordKind) -> Vec<String> {
    let mut paths = Vec::new();
    under("", kind.fields(), &mut paths);
    for (list, keys) in FLAT {
        if kind.fields().iter().any(|field| field.name == list) {
            paths.extend(keys.iter().map(|key| format!("{list}.{key}")));
        }
    }
    paths.extend(further_lists(kind).iter().map(|&list| list.to_owned()));
    paths
}

fn under(prefix: &str, fields: &[Field], paths: &mut Vec<String>) {
    for field in fields {
        let path = format!("{prefix}{}", field.name);
        if matches!(field.kind, FieldType::List(_) | FieldType::Object { .. }) {
            under(&format!("{path}."), field.children(), paths);
        }
        paths.push(path);
    }
}

fn flat(list: &str) -> &'static [&'static str] {
    let found = FLAT.into_iter().find(|(name, _)| *name == list);
    found.map_or(&[], |(_, keys)| keys)
}

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Letters to put in, take out or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (taken, letter) in a.chars().enumerate() {
        let mut next = vec![taken + 1];
        for ((other, pair), above) in b.iter().zip(row.windows(2)).zip(row.iter().skip(1)) {
            let [diagonal, _] = pair else { continue };
            let changed = diagonal + usize::from(*other != letter);
            let left = next.last().copied().unwrap_or(taken);
            next.push(changed.min(left + 1).min(above + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERSON: RecordKind = RecordKind::Person;
    const COMPANY: RecordKind = RecordKind::Company;

    #[test]
    fn every_field_of_a_record_and_every_short_form_is_known() {
        for kind in RecordKind::ALL {
            for path in all(kind) {
                assert!(is_known(kind, &path), "{path}");
            }
        }
        for path in [
            "emails.1.address",
            "experience.0.title.cleaned",
            "experience.2.company_name",
            "education.school",
            "skills",
            "skills.0.cleaned",
            "name_aliases.1",
            "job_title.raw",
            "locations.raw",
            "experience.company_name.raw",
            "education.0.school.cleaned",
        ] {
            assert!(is_known(PERSON, path), "{path}");
        }
        for path in [
            "service_new_hire_count.12m",
            "service_seniority_distribution.senior",
            "service_seniority_growth_rate.senior.12m",
            "name.raw",
        ] {
            assert!(is_known(COMPANY, path), "{path}");
        }
    }

    #[test]
    fn what_no_record_holds_is_not_known_and_the_nearest_is_named() {
        for (kind, path, near) in [
            (PERSON, "emails.adress", "emails.address"),
            (PERSON, "emails.1.adress", "emails.address"),
            (PERSON, "ful_name", "full_name"),
            (PERSON, "Full_Name", "full_name"),
            (PERSON, "experience.companyname", "experience.company_name"),
            (COMPANY, "domian", "domain"),
        ] {
            assert!(!is_known(kind, path), "{path}");
            assert_eq!(nearest(kind, path)[0], near, "{path}");
        }
        for path in [
            "city.name",
            "name_aliases.first",
            "",
            "person",
            "x",
            "service_new_hire_count.12m",
            "city.raw",
            "num_sources.cleaned",
            "emails.address.raw",
            "person.full_name",
            "company.name",
        ] {
            assert!(!is_known(PERSON, path), "{path}");
        }
        assert!(!is_known(COMPANY, "name_aliases"));
        assert_eq!(
            nearest(PERSON, "shoe_size_of_the_left_foot"),
            Vec::<String>::new()
        );
    }
}
