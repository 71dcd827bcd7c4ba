//! Code and plain data shared by the grader and the kit; it does not depend on candle.
//!
//! Students find these modules and types in `softmark_kit`, which re-exports them, and the examples in
//! the documentation use those paths.
//!
//! | for | module |
//! |---|---|
//! | comparison of numbers against a tolerance | [`compare`] |
//! | random numbers from named, seeded streams | [`rng`] |
//! | built-in data sets | [`data`] |
//! | labeled token sequences | [`examples`] |
//! | sizes and switches of an encoder | [`encoder`] |
//! | limits of experiments with a layer, and its parameters | [`debugging`] |
//! | sizes and parameter names of pretrained encoders | [`pretrained`] |
//! | metadata of the checkpoint of a tuned model | [`checkpoint`] |

pub mod checkpoint;
pub mod compare;
pub mod data;
pub mod debugging;
pub mod encoder;
pub mod examples;
pub mod pretrained;
pub mod rng;
