//! What a submission and what an imitation give in answer to a question.

use std::borrow::Cow;
use std::collections::BTreeMap;

use softmark_checks::check::Stop;
use softmark_checks::{Answer, Array, Case, CheckError, Subject, defect};
use softmark_wire::{DType, FailureKind, Fault};

use crate::check::{Expected, gradients_by_output};
use crate::suite::{Cut, Given, Question};

/// Response of a submission to a question.
pub(super) struct Came {
    /// As imitations say it.
    pub(super) given: Given,
    /// The numbers of an answer that is not `f32` throughout.
    pub(super) other: Option<BTreeMap<String, Array>>,
}

impl From<Given> for Came {
    fn from(given: Given) -> Self {
        Self { given, other: None }
    }
}

/// Puts the question to the submission.
pub(super) fn of_submission(
    subject: &mut Subject<'_>,
    question: &Question,
) -> Result<Came, CheckError> {
    let came = match &question.cotangents {
        None => subject
            .try_forward(&question.case)
            .map(|it| it.map(|answer| of_answer(question, &answer))),
        Some(cotangents) => subject.try_gradients(&question.case, cotangents).map(|it| {
            it.map(|gradients| {
                let mut all = gradients.inputs;
                all.extend(gradients.parameters);
                Given::Gradients(all).into()
            })
        }),
    };
    match came {
        Ok(Ok(came)) => Ok(came),
        // An output of another type or shape cannot be weighted: no error of the student's code.
        Ok(Err(Fault::Code(failure)))
            if question.cotangents.is_some() && failure.kind == FailureKind::Unsendable =>
        {
            Ok(Given::Refused.into())
        }
        Ok(Err(fault)) => Ok(of_fault(&fault).into()),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Outcome(_)) => Ok(Given::Nothing.into()),
    }
}

fn of_answer(question: &Question, answer: &Answer) -> Came {
    let arrays = question.meaningful(answer.arrays());
    let is_f32 = |name: &String| answer.tensor(name).is_some_and(|it| it.dtype() == DType::F32);
    if arrays.keys().all(is_f32) {
        Given::Outputs(arrays).into()
    } else {
        Came { given: Given::OtherType, other: Some(arrays) }
    }
}

fn of_fault(fault: &Fault) -> Given {
    match fault {
        Fault::Code(failure) => match failure.kind {
            FailureKind::Refused | FailureKind::Parameter => Given::Refused,
            FailureKind::Panicked => Given::Panicked,
            FailureKind::NotImplemented | FailureKind::Unsendable => Given::Nothing,
        },
        Fault::CpuTime { .. }
        | Fault::WallTime { .. }
        | Fault::OutOfMemory { .. }
        | Fault::NotStarted { .. }
        | Fault::Crowded { .. }
        | Fault::Killed { .. }
        | Fault::Exited { .. }
        | Fault::Garbled(_) => Given::Nothing,
    }
}

/// The response of a right part or of an imitation to a question, before any gradient is cut.
pub(super) enum Imitated {
    /// The response, whatever is cut.
    Whole(Given),
    /// The gradients of each output by itself, by the output.
    ByOutput(Vec<(&'static str, BTreeMap<String, Array>)>),
}

impl Imitated {
    /// Puts the question to an imitation; gradients come from differences.
    ///
    /// An imitation may look for what a case does not have, as the code does that it imitates.
    pub(super) fn of(question: &Question, imitate: &dyn Fn(&Case) -> Given) -> Self {
        defect::ignore(|| imitated(question, imitate))
    }

    /// The response of a part in which the gradients that one of `cuts` names do not arrive.
    pub(super) fn cut(&self, case: &Case, cuts: &[Cut]) -> Cow<'_, Given> {
        let by_output = match self {
            Self::Whole(given) => return Cow::Borrowed(given),
            Self::ByOutput(by_output) => by_output,
        };
        let mut sums: BTreeMap<String, Option<Array>> = BTreeMap::new();
        for (from, gradients) in by_output {
            for (to, gradient) in gradients {
                let sum = sums.entry(to.clone()).or_default();
                if !cuts.iter().any(|cut| cut(case, from, to)) {
                    *sum =
                        Some(sum.as_ref().map_or_else(|| gradient.clone(), |s| plus(s, gradient)));
                }
            }
        }
        Cow::Owned(Given::Gradients(sums))
    }
}

fn imitated(question: &Question, imitate: &dyn Fn(&Case) -> Given) -> Imitated {
    let given = imitate(&question.case);
    let Some(cotangents) = &question.cotangents else {
        return Imitated::Whole(match given {
            Given::Outputs(outputs) => Given::Outputs(question.meaningful(outputs)),
            other @ (Given::Gradients(_)
            | Given::OtherType
            | Given::Refused
            | Given::Panicked
            | Given::Nothing) => other,
        });
    };
    let outputs = match given {
        Given::Outputs(outputs) => outputs,
        // An output of another type or shape cannot be weighted, and the question is refused.
        Given::OtherType => return Imitated::Whole(Given::Refused),
        other @ (Given::Gradients(_) | Given::Refused | Given::Panicked | Given::Nothing) => {
            return Imitated::Whole(other);
        }
    };
    if cotangents.iter().any(|(name, want)| shape_of(&outputs, name) != Some(want.shape())) {
        return Imitated::Whole(Given::Refused);
    }
    let forward = |case: &Case| match imitate(case) {
        Given::Outputs(outputs) => cotangents
            .iter()
            .filter_map(|(name, _)| Some((*name, outputs.get(*name)?.clone())))
            .collect(),
        Given::Gradients(_)
        | Given::OtherType
        | Given::Refused
        | Given::Panicked
        | Given::Nothing => Expected::new(),
    };
    let gradients = gradients_by_output(&question.case, &forward, cotangents, &|_| true);
    Imitated::ByOutput(cotangents.iter().map(|(name, _)| *name).zip(gradients).collect())
}

fn shape_of<'a>(outputs: &'a BTreeMap<String, Array>, name: &str) -> Option<&'a [usize]> {
    outputs.get(name).map(Array::shape)
}

fn plus(a: &Array, b: &Array) -> Array {
    Array::from_fn(a.shape(), |at| a.at(at) + b.at(at))
}
