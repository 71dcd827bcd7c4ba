//! Sizes of a task's questions: how they are drawn, shrunk, and varied in corner cases.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use proptest::prelude::{Strategy, any};

use crate::corners::Corners;
use crate::defect;

/// A size that varies from question to question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dim {
    /// Letter of the size in labels, such as `B`.
    pub name: &'static str,
    /// Smallest value.
    pub from: usize,
    /// Largest value.
    pub to: usize,
}

impl Dim {
    /// Returns a size from `from` to `to`.
    pub const fn new(name: &'static str, from: usize, to: usize) -> Self {
        Self { name, from, to }
    }

    fn range(self) -> RangeInclusive<usize> {
        self.from..=self.to
    }
}

/// Values of all sizes of a question, as an array with one value for each [`Dim`].
pub trait Dims: Copy + Debug {
    /// Returns the array of these values; another number of them is a [defect].
    fn of(values: &[usize]) -> Self;
}

impl<const N: usize> Dims for [usize; N] {
    fn of(values: &[usize]) -> Self {
        if values.len() != N {
            defect::note(|| format!("{} sizes for a question with {N}", values.len()));
        }
        std::array::from_fn(|place| values.get(place).copied().unwrap_or(1))
    }
}

/// Sizes and random stream of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Values of the sizes, in the order of the task's [`Dim`]s.
    pub sizes: Vec<usize>,
    /// The sizes themselves.
    pub dims: &'static [Dim],
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

impl Shape {
    /// Returns the largest sizes that are larger than 1 and different from one another, as far as their ranges allow it.
    pub fn corner(dims: &'static [Dim]) -> Self {
        Self { sizes: Vec::new(), dims, data: 0 }.distinct(true)
    }

    /// Returns the shape with another value for one size, kept within its range; nothing changes if there is no such
    /// size.
    #[must_use]
    pub fn with(&self, name: &str, change: impl Fn(usize) -> usize) -> Self {
        let mut changed = self.clone();
        for (dim, size) in self.dims.iter().zip(&mut changed.sizes) {
            if dim.name == name {
                *size = change(*size).clamp(dim.from, dim.to);
            }
        }
        changed
    }

    /// Returns the sizes in readable form: `B=1 T=2 D=4`.
    pub fn label(&self) -> String {
        let each = self.dims.iter().zip(&self.sizes);
        each.map(|(dim, size)| format!("{}={size}", dim.name)).collect::<Vec<_>>().join(" ")
    }

    /// Returns sizes that are larger than 1 and different from one another, as far as their ranges allow it: the
    /// smallest such sizes, or the largest.
    fn distinct(&self, largest: bool) -> Self {
        let mut used = Vec::new();
        for dim in self.dims {
            let is_new = |size: &usize| *size > 1 && !used.contains(size);
            let mut range = dim.range();
            let found = if largest { range.rfind(is_new) } else { range.find(is_new) };
            used.push(found.unwrap_or(dim.to));
        }
        Self { sizes: used, ..self.clone() }
    }
}

impl Corners for Shape {
    fn corners(&self) -> Vec<Self> {
        vec![self.distinct(false), self.distinct(true)]
    }
}

/// Returns a strategy for shapes with these sizes, which shrinks towards the smallest ones.
pub fn shapes(dims: &'static [Dim]) -> impl Strategy<Value = Shape> {
    let ranges: Vec<RangeInclusive<usize>> = dims.iter().map(|dim| dim.range()).collect();
    (ranges, any::<u64>()).prop_map(move |(sizes, data)| Shape { sizes, dims, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMS: &[Dim] = &[Dim::new("B", 1, 3), Dim::new("T", 1, 4), Dim::new("D", 1, 5)];

    #[test]
    fn corners_are_larger_than_one_and_distinct() {
        let shape = Shape { sizes: vec![1, 1, 1], dims: DIMS, data: 7 };
        let corners = shape.corners();
        assert_eq!(corners[0].sizes, [2, 3, 4]);
        assert_eq!(corners[1].sizes, [3, 4, 5]);
        assert_eq!(corners[1].label(), "B=3 T=4 D=5");
        assert_eq!(corners[0].data, 7);
    }

    #[test]
    fn a_changed_size_stays_in_its_range() {
        let shape = Shape { sizes: vec![1, 4, 1], dims: DIMS, data: 0 };
        assert_eq!(shape.with("T", |t| t + 1).sizes, [1, 4, 1]);
        assert_eq!(shape.with("B", |b| b + 1).sizes, [2, 4, 1]);
        assert_eq!(shape.with("X", |x| x + 1), shape);
    }
}
