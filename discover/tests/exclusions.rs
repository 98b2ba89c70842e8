//! Words that leave out what stands beside them: it is left out or reported, never asked for.
#![allow(clippy::unwrap_used, clippy::panic)]

use chrono::NaiveDate;
use dialect::{Catalog, ColumnId, Query};
use discover::{Lexicon, Translation, translate};
use events_schema::record::RecordKind;

/// A build that knows one company.
struct Oracle(ColumnId);

impl Lexicon for Oracle {
    fn has(&self, column: ColumnId, value: &str) -> bool {
        column == self.0 && value == "oracle"
    }
}

fn read(kind: RecordKind, text: &str) -> Translation {
    let name = match kind {
        RecordKind::Person => "company_name",
        RecordKind::Company => "name.cleaned",
    };
    let build = Oracle(Catalog::of(kind).find(name).unwrap());
    let today = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    translate(kind, text, &build, today).unwrap_or_else(|refused| panic!("{text}: {refused:?}"))
}

fn check(kind: RecordKind, text: &str, condition: &str, unsupported: &[&str]) {
    let found = read(kind, text);
    let table = kind.name();
    let expected = Query::parse(kind, &format!("SELECT * FROM {table} WHERE {condition}")).unwrap();
    assert_eq!(found.query.text(), expected.query.text(), "{text}");
    let reported = found.interpretation.unsupported.iter();
    let reported: Vec<&str> = reported.map(|one| one.phrase.as_str()).collect();
    assert_eq!(reported, unsupported, "{text}");
}

fn people(text: &str, condition: &str, unsupported: &[&str]) {
    check(RecordKind::Person, text, condition, unsupported);
}

fn companies(text: &str, condition: &str, unsupported: &[&str]) {
    check(RecordKind::Company, text, condition, unsupported);
}

const SALES: &str = "job_function = 'sales'";
const NO_TEXAS: &str = "job_function = 'sales' AND (state <> 'texas' OR state IS NULL)";
const TEXAS: &str = "job_function = 'sales' AND state = 'texas'";
const NO_EMAIL: &str = "job_function = 'sales' AND work_email IS NULL";
const EMAIL: &str = "job_function = 'sales' AND work_email IS NOT NULL";
const NO_BANKS: &str = "industry <> 'banking' OR industry IS NULL";

#[test]
fn whatever_leaves_out_a_state_never_asks_for_it() {
    for form in [
        "sales people -Texas",
        "sales people !Texas",
        "sales people != Texas",
        "sales people <> Texas",
        "sales people ≠ Texas",
        "sales people w/o Texas",
        "sales people sans Texas",
        "sales people excl. Texas",
        "sales people exc. Texas",
        "sales people ex. Texas",
        "sales people excluding: Texas",
        "sales people not in: Texas",
        "sales people. Exclude: Texas.",
        "sales people, Texas is excluded",
        "sales people, Texas should be left out",
        "sales people, Texas not included",
        "sales people, Texas is not wanted",
        "sales people, Texas out",
        "sales people, excluded: Texas",
        "sales people, none in Texas",
        "all sales people but those in Texas",
        "sales people in every state but Texas",
        "sales people everywhere but Texas",
        "sales people besides Texas",
        "sales people less Texas",
        "sales people bar Texas",
        "sales people, save Texas",
        "sales people, forget Texas",
        "sales people, regardless of Texas",
        "sales people not only in Texas",
    ] {
        let found = read(RecordKind::Person, form);
        let query = found.query.text();
        let asks = query.contains("state = 'texas'") || query.contains("state IN");
        assert!(!asks, "{form}: {query}");
        assert!(query.contains(SALES), "{form}: {query}");
        let is_told =
            query.contains("state <> 'texas'") || !found.interpretation.unsupported.is_empty();
        assert!(is_told, "{form}: {query}");
    }
}

