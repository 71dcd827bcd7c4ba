//! Options that fused layers share with their composed versions.

/// Options of [`cross_entropy_with`](crate::nn::loss::cross_entropy_with).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CrossEntropyOptions {
    /// Share of the target that is spread evenly over all classes, from `0 ≤ ε < 1`; 0 for none.
    pub label_smoothing: f64,
    /// Target whose rows are ignored.
    pub ignore_index: Option<u32>,
}

/// Method of pooling a sequence into one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// Mean over the visible positions of the mask.
    Mean,
    /// Largest value of each channel among the visible positions of the mask.
    Max,
    /// Vector at the first visible position of the mask.
    First,
}
