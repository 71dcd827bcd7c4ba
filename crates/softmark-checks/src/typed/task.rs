//! Descriptions of tasks from which checks are derived.

use crate::case::Case;
use crate::typed::{Dim, Dims, Draw, Shape, Typed};

/// Name and shape of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Name of the output.
    pub name: &'static str,
    /// Shape of the output.
    pub shape: Vec<usize>,
}

/// A task whose standard checks are derived from its description. The first axis of each input and output is the
/// batch.
pub trait TypedTask: Typed + 'static {
    /// Name of the trait that students implement, for messages.
    const TRAIT: &'static str;

    /// The sizes that vary, smallest values first; the first one is the batch.
    const DIMS: &'static [Dim];

    /// Axis of the positions of a causal component, in inputs and outputs: what stands at a position has no influence
    /// on outputs before it.
    const CAUSAL_AXIS: Option<usize> = None;

    /// Values of the sizes, such as `[usize; 3]` for three [`DIMS`](Self::DIMS).
    type Sizes: Dims;

    /// Draws a question of these sizes.
    fn draw(sizes: Self::Sizes, draw: Draw) -> Self;

    /// Returns names and shapes of the outputs.
    fn outputs(&self) -> Vec<Output>;

    /// Tests whether the component must answer the question.
    ///
    /// # Errors
    ///
    /// Returns what does not fit, as the end of the sentence "should return an error, because …".
    fn fits(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// Returns questions that do not [fit](Self::fits), each made from a fitting one.
    fn misfits(&self) -> Vec<Self> {
        Vec::new()
    }

    /// Returns a question of this shape, with its values drawn from `draw`.
    fn of(shape: &Shape, draw: Draw) -> Self {
        Self::draw(Self::Sizes::of(&shape.sizes), draw)
    }

    /// Returns the case of a question of this shape.
    fn case(shape: &Shape, seed: u64) -> Case {
        Self::of(shape, Draw::new(seed, shape.data)).to_case(shape.label())
    }
}
