//! The public checks of the `encoder` assignment, a file a task.

pub mod cases;
pub mod classifier;
pub mod encoder;
pub mod encoder_layer;
pub mod feed_forward;
pub mod glove;
pub mod signatures;
pub mod sweep;

use softmark_checks::task::Task;

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "feed-forward",
        title: "Task 1: the feed-forward network",
        file: "src/feed_forward.rs",
        built_on: &[],
        checks: feed_forward::CHECKS,
    },
    Task {
        id: "encoder-layer",
        title: "Task 2: the encoder layer",
        file: "src/layer.rs",
        built_on: &["feed-forward"],
        checks: encoder_layer::CHECKS,
    },
    Task {
        id: "encoder",
        title: "Task 3: the encoder",
        file: "src/encoder.rs",
        built_on: &["feed-forward", "encoder-layer"],
        checks: encoder::CHECKS,
    },
    Task {
        id: "classifier",
        title: "Task 4: the classifier",
        file: "src/classifier.rs",
        built_on: &["feed-forward", "encoder-layer", "encoder"],
        checks: classifier::CHECKS,
    },
    Task {
        id: "glove",
        title: "Task 5: embeddings from word vectors",
        file: "src/glove.rs",
        built_on: &[],
        checks: glove::CHECKS,
    },
    Task {
        id: "sweep",
        title: "Task 6: the search",
        file: "src/search.rs",
        built_on: &[],
        checks: sweep::CHECKS,
    },
];
