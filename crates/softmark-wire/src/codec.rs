//! Encoding of the simple values that messages consist of, little-endian.
//!
//! A [`Reader`] never allocates memory for an unchecked count: counts are checked against the bytes left.

use thiserror::Error;

use crate::tensor::{DType, Data, MAX_RANK, Tensor, TensorError, count};

/// Maximum length of a name or a config key, in bytes.
pub const MAX_NAME_BYTES: usize = 256;
/// Maximum length of a message for people, in bytes; a worker cuts longer ones.
pub const MAX_TEXT_BYTES: usize = 16 * 1024;
/// Maximum number of entries of a list.
pub const MAX_ENTRIES: usize = 4096;

/// Errors of decoding a message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// The bytes end inside a value.
    #[error("{want} more bytes expected, {got} are left")]
    Short {
        /// Bytes that the value needs.
        want: usize,
        /// Bytes that are left.
        got: usize,
    },
    /// A count is above its limit.
    #[error("{what} of {got}, at most {limit} is allowed")]
    TooMany {
        /// Kind of the counted items.
        what: &'static str,
        /// Count in the message.
        got: usize,
        /// Largest count allowed.
        limit: usize,
    },
    /// A tag has no meaning.
    #[error("unknown {what} {tag}")]
    Tag {
        /// Kind of value that the tag selects.
        what: &'static str,
        /// Value of the tag.
        tag: u8,
    },
    /// A text is not UTF-8.
    #[error("a text is not UTF-8")]
    Utf8,
    /// A shape is not valid.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// Bytes follow the end of the message.
    #[error("{0} bytes after the end of the message")]
    Trailing(usize),
}

/// Reads values from the front of a slice.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Returns a reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// Checks that the message ends here.
    ///
    /// # Errors
    ///
    /// Fails if bytes are left.
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

    /// Reads one byte.
    ///
    /// # Errors
    ///
    /// Fails if no byte is left.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// Reads a 32-bit integer.
    ///
    /// # Errors
    ///
    /// Fails if fewer than four bytes are left.
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Reads a 64-bit integer.
    ///
    /// # Errors
    ///
    /// Fails if fewer than eight bytes are left.
    pub fn u64(&mut self) -> Result<u64, DecodeError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Reads a 64-bit floating point number.
    ///
    /// # Errors
    ///
    /// Fails if fewer than eight bytes are left.
    pub fn f64(&mut self) -> Result<f64, DecodeError> {
        Ok(f64::from_bits(self.u64()?))
    }

    /// Reads a boolean.
    ///
    /// # Errors
    ///
    /// Fails if no byte is left, or the byte is neither 0 nor 1.
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

    /// Reads a name of at most [`MAX_NAME_BYTES`].
    ///
    /// # Errors
    ///
    /// Fails if the name is cut off, too long or not UTF-8.
    pub fn name(&mut self) -> Result<String, DecodeError> {
        self.string("name", MAX_NAME_BYTES)
    }

    /// Reads a text of at most [`MAX_TEXT_BYTES`].
    ///
    /// # Errors
    ///
    /// Fails if the text is cut off, too long or not UTF-8.
    pub fn text(&mut self) -> Result<String, DecodeError> {
        self.string("text", MAX_TEXT_BYTES)
    }

    /// Reads a list of at most [`MAX_ENTRIES`] entries, each by `item`.
    ///
    /// # Errors
    ///
    /// Fails if there are too many entries or one of them cannot be read.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let n = self.counted("list", MAX_ENTRIES)?;
        // The list grows as entries are read: a count alone allocates nothing.
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Reads a shape of at most [`MAX_RANK`] axes.
    ///
    /// # Errors
    ///
    /// Fails if there are more axes or the shape is cut off.
    pub fn shape(&mut self) -> Result<Vec<usize>, DecodeError> {
        let rank = usize::from(self.u8()?);
        if rank > MAX_RANK {
            return Err(TensorError::Rank { rank }.into());
        }
        (0..rank).map(|_| Ok(usize::try_from(self.u64()?).unwrap_or(usize::MAX))).collect()
    }

    /// Reads a name and a tensor.
    ///
    /// # Errors
    ///
    /// Fails if one of them cannot be read.
    pub fn named(&mut self) -> Result<(String, Tensor), DecodeError> {
        Ok((self.name()?, self.tensor()?))
    }

    /// Reads a tensor; memory for its elements is allocated only after their bytes are known to be there.
    ///
    /// # Errors
    ///
    /// Fails if the type is unknown, the shape is not valid, or the elements are cut off.
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
/// Texts and names over their limit are cut at a character boundary, so that everything written can be read back.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Returns the bytes written so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Writes a 32-bit integer.
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Writes a 64-bit integer.
    pub fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// Writes a 64-bit floating point number, bit for bit.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Writes a boolean.
    pub fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    fn string(&mut self, value: &str, limit: usize) {
        let (cut, _) = value.split_at(value.floor_char_boundary(limit));
        self.u32(u32::try_from(cut.len()).unwrap_or(u32::MAX));
        self.bytes.extend(cut.as_bytes());
    }

    /// Writes a name, cut to [`MAX_NAME_BYTES`].
    pub fn name(&mut self, value: &str) {
        self.string(value, MAX_NAME_BYTES);
    }

    /// Writes a text, cut to [`MAX_TEXT_BYTES`].
    pub fn text(&mut self, value: &str) {
        self.string(value, MAX_TEXT_BYTES);
    }

    /// Writes a list, each entry by `item`; entries beyond [`MAX_ENTRIES`] are dropped.
    pub fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        let n = items.len().min(MAX_ENTRIES);
        self.u32(u32::try_from(n).unwrap_or(u32::MAX));
        for entry in items.iter().take(n) {
            item(self, entry);
        }
    }

    /// Writes a shape; axes beyond [`MAX_RANK`] are dropped.
    pub fn shape(&mut self, shape: &[usize]) {
        let rank = shape.len().min(MAX_RANK);
        self.u8(u8::try_from(rank).unwrap_or(u8::MAX));
        for &size in shape.iter().take(rank) {
            self.u64(u64::try_from(size).unwrap_or(u64::MAX));
        }
    }

    /// Writes a tensor after its name.
    pub fn named(&mut self, (name, tensor): &(String, Tensor)) {
        self.name(name);
        self.tensor(tensor);
    }

    /// Writes a tensor.
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