#[test]
fn of_all_but_some_those_are_left_out() {
    companies("all companies but banks", NO_BANKS, &[]);
    companies(
        "all companies but Oracle",
        "name.cleaned <> 'oracle' OR name.cleaned IS NULL",
        &[],
    );
    companies(
        "all banks but German ones",
        "industry = 'banking' AND NOT (locations.country = 'germany' AND locations.country IS NOT NULL)",
        &[],
    );
    people(
        "everybody at Oracle but the CEO",
        "company_name = 'oracle' AND (job_title IS NULL OR job_title NOT LIKE '%chief executive officer%')",
        &[],
    );
    people("all sales people but those in Texas", NO_TEXAS, &[]);
    people("all sales people, but senior", SALES, &["but senior"]);
}

#[test]
fn but_adds_what_must_hold_too_where_nothing_is_taken_from_all() {
    people("all sales people but only in Texas", TEXAS, &[]);
    people("all sales people but in Texas", TEXAS, &[]);
    people("all sales people but with a work email", EMAIL, &[]);
    people(
        "all sales people but they must have a work email",
        EMAIL,
        &[],
    );
    people("sales people but only in Texas", TEXAS, &[]);
    companies(
        "all banks but with over 500 employees",
        "industry = 'banking' AND service_employee_count > 500",
        &[],
    );
    companies(
        "all banks but founded after 2010",
        "industry = 'banking' AND founded > 2010",
        &[],
    );
}

#[test]
fn signs_short_forms_and_colons_leave_out() {
    for sign in [
        "sales people -Texas",
        "sales people (-Texas)",
        "sales people, -\"Texas\"",
        "sales people !Texas",
        "sales people with state != Texas",
        "sales people state <> Texas",
        "sales people w/o Texas",
        "sales people excl. Texas",
        "sales people, not in: Texas",
        "sales people. Exclude: Texas",
    ] {
        people(sign, NO_TEXAS, &[]);
    }
    people("sales people w/out email", NO_EMAIL, &[]);
    people("sales people without: email", NO_EMAIL, &[]);
    people(
        "sales people -email in Texas",
        &format!("{NO_EMAIL} AND state = 'texas'"),
        &[],
    );
    people(
        "Exclude:\n- Texas\n- banks\n- Ohio\nsales people",
        "job_function = 'sales' AND (state <> 'ohio' OR state IS NULL) AND (state <> 'texas' OR state IS NULL) AND (company_industry <> 'banking' OR company_industry IS NULL)",
        &[],
    );
    companies(
        "companies, type != public",
        "type <> 'public' OR type IS NULL",
        &[],
    );
}

#[test]
fn hyphens_that_join_or_part_leave_out_nothing() {
    for text in [
        "sales people - Texas",
        "- sales people in Texas",
        "sales people -in Texas",
        "sales people\n- Texas",
        "Hi! Texas sales people",
    ] {
        people(text, TEXAS, &[]);
    }
    people("sales people with a work e-mail", EMAIL, &[]);
    people("Texas-based sales people", TEXAS, &[]);
    companies(
        "non-public banks",
        "industry = 'banking' AND (type <> 'public' OR type IS NULL)",
        &[],
    );
    companies(
        "banks with 10 -50 employees",
        "industry = 'banking' AND service_employee_count BETWEEN 10 AND 50",
        &[],
    );
}

#[test]
fn what_is_said_to_be_out_behind_it_is_left_out() {
    for said in [
        "Texas is excluded",
        "Texas excluded",
        "Texas not included",
        "Texas isn't included",
        "Texas must be left out",
        "Texas out",
        "Texas excl.",
    ] {
        people(&format!("sales people, {said}"), NO_TEXAS, &[]);
    }
    people(
        "sales people, Texas and Ohio are excluded",
        "job_function = 'sales' AND (state NOT IN ('texas', 'ohio') OR state IS NULL)",
        &[],
    );
    people(
        "sales people, Texas and banks excluded",
        "job_function = 'sales' AND (state <> 'texas' OR state IS NULL) AND (company_industry <> 'banking' OR company_industry IS NULL)",
        &[],
    );
    people("sales people, Texas included", TEXAS, &[]);
    people(
        "sales people, Texas is not excluded",
        SALES,
        &["Texas is not excluded"],
    );
}

