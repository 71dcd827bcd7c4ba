//! Names that cases and answers may use, by part; a name that is not listed here is misspelt.

use crate::tuning::steps::NAMES;

/// Lists of names, which are concatenated.
pub type Names = &'static [&'static [&'static str]];

/// The names of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartNames {
    /// Id of the part.
    pub part: &'static str,
    /// Sizes with which the part is constructed.
    pub sizes: Names,
    /// Names of the part's inputs.
    pub inputs: &'static [&'static str],
    /// Names of the part's outputs.
    pub outputs: &'static [&'static str],
    /// Sizes and inputs without which a question cannot be answered; several ways of asking where assignments
    /// share the part's name.
    pub required: &'static [Names],
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
    sizes: Names,
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
    required: &'static [Names],
) -> PartNames {
    PartNames { part, sizes, inputs, outputs, required }
}

/// Every part of every assignment.
pub const PARTS: &[PartNames] = &[
    part(
        "scaled-dot-product",
        &[],
        &["query", "key", "value", "mask"],
        &["output", "weights"],
        &[&[&["query", "key", "value"]]],
    ),
    part(
        "multi-head",
        &[&["d_model", "heads", "stand_ins"]],
        &["query", "key", "value", "mask"],
        &["output", "weights"],
        &[&[&["d_model", "heads", "query"]]],
    ),
    part("sinusoidal-position", &[POSITIONS], &["x"], &["output"], &[&[POSITIONS, &["x"]]]),
    part("learned-position", &[POSITIONS], &["x"], &["output"], &[&[POSITIONS, &["x"]]]),
    part("masked-pooling", &[&["kind"]], &["x", "mask"], &["output"], &[&[&["kind", "x"]]]),
    part("feed-forward", &[ENCODER], &["x"], &["output"], &[&[ENCODER, &["x"]]]),
    part(
        "encoder-layer",
        &[ENCODER, STAND_INS],
        &["x", "mask"],
        &["output"],
        &[&[ENCODER, &["x", "mask"]]],
    ),
    part("encoder", &[ENCODER, STAND_INS], TEXTS, &["output"], &[&[ENCODER, TEXTS]]),
    // Of the two assignments that have one.
    part(
        "classifier",
        &[ENCODER, &["classes", "norm", "kind", "stand_ins"]],
        TEXTS,
        &["logits"],
        &[
            &[ENCODER, &["classes"], TEXTS],
            &[POSITIONS, &["vocabulary", "heads", "classes", "norm", "kind"], TEXTS],
        ],
    ),
    part(
        "glove",
        &[&["d_model", "seed"]],
        &["vocabulary", "vectors"],
        &["table", "coverage"],
        &[&[&["d_model", "seed", "vocabulary", "vectors"]]],
    ),
    part(
        "sweep",
        &[&["budget"]],
        &["learning_rates", "batch_sizes", "train", "validation", "test", "broken"],
        &["trained", "reported", "accuracies", "best"],
        &[&[&["budget", "learning_rates", "batch_sizes", "train", "validation", "test"]]],
    ),
    part(
        "capture",
        &[CAPTURE],
        CALLS,
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
        &[&[CAPTURE, CALLS]],
    ),
    part(
        "statistics",
        &[],
        &["weights", "mask"],
        &["entropy", "from_uniform", "on_padding"],
        &[&[&["weights", "mask"]]],
    ),
    part("detectors", &[], &[], &[], &[]),
    part("answers", &[], &[], &["answers.toml"], &[]),
    part(
        "prefix",
        &[TUNED, &["prefix_length"]],
        TEXTS,
        &["logits", "axes"],
        &[&[TUNED, &["prefix_length"], TEXTS]],
    ),
    part("partial", &[TUNED, PARTIAL], TEXTS, &["logits", "axes"], &[&[TUNED, PARTIAL, TEXTS]]),
    part(
        "loop",
        &[LOOP],
        TUNING,
        &["values", "visited", "validated", "looks", "validation_losses", "best"],
        &[&[LOOP, TUNING]],
    ),
    part(
        "save",
        &[SAVED],
        &["tuned", "learns", "labels"],
        &["values", "kept", "strangers", "labels", "told"],
        &[&[SAVED, &["tuned", "learns", "labels"]]],
    ),
    part(
        "load",
        &[SAVED, MISFITS],
        LOADED,
        &["values", "refused", "labels"],
        &[&[SAVED, MISFITS, LOADED]],
    ),
];

/// Sizes of positions.
const POSITIONS: &[&str] = &["d_model", "max_len"];

/// Inputs of whatever reads texts.
const TEXTS: &[&str] = &["ids", "mask"];

/// Sizes and inputs of a capture.
const CAPTURE: &[&str] = &["module", "before", "after", "fails", "unnamed"];
const CALLS: &[&str] = &["calls", "batches", "lengths", "weights"];

/// Sizes of partial tuning, beside those of the encoder.
const PARTIAL: &[&str] = &["base_dropout_permille", "unfrozen"];

/// Sizes and inputs of a loop.
const LOOP: &[&str] = &["epochs", "batches", "patience", "failing_loss", "failing_validation"];
const TUNING: &[&str] = &["start", "settings", "learns", "gradients", "losses"];

/// Sizes and inputs of what loads a checkpoint, beside the checkpoint's sizes.
const MISFITS: &[&str] = &["other_base", "stranger", "misshapen", "misfit"];
const LOADED: &[&str] = &["kept", "saved", "learns", "labels", "fresh"];

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

/// Returns the names of a part, or `None` if there is no such part.
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

    /// The sizes or inputs that a question lacks, if it has names for which `has` is true and is `asked` for
    /// its inputs: of the way of asking that it comes closest to.
    pub fn lacking(&self, asked: Asked, has: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let of = |names: &Names| -> Vec<&'static str> {
            let names = names.iter().flat_map(|list| list.iter().copied());
            let wanted = names.filter(|name| asked == Asked::ToRun || !self.has_input(name));
            wanted.filter(|name| !has(name)).collect()
        };
        self.required.iter().map(of).min_by_key(Vec::len).unwrap_or_default()
    }
}

/// Kind of request to a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Construction only: no inputs are needed.
    ToBeMade,
    /// A run on inputs.
    ToRun,
}
