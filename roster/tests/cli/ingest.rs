//! `roster ingest`: chunks, packing, CSV, going on after a cut, and how it ends.

use std::io::Write;

use events_schema::api::limits::{MAX_CHUNK_BYTES, MAX_LINE_BYTES};
use serde_json::{Value, json};

use crate::fake::{Fake, refusal};
use crate::run::Roster;

const TWO_LINES: &str = "{\"full_name\":\"ana\"}\n{\"full_name\":\"ben\"}\n";

/// SHA-256 of `TWO_LINES`, by coreutils' sha256sum.
const TWO_LINES_SHA256: &str = "e842a0397ff45c2589e0a0c2705538d49e078b36835da419131df9b51b82c8a5";

#[tokio::test]
async fn a_file_becomes_an_active_build() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let arguments = [
        "ingest",
        "--kind",
        "person",
        "persons.ndjson",
        "--as-of",
        "2026-10-31",
        "--json",
    ];
    let ran = roster.run(&arguments).await;
    let expected = json!({
        "build": "2026.11.1-person", "kind": "person", "rows": 2, "rejected": 0, "rejects_file": null, "active": true,
        "waiting_for": [],
    });
    assert_eq!(ran.json(), expected);
    assert_eq!(ran.stderr, "");
    let sent: Vec<_> = fake
        .sent()
        .into_iter()
        .map(|sent| format!("{} {}", sent.method, sent.path))
        .collect();
    let build = "/admin/builds/2026.11.1-person";
    assert_eq!(
        sent,
        [
            "POST /admin/builds".to_owned(),
            format!("PUT {build}/chunks/0"),
            format!("POST {build}/seal"),
            format!("GET {build}"),
            format!("GET {build}"),
            format!("POST {build}/activate"),
        ]
    );
    assert_eq!(
        fake.sent()[0].body,
        json!({"kind": "person", "build": null, "as_of": "2026-10-31"})
    );
    assert_eq!(fake.sent()[2].body, json!({"chunks": 1}));
    let chunk = &fake.chunks()[&0];
    assert_eq!(chunk.body, TWO_LINES.as_bytes());
    assert_eq!(
        (chunk.sha256.as_str(), chunk.first_line),
        (TWO_LINES_SHA256, 1)
    );
}

#[tokio::test]
async fn who_does_not_answer_from_the_build_yet_is_named() {
    let fake = Fake::start().await;
    fake.answers(
        "POST /admin/builds/2026.11.1-person/activate",
        200,
        json!({"build": "2026.11.1-person", "waiting_for": ["query-service-2"]}),
    );
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let arguments = ["ingest", "--kind", "person", "persons.ndjson", "--json"];
    let ran = roster.run(&arguments).await;
    assert_eq!(ran.json()["active"], json!(true));
    assert_eq!(ran.json()["waiting_for"], json!(["query-service-2"]));
}

#[tokio::test]
async fn what_was_loaded_is_told_also_where_its_activation_is_refused() {
    let fake = Fake::start().await;
    fake.will_become(json!({"status": "loaded", "rows": 1, "rejected": 1, "rejects_object": "r"}));
    fake.answers(
        "POST /admin/builds/2026.11.1-person/activate",
        409,
        refusal("overtaken", "Another build was made active meanwhile."),
    );
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let arguments = ["ingest", "--kind", "person", "persons.ndjson", "--json"];
    let ran = roster.run(&arguments).await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let error = ran.error();
    assert_eq!(error["error"], "overtaken");
    assert_eq!(
        error["details"]["loaded"],
        json!({"rows": 1, "rejected": 1, "rejects_file": "r"})
    );
}

#[tokio::test]
async fn a_long_file_is_cut_and_every_line_arrives_once() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    let lines: Vec<_> = (0..120_001)
        .map(|n| format!("{{\"full_name\":\"{n}\"}}"))
        .collect();
    roster.folder.write("persons.ndjson", lines.join("\n"));
    roster
        .run(&["ingest", "--kind", "person", "persons.ndjson", "--json"])
        .await
        .json();
    let places: Vec<_> = fake
        .chunks()
        .iter()
        .map(|(n, chunk)| (*n, chunk.first_line))
        .collect();
    assert_eq!(places, [(0, 1), (1, 50_001), (2, 100_001)]);
    assert_eq!(fake.lines(), lines);
}

