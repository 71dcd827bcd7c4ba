//! Tests of derived checks on a small task: each passes for right code, and fails for code with one mistake.

use softmark_checks::check::RunCheck;
use softmark_checks::typed::{
    Dim, Draw, Output, Scalar, Shape, Tensor, Typed, TypedTask, checks, sum,
};
use softmark_checks::{Array, Case, Subject};
use softmark_wire::{
    Asked, Construction, Failure, FailureKind, Fault, Input, Reply, Request, Session, SessionError,
    Tensor as WireTensor,
};

use crate::check::numeric_gradients;
use crate::typed::formula::{oracle, weights};
use crate::typed::{Formula, Named, checks as hidden, gradients};
use crate::{Aspect, Response};

softmark_checks::typed_input! {
    /// `x / √(mean(x²) + ε) · weight`, over the last axis of `x`, `[B, T, D]`.
    pub struct Normed for "normed" {
        sizes { width }
        parameters { weight = "weight" }
        inputs { x }
        outputs { "output" }
    }
}

impl TypedTask for Normed {
    const TRAIT: &'static str = "Normed";
    const DIMS: &'static [Dim] = &[Dim::new("B", 1, 3), Dim::new("T", 1, 4), Dim::new("D", 2, 6)];
    const CAUSAL_AXIS: Option<usize> = Some(1);
    type Sizes = [usize; 3];

    fn draw([b, t, width]: [usize; 3], draw: Draw) -> Self {
        let (weight, x) = (draw.scales("weight", &[width]), draw.numbers("x", &[b, t, width]));
        Self { width, weight, x }
    }

    fn outputs(&self) -> Vec<Output> {
        vec![Output { name: "output", shape: self.x.shape().to_vec() }]
    }

    fn fits(&self) -> Result<(), &'static str> {
        if self.x.dim(2) == self.width { Ok(()) } else { Err("the input has another width") }
    }

    fn misfits(&self) -> Vec<Self> {
        vec![Self { x: Tensor::from_fn(&[1, 1, self.width + 1], |_| 1.0), ..self.clone() }]
    }
}

struct NormedFormula;

impl Formula for NormedFormula {
    type Task = Normed;

    fn formula<S: Scalar>(question: &Normed<S>) -> Vec<Named<S>> {
        Named::output(normed(&question.x, &question.weight))
    }
}

fn normed<S: Scalar>(x: &Tensor<S>, weight: &Tensor<S>) -> Tensor<S> {
    let width = weight.dim(0);
    Tensor::from_fn(x.shape(), |at| {
        let [b, t, c] = *at else { return S::constant(f64::NAN) };
        let squares = sum((0..width).map(|c| x.at(&[b, t, c]) * x.at(&[b, t, c])));
        let mean = squares / S::constant(width as f64) + S::constant(1e-6);
        x.at(at) / mean.sqrt() * weight.at(&[c])
    })
}

/// A mistake of the code under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Right,
    NoEpsilonNoScale,
    MeanOfBatch,
    LooksAhead,
    Ones,
    Unchanged,
    HalfPrecision,
    NoGradientOfWeight,
    CopiesWeight,
    AnswersMisfits,
    ViewsMisread,
    OverflowsAbove,
}

/// Code that is asked, in this process: it computes in `f64` and answers in `f32`.
struct Code {
    way: Way,
    made: Option<Normed>,
    updated: Option<Tensor>,
}

