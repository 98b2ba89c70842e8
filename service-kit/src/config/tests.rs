use super::*;

fn reader<const N: usize>(pairs: [(&str, &str); N]) -> Reader {
    Reader::from_pairs("QUERY_SERVICE", pairs)
}

#[test]
fn the_own_setting_wins_over_the_shared_one_and_the_default_comes_last() {
    let mut reader = reader([("QUERY_SERVICE_POOL", "7"), ("POOL", "3"), ("RETRIES", "4")]);
    assert_eq!(
        (
            reader.get("POOL", 1),
            reader.get("RETRIES", 1),
            reader.get("OTHER", 1)
        ),
        (7, 4, 1)
    );
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn every_fault_is_reported_in_one_answer_and_no_secret_shows() {
    let mut reader = reader([
        ("QUERY_SERVICE_POOL", "many"),
        ("QUERY_SERVICE_TIMEOUT", "30"),
        ("QUERY_SERVICE_TOKEN", "s3cr3t"),
        ("QUERY_SERVICE_LISTNE", "127.0.0.1:1"),
        ("HOME", "/"),
    ]);
    reader.get("POOL", 1);
    reader.duration("TIMEOUT", Duration::ZERO);
    reader.required::<String>("DATABASE_URL");
    let secret = reader.secret("TOKEN");
    assert_eq!(secret.expose(), "s3cr3t");
    assert!(!format!("{reader:?} {secret:?}").contains("s3cr3t"));
    let fault = reader.finish().unwrap_err();
    assert_eq!(fault.0.len(), 4, "{fault}");
    let text = fault.to_string();
    for name in [
        "_POOL",
        "_TIMEOUT",
        "_DATABASE_URL: is required",
        "_LISTNE: is not a setting",
    ] {
        assert!(text.contains(name), "{name} is not in {text}");
    }
}

#[test]
fn durations_and_sizes_need_their_units() {
    let mut reader = reader([
        ("A", "250ms"),
        ("B", "2m"),
        ("C", "16MiB"),
        ("D", "1024"),
        ("E", "2 h"),
    ]);
    assert_eq!(
        reader.duration("A", Duration::ZERO),
        Duration::from_millis(250)
    );
    assert_eq!(
        reader.duration("B", Duration::ZERO),
        Duration::from_secs(120)
    );
    assert_eq!(reader.bytes("C", 0), 16 * 1024 * 1024);
    assert_eq!(reader.bytes("D", 0), 1024);
    assert_eq!(
        reader.duration("E", Duration::ZERO),
        Duration::from_secs(7200)
    );
    for bad in [
        "",
        "s",
        "10",
        "-1s",
        "1.5s",
        "8761h",
        "99999999999999999999s",
    ] {
        assert!(parse_duration(bad).is_err(), "{bad}");
    }
    for bad in ["", "0", "0MiB", "1MB", "-1", "18446744073709551615GiB"] {
        assert!(parse_bytes(bad).is_err(), "{bad}");
    }
}

#[test]
fn what_would_do_nothing_is_taken_only_where_none_means_something() {
    let zeros = [("A", "0s"), ("B", "0"), ("C", "0"), ("D", "0s"), ("E", "0")];
    let mut reader = reader(zeros);
    assert_eq!(
        reader.duration_or_none("A", Duration::from_secs(1)),
        Duration::ZERO
    );
    assert_eq!(reader.count("B", 1_u32), 0);
    reader.at_least_one("C", 1_usize);
    reader.duration("D", Duration::from_secs(1));
    reader.bytes("E", 1);
    assert_eq!(reader.finish().unwrap_err().0.len(), 3);
}

#[test]
fn a_number_that_does_not_fit_is_refused_with_what_does() {
    let mut reader = reader([("A", "256"), ("B", "1000000001"), ("C", "-1"), ("D", "x")]);
    reader.at_least_one("A", 1_u8);
    reader.count("B", 1_usize);
    reader.count("C", 1_i64);
    reader.at_least_one("D", 1_u32);
    let ConfigFault(faults) = reader.finish().unwrap_err();
    assert_eq!(faults.len(), 4);
    assert!(faults[3].ends_with("must be a whole number from 1 to 1000000000"));
}

#[test]
fn an_empty_value_counts_as_not_set() {
    let mut reader = reader([("QUERY_SERVICE_A", ""), ("B", " , x,, y ")]);
    assert_eq!(reader.optional::<u16>("A"), None);
    assert_eq!(reader.list("B"), ["x", "y"]);
    assert_eq!(reader.finish(), Ok(()));
}