#[tokio::test]
async fn packed_files_and_stdin_are_read_as_plain_ones_are() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(TWO_LINES.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(TWO_LINES.as_bytes(), 1).unwrap();
    for (name, content, input) in [
        ("persons.ndjson.gz", gzip.clone(), Vec::new()),
        ("persons.ndjson.zst", zstd, Vec::new()),
        ("-", Vec::new(), TWO_LINES.as_bytes().to_vec()),
        ("-", Vec::new(), gzip),
    ] {
        let fake = Fake::start().await;
        let roster = Roster::at(&fake.url);
        if name != "-" {
            roster.folder.write(name, content);
        }
        let ran = roster
            .run_with_input(&["ingest", "--kind", "person", name, "--json"], &input)
            .await;
        ran.json();
        assert_eq!(fake.chunks()[&0].sha256, TWO_LINES_SHA256, "{name}");
    }
}

#[tokio::test]
async fn a_csv_file_is_mapped_onto_the_fields_of_a_record() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    roster.folder.write(
        "companies.csv",
        "Name,Web,Since\n\"Acme, Inc.\",acme.example,1994\nshort\n",
    );
    roster.folder.write(
        "map.toml",
        "name = \"Name\"\nfounded = \"Since\"\ndomains.domain = \"Web\"\n",
    );
    roster
        .run(&[
            "ingest",
            "--kind",
            "company",
            "companies.csv",
            "--map",
            "map.toml",
            "--json",
        ])
        .await
        .json();
    let lines = fake.lines();
    let record: Value = serde_json::from_str(&lines[0]).unwrap();
    assert_eq!(
        record,
        json!({"name": "Acme, Inc.", "founded": 1994, "domains": [{"domain": "acme.example"}]})
    );
    assert_eq!(lines[1], "short");
    // The header is line 1.
    assert_eq!(fake.chunks()[&0].first_line, 2);
}

#[tokio::test]
async fn a_load_that_was_cut_off_goes_on_where_it_stood() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    let lines: Vec<_> = (0..60_000)
        .map(|n| format!("{{\"full_name\":\"{n}\"}}"))
        .collect();
    roster.folder.write("persons.ndjson", lines.join("\n"));
    let arguments = [
        "ingest",
        "--kind",
        "person",
        "persons.ndjson",
        "--build",
        "b-1",
        "--json",
    ];
    roster.run(&arguments).await.json();
    let first = fake.chunks()[&0].sha256.clone();

    let fake = Fake::start().await;
    fake.has_begun("b-1", &[(0, &first)], false);
    Roster::at(&fake.url)
        .in_folder(roster.folder)
        .run(&arguments)
        .await
        .json();
    assert_eq!(fake.chunks().into_keys().collect::<Vec<_>>(), [1]);
    assert!(
        fake.sent()
            .iter()
            .any(|sent| sent.path.ends_with("/seal") && sent.body == json!({"chunks": 2}))
    );
}

#[tokio::test]
async fn a_build_that_is_sealed_already_is_only_waited_for() {
    let fake = Fake::start().await;
    fake.has_begun("b-1", &[(0, TWO_LINES_SHA256)], true);
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    roster
        .run(&[
            "ingest",
            "--kind",
            "person",
            "persons.ndjson",
            "--build",
            "b-1",
            "--json",
        ])
        .await
        .json();
    let sent = fake.sent();
    assert!(
        sent.iter()
            .all(|sent| sent.method != "PUT" && !sent.path.ends_with("/seal")),
        "{sent:?}"
    );
}

#[tokio::test]
async fn a_build_is_not_resumed_with_another_file() {
    let roster = Roster::new();
    roster.folder.write("persons.ndjson", TWO_LINES);
    let mut folder = roster.folder;
    // Another first chunk; a sealed build without this chunk; a build with more chunks than the file.
    let cases: [(&[(u32, &str)], bool); 3] = [
        (&[(0, "other")], false),
        (&[], true),
        (&[(0, TWO_LINES_SHA256), (1, "more")], false),
    ];
    for (staged, sealed) in cases {
        let fake = Fake::start().await;
        fake.has_begun("b-1", staged, sealed);
        let roster = Roster::at(&fake.url).in_folder(folder);
        let ran = roster
            .run(&[
                "ingest",
                "--kind",
                "person",
                "persons.ndjson",
                "--build",
                "b-1",
                "--json",
            ])
            .await;
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{ran:?}");
        let details = ran.error()["details"].clone();
        assert_eq!(
            (&details["reason"], &details["build"]),
            (&json!("another_file"), &json!("b-1"))
        );
        assert!(fake.sent().iter().all(|sent| !sent.path.ends_with("/seal")));
        folder = roster.folder;
    }
}

