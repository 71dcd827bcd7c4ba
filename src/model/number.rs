//! Measured numbers as records store them: nine significant digits, or `"NaN"`, `"inf"`, `"-inf"`.
//!
//! Nine digits distinguish any two `f32`, and survive a reader that is off by the last bit. So a record
//! that was read is written with the same bytes again.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// For `#[serde(with = "number")]`: writes a measured number.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*value).serialize(serializer)
}

/// For `#[serde(with = "number")]`: reads a measured number.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Number::deserialize(deserializer)?.0)
}

/// For `#[serde(with = "number::optional")]`: a measured number or `null`.
pub(super) mod optional {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Number;

    #[expect(clippy::ref_option, reason = "serde's signature")]
    pub(in crate::model) fn serialize<S: Serializer>(
        value: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(Number).serialize(serializer)
    }

    pub(in crate::model) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        let number = Option::<Number>::deserialize(deserializer)?;
        Ok(number.map(|number| number.0))
    }
}

/// For `#[serde(with = "number::list")]`: a list of measured numbers.
pub(super) mod list {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Number;

    pub(in crate::model) fn serialize<S: Serializer>(
        values: &[f64],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().copied().map(Number))
    }

    pub(in crate::model) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<f64>, D::Error> {
        let numbers = Vec::<Number>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|number| number.0).collect())
    }
}

#[derive(Debug, Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_nan() {
            return serializer.serialize_str("NaN");
        }
        if self.0.is_infinite() {
            return serializer.serialize_str(if self.0 > 0.0 { "inf" } else { "-inf" });
        }
        let rounded =
            format!("{:.8e}", self.0).parse().ok().filter(|value: &f64| value.is_finite());
        serializer.serialize_f64(rounded.unwrap_or(self.0))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Number, E> {
        match value {
            "NaN" => Ok(Number(f64::NAN)),
            "inf" => Ok(Number(f64::INFINITY)),
            "-inf" => Ok(Number(f64::NEG_INFINITY)),
            _ => Err(E::invalid_value(de::Unexpected::Str(value), &self)),
        }
    }
}
