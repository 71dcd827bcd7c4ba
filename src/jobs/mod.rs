//! Grading by a job engine, such as Slurm: chunks of a run that other processes grade, on this machine or on others.
//!
//! Invariant: records do not depend on the engine, on the chunks, or on what was lost on the way. A chunk's result is complete or
//! absent, and of two results for a submission the first is taken: both are the same.
//!
//! ```text
//! survey ─► settled here (rejected, cached)
//!        └► cut ─► chunks/N.json ─► Engine ─► grade chunk ─► results/N.json ─► merged as they arrive
//!                      ▲                                          │ a job ended without a result
//!                      └────────── smaller chunks, three times ◄──┘
//! ```

mod batch;
mod chunk;
mod command;
mod coordinator;
mod cut;
mod engine;
mod error;
mod folder;
mod result;
mod run_file;
mod slurm;

pub use batch::job_ids;
pub use chunk::{ChunkEntry, ChunkFile, ChunkRun, node};
pub use command::{CommandEngine, PLAN, PLANS};
pub use coordinator::{Coordinator, JobEvent, Progress, Settled, settle};
pub use cut::{Costs, chunk_count};
pub use engine::{Engine, JobState, Request, Resources};
pub use error::{EngineError, JobsError};
pub use folder::RunFolder;
pub use result::{ChunkOutcome, ChunkResult, GradedEntry};
pub use run_file::{EngineChoice, RunFile};
pub use slurm::SlurmEngine;
