//! Bytes of the simple values that messages are made of, little-endian.
//!
//! A [`Reader`] never allocates by a claim: a count is checked against the bytes that are left.

use thiserror::Error;

use crate::tensor::{DType, Data, MAX_RANK, Tensor, TensorError, count};

/// Most bytes of a name or a config key.
pub const MAX_NAME_BYTES: usize = 256;
/// Most bytes of a message for people; a worker cuts longer ones.
pub const MAX_TEXT_BYTES: usize = 16 * 1024;
/// Most entries of a list.
pub const MAX_ENTRIES: usize = 4096;

/// What is wrong with bytes that claim to be a message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The bytes end inside a value.
    #[error("{want} more bytes expected, {got} are left")]
    Short {
        /// Bytes that the value takes.
        want: usize,
        /// Bytes that are left.
        got: usize,
    },
    /// A count above its limit.
    #[error("{what} of {got}, at most {limit} is allowed")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The claim.
        got: usize,
        /// The limit.
        limit: usize,
    },
    /// A tag that stands for nothing.
    #[error("unknown {what} {tag}")]
    Tag {
        /// What the tag should tell.
        what: &'static str,
        /// Its value.
        tag: u8,
    },
    /// A text that is not UTF-8.
    #[error("a text is not UTF-8")]
    Utf8,
    /// A shape that cannot be.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// Bytes after the end of the message.
    #[error("{0} bytes after the end of the message")]
    Trailing(usize),
}

/// Reads values from the front of a slice.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Says that the message ends here.
    ///
    /// # Errors
    ///
    /// When bytes are left.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.left.is_empty() { Ok(()) } else { Err(DecodeError::Trailing(self.left.len())) }
    }

    fn take(&mut self, want: usize) -> Result<&'a [u8], DecodeError> {
        let (front, rest) = self
            .left
            .split_at_checked(want)
            .ok_or(DecodeError::Short { want, got: self.left.len() })?;
        self.left = rest;
        Ok(front)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (front, rest) = self
            .left
            .split_first_chunk::<N>()
            .ok_or(DecodeError::Short { want: N, got: self.left.len() })?;
        self.left = rest;
        Ok(*front)
    }

    /// One byte.
    ///
    /// # Errors
    ///
    /// When none is left.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// Four bytes.
    ///
    /// # Errors
    ///
    /// When fewer are left.
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Eight bytes.
    ///
    /// # Errors
    ///
    /// When fewer are left.
    pub fn u64(&mut self) -> Result<u64, DecodeError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Eight bytes, the bits of a number.
    ///
    /// # Errors
    ///
    /// When fewer are left.
    pub fn f64(&mut self) -> Result<f64, DecodeError> {
        Ok(f64::from_bits(self.u64()?))
    }

    /// A truth value.
    ///
    /// # Errors
    ///
    /// When no byte is left, or it is neither 0 nor 1.
    pub fn bool(&mut self) -> Result<bool, DecodeError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            tag => Err(DecodeError::Tag { what: "truth value", tag }),
        }
    }

    fn counted(&mut self, what: &'static str, limit: usize) -> Result<usize, DecodeError> {
        let got = usize::try_from(self.u32()?).unwrap_or(usize::MAX);
        if got > limit { Err(DecodeError::TooMany { what, got, limit }) } else { Ok(got) }
    }

    fn string(&mut self, what: &'static str, limit: usize) -> Result<String, DecodeError> {
        let n = self.counted(what, limit)?;
        let bytes = self.take(n)?;
        Ok(std::str::from_utf8(bytes).map_err(|_| DecodeError::Utf8)?.to_owned())
    }

    /// A name of at most [`MAX_NAME_BYTES`].
    ///
    /// # Errors
    ///
    /// When it is cut off, too long or not UTF-8.
    pub fn name(&mut self) -> Result<String, DecodeError> {
        self.string("name", MAX_NAME_BYTES)
    }

    /// A text of at most [`MAX_TEXT_BYTES`].
    ///
    /// # Errors
    ///
    /// When it is cut off, too long or not UTF-8.
    pub fn text(&mut self) -> Result<String, DecodeError> {
        self.string("text", MAX_TEXT_BYTES)
    }

    /// A list of at most [`MAX_ENTRIES`], each read by `item`.
    ///
    /// # Errors
    ///
    /// When there are too many or one of them cannot be read.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let n = self.counted("list", MAX_ENTRIES)?;
        // Grown as entries are read: a claim alone allocates nothing.
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A shape of at most [`MAX_RANK`] axes.
    ///
    /// # Errors
    ///
    /// When there are more axes or it is cut off.
    pub fn shape(&mut self) -> Result<Vec<usize>, DecodeError> {
        let rank = usize::from(self.u8()?);
        if rank > MAX_RANK {
            return Err(TensorError::Rank { rank }.into());
        }
        (0..rank).map(|_| Ok(usize::try_from(self.u64()?).unwrap_or(usize::MAX))).collect()
    }

    /// A tensor; its elements are allocated only once its bytes are known to be there.
    ///
    /// # Errors
    ///
    /// When the type is unknown, the shape cannot be, or the elements are cut off.
    pub fn tensor(&mut self) -> Result<Tensor, DecodeError> {
        let dtype = match self.u8()? {
            0 => DType::F32,
            1 => DType::F64,
            2 => DType::U8,
            3 => DType::U32,
            4 => DType::I64,
            tag => return Err(DecodeError::Tag { what: "dtype", tag }),
        };
        let shape = self.shape()?;
        let n = count(&shape)?;
        let size = n
            .checked_mul(dtype.size())
            .ok_or_else(|| TensorError::Overflow { shape: shape.clone() })?;
        let bytes = self.take(size)?;
        let data = match dtype {
            DType::F32 => Data::F32(chunks(bytes, f32::from_le_bytes)),
            DType::F64 => Data::F64(chunks(bytes, f64::from_le_bytes)),
            DType::U8 => Data::U8(bytes.to_vec()),
            DType::U32 => Data::U32(chunks(bytes, u32::from_le_bytes)),
            DType::I64 => Data::I64(chunks(bytes, i64::from_le_bytes)),
        };
        Ok(Tensor::new(&shape, data)?)
    }
}

