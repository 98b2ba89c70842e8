//! The stack in containers has the ports, parts and settings of `make up`.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tests::process::temporary_folder;
use tests::servers::checkout;

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(checkout().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// `KEY=VALUE` lines.
fn settings() -> BTreeMap<String, String> {
    read("deploy/settings.env")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Every `${NAME:-DEFAULT}` of the compose file.
fn compose_defaults() -> Vec<(String, String)> {
    let compose = read("docker-compose.yml");
    compose
        .split("${")
        .skip(1)
        .map(|rest| rest.split_once('}').expect("an open ${").0)
        .map(|inside| {
            inside
                .split_once(":-")
                .unwrap_or_else(|| panic!("${{{inside}}} has no default"))
        })
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The names after `services:` in the compose file.
fn compose_services() -> BTreeSet<String> {
    let compose = read("docker-compose.yml");
    let services = compose.split_once("\nservices:\n").expect("services").1;
    let services = services.split_once("\nvolumes:\n").expect("volumes").0;
    services
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':'))
        .map(|line| line.trim().trim_end_matches(':').to_owned())
        .collect()
}

#[test]
fn every_default_of_the_compose_file_is_that_of_make_up() {
    let settings = settings();
    let defaults = compose_defaults();
    for (name, value) in &defaults {
        assert_eq!(
            settings.get(name),
            Some(value),
            "{name} in docker-compose.yml"
        );
    }
    let named: BTreeSet<_> = defaults.iter().map(|(name, _)| name.as_str()).collect();
    for name in settings
        .keys()
        .filter(|name| !name.ends_with("_HOST") && *name != "BIND_ADDRESS")
    {
        assert!(
            named.contains(name.as_str()),
            "{name} is not in docker-compose.yml"
        );
    }
}

#[test]
fn the_default_ports_are_those_of_the_docs() {
    let settings = settings();
    let ports: Vec<_> = [
        "GATEWAY_PORT",
        "QUERY_PORT",
        "COMMAND_PORT",
        "COMMAND_INTERNAL_PORT",
        "COMMAND_ADMIN_PORT",
        "MCP_PORT",
        "PROJECTOR_PORT",
        "POSTGRES_PORT",
        "KAFKA_PORT",
    ]
    .iter()
    .map(|name| settings[*name].as_str())
    .collect();
    assert_eq!(
        ports,
        [
            "8080", "8081", "8082", "8083", "8084", "8085", "8086", "5433", "9092"
        ]
    );
}

#[test]
fn the_compose_file_has_every_part_of_make_up() {
    let stack = read("deploy/stack/stack.sh");
    let parts = stack
        .split_once("\nPARTS=(")
        .expect("PARTS")
        .1
        .split_once(')')
        .expect("PARTS")
        .0;
    let services = compose_services();
    for part in parts.split_whitespace() {
        assert!(services.contains(part), "{part} is not in {services:?}");
    }
}

#[test]
fn every_published_port_is_on_loopback_and_the_same_inside() {
    let compose = read("docker-compose.yml");
    let published: Vec<_> = compose
        .split("\"127.0.0.1:${")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert!(published.len() >= 8, "{published:?}");
    for mapping in published {
        let (outside, inside) = mapping.split_once(":${").expect("outside:inside");
        assert_eq!(outside, inside);
    }
}

#[test]
fn kafka_has_the_same_version_and_settings_in_both() {
    let compose = read("docker-compose.yml");
    let pom = read("deploy/kafka/pom.xml");
    let version = pom
        .split_once("<kafka.version>")
        .unwrap()
        .1
        .split_once('<')
        .unwrap()
        .0;
    assert!(compose.contains(&format!("image: apache/kafka:{version}")));
    assert!(
        compose
            .contains("./deploy/kafka/server.properties:/mnt/shared/config/server.properties:ro")
    );
    assert!(read("deploy/kafka/server.properties").contains("\nauto.create.topics.enable=false\n"));
    assert!(read("deploy/stack/kafka.sh").contains("\"$DEPLOY/kafka/server.properties\""));
}

#[test]
fn the_gateways_template_is_filled_in_by_both() {
    let template = read("deploy/gateway/nginx.conf.template");
    let names: BTreeSet<_> = template
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.split("${").skip(1))
        .map(|rest| rest.split_once('}').unwrap().0)
        .collect();
    assert!(names.len() >= 6, "{names:?}");
    let (compose, script) = (read("docker-compose.yml"), read("deploy/stack/gateway.sh"));
    for name in names {
        assert!(
            compose.contains(&format!("      {name}: ")),
            "{name} is not in docker-compose.yml"
        );
        assert!(
            script.contains(&format!("{{{name}}}")),
            "{name} is not in gateway.sh"
        );
    }
}

