//! Components of the `modern` assignment, as checks construct and call them.

use candle_core::{D, Error, Module, Result, Tensor};
use candle_nn::VarBuilder;
use softmark_kit::component::{self, Component, Components, Inputs, Outputs, Sizes, only};
use softmark_kit::nn::{Embedding, Linear, embedding, linear_no_bias};

use crate::assignment::rotary_of;
use crate::{
    BlockConfig, BlockParts, DecoderBlock, GroupedQueryAttention, GroupedQueryConfig,
    ModernAssignment, PartsOf, RmsNorm, Rotary, SwiGlu,
};

/// A component that computes `output` from `x`.
struct Layer<F>(F);

impl<F: Fn(&Tensor) -> Result<Tensor>> Component for Layer<F> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(vec![("output", (self.0)(inputs.get("x")?)?)])
    }
}

fn layer(forward: impl Fn(&Tensor) -> Result<Tensor> + 'static) -> Box<dyn Component> {
    Box::new(Layer(forward))
}

/// The classifier that learns to copy: embedded tokens, one block, a norm, and a linear map at the last real token.
struct CopyModel<B> {
    tokens: Embedding,
    block: B,
    norm: Box<dyn RmsNorm>,
    head: Linear,
}

impl<B: DecoderBlock> CopyModel<B> {
    fn new<R: ModernAssignment>(sizes: &Sizes, vb: &VarBuilder<'_>) -> Result<Self> {
        let config = block_config(sizes)?;
        let below = PartsOf::<R>::new(config);
        let (v, c, d) = (sizes.get("vocabulary")?, sizes.get("classes")?, config.d_model);
        Ok(Self {
            tokens: embedding(v, d, vb.pp("token_embedding"))?,
            block: B::new(config, &below, vb.pp("layers.0"))?,
            norm: below.norm(vb.pp("norm"))?,
            head: linear_no_bias(d, c, vb.pp("classifier"))?,
        })
    }
}

/// Returns the number of each sequence's last real position, counted through a batch `[B·T]`; the first position
/// if there is none.
fn last_real(mask: &Tensor) -> Result<Tensor> {
    let rows = mask.to_vec2::<u8>()?;
    let t = mask.dim(D::Minus1)?;
    let last = rows.iter().enumerate().map(|(b, row)| {
        let last = row.iter().rposition(|&real| real == 1).unwrap_or(0);
        u32::try_from(b * t + last).map_err(Error::wrap)
    });
    Tensor::new(last.collect::<Result<Vec<u32>>>()?, mask.device())
}

impl<B: DecoderBlock> Component for CopyModel<B> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(vec![("logits", self.logits(inputs.get("ids")?, inputs.get("mask")?, false)?)])
    }

    fn logits(&self, ids: &Tensor, mask: &Tensor, _train: bool) -> Result<Tensor> {
        let x = self.block.forward(&self.tokens.forward(ids)?)?; // [B, T, D]
        let last = self.norm.forward(&x)?.flatten(0, 1)?.index_select(&last_real(mask)?, 0)?;
        self.head.forward(&last) // [B, C]
    }
}

fn attention<A, R>(sizes: &Sizes, vb: VarBuilder<'_>) -> Result<Box<dyn Component>>
where
    A: GroupedQueryAttention + 'static,
    R: Rotary + 'static,
{
    let config = GroupedQueryConfig {
        d_model: sizes.get("d_model")?,
        heads: sizes.get("heads")?,
        kv_heads: sizes.get("kv_heads")?,
    };
    let attention = A::new(config, rotary_of::<R>(config)?, vb)?;
    Ok(layer(move |x| attention.attend(x)))
}

fn block_config(sizes: &Sizes) -> Result<BlockConfig> {
    Ok(BlockConfig {
        d_model: sizes.get("d_model")?,
        heads: sizes.get("heads")?,
        kv_heads: sizes.get("kv_heads")?,
        d_ff: sizes.get("d_ff")?,
    })
}

/// Returns the component `name` of those that are built on a block `B`; the other components are those of `R`.
fn block<B, R>(name: &str, sizes: &Sizes, vb: VarBuilder<'_>) -> Result<Box<dyn Component>>
where
    B: DecoderBlock + 'static,
    R: ModernAssignment,
{
    match name {
        "decoder-block" => {
            let config = block_config(sizes)?;
            let block = B::new(config, &PartsOf::<R>::new(config), vb)?;
            Ok(layer(move |x| block.forward(x)))
        }
        "copy-model" => Ok(Box::new(CopyModel::<B>::new::<R>(sizes, &vb)?)),
        other => Err(component::unknown(other)),
    }
}

/// Returns all components of a submission, each built on the submission's own components.
pub fn components<S: ModernAssignment>() -> Components {
    Box::new(|name, sizes, vb| match name {
        "rms-norm" => {
            let norm = S::Norm::new(sizes.get("d_model")?, vb)?;
            Ok(layer(move |x| norm.forward(x)))
        }
        "swiglu" => {
            let network = S::FeedForward::new(sizes.get("d_model")?, sizes.get("d_ff")?, vb)?;
            Ok(layer(move |x| network.forward(x)))
        }
        "rotary" => {
            let rotary = S::Rotary::new(sizes.get("width")?)?;
            Ok(layer(move |x| rotary.rotate(x)))
        }
        "grouped-query" => attention::<S::Attention, S::Rotary>(sizes, vb),
        other => block::<S::Block, S>(other, sizes, vb),
    })
}

/// Returns the attention of `S` alone, built on the rotary positions of `R`, the grader's own: so it is graded on
/// its own merits.
pub fn grouped_query_with<S: ModernAssignment, R: ModernAssignment>() -> Components {
    only("grouped-query", attention::<S::Attention, R::Rotary>)
}

/// Returns the block of `S` and the classifier made of it, built on the other components of `R`, as in
/// [`grouped_query_with`].
pub fn decoder_block_with<S: ModernAssignment, R: ModernAssignment>() -> Components {
    Box::new(block::<S::Block, R>)
}
