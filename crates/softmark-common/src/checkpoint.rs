//! Metadata of the checkpoint of a tuned model.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Name of the one entry in the metadata of a safetensors file: a JSON object.
pub const METADATA_ENTRY: &str = "softmark";

/// Everything that a checkpoint of a tuned model says besides its tensors.
///
/// ```
/// use softmark_common::checkpoint::Description;
///
/// let labels = ["LOC".to_owned()].into();
/// let described = Description { base: "tiny".to_owned(), labels, ..Description::default() };
/// assert_eq!(Description::from_json(&described.to_json()).as_ref(), Ok(&described));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// The name of the encoder that the model was tuned on.
    pub base: String,
    /// The names of the classes, in the order of the logits.
    pub labels: Vec<String>,
    /// Settings with which the model was made and tuned, such as `method` or `learning_rate`.
    pub settings: BTreeMap<String, String>,
}

impl Description {
    /// Returns the JSON object that is kept in the file.
    pub fn to_json(&self) -> Value {
        json!({ "base": self.base, "labels": self.labels, "settings": self.settings })
    }

    /// Reads a JSON object that [`to_json`](Self::to_json) made.
    ///
    /// # Errors
    ///
    /// If an entry is missing or has another type; says which.
    pub fn from_json(metadata: &Value) -> Result<Self, String> {
        let lacks = |what: &str| {
            format!("this is no checkpoint of a tuned model: its metadata has no {what}")
        };
        let base = metadata.get("base").and_then(Value::as_str).ok_or_else(|| lacks("`base`"))?;
        let labels = metadata.get("labels").and_then(Value::as_array);
        let labels = labels.ok_or_else(|| lacks("list of `labels`"))?.iter();
        let labels = labels.map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>();
        let settings = metadata.get("settings").and_then(Value::as_object);
        let settings = settings.ok_or_else(|| lacks("`settings`"))?.iter();
        let settings = settings.map(|(key, it)| Some((key.clone(), it.as_str()?.to_owned())));
        Ok(Self {
            base: base.to_owned(),
            labels: labels.ok_or_else(|| lacks("list of `labels` that are texts"))?,
            settings: settings
                .collect::<Option<_>>()
                .ok_or_else(|| lacks("`settings` that are texts"))?,
        })
    }
}
