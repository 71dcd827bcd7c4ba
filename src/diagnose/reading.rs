//! Comparison of an imitation with a submission, question by question.

use crate::diagnose::answers::Came;
use crate::diagnose::known::Imitation;
use crate::diagnose::matching;
use crate::suite::{Aspect, Cut, Given, Question};

/// One question, what is right and what came.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question,
    pub(super) truth: Given,
    pub(super) came: Came,
}

impl Asked<'_> {
    /// True if the submission answered as a right part does. Of what has to be refused, a panic is no
    /// right answer.
    pub(super) fn is_right(&self) -> bool {
        matching::same(&self.came.given, &self.truth)
    }

    /// True if the submission answered with the right numbers.
    pub(super) fn has_right_numbers(&self) -> bool {
        is_numbers(&self.truth) && self.is_right()
    }

    /// The question in a line, and what came.
    pub(super) fn describe(&self) -> String {
        let Question { aspect, case, .. } = self.question;
        let kind = |given: &Given| match given {
            Given::Outputs(_) => "numbers",
            Given::Gradients(_) => "gradients",
            Given::OtherType => "another type",
            Given::Refused => "an error",
            Given::Panicked => "a panic",
            Given::Nothing => "nothing",
        };
        let (came, truth) = (kind(&self.came.given), kind(&self.truth));
        format!("{aspect:?}: {}: {came} instead of {truth}", case.label)
    }
}

/// True if the answer consists of numbers, and is no error.
pub(super) fn is_numbers(given: &Given) -> bool {
    matches!(given, Given::Outputs(_) | Given::Gradients(_) | Given::OtherType)
}

/// True if the answer is an error or a panic.
pub(super) fn is_error(given: &Given) -> bool {
    matches!(given, Given::Refused | Given::Panicked)
}

/// Result of comparing an imitation's answer to one question with a submission's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Both answer as a right part does; the mistake does not show in the question.
    Right,
    /// The mistake does not show in the question, and the submission answers wrongly.
    Unexplained,
    /// The mistake shows in the question, and the submission answers with the same wrong numbers.
    Numbers,
    /// The mistake shows in the question, and the submission ends in the same error.
    Error,
    /// The mistake shows in the question, and the submission answers otherwise.
    Contradicted,
    /// The mistake does not show in the question, which has to be refused, and the submission ends in
    /// an error of another kind.
    OtherError,
    /// Gradients, which are not asked for where another question contradicts.
    NotAsked,
}

impl Reading {
    /// True if the mistake shows in the question, whatever the submission says.
    pub(super) fn speaks(self) -> bool {
        matches!(self, Self::Numbers | Self::Error | Self::Contradicted)
    }

    /// True if the submission shows the mistake.
    pub(super) fn shows(self) -> bool {
        matches!(self, Self::Numbers | Self::Error)
    }
}

/// An imitation of a mistake, or of two at once, and its reading on each question.
pub(super) struct Candidate {
    /// The mistakes that it imitates.
    pub(super) ids: Vec<&'static str>,
    pub(super) readings: Vec<Reading>,
    /// True if it answers with the right numbers wherever it does not end in an error.
    pub(super) only_errs: bool,
    /// True if it makes its mistake in every configuration, and not for one value of a switch only.
    pub(super) whole: bool,
}

/// An imitation, and the gradients that do not arrive in it.
type Cutting<'a> = (&'a Imitation, &'a [Cut]);

/// Part of the diagnostic cases that an imitation is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// The questions up to the first that is answered otherwise.
    ToContradiction,
    /// The same, and gradients only where another question shows the mistake by its numbers.
    WhereShown,
}

impl Candidate {
    /// Puts the battery to an imitation.
    ///
    /// Gradients take hundreds of answers each; they are computed only where no other question
    /// contradicts.
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
                *reading = read_one(it, &answer);
                read.only_errs &= !reading.speaks() || is_error(&answer);
                let ends = matches!(*reading, Reading::Contradicted | Reading::Unexplained);
                if ends && extent != Extent::Whole {
                    return read;
                }
            }
            let is_shown =
                extent != Extent::WhereShown || read.readings.contains(&Reading::Numbers);
            if read.readings.contains(&Reading::Contradicted) || !is_shown {
                break;
            }
        }
        read
    }

    /// The first of its mistakes.
    pub(super) fn id(&self) -> &'static str {
        self.ids.first().copied().unwrap_or("")
    }

    /// The reading of a question.
    pub(super) fn at(&self, question: usize) -> Reading {
        self.readings.get(question).copied().unwrap_or(Reading::Contradicted)
    }

    /// Describes the questions that contradict it.
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

fn read_one(asked: &Asked<'_>, imitation: &Given) -> Reading {
    let Asked { truth, came, .. } = asked;
    let speaks = !matching::same(imitation, truth) || *imitation == Given::OtherType;
    if !speaks {
        let errors = is_error(truth) && is_error(&came.given);
        return match (asked.is_right(), errors) {
            (true, _) => Reading::Right,
            (false, true) => Reading::OtherError,
            (false, false) => Reading::Unexplained,
        };
    }
    let matches = match (imitation, &came.other) {
        // An answer of another type shows nothing but its type where its numbers are right.
        (Given::OtherType, Some(other)) => matching::same(&Given::Outputs(other.clone()), truth),
        _ => matching::same(&came.given, imitation),
    };
    // Shapes that do not fit end in an error or, unwrapped, in a panic.
    let by_accident = is_numbers(truth) && *imitation == Given::Refused && is_error(&came.given);
    match (matches, is_numbers(imitation)) {
        (true, true) => Reading::Numbers,
        (true, false) => Reading::Error,
        (false, _) if by_accident => Reading::Error,
        (false, _) => Reading::Contradicted,
    }
}
