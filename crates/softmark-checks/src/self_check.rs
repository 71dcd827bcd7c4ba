//! Refusals of a student's code, with the same messages as the grader's.

use std::path::Path;

use toml::{Table, Value};

use crate::source::{Files, Refusal, compile_time_reads, unsafe_code};

/// Returns the refusals of the submission in the folder `dir`, according to the `assignment.toml` there;
/// empty if there is no such file, as in a solution.
///
/// # Errors
///
/// Fails if that file cannot be understood; the message is for the student.
pub(crate) fn refusals(dir: &Path) -> Result<Vec<Refusal>, String> {
    let Ok(text) = std::fs::read_to_string(dir.join("assignment.toml")) else {
        return Ok(Vec::new());
    };
    let read = |name: &str| std::fs::read(dir.join("src").join(name)).ok();
    refusals_by(&text, &read)
}

/// The same for an `assignment.toml` of that text; `read` gives the files below `src/`.
fn refusals_by(text: &str, read: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Vec<Refusal>, String> {
    let table: Table = text.parse().map_err(|error| format!("assignment.toml: {error}"))?;
    let list = |key: &str| -> Vec<String> {
        let entries = table.get(key).and_then(Value::as_array).into_iter().flatten();
        entries.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let collected = list("collect");
    let own: Files =
        collected.iter().filter_map(|name| Some((name.clone(), read(name)?))).collect();
    let mut found = compile_time_reads(&own);
    found.extend(unsafe_code(&own));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSIGNMENT: &str = "collect = [\"a.rs\", \"gone.rs\"]\nprovided = [\"lib.rs\"]\n\
                              [worker]\ncpu_seconds = 1\n";

    fn messages(text: &str) -> Vec<String> {
        let read = |name: &str| match name {
            "a.rs" => Some(text.as_bytes().to_vec()),
            "lib.rs" => Some(b"mod a; unsafe fn provided() {}".to_vec()),
            _ => None,
        };
        let found = refusals_by(ASSIGNMENT, &read).unwrap();
        found.into_iter().map(|it| it.message).collect()
    }

    #[test]
    fn reports_what_the_grader_refuses() {
        assert_eq!(messages("fn f() {}"), [""; 0]);
        let found = messages("fn f() {}\nmod b;\nunsafe fn g() {}");
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found[0].starts_with("src/a.rs:2: `mod` names a module that lies in"), "{found:?}");
        assert!(found[1].starts_with("src/a.rs:3: `unsafe` is not allowed"), "{found:?}");
    }

    #[test]
    fn a_folder_without_an_assignment_has_no_rules() {
        assert_eq!(refusals(Path::new("/nonexistent")).unwrap(), []);
        assert!(refusals_by("collect = ", &|_| None).unwrap_err().starts_with("assignment.toml: "));
    }
}
