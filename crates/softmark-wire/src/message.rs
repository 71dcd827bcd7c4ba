//! Requests of the grader and replies of a worker.

use std::fmt;

use crate::codec::{DecodeError, Reader, Writer};
use crate::tensor::Tensor;

/// A named input tensor of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Name such as `query` or `mask`, as in the component's trait.
    pub name: String,
    /// The input's shape and elements.
    pub tensor: Tensor,
    /// True if the component must get the tensor as a view that is not contiguous in memory, with the same elements.
    pub strided: bool,
}

/// Training settings of a component, to be interpreted by the trainer.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Seed of the order of the examples and of every dropout mask.
    pub seed: u64,
    /// Number of passes over the examples.
    pub epochs: u32,
    /// Number of examples per step.
    pub batch_size: u32,
    /// Largest learning rate of Adam.
    pub learning_rate: f64,
    /// Share of all steps over which the learning rate rises from zero; afterwards a cosine lowers it to zero again.
    pub warm_up: f64,
    /// Decoupled weight decay, as in `AdamW`.
    pub weight_decay: f64,
    /// Maximum global norm of the gradients of a step.
    pub clip_norm: f64,
}

/// A message from the grader to a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// First request; asks for the protocol version.
    Hello {
        /// The grader's version.
        version: u32,
    },
    /// Constructs a component; later requests concern it, until the next one is constructed.
    Construct {
        /// Name of the component, such as `multi-head`.
        part: String,
        /// Sizes by name, such as `("heads", 2)`.
        config: Vec<(String, u64)>,
        /// Every parameter that the component may request.
        parameters: Vec<(String, Tensor)>,
    },
    /// Runs the component forward.
    Forward {
        /// Inputs of the call.
        inputs: Vec<Input>,
    },
    /// Runs the component forward, then backward from `Σ output · cotangent`.
    Gradients {
        /// Inputs of the call.
        inputs: Vec<Input>,
        /// Weights of the elements of each named output in the sum.
        cotangents: Vec<(String, Tensor)>,
    },
    /// Asks for the names and shapes of the parameters that the component requested.
    Parameters,
    /// Trains the component; later requests concern the trained component.
    Train {
        /// `ids` `[N, T]`, `mask` `[N, T]` and `labels` `[N]`.
        examples: Vec<Input>,
        /// Training settings.
        recipe: Recipe,
    },
    /// Asks for the names of the component's detectors.
    Detectors,
    /// Runs one of the component's detectors on a suspect. The suspect answers the detector's experiments:
    /// each [`Reply::Experiment`] is followed by a [`Request::Observed`], until there is a verdict.
    Detect {
        /// Index of the detector, from 0.
        detector: u32,
        /// Sizes of the suspect by name.
        config: Vec<(String, u64)>,
    },
    /// Result of an experiment: tensors by name, or the message of an error that the detector gets.
    Observed(Result<Vec<(String, Tensor)>, String>),
    /// Asks for the values of the parameters that the component requested.
    ReadParameters,
    /// Writes new values into parameters of the component, in place, as an optimizer does.
    SetParameters {
        /// New values by name, each of the parameter's shape.
        parameters: Vec<(String, Tensor)>,
    },
}

/// Kind of a failure of a student's code that the worker detects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// A stub's `todo!()` was reached.
    NotImplemented,
    /// The code panicked.
    Panicked,
    /// The code returned an error.
    Refused,
    /// The code requested a parameter that does not exist, or with another shape.
    Parameter,
    /// The result cannot be sent, such as a tensor of half precision.
    Unsendable,
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotImplemented => "not implemented",
            Self::Panicked => "panicked",
            Self::Refused => "returned an error",
            Self::Parameter => "asked for a parameter that it may not ask for",
            Self::Unsendable => "returned something that is no answer",
        })
    }
}

/// A failure of a student's code, with its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Kind of the failure.
    pub kind: FailureKind,
    /// Message of the panic or the error.
    pub message: String,
    /// File and line of a panic; empty if there is none.
    pub place: String,
}