#[test]
fn an_exception_goes_on_over_kinds_but_not_over_prepositions() {
    let both = "(state <> 'texas' OR state IS NULL) AND (company_industry <> 'banking' OR company_industry IS NULL)";
    people(
        "sales people excluding Texas and banks",
        &format!("{SALES} AND {both}"),
        &[],
    );
    people(
        "sales people excluding Texas, banks and Oracle",
        &format!("{SALES} AND {both} AND (company_name <> 'oracle' OR company_name IS NULL)"),
        &[],
    );
    companies(
        "companies excluding banks and Germany",
        &format!(
            "({NO_BANKS}) AND NOT (locations.country = 'germany' AND locations.country IS NOT NULL)"
        ),
        &[],
    );
    people(
        "sales people excluding Texas and with email",
        &format!("{NO_TEXAS} AND work_email IS NOT NULL"),
        &[],
    );
    people(
        "sales people excluding Texas, including Ohio",
        NO_TEXAS,
        &["including Ohio"],
    );
    people(
        "sales people excluding Texas incl. Ohio",
        NO_TEXAS,
        &["incl. Ohio"],
    );
}

#[test]
fn two_words_of_one_thing_are_left_out_as_one() {
    companies(
        "companies excluding public banks",
        "industry <> 'banking' OR industry IS NULL OR type <> 'public' OR type IS NULL",
        &[],
    );
    people(
        "people but not German engineers",
        "country <> 'germany' OR country IS NULL OR job_function <> 'engineering' OR job_function IS NULL",
        &[],
    );
    people(
        "sales people excluding German banks",
        SALES,
        &["excluding German banks"],
    );
    people(
        "sales people excluding Foobarly banks",
        SALES,
        &["excluding Foobarly banks"],
    );
}

#[test]
fn an_alternative_with_its_own_verb_is_not_left_out() {
    for joined in [
        "who aren't in Texas or who have a work email",
        "not in Texas, or with a work email",
    ] {
        people(
            &format!("sales people {joined}"),
            "job_function = 'sales' AND (state <> 'texas' OR state IS NULL OR work_email IS NOT NULL)",
            &[],
        );
    }
    people(
        "sales people neither in Texas nor with a work email",
        &format!("{NO_TEXAS} AND work_email IS NULL"),
        &[],
    );
}

#[test]
fn not_only_asks_for_others_too() {
    people(
        "sales people not just in Texas",
        SALES,
        &["not just in Texas"],
    );
    people(
        "sales people not only in Texas but also in Ohio",
        "job_function = 'sales' AND state IN ('texas', 'ohio')",
        &[],
    );
}

#[test]
fn a_value_that_is_said_to_be_missing_is_not_there() {
    for said in [
        "whose email is missing",
        "where email is null or empty",
        "whose email is not known",
        "whose email isn't available",
        "whose email we don't know",
        "whose email we don't have",
        "whose email could not be found",
        "with unknown email",
        "with an empty or null email",
        "with email unknown",
        "where work_email is null",
        "where work_email = null",
        "with email: none",
        "with email: no",
    ] {
        people(&format!("sales people {said}"), NO_EMAIL, &[]);
    }
    for said in [
        "whose email is not missing",
        "where work_email is not null",
        "with a non-empty email",
        "whose email is known",
    ] {
        people(&format!("sales people {said}"), EMAIL, &[]);
    }
    people(
        "sales people with email, missing linkedin",
        &format!("{EMAIL} AND linkedin_url IS NULL"),
        &[],
    );
    people(
        "sales people whose email or linkedin is missing",
        "job_function = 'sales' AND (work_email IS NULL OR linkedin_url IS NULL)",
        &[],
    );
}

