//! Names of the sizes, inputs and outputs of each component.

use softmark_checks::Signature;

/// Sizes of positions.
const POSITIONS: &[&str] = &["d_model", "max_len"];

/// Scaled dot-product attention.
pub static SCALED_DOT_PRODUCT: Signature = Signature {
    optional: &["mask"],
    ..Signature::new(
        "scaled-dot-product",
        &[],
        &["query", "key", "value", "mask"],
        &["output", "weights"],
    )
};

/// Multi-head attention. Without `key` and `value`, it is called with one tensor three times.
pub static MULTI_HEAD: Signature = Signature {
    optional: &["stand_ins", "key", "value", "mask"],
    ..Signature::new(
        "multi-head",
        &[&["d_model", "heads", "stand_ins"]],
        &["query", "key", "value", "mask"],
        &["output", "weights"],
    )
};

/// Sinusoidal positions.
pub static SINUSOIDAL_POSITION: Signature =
    Signature::new("sinusoidal-position", &[POSITIONS], &["x"], &["output"]);

/// Learned positions.
pub static LEARNED_POSITION: Signature =
    Signature::new("learned-position", &[POSITIONS], &["x"], &["output"]);

/// Masked pooling.
pub static MASKED_POOLING: Signature = Signature {
    optional: &["mask"],
    ..Signature::new("masked-pooling", &[&["kind"]], &["x", "mask"], &["output"])
};

/// The classifier.
pub static CLASSIFIER: Signature = Signature {
    optional: &["stand_ins"],
    ..Signature::new(
        "classifier",
        &[POSITIONS, &["vocabulary", "heads", "classes", "norm", "kind", "stand_ins"]],
        &["ids", "mask"],
        &["logits"],
    )
};
