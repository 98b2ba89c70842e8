//! What `docs/CANON.md` says of each field, by examples, and by what stands in no table of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use normalize::phone::PhoneStanding;
use normalize::vocabulary::{self, Mapped};
use normalize::{
    address, birth_date, city, company, country, domain, email, email_hash, linkedin_company, name,
    phone, postal_code, school, social, state, text, ticker, title, titlecase,
};

#[test]
fn an_address_loses_its_tag_everywhere_and_its_dots_at_gmail() {
    for (given, want) in [
        ("Maya.Okafor+x@Gmail.com", "mayaokafor@gmail.com"),
        ("Maya.Okafor+news@example.com", "maya.okafor@example.com"),
        ("m.okafor@googlemail.com", "mokafor@gmail.com"),
        ("Maya <MAYA@Example.com>", "maya@example.com"),
        ("mailto:maya@example.com?subject=x", "maya@example.com"),
        ("hans@xn--mller-kva.example", "hans@müller.example"),
    ] {
        assert_eq!(email::clean(given).unwrap().address, want);
    }
    let both = email::clean(" Maya.Okafor+X@Gmail.com ").unwrap();
    assert_eq!(both.lowercase, "maya.okafor+x@gmail.com");
    assert_eq!(email::domain(&both), "gmail.com");
    assert!(
        email::is_free_provider("gmail.com") && !email::is_free_provider("northwind-tools.example")
    );
}

#[test]
fn a_broken_address_says_so_and_suggests_what_was_meant() {
    let fault = email::clean("maya@@example.com").unwrap_err();
    assert_eq!(fault.to_string(), "not a valid e-mail address");
    assert_eq!(fault.suggestion.as_deref(), Some("maya@example.com"));
    assert_eq!(
        email::clean("maya @example,com")
            .unwrap_err()
            .suggestion
            .as_deref(),
        Some("maya@example.com")
    );
    assert_eq!(email::clean("john@").unwrap_err().suggestion, None);
}

#[test]
fn hashes_are_those_of_the_docs() {
    let hashes = email::hashes(&email::clean("John@Example.com").unwrap().address);
    assert_eq!(
        hashes.sha256,
        "855f96e983f1f8e8be944692b6f719fd54329826cb62e98015efee8e2e071dd4"
    );
    assert_eq!(hashes.sha1, "5224cb6fdd5bbe463af1db8ee499e858fcb79f81");
    assert_eq!(hashes.md5, "d4c74594d841139328695756648b6bd6");
    let parsed = email_hash::parse(" D4C74594D841139328695756648B6BD6 ").unwrap();
    assert_eq!(
        (parsed.algorithm, parsed.hex),
        (email_hash::Algorithm::Md5, hashes.md5)
    );
    assert_eq!(
        email_hash::parse("abc").unwrap_err().to_string(),
        "expected 64, 40 or 32 hexadecimal characters"
    );
    assert!(email_hash::parse(&"g".repeat(40)).is_err());
}

#[test]
fn a_possible_number_is_taken_and_its_standing_told() {
    assert_eq!(
        phone::clean("(312) 555-0142", "US").unwrap(),
        "+13125550142"
    );
    assert_eq!(
        phone::clean("(555) 123-4567", "US").unwrap(),
        "+15551234567"
    );
    assert_eq!(
        phone::clean("030 901820 ext. 7", "de").unwrap(),
        "+4930901820"
    );
    assert!(phone::clean("12", "US").is_err() && phone::clean("", "US").is_err());
    assert_eq!(phone::assess("+15551234567"), PhoneStanding::Fiction);
    assert_eq!(phone::assess("+13125550142"), PhoneStanding::Fiction);
    assert_eq!(phone::assess("+442079460123"), PhoneStanding::Fiction);
    assert_eq!(phone::assess("+12022243441"), PhoneStanding::Valid);
    assert_eq!(phone::assess("+11112223333"), PhoneStanding::PossibleOnly);
    assert!(phone::is_region("us") && phone::is_region("GB"));
    assert!(!phone::is_region("XX") && !phone::is_region("USA") && !phone::is_region("001"));
}

