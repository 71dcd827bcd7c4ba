//! Stand-ins: components that behave differently from correct ones. A component that is built on them shows
//! by its outputs that it uses the components it is given.

use std::marker::PhantomData;
use std::sync::Arc;

use candle_core::{DType, Error, Result, Tensor};
use candle_nn::VarBuilder;
use softmark_kit::encoder::{
    ClassifierParts, Encoder, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, LayerParts,
    SelfAttention,
};
use softmark_kit::{
    AttentionAssignment, AttentionConfig, AttentionOutput, AttentionParts, LearnedPosition,
    MaskedPooling, MultiHeadAttention, Pooling, PositionConfig, ScaledDotProductAttention,
};

use crate::dispatch::Sizes;

/// Returns true if a request asks for stand-ins instead of the dependencies.
pub(crate) fn is_asked_for(config: &Sizes) -> bool {
    config.get("stand_ins") == Some(&1)
}

/// Attention with equal weights for all visible keys: `1 / n` for `n` visible keys.
pub(crate) struct EvenAttention;

impl ScaledDotProductAttention for EvenAttention {
    fn new() -> Self {
        Self
    }

    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput> {
        let (b, h, tq, _) = query.dims4()?;
        let shape = (b, h, tq, key.dim(2)?);
        let seen = match mask {
            Some(mask) => mask.broadcast_as(shape)?.to_dtype(DType::F32)?,
            None => Tensor::ones(shape, DType::F32, query.device())?,
        };
        let count = seen.sum_keepdim(3)?.maximum(1_f64)?; // [B, H, Tq, 1]
        let weights = seen.broadcast_div(&count)?;
        Ok(AttentionOutput { output: weights.matmul(&value.contiguous()?)?, weights })
    }
}

/// The components of `R` with [`EvenAttention`] inside the attention, positional encodings subtracted instead
/// of added, and pooled vectors negated.
pub(crate) struct StandIns<R>(PhantomData<R>);

impl<R> StandIns<R> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R: AttentionAssignment> AttentionParts for StandIns<R> {
    fn attention(
        &self,
        config: AttentionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn MultiHeadAttention>> {
        Ok(Box::new(R::MultiHead::new(config, Arc::new(EvenAttention), vb)?))
    }

    fn position(
        &self,
        config: PositionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn LearnedPosition>> {
        Ok(Box::new(TakenAway::<R::Learned>::new(config, vb)?))
    }

    fn pooling(&self, kind: Pooling) -> Box<dyn MaskedPooling> {
        Box::new(Negated::<R::Pooled>::new(kind))
    }
}

/// Positional encodings that are subtracted instead of added.
struct TakenAway<P>(P);

impl<P: LearnedPosition> LearnedPosition for TakenAway<P> {
    fn new(config: PositionConfig, vb: VarBuilder<'_>) -> Result<Self> {
        P::new(config, vb).map(Self)
    }

    fn encode(&self, x: &Tensor) -> Result<Tensor> {
        (x * 2.0)? - self.0.encode(x)?
    }
}

/// A pooling whose result is negated.
struct Negated<P>(P);

impl<P: MaskedPooling> MaskedPooling for Negated<P> {
    fn new(kind: Pooling) -> Self {
        Self(P::new(kind))
    }

    fn pool(&self, x: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        self.0.pool(x, mask)?.neg()
    }
}

/// The components that `P` constructs for an encoder, each with negated outputs.
pub(crate) struct OppositeParts<'a, P: ?Sized>(pub(crate) &'a P);

impl<P: LayerParts + ?Sized> LayerParts for OppositeParts<'_, P> {
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SelfAttention>> {
        Ok(Box::new(Opposite(self.0.attention(vb)?)))
    }

    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn FeedForward>> {
        Ok(Box::new(Opposite(self.0.feed_forward(vb)?)))
    }
}

impl<P: EncoderParts + ?Sized> EncoderParts for OppositeParts<'_, P> {
    fn layer(&self, vb: VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>> {
        Ok(Box::new(Opposite(self.0.layer(vb)?)))
    }
}

impl<P: ClassifierParts + ?Sized> ClassifierParts for OppositeParts<'_, P> {
    fn encoder(&self, vb: VarBuilder<'_>) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(Opposite(self.0.encoder(vb)?)))
    }
}

/// A component of an encoder with negated outputs.
struct Opposite<P: ?Sized>(Box<P>);

/// Returns the error of a constructor that is never called, since a stand-in wraps a constructed component.
fn wraps_a_part() -> Error {
    Error::Msg("a stand-in wraps a part that was made".to_owned())
}

impl SelfAttention for Opposite<dyn SelfAttention> {
    fn new(_: EncoderConfig, _: VarBuilder<'_>) -> Result<Self> {
        Err(wraps_a_part())
    }

    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self.0.attend(x, mask, train)?.neg()
    }
}

impl FeedForward for Opposite<dyn FeedForward> {
    fn new(_: EncoderConfig, _: VarBuilder<'_>) -> Result<Self> {
        Err(wraps_a_part())
    }

    fn forward(&self, x: &Tensor, train: bool) -> Result<Tensor> {
        self.0.forward(x, train)?.neg()
    }
}

impl EncoderLayer for Opposite<dyn EncoderLayer> {
    fn new(_: EncoderConfig, _: &dyn LayerParts, _: VarBuilder<'_>) -> Result<Self> {
        Err(wraps_a_part())
    }

    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self.0.forward(x, mask, train)?.neg()
    }
}

impl Encoder for Opposite<dyn Encoder> {
    fn new(_: EncoderConfig, _: &dyn EncoderParts, _: VarBuilder<'_>) -> Result<Self> {
        Err(wraps_a_part())
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self.0.forward(ids, mask, train)?.neg()
    }
}
