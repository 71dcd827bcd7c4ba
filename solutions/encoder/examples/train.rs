//! The assignment's own `train` example, with the solution.

extern crate encoder_solution as encoder;

include!("../../../assignments/encoder/examples/train.rs");
