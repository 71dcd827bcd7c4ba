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

/// The input by which one call is in another mode, training or evaluation, than `train` says.
pub const MODE: &str = "mode";

/// The input that says at which step of a training one call is.
pub const STEP: &str = "step";

/// Sizes and inputs that a question may lack.
const OPTIONAL: &[&str] = &["stand_ins", MODE, STEP];

/// Inputs of components that read texts.
const TEXTS: &[&str] = &["ids", "mask", MODE, STEP];

/// The feed-forward network.
pub static FEED_FORWARD: Signature = Signature {
    optional: OPTIONAL,
    ..Signature::new("feed-forward", &[ENCODER], &["x", MODE, STEP], &["output"])
};

/// The encoder layer.
pub static ENCODER_LAYER: Signature = Signature {
    optional: OPTIONAL,
    ..Signature::new(
        "encoder-layer",
        &[ENCODER, STAND_INS],
        &["x", "mask", MODE, STEP],
        &["output"],
    )
};

/// The encoder.
pub static STACK: Signature = Signature {
    optional: OPTIONAL,
    ..Signature::new("encoder", &[ENCODER, STAND_INS], TEXTS, &["output"])
};

/// The classifier.
pub static CLASSIFIER: Signature = Signature {
    optional: OPTIONAL,
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
