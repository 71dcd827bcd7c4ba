//! A picture, as text.

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlotError {
    /// There is nothing to draw.
    #[error("there is nothing to draw: {what}")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// Numbers and names do not fit one another.
    #[error("{what}: {got} where {wanted} are needed")]
    Shape {
        /// Of what there are too many or too few.
        what: String,
        /// How many there are.
        got: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// The drawing library says no.
    #[error("the picture could not be drawn: {reason}")]
    Drawing {
        /// What it says.
        reason: String,
    },
}

impl PlotError {
    pub(crate) fn drawing(reason: impl std::fmt::Display) -> Self {
        Self::Drawing { reason: reason.to_string() }
    }
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    svg: String,
}

impl Picture {
    pub(crate) fn new(svg: String) -> Self {
        Self { svg }
    }

    /// As SVG: the same bytes for the same numbers.
    pub fn svg(&self) -> &str {
        &self.svg
    }
}
