//! What a submission and what an imitation give in answer to a question.

use std::collections::BTreeMap;

use softmark_checks::check::Stop;
use softmark_checks::{Answer, Array, Case, CheckError, Subject, defect};
use softmark_wire::{DType, FailureKind, Fault};

use crate::check::{Expected, numeric_gradients};
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

/// Puts the question to an imitation; its gradients come from differences, but for those that one of
/// `cuts` keeps from arriving.
///
/// An imitation may look for what a case does not have, as the code does that it imitates.
pub(super) fn of_imitation(
    question: &Question,
    imitate: &dyn Fn(&Case) -> Given,
    cuts: &[Cut],
) -> Given {
    defect::ignore(|| imitated(question, imitate, cuts))
}

fn imitated(question: &Question, imitate: &dyn Fn(&Case) -> Given, cuts: &[Cut]) -> Given {
    let given = imitate(&question.case);
    let Some(cotangents) = &question.cotangents else {
        let Given::Outputs(outputs) = given else { return given };
        return Given::Outputs(question.meaningful(outputs));
    };
    // An output of another type or shape cannot be weighted, and the question is refused.
    if given == Given::OtherType {
        return Given::Refused;
    }
    let Given::Outputs(outputs) = given else { return given };
    if cotangents.iter().any(|(name, want)| shape_of(&outputs, name) != Some(want.shape())) {
        return Given::Refused;
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
    if cuts.is_empty() {
        let gradients = numeric_gradients(&question.case, &forward, cotangents);
        return Given::Gradients(gradients.into_iter().map(|(name, g)| (name, Some(g))).collect());
    }
    let mut sums: BTreeMap<String, Option<Array>> = BTreeMap::new();
    for cotangent in cotangents {
        let one = vec![cotangent.clone()];
        for (to, gradient) in numeric_gradients(&question.case, &forward, &one) {
            let sum = sums.entry(to.clone()).or_default();
            if !cuts.iter().any(|cut| cut(&question.case, cotangent.0, &to)) {
                *sum = Some(sum.as_ref().map_or_else(|| gradient.clone(), |s| plus(s, &gradient)));
            }
        }
    }
    Given::Gradients(sums)
}

fn shape_of<'a>(outputs: &'a BTreeMap<String, Array>, name: &str) -> Option<&'a [usize]> {
    outputs.get(name).map(Array::shape)
}

fn plus(a: &Array, b: &Array) -> Array {
    Array::from_fn(a.shape(), |at| a.at(at) + b.at(at))
}