#[test]
fn a_value_that_is_not_needed_is_no_condition() {
    for said in [
        "no email needed",
        "no email required",
        "email optional",
        "email is not required",
        "email or not",
        "regardless of email",
        "whether or not they have email",
        "even without email",
    ] {
        people(&format!("sales people, {said}"), SALES, &[said]);
    }
    people("sales people, email required", EMAIL, &[]);
}

#[test]
fn what_only_looks_like_an_exclusion_leaves_out_nothing() {
    // A slip of a short word that turns round, a hyphen between two of one kind, a bullet.
    people("zone sales people in Texas", TEXAS, &["zone"]);
    people("skin sales people in Texas", TEXAS, &["skin"]);
    people("sales -managers in Texas", TEXAS, &["-managers"]);
    people("sales people -US only", SALES, &["-US"]);
    people("I need -sales people in Texas", TEXAS, &[]);
    people("Need: -sales people -in Texas", TEXAS, &[]);
    let abroad = "job_function = 'sales' AND (country <> 'united states' OR country IS NULL)";
    people("non -US sales people", abroad, &[]);
    // What adds, and what "all" is said of.
    people("all sales people but Texas based", TEXAS, &[]);
    people(
        "sales people in any industry but Texas",
        TEXAS,
        &["industry"],
    );
    companies(
        "any public company but banks is a must",
        "type = 'public' AND industry = 'banking'",
        &[],
    );
    let elsewhere =
        "job_function = 'sales' AND state = 'ohio' AND (state <> 'texas' OR state IS NULL)";
    people("sales people not in Texas but Ohio", elsewhere, &[]);
    // Of the first something was said already.
    people(
        "sales people whose email is known and linkedin is missing",
        "job_function = 'sales' AND work_email IS NOT NULL AND linkedin_url IS NULL",
        &[],
    );
    people("ex. Oracle sales people", SALES, &["ex. Oracle"]);
}

#[test]
fn an_exception_goes_on_over_an_alternative_of_its_own() {
    let neither =
        format!("{NO_TEXAS} AND (years_of_experience >= 5 OR years_of_experience IS NULL)");
    people(
        "sales people excluding those in Texas or with less than 5 years of experience",
        &neither,
        &[],
    );
}

#[test]
fn what_those_who_ask_do_not_want_is_left_out() {
    for wish in [
        "I don't want",
        "we do not need",
        "I'm not looking for",
        "I am not interested in",
        "not looking for",
        "not interested in",
        "I never want to see",
        "we no longer need",
        "we are not hiring",
        "please do not show me",
        "no need for",
    ] {
        people(
            &format!("{wish} people from Texas"),
            "state <> 'texas' OR state IS NULL",
            &[],
        );
        people(
            &format!("sales people at Oracle, {wish} people in Texas"),
            &format!("{NO_TEXAS} AND company_name = 'oracle'"),
            &[],
        );
        companies(&format!("{wish} any banks"), NO_BANKS, &[]);
    }
}

#[test]
fn what_is_not_wanted_is_left_out_as_a_whole() {
    let no_texan =
        "state <> 'texas' OR state IS NULL OR job_function <> 'sales' OR job_function IS NULL";
    people("I don't want sales people in Texas", no_texan, &[]);
    people(
        "I don't want sales people in Texas or managers",
        &format!("({no_texan}) AND (seniority_level <> 'manager' OR seniority_level IS NULL)"),
        &[],
    );
    people(
        "I don't want people without a work email",
        "work_email IS NOT NULL",
        &[],
    );
    people(
        "managers, I don't want foobar sales people",
        "seniority_level = 'manager'",
        &["don't want foobar sales people"],
    );
}

#[test]
fn behind_what_is_not_wanted_it_is_said_what_is() {
    for text in [
        "I don't want Texas, I want sales people",
        "I don't want Texas but I do need sales people",
        "We are not interested in Texas. We need sales people",
        "I don't want people in Texas but sales people",
        "I want sales people and I don't want Texas",
    ] {
        people(text, NO_TEXAS, &[]);
    }
}

