//! Softmark: grades transformer-building assignments.

pub mod build;
pub mod clock;
pub mod model;
pub mod sandbox;
