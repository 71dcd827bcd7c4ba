//! One question to a part: its sizes, its parameters and what it is called with.

use softmark_wire::{Input, Tensor};

use crate::array::Array;
use crate::outcome::Evidence;

/// Most values of an input that is written out in full.
const READABLE: usize = 24;

/// Most bytes of a text that is shown in full.
const READABLE_TEXT: usize = 240;

/// What a part is made of and called with.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// `multi-head` and so on.
    pub part: &'static str,
    /// Sizes that the part is made with, by name.
    pub config: Vec<(&'static str, usize)>,
    /// The parameters that it may ask for.
    pub parameters: Vec<(String, Array)>,
    /// What it is called with.
    pub inputs: Vec<CaseInput>,
    /// The sizes and switches, for a person: `B=1 Tq=2 Tk=3`.
    pub label: String,
}

/// What an input is, and so how it travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// Numbers in `f32`: the only kind that has a gradient.
    Numbers,
    /// A mask of zeros and ones, in `u8`.
    Mask,
    /// Whole numbers in `u32`, such as token ids.
    Ids,
    /// Text, as its bytes in `u8`.
    Text,
}

/// One named input.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseInput {
    /// As the part's trait names it.
    pub name: &'static str,
    /// Its values.
    pub array: Array,
    /// How it travels.
    pub kind: InputKind,
    /// Whether it is handed over as a view that is not contiguous.
    pub strided: bool,
}

impl Case {
    /// A question to `part` without sizes, parameters or inputs yet.
    pub fn new(part: &'static str, label: String) -> Self {
        Self { part, config: Vec::new(), parameters: Vec::new(), inputs: Vec::new(), label }
    }

    /// Adds a size that the part is made with.
    #[must_use]
    pub fn size(mut self, name: &'static str, value: usize) -> Self {
        self.config.push((name, value));
        self
    }

    /// Adds a parameter.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, array: Array) -> Self {
        self.parameters.push((name.into(), array));
        self
    }

    /// Adds an input of `f32`.
    #[must_use]
    pub fn input(self, name: &'static str, array: Array) -> Self {
        self.input_of(InputKind::Numbers, name, array)
    }

    /// Adds a mask, where there is one.
    #[must_use]
    pub fn mask(self, array: Option<Array>) -> Self {
        match array {
            Some(array) => self.input_of(InputKind::Mask, "mask", array),
            None => self,
        }
    }

    /// Adds zeros and ones of another name.
    #[must_use]
    pub fn mask_called(self, name: &'static str, array: Array) -> Self {
        self.input_of(InputKind::Mask, name, array)
    }

    /// Adds whole numbers, in `u32`.
    #[must_use]
    pub fn ids(self, name: &'static str, array: Array) -> Self {
        self.input_of(InputKind::Ids, name, array)
    }

    /// Adds text.
    #[must_use]
    pub fn text(self, name: &'static str, text: &str) -> Self {
        self.input_of(InputKind::Text, name, Array::from_text(text))
    }

    fn input_of(mut self, kind: InputKind, name: &'static str, array: Array) -> Self {
        self.inputs.push(CaseInput { name, array, kind, strided: false });
        self
    }

    /// Hands every input over as a view that is not contiguous.
    #[must_use]
    pub fn strided(mut self) -> Self {
        for input in &mut self.inputs {
            input.strided = true;
        }
        self
    }

    /// The same question with another value for one input.
    #[must_use]
    pub fn with(&self, name: &str, array: Array) -> Self {
        let mut changed = self.clone();
        if let Some(input) = changed.inputs.iter_mut().find(|input| input.name == name) {
            input.array = array;
        }
        changed
    }

    /// The same question with another value for one size.
    #[must_use]
    pub fn with_size(&self, name: &str, value: usize) -> Self {
        let mut changed = self.clone();
        for (_, size) in changed.config.iter_mut().filter(|(of, _)| *of == name) {
            *size = value;
        }
        changed
    }

    /// The same question with another value for one parameter.
    #[must_use]
    pub fn with_parameter(&self, name: &str, array: &Array) -> Self {
        let mut changed = self.clone();
        for (_, value) in changed.parameters.iter_mut().filter(|(of, _)| of == name) {
            *value = array.clone();
        }
        changed
    }

    /// The value of an input; empty where there is none.
    pub fn get(&self, name: &str) -> Array {
        self.find(name).unwrap_or_else(|| Array::new(&[0], Vec::new()))
    }

    /// The value of an input, where there is one.
    pub fn find(&self, name: &str) -> Option<Array> {
        self.inputs.iter().find(|input| input.name == name).map(|input| input.array.clone())
    }

    /// The value of a parameter; empty where there is none.
    pub fn get_parameter(&self, name: &str) -> Array {
        let found = self.parameters.iter().find(|(of, _)| of == name);
        found.map_or_else(|| Array::new(&[0], Vec::new()), |(_, array)| array.clone())
    }

    /// The value of a size; 0 where there is none.
    pub fn get_size(&self, name: &str) -> usize {
        self.config.iter().find(|(of, _)| *of == name).map_or(0, |(_, value)| *value)
    }

    /// The inputs as they travel.
    pub fn wire_inputs(&self) -> Vec<Input> {
        let wire = |input: &CaseInput| Input {
            name: input.name.to_owned(),
            tensor: match input.kind {
                InputKind::Numbers => input.array.to_f32(),
                InputKind::Mask => input.array.to_mask(),
                InputKind::Ids => input.array.to_ids(),
                InputKind::Text => input.array.to_bytes(),
            },
            strided: input.strided,
        };
        self.inputs.iter().map(wire).collect()
    }

    /// The parameters as they travel.
    pub fn wire_parameters(&self) -> Vec<(String, Tensor)> {
        self.parameters.iter().map(|(name, array)| (name.clone(), array.to_f32())).collect()
    }

    /// The case as evidence: its label, and the inputs that are small enough to read.
    pub fn evidence(&self) -> Evidence {
        let readable = |input: &CaseInput| match input.kind {
            InputKind::Text => input.array.to_text().filter(|it| it.len() <= READABLE_TEXT),
            InputKind::Numbers | InputKind::Mask | InputKind::Ids => input.array.text(READABLE),
        };
        let inputs =
            self.inputs.iter().filter_map(|input| Some((input.name.to_owned(), readable(input)?)));
        Evidence { case: Some(self.label.clone()), inputs: inputs.collect(), ..Evidence::default() }
    }
}
