//! What the tables of the closed lists make of titles and of other vendors' names: cases of every rule, in several languages.

use normalize::vocabulary::{
    INDUSTRIES, JOB_FUNCTIONS, SENIORITY_LEVELS, industry, job_function, job_function_of,
    seniority_level,
};

/// Title, level, function.
const TITLES: &[(&str, &str, &str)] = &[
    // The noun at the end decides the field, a rank beside it the level.
    ("Product Designer", "mid", "arts and design"),
    ("Sr. Data Engineer", "senior", "engineering"),
    ("Engineering Manager II", "manager", "engineering"),
    ("Management Consultant", "mid", "consulting"),
    (
        "Head of Data Science & Analytics",
        "director",
        "data science",
    ),
    ("VP Eng", "vp", "engineering"),
    ("Director of Nursing", "director", "healthcare services"),
    (
        "Vice President, Supply Chain and Logistics",
        "vp",
        "operations",
    ),
    (
        "Assistant Professor of Civil Engineering",
        "mid",
        "education",
    ),
    // Ranks raise and lower what is below a manager, and nothing above.
    ("Junior Product Manager", "entry", "product management"),
    ("Lead Product Designer", "senior", "arts and design"),
    ("Senior Engineering Manager", "manager", "engineering"),
    ("Legal Intern", "training", "legal"),
    (
        "Volunteer Coordinator",
        "unpaid",
        "community and social services",
    ),
    ("Staff Nurse", "mid", "healthcare services"),
    ("Staff Software Engineer", "senior", "engineering"),
    // Who is in a field and has no rank works in it.
    ("Paralegal", "mid", "legal"),
    ("Delivery Driver", "mid", "operations"),
    // Several roles: the highest level, the first field.
    ("Executive Vice President and CFO", "cxo", "finance"),
    ("Founder & CEO", "owner", "entrepreneurship"),
    ("Research and Development Manager", "manager", "research"),
    // Whom somebody assists is not what somebody is.
    ("Executive Assistant to the CEO", "mid", "administrative"),
    // Other languages.
    ("Geschäftsführer", "cxo", "operations"),
    ("Leiter Vertrieb", "manager", "sales"),
    ("Softwareentwickler (m/w/d)", "mid", "engineering"),
    ("Werkstudentin Marketing", "training", "marketing"),
    (
        "Directrice des ressources humaines",
        "director",
        "human resources",
    ),
    ("Ingénieur commercial", "mid", "sales"),
    (
        "Stagiaire en communication",
        "training",
        "media and communication",
    ),
    ("Gerente de Recursos Humanos", "manager", "human resources"),
    ("Director General", "cxo", "operations"),
    ("Engenheiro de Software Sênior", "senior", "engineering"),
    ("Estagiário de Engenharia", "training", "engineering"),
    ("Amministratore Delegato", "cxo", "operations"),
    ("Hoofd Inkoop", "manager", "purchasing"),
];

#[test]
fn titles_give_a_level_and_a_function() {
    let wrong: Vec<_> = TITLES
        .iter()
        .map(|(title, level, function)| {
            let found = (seniority_level(title).value, job_function(title).value);
            (title, found, ((*level).to_owned(), (*function).to_owned()))
        })
        .filter(|(_, found, wanted)| found != wanted)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_other_vendors_call_an_industry_is_one_of_the_list() {
    for (given, wanted) in [
        ("Legislative Offices", "legislative office"),
        (
            "IT Services and IT Consulting",
            "information technology and services",
        ),
        ("Hospitals and Health Care", "hospital & health care"),
        ("Oil & Gas Refining & Marketing", "oil & energy"),
        ("Semiconductor Materials & Equipment", "semiconductors"),
        ("Motor Vehicle Parts Manufacturing", "automotive"),
        ("Accommodation and Food Services", "hospitality"),
        (
            "Nursing and Residential Care Facilities",
            "hospital & health care",
        ),
        ("EdTech", "e-learning"),
        ("Gesundheitswesen", "hospital & health care"),
        ("Commerce de détail", "retail"),
        (
            "Tecnología de la información",
            "information technology and services",
        ),
        // Nothing but a general word is known of it.
        ("Widget Manufacturing", "machinery"),
    ] {
        assert_eq!(industry(given).value, wanted, "{given}");
    }
    let unknown = industry("Zymurgy Enthusiasm");
    assert!(!unknown.known && unknown.value == "zymurgy enthusiasm");
}

#[test]
fn values_of_the_lists_stay_what_they_are() {
    assert!(
        INDUSTRIES
            .iter()
            .all(|value| industry(value).value == *value)
    );
    assert!(
        SENIORITY_LEVELS
            .iter()
            .all(|value| seniority_level(value).value == *value)
    );
    assert!(
        JOB_FUNCTIONS
            .iter()
            .all(|value| job_function(value).value == *value)
    );
}

#[test]
fn a_title_says_more_than_a_general_or_an_unknown_function() {
    let of = |given, title| job_function_of(given, title).map(|mapped| mapped.value);
    let finance = Some("finance".to_owned());
    assert_eq!(
        of(Some("executive"), Some("chief financial officer")),
        finance
    );
    assert_eq!(of(Some("n/a"), Some("chief financial officer")), finance);
    assert_eq!(
        of(Some("legal"), Some("chief financial officer")),
        Some("legal".to_owned())
    );
    assert_eq!(of(None, Some("zymurgist")), None);
}
