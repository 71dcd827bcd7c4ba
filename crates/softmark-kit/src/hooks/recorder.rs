//! A recorder of attention weights, built on hooks.

use std::sync::{Arc, Mutex};

use candle_core::{Result, Tensor};

use crate::hooks::{Call, Handle, Hooks, lock};

/// Name under which attention modules report their weights.
pub const WEIGHTS: &str = "weights";

/// Records the attention weights of every call of the watched modules, until it is dropped or full.
///
/// ```
/// use softmark_kit::hooks::{AttentionRecorder, Hooks};
/// use softmark_kit::prelude::*;
///
/// let hooks = Hooks::new();
/// let point = hooks.point("layers.0.self_attn");
/// let mut recorder = AttentionRecorder::new(1 << 20);
/// recorder.watch(&hooks, "layers.0.self_attn")?;
/// let weights = Tensor::full(0.25_f32, (1, 2, 4, 4), &Device::Cpu)?; // as a module would show them
/// point.show(&[], &[("weights", &weights)])?;
/// let recorded = recorder.records();
/// assert_eq!((recorded[0].module.as_str(), recorded[0].call), ("layers.0.self_attn", 0));
/// assert_eq!(recorded[0].head(1)?.dims(), [1, 4, 4]);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Debug)]
pub struct AttentionRecorder {
    limit: usize,
    kept: Arc<Mutex<Kept>>,
    handles: Vec<Handle>,
}

#[derive(Debug, Default)]
struct Kept {
    records: Vec<Recorded>,
    bytes: usize,
    left_out: u64,
}

/// The weights of one call of a module.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Name of the module.
    pub module: String,
    /// Number of earlier calls of this module.
    pub call: u64,
    /// `[B, H, Tq, Tk]`; each row sums to one over the keys.
    pub weights: Tensor,
}

impl Recorded {
    /// Returns the weights of one head, `[B, Tq, Tk]`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such head.
    pub fn head(&self, head: usize) -> Result<Tensor> {
        self.weights.narrow(1, head, 1)?.squeeze(1)
    }
}

impl AttentionRecorder {
    /// Returns a recorder that keeps at most `limit` bytes of weights, from the first calls.
    pub fn new(limit: usize) -> Self {
        Self { limit, kept: Arc::default(), handles: Vec::new() }
    }

    /// Starts to record the output `weights` of the module called `module`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such module. A module that reports no weights fails when it is called.
    pub fn watch(&mut self, hooks: &Hooks, module: &str) -> Result<()> {
        let (kept, limit) = (Arc::clone(&self.kept), self.limit);
        let look = move |call: &Call<'_>| lock(&kept).add(call, limit);
        self.handles.push(hooks.register(module, look)?);
        Ok(())
    }

    /// Returns the records so far, in the order of the calls.
    pub fn records(&self) -> Vec<Recorded> {
        lock(&self.kept).records.clone()
    }

    /// Returns the number of calls that were seen but not recorded because the recorder was full.
    pub fn left_out(&self) -> u64 {
        lock(&self.kept).left_out
    }
}

impl Kept {
    fn add(&mut self, call: &Call<'_>, limit: usize) -> Result<()> {
        // Keep a copy without gradient history: the reported tensor may be a view of a larger one, and in
        // training it holds the graph of the step.
        let weights = call.output(WEIGHTS)?;
        let bytes = weights.elem_count() * weights.dtype().size_in_bytes();
        if self.bytes + bytes > limit {
            self.left_out += 1;
            return Ok(());
        }
        self.bytes += bytes;
        let (module, call) = (call.module().to_owned(), call.number());
        self.records.push(Recorded { module, call, weights: weights.detach().force_contiguous()? });
        Ok(())
    }
}