impl Code {
    fn output(&self, x: &Tensor, strided: bool) -> Tensor {
        let made = self.made.as_ref().unwrap();
        let weight = match (&self.updated, self.way) {
            (Some(updated), way) if way != Way::CopiesWeight => updated,
            _ => &made.weight,
        };
        let right = normed(x, weight);
        match self.way {
            Way::Ones => right.map(|_| 1.0),
            Way::Unchanged => x.clone(),
            Way::NoEpsilonNoScale => normed(x, &weight.map(|_| 1.0)),
            Way::MeanOfBatch => {
                let mean = right.values().iter().sum::<f64>() / right.values().len() as f64;
                right.map(|y| y + mean)
            }
            Way::LooksAhead => Tensor::from_fn(right.shape(), |at| {
                let last = right.dim(1) - 1;
                right.at(at) + right.at(&[at[0], last, at[2]])
            }),
            Way::HalfPrecision => right.map(|y| (y * 512.0).round() / 512.0),
            Way::ViewsMisread if strided => right.map(|y| y + 1.0),
            Way::OverflowsAbove => {
                let is_large = x.values().iter().any(|x| x.abs() > 100.0);
                if is_large { right.map(|_| f64::INFINITY) } else { right }
            }
            Way::Right
            | Way::NoGradientOfWeight
            | Way::CopiesWeight
            | Way::AnswersMisfits
            | Way::ViewsMisread => right,
        }
    }

    fn refused(kind: FailureKind) -> Fault {
        Fault::Code(Failure { kind, message: "no".to_owned(), place: String::new() })
    }
}

fn tensor(input: &Input) -> Tensor {
    Tensor::from(&Array::from_tensor(&input.tensor))
}

fn sent(tensor: &Tensor) -> WireTensor {
    tensor.to_array().to_f32()
}

impl Code {
    fn answer(&mut self, request: &Request) -> Result<Reply, Fault> {
        match request {
            Request::Construct(Construction { config, parameters, .. }) => {
                let Some((_, weight)) = parameters.iter().find(|(name, _)| name == "weight") else {
                    return Err(Self::refused(FailureKind::Parameter));
                };
                let weight = Tensor::from(&Array::from_tensor(weight));
                let width = usize::try_from(config[0].1).unwrap();
                self.made = Some(Normed { width, x: weight.clone(), weight });
                self.updated = None;
                Ok(Reply::Constructed)
            }
            Request::Parameters => {
                let width = self.made.as_ref().unwrap().width;
                Ok(Reply::Parameters(vec![("weight".to_owned(), vec![width])]))
            }
            Request::SetParameters { parameters } => {
                self.updated = Some(Tensor::from(&Array::from_tensor(&parameters[0].1)));
                Ok(Reply::Updated)
            }
            Request::Forward { inputs } => {
                let x = tensor(&inputs[0]);
                if x.dim(2) != self.made.as_ref().unwrap().width {
                    if self.way == Way::AnswersMisfits {
                        return Ok(Reply::Outputs(vec![("output".to_owned(), sent(&x))]));
                    }
                    return Err(Self::refused(FailureKind::Refused));
                }
                let output = self.output(&x, inputs[0].strided);
                Ok(Reply::Outputs(vec![("output".to_owned(), sent(&output))]))
            }
            Request::Gradients { inputs, cotangents } => {
                let made = self.made.clone().unwrap();
                let question = Normed { x: tensor(&inputs[0]), ..made };
                let cotangents = vec![("output", Array::from_tensor(&cotangents[0].1))];
                let case = question.to_case(String::new());
                let slopes = gradients::<NormedFormula>(&case, &cotangents);
                let of = |name: &str| Some(slopes[name].to_f32());
                let weight = if self.way == Way::NoGradientOfWeight { None } else { of("weight") };
                Ok(Reply::Gradients {
                    inputs: vec![("x".to_owned(), of("x"))],
                    parameters: vec![("weight".to_owned(), weight)],
                })
            }
            Request::Hello { .. }
            | Request::Train { .. }
            | Request::Detectors
            | Request::Detect { .. }
            | Request::Observed(_)
            | Request::ReadParameters
            | Request::ConstructAndAsk { .. } => Err(Self::refused(FailureKind::Unsendable)),
        }
    }
}

impl Session for Code {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        Ok(self.answer(request).into())
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        Ok(())
    }
}

