//! Components of the `attention` assignment, as checks construct and call them.

use std::sync::Arc;

use crate::{
    AttentionAssignment, AttentionClassifier, AttentionConfig, AttentionOutput, AttentionParts,
    AttentionPartsOf, ClassifierConfig, LearnedPosition, MaskedPooling, MultiHeadAttention,
    Pooling, PositionConfig, ScaledDotProductAttention, SinusoidalPosition,
};
use candle_core::{Error, Result, Tensor};
use candle_nn::VarBuilder;

use crate::stand_in::{EvenAttention, StandIns};
use softmark_kit::component::{self, Component, Components, Inputs, Outputs, Sizes, only};

fn attended(result: AttentionOutput) -> Outputs {
    vec![("output", result.output), ("weights", result.weights)]
}

struct ScaledDotProduct<A>(A);

impl<A: ScaledDotProductAttention> Component for ScaledDotProduct<A> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let (query, key) = (inputs.get("query")?, inputs.get("key")?);
        let mask = inputs.optional("mask");
        Ok(attended(self.0.attend(query, key, inputs.get("value")?, mask)?))
    }
}

struct MultiHead<A>(A);

impl<A: MultiHeadAttention> Component for MultiHead<A> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let query = inputs.get("query")?;
        // Self-attention passes one tensor three times, as a model does.
        let key = inputs.optional("key").unwrap_or(query);
        let value = inputs.optional("value").unwrap_or(key);
        Ok(attended(self.0.attend(query, key, value, inputs.optional("mask"))?))
    }
}

struct Sinusoidal<A>(A);

impl<A: SinusoidalPosition> Component for Sinusoidal<A> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(vec![("output", self.0.encode(inputs.get("x")?)?)])
    }
}

struct Learned<A>(A);

impl<A: LearnedPosition> Component for Learned<A> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(vec![("output", self.0.encode(inputs.get("x")?)?)])
    }
}

struct Pooled<A>(A);

impl<A: MaskedPooling> Component for Pooled<A> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(vec![("output", self.0.pool(inputs.get("x")?, inputs.optional("mask"))?)])
    }
}

struct Classified<A>(A);

impl<A: AttentionClassifier> Component for Classified<A> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(vec![("logits", self.0.forward(inputs.get("ids")?, inputs.get("mask")?)?)])
    }

    fn logits(&self, ids: &Tensor, mask: &Tensor, _train: bool) -> Result<Tensor> {
        // One attention layer without dropout computes the same in training and evaluation.
        self.0.forward(ids, mask)
    }
}

fn multi_head<M: MultiHeadAttention + 'static>(
    config: &Sizes,
    inner: Arc<dyn ScaledDotProductAttention>,
    vb: VarBuilder<'_>,
) -> Result<Box<dyn Component>> {
    let inner = if config.is_on("stand_ins") { Arc::new(EvenAttention) } else { inner };
    let config = AttentionConfig { d_model: config.get("d_model")?, heads: config.get("heads")? };
    Ok(Box::new(MultiHead(M::new(config, inner, vb)?)))
}

fn position(config: &Sizes) -> Result<PositionConfig> {
    Ok(PositionConfig { d_model: config.get("d_model")?, max_len: config.get("max_len")? })
}

fn pooling(config: &Sizes) -> Result<Pooling> {
    match config.get("kind")? {
        0 => Ok(Pooling::Mean),
        1 => Ok(Pooling::Max),
        2 => Ok(Pooling::First),
        other => Err(Error::Msg(format!("the question asks for a pooling of kind {other}"))),
    }
}

fn classifier<C: AttentionClassifier + 'static, R: AttentionAssignment>(
    config: &Sizes,
    vb: VarBuilder<'_>,
) -> Result<Box<dyn Component>> {
    let parts = AttentionPartsOf::<R>::new();
    let stand_ins = StandIns::<R>::new();
    let below: &dyn AttentionParts = if config.is_on("stand_ins") { &stand_ins } else { &parts };
    let config = ClassifierConfig {
        vocabulary: config.get("vocabulary")?,
        max_len: config.get("max_len")?,
        d_model: config.get("d_model")?,
        heads: config.get("heads")?,
        classes: config.get("classes")?,
        norm: config.get("norm")? == 1,
        pooling: pooling(config)?,
    };
    Ok(Box::new(Classified(C::new(config, below, vb)?)))
}

/// Returns all components of a submission, each built on the submission's own components.
pub fn components<S>() -> Components
where
    S: AttentionAssignment + 'static,
    S::Sinusoidal: 'static,
{
    Box::new(|part, config, vb| match part {
        "scaled-dot-product" => Ok(Box::new(ScaledDotProduct(S::ScaledDotProduct::new()))),
        "multi-head" => {
            multi_head::<S::MultiHead>(config, Arc::new(S::ScaledDotProduct::new()), vb)
        }
        "sinusoidal-position" => {
            let encoding = S::Sinusoidal::on_device(position(config)?, vb.device())?;
            Ok(Box::new(Sinusoidal(encoding)))
        }
        "learned-position" => Ok(Box::new(Learned(S::Learned::new(position(config)?, vb)?))),
        "masked-pooling" => Ok(Box::new(Pooled(S::Pooled::new(pooling(config)?)))),
        "classifier" => classifier::<S::Classifier, S>(config, vb),
        other => Err(component::unknown(other)),
    })
}

/// Returns multi-head attention alone, built on the attention of `R`, the grader's own: so it is graded on its own
/// merits.
pub fn multi_head_with<S, R>() -> Components
where
    S: AttentionAssignment,
    R: ScaledDotProductAttention + 'static,
{
    only("multi-head", |config, vb| multi_head::<S::MultiHead>(config, Arc::new(R::new()), vb))
}

/// Returns the classifier of `S` alone, built on the attention, positions and pooling of `R`, as in
/// [`multi_head_with`].
pub fn classifier_with<S, R>() -> Components
where
    S: AttentionAssignment,
    R: AttentionAssignment + 'static,
{
    only("classifier", classifier::<S::Classifier, R>)
}
