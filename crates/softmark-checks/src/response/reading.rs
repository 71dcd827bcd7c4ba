//! Comparison of the response of a known mistake with that of a submission, case by case.

use crate::response::{Came, Response, same};

/// Result of comparing an imitation's response to one case with a submission's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Both answer like the reference; the mistake does not show in the case.
    Right,
    /// The mistake does not show in the case, and the submission answers wrongly.
    Unexplained,
    /// The mistake shows in the case, and the submission answers with the same wrong numbers.
    Numbers,
    /// The mistake shows in the case, and the submission ends in the same error.
    Error,
    /// The mistake shows in the case, and the submission answers differently.
    Contradicted,
    /// The mistake does not show in the case, which must be refused, and the submission ends in an
    /// error of another kind.
    OtherError,
    /// The case was skipped: gradients are not computed if another case contradicts.
    NotAsked,
}

impl Reading {
    /// Compares the response that `came` with that of an imitation, where `truth` is right.
    pub fn of(truth: &Response, came: &Came, imitation: &Response) -> Self {
        let speaks = !same(imitation, truth) || *imitation == Response::OtherType;
        if !speaks {
            let errors = truth.is_error() && came.response.is_error();
            return match (same(&came.response, truth), errors) {
                (true, _) => Self::Right,
                (false, true) => Self::OtherError,
                (false, false) => Self::Unexplained,
            };
        }
        let matches = match (imitation, &came.other) {
            // An answer of another type with the right numbers shows nothing but its type.
            (Response::OtherType, Some(other)) => same(&Response::Outputs(other.clone()), truth),
            _ => same(&came.response, imitation),
        };
        // Shapes that do not fit end in an error or, after `unwrap`, in a panic.
        let by_accident =
            truth.is_numbers() && *imitation == Response::Refused && came.response.is_error();
        match (matches, imitation.is_numbers()) {
            (true, true) => Self::Numbers,
            (true, false) => Self::Error,
            (false, _) if by_accident => Self::Error,
            (false, _) => Self::Contradicted,
        }
    }

    /// True if the mistake shows in the case, whatever the submission answers.
    pub fn speaks(self) -> bool {
        matches!(self, Self::Numbers | Self::Error | Self::Contradicted)
    }

    /// True if the mistake shows in the submission's response.
    pub fn shows(self) -> bool {
        matches!(self, Self::Numbers | Self::Error)
    }
}

/// Counts the cases that a mistake leaves open; `None` if it does not account for every response of the submission.
///
/// It must show in numbers, or in an error if `errors_prove`: if it gives right numbers wherever it does not end in an error, and
/// the submission gives right numbers too.
pub fn open_cases(readings: &[Reading], errors_prove: bool) -> Option<usize> {
    let has = |reading| readings.contains(&reading);
    let contradicted = [Reading::Contradicted, Reading::Unexplained, Reading::NotAsked];
    let is_shown = has(Reading::Numbers) || (errors_prove && has(Reading::Error));
    let stands = is_shown && !contradicted.into_iter().any(has);
    stands.then(|| readings.iter().filter(|it| **it == Reading::OtherError).count())
}
