//! The assignment's example, with the solution's parts.

extern crate prefix_tuning_solution as prefix_tuning;

include!("../../../assignments/prefix-tuning/examples/tune.rs");
