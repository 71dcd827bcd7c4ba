//! Evidence: the case that shows why a check failed.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use softmark_untrusted::Untrusted;

use super::number;

/// The smallest case that shows what is wrong. A record holds only the fields that are present.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Sizes and switches of the case, such as `B=1 H=1 Tq=1 Tk=2 K=1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Untrusted>,
    /// Inputs by name, as text, in the order in which they were given; empty if they are too large to read.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "write_inputs",
        deserialize_with = "read_inputs"
    )]
    pub inputs: Vec<(Untrusted, Untrusted)>,
    /// Name of the output tensor that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Untrusted>,
    /// Index of the element of that tensor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<Vec<usize>>,
    /// Value that the submission returned there.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::optional")]
    pub got: Option<f64>,
    /// Value that was expected there.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::optional")]
    pub expected: Option<f64>,
    /// Largest difference that is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number::optional")]
    pub allowed: Option<f64>,
    /// The whole output and what was expected of it, if they are small enough to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
}

/// Output of a submission, and the expected one of the same shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Shape of both.
    pub shape: Vec<usize>,
    /// Values that the submission returned, in row-major order.
    #[serde(with = "number::list")]
    pub got: Vec<f64>,
    /// Expected values, in the same order.
    #[serde(with = "number::list")]
    pub expected: Vec<f64>,
}

impl From<softmark_checks::Compared> for Compared {
    fn from(compared: softmark_checks::Compared) -> Self {
        let softmark_checks::Compared { shape, got, expected } = compared;
        Self { shape, got, expected }
    }
}

impl From<softmark_checks::Evidence> for Evidence {
    fn from(evidence: softmark_checks::Evidence) -> Self {
        let softmark_checks::Evidence {
            case,
            inputs,
            output,
            index,
            got,
            expected,
            allowed,
            compared,
        } = evidence;
        let untrusted = |(name, text): (String, String)| (name.into(), text.into());
        Self {
            case: case.map(Untrusted::from),
            inputs: inputs.into_iter().map(untrusted).collect(),
            output: output.map(Untrusted::from),
            index,
            got,
            expected,
            allowed,
            compared: compared.map(Compared::from),
        }
    }
}

/// Writes the inputs as an object.
fn write_inputs<S: Serializer>(
    inputs: &[(Untrusted, Untrusted)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(inputs.iter().map(|(name, text)| (name, text)))
}

/// Reads an object and keeps its order.
fn read_inputs<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(Untrusted, Untrusted)>, D::Error> {
    deserializer.deserialize_map(InputsVisitor)
}

struct InputsVisitor;

impl<'de> Visitor<'de> for InputsVisitor {
    type Value = Vec<(Untrusted, Untrusted)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut inputs = Vec::new();
        while let Some(entry) = map.next_entry()? {
            inputs.push(entry);
        }
        Ok(inputs)
    }
}
