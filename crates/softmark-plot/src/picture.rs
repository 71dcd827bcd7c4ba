//! Pictures as SVG, and the errors of drawing them.

/// Errors of drawing a picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("there is nothing to draw: {what}")]
    Empty {
        /// Description of the missing data.
        what: &'static str,
    },
    /// The number of values does not match the number of names.
    #[error("{what}: {got} where {wanted} are needed")]
    Shape {
        /// Description of the values.
        what: String,
        /// Number of values given.
        got: usize,
        /// Number of values expected.
        wanted: usize,
    },
    /// The drawing library failed.
    #[error("the picture could not be drawn: {reason}")]
    Drawing {
        /// Message of the drawing library.
        reason: String,
    },
}

impl PlotError {
    pub(crate) fn drawing(reason: impl std::fmt::Display) -> Self {
        Self::Drawing { reason: reason.to_string() }
    }
}

/// A picture, stored as SVG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    svg: String,
}

impl Picture {
    pub(crate) fn new(svg: String) -> Self {
        Self { svg }
    }

    /// Returns the picture as SVG; the same numbers give the same bytes.
    pub fn svg(&self) -> &str {
        &self.svg
    }
}
