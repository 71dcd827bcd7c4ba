//! Recorded answers: the responses of a mutant to the diagnostic cases of its task, kept in a file beside its patch,
//! `solutions/<assignment>/mistakes/<mistake>/<mutant>.answers.json`.
//!
//! Only responses that differ from the reference's are kept, one on a line:
//!
//! ```text
//! {"battery": "51f0…",
//!  "answers": {
//!   "0": {"outputs": {"output": {"shape": [1, 2], "values": [0.5, "NaN"]}}},
//!   "3": {"gradients": {"x": {"shape": [1], "values": [1.25]}, "weight": null}},
//!   "7": "panicked"
//!  }}
//! ```
//!
//! A key of `answers` is the index of a diagnostic case. `null` is a gradient that did not arrive. Numbers have as many
//! digits as restore the `f32`; those that are not finite are `"NaN"`, `"inf"` and `"-inf"`.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::Response;

/// File of recorded answers that is compiled into an exam.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recording {
    /// Name of the mutant, which is the name of its patch.
    pub patch: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

/// Responses of a mutant to the diagnostic cases that distinguish it from the reference.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedAnswers {
    /// Digest of the diagnostic cases. Answers to other cases are stale and must name no mistake.
    pub battery: String,
    /// Responses by the index of the diagnostic case.
    pub answers: BTreeMap<usize, Response>,
}

impl RecordedAnswers {
    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// Returns the problem if the text is not JSON of this format, or a tensor has not as many values as its shape.
    pub fn parse(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\"battery\": {},\n \"answers\": {{", json(&self.battery));
        for (place, (at, response)) in self.answers.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            // Writing to a string does not fail.
            write!(text, "{comma}\n  \"{at}\": {}", json(response)).ok();
        }
        text.push_str("\n }}\n");
        text
    }
}

/// Returns a value as JSON on one line. Types of this module have no map with keys other than strings, which is the only
/// error that there could be.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use softmark_checks::Array;

    use super::*;

    fn array(values: &[f32]) -> Array {
        Array::new(&[values.len()], values.iter().copied().map(f64::from).collect())
    }

    fn recorded(answers: Vec<Response>) -> RecordedAnswers {
        RecordedAnswers {
            battery: "51f0".to_owned(),
            answers: answers.into_iter().enumerate().collect(),
        }
    }

    #[test]
    fn every_kind_of_response_is_restored() {
        let gradients = [("x", Some(array(&[1.25, -0.5]))), ("weight", None)];
        let gradients = gradients.map(|(name, it)| (name.to_owned(), it));
        let all = recorded(vec![
            Response::output(array(&[0.1, 1.0 / 3.0, f32::MIN, 1e-30, 16_777_216.0])),
            Response::attended(Array::new(&[2, 0], Vec::new()), Array::new(&[], vec![7.0])),
            Response::Gradients(gradients.into()),
            Response::OtherType,
            Response::Refused,
            Response::Panicked,
            Response::Nothing,
        ]);
        assert_eq!(RecordedAnswers::parse(&all.to_text()), Ok(all));
        let none = recorded(Vec::new());
        assert_eq!(RecordedAnswers::parse(&none.to_text()), Ok(none));
    }

    #[test]
    fn numbers_that_are_not_finite_are_restored() {
        let all = recorded(vec![Response::output(array(&[
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            -0.0,
        ]))]);
        let text = all.to_text();
        assert!(text.contains(r#""values":["NaN","inf","-inf",-0.0]"#), "{text}");
        // `NaN` is not equal to itself, its text is.
        assert_eq!(RecordedAnswers::parse(&text).unwrap().to_text(), text);
    }

    #[test]
    fn every_f32_is_restored() {
        let mut bits = 1_u32;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = f32::from_bits(bits);
            if x.is_finite() {
                let again: Array = serde_json::from_str(&json(&array(&[x]))).unwrap();
                #[expect(clippy::cast_possible_truncation, reason = "it is an f32")]
                let again = again.values()[0] as f32;
                assert_eq!(again.to_bits(), x.to_bits(), "{x:e}");
            }
        }
    }

    #[test]
    fn each_response_has_a_line() {
        let all = recorded(vec![Response::output(array(&[0.5])), Response::Refused]);
        let lines = [
            r#"{"battery": "51f0","#,
            r#" "answers": {"#,
            r#"  "0": {"outputs":{"output":{"shape":[1],"values":[0.5]}}},"#,
            r#"  "1": "refused""#,
            " }}",
        ];
        assert_eq!(all.to_text().lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn invalid_files_are_rejected() {
        let file = |answer: &str| format!(r#"{{"battery": "", "answers": {{"0": {answer}}}}}"#);
        let tensor = |values: &str| {
            file(&format!(r#"{{"outputs": {{"output": {{"shape": [2], "values": {values}}}}}}}"#))
        };
        for (text, problem) in [
            (String::new(), "EOF"),
            (file(r#""refuses""#), "unknown variant"),
            (tensor("[1]"), "a tensor of shape [2] has 1 values"),
            (tensor(r#"[1, "infinity"]"#), "\"infinity\" is no number"),
            (r#"{"battery": "", "answers": {}, "more": 1}"#.to_owned(), "unknown field"),
            (r#"{"battery": "", "answers": {"first": "refused"}}"#.to_owned(), "invalid"),
        ] {
            let found = RecordedAnswers::parse(&text).unwrap_err();
            assert!(found.contains(problem), "{text}: {found}");
        }
    }
}