#[test]
fn a_request_that_is_only_limited_or_fails_leaves_out_nothing() {
    people("I can't find sales people in Texas", TEXAS, &[]);
    people("I don't care, I want sales people in Texas", TEXAS, &[]);
    people(
        "we don't sell software, we want sales people in Texas",
        TEXAS,
        &[],
    );
    people("I don't only want sales people", SALES, &[]);
    // What is not wanted has ended in front of what is.
    people(
        "I don't need much, sales people in Texas",
        TEXAS,
        &["don't need much"],
    );
    people(
        "we are not hiring, but want sales people in Texas",
        TEXAS,
        &[],
    );
    people(
        "I'm not looking for a job, I want sales people in Texas",
        TEXAS,
        &[],
    );
    people(
        "sales people, we don't need email",
        SALES,
        &["don't need email"],
    );
}

#[test]
fn what_only_some_are_asked_of_is_not_left_out() {
    let no_managers = "(seniority_level <> 'manager' OR seniority_level IS NULL)";
    for text in [
        "no managers, just sales people in Texas",
        "no managers, only sales people in Texas",
        "not managers but rather sales people in Texas",
        "sales people, not managers, only in Texas",
        "I don't want managers, just sales people in Texas",
    ] {
        people(text, &format!("{TEXAS} AND {no_managers}"), &[]);
    }
    people(
        "sales people not only in Texas",
        SALES,
        &["not only in Texas"],
    );
}

#[test]
fn a_not_in_front_of_a_word_that_is_not_understood_reaches_nothing_else() {
    people(
        "sales people, no agencies, in Texas",
        TEXAS,
        &["no agencies"],
    );
    people("sales people, no agencies, Texas", TEXAS, &["no agencies"]);
    people("sales people, no wizards, Texas", TEXAS, &["no wizards"]);
    people(
        "sales people, excluding agencies, with a work email",
        EMAIL,
        &["excluding agencies"],
    );
    people(
        "sales people not at Foobarly, Oracle",
        &format!("{SALES} AND (company_name <> 'oracle' OR company_name IS NULL)"),
        &["not at Foobarly"],
    );
    people(
        "sales people excluding Foobarly, Texas and Ohio",
        &format!("{SALES} AND (state NOT IN ('texas', 'ohio') OR state IS NULL)"),
        &["excluding Foobarly"],
    );
}

#[test]
fn further_words_that_turn_round_are_read() {
    for form in [
        "sales people excepting Texas",
        "sales people, stop showing Texas",
        "sales people as opposed to Texas",
        "sales people who ain't in Texas",
        "sales people who cannot be in Texas",
        "sales people who mustn't be in Texas",
        "sales people who wouldn't be in Texas",
        "sales people, Texas is out of scope",
        "sales people, Texas off limits",
    ] {
        people(form, NO_TEXAS, &[]);
    }
    people("sales people with zero email", NO_EMAIL, &[]);
    people("sales people expecting Texas", TEXAS, &["expecting"]);
}

#[test]
fn what_a_word_that_turns_round_is_said_of_is_reported_with_it() {
    for said in [
        "unless in Texas",
        "cannot work in Texas",
        "hate Texas",
        "hardly in Texas",
        "not interested in Texas",
        "out of scope: Texas",
    ] {
        let found = read(RecordKind::Person, &format!("sales people {said}"));
        let query = found.query.text();
        assert!(
            query.contains(SALES) && !query.contains("state = 'texas'"),
            "{query}"
        );
        let unsupported = found.interpretation.unsupported;
        assert!(
            unsupported.iter().any(|one| one.phrase.ends_with("Texas")),
            "{said}"
        );
    }
    people(
        "people in Texas who never worked in sales",
        "state = 'texas'",
        &["never worked in sales"],
    );
    people(
        "managers bar the sales people",
        "seniority_level = 'manager'",
        &["bar the sales people"],
    );
    companies(
        "banks without an office outside Germany",
        "industry = 'banking'",
        &["without an office outside Germany"],
    );
    people(
        "bar managers in Texas",
        "seniority_level = 'manager' AND state = 'texas'",
        &["bar"],
    );
    people(
        "Don't forget sales people in Texas",
        TEXAS,
        &["Don't forget"],
    );
    people("can't you find sales people in Texas", TEXAS, &["can't"]);
}

