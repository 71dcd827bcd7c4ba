//! Task 1: scaled dot-product attention.
//!
//! The specification is the documentation of [`ScaledDotProductAttention`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Attention over all heads at once.
#[derive(Debug)]
pub struct ScaledDotProduct;

impl ScaledDotProductAttention for ScaledDotProduct {
    fn new() -> Self {
        Self
    }

    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput> {
        todo!("task 1: scaled dot-product attention")
    }
}
