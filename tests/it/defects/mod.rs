//! Mistakes of the checks themselves: each is the grader's error, and never a verdict on a submission.

mod incomplete;
mod spoiled;

use std::collections::BTreeMap;

use softmark_checks::check::{Judged, outcome};
use softmark_checks::subject::Named;
use softmark_checks::{Array, Case, Check, CheckError, Outcome, Subject};
use softmark_exam::check::{
    Expected, LossyOperations, Trainable, expected, expected_output, is_right, matches_gradients,
    matches_oracle,
};
use softmark_kit::compare::Tolerance;
use softmark_wire::{
    Asked, Attempt, Failure, FailureKind, Fault, Reply, Request, Session, SessionError,
};

/// Answers every question about a part with ones of the shape `[1, 2]`.
struct Ones;

impl Session for Ones {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        let ones = || Array::full(&[1, 2], 1.0).to_f32();
        let answer = match request {
            Request::Construct(_) => Ok(Reply::Constructed),
            Request::Forward { .. } => Ok(Reply::Outputs(vec![("output".to_owned(), ones())])),
            Request::Gradients { inputs, .. } => {
                let gradient = |input: &softmark_wire::Input| (input.name.clone(), Some(ones()));
                let inputs = inputs.iter().map(gradient).collect();
                Ok(Reply::Gradients { inputs, parameters: Vec::new() })
            }
            Request::Detect { .. } => {
                let inputs: Vec<_> = vec![("x".to_owned(), ones())];
                Ok(Reply::Experiment { parameters: Vec::new(), inputs })
            }
            Request::Observed(_) => Ok(Reply::Verdict { bug: false, reason: String::new() }),
            Request::Hello { .. }
            | Request::Parameters
            | Request::Train { .. }
            | Request::Detectors
            | Request::ReadParameters
            | Request::SetParameters { .. }
            | Request::ConstructAndAsk { .. } => Err(Fault::Garbled(String::new())),
        };
        Ok(answer.into())
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        Ok(())
    }
}

/// Result of a check with this judge.
fn asked(run: softmark_checks::check::RunCheck) -> Result<Outcome, CheckError> {
    let check = Check { id: "masked-pooling/defective", title: "", run };
    check.ask(&mut Subject::new(&mut Ones), 1)
}

fn case() -> Case {
    Case::new(&attention_checks::signatures::MASKED_POOLING, "B=1 D=2".to_owned())
        .size("kind", 0)
        .input("x", Array::full(&[1, 2], 0.5))
        .parameter("weight", Array::full(&[2], 1.0))
}

/// A judge that does something with the case, and accepts any result.
macro_rules! touching {
    ($($name:literal => |$case:ident| $work:expr,)*) => {
        [$(($name, {
            fn run(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
                let $case = case();
                outcome(subject.forward(&$case).map(|_| ()))?;
                let _touched = $work;
                Ok(Outcome::Pass)
            }
            run as softmark_checks::check::RunCheck
        }),)*]
    };
}

