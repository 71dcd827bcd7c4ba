//! What every reader makes: texts, each with the number of its class.

use crate::fault::{DataError, Place, Reason, shown};

/// A text and the class that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextExample {
    /// The text, without anything that gives the label away.
    pub text: String,
    /// The number of its class.
    pub label: u32,
    /// Where it is from.
    pub source: Place,
}

/// Texts of some classes.
///
/// Every class has an example, and every label is a class: [`new`](Self::new) makes sure of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDataset {
    name: String,
    classes: Vec<String>,
    examples: Vec<TextExample>,
}

impl TextDataset {
    /// A data set of `examples`, whose labels are places in `classes`.
    ///
    /// # Errors
    ///
    /// When there are no classes or one twice, when a label is none of them, or when a class has no
    /// examples; that one's place is the data set's name.
    pub fn new(
        name: &str,
        classes: Vec<String>,
        examples: Vec<TextExample>,
    ) -> Result<Self, DataError> {
        let place = Place::file(name);
        let twice = classes
            .iter()
            .enumerate()
            .any(|(at, class)| classes.iter().take(at).any(|it| it == class));
        if classes.is_empty() || twice {
            return Err(place.error(Reason::Classes { classes }));
        }
        let dataset = Self { name: name.to_owned(), classes, examples };
        for example in &dataset.examples {
            if example.label as usize >= dataset.classes.len() {
                let reason = Reason::UnknownLabel {
                    found: example.label.to_string(),
                    known: dataset.classes,
                };
                return Err(example.source.error(reason));
            }
        }
        if let Some((class, _)) = dataset.counts().into_iter().find(|(_, count)| *count == 0) {
            return Err(place.error(Reason::EmptyClass { class: class.to_owned() }));
        }
        Ok(dataset)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The classes' names; a label is a place in this list.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The examples, in the order of the files and lines they are from.
    pub fn examples(&self) -> &[TextExample] {
        &self.examples
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Always false: every class has an example.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// Each class with the number of its examples, in the order of the labels.
    pub fn counts(&self) -> Vec<(&str, usize)> {
        let mut counts = vec![0; self.classes.len()];
        for example in &self.examples {
            if let Some(count) = counts.get_mut(example.label as usize) {
                *count += 1;
            }
        }
        self.classes.iter().map(String::as_str).zip(counts).collect()
    }

    /// The label of each example.
    pub fn labels(&self) -> Vec<u32> {
        self.examples.iter().map(|example| example.label).collect()
    }

    /// The texts, in the examples' order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().map(|example| example.text.as_str())
    }

    /// The examples at `indices`, in that order, under the name `name`, such as those of a part that
    /// [`stratified`](softmark_kit::train::split::stratified) has dealt out.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), so when a class has no example among them. Indices that are too large
    /// are [`Reason::TooLarge`].
    pub fn subset(&self, name: &str, indices: &[usize]) -> Result<Self, DataError> {
        let mut examples = Vec::with_capacity(indices.len().min(self.examples.len()));
        for &index in indices {
            let Some(example) = self.examples.get(index) else {
                let limit = self.examples.len() as u64;
                return Err(Place::file(name).error(Reason::TooLarge { limit, unit: "examples" }));
            };
            examples.push(example.clone());
        }
        Self::new(name, self.classes.clone(), examples)
    }

    /// Two data sets of the same classes as one, `other` behind this one.
    ///
    /// # Errors
    ///
    /// [`Reason::Classes`] when the classes differ.
    pub fn joined(mut self, other: Self) -> Result<Self, DataError> {
        if self.classes != other.classes {
            return Err(Place::file(&other.name).error(Reason::Classes { classes: other.classes }));
        }
        self.examples.extend(other.examples);
        Ok(self)
    }

    /// The examples that have a text, without those of blanks alone; how many were left out.
    ///
    /// # Errors
    ///
    /// When a class has none left.
    pub fn without_blank(mut self) -> Result<(Self, usize), DataError> {
        let before = self.examples.len();
        self.examples.retain(|example| !example.text.trim().is_empty());
        let removed = before - self.examples.len();
        Ok((Self::new(&self.name.clone(), self.classes, self.examples)?, removed))
    }
}

/// The number of the class that `label` names.
pub(crate) fn class_of(label: &str, classes: &[String], place: &Place) -> Result<u32, DataError> {
    let found = classes.iter().position(|class| class == label);
    found.and_then(|at| u32::try_from(at).ok()).ok_or_else(|| {
        place.error(Reason::UnknownLabel { found: shown(label), known: classes.to_vec() })
    })
}
