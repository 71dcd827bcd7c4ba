//! Single values as the documents write them.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use softmark_checks::matrix::{Cell, Kind};

use crate::model::{RecordOutcome, Status, Visibility};

/// A value with one name in the documents.
pub(super) trait Named: Copy + 'static {
    /// What it is, for a message.
    const KIND: &'static str;
    /// Every value.
    const ALL: &'static [Self];
    /// Its name.
    fn name(self) -> &'static str;
}

impl Named for Status {
    const KIND: &'static str = "status";
    const ALL: &'static [Self] =
        &[Self::Pass, Self::Wrong, Self::NotImplemented, Self::Fault, Self::Blocked];
    fn name(self) -> &'static str {
        self.as_str()
    }
}

impl Named for Visibility {
    const KIND: &'static str = "visibility";
    const ALL: &'static [Self] = &[Self::Public, Self::Hidden];
    fn name(self) -> &'static str {
        self.as_str()
    }
}

impl Named for RecordOutcome {
    const KIND: &'static str = "outcome";
    const ALL: &'static [Self] = &[Self::Graded, Self::Rejected, Self::BuildFailed, Self::NoGrade];
    fn name(self) -> &'static str {
        self.as_str()
    }
}

impl Named for Kind {
    const KIND: &'static str = "kind of layer";
    const ALL: &'static [Self] = &[Self::Mutant, Self::Right, Self::Decoy];
    fn name(self) -> &'static str {
        self.as_str()
    }
}

impl Named for Cell {
    const KIND: &'static str = "verdict";
    const ALL: &'static [Self] =
        &[Self::Healthy, Self::Bug, Self::Wavers, Self::Failed, Self::NotRun];
    fn name(self) -> &'static str {
        self.as_str()
    }
}

/// For `#[serde(with = "named")]`: a value by its name.
pub(super) mod named {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::Named;

    pub(in crate::store::document) fn serialize<T: Named, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.name())
    }

    pub(in crate::store::document) fn deserialize<'de, T: Named, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let name = String::deserialize(deserializer)?;
        T::ALL
            .iter()
            .copied()
            .find(|value| value.name() == name)
            .ok_or_else(|| de::Error::custom(format!("no {} is called `{name}`", T::KIND)))
    }
}

/// For `#[serde(with = "points")]`: points as a number, exact to hundredths.
pub(super) mod points {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::model::Points;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(in crate::store::document) fn serialize<S: Serializer>(
        points: &Points,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        // Hundredths divided once by a hundred are the nearest number there is, and that prints
        // with two decimals at most.
        serializer.serialize_f64(points.to_f64())
    }

    pub(in crate::store::document) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Points, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Points::parse(value)
            .ok_or_else(|| de::Error::custom(format!("{value} is not a number of points")))
    }
}

/// For `#[serde(with = "maybe_points")]`: the same, or `null`.
pub(super) mod maybe_points {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::model::Points;

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(in crate::store::document) fn serialize<S: Serializer>(
        points: &Option<Points>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match points {
            Some(points) => serializer.serialize_f64(points.to_f64()),
            None => serializer.serialize_none(),
        }
    }

    pub(in crate::store::document) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Points>, D::Error> {
        let wrong = |value| de::Error::custom(format!("{value} is not a number of points"));
        let value = Option::<f64>::deserialize(deserializer)?;
        value.map(|value| Points::parse(value).ok_or_else(|| wrong(value))).transpose()
    }
}

/// A measured number: nine significant digits, or `"NaN"`, `"inf"`, `"-inf"`.
///
/// Nine digits tell any two `f32` apart, and survive a reader that is off by the last bit, so a
/// record that was read prints like the one that was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number(pub(super) f64);

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

/// Named texts in the order in which they were given.
#[derive(Debug, Clone, Default)]
pub(super) struct Inputs(pub(super) Vec<(String, String)>);

impl Inputs {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Inputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

impl<'de> Deserialize<'de> for Inputs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InputsVisitor)
    }
}

struct InputsVisitor;

impl<'de> Visitor<'de> for InputsVisitor {
    type Value = Inputs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Inputs, A::Error> {
        let mut inputs = Vec::new();
        while let Some(entry) = map.next_entry()? {
            inputs.push(entry);
        }
        Ok(Inputs(inputs))
    }
}
