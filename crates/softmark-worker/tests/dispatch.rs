//! The dispatcher, tested with components made for the purpose.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on should stop; helpers are not covered by clippy.toml"
)]

use candle_core::{Error, Result, Tensor};
use softmark_kit::component::{Component, Components, Inputs, Outputs};
use softmark_wire::{
    Construction, Data, Failure, FailureKind, Fault, Input, Reply, Request, Session,
    Tensor as WireTensor,
};
use softmark_worker::InProcess;

/// `x · w`, which misbehaves in the way that `trap` names.
struct Scaled {
    w: Tensor,
    trap: String,
}

impl Component for Scaled {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let x = inputs.get("x")?;
        match self.trap.as_str() {
            "stub" => {
                #[expect(clippy::todo, reason = "the stub is what is tested")]
                {
                    todo!("task 9: scale")
                }
            }
            "panics" => panic!("no rows in {:?}", x.dims()),
            "refuses" => Err(Error::Msg("x is too long".to_owned())),
            "flat" => Ok(vec![("output", x.flatten_all()?)]),
            "half" => Ok(vec![("output", x.to_dtype(candle_core::DType::F16)?)]),
            "detached" => Ok(vec![("output", x.broadcast_mul(&self.w.detach())?)]),
            _ => Ok(vec![("output", x.broadcast_mul(&self.w)?)]),
        }
    }
}

impl Drop for Scaled {
    fn drop(&mut self) {
        assert_ne!(self.trap, "drop", "dropped");
    }
}

fn table() -> Components {
    Box::new(|part, config, vb| {
        let size = config.get("size").unwrap_or(2);
        let name = if part == "misnamed" { "weights" } else { "w" };
        let w = vb.pp("scale").get(size, name)?;
        Ok(Box::new(Scaled { w, trap: part.to_owned() }))
    })
}

fn floats(shape: &[usize], values: &[f32]) -> WireTensor {
    WireTensor::f32(shape, values.to_vec()).unwrap()
}

fn component(part: &str, size: u64) -> Construction {
    Construction {
        part: part.to_owned(),
        config: vec![("size".to_owned(), size)],
        parameters: vec![
            ("scale.other".to_owned(), floats(&[2], &[1.0, 1.0])),
            ("scale.w".to_owned(), floats(&[2], &[10.0, 100.0])),
        ],
    }
}

fn construct(part: &str, size: u64) -> Request {
    Request::Construct(component(part, size))
}

