//! Trials of library functions: does one give what a task asks for, called with what the task hands in?
//!
//! Each function is called with every choice of arguments that it takes, and what it returns stands in place of
//! one output of the solution, so that half of a task counts as well. The assignment may not give a function that
//! then passes the task's comparison with the reference. For multi-head attention, inputs and output go
//! through the projections, which need no function of the task's.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use candle_core::{DType, Device, Result, Tensor};
use softmark_checks::{Array, Case, InputKind, Subject};
use softmark_exam::{Suite, SuiteCheck};
use softmark_wire::{Asked, Attempt, Reply, Request, Session, SessionError, Tensor as WireTensor};

use crate::ready_made::functions::Function::{self, Attends, One, Spoils, Three, Two};
use crate::ready_made::functions::{Attention, NOT_TRIED, TRIED};
use crate::ready_made::{Libraries, offered};
use crate::support::exams::suites;
use crate::support::question::Question;
use crate::support::solved;

/// One way of calling a function, and the output that it is to stand for.
#[derive(Debug, Clone)]
struct Way {
    /// Names of inputs and parameters.
    arguments: Vec<String>,
    output: &'static str,
    /// The only kind of pooling in which it does.
    kind: Option<usize>,
}

/// The solution, with what a library function gives in place of one of its outputs.
struct Trial {
    solution: Box<dyn Session>,
    question: Question,
    function: Function,
    way: Way,
}

impl Session for Trial {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        self.question.hear(request);
        let reply = self.solution.ask(request)?;
        let Attempt::Success(Reply::Outputs(mut outputs)) = reply else { return Ok(reply) };
        let is_replaced =
            self.way.kind.is_none_or(|kind| self.question.case.get_size("kind") == kind);
        if is_replaced
            && let Some((_, output)) = outputs.iter_mut().find(|(name, _)| name == self.way.output)
        {
            // A library may panic where arguments do not fit.
            let given = catch_unwind(AssertUnwindSafe(|| self.given(output)));
            let none = || WireTensor::f32(&[0], Vec::new()).unwrap();
            *output = given.ok().and_then(Result::ok).unwrap_or_else(none);
        }
        Ok(Attempt::Success(Reply::Outputs(outputs)))
    }

    fn renew(&mut self) -> std::result::Result<(), SessionError> {
        self.solution.renew()
    }
}

impl Trial {
    /// Returns what the function gives in place of `right`, the solution's output.
    fn given(&self, right: &WireTensor) -> Result<WireTensor> {
        let case = &self.question.case;
        let arguments: Vec<Option<Tensor>> =
            self.way.arguments.iter().map(|name| tensor(case, name)).collect();
        let at = |n: usize| {
            arguments
                .get(n)
                .cloned()
                .flatten()
                .ok_or_else(|| candle_core::Error::Msg("none".to_owned()))
        };
        let result = match self.function {
            One(call) => call(&at(0)?)?,
            Two(call) => call(&at(0)?, &at(1)?)?,
            Three(call) => call(&at(0)?, &at(1)?, &at(2)?)?,
            Spoils => {
                let other = Array::from_tensor(right).map(|x| x + 1.0);
                return Ok(other.to_f32());
            }
            Attends(call) => {
                let query = at(0)?;
                let key = at(1).unwrap_or_else(|_| query.clone());
                let value = at(2).unwrap_or_else(|_| key.clone());
                let mask = at(3).ok();
                let heads = case.find_size("heads").unwrap_or(1);
                let mask = mask.as_ref();
                call(&Attention { query: &query, key: &key, value: &value, mask, heads })?
            }
        };
        let result = if case.part() == "multi-head" && self.way.output == "output" {
            projected(case, &result, "out_proj")?
        } else {
            result
        };
        let values = result.to_dtype(DType::F32)?.flatten_all()?.to_vec1()?;
        WireTensor::f32(result.dims(), values).map_err(candle_core::Error::wrap)
    }
}

