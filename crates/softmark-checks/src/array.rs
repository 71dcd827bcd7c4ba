//! Arrays of `f64`, the type in which all answers are judged.

use softmark_common::compare::unravel;
use softmark_common::rng::Stream;
use softmark_wire::{Data, Tensor};

use crate::defect;

/// Numbers with a shape, in row-major order.
///
/// ```
/// use softmark_checks::Array;
///
/// let x = Array::new(&[2, 3], vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
/// assert_eq!(x.at(&[1, 2]), 5.0);
/// assert!(x.at(&[2, 0]).is_nan()); // outside: a defect of the check
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl Array {
    /// Creates an array of `shape`. Missing values become `NaN` and superfluous ones are dropped; either is a
    /// [defect].
    pub fn new(shape: &[usize], mut values: Vec<f64>) -> Self {
        let (given, wanted) = (values.len(), shape.iter().product());
        if given != wanted {
            defect::note(|| format!("an array of shape {shape:?} is made of {given} values"));
        }
        values.resize(wanted, f64::NAN);
        Self { shape: shape.to_vec(), values }
    }

    /// Creates an array whose value at each index is `value(index)`.
    pub fn from_fn(shape: &[usize], mut value: impl FnMut(&[usize]) -> f64) -> Self {
        let n: usize = shape.iter().product();
        let mut index = vec![0_usize; shape.len()];
        let mut values = Vec::with_capacity(n);
        for _ in 0..n {
            values.push(value(&index));
            // Increments the index like an odometer.
            for (at, &size) in index.iter_mut().zip(shape).rev() {
                *at += 1;
                if *at < size {
                    break;
                }
                *at = 0;
            }
        }
        Self { shape: shape.to_vec(), values }
    }

    /// Creates an array with the same value at every index.
    pub fn full(shape: &[usize], value: f64) -> Self {
        Self { shape: shape.to_vec(), values: vec![value; shape.iter().product()] }
    }

    /// Creates an array of random multiples of 1/8 between −2 and 2, which are exact in `f32` and easy to read.
    pub fn random(shape: &[usize], stream: &mut Stream) -> Self {
        Self::from_fn(shape, |_| stream.below(33) as f64 / 8.0 - 2.0)
    }

    /// Converts a tensor to an array of `f64`.
    pub fn from_tensor(tensor: &Tensor) -> Self {
        Self { shape: tensor.shape().to_vec(), values: tensor.to_f64() }
    }

    /// Converts the array to a tensor of `f32`.
    pub fn to_f32(&self) -> Tensor {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
        let data = self.values.iter().map(|&x| x as f32).collect();
        self.tensor(Data::F32(data))
    }

    /// Converts the array to a tensor of `u8`: 1 for each value that is not 0.
    pub fn to_mask(&self) -> Tensor {
        self.tensor(Data::U8(self.values.iter().map(|&x| u8::from(x != 0.0)).collect()))
    }

    /// Converts the array to a tensor of `u32`: each value is truncated and clamped to the range of `u32`.
    pub fn to_ids(&self) -> Tensor {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "ids are small whole numbers; what is beyond is clamped"
        )]
        let data = self.values.iter().map(|&x| x as u32).collect();
        self.tensor(Data::U32(data))
    }

    /// Converts the array to a tensor of `u8`: the bytes of a text.
    pub fn to_bytes(&self) -> Tensor {
        self.tensor(Data::U8(self.bytes()))
    }

    fn bytes(&self) -> Vec<u8> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "made from bytes; what is beyond is clamped"
        )]
        let bytes = self.values.iter().map(|&x| x as u8).collect();
        bytes
    }

    /// Creates an array of the bytes of a text, one value per byte.
    ///
    /// ```
    /// use softmark_checks::Array;
    ///
    /// assert_eq!(Array::from_text("of").values(), [111.0, 102.0]);
    /// assert_eq!(Array::from_text("of").to_text().as_deref(), Some("of"));
    /// ```
    pub fn from_text(text: &str) -> Self {
        Self { shape: vec![text.len()], values: text.bytes().map(f64::from).collect() }
    }

    /// Returns the text with these bytes, or `None` if they are not valid UTF-8.
    pub fn to_text(&self) -> Option<String> {
        String::from_utf8(self.bytes()).ok()
    }

    fn tensor(&self, data: Data) -> Tensor {
        // There is one element per value; every constructor ensures that `shape` has as many elements.
        Tensor::new(&self.shape, data).unwrap_or_else(|_| empty())
    }

    /// Returns the size of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the size of one axis; 0 if there is no such axis.
    pub fn dim(&self, axis: usize) -> usize {
        self.shape.get(axis).copied().unwrap_or(0)
    }

    /// Returns the values in row-major order.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the values in row-major order, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Returns the position of `index` in the values; an index out of bounds is a [defect].
    #[inline]
    fn offset(&self, index: &[usize]) -> Option<usize> {
        let mut axes = index.iter().zip(&self.shape);
        let flat = axes.try_fold(0, |flat, (&at, &size)| (at < size).then_some(flat * size + at));
        let inside = flat.filter(|_| index.len() == self.shape.len());
        if inside.is_none() {
            self.note_outside(index);
        }
        inside
    }

    #[cold]
    fn note_outside(&self, index: &[usize]) {
        let shape = &self.shape;
        defect::note(|| format!("{index:?} is outside of an array of shape {shape:?}"));
    }

    /// Returns the value at `index`; an index out of bounds is a [defect] and gives `NaN`.
    #[inline]
    pub fn at(&self, index: &[usize]) -> f64 {
        self.offset(index).and_then(|flat| self.values.get(flat)).copied().unwrap_or(f64::NAN)
    }

    /// Sets the value at `index`; an index out of bounds is a [defect] and changes nothing.
    #[inline]
    pub fn set(&mut self, index: &[usize], value: f64) {
        if let Some(place) = self.offset(index).and_then(|flat| self.values.get_mut(flat)) {
            *place = value;
        }
    }

    /// Returns an array of the same shape with `f` applied to every value.
    #[must_use]
    pub fn map(&self, f: impl FnMut(f64) -> f64) -> Self {
        Self { shape: self.shape.clone(), values: self.values.iter().copied().map(f).collect() }
    }

    /// Returns true if the shapes or any two numbers of this array and `other` differ, by any amount.
    ///
    /// `NaN` does not count as a difference: it is never equal to itself, and would seem to change by itself.
    ///
    /// ```
    /// use softmark_checks::Array;
    ///
    /// let of = |x| Array::full(&[2], x);
    /// assert!(of(1.0).differs(&of(2.0)));
    /// assert!(!of(1.0).differs(&of(1.0)));
    /// assert!(!of(f64::NAN).differs(&of(f64::NAN)));
    /// ```
    pub fn differs(&self, other: &Self) -> bool {
        let pairs = self.values.iter().zip(&other.values);
        self.shape != other.shape
            || pairs.into_iter().any(|(x, y)| !x.is_nan() && !y.is_nan() && x != y)
    }

    /// Returns the largest magnitude; 0 for an empty array, and `NaN` if one of the values is `NaN`.
    ///
    /// ```
    /// use softmark_checks::Array;
    ///
    /// assert_eq!(Array::new(&[2], vec![-3.0, 2.0]).magnitude(), 3.0);
    /// assert!(Array::new(&[2], vec![f64::NAN, 2.0]).magnitude().is_nan());
    /// ```
    pub fn magnitude(&self) -> f64 {
        let larger = |most: f64, x: &f64| if x.is_nan() { f64::NAN } else { x.abs().max(most) };
        self.values.iter().fold(0.0, |most, x| if most.is_nan() { most } else { larger(most, x) })
    }

    /// Returns the largest absolute difference from the value of `other` at the same index; 0 for empty arrays.
    /// Differences that are `NaN` do not count.
    ///
    /// ```
    /// use softmark_checks::Array;
    ///
    /// let of = |values: [f64; 3]| Array::new(&[3], values.to_vec());
    /// assert_eq!(of([1.0, 2.0, 3.0]).largest_difference(&of([1.5, 0.0, f64::NAN])), 2.0);
    /// ```
    pub fn largest_difference(&self, other: &Self) -> f64 {
        let pairs = self.values.iter().zip(&other.values);
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    }

    /// Returns the index of the first value that is not finite, or `None` if all are finite.
    ///
    /// ```
    /// use softmark_checks::Array;
    ///
    /// let x = Array::new(&[2, 2], vec![0.0, 1.0, f64::NAN, f64::INFINITY]);
    /// assert_eq!(x.first_not_finite(), Some(vec![1, 0]));
    /// assert_eq!(x.map(|_| 0.0).first_not_finite(), None);
    /// ```
    pub fn first_not_finite(&self) -> Option<Vec<usize>> {
        let flat = self.values.iter().position(|x| !x.is_finite())?;
        Some(unravel(flat, &self.shape))
    }

    /// Formats the rows along the first axis, each after its name: `rate 0.5, steps [1, 2]`.
    pub(crate) fn named_rows(&self, names: &[&str]) -> String {
        let (n, rest) = self.shape.split_first().map_or((1, &[][..]), |(n, rest)| (*n, rest));
        let size = self.values.len().checked_div(n).unwrap_or(0).max(1);
        let rows = self.values.chunks(size).zip(names);
        let row = |(row, name): (&[f64], &&str)| format!("{name} {}", nested(rest, row));
        rows.map(row).collect::<Vec<_>>().join(", ")
    }

    /// Formats the array as text, such as `[[1, 2], [3, 4]]`; `None` if it has more than `limit` values.
    pub fn text(&self, limit: usize) -> Option<String> {
        (self.values.len() <= limit).then(|| nested(&self.shape, &self.values))
    }
}