#[tokio::test]
async fn what_a_service_that_is_not_ready_did_not_take_is_sent_again() {
    let fake = Fake::start().await;
    let build = "/admin/builds/b-1";
    let requests = [
        "POST /admin/builds".to_owned(),
        format!("PUT {build}/chunks/0"),
        format!("POST {build}/seal"),
        format!("POST {build}/activate"),
    ];
    for request in &requests {
        fake.fails(request, 2);
    }
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let arguments = [
        "ingest",
        "--kind",
        "person",
        "persons.ndjson",
        "--build",
        "b-1",
        "--json",
    ];
    let ran = roster.run(&arguments).await;
    assert_eq!(ran.json()["active"], json!(true));
    for request in &requests {
        let sent = fake.sent();
        let times = sent
            .iter()
            .filter(|sent| format!("{} {}", sent.method, sent.path) == *request);
        assert_eq!(times.count(), 3, "{request}");
    }
    assert_eq!(fake.chunks().len(), 1);
}

#[tokio::test]
async fn a_build_without_a_given_name_is_not_begun_twice() {
    let fake = Fake::start().await;
    fake.fails("POST /admin/builds", 1);
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let ran = roster
        .run(&["ingest", "--kind", "person", "persons.ndjson", "--json"])
        .await;
    assert_eq!((ran.code, fake.sent().len()), (1, 1), "{ran:?}");
    let told = ran.error()["details"]["go_on"].to_string();
    assert!(told.contains("roster builds list"), "{told}");
}

#[tokio::test]
async fn rejected_lines_are_counted_and_their_file_can_be_opened() {
    let fake = Fake::start().await;
    let object = "builds/2026.11.1-person/rejects.ndjson";
    fake.will_become(
        json!({"status": "loaded", "rows": 1, "rejected": 1, "rejects_object": object}),
    );
    let roster = Roster::at(&fake.url).with("OBJECT_STORE", "objects");
    roster.folder.write("persons.ndjson", TWO_LINES);
    roster
        .folder
        .write(&format!("objects/{object}"), "{\"line\":2}\n");
    let shown = roster
        .run(&["ingest", "--kind", "person", "persons.ndjson", "--json"])
        .await
        .json();
    assert_eq!((&shown["rows"], &shown["rejected"]), (&json!(1), &json!(1)));
    let file = shown["rejects_file"].as_str().unwrap();
    assert!(file.starts_with('/'), "{file}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "{\"line\":2}\n");
}

#[tokio::test]
async fn a_build_that_failed_is_exit_code_1_with_the_reason() {
    let fake = Fake::start().await;
    fake.will_become(
        json!({"status": "failed", "rejected": 200, "reason": "200 of 300 lines were rejected."}),
    );
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let ran = roster
        .run(&["ingest", "--kind", "person", "persons.ndjson", "--json"])
        .await;
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let error = ran.error();
    assert_eq!(error["error"], "build_failed");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("200 of 300 lines were rejected.")
    );
    assert_eq!(error["details"]["build"], "2026.11.1-person");
    assert!(
        fake.sent()
            .iter()
            .all(|sent| !sent.path.ends_with("/activate"))
    );
}

#[tokio::test]
async fn a_build_is_only_loaded_when_it_is_not_to_be_activated() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    roster.folder.write("persons.ndjson", TWO_LINES);
    let ran = roster
        .run(&[
            "ingest",
            "--kind",
            "person",
            "persons.ndjson",
            "--no-activate",
        ])
        .await;
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("active        false"), "{ran:?}");
    assert!(
        ran.stderr.contains("2026.11.1-person: loading 2 lines"),
        "{ran:?}"
    );
    assert!(
        fake.sent()
            .iter()
            .all(|sent| !sent.path.ends_with("/activate"))
    );
}

