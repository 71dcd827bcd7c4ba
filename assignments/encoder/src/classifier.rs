//! Task 4: the classifier.
//!
//! The specification is the documentation of [`TextClassifier`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// An encoder, the mean over the real tokens, and a linear head.
pub struct Classifier {
    // What the classifier has to keep between `new` and `forward`.
}

impl TextClassifier for Classifier {
    fn new(
        config: EncoderConfig,
        classes: usize,
        below: &dyn ClassifierParts,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        todo!("task 4: the classifier, its encoder and parameters")
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        todo!("task 4: the classifier")
    }
}
