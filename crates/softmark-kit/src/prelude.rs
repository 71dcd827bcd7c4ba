//! The imports that nearly every file of an assignment needs.
//!
//! ```
//! use softmark_kit::prelude::*;
//!
//! let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?;
//! assert_eq!(x.dims2()?, (2, 3));
//! # Ok::<(), candle_core::Error>(())
//! ```

pub use std::sync::Arc;

pub use candle_core::{D, DType, Device, IndexOp, Module, ModuleT, Result, Tensor};
pub use candle_nn::VarBuilder;

pub use crate::hooks::{HeadStatistics, Hooks};
pub use crate::pretrained::PretrainedConfig;
#[cfg(feature = "pretrained-encoder")]
pub use crate::pretrained::PretrainedEncoder;
