//! Task 1: capturing attention weights with a forward hook.

use std::mem;
use std::sync::{Mutex, PoisonError};

use softmark_kit::hooks::WEIGHTS;
use softmark_kit::prelude::*;

/// Keeps what a module shows while an epoch runs.
#[derive(Debug)]
pub struct Capture;

impl AttentionCapture for Capture {
    fn during(
        hooks: &Hooks,
        module: &str,
        epoch: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<Tensor>> {
        let captured = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&captured);
        let handle = hooks.register(module, move |call| {
            // In training the weights have the graph of the whole step.
            let weights = call.output(WEIGHTS)?.detach();
            keep.lock().unwrap_or_else(PoisonError::into_inner).push(weights);
            Ok(())
        })?;
        let ran = epoch();
        drop(handle);
        ran?;
        Ok(mem::take(&mut captured.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}
