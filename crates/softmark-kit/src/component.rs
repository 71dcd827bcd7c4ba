//! Components that are constructed and called by name, as checks do it; an assignment's adapter implements them.

use std::collections::BTreeMap;

use candle_core::{Error, Result, Tensor};
use candle_nn::VarBuilder;

/// Named tensors.
#[derive(Debug, Default)]
pub struct Inputs(BTreeMap<String, Tensor>);

impl Inputs {
    /// Returns inputs with these names.
    pub fn new(tensors: BTreeMap<String, Tensor>) -> Self {
        Self(tensors)
    }

    /// Returns the input `name`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such input.
    pub fn get(&self, name: &str) -> Result<&Tensor> {
        self.0.get(name).ok_or_else(|| Error::Msg(format!("the question has no input `{name}`")))
    }

    /// Returns the input `name`, if there is one.
    pub fn optional(&self, name: &str) -> Option<&Tensor> {
        self.0.get(name)
    }
}

/// The output tensors of a component, by name.
pub type Outputs = Vec<(&'static str, Tensor)>;

/// The sizes and switches with which a component is constructed, by name.
#[derive(Debug, Clone, Default)]
pub struct Sizes(BTreeMap<String, u64>);

impl Sizes {
    /// Returns sizes with these names.
    pub fn new(sizes: BTreeMap<String, u64>) -> Self {
        Self(sizes)
    }

    /// Returns the size `name`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such size.
    pub fn get(&self, name: &str) -> Result<usize> {
        let value = self.0.get(name).copied().and_then(|value| usize::try_from(value).ok());
        value.ok_or_else(|| Error::Msg(format!("the question does not say `{name}`")))
    }

    /// Returns true if the size `name` is 1; an absent switch is off.
    pub fn is_on(&self, name: &str) -> bool {
        self.0.get(name) == Some(&1)
    }
}

/// Makes experiments with something that is in another process, and returns what was observed.
pub trait Experiments {
    /// Runs the thing under test with these parameters on these inputs, and returns the observed tensors.
    ///
    /// # Errors
    ///
    /// Fails if nobody answers experiments, or the experiment is refused.
    fn observe(
        &self,
        parameters: &[(&str, &Tensor)],
        inputs: &[(&str, &Tensor)],
    ) -> Result<BTreeMap<String, Tensor>>;
}

/// A constructed component.
pub trait Component {
    /// Runs the component forward.
    ///
    /// # Errors
    ///
    /// Returns the error of the student's code.
    fn forward(&self, inputs: &Inputs) -> Result<Outputs>;

    /// Returns a classifier's logits `[B, C]` for `ids` `[B, T]`; `mask` `[B, T]` distinguishes real tokens
    /// from padding.
    ///
    /// # Errors
    ///
    /// Returns the error of the student's code; fails if the component is not a classifier.
    fn logits(&self, _ids: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
        Err(Error::Msg("this part is no classifier: it cannot be trained".to_owned()))
    }

    /// Returns the names of the component's detectors.
    ///
    /// # Errors
    ///
    /// Fails if the component has no detectors.
    fn detectors(&self) -> Result<Vec<&'static str>> {
        Err(Error::Msg("this part has no detectors".to_owned()))
    }

    /// Runs a detector on something of these sizes that answers `experiments`. Returns its evidence for a bug, or
    /// `None` if it found none.
    ///
    /// # Errors
    ///
    /// Returns the error of the detector; fails if there is no such detector.
    fn detect(
        &self,
        _detector: usize,
        _sizes: &Sizes,
        _experiments: &dyn Experiments,
    ) -> Result<Option<String>> {
        Err(Error::Msg("this part has no detectors".to_owned()))
    }
}

/// Constructs the component of a given name with these sizes and parameters.
pub type Components = Box<dyn Fn(&str, &Sizes, VarBuilder<'static>) -> Result<Box<dyn Component>>>;

/// Returns the error for a component that an assignment does not have.
pub fn unknown(name: &str) -> Error {
    Error::Msg(format!("the assignment has no part `{name}`"))
}

/// Returns the component `offered` alone; every other name is an error.
///
/// A component that is built on the grader's own is offered alone: a submission that kept a copy of the grader's
/// components could otherwise use it to answer for another component.
pub fn only(
    offered: &'static str,
    make: impl Fn(&Sizes, VarBuilder<'static>) -> Result<Box<dyn Component>> + 'static,
) -> Components {
    Box::new(move |name, sizes, vb| {
        let unknown = || Error::Msg(format!("this worker has no part `{name}`"));
        if name == offered { make(sizes, vb) } else { Err(unknown()) }
    })
}
