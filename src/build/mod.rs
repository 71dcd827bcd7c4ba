//! Turns a submission's files into programs, or into a fault of the student's code.
//!
//! Invariant: of what a student hands in, only the text of modules reaches the compiler; no
//! manifest, build script or configuration does. The message of a fault is the same on every run
//! and on every machine.
//!
//! ```text
//! crates/ + solutions/ + Cargo.lock ── cargo, once ──► Pack
//! Pack + Source ── rustc ──► the student's library ── rustc, once a program ──► Compiled
//! ```
//!
//! A [`Pack`] holds the compiled dependencies of submissions, in two folders: the student's code
//! sees candle and the kit; the worker and the solutions are added only when programs are linked.

mod artifacts;
mod bundle;
mod cache;
mod cargo;
mod code;
mod compile;
mod error;
mod fault;
mod fit;
mod inputs;
mod key;
mod origin;
mod pack;
mod progress;
mod rustc;
mod salvage;
mod scan;
mod sources;
mod status;
mod toolchain;
mod tools;

pub use bundle::Bundle;
pub use code::Source;
pub use compile::{Built, Step};
pub use error::BuildError;
pub use fault::{BuildFault, BuildFaultKind, Compiled};
pub(crate) use origin::PACKAGED;
pub use pack::Pack;
pub use progress::{CompileProgress, PackProgress};
pub use salvage::{Broken, Salvaged};
pub use softmark_exam::{ProgramSpec, StudentCrates};
pub use status::PackStatus;
pub(crate) use toolchain::Toolchain;
pub use tools::Tools;
