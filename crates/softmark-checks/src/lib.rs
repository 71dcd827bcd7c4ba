//! The public checks, over a session with a student's code.

pub mod outcome;
