//! Task 6: the classifier.
//!
//! The specification is the documentation of [`AttentionClassifier`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Embedded tokens, positions, one self-attention, pooling, and a linear head.
pub struct Classifier {
    // What the classifier has to keep between `new` and `forward`: layers are in `softmark_kit::nn`.
}

impl AttentionClassifier for Classifier {
    fn new(
        config: ClassifierConfig,
        below: &dyn AttentionParts,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        todo!("task 6: the classifier, its parts and parameters")
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        todo!("task 6: the classifier")
    }
}