#[test]
fn every_folder_of_a_service_is_a_volume_in_containers() {
    let (image, compose) = (read("deploy/Dockerfile"), read("docker-compose.yml"));
    let volumes = compose.split_once("\nvolumes:\n").expect("volumes").1;
    for (variable, volume) in [
        ("ROSTER_DATA", "private"),
        ("ROSTER_OBJECTS", "objects"),
        ("ROSTER_SEARCH", "search"),
        ("ROSTER_SPOOL", "spool"),
    ] {
        let folder = format!("/var/lib/roster/{volume}");
        assert!(
            image.contains(&format!("{variable}={folder}")),
            "{variable}"
        );
        assert!(
            compose.contains(&format!("\"{volume}:{folder}\"")),
            "{volume}"
        );
        assert!(volumes.contains(&format!("  {volume}:\n")), "{volume}");
        assert!(read("deploy/stack/lib.sh").contains(&format!("${{{variable}:-")));
    }
}

/// The lines of one service of the compose file.
fn compose_service(name: &str) -> String {
    let compose = read("docker-compose.yml");
    let begin = format!("\n  {name}:\n");
    let (_, rest) = compose
        .split_once(&begin)
        .unwrap_or_else(|| panic!("no service {name}"));
    let end = rest.find("\n\n").unwrap_or(rest.len());
    rest[..end].to_owned()
}

#[test]
fn in_containers_only_those_who_need_all_secrets_have_them_and_a_part_has_its_own() {
    let own = [
        ("command-service", "command-secrets"),
        ("projector", "projector-secrets"),
        ("query-service", "query-secrets"),
        ("mcp-server", "mcp-secrets"),
        ("postgres", "postgres-secrets"),
    ];
    for service in compose_services() {
        let lines = compose_service(&service);
        let has_all = ["secrets", "demo", "roster"].contains(&service.as_str());
        assert_eq!(
            lines.contains("private:/var/lib/roster/private"),
            has_all,
            "{service}"
        );
        for (part, volume) in own {
            let is_mounted = lines.contains(&format!("{volume}:/"));
            let is_its_own = service == part || service == "secrets";
            assert_eq!(is_mounted, is_its_own, "{volume} in {service}");
        }
        // What a service has is not for it to change.
        if !has_all && service != "postgres" {
            let mounts = lines.matches("-secrets:/").count();
            assert_eq!(lines.matches("/private:ro").count(), mounts, "{service}");
        }
    }
    let (image, entrypoint) = (
        read("deploy/Dockerfile"),
        read("deploy/container/entrypoint.sh"),
    );
    assert!(entrypoint.contains("read_secrets\n"));
    for (part, _) in own {
        let folder = format!("/var/lib/roster/parts/{part}");
        assert!(image.contains(&folder), "{folder}");
        let mount = format!(":{folder}\n");
        assert!(
            (compose_service("secrets") + "\n").contains(&mount),
            "{part}"
        );
    }
}

