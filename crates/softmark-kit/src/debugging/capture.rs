//! Capturing attention weights with a forward hook.

use candle_core::{Result, Tensor};

use crate::hooks::Hooks;

/// What captures the attention weights of one module, for as long as something runs.
///
/// `during` registers a hook on `module`, runs `epoch` once, takes the hook off again, and gives
/// back what the module showed under the name `weights` in the meantime: one tensor a call, in the
/// order of the calls.
///
/// # At the edges
///
/// - What is given back has the bits that the module showed, and **no history**: a hook sees tensors
///   as they are in training, with the graph that made them, and whoever keeps one keeps the whole
///   graph of that step in memory ([`Tensor::detach`]).
/// - Calls of other modules are not captured, and neither are calls before and after `epoch`.
/// - When `during` returns, its hook is gone, also where `epoch` returned an error; that error is
///   returned as it is. Hooks of others stay where they are.
/// - Where there is no module of that name, the error of [`Hooks::register`] is returned, and `epoch`
///   is not run.
/// - No call means no captures, and no error.
///
/// # Examples
///
/// A capture that never looks; it is right about an epoch without calls.
///
/// ```
/// use softmark_kit::debugging::AttentionCapture;
/// use softmark_kit::hooks::Hooks;
/// use softmark_kit::prelude::*;
///
/// struct Blind;
///
/// impl AttentionCapture for Blind {
///     fn during(
///         _hooks: &Hooks,
///         _module: &str,
///         epoch: &mut dyn FnMut() -> Result<()>,
///     ) -> Result<Vec<Tensor>> {
///         epoch()?;
///         Ok(Vec::new())
///     }
/// }
///
/// let hooks = Hooks::new();
/// let _point = hooks.point("layers.0.self_attn");
/// assert!(Blind::during(&hooks, "layers.0.self_attn", &mut || Ok(()))?.is_empty());
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait AttentionCapture {
    /// Runs `epoch` and gives back the weights that `module` showed while it ran.
    ///
    /// # Shapes
    ///
    /// - returns one tensor a call, each `[B, H, T, T]`, `f32`; `B` and `T` may change from call to
    ///   call
    ///
    /// # Errors
    ///
    /// When there is no such module, when a call shows no output `weights`, and what `epoch` returns.
    fn during(
        hooks: &Hooks,
        module: &str,
        epoch: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<Tensor>>;
}