/// The input or parameter of a case; an input of multi-head attention is projected.
fn tensor(case: &Case, name: &str) -> Option<Tensor> {
    let made = |array: &Array, is_mask: bool| {
        let dtype = if is_mask { DType::U8 } else { DType::F32 };
        Tensor::from_slice(array.values(), array.shape(), &Device::Cpu)
            .unwrap()
            .to_dtype(dtype)
            .unwrap()
    };
    if let Some(input) = case.inputs.iter().find(|input| input.name == name) {
        let given = made(&input.array, input.kind == InputKind::Mask);
        let projection = match name {
            "query" => "q_proj",
            "key" => "k_proj",
            "value" => "v_proj",
            "mask" if case.part() == "multi-head" => return given.unsqueeze(1).ok(),
            _ => return Some(given),
        };
        return if case.part() == "multi-head" {
            projected(case, &given, projection).ok()
        } else {
            Some(given)
        };
    }
    // Without a mask, every token counts.
    if case.part() == "masked-pooling" && name == "mask" {
        let x = case.find("x")?;
        return Some(made(&Array::full(&[x.dim(0), x.dim(1)], 1.0), true));
    }
    // Self-attention hands in one tensor.
    if case.part() == "multi-head" && ["key", "value"].contains(&name) {
        let query = made(&case.find("query")?, false);
        return projected(case, &query, if name == "key" { "k_proj" } else { "v_proj" }).ok();
    }
    let parameter = case.parameters.iter().find(|(of, _)| of == name);
    parameter.map(|(_, array)| made(array, false))
}

fn projected(case: &Case, x: &Tensor, by: &str) -> Result<Tensor> {
    let of = |what: &str| {
        let array = case.get_parameter(&format!("{by}.{what}"));
        Tensor::from_slice(array.values(), array.shape(), &Device::Cpu)?.to_dtype(DType::F32)
    };
    x.broadcast_matmul(&of("weight")?.t()?)?.broadcast_add(&of("bias")?)
}

/// Most parameters of a part that are tried as arguments: of those with more, a choice of them is no longer what
/// the task hands in.
const MOST_PARAMETERS: usize = 4;

/// Every way of calling a function with what a part is given, for each of its outputs.
fn ways(function: Function, case: &Case) -> Vec<Way> {
    let of_kind = |kind: InputKind| {
        case.inputs.iter().filter(move |it| it.kind == kind).map(|it| it.name.to_owned())
    };
    let masks: Vec<String> = of_kind(InputKind::Mask).collect();
    let inputs: Vec<String> = of_kind(InputKind::Numbers).collect();
    let parameters = case.parameters.iter().map(|(name, _)| name.clone());
    let mut all = inputs.clone();
    if case.parameters.len() <= MOST_PARAMETERS {
        all.extend(parameters);
    }
    let then = |chosen: Vec<Vec<String>>, from: &[String]| -> Vec<Vec<String>> {
        let longer = |before: Vec<String>| {
            let rest = from.iter().filter(|it| !before.contains(it)).cloned().collect::<Vec<_>>();
            rest.into_iter().map(move |name| [before.clone(), vec![name]].concat())
        };
        chosen.into_iter().flat_map(longer).collect()
    };
    let begun = then(vec![Vec::new()], &inputs);
    let chosen = match function {
        One(_) | Spoils => begun,
        Two(_) => then(begun, &[all, masks].concat()),
        Three(_) => then(then(begun, &all), &all),
        Attends(_) if inputs.is_empty() => Vec::new(),
        Attends(_) => {
            let names = ["query", "key", "value", "mask"].map(str::to_owned);
            let alone = inputs.iter().take(1).cloned().collect();
            vec![if inputs.contains(&names[0]) { names.to_vec() } else { alone }]
        }
    };
    let outputs = case.signature.outputs;
    let kinds: Vec<Option<usize>> =
        if case.find_size("kind").is_some() { (0..3).map(Some).collect() } else { vec![None] };
    let mut ways = Vec::new();
    for arguments in chosen {
        for output in outputs {
            let of =
                |kind: &Option<usize>| Way { arguments: arguments.clone(), output, kind: *kind };
            ways.extend(kinds.iter().map(of));
        }
    }
    ways
}

