//! A case: the sizes, the parameters and the inputs with which a part is constructed and called.

use serde::{Deserialize, Serialize};
use softmark_wire::{Input, Tensor};

use crate::array::Array;
use crate::defect;
use crate::outcome::Evidence;
use crate::signature::Signature;

/// Largest number of values of an input that is printed in full.
const READABLE: usize = 24;

/// Largest number of bytes of a text that is printed in full.
const READABLE_TEXT: usize = 240;

/// Sizes and parameters with which a part is constructed, and the inputs with which it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The names of the part that is asked.
    pub signature: &'static Signature,
    /// Sizes with which the part is constructed, by name.
    pub config: Vec<(&'static str, usize)>,
    /// Parameters that the part may request, by name.
    pub parameters: Vec<(String, Array)>,
    /// Inputs of the call.
    pub inputs: Vec<CaseInput>,
    /// Sizes and switches in readable form: `B=1 Tq=2 Tk=3`.
    pub label: String,
}

/// Kind of an input, which determines its type on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

impl InputKind {
    /// Returns an array in wire format.
    pub(crate) fn tensor(self, array: &Array) -> Tensor {
        match self {
            Self::Numbers => array.to_f32(),
            Self::Mask => array.to_mask(),
            Self::Ids => array.to_ids(),
            Self::Text => array.to_bytes(),
        }
    }
}

/// One named input.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseInput {
    /// Name of the input in the part's trait.
    pub name: &'static str,
    /// Values of the input.
    pub array: Array,
    /// Kind of the input.
    pub kind: InputKind,
    /// True if the input is passed as a non-contiguous view.
    pub strided: bool,
}

impl CaseInput {
    fn to_wire(&self) -> Input {
        let tensor = self.kind.tensor(&self.array);
        Input { name: self.name.to_owned(), tensor, strided: self.strided }
    }
}

/// Construction and lookup. A name that the part does not have, or that the case lacks, is a
/// [defect] of the check.
impl Case {
    /// Creates a case for a part without sizes, parameters or inputs.
    pub fn new(signature: &'static Signature, label: String) -> Self {
        Self { signature, config: Vec::new(), parameters: Vec::new(), inputs: Vec::new(), label }
    }

    /// Returns the id of the part, such as `multi-head`.
    pub fn part(&self) -> &'static str {
        self.signature.part
    }

    /// Adds a size with which the part is constructed.
    #[must_use]
    pub fn size(mut self, name: &'static str, value: usize) -> Self {
        self.known("size", name, Signature::has_size);
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

    /// Adds the input `mask` if `array` is `Some`.
    #[must_use]
    pub fn mask(self, array: Option<Array>) -> Self {
        match array {
            Some(array) => self.input_of(InputKind::Mask, "mask", array),
            None => self,
        }
    }

    /// Adds a mask under the name `name`.
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
        self.known("input", name, Signature::has_input);
        self.inputs.push(CaseInput { name, array, kind, strided: false });
        self
    }

    /// Passes every input as a non-contiguous view.
    #[must_use]
    pub fn strided(mut self) -> Self {
        for input in &mut self.inputs {
            input.strided = true;
        }
        self
    }

    /// Returns the case with another value for one input.
    #[must_use]
    pub fn with(&self, name: &str, array: Array) -> Self {
        let mut changed = self.clone();
        match changed.inputs.iter_mut().find(|input| input.name == name) {
            Some(input) => input.array = array,
            None => self.lacks("input", name),
        }
        changed
    }

    /// Returns the case with another value for one size.
    #[must_use]
    pub fn with_size(&self, name: &str, value: usize) -> Self {
        let mut changed = self.clone();
        match changed.config.iter_mut().find(|(of, _)| *of == name) {
            Some((_, size)) => *size = value,
            None => self.lacks("size", name),
        }
        changed
    }

    /// Returns the case with another value for one parameter.
    #[must_use]
    pub fn with_parameter(&self, name: &str, array: &Array) -> Self {
        let mut changed = self.clone();
        match changed.parameters.iter_mut().find(|(of, _)| of == name) {
            Some((_, value)) => *value = array.clone(),
            None => self.lacks("parameter", name),
        }
        changed
    }

    /// Returns the value of an input; a missing input is a [defect] and gives an empty array.
    pub fn get(&self, name: &str) -> Array {
        self.find(name).unwrap_or_else(|| {
            self.lacks("input", name);
            Array::new(&[0], Vec::new())
        })
    }

    /// Returns the value of an input, or `None` if the case lacks it: code shared by parts may ask for an input
    /// that only some of them have.
    pub fn find(&self, name: &str) -> Option<Array> {
        self.inputs.iter().find(|input| input.name == name).map(|input| input.array.clone())
    }

    /// Returns the value of a parameter; a missing parameter is a [defect] and gives an empty array.
    pub fn get_parameter(&self, name: &str) -> Array {
        if let Some((_, array)) = self.parameters.iter().find(|(of, _)| of == name) {
            return array.clone();
        }
        self.lacks("parameter", name);
        Array::new(&[0], Vec::new())
    }

    /// Returns the value of a size; a missing size is a [defect] and gives 0.
    pub fn get_size(&self, name: &str) -> usize {
        self.find_size(name).unwrap_or_else(|| {
            self.lacks("size", name);
            0
        })
    }

    /// Returns the value of a size, or `None` if the case lacks it: code shared by parts may ask for a size that
    /// only some of them have.
    pub fn find_size(&self, name: &str) -> Option<usize> {
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
        defect::note(|| format!("the case of `{}` has no {kind} `{name}`", self.part()));
    }

    /// Records a name that the part does not have.
    fn known(&self, kind: &str, name: &str, has: fn(&Signature, &str) -> bool) {
        if !has(self.signature, name) {
            defect::note(|| format!("the part `{}` has no {kind} `{name}`", self.part()));
        }
    }

    /// Returns the inputs in wire format.
    pub fn wire_inputs(&self) -> Vec<Input> {
        self.inputs.iter().map(CaseInput::to_wire).collect()
    }

    /// Returns the parameters in wire format.
    pub fn wire_parameters(&self) -> Vec<(String, Tensor)> {
        self.parameters.iter().map(|(name, array)| (name.clone(), array.to_f32())).collect()
    }

    /// Returns the case as evidence: its label, and the inputs that are small enough to read.
    pub fn evidence(&self) -> Evidence {
        let readable = |input: &CaseInput| Some((input.name.to_owned(), self.readable(input)?));
        let inputs = self.inputs.iter().filter_map(readable);
        Evidence { case: Some(self.label.clone()), inputs: inputs.collect(), ..Evidence::default() }
    }

    /// Returns the text of an input that is small enough to read.
    fn readable(&self, input: &CaseInput) -> Option<String> {
        match input.kind {
            InputKind::Text => input.array.to_text().filter(|it| it.len() <= READABLE_TEXT),
            InputKind::Numbers | InputKind::Mask | InputKind::Ids => {
                let shown = input.array.text(READABLE)?;
                let names = self.signature.rows_of(input.name);
                Some(names.map_or(shown, |names| input.array.named_rows(names)))
            }
        }
    }
}
