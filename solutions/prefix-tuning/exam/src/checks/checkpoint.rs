//! Hidden checks of the checkpoint.

use prefix_tuning_checks::checkpoint::{Misfit, SavedShape, judge_taken, saved_shapes, told};
use prefix_tuning_checks::signatures::NAMES;
use softmark_checks::check::{if_passed, wrong};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;

use crate::checks::FIXED;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "checkpoint/labels",
        title: "the labels keep their order, and the settings are kept",
        run: labels,
    },
    Check {
        id: "checkpoint/refuses-missing",
        title: "a checkpoint that lacks a tuned parameter is an error",
        run: refuses_missing,
    },
    Check {
        id: "checkpoint/refuses-strangers",
        title: "a checkpoint with a tensor that is not tuned is an error",
        run: refuses_strangers,
    },
    Check {
        id: "checkpoint/refuses-other-base",
        title: "a checkpoint of another encoder is an error",
        run: refuses_other_base,
    },
    Check {
        id: "checkpoint/refuses-misfit",
        title: "a tensor of another shape is an error",
        run: refuses_misfit,
    },
    Check {
        id: "checkpoint/unchanged-when-refused",
        title: "whatever is refused changes no parameter",
        run: unchanged_when_refused,
    },
];

fn labels(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found =
        search(subject, ("checkpoint/labels", seed), 3, saved_shapes(), |subject, shape| {
            labels_keep_their_order(subject, shape, seed)
        })?;
    // Places of two digits: as text, 10 comes before 2.
    let many = SavedShape { d: 4, c: 12, p: 2, prefix: true, data: 0 };
    if_passed(found, || labels_keep_their_order(subject, &many, FIXED))
}

fn labels_keep_their_order(subject: &mut Subject<'_>, shape: &SavedShape, seed: u64) -> Judged {
    let (save, load) = (shape.save(seed), shape.load(seed));
    if told(subject, &save, "told", &[1])?.at(&[0]) != 1.0 {
        let message = "The name of the encoder and the settings should be kept as they are. Look at \
                       every field of Saved.";
        return Err(wrong(&save, message.to_owned()));
    }
    judge_taken(subject, &load)?;
    for (case, when) in [(&save, "saving"), (&load, "loading")] {
        let want = Array::from_fn(&[shape.c], |at| at.first().map_or(f64::NAN, |n| *n as f64));
        let count =
            subject.forward(case)?.tensor("labels").map_or(0, |it| it.shape().iter().product());
        if count != shape.c {
            let message = format!(
                "{} names of classes went into {when}, and {count} came out. Look at every place at which the \
                 names of the classes are handed on.",
                shape.c
            );
            return Err(wrong(case, message));
        }
        let got = told(subject, case, "labels", &[shape.c])?;
        if let Some(place) = got.values().iter().position(|of| *of < 0.0) {
            let message = format!(
                "The names of the classes should come out of {when} as they went in. Name {place} (counted from 0) \
                 came out as a name that did not go in. Look at what is done with the names on the way."
            );
            return Err(wrong(case, message));
        }
        let claim = format!(
            "The names of the classes should come out of {when} in the order in which they went in: \
             their places are compared"
        );
        let look =
            "Look at every collection that they pass through: does it keep an order of its own?";
        compare(case, "labels", (&got, &want), Tolerance::EXACT, (&claim, look))?;
    }
    Ok(())
}

/// Value of `refused` for an error with a text.
const REFUSED: f64 = 1.0;

/// Value of `refused` for an error without a text.
const REFUSED_WITHOUT_REASON: f64 = 2.0;

/// Holds that `case` is refused, and that the checkpoint that it was made of is not.
fn refused(subject: &mut Subject<'_>, fitting: &Case, case: &Case, claim: &str) -> Judged {
    judge_taken(subject, fitting)?;
    let message = match told(subject, case, "refused", &[1])?.at(&[0]) {
        REFUSED => return Ok(()),
        REFUSED_WITHOUT_REASON => format!(
            "{claim}, and it was refused with an error without a text; the error should name the reason. Look at \
             what your error says."
        ),
        _ => format!(
            "{claim}, and it was taken without an error. Look at what is compared with what before \
             anything is set."
        ),
    };
    Err(wrong(case, message))
}

/// The parameters that are tuned, or those that are not, with their places.
fn those_that_learn(
    shape: &SavedShape,
    learn: bool,
) -> impl Iterator<Item = (usize, &'static str)> {
    let all = NAMES.into_iter().zip(shape.learns()).enumerate();
    all.filter(move |(_, (_, bit))| (*bit == 1.0) == learn).map(|(n, (name, _))| (n, name))
}

/// `case` with the bit of one parameter turned, of those that are tuned or of the others.
fn turned(shape: &SavedShape, case: &Case, of_tuned: bool) -> Vec<(&'static str, Case)> {
    let learns = shape.learns();
    let turn = |(n, name): (usize, &'static str)| {
        let bits = learns.iter().enumerate();
        let kept = bits.map(|(at, bit)| if at == n { 1.0 - bit } else { *bit }).collect();
        (name, case.with("kept", Array::new(&[NAMES.len()], kept)))
    };
    those_that_learn(shape, of_tuned).map(turn).collect()
}

