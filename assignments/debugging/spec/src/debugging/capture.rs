//! Capture of attention weights with a forward hook.

use candle_core::{Result, Tensor};

use crate::hooks::Hooks;

/// Captures the attention weights of one module during a call.
///
/// `during` registers a hook on `module`, runs `epoch` once, removes the hook, and returns the tensors that
/// the module reported under the name `weights` in the meantime: one tensor per call, in the order of the calls.
///
/// # Edge cases
///
/// - The returned tensors have the reported bits and **no gradient history**: during training a hook sees
///   tensors with the graph that produced them, and a tensor that is kept keeps the whole graph of its step
///   in memory ([`Tensor::detach`]).
/// - Calls of other modules are not captured, nor are calls before and after `epoch`.
/// - When `during` returns, its hook is removed, even if `epoch` returned an error; that error is returned
///   unchanged. Other hooks stay registered.
/// - If there is no module of that name, the error of [`Hooks::register`] is returned, and `epoch` is not run.
/// - If there are no calls, there are no captures, and no error.
///
/// # Examples
///
/// A capture that records nothing; it is correct for an epoch without calls.
///
/// ```
/// # use debugging_spec as softmark_kit;
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
    /// Runs `epoch` and returns the weights that `module` reported while it ran.
    ///
    /// # Shapes
    ///
    /// - returns one tensor per call, each `[B, H, T, T]`, `f32`; `B` and `T` may change from call to call
    ///
    /// # Errors
    ///
    /// Fails if there is no such module, if a call reports no output `weights`, or if `epoch` fails.
    fn during(
        hooks: &Hooks,
        module: &str,
        epoch: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<Tensor>>;
}