#[test]
fn domains_keep_deeper_hosts_and_lose_www() {
    assert_eq!(
        domain::clean("https://www.northwind-tools.example/x").unwrap(),
        "northwind-tools.example"
    );
    assert_eq!(
        domain::clean("shop.example.co.uk:8080").unwrap(),
        "shop.example.co.uk"
    );
    assert_eq!(
        domain::registrable("shop.example.co.uk"),
        Some("example.co.uk")
    );
    assert_eq!(
        domain::registrable("acme.github.io"),
        Some("acme.github.io")
    );
    for bad in [
        "co.uk",
        "localhost",
        "10.0.0.1",
        "[::1]",
        "not a domain",
        "",
    ] {
        assert!(domain::clean(bad).is_err(), "{bad}");
    }
}

#[test]
fn every_variant_of_a_profile_is_one_and_look_alikes_are_none() {
    for given in [
        "https://x.com/Maya_O",
        "twitter.com/maya_o/status/1",
        "@https://mobile.twitter.com/maya_o?lang=en",
        "//www.x.com/#!/maya_o",
    ] {
        let profile = social::clean(given.trim_start_matches('@')).unwrap();
        assert_eq!(
            (
                profile.network.as_str(),
                profile.url.as_str(),
                profile.username.as_str()
            ),
            ("twitter", "twitter.com/maya_o", "maya_o")
        );
    }
    for bad in [
        "https://notlinkedin.com/in/x",
        "https://x.com/home",
        "https://github.com/features",
        "youtube.com/@x",
        "linkedin.com/company/x",
    ] {
        assert!(social::clean(bad).is_err(), "{bad}");
    }
    assert_eq!(
        social::stored("https://www.YouTube.com/SenatorCantwell/").unwrap(),
        "youtube.com/SenatorCantwell"
    );
    assert_eq!(
        social::stored("https://twitter.com/Senator").unwrap(),
        "twitter.com/senator"
    );
    assert_eq!(social::stored("none"), None);
    assert_eq!(
        linkedin_company::clean("http://uk.linkedin.com/company/Northwind/about?x").unwrap(),
        "linkedin.com/company/northwind"
    );
}

#[test]
fn names_lose_titles_and_suffixes_and_come_given_name_first() {
    let full = name::full("Dr. Okafor, Maya \"May\" Ifeoma, PhD").unwrap();
    assert_eq!(full.cleaned, "maya ifeoma okafor");
    assert_eq!(
        (
            full.first.as_deref(),
            full.middle.as_deref(),
            full.last.as_deref()
        ),
        (Some("maya"), Some("ifeoma"), Some("okafor"))
    );
    assert_eq!(
        (full.prefix.as_deref(), full.suffix.as_deref()),
        (Some("dr."), Some("phd"))
    );
    assert_eq!(
        name::full("juan de la Vega").unwrap().last.as_deref(),
        Some("de la vega")
    );
    assert_eq!(
        name::full("José Ortega y Gasset").unwrap().last.as_deref(),
        Some("ortega y gasset")
    );
    assert_eq!(name::full("Anh Do").unwrap().cleaned, "anh do");
    assert_eq!(
        name::full("Earl L. Carter").unwrap().cleaned,
        "earl l. carter"
    );
    assert_eq!(name::first("Prince").unwrap(), "prince");
    assert_eq!(name::last("Okafor Jr.").unwrap(), "okafor");
    assert!(name::full("...").is_err());
}

#[test]
fn names_that_stand_for_nobody_are_known() {
    for nobody in [
        "test",
        "N/A",
        "First Last",
        "unknown",
        "xxx",
        "Test User",
        "",
        "123",
        "test test",
    ] {
        assert!(name::is_placeholder(nobody), "{nobody}");
    }
    for somebody in [
        "Maya Okafor",
        "Ana Test-Garcia",
        "王伟",
        "X Æ",
        "Foo Chee Keong",
    ] {
        assert!(!name::is_placeholder(somebody), "{somebody}");
    }
}

