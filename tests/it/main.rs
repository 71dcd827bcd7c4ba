//! Whole-program tests.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on should stop; helpers are not covered by clippy.toml"
)]

mod archives;
mod assignment;
mod attacks;
mod audit;
mod bank;
mod build;
mod bulk;
mod cli;
mod coordinator;
mod costs;
mod course;
mod courses;
mod defects;
mod docs;
mod faults;
mod feedback;
mod fuzzed;
mod golden;
mod graded;
mod grading;
mod handouts;
mod hints;
mod intake;
mod isolation;
mod jobs;
mod ledger;
mod marking;
mod marking_pages;
mod models;
mod names;
mod package;
mod patches;
mod ready_made;
mod recorded;
mod regrade;
mod release;
mod reports;
mod sandbox;
mod serve;
mod session;
mod similar;
mod site;
mod slurm;
mod solutions;
mod store;
mod support;
mod tidy;
mod tolerance;
mod training;
mod versions;
mod whole_course;

/// Half of the time of an imitation is that of the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
