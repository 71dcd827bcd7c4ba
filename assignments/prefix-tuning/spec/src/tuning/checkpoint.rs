//! Checkpoints of tuned models.

use std::collections::BTreeMap;
use std::path::Path;

use candle_core::{Device, Result, Tensor, Var};
use softmark_common::checkpoint::Description;

use crate::train::checkpoint::{CheckpointError, TensorFile};

/// Checkpoint of a tuned model: the tuned parameters, and the information needed to use them.
#[derive(Debug, Clone, Default)]
pub struct Saved {
    /// The tuned parameters, by their names.
    pub tensors: BTreeMap<String, Tensor>,
    /// The name of the encoder that they were tuned on.
    pub base: String,
    /// The names of the classes, in the order of the logits.
    pub labels: Vec<String>,
    /// Settings of the model and its tuning by name, such as `method` or `learning_rate`, to make it again.
    pub settings: BTreeMap<String, String>,
}

/// A tuned model to be saved.
pub struct TunedModel<'a> {
    /// Every parameter by name, including frozen ones.
    pub parameters: &'a BTreeMap<String, Tensor>,
    /// Returns true if the parameter of a name was tuned.
    pub learns: &'a dyn Fn(&str) -> bool,
    /// Name of the encoder on which the model was tuned.
    pub base: &'a str,
    /// The names of the classes, in the order of the logits.
    pub labels: &'a [String],
    /// Settings of the model and its tuning by name.
    pub settings: &'a BTreeMap<String, String>,
}

/// A model before tuning, into which a checkpoint is loaded.
pub struct FreshModel<'a> {
    /// Every parameter by name, including frozen ones.
    pub parameters: &'a BTreeMap<String, Var>,
    /// Returns true if the parameter of a name is tuned.
    pub learns: &'a dyn Fn(&str) -> bool,
    /// Name of the model's encoder.
    pub base: &'a str,
}

/// Saves the tuned part of a model, and loads it into a fresh model.
///
/// The encoder is most of the model and the same for everybody who tunes it: a checkpoint without it is a
/// hundredth of the size. A checkpoint contains exactly the tuned parameters, under their own names and
/// unchanged, with the name of the encoder, the names of the classes in their order, and the settings.
///
/// A checkpoint may be loaded into the wrong model. It is rejected with an error that names the reason
///
/// - if it was tuned on another encoder: the names are equal or they are not, letter by letter,
/// - if it lacks a tuned parameter,
/// - if it contains a tensor that is not a parameter, or one that is frozen,
/// - if a tensor has another shape than its parameter,
///
/// and then no parameter has changed by a bit. Otherwise every tuned parameter gets its saved value, all
/// others stay unchanged, and the names of the classes are returned in their saved order: the number of a
/// class has no meaning without them.
///
/// # Examples
///
/// `Empty` is correct if nothing was tuned.
///
/// ```
/// # use prefix_tuning_spec as softmark_kit;
/// use std::collections::BTreeMap;
///
/// use softmark_kit::prelude::*;
///
/// struct Empty;
///
/// impl TunedCheckpoint for Empty {
///     fn save(model: &TunedModel<'_>) -> Result<Saved> {
///         Ok(Saved {
///             base: model.base.to_owned(),
///             labels: model.labels.to_vec(),
///             ..Saved::default()
///         })
///     }
///     fn load(saved: &Saved, _: &FreshModel<'_>) -> Result<Vec<String>> {
///         Ok(saved.labels.clone())
///     }
/// }
///
/// let (parameters, settings) = (BTreeMap::new(), BTreeMap::new());
/// let model = TunedModel {
///     parameters: &parameters,
///     learns: &|_| false,
///     base: "tiny",
///     labels: &["LOC".to_owned()],
///     settings: &settings,
/// };
/// assert_eq!(Empty::save(&model)?.labels, ["LOC"]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait TunedCheckpoint {
    /// Returns the checkpoint of a model.
    ///
    /// # Errors
    ///
    /// Fails if a candle operation fails.
    fn save(model: &TunedModel<'_>) -> Result<Saved>
    where
        Self: Sized;

    /// Loads a checkpoint into a fresh model; returns the names of the classes.
    ///
    /// # Errors
    ///
    /// Fails if the checkpoint does not match the model.
    fn load(saved: &Saved, model: &FreshModel<'_>) -> Result<Vec<String>>
    where
        Self: Sized;
}

impl Saved {
    fn file(&self, path: &Path) -> TensorFile {
        let description = Description {
            base: self.base.clone(),
            labels: self.labels.clone(),
            settings: self.settings.clone(),
        };
        let metadata = description.to_json();
        TensorFile { path: path.to_owned(), tensors: self.tensors.clone(), metadata }
    }

    fn of_file(file: TensorFile) -> std::result::Result<Self, CheckpointError> {
        let TensorFile { path, tensors, metadata } = file;
        let description = Description::from_json(&metadata);
        let Description { base, labels, settings } =
            description.map_err(|reason| CheckpointError::Other { path, reason })?;
        Ok(Self { tensors, base, labels, settings })
    }

    /// Writes the checkpoint as a safetensors file, atomically.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn write(&self, path: &Path) -> std::result::Result<(), CheckpointError> {
        self.file(path).write()
    }

    /// Reads a file that [`write`](Self::write) wrote.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not complete, or has another content.
    pub fn read(path: &Path, device: &Device) -> std::result::Result<Self, CheckpointError> {
        Self::of_file(TensorFile::read(path, device)?)
    }

    /// Parses the bytes of a file, called `name` in errors. No more memory is allocated than the bytes are
    /// long, whatever sizes they claim.
    ///
    /// ```
    /// # use prefix_tuning_spec as softmark_kit;
    /// use softmark_kit::tuning::Saved;
    ///
    /// let error = Saved::from_bytes("best.safetensors", b"truncated").unwrap_err();
    /// assert!(error.to_string().contains("no whole safetensors file"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Self::read).
    pub fn from_bytes(name: &str, bytes: &[u8]) -> std::result::Result<Self, CheckpointError> {
        Self::of_file(TensorFile::parse(Path::new(name), bytes, &Device::Cpu)?)
    }
}

impl std::fmt::Debug for TunedModel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TunedModel").field("base", &self.base).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for FreshModel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FreshModel").field("base", &self.base).finish_non_exhaustive()
    }
}
