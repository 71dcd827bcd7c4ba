//! The protocol between the grader and the process that runs a student's code.
//!
//! The grader asks, the worker answers; nothing else travels.
//!
//! ```text
//! grader ── Request ──► frame ──► worker ── calls the student's code
//!        ◄── frame ◄── Reply ──
//! ```
//!
//! What comes back is untrusted: a student's code shares the worker's process.
//! So a frame's length is checked against a limit before it is read, every count and shape in it
//! against the bytes that are really there before anything is allocated, and no reply can say
//! whether it is right: it holds tensors, names and faults, never a verdict.
//!
//! This crate knows neither candle nor the grader.

pub mod codec;
pub mod frame;
pub mod message;
pub mod session;
pub mod tensor;
pub mod version;

pub use frame::{FrameError, MAX_FRAME_BYTES, read_frame, write_frame};
pub use message::{Failure, FailureKind, Input, Recipe, Reply, Request};
pub use session::{Asked, Fault, Session, SessionError};
pub use tensor::{DType, Data, Tensor, TensorError};
pub use version::PROTOCOL_VERSION;
