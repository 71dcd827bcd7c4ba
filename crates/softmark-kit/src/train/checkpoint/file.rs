//! A file of named tensors with metadata.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use candle_core::safetensors::Load as _;
use candle_core::{Device, Tensor, Var};
use safetensors::{SafeTensorError, SafeTensors};
use serde_json::Value;
use softmark_common::checkpoint::METADATA_ENTRY;

use crate::train::checkpoint::error::CheckpointError;

/// Named tensors with metadata, as a file.
#[derive(Debug, Clone)]
pub struct TensorFile {
    /// Path from which the file was read, or to which it will be written.
    pub path: PathBuf,
    /// Tensors by name.
    pub tensors: BTreeMap<String, Tensor>,
    /// Metadata as a JSON object; empty in a file written by another program.
    pub metadata: Value,
}

impl TensorFile {
    /// Writes the file atomically: first to a temporary file in the same folder, which is then renamed.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; an existing file is then unchanged.
    pub fn write(&self) -> Result<(), CheckpointError> {
        let failed = |source| CheckpointError::Io { path: self.path.clone(), source };
        let bytes = self.bytes()?;
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let beside = self.path.with_file_name(name);
        let written = File::create(&beside)
            .and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&beside, &self.path));
        written.map_err(|error| {
            // Remove the leftover of a failed attempt; failing to do so has no effect.
            drop(fs::remove_file(&beside));
            failed(error)
        })
    }

    /// Returns the bytes of the file: the same for the same tensors and metadata.
    fn bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        let on_cpu = |(name, tensor): (&String, &Tensor)| {
            let moved = tensor.to_device(&Device::Cpu).and_then(|it| it.contiguous());
            moved.map(|tensor| (name.clone(), tensor))
        };
        let tensors: Result<Vec<_>, _> = self.tensors.iter().map(on_cpu).collect();
        let tensors = tensors.map_err(|it| self.of_tensor(it))?;
        let metadata =
            [(METADATA_ENTRY.to_owned(), self.metadata.to_string())].into_iter().collect();
        safetensors::serialize(tensors, Some(metadata)).map_err(|error| CheckpointError::Io {
            path: self.path.clone(),
            source: io::Error::other(error.to_string()),
        })
    }

    /// Reads a file, and checks that it is complete.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not a safetensors file, or is cut off.
    pub fn read(path: &Path, device: &Device) -> Result<Self, CheckpointError> {
        let bytes = fs::read(path)
            .map_err(|source| CheckpointError::Io { path: path.to_owned(), source })?;
        Self::parse(path, &bytes, device)
    }

    /// Parses the bytes of a file called `path`. No more memory is allocated than the bytes are long.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a safetensors file, or are cut off.
    pub fn parse(path: &Path, bytes: &[u8], device: &Device) -> Result<Self, CheckpointError> {
        let broken = |reason: String| CheckpointError::Broken { path: path.to_owned(), reason };
        let of_header = SafeTensors::read_metadata(bytes);
        let (_, header) = of_header.map_err(|error| broken(described(&error)))?;
        let views = SafeTensors::deserialize(bytes).map_err(|error| broken(described(&error)))?;
        let metadata = match header.metadata().as_ref().and_then(|it| it.get(METADATA_ENTRY)) {
            Some(text) => serde_json::from_str(text)
                .map_err(|error| broken(format!("its metadata is no JSON: {error}")))?,
            None => Value::Object(serde_json::Map::new()),
        };
        let mut file = Self { path: path.to_owned(), tensors: BTreeMap::new(), metadata };
        for (name, view) in views.iter() {
            let tensor = view.load(device).map_err(|error| broken(format!("`{name}`: {error}")))?;
            file.tensors.insert(name.to_owned(), tensor);
        }
        Ok(file)
    }

    /// Returns the tensors whose names begin with `prefix`, by the rest of their names.
    pub fn below(&self, prefix: &str) -> BTreeMap<String, Tensor> {
        let rest = |(name, tensor): (&String, &Tensor)| {
            name.strip_prefix(prefix).map(|rest| (rest.to_owned(), tensor.clone()))
        };
        self.tensors.iter().filter_map(rest).collect()
    }

    /// Sets every parameter to the tensor of its name, after checking that all of them fit.
    pub(crate) fn set(
        &self,
        vars: &BTreeMap<String, Var>,
        tensors: &BTreeMap<String, Tensor>,
    ) -> Result<(), CheckpointError> {
        let path = || self.path.clone();
        if let Some(name) = tensors.keys().find(|name| !vars.contains_key(*name)) {
            return Err(CheckpointError::Alien { path: path(), name: name.clone() });
        }
        for (name, var) in vars {
            let Some(tensor) = tensors.get(name) else {
                let there: Vec<&str> = tensors.keys().map(String::as_str).collect();
                let there = there.join(", ");
                return Err(CheckpointError::Missing { path: path(), name: name.clone(), there });
            };
            if tensor.shape() != var.shape() || tensor.dtype() != var.dtype() {
                let said = |it: &Tensor| format!("{:?} {}", it.dims(), it.dtype().as_str());
                let (there, wanted) = (said(tensor), said(var));
                return Err(CheckpointError::Shape {
                    path: path(),
                    name: name.clone(),
                    there,
                    wanted,
                });
            }
        }
        for (name, var) in vars {
            if let Some(tensor) = tensors.get(name) {
                let moved = tensor.to_device(var.device());
                moved.and_then(|it| var.set(&it)).map_err(|it| self.of_tensor(it))?;
            }
        }
        Ok(())
    }

    pub(crate) fn of_tensor(&self, source: candle_core::Error) -> CheckpointError {
        CheckpointError::Tensor { path: self.path.clone(), source }
    }
}