#[test]
fn a_first_and_a_last_name_are_both_asked_for() {
    let both = "first_name = 'mary' AND last_name = 'smith'";
    people("first name is Mary and last name is Smith", both, &[]);
    people("first name Mary, last name Smith", both, &[]);
    people(
        "first name is Mary or last name is Smith",
        "first_name = 'mary' OR last_name = 'smith'",
        &[],
    );
}

#[test]
fn neither_of_two_kinds_is_asked_for() {
    people(
        "engineers neither in Texas nor managers",
        "job_function = 'engineering' AND (state <> 'texas' OR state IS NULL) AND (seniority_level <> 'manager' OR seniority_level IS NULL)",
        &[],
    );
    people(
        "managers not in Texas or directors in Ohio",
        "(seniority_level = 'manager' AND (state <> 'texas' OR state IS NULL)) OR (seniority_level = 'director' AND state = 'ohio')",
        &[],
    );
}

#[test]
fn what_may_be_or_may_not_be_is_no_condition() {
    for said in [
        "may or may not be in Texas",
        "might or might not have a work email",
    ] {
        people(&format!("sales people who {said}"), SALES, &[said]);
    }
}

#[test]
fn a_place_with_a_word_of_its_own_is_where_they_are() {
    people(
        "sales people not in Texas, in the US",
        &format!("{NO_TEXAS} AND country = 'united states'"),
        &[],
    );
    people(
        "sales people not in Texas, in Ohio",
        &format!("{SALES} AND (state NOT IN ('texas', 'ohio') OR state IS NULL)"),
        &[],
    );
    people(
        "directors not in Texas, in sales",
        &format!("{NO_TEXAS} AND seniority_level = 'director'"),
        &[],
    );
}

#[test]
fn a_city_is_left_out_of_the_state_of_its_name() {
    let state = format!("{SALES} AND state = 'new york' AND (city <> 'new york' OR city IS NULL)");
    people("sales people in New York except New York City", &state, &[]);
    people("sales people in New York but not NYC", &state, &[]);
}

#[test]
fn a_list_that_is_said_to_be_out_behind_it_is_left_out_as_a_whole() {
    let three =
        "industry NOT IN ('banking', 'hospital & health care', 'insurance') OR industry IS NULL";
    companies("banks, hospitals and insurers excluded", three, &[]);
    companies("banks, hospitals, and insurers are not wanted", three, &[]);
    people(
        "sales people in Texas, interns and wizards excluded",
        &format!("{TEXAS} AND (seniority_level <> 'training' OR seniority_level IS NULL)"),
        &["wizards excluded"],
    );
    people(
        "directors, interns not needed",
        "seniority_level = 'director' AND (seniority_level <> 'training' OR seniority_level IS NULL)",
        &[],
    );
    people(
        "sales people, Texas not required",
        SALES,
        &["Texas not required"],
    );
    companies(
        "insurers, banks excluded",
        &format!("industry = 'insurance' AND ({NO_BANKS})"),
        &[],
    );
}

#[test]
fn a_phrase_beside_another_that_is_said_to_be_out_is_left_out_as_a_whole() {
    let no_texan_managers = "(state <> 'texas' OR state IS NULL OR seniority_level <> 'manager' OR seniority_level IS NULL)";
    for text in [
        "sales people, managers in Texas excluded",
        "managers in Texas are not wanted, sales people",
    ] {
        people(text, &format!("{SALES} AND {no_texan_managers}"), &[]);
    }
    people("sales people in Texas excluded", NO_TEXAS, &[]);
    people(
        "sales people Texas excluded, with a work email",
        &format!("{NO_TEXAS} AND work_email IS NOT NULL"),
        &[],
    );
}
