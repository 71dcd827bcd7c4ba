//! The structure of what was trained, and of models that were handed in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fields::Number;
use crate::model::{ModelRecord, TrainingRecord};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ModelShape<'a> {
    task: Cow<'a, str>,
    file: Cow<'a, str>,
    accuracy: Option<Number>,
    asked: usize,
    examples: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    settings: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    pseudonym: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    own: Cow<'a, str>,
}

impl<'a> ModelShape<'a> {
    pub(super) fn of(model: &'a ModelRecord) -> Self {
        let setting = |(key, value): (&'a String, &'a String)| {
            (Cow::Borrowed(key.as_str()), Cow::Borrowed(value.as_str()))
        };
        Self {
            task: Cow::Borrowed(&model.task),
            file: Cow::Borrowed(&model.file),
            accuracy: model.accuracy.map(Number),
            asked: model.asked,
            examples: Cow::Borrowed(&model.examples),
            settings: model.settings.iter().map(setting).collect(),
            pseudonym: Cow::Borrowed(&model.pseudonym),
            own: Cow::Borrowed(&model.own),
        }
    }

    pub(super) fn into_model(self) -> ModelRecord {
        let setting =
            |(key, value): (Cow<'_, str>, Cow<'_, str>)| (key.into_owned(), value.into_owned());
        ModelRecord {
            task: self.task.into_owned(),
            file: self.file.into_owned(),
            accuracy: self.accuracy.map(|number| number.0),
            asked: self.asked,
            examples: self.examples.into_owned(),
            settings: self.settings.into_iter().map(setting).collect(),
            pseudonym: self.pseudonym.into_owned(),
            own: self.own.into_owned(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TrainingShape<'a> {
    task: Cow<'a, str>,
    accuracy: Number,
    asked: usize,
    examples: Cow<'a, str>,
    references: Vec<Cow<'a, str>>,
}

impl<'a> TrainingShape<'a> {
    pub(super) fn of(training: &'a TrainingRecord) -> Self {
        Self {
            task: Cow::Borrowed(&training.task),
            accuracy: Number(training.accuracy),
            asked: training.asked,
            examples: Cow::Borrowed(&training.examples),
            references: training.references.iter().map(|it| Cow::Borrowed(it.as_str())).collect(),
        }
    }

    pub(super) fn into_model(self) -> TrainingRecord {
        TrainingRecord {
            task: self.task.into_owned(),
            accuracy: self.accuracy.0,
            asked: self.asked,
            examples: self.examples.into_owned(),
            references: self.references.into_iter().map(Cow::into_owned).collect(),
        }
    }
}
