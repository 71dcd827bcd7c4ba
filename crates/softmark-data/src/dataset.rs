//! Labeled text data sets, the common result of all readers.

use crate::fault::{DataError, Location, Reason, shown};

/// A text and its class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextExample {
    /// The text, without anything that reveals the label.
    pub text: String,
    /// Index of the class.
    pub label: u32,
    /// Location in the file that the text is from.
    pub source: Location,
}

/// A set of texts with their classes.
///
/// Every class has an example, and every label is a class; [`new`](Self::new) checks both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDataset {
    name: String,
    classes: Vec<String>,
    examples: Vec<TextExample>,
}

impl TextDataset {
    /// Returns a data set of `examples`, whose labels are indices into `classes`.
    ///
    /// # Errors
    ///
    /// Fails if there are no classes or one twice, if a label is not a class, or if a class has no examples;
    /// the place of the latter error is the data set's name.
    pub fn new(
        name: &str,
        classes: Vec<String>,
        examples: Vec<TextExample>,
    ) -> Result<Self, DataError> {
        let place = Location::file(name);
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

    /// Returns the data set's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the classes; labels are indices into this list.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Returns the examples in the order of their files and lines.
    pub fn examples(&self) -> &[TextExample] {
        &self.examples
    }

    /// Returns the number of examples.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Returns false: every class has an example.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// Returns each class with the number of its examples, in the order of the labels.
    pub fn counts(&self) -> Vec<(&str, usize)> {
        let mut counts = vec![0; self.classes.len()];
        for example in &self.examples {
            if let Some(count) = counts.get_mut(example.label as usize) {
                *count += 1;
            }
        }
        self.classes.iter().map(String::as_str).zip(counts).collect()
    }

    /// Returns the label of each example.
    pub fn labels(&self) -> Vec<u32> {
        self.examples.iter().map(|example| example.label).collect()
    }

    /// Returns an iterator over the texts, in the order of the examples.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().map(|example| example.text.as_str())
    }

    /// Returns the examples at `indices`, in that order, as a data set called `name`. The indices may be
    /// those of a part that [`stratified`](softmark_kit::train::split::stratified) returned.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`new`](Self::new), such as for a class without examples; fails with
    /// [`Reason::TooLarge`] if an index is too large.
    pub fn subset(&self, name: &str, indices: &[usize]) -> Result<Self, DataError> {
        let mut examples = Vec::with_capacity(indices.len().min(self.examples.len()));
        for &index in indices {
            let Some(example) = self.examples.get(index) else {
                let limit = self.examples.len() as u64;
                return Err(
                    Location::file(name).error(Reason::TooLarge { limit, unit: "examples" })
                );
            };
            examples.push(example.clone());
        }
        Self::new(name, self.classes.clone(), examples)
    }

    /// Returns two data sets of the same classes as one, with the examples of `other` last.
    ///
    /// # Errors
    ///
    /// Fails with [`Reason::Classes`] if the classes differ.
    pub fn joined(mut self, other: Self) -> Result<Self, DataError> {
        if self.classes != other.classes {
            return Err(
                Location::file(&other.name).error(Reason::Classes { classes: other.classes })
            );
        }
        self.examples.extend(other.examples);
        Ok(self)
    }

    /// Returns the data set without examples whose text is blank, and the number of removed examples.
    ///
    /// # Errors
    ///
    /// Fails if a class has no examples left.
    pub fn without_blank(mut self) -> Result<(Self, usize), DataError> {
        let before = self.examples.len();
        self.examples.retain(|example| !example.text.trim().is_empty());
        let removed = before - self.examples.len();
        Ok((Self::new(&self.name.clone(), self.classes, self.examples)?, removed))
    }
}

/// Returns the index of the class called `label`.
pub(crate) fn class_of(
    label: &str,
    classes: &[String],
    place: &Location,
) -> Result<u32, DataError> {
    let found = classes.iter().position(|class| class == label);
    found.and_then(|at| u32::try_from(at).ok()).ok_or_else(|| {
        place.error(Reason::UnknownLabel { found: shown(label), known: classes.to_vec() })
    })
}
