//! Trainings to a band: the encoder that is built in, tuned on questions that have never been asked before,
//! once by a prefix and once by its last layers.

mod partial;
mod prefix;

use std::collections::BTreeMap;

use softmark_checks::Signature;
use softmark_common::data::{corpus, questions};
use softmark_common::examples::Examples;
use softmark_exam::check::{Initial, Plan};
use softmark_exam::examples::split;
use softmark_exam::initial::Initials;
use softmark_wire::Recipe;

use crate::encoder::{Encoder, builtin};

pub(crate) use partial::TRAINING as PARTIAL;
pub(crate) use prefix::TRAINING as PREFIX;

/// Questions to learn from, and to be asked.
const TRAIN: usize = 4000;
pub(super) const UNSEEN: usize = 600;

/// The first `train` of so many questions as examples that the encoder takes, and the rest.
pub(super) fn examples(seed: u64, train: usize, unseen: usize) -> [Examples; 2] {
    let vocabulary = corpus::vocabulary();
    let texts = questions::generate(seed, train + unseen);
    split(&texts, &|text| corpus::framed(&vocabulary, text), train)
}

/// Parameter with a row for each id.
pub(super) const TOKENS: &str = "base.token_embedding.weight";

/// Parameters by their names, each with its shape and initial values.
type Parameters = BTreeMap<String, (Vec<usize>, Initial)>;

/// Settings with which a classifier on the encoder is tuned.
struct Tuning {
    signature: &'static Signature,
    /// Its sizes, beside those of the encoder.
    sizes: Vec<(&'static str, usize)>,
    /// Parameters beside the encoder, with their initial values.
    initial: fn(&Encoder) -> Parameters,
    /// True if that parameter of the encoder, which has so many layers, is tuned too.
    learns: fn(name: &str, layers: usize) -> bool,
    epochs: u32,
    batch_size: u32,
    learning_rate: f64,
    /// Mean loss of an epoch below which the training ends.
    stopping_threshold: f64,
}

impl Tuning {
    fn plan(self, seed: u64) -> Plan {
        let [train, unseen] = examples(seed, TRAIN, UNSEEN);
        // Without the encoder there is no plan, and a plan without parameters is an error of the grader.
        let (mut config, mut parameters, vocabulary) = match builtin() {
            Ok(encoder) => (encoder.sizes(), encoder.parameters.clone(), encoder.config.vocabulary),
            Err(_) => (Vec::new(), Parameters::new(), 0),
        };
        config.extend([("classes", questions::CLASSES.len()), ("train", 0)]);
        config.extend(self.sizes);
        let layers = builtin().map_or(0, |encoder| encoder.config.layers);
        let is_frozen = |name: &&String| !(self.learns)(name, layers);
        let frozen = parameters.keys().filter(is_frozen).cloned().collect();
        parameters.extend(builtin().map(self.initial).unwrap_or_default());
        Plan {
            signature: self.signature,
            config,
            parameters,
            rows_of_ids: vec![TOKENS.to_owned()],
            // The head is drawn: it has learned no order of the classes yet.
            rows_of_classes: Vec::new(),
            frozen,
            recipe: Some(Recipe {
                seed,
                epochs: self.epochs,
                batch_size: self.batch_size,
                learning_rate: self.learning_rate,
                warm_up: 0.1,
                weight_decay: 0.01,
                clip_norm: 1.0,
                stopping_threshold: self.stopping_threshold,
            }),
            train,
            unseen,
            classes: &questions::CLASSES,
            vocabulary: u32::try_from(vocabulary).unwrap_or(u32::MAX),
        }
    }
}

/// Names a linear map from the encoder's width to the classes.
fn classifier(encoder: &Encoder, initials: &mut Initials) {
    initials.linear("classifier", encoder.config.d_model, questions::CLASSES.len());
}