/// The check of a task that compares with the reference.
fn comparison(suite: &Suite, task: &str) -> Option<SuiteCheck> {
    let id = format!("{task}/matches-reference");
    (suite.checks)().into_iter().find(|entry| entry.check.id == id)
}

/// The functions that do a task of the suite, or one output of it.
fn helpful(suite: &Suite) -> BTreeSet<(&'static str, &'static str)> {
    let tasks: BTreeSet<&'static str> = (suite.mistakes)().iter().map(|it| it.task).collect();
    let mut found = BTreeSet::new();
    for task in tasks {
        let Some(entry) = comparison(suite, task) else { continue };
        let battery = (suite.battery)(task);
        // The most that the task hands in: a mask may be missing.
        let most = battery.iter().max_by_key(|question| question.case.inputs.len());
        let Some(question) = most else { continue };
        let passes = |function: Function, way: Way| {
            let solution = solved::session(suite.id, entry.program);
            let mut trial = Trial { solution, question: Question::new(), function, way };
            entry.check.ask(&mut Subject::new(&mut trial), 1).unwrap().is_pass()
        };
        // An output that is not compared tells nothing.
        let is_compared = |way: &Way| !passes(Spoils, way.clone());
        let compared: BTreeSet<(&str, Option<usize>)> = ways(Spoils, &question.case)
            .iter()
            .filter(|way| is_compared(way))
            .map(|way| (way.output, way.kind))
            .collect();
        for (path, function) in TRIED {
            let all = ways(*function, &question.case).into_iter();
            let mut telling = all.filter(|way| compared.contains(&(way.output, way.kind)));
            if telling.any(|way| passes(*function, way)) {
                found.insert((task, *path));
            }
        }
    }
    found
}

#[test]
fn whatever_does_a_task_is_not_given() {
    let libraries = Libraries::read();
    let mut all = BTreeMap::new();
    for suite in suites() {
        let found = helpful(suite);
        let given: Vec<_> =
            found.iter().filter(|(_, path)| !libraries.withholds(suite.id, path)).collect();
        assert!(given.is_empty(), "{} gives what does a task: {given:?}", suite.id);
        all.insert(suite.id, found);
    }
    // The trials can find something.
    let attention = &all["attention"];
    for (task, path) in [
        ("scaled-dot-product", "softmark_kit::nn::attention::attention_weights"),
        ("scaled-dot-product", "softmark_kit::nn::attention::scaled_dot_product_attention"),
        ("scaled-dot-product", "softmark_kit::nn::composed::attention"),
        ("multi-head", "softmark_kit::nn::attention::attention_side_by_side"),
        ("masked-pooling", "softmark_kit::nn::pooling::masked_mean"),
        ("masked-pooling", "softmark_kit::nn::pooling::masked_max"),
        ("masked-pooling", "softmark_kit::nn::pooling::masked_first"),
    ] {
        assert!(attention.contains(&(task, path)), "{path} does not do {task}: {attention:?}");
    }
}

#[test]
fn every_free_function_is_tried_or_left_out_for_a_reason() {
    let tried: BTreeSet<&str> = TRIED.iter().map(|(path, _)| *path).collect();
    let is_left_out = |path: &str| NOT_TRIED.iter().any(|(begins, _)| path.starts_with(begins));
    let offered = offered();
    let paths: BTreeSet<&str> = offered.values().flatten().map(String::as_str).collect();
    for path in &tried {
        assert!(paths.contains(path), "there is no {path}");
    }
    // A function of a type has the type's name before its own.
    let is_free = |path: &&str| {
        let mut names = path.rsplit("::");
        names.nth(1).is_some_and(|of| of.starts_with(char::is_lowercase))
    };
    let each = offered.values().filter(|paths| paths.iter().all(|path| is_free(&path.as_str())));
    let open: Vec<_> = each
        .filter(|paths| {
            !paths.iter().any(|path| tried.contains(path.as_str()) || is_left_out(path))
        })
        .collect();
    assert!(open.is_empty(), "tried by nobody: {open:?}");
}
