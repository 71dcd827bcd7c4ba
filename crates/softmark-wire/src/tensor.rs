//! Tensors as they travel: a shape and its elements, row by row.

use std::fmt;

use thiserror::Error;

/// Most axes that a tensor may have.
pub const MAX_RANK: usize = 8;

/// The element type of a [`Tensor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DType {
    /// 32-bit floating point: what students compute in.
    F32,
    /// 64-bit floating point.
    F64,
    /// Unsigned bytes: masks.
    U8,
    /// Unsigned 32-bit integers: token ids and positions.
    U32,
    /// Signed 64-bit integers.
    I64,
}

impl DType {
    /// Bytes that one element takes on the wire.
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

/// The elements of a [`Tensor`], the last axis running fastest.
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
    /// How many elements there are.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::U8(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::I64(v) => v.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type.
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

/// Why a shape and its elements do not make a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TensorError {
    /// More axes than [`MAX_RANK`].
    #[error("{rank} axes, at most {MAX_RANK} are allowed")]
    Rank {
        /// How many axes were claimed.
        rank: usize,
    },
    /// The sizes multiply to more than can be counted.
    #[error("shape {shape:?} has more elements than can be counted")]
    Overflow {
        /// The claimed shape.
        shape: Vec<usize>,
    },
    /// The shape asks for another number of elements than there are.
    #[error("shape {shape:?} takes {want} elements, there are {got}")]
    Count {
        /// The claimed shape.
        shape: Vec<usize>,
        /// The product of its sizes.
        want: usize,
        /// The elements given.
        got: usize,
    },
}

/// A shape and as many elements as it takes.
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

/// The number of elements in `shape`, or why there is none.
///
/// # Errors
///
/// When there are too many axes or the product cannot be counted.
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
    /// A tensor of `shape` that holds `data`.
    ///
    /// # Errors
    ///
    /// When the number of elements is not what the shape takes.
    pub fn new(shape: &[usize], data: Data) -> Result<Self, TensorError> {
        let want = count(shape)?;
        if want != data.len() {
            return Err(TensorError::Count { shape: shape.to_vec(), want, got: data.len() });
        }
        Ok(Self { shape: shape.to_vec(), data })
    }

    /// A tensor of 32-bit floating point numbers.
    ///
    /// # Errors
    ///
    /// When the number of elements is not what the shape takes.
    pub fn f32(shape: &[usize], data: Vec<f32>) -> Result<Self, TensorError> {
        Self::new(shape, Data::F32(data))
    }

    /// A tensor of bytes, as masks are.
    ///
    /// # Errors
    ///
    /// When the number of elements is not what the shape takes.
    pub fn u8(shape: &[usize], data: Vec<u8>) -> Result<Self, TensorError> {
        Self::new(shape, Data::U8(data))
    }

    /// The size of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.data.dtype()
    }

    /// The elements, the last axis running fastest.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The elements in `f64`, in which all judging is done.
    ///
    /// Exact for every type but `i64` beyond 2^53, which no check uses.
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
