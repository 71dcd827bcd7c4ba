//! Replies of a worker to a [`Request`](crate::Request).

use std::fmt;

use crate::codec::{DecodeError, Reader, Writer};
use crate::tensor::Tensor;

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
    /// Reply to `Request::Hello`.
    Hello {
        /// The worker's version.
        version: u32,
    },
    /// Reply to `Request::Construct`.
    Constructed,
    /// Reply to `Request::Forward`: the outputs by name.
    Outputs(Vec<(String, Tensor)>),
    /// Reply to `Request::Gradients`; `None` where no gradient arrived.
    Gradients {
        /// Gradients by the names of the inputs.
        inputs: Vec<(String, Option<Tensor>)>,
        /// Gradients by the names of the parameters that the component requested.
        parameters: Vec<(String, Option<Tensor>)>,
    },
    /// Reply to `Request::Parameters`: names and shapes, sorted by name.
    Parameters(Vec<(String, Vec<usize>)>),
    /// Reply to any request that failed.
    Failed(Failure),
    /// Reply to `Request::Train`: the mean loss of each epoch, as computed by the worker. The losses may be
    /// displayed and must not be graded.
    Trained(Tensor),
    /// Reply to `Request::Detectors`: the detectors' names, for display.
    Detectors(Vec<String>),
    /// Reply to `Request::Detect` or `Request::Observed`: asks to run the suspect.
    Experiment {
        /// Parameters of the suspect.
        parameters: Vec<(String, Tensor)>,
        /// Inputs of the suspect.
        inputs: Vec<(String, Tensor)>,
    },
    /// Reply to `Request::Detect` or `Request::Observed`: the detector's verdict on the suspect.
    Verdict {
        /// True if the detector found a bug.
        bug: bool,
        /// Evidence for the bug, for display; empty if there is none.
        reason: String,
    },
    /// Reply to `Request::ReadParameters`: names and values, sorted by name.
    ParameterValues(Vec<(String, Tensor)>),
    /// Reply to `Request::SetParameters`.
    Updated,
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
                w.list(outputs, Writer::named);
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
                w.list(parameters, Writer::named);
                w.list(inputs, Writer::named);
            }
            Self::Verdict { bug, reason } => {
                w.u8(9);
                w.bool(*bug);
                w.text(reason);
            }
            Self::ParameterValues(parameters) => {
                w.u8(10);
                w.list(parameters, Writer::named);
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
            2 => Self::Outputs(r.list(Reader::named)?),
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
            8 => Self::Experiment {
                parameters: r.list(Reader::named)?,
                inputs: r.list(Reader::named)?,
            },
            9 => Self::Verdict { bug: r.bool()?, reason: r.text()? },
            10 => Self::ParameterValues(r.list(Reader::named)?),
            11 => Self::Updated,
            tag => return Err(DecodeError::Tag { what: "reply", tag }),
        };
        r.finish()?;
        Ok(reply)
    }
}
