//! Answers requests about the component that was constructed last.

use std::collections::BTreeMap;
use std::sync::Arc;

use candle_core::{DType, Device, Error, Result, Tensor, Var};
use softmark_kit::component::{Component, Components, Inputs, Outputs, Sizes};
use softmark_wire::{
    Construction, Failure, FailureKind, Input, PROTOCOL_VERSION, Recipe, Reply, Request,
    Tensor as WireTensor,
};

use crate::catch::caught;
use crate::convert::{strided, to_candle, to_wire};
use crate::experiment::{AskBack, AskedBack};
use crate::parameters::Parameters;
use crate::training;

struct Made {
    part: Box<dyn Component>,
    parameters: Arc<Parameters>,
}

/// Answers requests by calling the student's code.
pub struct Dispatcher {
    components: Components,
    made: Option<Made>,
}

impl std::fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dispatcher").field("made", &self.made.is_some()).finish_non_exhaustive()
    }
}

fn refused(error: &Error) -> Failure {
    // Keep the first line: the backtrace that candle may add does not help a student.
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default().to_owned();
    Failure { kind: FailureKind::Refused, message, place: String::new() }
}

/// Returns the failure for a request that cannot be answered or a reply that cannot be sent.
fn unsendable(message: &str) -> Failure {
    Failure { kind: FailureKind::Unsendable, message: message.to_owned(), place: String::new() }
}

/// Runs a student's code and turns panics and errors into failures of the respective kind.
fn run<T>(code: impl FnOnce() -> Result<T>) -> std::result::Result<T, Failure> {
    caught(code)?.map_err(|error| refused(&error))
}

fn send(outputs: &Outputs) -> std::result::Result<Vec<(String, WireTensor)>, Failure> {
    outputs.iter().map(|(name, tensor)| Ok(((*name).to_owned(), to_wire(name, tensor)?))).collect()
}

impl Dispatcher {
    /// Returns a dispatcher for these components.
    pub fn new(components: Components) -> Self {
        Self { components, made: None }
    }

    /// Answers one request; there is a reply whatever the student's code does. Experiments of a detector are
    /// sent to the requester through `back`.
    ///
    /// Decoding a request and encoding a student's tensors may panic as well; such a panic is reported in the same way.
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
            Request::Construct(component) => self.construct(component),
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
            Request::ConstructAndAsk { component, request } => {
                self.construct(component)?;
                self.try_answer(request, back)
            }
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

    /// Drops the current component, even if it panics while it is dropped.
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
        let sizes = Sizes::new(config.iter().cloned().collect());
        let experiments = AskedBack::new(back);
        let detector = usize::try_from(detector).unwrap_or(usize::MAX);
        let evidence = run(|| made.part.detect(detector, &sizes, &experiments))?;
        let bug = evidence.is_some();
        Ok(Reply::Verdict { bug, reason: evidence.unwrap_or_default() })
    }

    fn made(&self) -> std::result::Result<&Made, Failure> {
        self.made.as_ref().ok_or_else(|| unsendable("no part has been made"))
    }

    fn construct(
        &mut self,
        Construction { part, config, parameters }: &Construction,
    ) -> std::result::Result<Reply, Failure> {
        // Dropping the previous component runs the student's code too.
        let before = self.made.take();
        caught(|| drop(before))?;
        let given: Vec<(String, Tensor)> = parameters
            .iter()
            .map(|(name, tensor)| Ok((name.clone(), to_candle(tensor, &Device::Cpu)?)))
            .collect::<Result<_>>()
            .map_err(|error| refused(&error))?;
        let parameters = Arc::new(Parameters::new(given).map_err(|error| refused(&error))?);
        let config = Sizes::new(config.iter().cloned().collect());
        let made = run(|| (self.components)(part, &config, Parameters::builder(&parameters)));
        match made {
            Ok(part) => {
                self.made = Some(Made { part, parameters });
                Ok(Reply::Constructed)
            }
            // An error caused by a parameter is reported as such, even if the student's code changed it.
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
        let values = read_inputs(inputs, |name, tensor| tracked(name, tensor, &mut vars))
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

/// Checks that every output with a cotangent has the cotangent's shape and dtype `f32`; otherwise the sum would fail
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

/// Computes `Σ output · cotangent` over the outputs that have a cotangent.
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

/// Returns an input in `f32` as a variable, which gets a gradient and is added to `vars`.
fn tracked(name: &str, tensor: Tensor, vars: &mut Vec<(String, Var)>) -> Result<Tensor> {
    if tensor.dtype() != DType::F32 {
        return Ok(tensor);
    }
    let var = Var::from_tensor(&tensor)?;
    vars.push((name.to_owned(), var.clone()));
    Ok(var.as_tensor().clone())
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
    Ok(Inputs::new(values))
}
