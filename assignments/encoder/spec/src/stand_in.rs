//! Stand-ins: components that behave differently from correct ones. A component that is built on them shows
//! by its outputs that it uses the components it is given.

use candle_core::{Error, Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::{
    ClassifierParts, Encoder, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, LayerParts,
    SelfAttention,
};

/// The components that `P` constructs for an encoder, each with negated outputs.
#[derive(Debug)]
pub struct OppositeParts<'a, P: ?Sized>(pub &'a P);

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