#[test]
fn a_misspelt_name_is_an_error_of_the_grader() {
    let right = touching! {
        "right" => |case| (case.get("x"), case.find("mask"), case.get_size("kind")),
        "changed" => |case| case.with("x", Array::full(&[1, 2], 1.0)).with_size("kind", 1),
        "parameter" => |case| case.with_parameter("weight", &case.get_parameter("weight")),
        "inside" => |case| case.get("x").at(&[0, 1]),
    };
    for (name, run) in right {
        assert!(matches!(asked(run), Ok(Outcome::Pass)), "{name}: {:?}", asked(run));
    }
    let wrong = touching! {
        "the case of `masked-pooling` has no input `mask`" => |case| case.get("mask"),
        "the case of `masked-pooling` has no input `y`" => |case| case.get("y"),
        "the case of `masked-pooling` has no size `knd`" => |case| case.get_size("knd"),
        "the part `masked-pooling` has no size `heads`" => |case| case.clone().size("heads", 2),
        "the part `masked-pooling` has no input `z`" =>
            |case| case.clone().input("z", Array::full(&[1], 1.0)),
        "the case of `masked-pooling` has no parameter `wieght`" =>
            |case| case.get_parameter("wieght"),
        "the case of `masked-pooling` has no parameter `bias`" =>
            |case| case.with_parameter("bias", &Array::full(&[2], 1.0)),
        "the case of `masked-pooling` has no input `y`" =>
            |case| case.with("y", Array::full(&[1], 1.0)),
        "the case of `masked-pooling` has no size `heads`" => |case| case.with_size("heads", 1),
        "[0, 2] is outside of an array of shape [1, 2]" => |case| case.get("x").at(&[0, 2]),
        "[1] is outside of an array of shape [1, 2]" => |case| case.get("x").at(&[1]),
        "[1, 0] is outside of an array of shape [1, 2]" => |case| case.get("x").set(&[1, 0], 1.0),
        "an array of shape [3] is made of 2 values" => |case| Array::new(&[3], case.get("x").values().to_vec()),
    };
    for (what, run) in wrong {
        let Err(error) = asked(run) else { panic!("no error: {what}") };
        assert_eq!(error.to_string(), format!("masked-pooling/defective is defective: {what}"));
    }
}

fn judged(judge: Judged) -> Result<Outcome, CheckError> {
    outcome(judge)
}

#[test]
fn an_unknown_output_is_an_error_of_the_grader() {
    let unknown_output = asked(|subject, _| {
        let answer = subject.forward(&case());
        judged(answer.and_then(|it| it.get(&case(), "outputs", &[1, 2])).map(|_| ()))
    });
    let error = unknown_output.unwrap_err().to_string();
    assert!(error.contains("the part `masked-pooling` has no output `outputs`"), "{error}");
    let unknown_cotangent = asked(|subject, _| {
        let weights = [("weights", Array::full(&[1, 2], 1.0))];
        judged(subject.gradients(&case(), &weights).map(|_| ()))
    });
    let error = unknown_cotangent.unwrap_err().to_string();
    assert!(error.contains("the part `masked-pooling` has no output `weights`"), "{error}");
    // An output that the part has, and the submission does not answer with, is the submission's.
    let absent = asked(|subject, _| {
        let case = Case::new(&attention_checks::signatures::MULTI_HEAD, String::new())
            .size("d_model", 2)
            .size("heads", 1)
            .input("query", Array::full(&[1, 1, 2], 0.5));
        let answer = subject.forward(&case);
        judged(answer.and_then(|it| it.get(&case, "weights", &[1, 2])).map(|_| ()))
    });
    assert!(matches!(absent, Ok(Outcome::Fault { fault: Fault::Garbled(_), .. })), "{absent:?}");
}

/// An oracle without an entry, or without any.
#[test]
fn an_oracle_that_says_nothing_is_an_error_of_the_grader() {
    let silent = asked(|subject, _| {
        judged(matches_oracle(subject, &case(), |_| Expected::new(), EXACT, ("", "")))
    });
    let error = silent.unwrap_err().to_string();
    assert!(error.contains("the oracle has no output (case B=1 D=2)"), "{error}");
    let other = asked(|_, _| judged(expected_output(&case(), finite, "weights").map(|_| ())));
    let error = other.unwrap_err().to_string();
    assert!(error.contains("the oracle has no output `weights`"), "{error}");
    let slope = asked(|subject, _| {
        let weights = vec![("output", Array::full(&[1, 3], 1.0))];
        let cases = (&case(), &case());
        let all = Trainable::all(LossyOperations::None);
        judged(matches_gradients(subject, cases, finite, &weights, (EXACT, EXACT), all))
    });
    let error = slope.unwrap_err().to_string();
    assert!(error.contains("the oracle has no `output` of shape [1, 3]"), "{error}");
}

fn finite(_: &Case) -> Expected {
    BTreeMap::from([("output", Array::full(&[1, 2], 1.0))])
}

fn not_a_number(_: &Case) -> Expected {
    BTreeMap::from([("output", Array::new(&[1, 2], vec![1.0, f64::NAN]))])
}

