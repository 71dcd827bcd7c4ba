//! The assignment's own `sweep` example, with the solution.

extern crate encoder_solution as encoder;

include!("../../../assignments/encoder/examples/sweep.rs");
