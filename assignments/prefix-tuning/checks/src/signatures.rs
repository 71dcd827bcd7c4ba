//! Names of the sizes, inputs and outputs of each component.

use softmark_checks::Signature;
use softmark_checks::signature::RowNames;

/// Names of the parameters of the problems, in alphabetical order.
pub const NAMES: [&str; 7] = [
    "base.layers.0.norm1.weight",
    "base.layers.1.norm1.weight",
    "classifier.bias",
    "classifier.weight",
    "linear1.weight",
    "norm.bias",
    "prefix",
];

/// Sizes of a pretrained encoder that is tuned, and of its classifier.
const TUNED: &[&str] = &[
    "vocabulary",
    "max_len",
    "types",
    "d_model",
    "heads",
    "d_ff",
    "layers",
    "gelu",
    "epsilon",
    "dropout_permille",
    "train",
    "classes",
];

/// Inputs of components that read texts.
const TEXTS: &[&str] = &["ids", "mask"];

/// Logits, and their number of axes, which is read beside them.
const LOGITS: &[&str] = &["logits", "axes"];

/// Sizes of a checkpoint.
const SAVED: &[&str] = &["d_model", "classes", "prefix"];

/// Prefix tuning.
pub static PREFIX: Signature = Signature {
    unmentioned: &["axes"],
    ..Signature::new("prefix", &[TUNED, &["prefix_length"]], TEXTS, LOGITS)
};

/// Tuning of the last layers.
pub static PARTIAL: Signature = Signature {
    unmentioned: &["axes"],
    ..Signature::new("partial", &[TUNED, &["base_dropout_permille", "unfrozen"]], TEXTS, LOGITS)
};

/// The loop.
pub static LOOP: Signature = Signature {
    answer: Some("a report"),
    rows: &[
        RowNames {
            input: "settings",
            rows: &["learning_rate", "warm_up", "weight_decay", "clip_norm"],
        },
        RowNames { input: "start", rows: &NAMES },
        RowNames { input: "learns", rows: &NAMES },
    ],
    ..Signature::new(
        "loop",
        &[&["epochs", "batches", "patience", "failing_loss", "failing_validation", "lowered_loss"]],
        &["start", "settings", "learns", "gradients", "losses"],
        &["values", "visited", "validated", "looks", "validation_losses", "best"],
    )
};

/// Saving of a checkpoint.
pub static SAVE: Signature = Signature {
    rows: &[RowNames { input: "learns", rows: &NAMES }],
    ..Signature::new(
        "save",
        &[SAVED],
        &["tuned", "learns", "labels"],
        &["values", "kept", "strangers", "labels", "told"],
    )
};

/// Loading of a checkpoint.
pub static LOAD: Signature = Signature {
    rows: &[RowNames { input: "learns", rows: &NAMES }, RowNames { input: "kept", rows: &NAMES }],
    ..Signature::new(
        "load",
        &[SAVED, &["other_base", "stranger", "misshapen", "misfit"]],
        &["kept", "saved", "learns", "labels", "fresh"],
        &["values", "refused", "labels"],
    )
};