fn x() -> Vec<Input> {
    let tensor = floats(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    vec![Input { name: "x".to_owned(), tensor, strided: false }]
}

fn ask(session: &mut InProcess, request: &Request) -> std::result::Result<Reply, Fault> {
    session.ask(request).unwrap().into_result()
}

fn failure_of(part: &str) -> Failure {
    let mut session = InProcess::new(table());
    ask(&mut session, &construct(part, 2)).unwrap();
    match ask(&mut session, &Request::Forward { inputs: x() }) {
        Err(Fault::Code(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_part_is_made_and_run() {
    let mut session = InProcess::new(table());
    assert_eq!(ask(&mut session, &construct("right", 2)), Ok(Reply::Constructed));
    let reply = ask(&mut session, &Request::Forward { inputs: x() }).unwrap();
    let want = floats(&[2, 2], &[10.0, 200.0, 30.0, 400.0]);
    assert_eq!(reply, Reply::Outputs(vec![("output".to_owned(), want)]));
}

#[test]
fn a_part_is_made_and_run_in_one_request() {
    let about = |part: &str| Request::ConstructAndAsk {
        component: component(part, 2),
        request: Box::new(Request::Forward { inputs: x() }),
    };
    let mut session = InProcess::new(table());
    let one = ask(&mut session, &about("right"));
    assert!(matches!(one, Ok(Reply::Outputs(_))), "{one:?}");
    assert_eq!(one, ask(&mut session, &Request::Forward { inputs: x() }));
    // What cannot be made is not run, and nothing of the previous part is left.
    let fault = ask(&mut session, &construct("misnamed", 2)).unwrap_err();
    ask(&mut session, &construct("right", 2)).unwrap();
    assert_eq!(ask(&mut session, &about("misnamed")), Err(fault));
    assert!(ask(&mut session, &Request::Forward { inputs: x() }).is_err());
}

#[test]
fn only_what_was_asked_for_is_a_parameter() {
    let mut session = InProcess::new(table());
    ask(&mut session, &construct("right", 2)).unwrap();
    let reply = ask(&mut session, &Request::Parameters);
    assert_eq!(reply, Ok(Reply::Parameters(vec![("scale.w".to_owned(), vec![2])])));
}

#[test]
fn gradients_are_those_of_the_weighted_sum() {
    let mut session = InProcess::new(table());
    ask(&mut session, &construct("right", 2)).unwrap();
    let cotangents = vec![("output".to_owned(), floats(&[2, 2], &[1.0, 0.0, 1.0, 2.0]))];
    let reply = ask(&mut session, &Request::Gradients { inputs: x(), cotangents });
    let want = Reply::Gradients {
        inputs: vec![("x".to_owned(), Some(floats(&[2, 2], &[10.0, 0.0, 10.0, 200.0])))],
        parameters: vec![("scale.w".to_owned(), Some(floats(&[2], &[4.0, 8.0])))],
    };
    assert_eq!(reply, Ok(want));
}

#[test]
fn a_gradient_that_does_not_arrive_is_none() {
    let mut session = InProcess::new(table());
    ask(&mut session, &construct("detached", 2)).unwrap();
    let cotangents = vec![("output".to_owned(), floats(&[2, 2], &[1.0; 4]))];
    match ask(&mut session, &Request::Gradients { inputs: x(), cotangents }).unwrap() {
        Reply::Gradients { inputs, parameters } => {
            assert!(inputs[0].1.is_some());
            assert_eq!(parameters, [("scale.w".to_owned(), None)]);
        }
        other => panic!("{other:?}"),
    }
}

/// The differentiated sum is the grader's: it never fails as if the student's code had failed.
#[test]
fn an_output_that_does_not_fit_its_cotangent_is_told_as_that() {
    let told = |part: &str, shape: &[usize]| {
        let mut session = InProcess::new(table());
        ask(&mut session, &construct(part, 2)).unwrap();
        let ones = vec![1.0; shape.iter().product()];
        let cotangents = vec![("output".to_owned(), floats(shape, &ones))];
        match ask(&mut session, &Request::Gradients { inputs: x(), cotangents }) {
            Err(Fault::Code(Failure { kind: FailureKind::Unsendable, message, .. })) => message,
            other => panic!("{part} {shape:?}: {other:?}"),
        }
    };
    let shape = "`output` has shape [2, 2]; [2, 3] is expected";
    assert_eq!(told("right", &[2, 3]), shape);
    // A shape that could be broadcast is still a different shape.
    assert_eq!(told("right", &[2]), "`output` has shape [2, 2]; [2] is expected");
    assert_eq!(told("right", &[1, 2, 2]), "`output` has shape [2, 2]; [1, 2, 2] is expected");
    assert_eq!(told("flat", &[2, 2]), "`output` has shape [4]; [2, 2] is expected");
    assert_eq!(told("half", &[2, 2]), "`output` has dtype f16; f32 is expected");
}

#[test]
fn ways_to_fail_are_told_apart() {
    let told = |part: &str| {
        let Failure { kind, message, .. } = failure_of(part);
        (kind, message)
    };
    assert_eq!(told("stub"), (FailureKind::NotImplemented, "task 9: scale".to_owned()));
    assert_eq!(told("panics"), (FailureKind::Panicked, "no rows in [2, 2]".to_owned()));
    assert_eq!(told("refuses"), (FailureKind::Refused, "x is too long".to_owned()));
    let half = "`output` has dtype f16; f32 is expected".to_owned();
    assert_eq!(told("half"), (FailureKind::Unsendable, half));
    assert!(failure_of("panics").place.contains("dispatch.rs:"));
}

#[test]
fn a_parameter_that_does_not_exist_is_named_with_those_that_do() {
    let mut session = InProcess::new(table());
    let Err(Fault::Code(failure)) = ask(&mut session, &construct("misnamed", 2)) else {
        panic!("it was made");
    };
    assert_eq!(failure.kind, FailureKind::Parameter);
    assert_eq!(
        failure.message,
        "asked for `scale.weights` of shape [2], and there is none: the parameters here are \
         scale.other, scale.w"
    );
}

#[test]
fn a_parameter_of_another_shape_is_told_with_both() {
    let mut session = InProcess::new(table());
    let Err(Fault::Code(failure)) = ask(&mut session, &construct("right", 3)) else {
        panic!("it was made");
    };
    assert_eq!(failure.message, "asked for `scale.w` of shape [3]; it has shape [2]");
}

#[test]
fn a_part_that_panics_when_it_is_dropped_is_told_and_gone() {
    let mut session = InProcess::new(table());
    ask(&mut session, &construct("drop", 2)).unwrap();
    assert!(matches!(
        ask(&mut session, &construct("right", 2)),
        Err(Fault::Code(Failure { kind: FailureKind::Panicked, .. }))
    ));
    assert_eq!(ask(&mut session, &construct("right", 2)), Ok(Reply::Constructed));
}

#[test]
fn a_strided_input_has_the_same_elements() {
    let mut session = InProcess::new(table());
    ask(&mut session, &construct("right", 2)).unwrap();
    let mut inputs = x();
    inputs[0].strided = true;
    let Reply::Outputs(outputs) = ask(&mut session, &Request::Forward { inputs }).unwrap() else {
        panic!("no outputs");
    };
    assert_eq!(*outputs[0].1.data(), Data::F32(vec![10.0, 200.0, 30.0, 400.0]));
}

#[test]
fn a_question_before_anything_is_made_has_no_answer() {
    let mut session = InProcess::new(table());
    assert!(ask(&mut session, &Request::Parameters).is_err());
}
