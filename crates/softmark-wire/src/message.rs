//! What the grader may ask and a worker may answer.

use std::fmt;

use crate::codec::{DecodeError, Reader, Writer};
use crate::tensor::Tensor;

/// A named tensor that a question hands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// `query`, `mask` and so on, as the part's trait names it.
    pub name: String,
    /// Its elements.
    pub tensor: Tensor,
    /// Hand it over as a view whose rows are not contiguous in memory, with the same elements.
    pub strided: bool,
}

/// How a part is trained; what each number means is up to the trainer.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Where the order of the examples and every dropout mask come from.
    pub seed: u64,
    /// Times that every example is seen.
    pub epochs: u32,
    /// Examples in a step.
    pub batch_size: u32,
    /// Of Adam, at its highest.
    pub learning_rate: f64,
    /// The share of all steps over which the learning rate rises from zero; a cosine takes it back
    /// there.
    pub warm_up: f64,
    /// Decoupled weight decay, as `AdamW` has it.
    pub weight_decay: f64,
    /// The largest norm that the gradients of a step may have together.
    pub clip_norm: f64,
}

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// The first question: which protocol is spoken?
    Hello {
        /// The grader's version.
        version: u32,
    },
    /// Make the part; later questions are about it, until the next one is made.
    Construct {
        /// `multi-head` and so on.
        part: String,
        /// Sizes by name, such as `("heads", 2)`.
        config: Vec<(String, u64)>,
        /// Every parameter that the part may ask for.
        parameters: Vec<(String, Tensor)>,
    },
    /// Run the part forward.
    Forward {
        /// What it is called with.
        inputs: Vec<Input>,
    },
    /// Run the part forward, then back from `Σ output · cotangent`.
    Gradients {
        /// What it is called with.
        inputs: Vec<Input>,
        /// For each output named, what its elements are weighted with in the sum.
        cotangents: Vec<(String, Tensor)>,
    },
    /// Which parameters did the part ask for?
    Parameters,
    /// Train the part; later questions are about what it has become.
    Train {
        /// `ids` `[N, T]`, `mask` `[N, T]` and `labels` `[N]`.
        examples: Vec<Input>,
        /// How.
        recipe: Recipe,
    },
    /// What are the part's detectors called?
    Detectors,
    /// Let one of the part's detectors loose on a suspect, which answers its experiments: each
    /// [`Reply::Experiment`] is followed by a [`Request::Observed`], until there is a verdict.
    Detect {
        /// Which of them, counted from 0.
        detector: u32,
        /// The suspect's sizes by name.
        config: Vec<(String, u64)>,
    },
    /// What came of an experiment: tensors by name, or an error for the detector to hear.
    Observed(Result<Vec<(String, Tensor)>, String>),
    /// What are the numbers of the parameters that the part asked for?
    ReadParameters,
    /// Write new numbers into parameters of the part that was made, in place, as an optimizer does.
    SetParameters {
        /// By name, each of the shape that it has.
        parameters: Vec<(String, Tensor)>,
    },
}

/// How a student's code failed to answer, told by the code itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// A stub's `todo!()` was reached.
    NotImplemented,
    /// It panicked.
    Panicked,
    /// It returned an error.
    Refused,
    /// It asked for a parameter that does not exist, or by another shape.
    Parameter,
    /// It answered with something that cannot be sent, such as a tensor of half precision.
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

/// A failure, with what the code said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which way it failed.
    pub kind: FailureKind,
    /// The panic's or the error's message.
    pub message: String,
    /// File and line of a panic, empty where there is none.
    pub place: String,
}

/// An answer, as untrusted as the code that made it.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// To [`Request::Hello`].
    Hello {
        /// The worker's version.
        version: u32,
    },
    /// To [`Request::Construct`].
    Constructed,
    /// To [`Request::Forward`]: the outputs by name.
    Outputs(Vec<(String, Tensor)>),
    /// To [`Request::Gradients`]; `None` where no gradient arrived.
    Gradients {
        /// By the names of the inputs.
        inputs: Vec<(String, Option<Tensor>)>,
        /// By the names of the parameters that the part asked for.
        parameters: Vec<(String, Option<Tensor>)>,
    },
    /// To [`Request::Parameters`]: names and shapes, in the order of the names.
    Parameters(Vec<(String, Vec<usize>)>),
    /// To any of them.
    Failed(Failure),
    /// To [`Request::Train`]: the mean loss of each epoch, as the worker has it. To be shown, and
    /// never to be counted.
    Trained(Tensor),
    /// To [`Request::Detectors`]: their names, for a person.
    Detectors(Vec<String>),
    /// To [`Request::Detect`] or [`Request::Observed`]: run the suspect.
    Experiment {
        /// With these parameters.
        parameters: Vec<(String, Tensor)>,
        /// On these inputs.
        inputs: Vec<(String, Tensor)>,
    },
    /// To [`Request::Detect`] or [`Request::Observed`]: what the detector makes of the suspect.
    Verdict {
        /// Whether it has a bug.
        bug: bool,
        /// What gives it away; empty where nothing does. For a person.
        reason: String,
    },
    /// To [`Request::ReadParameters`]: in the order of the names.
    ParameterValues(Vec<(String, Tensor)>),
    /// To [`Request::SetParameters`].
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
    /// The question as the bytes of a frame.
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

    /// The question that the bytes of a frame hold.
    ///
    /// # Errors
    ///
    /// When they are no question.
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
    /// The answer as the bytes of a frame.
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

    /// The answer that the bytes of a frame hold.
    ///
    /// # Errors
    ///
    /// When they are no answer.
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
