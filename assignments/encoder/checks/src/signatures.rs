//! Names of the sizes, inputs and outputs of each component.

use softmark_checks::Signature;

/// Sizes of an encoder and of each of its components.
const ENCODER: &[&str] = &[
    "vocabulary",
    "max_len",
    "d_model",
    "heads",
    "d_ff",
    "layers",
    "pre_norm",
    "gelu",
    "dropout_permille",
    "train",
];

/// The switch by which stand-ins for the components below are asked for.
const STAND_INS: &[&str] = &["stand_ins"];

/// Inputs of components that read texts.
const TEXTS: &[&str] = &["ids", "mask"];

/// The feed-forward network.
pub static FEED_FORWARD: Signature =
    Signature::new("feed-forward", &[ENCODER], &["x"], &["output"]);

/// The encoder layer.
pub static ENCODER_LAYER: Signature = Signature {
    optional: STAND_INS,
    ..Signature::new("encoder-layer", &[ENCODER, STAND_INS], &["x", "mask"], &["output"])
};

/// The encoder.
pub static STACK: Signature = Signature {
    optional: STAND_INS,
    ..Signature::new("encoder", &[ENCODER, STAND_INS], TEXTS, &["output"])
};

/// The classifier.
pub static CLASSIFIER: Signature = Signature {
    optional: STAND_INS,
    ..Signature::new("classifier", &[ENCODER, &["classes"], STAND_INS], TEXTS, &["logits"])
};

/// Embeddings from word vectors.
pub static GLOVE: Signature = Signature::new(
    "glove",
    &[&["d_model", "seed"]],
    &["vocabulary", "vectors"],
    &["table", "coverage"],
);

/// The search.
pub static SWEEP: Signature = Signature {
    optional: &["broken"],
    ..Signature::new(
        "sweep",
        &[&["budget"]],
        &["learning_rates", "batch_sizes", "train", "validation", "test", "broken"],
        &["trained", "reported", "accuracies", "best"],
    )
};
