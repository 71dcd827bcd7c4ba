//! The question that a session is asked, put together again as a case.

use std::collections::BTreeSet;
use std::sync::Mutex;

use softmark_checks::case::CaseInput;
use softmark_checks::{Array, Case, InputKind};
use softmark_wire::{Construction, Data, Input, Request};

use crate::support::signatures::{self, NOTHING};

/// The name as a case holds it: one text for the whole run, however often it is asked for.
pub(crate) fn known(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap();
    if let Some(name) = names.get(name) {
        return name;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    name
}

/// What the last requests come to: the part, and what it is called with.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) case: Case,
}

impl Question {
    pub(crate) fn new() -> Self {
        Self { case: Case::new(&NOTHING, String::new()) }
    }

    /// Puts the mode of a call, where it has one, in place of that of the construction.
    fn enter_mode(&mut self) {
        if let Some(mode) = self.case.find("mode") {
            self.case = self.case.with_size("train", usize::from(mode.at(&[0]) == 1.0));
        }
    }

    fn construct(&mut self, Construction { part, config, parameters }: &Construction) {
        let sizes = config.iter().map(|(name, _)| name.as_str());
        let mut case = Case::new(signatures::find(part, sizes), String::new());
        for (name, value) in config {
            case = case.size(known(name), usize::try_from(*value).unwrap());
        }
        for (name, tensor) in parameters {
            case = case.parameter(name, Array::from_tensor(tensor));
        }
        self.case = case;
    }

    /// Takes in what a request says.
    pub(crate) fn hear(&mut self, request: &Request) {
        match request {
            Request::Construct(component) => self.construct(component),
            Request::Forward { inputs } | Request::Gradients { inputs, .. } => {
                self.case.inputs = inputs.iter().map(input).collect();
                self.enter_mode();
            }
            Request::SetParameters { parameters } => {
                for (name, tensor) in parameters {
                    self.case = self.case.with_parameter(name, &Array::from_tensor(tensor));
                }
            }
            Request::ConstructAndAsk { component, request } => {
                self.construct(component);
                self.hear(request);
            }
            Request::Hello { .. }
            | Request::Parameters
            | Request::ReadParameters
            | Request::Train { .. }
            | Request::Detectors
            | Request::Detect { .. }
            | Request::Observed(_) => {}
        }
    }
}

fn input(input: &Input) -> CaseInput {
    CaseInput {
        name: known(&input.name),
        array: Array::from_tensor(&input.tensor),
        kind: match input.tensor.data() {
            Data::U32(_) => InputKind::Ids,
            Data::U8(_) if input.name == "mask" => InputKind::Mask,
            Data::U8(_) => InputKind::Text,
            Data::F32(_) | Data::F64(_) | Data::I64(_) => InputKind::Numbers,
        },
        strided: input.strided,
    }
}