#[test]
fn a_company_is_a_name_a_website_or_a_domain() {
    for (given, want, kind) in [
        ("Northwind Tools, Inc.", "northwind tools", "name"),
        (
            "https://www.northwind-tools.example/x",
            "northwind-tools.example",
            "website",
        ),
        (
            "northwind-tools.example",
            "northwind-tools.example",
            "domain",
        ),
        ("Acme Co., Ltd.", "acme", "name"),
        ("Node.js Foundation", "node.js foundation", "name"),
        ("SE", "se", "name"),
    ] {
        let cleaned = company::clean(given).unwrap();
        assert_eq!(
            (cleaned.name.as_str(), cleaned.kind.as_str()),
            (want, kind),
            "{given}"
        );
    }
    assert_eq!(
        school::clean("  Lakeside  University ").unwrap(),
        "lakeside university"
    );
    assert_eq!(
        school::clean("https://www.lakeside.edu/x").unwrap(),
        "lakeside.edu"
    );
    assert_eq!(school::kind("lakeside.edu"), school::Kind::Domain);
}

#[test]
fn places_have_names_in_lower_case_and_codes_in_capitals() {
    let illinois = state::clean("IL", None).unwrap();
    assert_eq!(
        (illinois.full_name, illinois.code, illinois.country_code()),
        ("illinois", "US-IL", "US")
    );
    assert_eq!(state::clean("Georgia", None).unwrap().code, "US-GA");
    assert_eq!(
        state::clean("WA", Some("AU")).unwrap().full_name,
        "western australia"
    );
    assert_eq!(
        state::clean("Bayern", Some("DE")).unwrap().full_name,
        "bavaria"
    );
    assert!(
        state::clean("Narnia", None).is_err() && state::clean("California", Some("DE")).is_err()
    );
    let usa = country::clean("U.S.A.").unwrap();
    assert_eq!((usa.full_name, usa.code), ("united states", "US"));
    assert_eq!(country::continent("US"), Some(("north america", "NA")));
    assert_eq!(country::continent("XX"), None);
    assert!(country::all().all(|country| country::continent(country.code).is_some()));
    assert!(country::clean("Europe").is_err());
}

#[test]
fn small_fields_are_lower_case_and_single_spaced() {
    assert_eq!(city::clean(" São  Paulo, ").unwrap(), "são paulo");
    assert_eq!(address::clean("12  Main St.,").unwrap(), "12 main st.");
    assert_eq!(postal_code::clean("SW1A 1AA").unwrap(), "sw1a 1aa");
    assert_eq!(ticker::clean(" brk  b ").unwrap(), "BRK B");
    assert_eq!(text::clean("  Tool\u{a0} Maker "), "tool maker");
    for (given, want) in [
        ("1988", "1988"),
        ("1988-4", "1988-04"),
        ("1988-04-09T00:00:00Z", "1988-04-09"),
        ("1988/04", "1988-04"),
    ] {
        assert_eq!(birth_date::clean(given).unwrap().to_string(), want);
    }
    for bad in [
        "88",
        "1988-13",
        "1988-02-30",
        "09.04.1988",
        "",
        "1988-04-09-1",
        "3000",
    ] {
        assert!(birth_date::clean(bad).is_err(), "{bad}");
    }
}

#[test]
fn titles_are_written_out() {
    for (given, want) in [
        ("CEO", "chief executive officer"),
        ("Sr. VP, Sales", "senior vice president, sales"),
        ("President/CEO", "president/chief executive officer"),
        ("Co-CEO", "co-chief executive officer"),
        ("V.P. of Eng", "vice president of engineering"),
        ("Director , Operations", "director, operations"),
        ("Seamstress", "seamstress"),
    ] {
        assert_eq!(title::clean(given).unwrap(), want);
    }
}