/// A message from a worker to the grader, as untrusted as the student's code.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Reply to [`Request::Hello`].
    Hello {
        /// The worker's version.
        version: u32,
    },
    /// Reply to [`Request::Construct`].
    Constructed,
    /// Reply to [`Request::Forward`]: the outputs by name.
    Outputs(Vec<(String, Tensor)>),
    /// Reply to [`Request::Gradients`]; `None` where no gradient arrived.
    Gradients {
        /// Gradients by the names of the inputs.
        inputs: Vec<(String, Option<Tensor>)>,
        /// Gradients by the names of the parameters that the component requested.
        parameters: Vec<(String, Option<Tensor>)>,
    },
    /// Reply to [`Request::Parameters`]: names and shapes, sorted by name.
    Parameters(Vec<(String, Vec<usize>)>),
    /// Reply to any request that failed.
    Failed(Failure),
    /// Reply to [`Request::Train`]: the mean loss of each epoch, as computed by the worker. The losses may be
    /// displayed and must not be graded.
    Trained(Tensor),
    /// Reply to [`Request::Detectors`]: the detectors' names, for display.
    Detectors(Vec<String>),
    /// Reply to [`Request::Detect`] or [`Request::Observed`]: asks to run the suspect.
    Experiment {
        /// Parameters of the suspect.
        parameters: Vec<(String, Tensor)>,
        /// Inputs of the suspect.
        inputs: Vec<(String, Tensor)>,
    },
    /// Reply to [`Request::Detect`] or [`Request::Observed`]: the detector's verdict on the suspect.
    Verdict {
        /// True if the detector found a bug.
        bug: bool,
        /// Evidence for the bug, for display; empty if there is none.
        reason: String,
    },
    /// Reply to [`Request::ReadParameters`]: names and values, sorted by name.
    ParameterValues(Vec<(String, Tensor)>),
    /// Reply to [`Request::SetParameters`].
    Updated,
}

fn write_named(w: &mut Writer, (name, tensor): &(String, Tensor)) {
    w.name(name);
    w.tensor(tensor);
}

fn read_named(r: &mut Reader<'_>) -> Result<(String, Tensor), DecodeError> {
    Ok((r.name()?, r.tensor()?))
}

fn write_input(w: &mut Writer, input: &Input) {
    w.name(&input.name);
    w.tensor(&input.tensor);
    w.bool(input.strided);
}

fn read_input(r: &mut Reader<'_>) -> Result<Input, DecodeError> {
    Ok(Input { name: r.name()?, tensor: r.tensor()?, strided: r.bool()? })
}

fn write_gradient(w: &mut Writer, (name, gradient): &(String, Option<Tensor>)) {
    w.name(name);
    w.bool(gradient.is_some());
    if let Some(tensor) = gradient {
        w.tensor(tensor);
    }
}

fn read_gradient(r: &mut Reader<'_>) -> Result<(String, Option<Tensor>), DecodeError> {
    Ok((r.name()?, if r.bool()? { Some(r.tensor()?) } else { None }))
}

fn write_recipe(w: &mut Writer, recipe: &Recipe) {
    w.u64(recipe.seed);
    w.u32(recipe.epochs);
    w.u32(recipe.batch_size);
    w.f64(recipe.learning_rate);
    w.f64(recipe.warm_up);
    w.f64(recipe.weight_decay);
    w.f64(recipe.clip_norm);
}

fn read_recipe(r: &mut Reader<'_>) -> Result<Recipe, DecodeError> {
    Ok(Recipe {
        seed: r.u64()?,
        epochs: r.u32()?,
        batch_size: r.u32()?,
        learning_rate: r.f64()?,
        warm_up: r.f64()?,
        weight_decay: r.f64()?,
        clip_norm: r.f64()?,
    })
}

