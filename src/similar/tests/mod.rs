//! Tests of the comparison: copies in every disguise are found, and work that was written apart is not.

mod disguise;
mod earlier;
mod found;
mod hostile;
mod independent;
mod sample;
