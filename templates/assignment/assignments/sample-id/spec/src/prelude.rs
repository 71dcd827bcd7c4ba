//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.

pub use softmark_kit::prelude::*;

pub use crate::{Assignment, ScaledResidual};
