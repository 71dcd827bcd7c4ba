//! Stand-ins: components that behave differently from correct ones. A component that is built on them shows
//! by its outputs that it uses the components it is given.

use std::marker::PhantomData;
use std::sync::Arc;

use candle_core::{DType, Result, Tensor};
use candle_nn::VarBuilder;

use crate::{
    AttentionAssignment, AttentionConfig, AttentionOutput, AttentionParts, LearnedPosition,
    MaskedPooling, MultiHeadAttention, Pooling, PositionConfig, ScaledDotProductAttention,
};

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