/// Finite at the case itself, and infinite beside it.
fn steep(case: &Case) -> Expected {
    let x = case.get("x").at(&[0, 0]);
    let y = if x == 0.5 { 1.0 } else { f64::INFINITY };
    BTreeMap::from([("output", Array::full(&[1, 2], y))])
}

const EXACT: Tolerance = Tolerance::EXACT;

#[test]
fn an_oracle_that_is_not_finite_is_an_error_of_the_grader() {
    let passes = asked(|subject, _| {
        judged(matches_oracle(subject, &case(), finite, EXACT, ("It is one", "")))
    });
    assert!(matches!(passes, Ok(Outcome::Pass)), "{passes:?}");
    let checks: [softmark_checks::check::RunCheck; 3] = [
        |subject, _| judged(matches_oracle(subject, &case(), not_a_number, EXACT, ("", ""))),
        |subject, _| judged(is_right(subject, &case(), not_a_number, EXACT).map(|_| ())),
        |_, _| judged(expected(&case(), not_a_number).map(|_| ())),
    ];
    for run in checks {
        let error = asked(run).unwrap_err().to_string();
        assert!(error.contains("the oracle's `output` is NaN at [0, 1] (case B=1 D=2)"), "{error}");
    }
    let slopes = asked(|subject, _| {
        let weights = vec![("output", Array::full(&[1, 2], 1.0))];
        let cases = (&case(), &case());
        let all = Trainable::all(LossyOperations::None);
        judged(matches_gradients(subject, cases, steep, &weights, (EXACT, EXACT), all))
    });
    let error = slopes.unwrap_err().to_string();
    assert!(error.contains("the oracle's `gradient of x` is "), "{error}");
}

/// A case may ask what becomes of a `NaN`: then the oracle's is no defect.
#[test]
fn a_case_that_is_not_finite_may_have_an_oracle_that_is_not() {
    let asks_for_it = asked(|subject, _| {
        let case = case().with("x", Array::full(&[1, 2], f64::INFINITY));
        judged(matches_oracle(subject, &case, not_a_number, EXACT, ("", "")))
    });
    assert!(matches!(asks_for_it, Ok(Outcome::Wrong { .. })), "{asks_for_it:?}");
}

/// No answer of a submission makes a check defective: shapes are checked before numbers.
#[test]
fn nothing_that_a_submission_answers_is_a_defect() {
    let gradients = asked(|subject, _| {
        let case = case().with("x", Array::full(&[3, 2], 1.0));
        let weights = [("output", Array::full(&[1, 2], 1.0))];
        judged(subject.gradients(&case, &weights).map(|_| ()))
    });
    assert!(
        matches!(&gradients, Ok(Outcome::Fault { message, .. })
        if message.contains("a gradient of another shape than `x`")),
        "{gradients:?}"
    );
    let experiments = asked(|subject, _| {
        let mut respond = |_: &Named, inputs: &Named| {
            let x = Array::from_tensor(&inputs[0].1);
            x.at(&[7, 7]);
            Err("no".to_owned())
        };
        let case = Case::new(&debugging_checks::signatures::DETECTORS, String::new());
        let said = subject.detect(&case, (0, &case), &mut respond);
        judged(said.map(|_| ()))
    });
    assert!(matches!(experiments, Ok(Outcome::Pass)), "{experiments:?}");
}

#[test]
fn a_failure_of_the_code_stays_one() {
    struct Refuses;
    impl Session for Refuses {
        fn ask(&mut self, _: &Request) -> Asked<Reply> {
            let (kind, place) = (FailureKind::Refused, String::new());
            let message = "there is no batch 0 in epoch 1".to_owned();
            Ok(Attempt::Fault(Fault::Code(Failure { kind, message, place })))
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }
    let case = case();
    let stop = Subject::new(&mut Refuses).forward(&case).unwrap_err();
    let Ok(Outcome::Fault { message, .. }) = outcome(Err(stop)) else { panic!("no fault") };
    assert!(message.contains("there is no batch 0"), "{message}");
    assert!(!message.contains("shapes"), "the error is about no shapes: {message}");
}
