//! The two laws of every field: any text gives a value or a reason, and cleaning a cleaned value changes nothing.

#[path = "cases/mod.rs"]
#[allow(dead_code, reason = "only the dispatch by field is used here")]
mod cases;

use proptest::prelude::*;
use serde_json::Value;

const FIELDS: [&str; 13] = [
    "email",
    "phone",
    "full_name",
    "first_name",
    "last_name",
    "social_url",
    "linkedin_company_url",
    "school",
    "domain",
    "ticker_symbol",
    "company",
    "country",
    "state",
];

/// The text under which the cleaned value is found again.
fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Object(object) => object
            .get("name")
            .or_else(|| object.get("full_name"))?
            .as_str(),
        other => other.as_str(),
    }
}

fn assert_settled(field: &str, input: &str) -> Result<(), TestCaseError> {
    let once = cases::clean(field, input, "US");
    let Some(again) = text(&once) else {
        return Ok(());
    };
    let twice = cases::clean(field, again, "US");
    // A state is named without its country, and several countries have a Georgia or a La Paz.
    let same = field == "state" || text(&twice) == Some(again);
    prop_assert!(
        same,
        "{field}: {input:?} gives {once}, and that gives {twice}"
    );
    Ok(())
}

fn assert_laws(input: &str) -> Result<(), TestCaseError> {
    for field in FIELDS {
        assert_settled(field, input)?;
    }
    for free in [
        normalize::address::clean(input),
        normalize::city::clean(input),
        normalize::postal_code::clean(input),
        normalize::title::clean(input),
        normalize::birth_date::clean(input).map(|date| date.to_string()),
    ] {
        let _: Result<String, normalize::Unreadable> = free;
    }
    for clean in [
        normalize::address::clean,
        normalize::city::clean,
        normalize::postal_code::clean,
        normalize::title::clean,
    ] {
        if let Ok(once) = clean(input) {
            prop_assert_eq!(clean(&once), Ok(once.clone()), "of {:?}", input);
        }
    }
    let once = normalize::text::clean(input);
    prop_assert_eq!(normalize::text::clean(&once), once);
    let _ = normalize::keys::person_name_lookups(input).count();
    let _ = normalize::keys::name_context_lookups(
        input,
        normalize::keys::PersonKey::NameCompany,
        input,
    );
    let _ = normalize::keys::company_name_key(input);
    let _ = normalize::keys::school_name_key(input);
    let _ = normalize::email_hash::parse(input).is_ok();
    let _ = normalize::phone::assess(input);
    let _ = normalize::social::stored(input);
    let _ = normalize::name::is_placeholder(input);
    Ok(())
}

