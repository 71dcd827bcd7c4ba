//! Names that cases and answers of a component may use; any other name is misspelt.

/// Lists of names, which are concatenated.
pub type Names = &'static [&'static [&'static str]];

/// The names of one component: what it is constructed with, called with, and returns.
#[derive(Debug, PartialEq, Eq)]
pub struct Signature {
    /// Id of the component, such as `multi-head`.
    pub part: &'static str,
    /// Sizes and switches with which it is constructed.
    pub sizes: Names,
    /// Inputs with which it is called.
    pub inputs: &'static [&'static str],
    /// Outputs that it returns.
    pub outputs: &'static [&'static str],
    /// Sizes and inputs that a question may lack.
    pub optional: &'static [&'static str],
    /// Outputs that are read beside what the component's trait returns; messages do not mention them.
    pub unmentioned: &'static [&'static str],
    /// Word of messages for an answer whose outputs are no tensors of the trait, such as `a report`.
    pub answer: Option<&'static str>,
    /// Names of the rows of inputs.
    pub rows: &'static [RowNames],
}

/// Names of the rows of an input, where the input's name does not tell what they are.
#[derive(Debug, PartialEq, Eq)]
pub struct RowNames {
    /// Name of the input.
    pub input: &'static str,
    /// Names of its rows.
    pub rows: &'static [&'static str],
}

/// Kind of request to a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Construction only: no inputs are needed.
    ToBeMade,
    /// A run on inputs.
    ToRun,
}

impl Signature {
    /// Returns a signature without optional names.
    ///
    /// ```
    /// use softmark_checks::signature::{Asked, Signature};
    ///
    /// static POOLING: Signature = Signature {
    ///     optional: &["mask"],
    ///     ..Signature::new("masked-pooling", &[&["kind"]], &["x", "mask"], &["output"])
    /// };
    /// assert_eq!(POOLING.lacking(Asked::ToRun, |name| name == "kind"), ["x"]);
    /// ```
    pub const fn new(
        part: &'static str,
        sizes: Names,
        inputs: &'static [&'static str],
        outputs: &'static [&'static str],
    ) -> Self {
        Self {
            part,
            sizes,
            inputs,
            outputs,
            optional: &[],
            unmentioned: &[],
            answer: None,
            rows: &[],
        }
    }

    /// True if the component is constructed with a size of that name.
    pub fn has_size(&self, name: &str) -> bool {
        self.sizes.iter().any(|sizes| sizes.contains(&name))
    }

    /// True if the component is called with an input of that name.
    pub fn has_input(&self, name: &str) -> bool {
        self.inputs.contains(&name)
    }

    /// True if the component returns an output of that name.
    pub fn has_output(&self, name: &str) -> bool {
        self.outputs.contains(&name)
    }

    /// Returns the names of the rows of an input, if they have names.
    pub fn rows_of(&self, input: &str) -> Option<&'static [&'static str]> {
        self.rows.iter().find(|names| names.input == input).map(|names| names.rows)
    }

    /// Returns the sizes, and the inputs if the component is `asked` to run, for which `has` is false and which are
    /// not optional.
    pub fn lacking(&self, asked: Asked, has: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let sizes = self.sizes.iter().copied().flatten();
        let inputs = self.inputs.iter().filter(|_| asked == Asked::ToRun);
        let names = sizes.chain(inputs).copied();
        names.filter(|name| !self.optional.contains(name) && !has(name)).collect()
    }
}
