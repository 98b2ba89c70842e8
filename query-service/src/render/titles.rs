//! Title case: which rule of the canon fits which field.

use normalize::titlecase;

/// A rule of title case.
pub(super) type Style = fn(&str) -> String;

/// The rule of a field that title case touches; of `{cleaned, raw}` it touches `cleaned`.
pub(super) fn style(name: &str) -> Style {
    match name {
        "full_name" | "first_name" | "middle_name" | "middle_initial" | "last_name"
        | "last_initial" | "prefix" | "suffix" => titlecase::person,
        "city" | "state" | "country" | "continent" | "street_address" | "address_line_2" => {
            titlecase::place
        }
        "job_title" | "title" => titlecase::title,
        _ => titlecase::organization,
    }
}
