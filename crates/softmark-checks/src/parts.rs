//! The names that cases and answers may use, part by part: what is not listed here is misspelt.

use crate::tuning::steps::NAMES;

/// The names of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartNames {
    /// The part.
    pub part: &'static str,
    /// Sizes that it is made with.
    pub sizes: &'static [&'static [&'static str]],
    /// Names of its inputs.
    pub inputs: &'static [&'static str],
    /// Names of its outputs.
    pub outputs: &'static [&'static str],
}

/// Sizes of an encoder and of each of its parts.
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

/// The size by which stand-ins for the parts below are asked for.
const STAND_INS: &[&str] = &["stand_ins"];

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

/// Sizes of a checkpoint.
const SAVED: &[&str] = &["d_model", "classes", "prefix"];

/// A part that computes with tensors.
const fn part(
    part: &'static str,
    sizes: &'static [&'static [&'static str]],
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
) -> PartNames {
    PartNames { part, sizes, inputs, outputs }
}

/// Every part of every assignment.
pub const PARTS: &[PartNames] = &[
    part("scaled-dot-product", &[], &["query", "key", "value", "mask"], &["output", "weights"]),
    part(
        "multi-head",
        &[&["d_model", "heads", "stand_ins"]],
        &["query", "key", "value", "mask"],
        &["output", "weights"],
    ),
    part("sinusoidal-position", &[&["d_model", "max_len"]], &["x"], &["output"]),
    part("learned-position", &[&["d_model", "max_len"]], &["x"], &["output"]),
    part("masked-pooling", &[&["kind"]], &["x", "mask"], &["output"]),
    part("feed-forward", &[ENCODER], &["x"], &["output"]),
    part("encoder-layer", &[ENCODER, STAND_INS], &["x", "mask"], &["output"]),
    part("encoder", &[ENCODER, STAND_INS], &["ids", "mask"], &["output"]),
    // Of the two assignments that have one.
    part(
        "classifier",
        &[ENCODER, &["classes", "norm", "kind", "stand_ins"]],
        &["ids", "mask"],
        &["logits"],
    ),
    part("glove", &[&["d_model", "seed"]], &["vocabulary", "vectors"], &["table", "coverage"]),
    part(
        "sweep",
        &[&["budget"]],
        &["learning_rates", "batch_sizes", "train", "validation", "test", "broken"],
        &["trained", "reported", "accuracies", "best"],
    ),
    part(
        "capture",
        &[&["module", "before", "after", "fails", "unnamed"]],
        &["calls", "batches", "lengths", "weights"],
        &[
            "count",
            "shapes",
            "values",
            "with_history",
            "of_other_type",
            "watched_inside",
            "still_watched",
            "epochs",
            "failed",
            "failed_as_the_epoch",
        ],
    ),
    part("statistics", &[], &["weights", "mask"], &["entropy", "from_uniform", "on_padding"]),
    part("detectors", &[], &[], &[]),
    part("answers", &[], &[], &["answers.toml"]),
    part("prefix", &[TUNED, &["prefix_length"]], &["ids", "mask"], &["logits", "axes"]),
    part(
        "partial",
        &[TUNED, &["base_dropout_permille", "unfrozen"]],
        &["ids", "mask"],
        &["logits", "axes"],
    ),
    part(
        "loop",
        &[&["epochs", "batches", "patience", "failing_loss", "failing_validation"]],
        &["start", "settings", "learns", "gradients", "losses"],
        &["values", "visited", "validated", "looks", "validation_losses", "best"],
    ),
    part(
        "save",
        &[SAVED],
        &["tuned", "learns", "labels"],
        &["values", "kept", "strangers", "labels", "told"],
    ),
    part(
        "load",
        &[SAVED, &["other_base", "stranger", "misshapen", "misfit"]],
        &["kept", "saved", "learns", "labels", "fresh"],
        &["values", "refused", "labels"],
    ),
];

/// Names of the rows of an input, if the input's name does not tell what they are.
pub fn row_names(part: &str, input: &str) -> Option<&'static [&'static str]> {
    match (part, input) {
        ("loop", "settings") => Some(&["learning_rate", "warm_up", "weight_decay", "clip_norm"]),
        ("loop", "start" | "learns") | ("save", "learns") | ("load", "learns" | "kept") => {
            Some(&NAMES)
        }
        _ => None,
    }
}

/// The names of a part; `None` where there is no such part.
pub fn find(part: &str) -> Option<&'static PartNames> {
    PARTS.iter().find(|names| names.part == part)
}

impl PartNames {
    /// True if the part is constructed with a size of that name.
    pub fn has_size(&self, name: &str) -> bool {
        self.sizes.iter().any(|sizes| sizes.contains(&name))
    }

    /// True if the part is called with an input of that name.
    pub fn has_input(&self, name: &str) -> bool {
        self.inputs.contains(&name)
    }

    /// True if the part returns an output of that name.
    pub fn has_output(&self, name: &str) -> bool {
        self.outputs.contains(&name)
    }
}