#[test]
fn what_sources_write_is_mapped_onto_the_closed_lists() {
    let known = |value: &str| Mapped {
        value: value.to_owned(),
        known: true,
    };
    assert_eq!(
        vocabulary::industry("Oil, Gas & Consumable Fuels"),
        known("oil & energy")
    );
    assert_eq!(vocabulary::industry("Machinery"), known("machinery"));
    assert_eq!(
        vocabulary::company_size("10,001+ employees"),
        known("10001-50000")
    );
    assert_eq!(vocabulary::company_size("51 - 200"), known("51-200"));
    assert_eq!(vocabulary::company_size("287"), known("201-500"));
    for (given, ranges) in [
        ("287", &["201-500"][..]),
        ("2-10", &["1-10"]),
        ("10,001-50,000 employees", &["10001-50000"]),
        ("1001 to 10000", &["1001-5000", "5001-10000"]),
        ("5000-10000", &["5001-10000"]),
        ("100,001+", &["100001-500000", "500001-5000000"]),
        ("100000+", &["100001-500000", "500001-5000000"]),
        // Ranges cut in two, backwards, or none.
        ("501-1500", &[]),
        ("400+", &[]),
        ("10001-5000", &[]),
        ("-", &[]),
        ("+", &[]),
        ("large", &[]),
        ("", &[]),
        ("99999999999999999999+", &[]),
    ] {
        assert_eq!(vocabulary::company_sizes(given), ranges, "{given}");
    }
    for range in vocabulary::COMPANY_SIZES {
        assert_eq!(vocabulary::company_sizes(range), [*range]);
    }
    assert_eq!(vocabulary::company_type("Privately Held"), known("private"));
    assert_eq!(vocabulary::seniority_level("EVP and CFO"), known("cxo"));
    assert_eq!(
        vocabulary::seniority_level("Senior Software Engineer"),
        known("senior")
    );
    assert_eq!(
        vocabulary::seniority_level("Director of Engineering"),
        known("director")
    );
    assert_eq!(
        vocabulary::job_function("Software Engineer"),
        known("engineering")
    );
    assert_eq!(
        vocabulary::job_function_of(Some("executive"), Some("CFO")),
        Some(known("finance"))
    );
    assert_eq!(
        vocabulary::industry("Qwerty"),
        Mapped {
            value: "qwerty".to_owned(),
            known: false
        }
    );
    for list in [
        vocabulary::INDUSTRIES,
        vocabulary::JOB_FUNCTIONS,
        vocabulary::SENIORITY_LEVELS,
    ] {
        assert!(list.windows(2).all(|pair| pair.first() != pair.last()));
    }
    assert!(
        vocabulary::INDUSTRIES
            .iter()
            .all(|value| vocabulary::industry(value) == known(value))
    );
    assert!(
        vocabulary::JOB_FUNCTIONS
            .iter()
            .all(|value| vocabulary::job_function(value) == known(value))
    );
    assert!(
        vocabulary::SENIORITY_LEVELS
            .iter()
            .all(|value| vocabulary::seniority_level(value) == known(value))
    );
}

#[test]
fn title_case_gives_names_their_capitals_back() {
    assert_eq!(
        titlecase::person("maya o'brien-mcdonald"),
        "Maya O'Brien-McDonald"
    );
    assert_eq!(
        titlecase::person("juan de la vega iii"),
        "Juan de la Vega III"
    );
    assert_eq!(
        titlecase::organization("bank of america"),
        "Bank of America"
    );
    assert_eq!(
        titlecase::organization("macy's & sons llc"),
        "Macy's & Sons LLC"
    );
    assert_eq!(titlecase::place("isle of man"), "Isle of Man");
    assert_eq!(titlecase::place("são paulo"), "São Paulo");
    assert_eq!(
        titlecase::title("vp of it operations"),
        "VP of IT Operations"
    );
    assert_eq!(titlecase::person(""), "");
}