/// Claims about checkpoints of other encoders, in the order of the size `other_base`, which counts them from 1.
const OTHER_BASES: [&str; 7] = [
    "The checkpoint was tuned on another encoder",
    "The checkpoint was tuned on another encoder, whose name begins with that of the model's encoder",
    "The checkpoint was tuned on another encoder, whose name is the beginning of that of the model's encoder",
    "The checkpoint was tuned on another encoder, whose name differs in capital letters",
    "The checkpoint names no encoder: the name is empty",
    "The checkpoint was tuned on another encoder, whose name differs by a space at its end",
    "The checkpoint was tuned on another encoder, whose name has another part and a slash before that of the model's \
     encoder",
];

/// Every case that does not fit, and why.
pub(crate) fn unfit(shape: &SavedShape, seed: u64) -> Vec<(Case, String)> {
    let fitting = shape.load(seed);
    let of_base =
        |(n, claim): (usize, &&str)| (fitting.with_size("other_base", n + 1), (*claim).to_owned());
    let mut all: Vec<(Case, String)> = OTHER_BASES.iter().enumerate().map(of_base).collect();
    for (name, case) in turned(shape, &fitting, true) {
        all.push((case, format!("The checkpoint lacks `{name}`, which is tuned")));
    }
    for (name, case) in turned(shape, &fitting, false) {
        all.push((case, format!("The checkpoint has `{name}`, which is not tuned here")));
    }
    let stranger =
        "The checkpoint has `pooler.weight`, which is not the name of any parameter".to_owned();
    all.push((fitting.with_size("stranger", 1), stranger));
    for (n, name) in those_that_learn(shape, true) {
        let is_square = shape.shapes().get(n).is_some_and(|it| matches!(**it, [a, b] if a == b));
        let is_matrix = shape.shapes().get(n).is_some_and(|it| it.len() == 2);
        for (misfit, said) in [
            (Misfit::AxisMore, "has one axis more than the parameter"),
            (Misfit::RowMore, "has one row more than the parameter"),
            (Misfit::Transposed, "is transposed"),
        ] {
            if misfit != Misfit::Transposed || is_matrix && !is_square {
                let case = fitting.with_size("misshapen", n + 1);
                let case = case.with_size("misfit", misfit as usize);
                all.push((case, format!("The checkpoint's `{name}` {said}")));
            }
        }
    }
    all
}

fn refuses(
    subject: &mut Subject<'_>,
    (check, seed): (&str, u64),
    which: fn(&Case) -> bool,
) -> Result<Outcome, CheckError> {
    search(subject, (check, seed), 2, saved_shapes(), |subject, shape| {
        let fitting = shape.load(seed);
        let those = unfit(shape, seed).into_iter().filter(|(case, _)| which(case));
        those.into_iter().try_for_each(|(case, claim)| refused(subject, &fitting, &case, &claim))
    })
}

/// How many tensors the checkpoint has more than are tuned, those that no parameter is called included.
fn surplus(case: &Case) -> f64 {
    let count = |name: &str| case.get(name).values().iter().sum::<f64>();
    count("kept") - count("learns") + case.get_size("stranger") as f64
}

fn refuses_missing(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    refuses(subject, ("checkpoint/refuses-missing", seed), |case| surplus(case) < 0.0)
}

fn refuses_strangers(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    refuses(subject, ("checkpoint/refuses-strangers", seed), |case| surplus(case) > 0.0)
}

fn refuses_other_base(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("checkpoint/refuses-other-base", seed);
    refuses(subject, run, |case| case.get_size("other_base") > 0)
}

fn refuses_misfit(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    refuses(subject, ("checkpoint/refuses-misfit", seed), |case| case.get_size("misshapen") > 0)
}

fn unchanged_when_refused(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("checkpoint/unchanged-when-refused", seed);
    search(subject, run, 1, saved_shapes(), |subject, shape| {
        // Code that never sets anything changes nothing either.
        let fitting = shape.load(seed);
        judge_taken(subject, &fitting)?;
        let fresh = fitting.get("fresh");
        let set = told(subject, &fitting, "values", fresh.shape())?;
        if !set.differs(&fresh) {
            let message = "A checkpoint that fits was loaded, and no parameter changed at all. Look \
                           at whether the parameters themselves are set, or copies of them.";
            return Err(wrong(&fitting, message.to_owned()));
        }
        for (case, claim) in unfit(shape, seed) {
            // What is taken is for the checks above to say.
            if told(subject, &case, "refused", &[1])?.at(&[0]) == 0.0 {
                continue;
            }
            let values = told(subject, &case, "values", fresh.shape())?;
            let claim =
                format!("{claim}: it was refused, so every parameter should be what it was before");
            let look = "Look at whether anything is set before everything is known to fit.";
            shape.compare(&case, (&values, &fresh), (&claim, look))?;
        }
        Ok(())
    })
}
