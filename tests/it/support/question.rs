//! The question that a session is asked, put together again as a case.

use softmark_checks::case::CaseInput;
use softmark_checks::{Array, Case};
use softmark_wire::{Data, Input, Request};

/// Every name that a question can hold.
const NAMES: [&str; 25] = [
    "scaled-dot-product",
    "multi-head",
    "sinusoidal-position",
    "learned-position",
    "masked-pooling",
    "d_model",
    "heads",
    "max_len",
    "kind",
    "query",
    "key",
    "value",
    "mask",
    "x",
    "output",
    "weights",
    "q_proj.weight",
    "q_proj.bias",
    "k_proj.weight",
    "k_proj.bias",
    "v_proj.weight",
    "v_proj.bias",
    "out_proj.weight",
    "out_proj.bias",
    "position_embedding.weight",
];

pub(crate) fn known(name: &str) -> &'static str {
    NAMES.iter().find(|known| **known == name).copied().unwrap()
}

/// What the last requests come to: the part, and what it is called with.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) case: Case,
}

impl Question {
    pub(crate) fn new() -> Self {
        Self { case: Case::new("", String::new()) }
    }

    /// Takes in what a request says.
    pub(crate) fn hear(&mut self, request: &Request) {
        match request {
            Request::Construct { part, config, parameters } => {
                let mut case = Case::new(known(part), String::new());
                for (name, value) in config {
                    case = case.size(known(name), usize::try_from(*value).unwrap());
                }
                for (name, tensor) in parameters {
                    case = case.parameter(known(name), Array::from_tensor(tensor));
                }
                self.case = case;
            }
            Request::Forward { inputs } | Request::Gradients { inputs, .. } => {
                self.case.inputs = inputs.iter().map(input).collect();
            }
            Request::Hello { .. } | Request::Parameters | Request::Train { .. } => {}
        }
    }
}

fn input(input: &Input) -> CaseInput {
    CaseInput {
        name: known(&input.name),
        array: Array::from_tensor(&input.tensor),
        is_mask: matches!(input.tensor.data(), Data::U8(_)),
        strided: input.strided,
    }
}
