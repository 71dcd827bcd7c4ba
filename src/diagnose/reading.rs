//! Comparison of an imitation with a submission, case by case.

use softmark_checks::response::{Came, Reading, same};
use softmark_exam::{Aspect, Question, Response};

use crate::diagnose::known::Cutting;

/// Diagnostic case with the expected response and the submission's response.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question,
    pub(super) truth: Response,
    pub(super) came: Came,
}

impl Asked<'_> {
    /// True if the submission answered like the reference. A panic is not the right answer to a
    /// case that must be refused.
    pub(super) fn is_right(&self) -> bool {
        same(&self.came.response, &self.truth)
    }

    /// True if the submission answered with the right numbers.
    pub(super) fn has_right_numbers(&self) -> bool {
        self.truth.is_numbers() && self.is_right()
    }

    /// Describes the case and the response in one line.
    pub(super) fn describe(&self) -> String {
        let Question { aspect, case, .. } = self.question;
        let kind = |given: &Response| match given {
            Response::Outputs(_) => "numbers",
            Response::Gradients(_) => "gradients",
            Response::OtherType => "another type",
            Response::Refused => "an error",
            Response::Panicked => "a panic",
            Response::Nothing => "nothing",
        };
        let (came, truth) = (kind(&self.came.response), kind(&self.truth));
        format!("{aspect:?}: {}: {came} instead of {truth}", case.label)
    }
}

/// Imitation of a mistake, or of two at once, with its reading on each case.
pub(super) struct Candidate {
    /// Mistakes that it imitates.
    pub(super) ids: Vec<&'static str>,
    pub(super) readings: Vec<Reading>,
    /// True if it gives the right numbers in each case in which it does not end in an error.
    pub(super) only_errs: bool,
    /// True if it makes its mistake in every configuration, and not for one value of a switch only.
    pub(super) whole: bool,
}

/// Part of the diagnostic cases that an imitation is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All cases, gradients even if another case contradicts.
    WithGradients,
    /// All cases, gradients only if no other case contradicts.
    Whole,
    /// The cases up to the first contradiction.
    ToContradiction,
    /// Like `ToContradiction`, and gradients only if another case shows the mistake in its numbers.
    WhereShown,
}

impl Candidate {
    /// Asks an imitation the diagnostic cases and compares its responses with the submission's.
    ///
    /// Each gradient takes hundreds of evaluations, so `extent` says when gradients are computed.
    pub(super) fn read(
        ids: &[&'static str],
        (imitation, cuts): Cutting<'_>,
        asked: &[Asked<'_>],
        extent: Extent,
    ) -> Self {
        let mut read = Self {
            ids: ids.to_vec(),
            readings: vec![Reading::NotAsked; asked.len()],
            only_errs: true,
            whole: true,
        };
        for back in [false, true] {
            for (at, (it, reading)) in asked.iter().zip(&mut read.readings).enumerate() {
                if (it.question.aspect == Aspect::Gradient) != back {
                    continue;
                }
                let answer = imitation.answer(at, it.question, cuts);
                *reading = Reading::of(&it.truth, &it.came, &answer);
                read.only_errs &= !reading.speaks() || answer.is_error();
                let ends = matches!(*reading, Reading::Contradicted | Reading::Unexplained);
                if ends && matches!(extent, Extent::ToContradiction | Extent::WhereShown) {
                    return read;
                }
            }
            let is_shown =
                extent != Extent::WhereShown || read.readings.contains(&Reading::Numbers);
            let is_contradicted = read.readings.contains(&Reading::Contradicted);
            if (is_contradicted && extent != Extent::WithGradients) || !is_shown {
                break;
            }
        }
        read
    }

    /// Returns the id of the first of its mistakes.
    pub(super) fn id(&self) -> &'static str {
        self.ids.first().copied().unwrap_or("")
    }

    /// Returns the reading of a case.
    pub(super) fn at(&self, question: usize) -> Reading {
        self.readings.get(question).copied().unwrap_or(Reading::Contradicted)
    }

    /// Describes the cases that contradict it.
    pub(super) fn contradictions(&self, asked: &[Asked<'_>]) -> Vec<String> {
        let contradicts = |reading| matches!(reading, Reading::Contradicted | Reading::Unexplained);
        let those = asked.iter().zip(&self.readings).filter(|(_, it)| contradicts(**it));
        let mut told: Vec<String> =
            those.map(|(it, reading)| format!("{reading:?}: {}", it.describe())).collect();
        if !self.readings.iter().any(|it| it.shows()) {
            told.push("no question shows the mistake".to_owned());
        }
        told
    }
}