/// Texts of what stands around and in names: titles, marks, commas, degrees, of several languages and against each other.
fn namelike() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![" ", " ", " ", ",", ", ", ".", "-", "/", "|", ";", "*", "!"]),
        3 => prop::sample::select(vec![
            "\"", "\"", "\"\"", "“", "”", "„", "«", "»", "'", "'", "''", "’", "‘", "‚", "‹", "›", "`", "´", "(", ")", "[", "]", "「", "」",
        ]),
        4 => prop::sample::select(vec![
            "Jane", "Doe", "CLARKE", "O'Brien", "D'Angelo", "'t Hooft", "d'", "van", "de la", "J.", "M.J.", "ma", "Do", "Gen", "Maj",
            "John", "Pan", "Lady", "Wei", "Анна", "Пан", "Петрова", "محمد", "السيد", "عبد", "ΝΙΚΟΣ", "Иванович", "‘Alā’ al-Dīn", "NOGUEIRA", "RAIA", "山田", "太郎", "김철수", "ד\"ר", "דוד",
        ]),
        4 => prop::sample::select(vec![
            "Dr.", "Dr", "Ms.", "Ms.Priya", "Prof.Dr.", "Er.", "Lt", "Lt.Col.", "the hon.", "Dipl.-Ing.", "med.", "h.c.", "in", "mr", "Prince", "Dean", "and",
            "ΚΟΣ", "κος", "ΚΥΡΙΟΣ", "майор", "леди", "Chartered", "Assoc.", "Junior", "(Jr.)", "д-р", "г-н", "пан", "د.", "د/", "أ.د.", "श्री", "様", "さん", "先生", "님", "선생님", "ดร.",
            "Jr.", "III", "V", "MD", "PhD", "Ph. D.", "BSc", "(Hons)", "Hons", "MA", "MCIPD", "MXYZ", "CEng", "FInstX", "LEE", "ктн", "ret.", "MBA/PMP",
            "MXQZA", "mxqza", "DO", "PA-C", "PT", "S.Kom", "M.Carmen", "X.Qzy", "De", "heer", "H.E.", "H.E. ", "Amina ", "=\"", "'", "Name: ", "First name: ", "Surname: ", " - ", ", CEO, ", "Founder/CEO", "Head of ", " - LinkedIn", " | LinkedIn", "ﬀ", "M.", "D.", "jun.", "Mag.in", "Dr.İ", "CEO", "Dr.Sa", "Dr.sa", "Sig.na", "Dr.in", "Dr.In", "em.", "i.R.", "Emerita", "Emeritus", "Professor", "Datuk", "Dato'", "Seri", "Wira", "Av.", "Op.", "\u{2068}", "\u{2069}",
        ]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Texts that look like the fields' values: words, separators and the signs that the parsers cut at.
fn lookalike() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z]{1,8}".boxed(),
        2 => "[0-9]{1,6}".boxed(),
        3 => prop::sample::select(vec![
            " ", " ", ",", ".", "-", "@", "/", "//", "://", "?", "#", "+", "'", "\"", "(", ")", "&", "www.", ".com",
            "(", ")", "🌿", " 🚀", "☕", "<a href=\"", "\">", "</a>", "](", "ext #", " - ", " (uk)", " (formerly acme)", ", dba ", " now ", " f/k/a ", "services", "bank", "germany", "北京", ".co.uk", "http", "https", "linkedin.com", "in", "company", "twitter.com", "x.com", "github.com",
            "facebook.com", "profile.php?id=", "gmail.com", "googlemail.com", "xn--", "=\"", "\"=\"\"", "\"\"\"", "'", "Company: ", "School: ", "Ticker: ", "NYSE: ", "NASDAQ:", "$", "State: ", "Surname: ", "• ", " [at] ", "(at)", " at ", " dot ", "[dot]", " B.S.C.", " (c)", " Day", " & ", " Spa", " MMC", "ə", "P/F ", " LinkedIn", "'Til ", "%20", "%C3%B8", "Dr.", "Jr.",
            "PhD", "van", "de la", "Inc.", "Ltd", "GmbH", "S.A.", "& Co", "Prince", "V", "MA", "Ph. D.", "the hon.",
            "Smith", "Okafor", "O'Brien", "García", "Müller", "de", "y", "III", "MD", "Mrs", "h.c.", "Prof. Dr.", "Duke", "of", "and", "I", "M.J.",
            "Republic of", "Korea", "Georgia", "Rep.", "Islands", "California", "USA", "CA", "province", "Bayern", "東京", "市", "Co.", "d.o.o.",
            "UAB ", " SAC", ", a Delaware corporation", "*", "ＮＴＴ", "\u{2011}", "株式会社", "(주)", "Co.,Ltd.", "GmbH&Co.KG", " und Co. KG", "(Pty)Ltd", "，", "（", "）", "[", "]", "PT ", "ООО ", "SARL ", "S. p. A.", "e. V.", "Tbk", "SA/NV", "i.L.", "unipersonale", "Ltda - ME", "Società per Azioni", "Công ty TNHH ", "บริษัท", "จำกัด", "„", "«", "»", "®", "intent", "screen_name=", "pg", "pages", "p", "mwlite", "pub", "*.", "http//", "https:// ", "+1", "555", "3.125550142", "E+09", "E9", "ext", "00",
        ]).prop_map(str::to_owned).boxed(),
        1 => prop::sample::select(vec!["é", "ß", "İ", "ς", "Σ", "ﬁ", "ﬆ", "ﬄ", "ё", "王", "한", "\u{301}", "\u{200d}", "\u{200b}", "\u{a0}", "。", "．", "－"]).prop_map(str::to_owned).boxed(),
    ];
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

