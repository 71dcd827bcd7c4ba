//! What is kept of a tuned model.

use std::collections::BTreeMap;
use std::path::Path;

use candle_core::{Device, Result, Tensor, Var};
use softmark_common::checkpoint::Description;

use crate::train::checkpoint::{CheckpointError, TensorFile};

/// What is kept of a tuned model: what was tuned, and what has to be known to use it.
#[derive(Debug, Clone, Default)]
pub struct Saved {
    /// The tuned parameters, by their names.
    pub tensors: BTreeMap<String, Tensor>,
    /// The name of the encoder that they were tuned on.
    pub base: String,
    /// The names of the classes, in the order of the logits.
    pub labels: Vec<String>,
    /// How it was made and tuned, such as `method` or `learning_rate`, for whoever makes it again.
    pub settings: BTreeMap<String, String>,
}

/// A tuned model, to be saved.
pub struct TunedModel<'a> {
    /// Every parameter by name, the frozen ones too.
    pub parameters: &'a BTreeMap<String, Tensor>,
    /// Whether the parameter of a name was tuned.
    pub learns: &'a dyn Fn(&str) -> bool,
    /// The name of the encoder that it was tuned on.
    pub base: &'a str,
    /// The names of the classes, in the order of the logits.
    pub labels: &'a [String],
    /// How it was made and tuned.
    pub settings: &'a BTreeMap<String, String>,
}

/// A model as it is before anything was tuned, for a checkpoint to be put onto.
pub struct FreshModel<'a> {
    /// Every parameter by name, the frozen ones too.
    pub parameters: &'a BTreeMap<String, Var>,
    /// Whether the parameter of a name is one that is tuned.
    pub learns: &'a dyn Fn(&str) -> bool,
    /// The name of its encoder.
    pub base: &'a str,
}

/// Keeps what was tuned, and puts it onto a fresh encoder.
///
/// The encoder is the same for whoever tunes it, and most of the model: a checkpoint without it is a
/// hundredth of the size. What is kept are the tuned parameters, all of them and no others, under their own
/// names and as they are, with the name of the encoder, the names of the classes in their order, and the
/// settings.
///
/// Whoever loads has a fresh model, and may have the wrong one. A checkpoint is refused with an error
/// that names what is wrong
///
/// - where it was tuned on another encoder,
/// - where it lacks a parameter that is tuned,
/// - where it has a tensor that is no parameter, or one that is frozen,
/// - where a tensor has another shape than its parameter,
///
/// and then no parameter has changed by a bit. Else every tuned parameter becomes what was saved, all
/// others stay what they are, and the names of the classes come back in the order in which they were
/// saved: the number of a class means nothing without them.
///
/// # Examples
///
/// `Empty` is right where nothing was tuned.
///
/// ```
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
    /// What is kept of a model.
    ///
    /// # Errors
    ///
    /// What candle returns.
    fn save(model: &TunedModel<'_>) -> Result<Saved>
    where
        Self: Sized;

    /// Puts what was kept onto a fresh model; returns the names of the classes.
    ///
    /// # Errors
    ///
    /// When the checkpoint does not fit the model.
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

    /// Writes it as a safetensors file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the disk says no.
    pub fn write(&self, path: &Path) -> std::result::Result<(), CheckpointError> {
        self.file(path).write()
    }

    /// Reads what [`write`](Self::write) wrote.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is not whole, or is something else.
    pub fn read(path: &Path, device: &Device) -> std::result::Result<Self, CheckpointError> {
        Self::of_file(TensorFile::read(path, device)?)
    }

    /// Reads the bytes of a file, called `name` in errors. No more is allocated than the bytes are
    /// long, whatever they claim.
    ///
    /// ```
    /// use softmark_kit::tuning::Saved;
    ///
    /// let error = Saved::from_bytes("best.safetensors", b"truncated").unwrap_err();
    /// assert!(error.to_string().contains("no whole safetensors file"));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
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
