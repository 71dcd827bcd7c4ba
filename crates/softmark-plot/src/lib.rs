//! Pictures of trainings: curves, comparisons, confusion matrices and attention; the last for a
//! terminal too.
//!
//! Each is a pure function from numbers to a [`Picture`], whose SVG is the same bytes for the same
//! numbers, and whose PNG, with the feature `png`, is that SVG rasterized with a font that is compiled
//! in.
//!
//! They are made to be read without color too: hues are those that people with a color deficiency
//! tell apart, each series is lighter than the one before it, and has a marker or a place of its own;
//! lines of training are dashed, those of validation are not.
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