/// Texts that an export garbled, or that look so: halves of letters, tags, and the words that go or stay by what stands beside them.
fn garbled() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ÃÄÅÂâ€™œ‘“”‚„‰ˆ˜šžƒ©®«»¨\u{a0}\u{81}\u{9d}ŠÖaAbZ .,'\"<>/&;-]",
        3 => prop::sample::select(vec![
            "<b>", "</b>", "<em>", "</i>", "â€", "â€™", "Ã©", "Ãƒ", "&amp;", " ", "a", "B", "Ltd", " OPC", " Cyf", " senc", " enr.", "(opc)", ", d. d.",
            " u.a.", "coöperatie ", "PJSC ", "les entreprises ", "Ts. ", "M. ", "RAO ", "Ahmad ", "Herra ", "nen", "ponia ", "ienė", "rebbe ", "Lance ", "cpl ", "Agent ",
            "Dl. ", " DiS.", " OSB", "\"", "“", "”", "Dr. ", "&acirc;", "&Atilde;", "&#8364;", "&#8482;", "&copy;", "\u{302}", "\u{200b}", "\u{ad}",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_laws_hold_for_any_text(input in any::<String>()) {
        assert_laws(&input)?;
    }

    #[test]
    fn cleaning_a_clean_name_changes_nothing(input in namelike()) {
        for field in ["full_name", "first_name", "last_name"] {
            assert_settled(field, &input)?;
        }
        let _ = normalize::keys::person_name_lookups(&input).count();
    }

    #[test]
    fn comparing_is_symmetric(a in lookalike(), b in lookalike()) {
        // The second shares words with the first, or they would hardly ever agree.
        for (a, b) in [(a.clone(), b.clone()), (format!("{a} {b}"), a)] {
            use normalize::compare;
            prop_assert_eq!(compare::names(&a, &b), compare::names(&b, &a), "{:?} {:?}", a, b);
            prop_assert_eq!(compare::companies(&a, &b), compare::companies(&b, &a), "{:?} {:?}", a, b);
            prop_assert_eq!(compare::schools(&a, &b), compare::schools(&b, &a), "{:?} {:?}", a, b);
            prop_assert_eq!(compare::cities(&a, &b), compare::cities(&b, &a), "{:?} {:?}", a, b);
            prop_assert_eq!(compare::titles(&a, &b), compare::titles(&b, &a), "{:?} {:?}", a, b);
        }
    }

    #[test]
    fn the_laws_hold_for_garbled_texts(input in garbled()) {
        assert_laws(&input)?;
    }

    #[test]
    fn the_laws_hold_for_texts_like_values(input in lookalike()) {
        assert_laws(&input)?;
    }
}

#[test]
fn a_very_long_text_is_answered_at_once() -> Result<(), TestCaseError> {
    let start = std::time::Instant::now();
    for piece in [
        "=\"",
        "\"=\"\"",
        "company: ",
        "school:",
        "'A",
        "(at)",
        " dot ",
        "ﬁ",
        "• ",
        "(a)",
        "inc ",
        "\"a\" ",
        "a.",
        "é.",
        "@",
        "dr. ",
        "vp ",
        "%41",
        "a-",
        "\u{301}",
        "1",
    ] {
        assert_laws(&piece.repeat(131_072 / piece.len()))?;
    }
    // A square of the length would take many minutes.
    prop_assert!(start.elapsed().as_secs() < 120);
    Ok(())
}

#[test]
fn the_laws_hold_for_every_case() -> Result<(), TestCaseError> {
    let fail = |error: &dyn std::error::Error| TestCaseError::fail(error.to_string());
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    for field in FIELDS {
        for line in std::fs::read_to_string(folder.join(format!("{field}.jsonl")))
            .map_err(|e| fail(&e))?
            .lines()
        {
            let case: Value = serde_json::from_str(line).map_err(|e| fail(&e))?;
            assert_laws(
                case.get("input")
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
            )?;
        }
    }
    Ok(())
}
