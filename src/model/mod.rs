//! The data that stages exchange: points, records, runs.
//!
//! Invariant: plain data. Nothing in this module reads files, writes files or decides anything. The serde
//! attributes of a type define how it is stored, so a record in a document is the record itself.

mod brief;
mod delta;
mod evidence;
mod matrix;
mod number;
mod points;
mod record;
#[cfg(test)]
pub(crate) mod test_checks;

/// Implements names and serde for an enum without fields: each value is written as its name.
macro_rules! named {
    ($type:ident, $kind:literal, $($value:ident => $name:literal),+ $(,)?) => {
        impl $type {
            /// Returns the name in records.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }

            /// Returns the value with this name in records; `None` if there is none.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$value),)+
                    _ => None,
                }
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::from_name(&name).ok_or_else(|| {
                    serde::de::Error::custom(format!("no {} is called `{name}`", $kind))
                })
            }
        }
    };
}
use named;

pub use delta::Delta;
pub use evidence::{Compared, Evidence};
pub use matrix::{DetectorVerdict, KillMatrix, LayerKind, LayerRow};
pub use points::{InvalidPoints, Points};
pub use record::{
    CheckRecord, Grader, LATE_NOTE, ModelRecord, OverrideRecord, Record, RecordOutcome,
    RubricRecord, Run, Status, TaskRecord, TrainingRecord, TrainingRun, Usage, WrittenRecord,
};
pub use softmark_exam::Visibility;
