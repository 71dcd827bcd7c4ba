//! Arrays as JSON: `{"shape": [1, 2], "values": [0.5, "NaN"]}`.
//!
//! Numbers have as many digits as restore the `f32`; those that are not finite are `"NaN"`, `"inf"` and `"-inf"`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::array::Array;

/// Array as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredArray {
    shape: Vec<usize>,
    values: Vec<Number>,
}

/// Number of a response, which may be infinite or `NaN`.
struct Number(f32);

impl Serialize for Array {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredArray::of(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Array {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StoredArray::deserialize(deserializer)?.array().map_err(D::Error::custom)
    }
}

impl StoredArray {
    fn of(array: &Array) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "students' code answers in f32")]
        let values = array.values().iter().map(|&x| Number(x as f32)).collect();
        Self { shape: array.shape().to_vec(), values }
    }

    fn array(self) -> Result<Array, String> {
        let Self { shape, values } = self;
        if shape.iter().try_fold(1_usize, |n, size| n.checked_mul(*size)) != Some(values.len()) {
            return Err(format!("a tensor of shape {shape:?} has {} values", values.len()));
        }
        Ok(Array::new(&shape, values.iter().map(|it| f64::from(it.0)).collect()))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f32(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum StoredNumber {
            Finite(f32),
            Text(String),
        }
        let number = match StoredNumber::deserialize(deserializer)? {
            StoredNumber::Finite(number) => number,
            StoredNumber::Text(text) => match text.as_str() {
                "NaN" => f32::NAN,
                "inf" => f32::INFINITY,
                "-inf" => f32::NEG_INFINITY,
                _ => return Err(D::Error::custom(format!("{text:?} is no number"))),
            },
        };
        Ok(Self(number))
    }
}
