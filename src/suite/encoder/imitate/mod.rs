//! Parts that make mistakes on purpose.
