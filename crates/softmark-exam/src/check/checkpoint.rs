//! Checkpoint of a tuned model, read from the bytes of a safetensors file.

use std::collections::BTreeMap;
use std::sync::Arc;

use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde_json::{Map, Value};
use softmark_common::checkpoint::{Description, METADATA_ENTRY};

/// A tensor of a safetensors file.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTensor {
    /// Type of its numbers, such as `f32`.
    pub dtype: String,
    /// The size of each axis.
    pub shape: Vec<usize>,
    /// Its numbers, the last axis running fastest; empty unless they are `f32`.
    pub values: Arc<[f32]>,
}

impl StoredTensor {
    /// A tensor of `f32`.
    pub fn f32(shape: &[usize], values: impl Into<Arc<[f32]>>) -> Self {
        Self { dtype: "f32".to_owned(), shape: shape.to_vec(), values: values.into() }
    }

    /// True if its numbers are `f32`.
    pub fn is_f32(&self) -> bool {
        self.dtype == "f32"
    }
}

/// Checkpoint of a tuned model: the tuned parameters, and what has to be known to use them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checkpoint {
    /// The tuned parameters, by their names.
    pub tensors: BTreeMap<String, StoredTensor>,
    /// Encoder, classes and settings.
    pub description: Description,
}

impl Checkpoint {
    /// Reads the bytes of a file, called `name` in errors. No more is allocated than a small multiple of
    /// their number, whatever they claim.
    ///
    /// # Errors
    ///
    /// If they are no whole safetensors file, or not one of a tuned model; says which.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let broken = |reason: String| {
            format!(
                "{name}: this is no whole safetensors file ({reason}); take an earlier checkpoint"
            )
        };
        let of_header = SafeTensors::read_metadata(bytes);
        let (_, header) = of_header.map_err(|error| broken(described(&error)))?;
        let tensors = read_tensors(bytes).map_err(|error| broken(described(&error)))?;
        let metadata = match header.metadata().as_ref().and_then(|it| it.get(METADATA_ENTRY)) {
            Some(text) => serde_json::from_str(text)
                .map_err(|error| broken(format!("its metadata is no JSON: {error}")))?,
            None => Value::Object(Map::new()),
        };
        let description =
            Description::from_json(&metadata).map_err(|reason| format!("{name}: {reason}"))?;
        Ok(Self { tensors, description })
    }
}

/// Describes an error of a file in the same words on every run: among tensors with one offset, the reader
/// names any.
fn described(error: &SafeTensorError) -> String {
    if matches!(error, SafeTensorError::InvalidOffset(_)) {
        return "invalid offset of a tensor".to_owned();
    }
    error.to_string()
}

/// The tensors of a safetensors file, by their names.
///
/// # Errors
///
/// If the bytes are no whole safetensors file.
pub fn read_tensors(bytes: &[u8]) -> Result<BTreeMap<String, StoredTensor>, SafeTensorError> {
    let file = SafeTensors::deserialize(bytes)?;
    let mut tensors = BTreeMap::new();
    for (name, view) in file.iter() {
        let is_f32 = view.dtype() == Dtype::F32;
        let (numbers, _) = view.data().as_chunks::<4>();
        let numbers = numbers.iter().filter(|_| is_f32);
        let tensor = StoredTensor {
            dtype: view.dtype().to_string().to_lowercase(),
            shape: view.shape().to_vec(),
            values: numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        };
        tensors.insert(name.to_owned(), tensor);
    }
    Ok(tensors)
}

#[cfg(test)]
mod tests {
    use candle_core::{Device, Tensor};
    use prefix_tuning_spec::tuning::Saved;

    use super::*;

    /// The bytes of a file that the kit writes.
    fn written(tensors: &[(&str, Tensor)]) -> Vec<u8> {
        let named = |(name, tensor): &(&str, Tensor)| ((*name).to_owned(), tensor.clone());
        let saved = Saved {
            tensors: tensors.iter().map(named).collect(),
            base: "tiny".to_owned(),
            labels: ["even", "odd"].map(str::to_owned).into(),
            settings: [("method".to_owned(), "prefix".to_owned())].into(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best.safetensors");
        saved.write(&path).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn reads_what_the_kit_writes() {
        let table = Tensor::new(&[[1.5_f32, -0.0], [f32::MIN_POSITIVE, 3e38]], &Device::Cpu);
        let ids = Tensor::new(&[1_u8, 2], &Device::Cpu).unwrap();
        let bytes = written(&[("table", table.unwrap()), ("ids", ids)]);
        let read = Checkpoint::from_bytes("best.safetensors", &bytes).unwrap();
        let table = StoredTensor::f32(&[2, 2], [1.5, -0.0, f32::MIN_POSITIVE, 3e38]);
        assert_eq!(read.tensors["table"], table);
        let StoredTensor { dtype, shape, values } = &read.tensors["ids"];
        assert_eq!((dtype.as_str(), shape.as_slice(), values.len()), ("u8", &[2][..], 0));
        assert_eq!(read.description.base, "tiny");
        assert_eq!(read.description.labels, ["even", "odd"]);
        assert_eq!(read.description.settings["method"], "prefix");
    }

    /// The grader says of a file what a student reads who loads it with the kit.
    #[test]
    fn errors_are_those_of_the_kit() {
        let whole = written(&[("table", Tensor::new(&[1_f32], &Device::Cpu).unwrap())]);
        let bare = safetensors::serialize(Vec::<(&str, Tensor)>::new(), None).unwrap();
        let same_place = r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
        let length = (same_place.len() as u64).to_le_bytes();
        let same_place = [&length[..], same_place.as_bytes(), &[0; 4]].concat();
        let cut = &whole[..whole.len() - 1];
        for bytes in [cut, b"", b"PK\x03\x04", &[0xff; 64], &bare, &same_place] {
            let own = Checkpoint::from_bytes("best.safetensors", bytes).unwrap_err();
            let kit = Saved::from_bytes("best.safetensors", bytes).unwrap_err();
            assert_eq!(own, kit.to_string());
        }
        let told = Checkpoint::from_bytes("best.safetensors", &same_place).unwrap_err();
        assert!(told.contains("(invalid offset of a tensor)"), "{told}");
    }
}
