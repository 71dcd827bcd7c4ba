//! Names of the sizes, inputs and outputs of each component.

use softmark_checks::Signature;

/// A capture of attention weights.
pub static CAPTURE: Signature = Signature::new(
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
);

/// Attention weights in numbers.
pub static STATISTICS: Signature = Signature::new(
    "statistics",
    &[],
    &["weights", "mask"],
    &["entropy", "from_uniform", "on_padding"],
);

/// Detectors, which are asked about layers and not run forward.
pub static DETECTORS: Signature = Signature::new("detectors", &[], &[], &[]);
