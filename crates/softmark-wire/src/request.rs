//! Requests of the grader.

use crate::codec::{DecodeError, Reader, Writer};
use crate::tensor::Tensor;

/// Tags of the requests that no other request may contain.
const HELLO: u8 = 0;
const CONSTRUCT: u8 = 1;
const CONSTRUCT_AND_ASK: u8 = 11;

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
    /// Mean loss of an epoch below which the training ends; 0 trains all epochs.
    pub stopping_threshold: f64,
}

/// A component, and everything that its constructor gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Construction {
    /// Name of the component, such as `multi-head`.
    pub part: String,
    /// Sizes by name, such as `("heads", 2)`.
    pub config: Vec<(String, u64)>,
    /// Every parameter that the component may request.
    pub parameters: Vec<(String, Tensor)>,
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
    Construct(Construction),
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
    /// each `Reply::Experiment` is followed by a [`Request::Observed`], until there is a verdict.
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
    /// Constructs a component and then answers a request about it. The reply is the one to that request, or the
    /// failure of the construction.
    ConstructAndAsk {
        /// Component to construct.
        component: Construction,
        /// Any request but [`Request::Hello`], [`Request::Construct`] and this one.
        request: Box<Self>,
    },
}

fn write_construction(w: &mut Writer, component: &Construction) {
    w.name(&component.part);
    write_config(w, &component.config);
    w.list(&component.parameters, Writer::named);
}

fn read_construction(r: &mut Reader<'_>) -> Result<Construction, DecodeError> {
    let (part, config) = (r.name()?, read_config(r)?);
    Ok(Construction { part, config, parameters: r.list(Reader::named)? })
}

fn write_config(w: &mut Writer, config: &[(String, u64)]) {
    w.list(config, |w, (key, value)| {
        w.name(key);
        w.u64(*value);
    });
}

fn read_config(r: &mut Reader<'_>) -> Result<Vec<(String, u64)>, DecodeError> {
    r.list(|r| Ok((r.name()?, r.u64()?)))
}

fn unknown(tag: u8) -> DecodeError {
    DecodeError::Tag { what: "request", tag }
}

fn write_input(w: &mut Writer, input: &Input) {
    w.name(&input.name);
    w.tensor(&input.tensor);
    w.bool(input.strided);
}

fn read_input(r: &mut Reader<'_>) -> Result<Input, DecodeError> {
    Ok(Input { name: r.name()?, tensor: r.tensor()?, strided: r.bool()? })
}

fn write_recipe(w: &mut Writer, recipe: &Recipe) {
    w.u64(recipe.seed);
    w.u32(recipe.epochs);
    w.u32(recipe.batch_size);
    w.f64(recipe.learning_rate);
    w.f64(recipe.warm_up);
    w.f64(recipe.weight_decay);
    w.f64(recipe.clip_norm);
    w.f64(recipe.stopping_threshold);
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
        stopping_threshold: r.f64()?,
    })
}

impl Request {
    /// Encodes the request as the content of a frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::default();
        self.write(&mut w);
        w.into_bytes()
    }

    fn write(&self, w: &mut Writer) {
        match self {
            Self::Hello { version } => {
                w.u8(HELLO);
                w.u32(*version);
            }
            Self::Construct(component) => {
                w.u8(CONSTRUCT);
                write_construction(w, component);
            }
            Self::Forward { inputs } => {
                w.u8(2);
                w.list(inputs, write_input);
            }
            Self::Gradients { inputs, cotangents } => {
                w.u8(3);
                w.list(inputs, write_input);
                w.list(cotangents, Writer::named);
            }
            Self::Parameters => w.u8(4),
            Self::Train { examples, recipe } => {
                w.u8(5);
                w.list(examples, write_input);
                write_recipe(w, recipe);
            }
            Self::Detectors => w.u8(6),
            Self::Detect { detector, config } => {
                w.u8(7);
                w.u32(*detector);
                write_config(w, config);
            }
            Self::Observed(observed) => {
                w.u8(8);
                w.bool(observed.is_ok());
                match observed {
                    Ok(tensors) => w.list(tensors, Writer::named),
                    Err(message) => w.text(message),
                }
            }
            Self::ReadParameters => w.u8(9),
            Self::SetParameters { parameters } => {
                w.u8(10);
                w.list(parameters, Writer::named);
            }
            Self::ConstructAndAsk { component, request } => {
                w.u8(CONSTRUCT_AND_ASK);
                write_construction(w, component);
                request.write(w);
            }
        }
    }

    /// Decodes a request from the content of a frame.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a request.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut r = Reader::new(bytes);
        let request = match r.u8()? {
            CONSTRUCT_AND_ASK => {
                let component = read_construction(&mut r)?;
                let request = match r.u8()? {
                    tag @ (HELLO | CONSTRUCT) => return Err(unknown(tag)),
                    tag => Box::new(Self::read(tag, &mut r)?),
                };
                Self::ConstructAndAsk { component, request }
            }
            tag => Self::read(tag, &mut r)?,
        };
        r.finish()?;
        Ok(request)
    }

    /// Reads a request that contains no other.
    fn read(tag: u8, r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(match tag {
            HELLO => Self::Hello { version: r.u32()? },
            CONSTRUCT => Self::Construct(read_construction(r)?),
            2 => Self::Forward { inputs: r.list(read_input)? },
            3 => {
                Self::Gradients { inputs: r.list(read_input)?, cotangents: r.list(Reader::named)? }
            }
            4 => Self::Parameters,
            5 => Self::Train { examples: r.list(read_input)?, recipe: read_recipe(r)? },
            6 => Self::Detectors,
            7 => Self::Detect { detector: r.u32()?, config: read_config(r)? },
            8 => {
                Self::Observed(if r.bool()? { Ok(r.list(Reader::named)?) } else { Err(r.text()?) })
            }
            9 => Self::ReadParameters,
            10 => Self::SetParameters { parameters: r.list(Reader::named)? },
            tag => return Err(unknown(tag)),
        })
    }
}