const CHECKS: [(&str, RunCheck); 10] = [
    ("parameters", checks::parameters::<Normed>),
    ("shapes", checks::output_shapes::<Normed>),
    ("batch-independence", checks::batch_independence::<Normed>),
    ("causality", checks::causality::<Normed>),
    ("matches-reference", hidden::matches_reference::<NormedFormula>),
    ("extreme-numbers", hidden::extreme_numbers::<NormedFormula>),
    ("strided-input", hidden::strided_input::<NormedFormula>),
    ("gradients", hidden::matches_gradients::<NormedFormula>),
    ("updated-parameters", hidden::updated_parameters::<NormedFormula>),
    ("refuses", hidden::refuses_misfits::<NormedFormula>),
];

/// Returns the checks that code with a mistake fails, on three seeds.
fn failed(way: Way) -> Vec<&'static str> {
    let mut failed = Vec::new();
    for (name, run) in CHECKS {
        let each = (1..4).map(|seed| {
            let mut code = Code { way, made: None, updated: None };
            run(&mut Subject::new(&mut code), seed).unwrap().is_pass()
        });
        let passed: Vec<bool> = each.collect();
        assert!(passed.iter().all(|it| *it == passed[0]), "{name} depends on the seed: {way:?}");
        if !passed[0] {
            failed.push(name);
        }
    }
    failed
}

#[test]
fn right_code_passes_and_each_mistake_fails_its_checks() {
    assert!(failed(Way::Right).is_empty(), "{:?}", failed(Way::Right));
    for (way, check) in [
        (Way::NoEpsilonNoScale, "matches-reference"),
        (Way::NoEpsilonNoScale, "parameters"),
        (Way::MeanOfBatch, "batch-independence"),
        (Way::LooksAhead, "causality"),
        (Way::Ones, "shapes"),
        (Way::Unchanged, "shapes"),
        (Way::Unchanged, "gradients"),
        (Way::HalfPrecision, "matches-reference"),
        (Way::NoGradientOfWeight, "gradients"),
        (Way::CopiesWeight, "updated-parameters"),
        (Way::AnswersMisfits, "refuses"),
        (Way::ViewsMisread, "strided-input"),
        (Way::OverflowsAbove, "extreme-numbers"),
    ] {
        let failed = failed(way);
        assert!(failed.contains(&check), "{way:?} fails {failed:?}, and not {check}");
    }
}

/// Code that returns its input earns nothing but what it refuses.
#[test]
fn code_that_returns_its_input_fails_every_check_that_it_answers() {
    let answered = CHECKS.map(|(name, _)| name).into_iter().filter(|name| *name != "refuses");
    assert_eq!(failed(Way::Unchanged), answered.collect::<Vec<_>>());
}

fn case() -> Case {
    Normed::case(&Shape::corner(Normed::DIMS), 5)
}

/// One way back over the tape gives what central differences approach.
#[test]
fn traced_gradients_are_the_slopes() {
    let case = case();
    let cotangents = weights::<NormedFormula>(&case);
    let exact = gradients::<NormedFormula>(&case, &cotangents);
    let measured = numeric_gradients(&case, &oracle::<NormedFormula>, &cotangents);
    assert_eq!(exact.keys().collect::<Vec<_>>(), ["weight", "x"]);
    for (name, measured) in measured {
        let far = exact[&name].largest_difference(&measured);
        assert!(far < 1e-7 * measured.magnitude().max(1.0), "{name}: {far:e}");
    }
}

#[test]
fn diagnostic_cases_have_every_aspect_and_expected_responses() {
    let derived = super::Derived::of::<NormedFormula>();
    let questions = (derived.battery)();
    for aspect in [Aspect::Plain, Aspect::Extreme, Aspect::Strided, Aspect::Gradient, Aspect::Limit]
    {
        assert!(questions.iter().any(|it| it.aspect == aspect), "{aspect:?}");
    }
    for question in &questions {
        let response = super::Derived::truth_of(&[derived], &question.case);
        let is_refused = response == Response::Refused;
        assert_eq!(is_refused, question.aspect == Aspect::Limit, "{}", question.case.label);
    }
}
