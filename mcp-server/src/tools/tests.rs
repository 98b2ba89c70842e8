use super::*;

/// More than o200k needs, by a sixth on these texts: a run of letters is a token for each six begun, a run of digits or of signs one for
/// each three.
fn tokens_at_most(text: &str) -> usize {
    let mut count = 0;
    let mut run = (' ', 0);
    for sign in text.chars().chain([' ']) {
        let class = match sign {
            c if c.is_alphabetic() => 'a',
            c if c.is_ascii_digit() => '0',
            ' ' | '_' => ' ',
            _ => '.',
        };
        if class != run.0 {
            count += match run.0 {
                'a' => usize::div_ceil(run.1, 6),
                '0' => usize::div_ceil(run.1, 3),
                '.' => usize::div_ceil(run.1, 3),
                _ => 0,
            };
            run = (class, 0);
        }
        run.1 += 1;
    }
    count
}

fn as_json() -> Vec<Value> {
    described()
        .iter()
        .map(|tool| serde_json::to_value(tool).unwrap())
        .collect()
}

#[test]
fn the_nine_tools_are_those_of_the_docs() {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.endpoint.name()).collect();
    assert_eq!(
        names,
        [
            "person_enrich",
            "person_search",
            "company_enrich",
            "company_search",
            "utility_clean",
            "utility_hash_email",
            "utility_validate",
            "report_person",
            "report_company"
        ]
    );
}

#[test]
fn every_tool_and_all_together_stay_within_the_token_budget() {
    let costs: Vec<usize> = as_json()
        .iter()
        .map(|tool| tokens_at_most(&tool.to_string()))
        .collect();
    assert!(costs.iter().all(|cost| *cost <= 900), "{costs:?}");
    assert!(costs.iter().sum::<usize>() <= 4500, "{costs:?}");
}

#[test]
fn every_input_schema_is_closed_flat_and_described() {
    for tool in as_json() {
        let (name, input) = (&tool["name"], &tool["inputSchema"]);
        assert_eq!(
            (&input["type"], &input["additionalProperties"]),
            (&Value::from("object"), &Value::from(false))
        );
        let text = input.to_string();
        for banned in ["$ref", "oneOf", "anyOf", "allOf", "pretty_print"] {
            assert!(!text.contains(banned), "{banned} in {name}");
        }
        for (property, schema) in input["properties"].as_object().unwrap() {
            assert!(
                schema["description"].is_string(),
                "{name} {property} is not described"
            );
        }
    }
}

#[test]
fn every_schema_is_valid_and_takes_its_own_example() {
    for tool in as_json() {
        let validator = jsonschema::validator_for(&tool["inputSchema"]).unwrap();
        for example in tool["inputSchema"]["examples"].as_array().unwrap() {
            assert!(validator.is_valid(example), "{}", tool["name"]);
        }
        assert!(
            !validator.is_valid(&serde_json::json!({"no_such_argument": 1})),
            "{}",
            tool["name"]
        );
        jsonschema::validator_for(&tool["outputSchema"]).unwrap();
    }
}

#[test]
fn only_reports_write_and_only_they_are_free() {
    for tool in as_json() {
        let is_report = tool["name"].as_str().unwrap().starts_with("report_");
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], !is_report);
        assert_eq!(hints["idempotentHint"], !is_report);
        assert_eq!(
            (&hints["destructiveHint"], &hints["openWorldHint"]),
            (&Value::from(false), &Value::from(false))
        );
        let description = tool["description"].as_str().unwrap();
        assert_eq!(description.contains("Free."), is_report, "{description}");
        assert_eq!(
            description.contains("1 credit per"),
            !is_report,
            "{description}"
        );
    }
}