fn chunks<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|chunk| read(*chunk)).collect()
}

/// Appends values to a buffer.
///
/// Texts and names over their limit are cut at a character's border, so that what is written can
/// always be read back.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// The bytes written so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Eight bytes, the bits of a number.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    fn string(&mut self, value: &str, limit: usize) {
        let (cut, _) = value.split_at(value.floor_char_boundary(limit));
        self.u32(u32::try_from(cut.len()).unwrap_or(u32::MAX));
        self.bytes.extend(cut.as_bytes());
    }

    /// A name, cut to [`MAX_NAME_BYTES`].
    pub fn name(&mut self, value: &str) {
        self.string(value, MAX_NAME_BYTES);
    }

    /// A text, cut to [`MAX_TEXT_BYTES`].
    pub fn text(&mut self, value: &str) {
        self.string(value, MAX_TEXT_BYTES);
    }

    /// A list, each entry written by `item`; entries beyond [`MAX_ENTRIES`] are dropped.
    pub fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        let n = items.len().min(MAX_ENTRIES);
        self.u32(u32::try_from(n).unwrap_or(u32::MAX));
        for entry in items.iter().take(n) {
            item(self, entry);
        }
    }

    /// A shape; axes beyond [`MAX_RANK`] are dropped.
    pub fn shape(&mut self, shape: &[usize]) {
        let rank = shape.len().min(MAX_RANK);
        self.u8(u8::try_from(rank).unwrap_or(u8::MAX));
        for &size in shape.iter().take(rank) {
            self.u64(u64::try_from(size).unwrap_or(u64::MAX));
        }
    }

    /// A tensor.
    pub fn tensor(&mut self, tensor: &Tensor) {
        self.u8(match tensor.dtype() {
            DType::F32 => 0,
            DType::F64 => 1,
            DType::U8 => 2,
            DType::U32 => 3,
            DType::I64 => 4,
        });
        self.shape(tensor.shape());
        match tensor.data() {
            Data::F32(v) => v.iter().for_each(|x| self.bytes.extend(x.to_le_bytes())),
            Data::F64(v) => v.iter().for_each(|x| self.bytes.extend(x.to_le_bytes())),
            Data::U8(v) => self.bytes.extend(v),
            Data::U32(v) => v.iter().for_each(|x| self.bytes.extend(x.to_le_bytes())),
            Data::I64(v) => v.iter().for_each(|x| self.bytes.extend(x.to_le_bytes())),
        }
    }
}
