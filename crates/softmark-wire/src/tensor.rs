//! Tensors as they are sent: a shape and its elements in row-major order.

use std::fmt;

use thiserror::Error;

/// The maximum number of axes of a tensor.
pub const MAX_RANK: usize = 8;

/// The element type of a [`Tensor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DType {
    /// 32-bit floating point, the type in which students compute.
    F32,
    /// 64-bit floating point.
    F64,
    /// Unsigned bytes, the type of masks.
    U8,
    /// Unsigned 32-bit integers, the type of token ids and positions.
    U32,
    /// Signed 64-bit integers.
    I64,
}

impl DType {
    /// Returns the number of bytes of one encoded element.
    pub fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::F32 | Self::U32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::U8 => "u8",
            Self::U32 => "u32",
            Self::I64 => "i64",
        })
    }
}

/// The elements of a [`Tensor`] in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// 32-bit floating point.
    F32(Vec<f32>),
    /// 64-bit floating point.
    F64(Vec<f64>),
    /// Unsigned bytes.
    U8(Vec<u8>),
    /// Unsigned 32-bit integers.
    U32(Vec<u32>),
    /// Signed 64-bit integers.
    I64(Vec<i64>),
}

impl Data {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::U8(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::I64(v) => v.len(),
        }
    }

    /// Returns true if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the element type.
    pub fn dtype(&self) -> DType {
        match self {
            Self::F32(_) => DType::F32,
            Self::F64(_) => DType::F64,
            Self::U8(_) => DType::U8,
            Self::U32(_) => DType::U32,
            Self::I64(_) => DType::I64,
        }
    }
}

/// Reasons why a shape and elements do not form a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TensorError {
    /// The shape has more axes than [`MAX_RANK`].
    #[error("{rank} axes, at most {MAX_RANK} are allowed")]
    Rank {
        /// Number of axes of the shape.
        rank: usize,
    },
    /// The product of the sizes overflows.
    #[error("shape {shape:?} has more elements than can be counted")]
    Overflow {
        /// The shape given.
        shape: Vec<usize>,
    },
    /// The number of elements does not match the shape.
    #[error("shape {shape:?} takes {want} elements, there are {got}")]
    Count {
        /// The shape given.
        shape: Vec<usize>,
        /// Product of the shape's sizes.
        want: usize,
        /// Number of elements given.
        got: usize,
    },
}

/// A tensor: a shape and the matching number of elements.
///
/// ```
/// use softmark_wire::{DType, Tensor};
///
/// let mask = Tensor::u8(&[2, 2], vec![1, 0, 1, 1])?;
/// assert_eq!((mask.shape(), mask.dtype()), (&[2, 2][..], DType::U8));
/// assert!(Tensor::u8(&[2, 2], vec![1, 0, 1]).is_err());
/// # Ok::<(), softmark_wire::TensorError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    data: Data,
}

/// Returns the number of elements of a tensor of `shape`.
///
/// # Errors
///
/// Fails if there are too many axes or the product overflows.
pub fn count(shape: &[usize]) -> Result<usize, TensorError> {
    if shape.len() > MAX_RANK {
        return Err(TensorError::Rank { rank: shape.len() });
    }
    shape
        .iter()
        .try_fold(1_usize, |n, &size| n.checked_mul(size))
        .ok_or_else(|| TensorError::Overflow { shape: shape.to_vec() })
}

impl Tensor {
    /// Returns a tensor of `shape` with the elements `data`.
    ///
    /// # Errors
    ///
    /// Fails if the number of elements does not match the shape.
    pub fn new(shape: &[usize], data: Data) -> Result<Self, TensorError> {
        let want = count(shape)?;
        if want != data.len() {
            return Err(TensorError::Count { shape: shape.to_vec(), want, got: data.len() });
        }
        Ok(Self { shape: shape.to_vec(), data })
    }

    /// Returns a tensor of 32-bit floating point numbers.
    ///
    /// # Errors
    ///
    /// Fails if the number of elements does not match the shape.
    pub fn f32(shape: &[usize], data: Vec<f32>) -> Result<Self, TensorError> {
        Self::new(shape, Data::F32(data))
    }

    /// Returns a tensor of bytes, the type of masks.
    ///
    /// # Errors
    ///
    /// Fails if the number of elements does not match the shape.
    pub fn u8(shape: &[usize], data: Vec<u8>) -> Result<Self, TensorError> {
        Self::new(shape, Data::U8(data))
    }

    /// Returns the size of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the element type.
    pub fn dtype(&self) -> DType {
        self.data.dtype()
    }

    /// Returns the elements in row-major order.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the elements converted to `f64`, the type in which answers are judged.
    ///
    /// The conversion is exact except for `i64` beyond 2^53, which no check uses.
    pub fn to_f64(&self) -> Vec<f64> {
        match &self.data {
            Data::F32(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Data::F64(v) => v.clone(),
            Data::U8(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Data::U32(v) => v.iter().map(|&x| f64::from(x)).collect(),
            Data::I64(v) => v.iter().map(|&x| x as f64).collect(),
        }
    }
}
