//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.

pub use softmark_kit::prelude::*;

pub use crate::{
    BlockConfig, BlockParts, DecoderBlock, GroupedQueryAttention, GroupedQueryConfig,
    ModernAssignment, PartsOf, RmsNorm, Rotary, SwiGlu,
};

// A type of the same name hides a trait of the prelude; its methods can be called all the same.
pub use crate::{
    BlockParts as _, DecoderBlock as _, GroupedQueryAttention as _, ModernAssignment as _,
    RmsNorm as _, Rotary as _, SwiGlu as _,
};
