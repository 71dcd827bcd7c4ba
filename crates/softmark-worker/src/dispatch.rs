//! Answers one question after another about the part that was made last.

use std::collections::BTreeMap;
use std::sync::Arc;

use candle_core::{DType, Device, Error, Result, Tensor, Var};
use candle_nn::VarBuilder;
use softmark_kit::debugging::{Suspect, Verdict};
use softmark_wire::{
    Failure, FailureKind, Input, PROTOCOL_VERSION, Recipe, Reply, Request, Tensor as WireTensor,
};

use crate::catch::caught;
use crate::convert::{strided, to_candle, to_wire};
use crate::experiment::{AskBack, RemoteSuspect};
use crate::parameters::Parameters;
use crate::training;

/// The tensors that a question hands in, by name.
#[derive(Debug, Default)]
pub struct Inputs(BTreeMap<String, Tensor>);

impl Inputs {
    /// The input of that name.
    ///
    /// # Errors
    ///
    /// When the question has none.
    pub fn get(&self, name: &str) -> Result<&Tensor> {
        self.0.get(name).ok_or_else(|| Error::Msg(format!("the question has no input `{name}`")))
    }

    /// The input of that name, where there is one.
    pub fn optional(&self, name: &str) -> Option<&Tensor> {
        self.0.get(name)
    }
}

/// The tensors that a part answers with, by name.
pub type Outputs = Vec<(&'static str, Tensor)>;

/// The sizes that a part is made with, by name.
pub type Sizes = BTreeMap<String, u64>;

/// The size of that name.
pub(crate) fn size(sizes: &Sizes, name: &str) -> Result<usize> {
    let value = sizes.get(name).copied().and_then(|value| usize::try_from(value).ok());
    value.ok_or_else(|| Error::Msg(format!("the question does not say `{name}`")))
}

/// A part that was made and can be run.
pub trait Part {
    /// Runs it forward.
    ///
    /// # Errors
    ///
    /// What the student's code returns.
    fn forward(&self, inputs: &Inputs) -> Result<Outputs>;

    /// What a classifier says of `ids` `[B, T]`, of which `mask` `[B, T]` tells the real ones from
    /// padding: logits `[B, C]`.
    ///
    /// # Errors
    ///
    /// What the student's code returns; that it is no classifier.
    fn logits(&self, _ids: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
        Err(Error::Msg("this part is no classifier: it cannot be trained".to_owned()))
    }

    /// What its detectors are called.
    ///
    /// # Errors
    ///
    /// That it has none.
    fn detectors(&self) -> Result<Vec<&'static str>> {
        Err(Error::Msg("this part has no detectors".to_owned()))
    }

    /// Lets a detector loose on `suspect`.
    ///
    /// # Errors
    ///
    /// What the detector returns; that there is none.
    fn detect(&self, _detector: usize, _suspect: &dyn Suspect) -> Result<Verdict> {
        Err(Error::Msg("this part has no detectors".to_owned()))
    }
}

/// Makes a part of the given name and sizes.
pub type PartTable = Box<dyn Fn(&str, &Sizes, VarBuilder<'static>) -> Result<Box<dyn Part>>>;

struct Made {
    part: Box<dyn Part>,
    parameters: Arc<Parameters>,
}

/// Answers questions by calling the student's code.
pub struct Dispatcher {
    table: PartTable,
    made: Option<Made>,
}

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dispatcher").field("made", &self.made.is_some()).finish_non_exhaustive()
    }
}

fn refused(error: &Error) -> Failure {
    // Candle adds a backtrace where it can; it says nothing to a student.
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default().to_owned();
    Failure { kind: FailureKind::Refused, message, place: String::new() }
}

/// A question that cannot be answered, or an answer that cannot be sent.
fn unsendable(message: &str) -> Failure {
    Failure { kind: FailureKind::Unsendable, message: message.to_owned(), place: String::new() }
}

/// Runs a student's code: a panic and an error each become the failure that tells which it was.
fn run<T>(code: impl FnOnce() -> Result<T>) -> std::result::Result<T, Failure> {
    caught(code)?.map_err(|error| refused(&error))
}

fn send(outputs: &Outputs) -> std::result::Result<Vec<(String, WireTensor)>, Failure> {
    outputs.iter().map(|(name, tensor)| Ok(((*name).to_owned(), to_wire(name, tensor)?))).collect()
}

impl Dispatcher {
    /// Answers from the parts of `table`.
    pub fn new(table: PartTable) -> Self {
        Self { table, made: None }
    }

