//! The protocol between the grader and the process that runs a student's code.
//!
//! The grader sends requests and the worker sends replies; nothing else is sent.
//!
//! ```text
//! grader ── Request ──► frame ──► worker ── calls the student's code
//!        ◄── frame ◄── Reply ──
//! ```
//!
//! Replies are untrusted, since a student's code shares the worker's process. A frame's length is checked
//! against a limit before the frame is read, and every count and shape in it against the bytes present before
//! memory is allocated. No reply can say that it is correct: replies hold tensors, names and failures, never a verdict.
//!
//! This crate depends neither on candle nor on the grader.

pub mod codec;
pub mod frame;
pub mod reply;
pub mod request;
pub mod session;
pub mod tensor;
pub mod version;

pub use frame::{FrameError, MAX_FRAME_BYTES, read_frame, write_frame};
pub use reply::{Failure, FailureKind, Reply};
pub use request::{Construction, Input, Recipe, Request};
pub use session::{Asked, Attempt, Fault, Session, SessionError};
pub use tensor::{DType, Data, Tensor, TensorError};
pub use version::PROTOCOL_VERSION;
