//! Task 4: grouped-query attention.
//!
//! The specification is the documentation of [`GroupedQueryAttention`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Causal attention whose query heads share key and value heads.
pub struct GroupedQuery {
    // The fields that the attention needs between `new` and `attend`.
}

impl GroupedQueryAttention for GroupedQuery {
    fn new(
        config: GroupedQueryConfig,
        rotary: Arc<dyn Rotary>,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        todo!("task 4: grouped-query attention, its parameters")
    }

    fn attend(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 4: grouped-query attention")
    }
}
