//! Task 2: multi-head attention.
//!
//! The specification is the documentation of [`MultiHeadAttention`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Projects, attends in every head, merges and projects again.
pub struct MultiHead {
    // What the layer has to keep between `new` and `attend`.
}

impl MultiHeadAttention for MultiHead {
    fn new(
        config: AttentionConfig,
        attention: Arc<dyn ScaledDotProductAttention>,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        todo!("task 2: multi-head attention, its parameters")
    }

    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput> {
        todo!("task 2: multi-head attention")
    }
}
