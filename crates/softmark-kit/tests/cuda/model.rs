//! A classifier from the kit's layers.

use candle_core::{DType, Device, Module as _, Result, Tensor};
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::{Dropout, Embedding, LayerNorm, Linear, embedding_with_padding};
use softmark_kit::nn::{layer_norm, linear, ops, pooling};
use softmark_kit::train::Model;

use crate::support::CLASSES;

/// Width of the model.
const WIDTH: usize = 16;

/// One pre-norm layer with dropout at every place where it is usual, and a head on the mean.
pub(crate) struct Classifier {
    token: Embedding,
    projections: [Linear; 4],
    network: [Linear; 2],
    norms: [LayerNorm; 3],
    head: Linear,
    dropout: f32,
}

/// Returns a model on a device whose initial parameters depend on the seed alone.
pub(crate) fn classifier(device: &Device, seed: u64, dropout: f32) -> (Parameters, Classifier) {
    let parameters = Parameters::new(seed, device);
    let model = Classifier::new(&parameters, dropout).unwrap();
    (parameters, model)
}

impl Classifier {
    fn new(parameters: &Parameters, dropout: f32) -> Result<Self> {
        let vb = parameters.builder();
        let square = |name: &str| linear(WIDTH, WIDTH, vb.pp(name));
        let norm = |name: &str| layer_norm(WIDTH, 1e-5, vb.pp(name));
        Ok(Self {
            token: embedding_with_padding(20, WIDTH, 0, vb.pp("token"))?,
            projections: [square("q")?, square("k")?, square("v")?, square("o")?],
            network: [
                linear(WIDTH, 2 * WIDTH, vb.pp("up"))?,
                linear(2 * WIDTH, WIDTH, vb.pp("down"))?,
            ],
            norms: [norm("norm1")?, norm("norm2")?, norm("norm")?],
            head: linear(WIDTH, CLASSES as usize, vb.pp("head"))?,
            dropout,
        })
    }
}

impl Model for Classifier {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let [query, key, value, output] = &self.projections;
        let [up, down] = &self.network;
        let [norm1, norm2, norm] = &self.norms;
        let dropout = Dropout::new(self.dropout);
        let keys = mask.to_dtype(DType::U8)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let x = dropout.forward(&self.token.forward(ids)?, train)?;
        let y = norm1.forward(&x)?;
        let (query, key) = (query.forward(&y)?, key.forward(&y)?);
        let p = train.then_some(self.dropout);
        let y = attention_side_by_side(&query, &key, &value.forward(&y)?, 4, Some(&keys), p)?;
        let x = (x + dropout.forward(&output.forward(&y)?, train)?)?;
        let y = down.forward(&ops::gelu_erf(&up.forward(&norm2.forward(&x)?)?)?)?;
        let x = (x + dropout.forward(&y, train)?)?;
        self.head.forward(&pooling::masked_mean(&norm.forward(&x)?, mask)?)
    }
}
