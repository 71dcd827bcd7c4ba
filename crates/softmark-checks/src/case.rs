//! One question to a part: its sizes, its parameters and what it is called with.

use softmark_wire::{Input, Tensor};

use crate::array::Array;
use crate::defect;
use crate::outcome::Evidence;
use crate::parts::{self, PartNames};

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

/// One question to a part. A name that the part does not have, or that the case lacks, is a
/// [defect] of the check.
impl Case {
    /// A question to `part` without sizes, parameters or inputs yet.
    pub fn new(part: &'static str, label: String) -> Self {
        if parts::find(part).is_none() {
            defect::note(|| format!("there is no part `{part}`"));
        }
        Self { part, config: Vec::new(), parameters: Vec::new(), inputs: Vec::new(), label }
    }

    /// Adds a size that the part is made with.
    #[must_use]
    pub fn size(mut self, name: &'static str, value: usize) -> Self {
        self.known("size", name, PartNames::has_size);
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
        self.known("input", name, PartNames::has_input);
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
        match changed.inputs.iter_mut().find(|input| input.name == name) {
            Some(input) => input.array = array,
            None => self.lacks("input", name),
        }
        changed
    }

    /// The same question with another value for one size.
    #[must_use]
    pub fn with_size(&self, name: &str, value: usize) -> Self {
        let mut changed = self.clone();
        match changed.config.iter_mut().find(|(of, _)| *of == name) {
            Some((_, size)) => *size = value,
            None => self.lacks("size", name),
        }
        changed
    }

    /// The same question with another value for one parameter.
    #[must_use]
    pub fn with_parameter(&self, name: &str, array: &Array) -> Self {
        let mut changed = self.clone();
        match changed.parameters.iter_mut().find(|(of, _)| of == name) {
            Some((_, value)) => *value = array.clone(),
            None => self.lacks("parameter", name),
        }
        changed
    }

    /// The value of an input; empty where there is none, which is a [defect].
    pub fn get(&self, name: &str) -> Array {
        self.find(name).unwrap_or_else(|| {
            self.lacks("input", name);
            Array::new(&[0], Vec::new())
        })
    }

    /// The value of an input, where there is one; code for several parts may ask for what only another one
    /// has.
    pub fn find(&self, name: &str) -> Option<Array> {
        known_anywhere("input", name, PartNames::has_input);
        self.inputs.iter().find(|input| input.name == name).map(|input| input.array.clone())
    }

    /// The value of a parameter; empty where there is none, which is a [defect].
    pub fn get_parameter(&self, name: &str) -> Array {
        if let Some((_, array)) = self.parameters.iter().find(|(of, _)| of == name) {
            return array.clone();
        }
        self.lacks("parameter", name);
        Array::new(&[0], Vec::new())
    }

    /// The value of a size; 0 where there is none, which is a [defect].
    pub fn get_size(&self, name: &str) -> usize {
        self.find_size(name).unwrap_or_else(|| {
            self.lacks("size", name);
            0
        })
    }

    /// The value of a size, where there is one; code for several parts may ask for what only another one has.
    pub fn find_size(&self, name: &str) -> Option<usize> {
        known_anywhere("size", name, PartNames::has_size);
        self.config.iter().find(|(of, _)| *of == name).map(|(_, value)| *value)
    }

    /// True if every input and every parameter is finite.
    pub fn is_finite(&self) -> bool {
        let inputs = self.inputs.iter().map(|input| &input.array);
        let mut arrays = inputs.chain(self.parameters.iter().map(|(_, array)| array));
        arrays.all(|array| array.first_not_finite().is_none())
    }

    /// Records a name that the case should have.
    fn lacks(&self, kind: &str, name: &str) {
        defect::note(|| format!("the case of `{}` has no {kind} `{name}`", self.part));
    }

    /// Records a name that the part does not have.
    fn known(&self, kind: &str, name: &str, has: fn(&PartNames, &str) -> bool) {
        if parts::find(self.part).is_some_and(|part| !has(part, name)) {
            defect::note(|| format!("the part `{}` has no {kind} `{name}`", self.part));
        }
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
            InputKind::Numbers | InputKind::Mask | InputKind::Ids => {
                let shown = input.array.text(READABLE)?;
                let names = parts::row_names(self.part, input.name);
                Some(names.map_or(shown, |names| input.array.named_rows(names)))
            }
        };
        let inputs =
            self.inputs.iter().filter_map(|input| Some((input.name.to_owned(), readable(input)?)));
        Evidence { case: Some(self.label.clone()), inputs: inputs.collect(), ..Evidence::default() }
    }
}

/// Records a name that no part has.
fn known_anywhere(kind: &str, name: &str, has: fn(&PartNames, &str) -> bool) {
    if !parts::PARTS.iter().any(|part| has(part, name)) {
        defect::note(|| format!("no part has the {kind} `{name}`"));
    }
}