/// Writes parameters under their own names, with metadata as a JSON object.
///
/// ```
/// use softmark_kit::init::Parameters;
/// use softmark_kit::prelude::*;
/// use softmark_kit::train::checkpoint::{load_weights, save_weights};
///
/// let path = std::env::temp_dir().join(format!("weights-{}.safetensors", std::process::id()));
/// let parameters = Parameters::new(1, &Device::Cpu);
/// parameters.builder().get_with_hints(2, "classifier.bias", candle_nn::init::ONE)?;
/// let metadata = serde_json::json!({ "d_model": 64 });
/// save_weights(&path, &parameters.vars(), &metadata)?;
/// assert_eq!(load_weights(&path, &parameters.vars())?, metadata);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if the file cannot be written.
pub fn save_weights(
    path: &Path,
    vars: &BTreeMap<String, Var>,
    metadata: &Value,
) -> Result<(), CheckpointError> {
    let tensor = |(name, var): (&String, &Var)| (name.clone(), var.as_tensor().clone());
    let tensors = vars.iter().map(tensor).collect();
    TensorFile { path: path.to_owned(), tensors, metadata: metadata.clone() }.write()
}

/// Sets parameters to the tensors of their names, and returns the file's metadata.
///
/// # Errors
///
/// Fails if the file is broken, lacks a parameter, or contains a tensor that is not a parameter or has
/// another shape; then no parameter has changed.
pub fn load_weights(path: &Path, vars: &BTreeMap<String, Var>) -> Result<Value, CheckpointError> {
    let device = vars.values().next().map_or(Device::Cpu, |var| var.device().clone());
    let file = TensorFile::read(path, &device)?;
    file.set(vars, &file.tensors)?;
    Ok(file.metadata)
}

/// Describes an error of a file in the same words on every run: among tensors with one offset, the reader
/// names any.
fn described(error: &SafeTensorError) -> String {
    if matches!(error, SafeTensorError::InvalidOffset(_)) {
        return "invalid offset of a tensor".to_owned();
    }
    error.to_string()
}
