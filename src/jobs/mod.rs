//! Runs that a job engine carries out, such as Slurm: chunks of units that other processes do, on this machine or on others.
//!
//! A unit is a submission that is graded, a training of a calibration, or a fixture of an audit.
//!
//! Invariant: results do not depend on the engine, on the chunks, or on what was lost on the way. A chunk's result is complete or
//! absent, and of two results for a unit the first is taken: both are the same.
//!
//! ```text
//! units ─► cut ─► chunks/N.json ─► Engine ─► grade chunk ─► results/N.json ─► Work, as they arrive
//!                      ▲                                          │ a job ended without a result
//!                      └────────── smaller chunks, three times ◄──┘
//! ```

mod batch;
mod chunk;
mod collected;
mod command;
mod coordinator;
mod cut;
mod engine;
mod error;
mod folder;
mod grading;
mod result;
mod run_file;
mod slurm;
mod work;

pub use batch::job_ids;
pub use chunk::{ChunkFile, Unit, node};
pub use collected::Collected;
pub use command::{CommandEngine, PLAN, PLANS};
pub use coordinator::{Coordinator, JobEvent, Progress};
pub use cut::{Costs, chunk_count, cut, cut_in_order};
pub use engine::{Engine, JobState, Request, Resources};
pub use error::{EngineError, JobsError};
pub use folder::RunFolder;
pub use grading::{GradedSubmission, Grading, grade_chunk};
pub use result::{ChunkOutcome, ChunkResult, UnitResult};
pub use run_file::{AuditTask, CalibrationTask, EngineChoice, GradingTask, RunFile, Task};
pub use slurm::{SlurmEngine, waiting_jobs};
pub use work::Work;
