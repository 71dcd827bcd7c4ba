//! Pictures of trainings: curves, comparisons, confusion matrices and attention; attention also as text for a terminal.
//!
//! Each is a pure function from numbers to a [`Picture`]. The same numbers give the same SVG, byte for byte.
//! With the feature `png`, the PNG is that SVG rasterized with an embedded font.
//!
//! The pictures can be read without color: the hues are safe for color-blind readers, each series is lighter
//! than the one before it and has a marker or a position of its own, and training lines are dashed where
//! validation lines are solid.
//!
//! ```
//! use softmark_plot::{Run, training_curves};
//!
//! let run = Run {
//!     name: "warm-up".into(),
//!     train_loss: vec![1.1, 0.6, 0.4],
//!     validation_loss: vec![1.0, 0.7, 0.6],
//!     train_accuracy: vec![0.4, 0.7, 0.9],
//!     validation_accuracy: vec![0.4, 0.6, 0.8],
//! };
//! let picture = training_curves("Question classes", &[run])?;
//! assert!(picture.svg().starts_with("<svg"));
//! # #[cfg(feature = "png")]
//! assert!(picture.png(2.0)?.starts_with(b"\x89PNG"));
//! # Ok::<(), softmark_plot::PlotError>(())
//! ```

mod attention;
mod canvas;
mod comparison;
mod confusion;
mod curves;
mod grid;
pub mod palette;
mod panels;
mod picture;
#[cfg(feature = "png")]
mod png;
mod terminal;

pub use attention::attention;
pub use comparison::{Column, comparison};
pub use confusion::confusion_matrix;
pub use curves::{Run, training_curves};
pub use panels::{Panel, attention_panels};
pub use picture::{Picture, PlotError};
pub use terminal::{attention_panels_text, attention_text};
