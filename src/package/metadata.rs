//! Gradescope's `submission_metadata.json`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// Facts about a submission that the platform knows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    /// Name of the submission: the numbers of its students, which stay the same when they submit again.
    pub name: Option<String>,
    /// Points of the assignment on the platform.
    pub total_points: Option<f64>,
}

/// Metadata that cannot be used.
#[derive(Debug, Error)]
pub enum MetadataError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file has another form.
    #[error("{} is not what Gradescope documents: {source}", path.display())]
    Form {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        source: serde_json::Error,
    },
}

/// The part of the file that is used; other fields may be added or missing.
#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    users: Vec<User>,
    #[serde(default)]
    assignment: Assignment,
}

#[derive(Debug, Deserialize)]
struct User {
    id: Value,
}

#[derive(Debug, Default, Deserialize)]
struct Assignment {
    #[serde(default)]
    total_points: Value,
}

impl Metadata {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, or is not what Gradescope documents.
    pub fn read(path: &Path) -> Result<Self, MetadataError> {
        let text = fs::read_to_string(path)
            .map_err(|source| MetadataError::Read { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|source| MetadataError::Form { path: path.to_owned(), source })
    }

    fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let File { users, assignment } = serde_json::from_str(text)?;
        let mut ids: Vec<u64> = users.iter().filter_map(|user| number(&user.id)).collect();
        ids.sort_unstable();
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let name = (!ids.is_empty()).then(|| format!("student-{}", ids.join("-")));
        // Numbers of points are texts there.
        let total_points = match &assignment.total_points {
            Value::String(text) => text.parse().ok(),
            Value::Number(number) => number.as_f64(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        };
        Ok(Self { name, total_points })
    }
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_has_one_name_in_whatever_order_it_is_listed() {
        let of = |users: &str| {
            let text = format!(r#"{{"id": 7, "users": [{users}], "previous_submissions": []}}"#);
            Metadata::parse(&text).unwrap().name
        };
        let (amara, bao) = (r#"{"id": 52, "name": "A"}"#, r#"{"id": "107", "email": "b@x.edu"}"#);
        assert_eq!(of(&format!("{bao}, {amara}")).as_deref(), Some("student-52-107"));
        assert_eq!(of(&format!("{amara}, {bao}")).as_deref(), Some("student-52-107"));
        assert_eq!(of(""), None);
        assert_eq!(of(r#"{"id": "../../x"}"#), None);
    }

    #[test]
    fn points_are_read_as_text_or_number() {
        let of = |points: &str| {
            let text = format!(r#"{{"assignment": {{"total_points": {points}, "title": "T"}}}}"#);
            Metadata::parse(&text).unwrap().total_points
        };
        assert_eq!(of("\"30.0\""), Some(30.0));
        assert_eq!(of("30"), Some(30.0));
        assert_eq!(of("null"), None);
        assert_eq!(Metadata::parse("{}").unwrap(), Metadata::default());
        assert!(Metadata::parse("[").is_err());
    }
}
