//! Multi-head attention.

use std::sync::Arc;

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::attention::{AttentionOutput, ScaledDotProductAttention};

/// The sizes of a [`MultiHeadAttention`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttentionConfig {
    /// `D`, the width of the model.
    pub d_model: usize,
    /// `H`, the number of heads; each is `K = D / H` wide.
    pub heads: usize,
}

/// Multi-head attention: project, split into heads, attend in each, merge, project.
///
/// ```text
/// q = split(query · Wqᵀ + bq)                 [B, H, Tq, K]
/// k = split(key   · Wkᵀ + bk)                 [B, H, Tk, K]
/// v = split(value · Wvᵀ + bv)                 [B, H, Tk, K]
/// context, weights = attention(q, k, v, mask) [B, H, Tq, K], [B, H, Tq, Tk]
/// output = merge(context) · Woᵀ + bo          [B, Tq, D]
/// ```
///
/// `split` gives head `h` the channels `h·K .. (h+1)·K` of every position; `merge` puts them back
/// in the same places.
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3.2.2.
///
/// Self-attention passes the same tensor as `query`, `key` and `value`; cross-attention passes
/// another one as `key` and `value`, often of another length.
///
/// # Parameters
///
/// [`new`](Self::new) requests exactly these parameters from `vb`, by these names.
///
/// | name | shape |
/// |---|---|
/// | `q_proj.weight`, `k_proj.weight`, `v_proj.weight`, `out_proj.weight` | `[D, D]` |
/// | `q_proj.bias`, `k_proj.bias`, `v_proj.bias`, `out_proj.bias` | `[D]` |
///
/// # Edge cases
///
/// - One head is allowed, and so are as many heads as channels (`H = D`, `K = 1`).
/// - A `D` that `H` does not divide, or no heads at all, is an error from [`new`](Self::new).
/// - Masked queries are handled by the attention inside; see [`ScaledDotProductAttention`]. A fully masked
///   query gets zeros from it, so the output there is the bias of `out_proj`.
/// - Gradients from `output` reach all eight parameters and all three inputs. Gradients through `weights` are
///   not required. (The gradient of `k_proj.bias` is zero in exact arithmetic: the bias shifts all scores of
///   a query equally, which the softmax ignores.)
///
/// # Examples
///
/// `OnePosition` is correct only for sequences of length 1, where attention has a single key.
///
/// ```
/// # use attention_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct OnePosition {
///     v_proj: candle_nn::Linear,
///     out_proj: candle_nn::Linear,
///     heads: usize,
/// }
///
/// impl MultiHeadAttention for OnePosition {
///     fn new(
///         config: AttentionConfig,
///         _attention: Arc<dyn ScaledDotProductAttention>,
///         vb: VarBuilder<'_>,
///     ) -> Result<Self> {
///         let d = config.d_model;
///         let v_proj = candle_nn::linear(d, d, vb.pp("v_proj"))?;
///         let out_proj = candle_nn::linear(d, d, vb.pp("out_proj"))?;
///         Ok(Self { v_proj, out_proj, heads: config.heads })
///     }
///     fn attend(
///         &self,
///         query: &Tensor,
///         _key: &Tensor,
///         value: &Tensor,
///         _mask: Option<&Tensor>,
///     ) -> Result<AttentionOutput> {
///         let (b, _, _) = query.dims3()?;
///         let output = self.out_proj.forward(&self.v_proj.forward(value)?)?;
///         let weights = Tensor::ones((b, self.heads, 1, 1), DType::F32, query.device())?;
///         Ok(AttentionOutput { output, weights })
///     }
/// }
///
/// struct Unused;
/// # impl ScaledDotProductAttention for Unused {
/// #     fn new() -> Self { Self }
/// #     fn attend(&self, _: &Tensor, _: &Tensor, v: &Tensor, _: Option<&Tensor>)
/// #         -> Result<AttentionOutput> {
/// #         Ok(AttentionOutput { output: v.clone(), weights: v.clone() })
/// #     }
/// # }
///
/// let vb = VarBuilder::zeros(DType::F32, &Device::Cpu);
/// let config = AttentionConfig { d_model: 4, heads: 2 };
/// let layer = OnePosition::new(config, Arc::new(Unused), vb)?;
/// let x = Tensor::ones((3, 1, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
/// let AttentionOutput { output, weights } = layer.attend(&x, &x, &x, None)?;
/// assert_eq!(output.dims3()?, (3, 1, 4)); // [B, Tq, D]
/// assert_eq!(weights.dims4()?, (3, 2, 1, 1)); // [B, H, Tq, Tk]
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait MultiHeadAttention {
    /// Constructs the layer, with its parameters from `vb` by the names in the table above.
    ///
    /// `attention` is the attention to use inside. Use it unchanged: the layer is graded on its own merits,
    /// independently of your scaled dot-product attention.
    ///
    /// # Errors
    ///
    /// Fails if `heads` does not divide `d_model`, or if a parameter is missing from `vb` or has another shape.
    fn new(
        config: AttentionConfig,
        attention: Arc<dyn ScaledDotProductAttention>,
        vb: VarBuilder<'_>,
    ) -> Result<Self>
    where
        Self: Sized;

    /// Computes attention from `query` to `key` and `value`.
    ///
    /// # Shapes
    ///
    /// - `query`: `[B, Tq, D]`, `f32`
    /// - `key`, `value`: `[B, Tk, D]`, `f32`
    /// - `mask`: `[B, Tq, Tk]`, `u8`; **1 = may look, 0 = may not**; the same for every head
    /// - returns `output` `[B, Tq, D]` and `weights` `[B, H, Tq, Tk]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the shapes do not match one another or `d_model`. (It is not checked whether sizes of 1 are
    /// broadcast.)
    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput>;
}
