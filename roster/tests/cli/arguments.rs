//! Help, wrong usage, exit codes.

use crate::run::Roster;

#[tokio::test]
async fn help_is_an_answer_for_the_program_and_for_a_command() {
    let roster = Roster::new();
    let commands: &[&[&str]] = &[&[], &["reports", "erase"]];
    for command in commands {
        let ran = roster.run(&[command, &["--help"][..]].concat()).await;
        assert_eq!(ran.code, 0, "{command:?}: {ran:?}");
        assert!(ran.stdout.contains("Example"), "{command:?}");
        assert!(ran.stdout.contains("--json"), "{command:?}");
    }
}

#[tokio::test]
async fn wrong_usage_exits_with_2_and_says_so_on_stderr() {
    let id = "0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c10";
    let wrong: &[&[&str]] = &[
        &[],
        &["acount", "list"],
        &["account", "create"],
        &[
            "contract",
            "create",
            "--account",
            "no-uuid",
            "--credits",
            "1",
        ],
        &["contract", "create", "--account", id, "--credits", "-1"],
        &[
            "contract",
            "create",
            "--account",
            id,
            "--credits",
            "1",
            "--starts",
            "2026-13-01",
        ],
        &[
            "contract",
            "create",
            "--account",
            id,
            "--credits",
            "1",
            "--price",
            "people=1",
        ],
        &["contract", "grant", id, "--credits", "0"],
        &[
            "key",
            "create",
            "--account",
            id,
            "--rate-limit",
            "person_enrich=0",
        ],
        &["key", "revoke", "tooshort"],
        &["ingest", "--kind", "dog", "x.ndjson"],
        &[
            "ingest", "--kind", "person", "x.ndjson", "--format", "parquet",
        ],
        &["builds", "show", "../etc"],
        &["reports", "list", "--status", "lost"],
        &["republish", "--shard", "64", "--from", "1"],
    ];
    let roster = Roster::at("http://127.0.0.1:1");
    for arguments in wrong {
        let ran = roster.run(arguments).await;
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {ran:?}"
        );
        assert!(!ran.stderr.is_empty(), "{arguments:?}");
        let ran = roster.run(&[arguments, &["--json"][..]].concat()).await;
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {ran:?}"
        );
        assert_eq!(ran.error()["error"], "bad_request", "{arguments:?}");
    }
}

/// What is wrong with a value, in words that say what is accepted.
#[tokio::test]
async fn a_wrong_number_is_told_with_what_is_accepted() {
    let id = "0195b7c2-9d1e-8a05-9f3c-2b6e4d8a7c10";
    let roster = Roster::at("http://127.0.0.1:1");
    let create = ["contract", "create", "--account", id];
    let key = ["key", "create", "--account", id];
    for (command, option, value, told) in [
        (
            &create[..],
            "--credits",
            "-5",
            "a whole number from 0 to 1000000000000000",
        ),
        (
            &create[..],
            "--credits",
            "1.5",
            "a whole number from 0 to 1000000000000000",
        ),
        (
            &create[..],
            "--endpoints",
            "people",
            "expected all, or a comma list",
        ),
        (
            &["contract", "grant", id][..],
            "--credits",
            "0",
            "a whole number from 1 to 1000000000000000",
        ),
        (
            &key[..],
            "--rate-limit",
            "all=5",
            "those are: person_enrich",
        ),
        (
            &["reports", "list"][..],
            "--limit",
            "-1",
            "a whole number from 1 on",
        ),
    ] {
        let ran = roster.run(&[command, &[option, value]].concat()).await;
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains(told), "{ran:?}");
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_wrong_usage() {
    for url in ["localhost:8084", "8084", "ftp://a/", "http://"] {
        let ran = Roster::at(url).run(&["account", "list"]).await;
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains("ROSTER_ADMIN_URL is"), "{ran:?}");
    }
}

#[tokio::test]
async fn without_settings_the_user_learns_which_are_missing() {
    let ran = Roster::new().run(&["account", "list", "--json"]).await;
    assert_eq!(ran.code, 2);
    assert!(
        ran.error()["message"]
            .as_str()
            .unwrap()
            .contains("ROSTER_ADMIN_URL"),
        "{ran:?}"
    );
}

#[tokio::test]
async fn a_service_that_does_not_answer_is_exit_code_1_and_retryable() {
    let ran = Roster::at("http://127.0.0.1:1")
        .run(&["account", "list", "--json"])
        .await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let error = ran.error();
    assert_eq!(error["error"], "service_unavailable");
    assert_eq!(error["retryable"], true);
    assert!(!ran.stderr.contains("secret"), "{ran:?}");
}
