//! Runs a student'"s.
