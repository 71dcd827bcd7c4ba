//! A recorder of attention weights, made of hooks.

use std::sync::{Arc, Mutex};

use candle_core::{Result, Tensor};

use crate::hooks::{Call, Handle, Hooks, lock};

/// What modules of attention call the weights that they show.
pub const WEIGHTS: &str = "weights";

/// Records the attention weights of every call of the modules that it watches, as long as it lives
/// and there is room.
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
    /// The module's name.
    pub module: String,
    /// How many calls of this module were seen before.
    pub call: u64,
    /// `[B, H, Tq, Tk]`, each row a share of what is looked at.
    pub weights: Tensor,
}

impl Recorded {
    /// The weights of one head, `[B, Tq, Tk]`.
    ///
    /// # Errors
    ///
    /// When there are not so many heads.
    pub fn head(&self, head: usize) -> Result<Tensor> {
        self.weights.narrow(1, head, 1)?.squeeze(1)
    }
}

impl AttentionRecorder {
    /// A recorder that keeps at most `limit` bytes of weights: the first that it sees.
    pub fn new(limit: usize) -> Self {
        Self { limit, kept: Arc::default(), handles: Vec::new() }
    }

    /// From now on records the output `weights` of the module of that name.
    ///
    /// # Errors
    ///
    /// When there is no such module. A module that shows no weights fails when it is called.
    pub fn watch(&mut self, hooks: &Hooks, module: &str) -> Result<()> {
        let (kept, limit) = (Arc::clone(&self.kept), self.limit);
        let look = move |call: &Call<'_>| lock(&kept).add(call, limit);
        self.handles.push(hooks.register(module, look)?);
        Ok(())
    }

    /// What was recorded so far, in the order of the calls.
    pub fn records(&self) -> Vec<Recorded> {
        lock(&self.kept).records.clone()
    }

    /// How many calls were seen and not kept, for want of room.
    pub fn left_out(&self) -> u64 {
        lock(&self.kept).left_out
    }
}

impl Kept {
    fn add(&mut self, call: &Call<'_>, limit: usize) -> Result<()> {
        // A copy without history: what is shown may be a view of something larger, and in training it
        // has the graph of the step; it would keep all of that.
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