impl Request {
    /// Encodes the request as the content of a frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::default();
        match self {
            Self::Hello { version } => {
                w.u8(0);
                w.u32(*version);
            }
            Self::Construct { part, config, parameters } => {
                w.u8(1);
                w.name(part);
                w.list(config, |w, (key, value)| {
                    w.name(key);
                    w.u64(*value);
                });
                w.list(parameters, write_named);
            }
            Self::Forward { inputs } => {
                w.u8(2);
                w.list(inputs, write_input);
            }
            Self::Gradients { inputs, cotangents } => {
                w.u8(3);
                w.list(inputs, write_input);
                w.list(cotangents, write_named);
            }
            Self::Parameters => w.u8(4),
            Self::Train { examples, recipe } => {
                w.u8(5);
                w.list(examples, write_input);
                write_recipe(&mut w, recipe);
            }
            Self::Detectors => w.u8(6),
            Self::Detect { detector, config } => {
                w.u8(7);
                w.u32(*detector);
                w.list(config, |w, (key, value)| {
                    w.name(key);
                    w.u64(*value);
                });
            }
            Self::Observed(observed) => {
                w.u8(8);
                w.bool(observed.is_ok());
                match observed {
                    Ok(tensors) => w.list(tensors, write_named),
                    Err(message) => w.text(message),
                }
            }
            Self::ReadParameters => w.u8(9),
            Self::SetParameters { parameters } => {
                w.u8(10);
                w.list(parameters, write_named);
            }
        }
        w.into_bytes()
    }

    /// Decodes a request from the content of a frame.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a request.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let request = match r.u8()? {
            0 => Self::Hello { version: r.u32()? },
            1 => Self::Construct {
                part: r.name()?,
                config: r.list(|r| Ok((r.name()?, r.u64()?)))?,
                parameters: r.list(read_named)?,
            },
            2 => Self::Forward { inputs: r.list(read_input)? },
            3 => Self::Gradients { inputs: r.list(read_input)?, cotangents: r.list(read_named)? },
            4 => Self::Parameters,
            5 => Self::Train { examples: r.list(read_input)?, recipe: read_recipe(&mut r)? },
            6 => Self::Detectors,
            7 => {
                Self::Detect { detector: r.u32()?, config: r.list(|r| Ok((r.name()?, r.u64()?)))? }
            }
            8 => Self::Observed(if r.bool()? { Ok(r.list(read_named)?) } else { Err(r.text()?) }),
            9 => Self::ReadParameters,
            10 => Self::SetParameters { parameters: r.list(read_named)? },
            tag => {
                return Err(DecodeError::Tag { what: "request", tag });
            }
        };
        r.finish()?;
        Ok(request)
    }
}

impl Reply {
    /// Encodes the reply as the content of a frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::default();
        match self {
            Self::Hello { version } => {
                w.u8(0);
                w.u32(*version);
            }
            Self::Constructed => w.u8(1),
            Self::Outputs(outputs) => {
                w.u8(2);
                w.list(outputs, write_named);
            }
            Self::Gradients { inputs, parameters } => {
                w.u8(3);
                w.list(inputs, write_gradient);
                w.list(parameters, write_gradient);
            }
            Self::Parameters(parameters) => {
                w.u8(4);
                w.list(parameters, |w, (name, shape)| {
                    w.name(name);
                    w.shape(shape);
                });
            }
            Self::Failed(failure) => {
                w.u8(5);
                w.u8(match failure.kind {
                    FailureKind::NotImplemented => 0,
                    FailureKind::Panicked => 1,
                    FailureKind::Refused => 2,
                    FailureKind::Parameter => 3,
                    FailureKind::Unsendable => 4,
                });
                w.text(&failure.message);
                w.text(&failure.place);
            }
            Self::Trained(losses) => {
                w.u8(6);
                w.tensor(losses);
            }
            Self::Detectors(names) => {
                w.u8(7);
                w.list(names, |w, name| w.text(name));
            }
            Self::Experiment { parameters, inputs } => {
                w.u8(8);
                w.list(parameters, write_named);
                w.list(inputs, write_named);
            }
            Self::Verdict { bug, reason } => {
                w.u8(9);
                w.bool(*bug);
                w.text(reason);
            }
            Self::ParameterValues(parameters) => {
                w.u8(10);
                w.list(parameters, write_named);
            }
            Self::Updated => w.u8(11),
        }
        w.into_bytes()
    }

    /// Decodes a reply from the content of a frame.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a reply.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let reply = match r.u8()? {
            0 => Self::Hello { version: r.u32()? },
            1 => Self::Constructed,
            2 => Self::Outputs(r.list(read_named)?),
            3 => Self::Gradients {
                inputs: r.list(read_gradient)?,
                parameters: r.list(read_gradient)?,
            },
            4 => Self::Parameters(r.list(|r| Ok((r.name()?, r.shape()?)))?),
            5 => {
                let kind = match r.u8()? {
                    0 => FailureKind::NotImplemented,
                    1 => FailureKind::Panicked,
                    2 => FailureKind::Refused,
                    3 => FailureKind::Parameter,
                    4 => FailureKind::Unsendable,
                    tag => {
                        return Err(DecodeError::Tag { what: "failure", tag });
                    }
                };
                Self::Failed(Failure { kind, message: r.text()?, place: r.text()? })
            }
            6 => Self::Trained(r.tensor()?),
            7 => Self::Detectors(r.list(Reader::text)?),
            8 => Self::Experiment { parameters: r.list(read_named)?, inputs: r.list(read_named)? },
            9 => Self::Verdict { bug: r.bool()?, reason: r.text()? },
            10 => Self::ParameterValues(r.list(read_named)?),
            11 => Self::Updated,
            tag => return Err(DecodeError::Tag { what: "reply", tag }),
        };
        r.finish()?;
        Ok(reply)
    }
}
