//! A few questions, and many epochs: what kind of answer does each ask for? Every fifth question is kept
//! for validation; the exam at the end has other questions.

use softmark_kit::data::Labelled;
use softmark_kit::data::questions::{self, CLASSES};
use softmark_kit::init::Parameters;
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{self, Embedding, LayerNorm, Linear};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::prelude::*;
use softmark_kit::train::{Batch, Evaluation, Examples, Recipe, evaluate, shuffled};

use crate::course::{Course, Epoch, Outcome};

const WIDTH: usize = 48;
const LONGEST: usize = 24;

/// The questions whose places in the list are wanted, with their classes.
fn chosen(questions: &[Labelled], wanted: impl Fn(usize) -> bool) -> Examples {
    let vocabulary = questions::vocabulary();
    let mut examples = Examples::default();
    for (place, question) in questions.iter().enumerate() {
        if wanted(place) {
            examples.ids.push(vocabulary.encode(&question.text));
            examples.labels.push(question.label);
        }
    }
    examples
}

struct Network {
    tokens: Embedding,
    places: Embedding,
    norm: LayerNorm,
    mixing: [Linear; 3],
    hidden: Linear,
    classes: Linear,
}

impl Network {
    fn new(vb: &VarBuilder<'_>) -> Result<Self> {
        let mixing = |name| nn::linear(WIDTH, WIDTH, vb.pp("mixing").pp(name));
        Ok(Self {
            tokens: nn::embedding(questions::vocabulary().len(), WIDTH, vb.pp("tokens"))?,
            places: nn::embedding(LONGEST, WIDTH, vb.pp("places"))?,
            norm: nn::layer_norm(WIDTH, 1e-5, vb.pp("norm"))?,
            mixing: [mixing("from")?, mixing("to")?, mixing("what")?],
            hidden: nn::linear(WIDTH, WIDTH, vb.pp("hidden"))?,
            classes: nn::linear(WIDTH, CLASSES.len(), vb.pp("classes"))?,
        })
    }

    fn logits(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let places = Tensor::arange(0, u32::try_from(t)?, ids.device())?;
        let x = self.tokens.forward(ids)?.broadcast_add(&self.places.forward(&places)?)?;
        let x = self.norm.forward(&x)?;
        let [from, to, what] = &self.mixing;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let (from, to, what) = (from.forward(&x)?, to.forward(&x)?, what.forward(&x)?);
        let x = (x + attention_side_by_side(&from, &to, &what, 4, Some(&seen), None)?)?;
        let x = nn::ops::gelu(&self.hidden.forward(&x)?)?;
        self.classes.forward(&nn::pooling::masked_mean(&x, mask)?)
    }
}

pub(crate) fn run(seed: u64) -> Outcome {
    let questions = questions::generate(seed, 300);
    let train = chosen(&questions, |place| place % 5 != 4);
    let validation = chosen(&questions, |place| place % 5 != 4);
    let exam = chosen(&questions::generate(seed + 1_000_000, 300), |_| true);

    let parameters = Parameters::new(seed, &Device::Cpu);
    let network = Network::new(&parameters.builder())?;
    let model = |ids: &Tensor, mask: &Tensor, _train: bool| network.logits(ids, mask);
    let vars = parameters.vars();
    let mut optimizer = Optimizer::new(Rule::ADAM, 0.0);
    let recipe = Recipe { batch_size: 60, max_len: LONGEST, ..Recipe::default() };
    let measured = |examples: &Examples| -> Outcome<Evaluation> {
        Ok(evaluate(&model, examples, &recipe, &Device::Cpu)?)
    };

    let mut course = Course::default();
    for epoch in 0..16 {
        for numbers in shuffled(train.len(), seed, epoch).chunks(16) {
            let batch = Batch::new(&train, numbers, LONGEST, &Device::Cpu)?;
            let logits = network.logits(&batch.ids, &batch.mask)?;
            let loss = cross_entropy(&logits, &batch.labels)?;
            optimizer.step(&vars, &loss.backward()?, 3e-3)?;
        }
        // Both after the epoch, so that they can be compared.
        let (of_train, of_validation) = (measured(&train)?, measured(&validation)?);
        course.epochs.push(Epoch {
            train_loss: of_train.loss,
            train_accuracy: of_train.accuracy,
            validation_loss: of_validation.loss,
            validation_accuracy: of_validation.accuracy,
        });
    }
    course.numbers.push(("accuracy in the exam", measured(&exam)?.accuracy));
    Ok(course)
}