    /// Answers one question; whatever the student's code does, there is an answer. Experiments that
    /// it makes meanwhile are put to whoever asks, by way of `back`.
    ///
    /// Reading a question and making an answer of a student's tensors may panic as their code may, and
    /// is told in the same way.
    pub fn answer(&mut self, request: &Request, back: AskBack<'_>) -> Reply {
        caught(|| self.try_answer(request, back)).unwrap_or_else(Err).unwrap_or_else(Reply::Failed)
    }

    fn try_answer(
        &mut self,
        request: &Request,
        back: AskBack<'_>,
    ) -> std::result::Result<Reply, Failure> {
        match request {
            Request::Hello { .. } => Ok(Reply::Hello { version: PROTOCOL_VERSION }),
            Request::Construct { part, config, parameters } => {
                self.construct(part, config, parameters)
            }
            Request::Forward { inputs } => self.forward(inputs),
            Request::Gradients { inputs, cotangents } => self.gradients(inputs, cotangents),
            Request::Parameters => Ok(Reply::Parameters(self.made()?.parameters.asked())),
            Request::Train { examples, recipe } => self.train(examples, recipe),
            Request::Detectors => {
                let made = self.made()?;
                let names = run(|| made.part.detectors())?;
                Ok(Reply::Detectors(names.into_iter().map(str::to_owned).collect()))
            }
            Request::Detect { detector, config } => self.detect(*detector, config, back),
            Request::Observed(_) => Err(unsendable("no experiment was made")),
            Request::ReadParameters => self.read_parameters(),
            Request::SetParameters { parameters } => self.set_parameters(parameters),
        }
    }

    fn read_parameters(&self) -> std::result::Result<Reply, Failure> {
        let used = self.made()?.parameters.used();
        let value = |(name, var): &(String, Var)| Ok((name.clone(), to_wire(name, var)?));
        Ok(Reply::ParameterValues(used.iter().map(value).collect::<std::result::Result<_, _>>()?))
    }

    fn set_parameters(
        &self,
        parameters: &[(String, WireTensor)],
    ) -> std::result::Result<Reply, Failure> {
        let made = self.made()?;
        for (name, tensor) in parameters {
            let tensor = to_candle(tensor, &Device::Cpu).map_err(|error| refused(&error))?;
            made.parameters.set(name, &tensor).map_err(|error| unsendable(&error.to_string()))?;
        }
        Ok(Reply::Updated)
    }

    /// Forgets the part that was made, also where it panics when it is dropped.
    pub fn forget(&mut self) {
        let made = self.made.take();
        drop(caught(|| drop(made)));
    }

    fn detect(
        &self,
        detector: u32,
        config: &[(String, u64)],
        back: AskBack<'_>,
    ) -> std::result::Result<Reply, Failure> {
        let made = self.made()?;
        let sizes = config.iter().cloned().collect();
        let suspect = RemoteSuspect::new(&sizes, back).map_err(|error| refused(&error))?;
        let detector = usize::try_from(detector).unwrap_or(usize::MAX);
        let verdict = run(|| made.part.detect(detector, &suspect))?;
        Ok(match verdict {
            Verdict::Healthy => Reply::Verdict { bug: false, reason: String::new() },
            Verdict::Bug { reason } => Reply::Verdict { bug: true, reason },
        })
    }

    fn made(&self) -> std::result::Result<&Made, Failure> {
        self.made.as_ref().ok_or_else(|| unsendable("no part has been made"))
    }

    fn construct(
        &mut self,
        part: &str,
        config: &[(String, u64)],
        parameters: &[(String, WireTensor)],
    ) -> std::result::Result<Reply, Failure> {
        // Dropping the part before runs the student's code too.
        let before = self.made.take();
        caught(|| drop(before))?;
        let given: Vec<(String, Tensor)> = parameters
            .iter()
            .map(|(name, tensor)| Ok((name.clone(), to_candle(tensor, &Device::Cpu)?)))
            .collect::<Result<_>>()
            .map_err(|error| refused(&error))?;
        let parameters = Arc::new(Parameters::new(given).map_err(|error| refused(&error))?);
        let config: BTreeMap<String, u64> = config.iter().cloned().collect();
        let made = run(|| (self.table)(part, &config, Parameters::builder(&parameters)));
        match made {
            Ok(part) => {
                self.made = Some(Made { part, parameters });
                Ok(Reply::Constructed)
            }
            // An error that comes of a parameter is told as that, whatever became of it on its way.
            Err(failure) if failure.kind == FailureKind::Refused => {
                Err(parameters.trouble().unwrap_or(failure))
            }
            Err(failure) => Err(failure),
        }
    }

