//! Softmark: grades transformer-building assignments.

pub mod model;

pub mod clock;

pub mod sandbox;

pub mod build;

pub mod check;

pub mod store;

pub mod report;
