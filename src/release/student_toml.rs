//! The `assignment.toml` of a release: what students' checks need, without hidden checks.

use toml::{Table, Value};

/// First lines of the file.
const HEAD: &str = "\
# What `cargo test` needs to know about this assignment. The grader has a file of its own: changes here have no effect on it.

";

/// Keys that are kept.
const KEPT: [&str; 9] =
    ["id", "title", "points", "collect", "provided", "answers", "upload", "worker", "task"];

/// Returns the text for students of an `assignment.toml`.
///
/// # Errors
///
/// Fails if the file is not valid.
pub(super) fn text(whole: &str) -> Result<String, toml::de::Error> {
    let mut table: Table = whole.parse()?;
    table.retain(|key, _| KEPT.contains(&key));
    let tasks = table.get_mut("task").and_then(Value::as_array_mut).into_iter().flatten();
    for task in tasks {
        if let Some(checks) = task.get_mut("check").and_then(Value::as_array_mut) {
            checks.retain(is_public);
        }
    }
    Ok(format!("{HEAD}{table}"))
}

fn is_public(check: &Value) -> bool {
    check.get("visibility").and_then(Value::as_str) == Some("public")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_checks_and_limits_of_grading_are_left_out() {
        let whole = "id = \"lab\"\n[worker]\ncpu_seconds = 1\n[submission]\ncpu_seconds = 1\n[[task]]\nid = \"a\"\npoints = 2\n\
                     check = [\n{ id = \"x\", points = 1, visibility = \"public\" },\n\
                     { id = \"y\", points = 1, visibility = \"hidden\" },\n]\n";
        let text = text(whole).unwrap();
        let table: Table = text.parse().unwrap();
        assert_eq!(table["task"][0]["check"].as_array().unwrap().len(), 1);
        assert!(table.contains_key("worker"), "{text}");
        assert!(!text.contains("hidden") && !table.contains_key("submission"), "{text}");
    }
}
