//! What a submission and what an imitation give in answer to a question.

use softmark_checks::check::Stop;
use softmark_checks::{CheckError, Subject};
use softmark_wire::{FailureKind, Fault};

use crate::check::{Expected, numeric_gradients};
use crate::suite::{Given, Imitate, Question};

/// Puts the question to the submission.
pub(super) fn of_submission(
    subject: &mut Subject<'_>,
    question: &Question,
) -> Result<Given, CheckError> {
    let given = match &question.cotangents {
        None => {
            subject.try_forward(&question.case).map(|it| it.map(|a| Given::Outputs(a.arrays())))
        }
        Some(cotangents) => subject.try_gradients(&question.case, cotangents).map(|it| {
            it.map(|gradients| {
                let mut all = gradients.inputs;
                all.extend(gradients.parameters);
                Given::Gradients(all)
            })
        }),
    };
    match given {
        Ok(Ok(given)) => Ok(given),
        Ok(Err(fault)) => Ok(of_fault(&fault)),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Outcome(_)) => Ok(Given::Nothing),
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
        | Fault::Killed { .. }
        | Fault::Exited { .. }
        | Fault::Garbled(_) => Given::Nothing,
    }
}

/// Puts the question to an imitation; its gradients come from differences, but for those that are
/// cut.
pub(super) fn of_imitation(question: &Question, imitate: Imitate, cuts: &[&str]) -> Given {
    let given = imitate(&question.case);
    let Some(cotangents) = &question.cotangents else { return given };
    if !matches!(given, Given::Outputs(_)) {
        return given;
    }
    let forward = |case: &softmark_checks::Case| match imitate(case) {
        Given::Outputs(outputs) => cotangents
            .iter()
            .filter_map(|(name, _)| Some((*name, outputs.get(*name)?.clone())))
            .collect(),
        Given::Gradients(_) | Given::Refused | Given::Panicked | Given::Nothing => Expected::new(),
    };
    let gradients = numeric_gradients(&question.case, &forward, cotangents);
    let cut = |name: &str| cuts.contains(&"*") || cuts.contains(&name);
    Given::Gradients(
        gradients.into_iter().map(|(name, g)| (name.clone(), (!cut(&name)).then_some(g))).collect(),
    )
}
