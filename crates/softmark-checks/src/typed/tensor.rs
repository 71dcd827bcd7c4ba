//! Tensors of any scalar type.

use crate::array::Array;
use crate::defect;
use crate::typed::Scalar;

/// Numbers of a scalar type with a shape, in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor<S = f64> {
    shape: Vec<usize>,
    values: Vec<S>,
}

/// Returns the number of elements before the one at `index`; `None` if the index is outside of the shape.
#[inline]
fn flat(shape: &[usize], index: &[usize]) -> Option<usize> {
    if shape.len() != index.len() {
        return None;
    }
    let places = shape.iter().zip(index);
    places.into_iter().try_fold(0, |before, (size, at)| (at < size).then_some(before * size + at))
}

impl<S: Scalar> Tensor<S> {
    /// Creates a tensor whose value at each index is `value(index)`.
    ///
    /// ```
    /// use softmark_checks::typed::Tensor;
    ///
    /// let x: Tensor = Tensor::from_fn(&[2, 3], |at| (10 * at[0] + at[1]) as f64);
    /// assert_eq!(x.at(&[1, 2]), 12.0);
    /// assert_eq!(x.dim(1), 3);
    /// ```
    pub fn from_fn(shape: &[usize], mut value: impl FnMut(&[usize]) -> S) -> Self {
        let mut values = Vec::new();
        // The odometer of `Array::from_fn` counts; its numbers are not used.
        Array::from_fn(shape, |at| {
            values.push(value(at));
            0.0
        });
        Self { shape: shape.to_vec(), values }
    }

    /// Returns the value at an index; one outside of the tensor is a [defect] and gives `NaN`.
    #[inline]
    pub fn at(&self, index: &[usize]) -> S {
        let found = flat(&self.shape, index).and_then(|place| self.values.get(place));
        found.copied().unwrap_or_else(|| {
            let shape = &self.shape;
            defect::note(|| format!("{index:?} is outside of a tensor of shape {shape:?}"));
            S::constant(f64::NAN)
        })
    }

    /// Returns the shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the size of an axis; 0 if there is none.
    pub fn dim(&self, axis: usize) -> usize {
        self.shape.get(axis).copied().unwrap_or(0)
    }

    /// Returns all values, in row-major order.
    pub fn values(&self) -> &[S] {
        &self.values
    }

    /// Returns the tensor with `f` applied to each value.
    #[must_use]
    pub fn map<R: Scalar>(&self, f: impl FnMut(S) -> R) -> Tensor<R> {
        Tensor { shape: self.shape.clone(), values: self.values.iter().copied().map(f).collect() }
    }

    /// Returns the sums of two tensors of the same shape.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::from_fn(&self.shape, |at| self.at(at) + other.at(at))
    }

    /// Returns `x · Wᵀ` along the last axis, for weights `[to, from]`.
    ///
    /// ```
    /// use softmark_checks::typed::Tensor;
    ///
    /// let x: Tensor = Tensor::from_fn(&[1, 2], |at| at[1] as f64 + 1.0); // [[1, 2]]
    /// let w: Tensor = Tensor::from_fn(&[3, 2], |at| at[0] as f64);
    /// assert_eq!(x.linear(&w).values(), [0.0, 3.0, 6.0]);
    /// ```
    #[must_use]
    pub fn linear(&self, weight: &Self) -> Self {
        let mut shape = self.shape.clone();
        if let Some(last) = shape.last_mut() {
            *last = weight.dim(0);
        }
        Self::from_fn(&shape, |at| self.product_at(weight, at))
    }

    /// Returns the entry of [`linear`](Self::linear) at `at`, adding its terms in the order of the inputs.
    fn product_at(&self, weight: &Self, at: &[usize]) -> S {
        let (leading, to) = at.split_at(at.len().saturating_sub(1));
        let terms = weight.dim(1);
        let Some((x, w)) = self.row(leading, terms).zip(weight.row(to, terms)) else {
            let shapes = (&self.shape, &weight.shape);
            defect::note(|| {
                format!("a product at {at:?} is outside of tensors of shapes {shapes:?}")
            });
            return S::constant(f64::NAN);
        };
        crate::typed::sum(x.iter().zip(w).map(|(x, w)| *x * *w))
    }

    /// Returns the first `length` numbers along the last axis, at an index of the axes before it; `None` if they are
    /// not all inside of the tensor.
    fn row(&self, leading: &[usize], length: usize) -> Option<&[S]> {
        let (last, before) = self.shape.split_last()?;
        let start = flat(before, leading)? * last;
        let row = self.values.get(start..start + last)?;
        row.get(..length)
    }
}

impl From<&Array> for Tensor {
    fn from(array: &Array) -> Self {
        Self { shape: array.shape().to_vec(), values: array.values().to_vec() }
    }
}

impl Tensor {
    /// Converts the tensor to an array.
    pub fn to_array(&self) -> Array {
        Array::new(&self.shape, self.values.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_outside_is_a_defect_and_no_neighbour() {
        let x: Tensor = Tensor::from_fn(&[2, 2], |at| at.iter().sum::<usize>() as f64);
        assert!(defect::ignore(|| x.at(&[0, 2])).is_nan());
        assert!(defect::ignore(|| x.at(&[1])).is_nan());
        assert_eq!(x.at(&[1, 1]), 2.0);
        let number: Tensor = Tensor::from_fn(&[], |_| 3.0);
        assert!(defect::ignore(|| number.linear(&x)).at(&[]).is_nan());
        let narrow: Tensor = Tensor::from_fn(&[1, 1], |_| 1.0);
        assert!(defect::ignore(|| narrow.linear(&x)).at(&[0, 0]).is_nan());
    }
}
