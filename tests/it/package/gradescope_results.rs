//! The rules of Gradescope's `results.json`, as its documentation of autograders states them.

use serde_json::{Map, Value};

const FORMATS: [&str; 5] = ["text", "html", "simple_format", "md", "ansi"];
const VISIBILITIES: [&str; 4] = ["hidden", "after_due_date", "after_published", "visible"];

/// Type of a field.
enum Field {
    Number,
    Text,
    OneOf(&'static [&'static str]),
    Texts,
    Object,
    /// Each is an object with these fields.
    Objects(&'static [(&'static str, Self)]),
    NumberOrText,
}

use Field::{Number, NumberOrText, Object, Objects, OneOf, Text, Texts};

const TOP: &[(&str, Field)] = &[
    ("score", Number),
    ("execution_time", Number),
    ("output", Text),
    ("output_format", OneOf(&FORMATS)),
    ("test_output_format", OneOf(&FORMATS)),
    ("test_name_format", OneOf(&FORMATS)),
    ("visibility", OneOf(&VISIBILITIES)),
    ("stdout_visibility", OneOf(&VISIBILITIES)),
    ("extra_data", Object),
    ("tests", Objects(TEST)),
    ("leaderboard", Objects(PLACE)),
];

const TEST: &[(&str, Field)] = &[
    ("score", Number),
    ("max_score", Number),
    ("status", OneOf(&["passed", "failed"])),
    ("name", Text),
    ("name_format", OneOf(&FORMATS)),
    ("number", Text),
    ("output", Text),
    ("output_format", OneOf(&FORMATS)),
    ("tags", Texts),
    ("visibility", OneOf(&VISIBILITIES)),
    ("extra_data", Object),
];

const PLACE: &[(&str, Field)] =
    &[("name", Text), ("value", NumberOrText), ("order", OneOf(&["asc", "desc"]))];

/// Returns what is wrong with a document.
pub(super) fn problems(results: &Value) -> Vec<String> {
    let Some(top) = results.as_object() else { return vec!["no object".to_owned()] };
    let mut problems = fields(top, TOP);
    let tests = top.get("tests").and_then(Value::as_array).into_iter().flatten();
    let scored = tests.clone().count() > 0 && tests.clone().all(|test| test.get("score").is_some());
    if !top.contains_key("score") && !scored {
        problems.push("neither a score nor tests".to_owned());
    }
    // With a hidden test, students would not see their total.
    if tests.clone().any(|test| test["visibility"] == "hidden") {
        problems.push("a hidden test".to_owned());
    }
    problems
}

fn fields(object: &Map<String, Value>, known: &[(&str, Field)]) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, value) in object {
        match known.iter().find(|(known, _)| known == name) {
            None => problems.push(format!("there is no field `{name}`")),
            Some((_, Objects(inner))) => {
                for object in value.as_array().into_iter().flatten() {
                    problems.extend(fields(object.as_object().unwrap(), inner));
                }
            }
            Some((_, field)) if !fits(value, field) => problems.push(format!("`{name}`: {value}")),
            Some(_) => {}
        }
    }
    problems
}

fn fits(value: &Value, field: &Field) -> bool {
    match field {
        Number => value.is_number(),
        Text => value.is_string(),
        OneOf(all) => value.as_str().is_some_and(|text| all.contains(&text)),
        Texts => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
        Object => value.is_object(),
        Objects(_) => value.is_array(),
        NumberOrText => value.is_number() || value.is_string(),
    }
}