/// Returns a tensor without elements, for cases that cannot occur.
fn empty() -> Tensor {
    let scalar = Tensor::f32(&[], vec![f32::NAN]);
    scalar.unwrap_or_else(|_| empty())
}

fn nested(shape: &[usize], values: &[f64]) -> String {
    match shape.split_first() {
        None => values.first().map_or_else(String::new, |x| short(*x)),
        Some((&n, rest)) => {
            let size = rest.iter().product::<usize>().max(1);
            let rows = values.chunks(size).take(n).map(|row| nested(rest, row));
            format!("[{}]", rows.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Formats a number with at most six significant digits.
///
/// ```
/// use softmark_checks::array::short;
///
/// assert_eq!(short(0.5), "0.5");
/// assert_eq!(short(1.0 / 3.0), "0.333333");
/// assert_eq!(short(1e-9), "1e-9");
/// assert_eq!(short(-0.0), "0");
/// assert_eq!(short(f64::NAN), "NaN");
/// ```
pub fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !x.is_finite() {
        return format!("{x}");
    }
    if x.abs() < 1e-4 || x.abs() >= 1e7 {
        let text = format!("{x:.2e}");
        return text.replace(".00e", "e");
    }
    // Digits after the point so that six are significant, then without trailing zeros.
    let digits = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5].iter().filter(|&&power| x.abs() >= power).count();
    let text = format!("{x:.*}", 6_usize.saturating_sub(digits));
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Formats two numbers that differ, with as many digits as distinguish them.
///
/// ```
/// use softmark_checks::array::short_pair;
///
/// assert_eq!(short_pair(0.5, 0.25), ("0.5".to_owned(), "0.25".to_owned()));
/// assert_eq!(short_pair(0.333_333_3, 0.333_333_4), ("3.333333e-1".to_owned(), "3.333334e-1".to_owned()));
/// ```
pub fn short_pair(one: f64, other: f64) -> (String, String) {
    let short = (short(one), short(other));
    if short.0 != short.1 || one == other {
        return short;
    }
    let digits = |digits: usize| (format!("{one:.digits$e}"), format!("{other:.digits$e}"));
    (6..17).map(digits).find(|(one, other)| one != other).unwrap_or(short)
}

/// Returns the array with each number raised by another amount, which no norm and no mean evens out.
#[must_use]
pub fn raised_unequally(array: &Array) -> Array {
    let mut n = 0.0;
    array.map(|x| {
        n += 1.0;
        x + 1.0 / n
    })
}

/// The array with the values at places that are `hidden` replaced by others.
///
/// Each becomes `big` times a random number of its own, of at least 1/8.
#[must_use]
pub fn disturbed(
    array: &Array,
    big: f64,
    stream: &mut Stream,
    hidden: impl Fn(&[usize]) -> bool,
) -> Array {
    let mut rest = Array::random(array.shape(), stream);
    rest = rest.map(|x| (x + 2.125) * big);
    Array::from_fn(array.shape(), |at| if hidden(at) { rest.at(at) } else { array.at(at) })
}