#[tokio::test]
async fn a_file_that_cannot_be_read_reserves_no_name() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    roster.folder.write("empty.ndjson", "");
    roster.folder.write("cut.ndjson.gz", [0x1f, 0x8b, 8, 0]);
    roster.folder.write("map.toml", "name = 7");
    roster.folder.write("a.csv", "name\nAcme\n");
    for (code, arguments) in [
        (1, &["nowhere.ndjson"][..]),
        (1, &["empty.ndjson"]),
        (1, &["cut.ndjson.gz"]),
        (1, &["."]),
        (2, &["a.csv", "--map", "map.toml"]),
        (2, &["a.csv", "--map", "nowhere.toml"]),
        (2, &["empty.ndjson", "--map", "map.toml"]),
    ] {
        let ran = roster
            .run(&[&["ingest", "--kind", "company", "--json"], arguments].concat())
            .await;
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (code, ""),
            "{arguments:?}: {ran:?}"
        );
        assert_eq!(ran.error()["error"], "bad_request");
    }
    assert_eq!(fake.sent(), []);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_sent_cut_off_and_the_load_goes_on() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    let long = format!("{{\"full_name\":\"{}\"}}", "x".repeat(MAX_CHUNK_BYTES));
    let last = "{\"full_name\":\"ana\"}";
    roster
        .folder
        .write("persons.ndjson", format!("{{}}\n{long}\n{last}\n"));
    roster
        .run(&["ingest", "--kind", "person", "persons.ndjson", "--json"])
        .await
        .json();
    let lines = fake.lines();
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("{}", last));
    assert_eq!(lines[1].len(), MAX_LINE_BYTES + 1);
    assert!(lines[1].starts_with("{\"full_name\":\"xxx"));
    let chunks = fake.chunks();
    assert!(
        chunks
            .values()
            .all(|chunk| chunk.body.len() <= MAX_CHUNK_BYTES)
    );
    assert_eq!(chunks[&2].first_line, 3);
}

#[tokio::test]
async fn a_map_that_names_no_field_is_refused_before_anything_is_sent() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    roster
        .folder
        .write("a.csv", "Name,E-mail\nAna,a@x.example\n");
    let map = "full_name = \"Name\"\nemails.adress = \"E-mail\"\n";
    roster.folder.write("map.toml", map);
    let arguments = [
        "ingest", "--kind", "person", "a.csv", "--map", "map.toml", "--json",
    ];
    let ran = roster.run(&arguments).await;
    assert_eq!(ran.code, 2, "{ran:?}");
    let error = ran.error();
    let told = error["message"].as_str().unwrap();
    assert!(
        told.contains("emails.adress (near: emails.address"),
        "{told}"
    );
    assert_eq!(error["details"]["unknown_fields"], json!(["emails.adress"]));
    assert!(fake.sent().is_empty());
}

#[tokio::test]
async fn what_became_of_no_record_is_told_after_a_load() {
    let fake = Fake::start().await;
    fake.will_become(json!({"status": "loaded", "rows": 2, "rejected": 0,
        "report": {"unreadable": {"emails.address": 2}, "unknown": 3, "unlisted": {"company_industry": 1}}}));
    let roster = Roster::at(&fake.url);
    let csv = "Name,E-mail,Shoe size\nAna,x,38\nBen,y,44\n";
    roster.folder.write("a.csv", csv);
    let map = "full_name = \"Name\"\nemails.address = \"E-mail\"\n";
    roster.folder.write("map.toml", map);
    let arguments = ["ingest", "--kind", "person", "a.csv", "--map", "map.toml"];
    let ran = roster.run(&arguments).await;
    assert_eq!(ran.code, 0, "{ran:?}");
    for told in [
        "columns that go nowhere: \"Shoe size\"",
        "could not be read, left out: emails.address 2",
        "keys that no record has, left out: 3",
        "in no closed list, kept as given: company_industry 1",
        "roster builds report 2026.11.1-person",
    ] {
        assert_eq!(
            ran.stderr.matches(told).count(),
            1,
            "{told}: {}",
            ran.stderr
        );
    }
}

#[tokio::test]
async fn a_file_with_another_delimiter_is_refused_with_its_first_line() {
    let fake = Fake::start().await;
    let roster = Roster::at(&fake.url);
    let csv = "full_name;city\nAna;Lima\nBen;Quito\n";
    roster.folder.write("a.csv", csv);
    let arguments = ["ingest", "--kind", "person", "a.csv", "--json"];
    let ran = roster.run(&arguments).await;
    assert_eq!(ran.code, 1, "{ran:?}");
    let error = ran.error();
    let told = error["message"].as_str().unwrap();
    assert!(
        told.contains("full_name;city") && told.contains("semicolon"),
        "{told}"
    );
    assert!(fake.sent().is_empty());
}