/// Runs the entrypoint of our image as a container would, its folder being `data`.
fn container(data: &std::path::Path, parts: &std::path::Path, command: &str) -> String {
    let output = std::process::Command::new("bash")
        .arg(checkout().join("deploy/container/entrypoint.sh"))
        .arg(command)
        .env("ROSTER_DATA", data)
        .env("ROSTER_PARTS", parts)
        .env("ROSTER_BIN_DIR", parts.join("bin"))
        .output()
        .unwrap();
    let faults = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {faults}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_container_of_a_part_starts_from_its_own_secrets_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tests::process::temporary_folder("containers").unwrap();
    let (all, parts) = (folder.join("private"), folder.join("parts"));
    std::fs::create_dir_all(parts.join("bin")).unwrap();
    let services = [
        "command-service",
        "projector",
        "query-service",
        "mcp-server",
    ];
    for part in services.iter().chain(&["postgres"]) {
        std::fs::create_dir(parts.join(part)).unwrap();
    }
    container(&all, &parts, "secrets");
    let made = std::fs::read_to_string(all.join("secrets.env")).unwrap();
    let postgres = std::fs::read_to_string(parts.join("postgres/postgres.env")).unwrap();
    assert_eq!(postgres.lines().count(), 3, "{postgres}");
    for service in services {
        // In place of the service: shows what it was started with.
        let program = parts.join("bin").join(service);
        std::fs::write(&program, "#!/bin/sh\nexec env\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let environment = container(&parts.join(service), &parts, service);
        let token = match service {
            "command-service" => "PEER_TOKEN=",
            _ => "\nINTERNAL_TOKEN=",
        };
        assert!(environment.contains(token), "{service}: {environment}");
        let admin = made
            .lines()
            .find_map(|line| line.strip_prefix("ADMIN_TOKEN="))
            .unwrap();
        assert!(!environment.contains(admin), "{service}");
    }
    // Made once: what stands already stays.
    container(&all, &parts, "secrets");
    assert_eq!(
        std::fs::read_to_string(all.join("secrets.env")).unwrap(),
        made
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// The secrets of one part and the settings that are made of them alone, as KEY=VALUE lines, from one stack's secrets.
fn given_to(part: &str, data: &std::path::Path) -> (BTreeMap<String, String>, String) {
    let script = r#"
        set -euo pipefail
        for file in lib parts install secrets postgres services; do . "$1/deploy/stack/$file.sh"; done
        make_data_folder
        load_settings
        load_secrets
        lines=$(secret_lines_of "$2")
        for name in "${SECRET_NAMES[@]}" "${CHECKED_TOKENS[@]/%TOKEN/DIGEST}"; do unset "$name"; done
        DATA=$DATA/$2
        mkdir -p "$DATA"
        printf '%s\n' "$lines" | write_private "$DATA/secrets.env"
        read_secrets
        printf '%s\n--\n' "$lines"
        service_settings "$2"
    "#;
    let output = std::process::Command::new("bash")
        .args(["-c", script, "bash"])
        .arg(checkout())
        .arg(part)
        .env("ROSTER_DATA", data)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let faults = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{part}: {faults}");
    let (secrets, settings) = text.split_once("--\n").unwrap();
    let secrets = secrets.lines().filter_map(|line| line.split_once('='));
    let secrets = secrets.map(|(name, value)| (name.to_owned(), value.to_owned()));
    (secrets.collect(), settings.to_owned())
}

#[test]
fn a_part_is_given_its_own_secrets_and_digests_of_what_it_only_checks() {
    let data = tests::process::temporary_folder("secrets").unwrap();
    let parts = [
        "command-service",
        "projector",
        "query-service",
        "mcp-server",
    ];
    let given = parts.map(|part| (part, given_to(part, &data)));
    // Who may show a token, or holds a secret for itself.
    for (secret, holders) in [
        ("QUERY_TOKEN", &["query-service"][..]),
        ("PROJECTOR_TOKEN", &["projector"]),
        ("MCP_TOKEN", &["mcp-server"]),
        ("PEER_TOKEN", &["command-service"]),
        ("RECORDS_TOKEN", &["command-service"]),
        ("FORWARD_SECRET", &["command-service"]),
        ("API_KEY_PEPPER", &["command-service"]),
        ("ADMIN_TOKEN", &[]),
        ("POSTGRES_PASSWORD", &[]),
        ("COMMAND_DB_PASSWORD", &["command-service"]),
        ("PROJECTOR_DB_PASSWORD", &["projector"]),
        ("QUERY_DB_PASSWORD", &["query-service"]),
        ("REQUEST_HASH_SECRET", &["command-service", "query-service"]),
    ] {
        let all = std::fs::read_to_string(data.join("secrets.env")).unwrap();
        let value = all
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{secret}=")))
            .unwrap_or_else(|| panic!("there is no {secret}"));
        for (part, (secrets, settings)) in &given {
            let holds = holders.contains(part);
            assert_eq!(secrets.contains_key(secret), holds, "{secret} of {part}");
            assert_eq!(settings.contains(value), holds, "{secret} of {part}");
        }
    }
    for (part, (_, settings)) in &given {
        let tokens = settings.lines().filter(|line| line.contains("_TOKENS"));
        for line in tokens {
            let digest = line.split_once(":sha256:").map(|(_, digest)| digest);
            let is_digest =
                |text: &str| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
            assert!(digest.is_some_and(is_digest), "{part} {line}");
        }
    }
    std::fs::remove_dir_all(data).unwrap();
}

/// Runs lines of shell after the scripts of the stack, for a data folder; what they print, or what they say when they fail.
/// Programs in its folder `bin` stand in place of others.
fn in_stack(data: &Path, lines: &str) -> Result<String, String> {
    let sourced = "set -euo pipefail; . \"$0/stack.sh\" help >/dev/null; ";
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", &format!("{sourced}{lines}")])
        .arg(checkout().join("deploy/stack"))
        .env("PATH", format!("{}:{path}", data.join("bin").display()))
        .env("ROSTER_DATA", data)
        .env("ROSTER_POSTGRES_VERSIONS", data.join("versions"))
        .env("ROSTER_POLICY", data.join("policy-rc.d"))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A program in the folder `bin` of a data folder.
fn program(data: &Path, name: &str, lines: &str) {
    let file = data.join("bin").join(name);
    write(&file, &format!("#!/bin/sh\n{lines}\n"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_folder_that_is_not_known_to_be_a_stacks_is_neither_taken_nor_removed() {
    let folder = temporary_folder("marked").unwrap();
    let foreign = folder.join("home");
    let letter = foreign.join("letter.txt");
    write(&letter, "dear maya");
    write(&foreign.join("log/old"), "x");
    let clean = |data: &Path| {
        let output = Command::new(checkout().join("deploy/stack/stack.sh"))
            .arg("clean-data")
            .env("ROSTER_DATA", data)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (is_done, said) = clean(&foreign);
    assert!(!is_done && said.contains("no file .roster"), "{said}");
    let taken = in_stack(&foreign, "make_data_folder").unwrap_err();
    assert!(taken.contains("holds letter.txt"), "{taken}");
    assert!(in_stack(&foreign, "remove_data_folder").is_err());
    assert!(letter.exists() && !foreign.join("run").exists());

    let (new, older) = (folder.join("new"), folder.join("older"));
    write(&older.join("secrets.env"), "");
    write(&older.join("kafka-libs/complete"), "");
    for data in [new, older] {
        in_stack(&data, "make_data_folder; make_data_folder").unwrap();
        assert!(clean(&data).0);
        assert!(!data.exists());
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_cluster_is_started_by_the_version_that_made_it() {
    let data = temporary_folder("versions").unwrap();
    let bin = |version: &str| data.join(format!("versions/{version}/bin"));
    for version in ["9", "15", "16"] {
        let initdb = bin(version).join("initdb");
        write(&initdb, "#!/bin/sh\n");
        let mut permissions = std::fs::metadata(&initdb).unwrap().permissions();
        permissions.set_mode(0o755);
        std::fs::set_permissions(&initdb, permissions).unwrap();
    }
    let found = || in_stack(&data, "postgres_bin; package_of postgres");
    let newest = format!("{}\npostgresql", bin("16").display());
    assert_eq!(found().unwrap(), newest);
    write(&data.join("postgres/data/PG_VERSION"), "15\n");
    let own = format!("{}\npostgresql-15", bin("15").display());
    assert_eq!(found().unwrap(), own);
    write(&data.join("postgres/data/PG_VERSION"), "14\n");
    assert!(found().is_err(), "no other version starts it");
    let wanted = in_stack(&data, "is_installed postgres || package_of postgres");
    assert_eq!(wanted.unwrap(), "postgresql-14");
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn no_secret_stands_on_a_command_line() {
    let data = temporary_folder("shown").unwrap();
    let arguments = "printf '%s\\n' \"$0\" \"$@\" >>\"$ROSTER_DATA/shown\"";
    program(
        &data,
        "psql",
        &format!("{arguments}; env >\"$ROSTER_DATA/given\""),
    );
    // It answers 200, without headers or a body.
    let answers = "cat >\"$ROSTER_DATA/stdin\"; : >\"$ROSTER_DATA/run/answer.headers\"; \
                   : >\"$ROSTER_DATA/run/answer.body\"; printf 200";
    program(&data, "curl", &format!("{arguments}; {answers}"));
    write(&data.join("env"), "API_KEY='rk_live_shown'\n");
    mkdir_as_stack(&data);
    let lines = "load_settings; load_secrets; run_databases_sql; ask Credits /credits; \
                 for name in \"${SECRET_NAMES[@]}\"; do printf '%s=%s\\n' \"$name\" \"${!name}\"; done";
    let secrets = in_stack(&data, lines).unwrap();
    let shown = std::fs::read_to_string(data.join("shown")).unwrap();
    assert!(
        shown.contains("databases.sql") && shown.contains("/credits"),
        "{shown}"
    );
    let given = std::fs::read_to_string(data.join("given")).unwrap();
    for (name, value) in secrets.lines().filter_map(|line| line.split_once('=')) {
        let is_secret = value.len() == 64;
        assert!(!is_secret || !shown.contains(value), "{name}");
        let is_wanted = name.ends_with("_DB_PASSWORD");
        assert!(
            !is_wanted || given.contains(&format!("{name}={value}\n")),
            "{name}"
        );
    }
    assert!(!shown.contains("rk_live_shown"));
    let stdin = std::fs::read_to_string(data.join("stdin")).unwrap();
    assert_eq!(stdin, "API-Key: rk_live_shown\n");
    // mcp-server takes no other name of the gateway, and containers have one.
    assert!(shown.contains("Host: 127.0.0.1:8080"), "{shown}");
    std::fs::remove_dir_all(data).unwrap();
}

/// The folder as `make up` makes it, of names that are a stack's; `bin` and what programs there note are put aside for that.
fn mkdir_as_stack(data: &Path) {
    write(&data.join(".roster"), "");
    in_stack(data, "make_data_folder").unwrap();
}

#[test]
fn a_value_with_a_quote_reaches_its_service_as_it_stands() {
    let data = temporary_folder("quotes").unwrap();
    mkdir_as_stack(&data);
    let lines = "# it's a comment\nNAME=it's \"so\" $HOME\nQUOTED='a b'\nEMPTY=\n";
    write(&data.join("services.env"), lines);
    let shown = "load_settings; load_secrets; write_settings mcp-server; set -a; \
                 . \"$DATA/config/mcp-server.env\"; printf '%s|%s|%s' \"$NAME\" \"$QUOTED\" \"$EMPTY\"";
    let shown = in_stack(&data, shown).unwrap();
    assert_eq!(shown, "it's \"so\" $HOME|a b|");
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn where_clients_reach_the_gateway_can_be_set_in_both() {
    let data = temporary_folder("public").unwrap();
    mkdir_as_stack(&data);
    let set = |before: &str| {
        let lines = format!("{before}load_settings; load_secrets; service_settings mcp-server");
        let settings = in_stack(&data, &lines).unwrap();
        let line = settings
            .lines()
            .find_map(|line| line.strip_prefix("PUBLIC_BASE_URL="));
        line.unwrap().to_owned()
    };
    assert_eq!(set(""), "http://127.0.0.1:8080");
    assert_eq!(set("GATEWAY_PORT=9080; "), "http://127.0.0.1:9080");
    let own = "https://data.example.com";
    assert_eq!(set(&format!("PUBLIC_BASE_URL={own}; ")), own);
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn what_is_installed_is_not_started_and_an_operators_own_policy_stays() {
    let data = temporary_folder("policy").unwrap();
    let policy = data.join("policy-rc.d");
    program(&data, "sudo", "exec \"$@\"");
    let asked = "\"$ROSTER_POLICY\"; echo $? >>\"$ROSTER_DATA/asked\"";
    for (exit, is_done) in [(0, true), (1, false)] {
        program(&data, "apt-get", &format!("{asked}; exit {exit}"));
        assert_eq!(in_stack(&data, "install_packages nginx").is_ok(), is_done);
        assert!(!policy.exists());
    }
    program(&data, "../policy-rc.d", "exit 104");
    program(&data, "apt-get", asked);
    in_stack(&data, "install_packages nginx").unwrap();
    assert!(std::fs::read_to_string(&policy).unwrap().contains("104"));
    let asked = std::fs::read_to_string(data.join("asked")).unwrap();
    assert_eq!(asked, "101\n101\n104\n");
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn a_stack_that_runs_is_not_given_other_addresses_and_none_leaves_loopback() {
    let data = temporary_folder("addresses").unwrap();
    mkdir_as_stack(&data);
    let up = |before: &str| {
        let checks = "load_settings; need_loopback; need_same_addresses; save_settings";
        in_stack(&data, &format!("{before}\n{checks}"))
    };
    up("GATEWAY_PORT=9080").unwrap();
    up("GATEWAY_PORT=9081").unwrap();
    in_stack(&data, "launch gateway sleep 60").unwrap();
    up("").unwrap();
    up("GATEWAY_PORT=9081 LOG_FILTER=debug").unwrap();
    let refused = up("GATEWAY_PORT=9082").unwrap_err();
    assert!(
        refused.contains("gateway runs with GATEWAY_PORT=9081"),
        "{refused}"
    );
    in_stack(&data, "end_part gateway KILL 5").unwrap();
    up("GATEWAY_PORT=9082").unwrap();
    for name in ["BIND_ADDRESS", "QUERY_HOST"] {
        let refused = up(&format!("{name}=0.0.0.0")).unwrap_err();
        assert!(refused.contains(&format!("{name}=0.0.0.0")), "{refused}");
    }
    std::fs::remove_dir_all(data).unwrap();
}

/// The settings of the gateway's template in the compose file, with the defaults of the settings in them.
fn gateway_settings_of_compose() -> Vec<(String, String)> {
    let service = compose_service("gateway");
    let environment = service.split_once("environment:\n").expect("environment").1;
    let lines = environment.lines().map(str::trim);
    let pairs = lines
        .take_while(|line| !line.ends_with(':'))
        .filter(|line| !line.starts_with('#'));
    let mut settings = Vec::new();
    for (name, value) in pairs.filter_map(|line| line.split_once(": ")) {
        let mut value = value.trim_matches('"').to_owned();
        for (name, default) in compose_defaults() {
            value = value.replace(&format!("${{{name}:-{default}}}"), &default);
        }
        settings.push((name.to_owned(), value));
    }
    settings
}

/// nginx' own word on the configuration: of `make up`, and of containers. There the parts have names, and a newer nginx
/// looks them up again; this one does neither.
#[test]
fn nginx_takes_the_configuration_of_make_up_and_of_containers() {
    let data = temporary_folder("nginx").unwrap();
    mkdir_as_stack(&data);
    let check = "check() { \"$(nginx_command)\" -t -q -p \"$DATA/gateway\" -c \"$1\" -g \"pid $DATA/gateway/pid;\"; }; ";
    let made = "load_settings; write_gateway_configuration; check \"$DATA/gateway/nginx.conf\"";
    in_stack(&data, &format!("{check}{made}")).unwrap();

    let mut text = read("deploy/gateway/nginx.conf.template");
    for (name, value) in gateway_settings_of_compose() {
        let value = match name.as_str() {
            "GATEWAY_TEMP" => data.join("gateway/temp").display().to_string(),
            "GATEWAY_REFUSALS" => checkout()
                .join("deploy/gateway/refusals.conf")
                .display()
                .to_string(),
            name if name.ends_with("_SERVERS") => {
                assert!(
                    value.ends_with(" resolve;") && value.starts_with("zone "),
                    "{value}"
                );
                let (zone, rest) = value.split_once(" resolver 127.0.0.11 valid=5s;").unwrap();
                let port = rest
                    .trim_end_matches(" resolve;")
                    .rsplit_once(':')
                    .unwrap()
                    .1;
                format!("{zone} server 127.0.0.1:{port};")
            }
            _ => value,
        };
        text = text.replace(&format!("${{{name}}}"), &value);
    }
    let file = data.join("gateway/compose.conf");
    write(&file, &text);
    in_stack(&data, &format!("{check}check \"{}\"", file.display())).unwrap();
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn services_in_containers_are_started_with_the_settings_of_make_up() {
    let entrypoint = read("deploy/container/entrypoint.sh");
    assert!(entrypoint.contains("service_settings \"$1\""));
    assert!(read("deploy/stack/services.sh").contains("service_settings \"$service\""));
}

#[test]
fn every_alert_asks_for_a_metric_that_is_there_and_is_explained() {
    let rules = read("deploy/alerts/roster.rules.yml");
    let page = read("docs/ALERTS.md");
    let sources = [
        "projector/src/metrics.rs",
        "command-service/src/publisher/metrics.rs",
    ];
    let sources = sources.map(read).concat();
    // Every second piece stands in quotes.
    let metrics: BTreeSet<String> = sources
        .split('"')
        .skip(1)
        .step_by(2)
        .map(|name| name.replace('.', "_"))
        .collect();
    let after = |line: &'static str| {
        let lines = rules.lines().filter_map(move |one| one.split_once(line));
        lines.map(|(_, rest)| rest.trim())
    };
    let alerts: BTreeSet<&str> = after("- alert: ").collect();
    assert!(!alerts.is_empty());
    for alert in &alerts {
        assert!(
            page.contains(&format!("| {alert} |")),
            "{alert} is not explained"
        );
    }
    let explained = page
        .lines()
        .filter_map(|line| line.strip_prefix("| Roster")?.split_once(" |"));
    for (name, _) in explained {
        let name = format!("Roster{name}");
        assert!(alerts.contains(name.as_str()), "{name} is no alert");
    }
    for expression in after("expr: ") {
        // What stands in brackets; those of `time()` are empty.
        let brackets = expression.split('(').skip(1);
        let named = brackets.filter_map(|rest| rest.split_once(')'));
        let named: Vec<&str> = named
            .map(|(metric, _)| metric)
            .filter(|metric| !metric.is_empty())
            .collect();
        assert!(!named.is_empty(), "{expression} asks for nothing");
        for metric in named {
            assert!(metrics.contains(metric), "nothing records {metric}");
        }
    }
}
