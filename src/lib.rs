//! Softmark: grades transformer-building assignments.
//!
//! The trusted side. Modules stand in the order in which data goes through them, and use only those
//! that stand before them.

pub mod untrusted;

pub mod model;

pub mod clock;

mod digest;

mod spreadsheet;

pub mod assignment;

pub mod intake;

pub mod build;

pub mod session;

pub mod check;

pub mod suite;

pub mod diagnose;

pub mod score;

pub mod store;

pub mod marks;

pub mod pipeline;

pub mod fixtures;

pub mod calibrate;

pub mod report;

pub mod audit;

pub mod cli;