    fn forward(&self, inputs: &[Input]) -> std::result::Result<Reply, Failure> {
        let made = self.made()?;
        let inputs =
            read_inputs(inputs, |_, tensor| Ok(tensor)).map_err(|error| refused(&error))?;
        let outputs = run(|| made.part.forward(&inputs))?;
        Ok(Reply::Outputs(send(&outputs)?))
    }

    fn train(&self, examples: &[Input], recipe: &Recipe) -> std::result::Result<Reply, Failure> {
        let made = self.made()?;
        let examples = read_inputs(examples, |_, tensor| Ok(tensor))
            .and_then(|inputs| training::examples(&inputs))
            .map_err(|error| refused(&error))?;
        let vars = made.parameters.used().into_iter().collect();
        let losses = run(|| training::train(&*made.part, &vars, &examples, recipe))?;
        Ok(Reply::Trained(to_wire("losses", &losses)?))
    }

    fn gradients(
        &self,
        inputs: &[Input],
        cotangents: &[(String, WireTensor)],
    ) -> std::result::Result<Reply, Failure> {
        let made = self.made()?;
        let mut vars: Vec<(String, Var)> = Vec::new();
        let values = read_inputs(inputs, |name, tensor| {
            if tensor.dtype() != DType::F32 {
                return Ok(tensor);
            }
            let var = Var::from_tensor(&tensor)?;
            vars.push((name.to_owned(), var.clone()));
            Ok(var.as_tensor().clone())
        })
        .map_err(|error| refused(&error))?;
        let outputs = run(|| made.part.forward(&values))?;
        fits(&outputs, cotangents)?;
        let store = run(|| weighted_sum(&outputs, cotangents)?.backward())?;
        let gradient = |(name, var): &(String, Var)| {
            let sent = store.get(var).map(|gradient| to_wire(name, gradient)).transpose()?;
            Ok((name.clone(), sent))
        };
        Ok(Reply::Gradients {
            inputs: vars.iter().map(gradient).collect::<std::result::Result<_, Failure>>()?,
            parameters: made
                .parameters
                .used()
                .iter()
                .map(gradient)
                .collect::<std::result::Result<_, Failure>>()?,
        })
    }
}

/// Holds that every output that has a cotangent has its shape and its type: otherwise the sum would fail,
/// with an error that is not the student's.
fn fits(
    outputs: &Outputs,
    cotangents: &[(String, WireTensor)],
) -> std::result::Result<(), Failure> {
    for (name, cotangent) in cotangents {
        let Some((_, output)) = outputs.iter().find(|(of, _)| of == name) else { continue };
        if output.dims() != cotangent.shape() {
            let (is, wanted) = (output.dims(), cotangent.shape());
            let message = format!("`{name}` has shape {is:?}; {wanted:?} is expected");
            return Err(unsendable(&message));
        }
        if output.dtype() != DType::F32 {
            let is = output.dtype().as_str();
            return Err(unsendable(&format!("`{name}` has dtype {is}; f32 is expected")));
        }
    }
    Ok(())
}

/// `Σ output · cotangent` over the outputs that have a cotangent.
fn weighted_sum(outputs: &Outputs, cotangents: &[(String, WireTensor)]) -> Result<Tensor> {
    let mut sum = Tensor::new(0_f32, &Device::Cpu)?;
    for (name, cotangent) in cotangents {
        let output = outputs
            .iter()
            .find_map(|(of, tensor)| (of == name).then_some(tensor))
            .ok_or_else(|| Error::Msg(format!("there is no output `{name}`")))?;
        let cotangent = to_candle(cotangent, &Device::Cpu)?;
        sum = (sum + (output * cotangent)?.sum_all()?)?;
    }
    Ok(sum)
}

fn read_inputs(
    inputs: &[Input],
    mut make: impl FnMut(&str, Tensor) -> Result<Tensor>,
) -> Result<Inputs> {
    let mut values = BTreeMap::new();
    for input in inputs {
        let tensor = make(&input.name, to_candle(&input.tensor, &Device::Cpu)?)?;
        let tensor = if input.strided { strided(&tensor)? } else { tensor };
        values.insert(input.name.clone(), tensor);
    }
    Ok(Inputs(values))
}
