//! Task 1: capturing attention weights with a forward hook.
//!
//! The specification is the documentation of [`AttentionCapture`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Keeps what a module shows while an epoch runs.
pub struct Capture;

impl AttentionCapture for Capture {
    fn during(
        hooks: &Hooks,
        module: &str,
        epoch: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<Tensor>> {
        todo!("task 1: capturing attention weights")
    }
}
