//! Comparison of reverse-mode gradients with central differences of an oracle.

use std::collections::BTreeMap;

use softmark_checks::check::{Judged, Stop, wrong};
use softmark_checks::subject::compare;
use softmark_checks::{Answer, Array, Case, Gradients, Subject, subject};
use softmark_common::compare::Tolerance;
use softmark_wire::Attempt;

use crate::check::against::{Oracle, finite, is_right_where};
use crate::check::differences::{Cotangents, numeric_gradients_of};
use crate::memo::memoized;

/// Returns an output with zeros where its cotangent is 0: the values there, such as those at
/// padding, are arbitrary.
fn weighted(cotangents: &Cotangents, name: &str, output: &Array) -> Array {
    let Some((_, weights)) = cotangents.iter().find(|(of, _)| *of == name) else {
        return output.clone();
    };
    Array::from_fn(output.shape(), |at| if weights.at(at) == 0.0 { 0.0 } else { output.at(at) })
}

/// Trainable parameters of a component, and its operations.
#[derive(Clone, Copy)]
pub struct Trainable<'a> {
    /// True for trainable parameters; `None` if all are.
    learns: Option<&'a dyn Fn(&str) -> bool>,
    operations: LossyOperations,
}

impl<'a> Trainable<'a> {
    /// Constructs the description of a component whose parameters are all trainable.
    pub fn all(operations: LossyOperations) -> Self {
        Self { learns: None, operations }
    }

    /// Constructs the description of a component in which the parameters are trainable for whose names
    /// `learns` is true.
    pub fn only(learns: &'a dyn Fn(&str) -> bool, operations: LossyOperations) -> Self {
        Self { learns: Some(learns), operations }
    }

    fn learns(&self, name: &str) -> bool {
        self.learns.is_none_or(|learns| learns(name))
    }
}

impl std::fmt::Debug for Trainable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trainable").field("operations", &self.operations).finish_non_exhaustive()
    }
}

/// Checks that every gradient of a trainable parameter and of an input arrives and matches the oracle's central
/// differences; [`keeps_frozen`] checks the other parameters.
///
/// If the outputs do not match the oracle's, their slopes cannot either; other checks report that.
/// A gradient then only has to arrive, on `open`: that is `case` without a mask, because a mask
/// that is read wrongly may leave nothing for a gradient to come from.
///
/// The first of the tolerances applies to the outputs, the second to their slopes.
///
/// # Errors
///
/// Fails with the verdict if a gradient is missing or differs.
pub fn matches_gradients(
    subject: &mut Subject<'_>,
    (case, open): (&Case, &Case),
    oracle: Oracle,
    cotangents: &Cotangents,
    tolerances: (Tolerance, Tolerance),
    trained: Trainable<'_>,
) -> Judged {
    let slopes = |case: &Case| {
        let names = case.parameters.iter().map(|(name, _)| name);
        let learned: Vec<String> = names.filter(|name| trained.learns(name)).cloned().collect();
        memoized(&[case, &(oracle as usize), cotangents, &learned], || {
            numeric_gradients_of(case, &oracle, cotangents, &|name| trained.learns(name))
        })
    };
    matches_slopes(subject, (case, open), oracle, (cotangents, &slopes), tolerances, trained)
}

/// Function that computes the gradients of a weighted sum of a case's outputs, by name.
pub type Slopes<'a> = &'a dyn Fn(&Case) -> BTreeMap<String, Array>;

/// Like [`matches_gradients`], with expected gradients that `slopes` computes.
///
/// # Errors
///
/// Fails with the verdict if a gradient is missing or differs.
pub fn matches_slopes(
    subject: &mut Subject<'_>,
    (case, open): (&Case, &Case),
    oracle: Oracle,
    (cotangents, slopes): (&Cotangents, Slopes<'_>),
    (forward, tolerance): (Tolerance, Tolerance),
    trained: Trainable<'_>,
) -> Judged {
    let weighted = |name: &str, output: &Array| weighted(cotangents, name, output);
    let is_right = is_right_where(subject, case, oracle, forward, &weighted)?;
    let asked = if is_right { case } else { open };
    let came = subject.gradients(asked, cotangents)?;
    let wanted = slopes(asked);
    for (name, want) in &wanted {
        finite(asked, (&format!("gradient of {name}"), want))?;
    }
    let arrived = |name: &str| {
        let found = came.inputs.get(name).or_else(|| came.parameters.get(name));
        found.and_then(Option::as_ref)
    };
    // A gradient that should be zero need not arrive; and a wrong output may have a zero gradient.
    let is_due = |want: &Array| want.magnitude() > tolerance.absolute;
    let is_cut = |name: &str| arrived(name).is_none_or(|got| is_right && got.magnitude() == 0.0);
    let cut = wanted.iter().filter(|(name, want)| is_due(want) && is_cut(name));
    let cut: Vec<(&str, &Array)> = cut.map(|(name, want)| (name.as_str(), want)).collect();
    if !cut.is_empty() {
        let (unused, lost) = unused(subject, (asked, cotangents), &cut)?;
        return Err(wrong(asked, missing(trained, &unused, &lost)));
    }
    if !is_right {
        return Ok(());
    }
    for (name, want) in &wanted {
        let Some(got) = arrived(name) else { continue };
        let claim = format!(
            "The gradient of the weighted sum of the outputs with respect to `{name}` should be \
             its slope, measured by small steps"
        );
        let look = "The output is a different function of this tensor than it should be, or part of the \
                    way back is cut off or leads elsewhere.";
        compare(case, &format!("gradient of {name}"), (got, want), tolerance, (&claim, look))?;
    }
    Ok(())
}

/// Checks that no gradient in `came` belongs to a frozen parameter.
///
/// # Errors
///
/// Fails with the verdict if there is one.
pub fn keeps_frozen(case: &Case, came: &Gradients, learns: &dyn Fn(&str) -> bool) -> Judged {
    let thawed = arrived(came).filter(|(name, _)| !learns(name));
    let thawed: Vec<&str> = thawed.map(|(name, _)| name).collect();
    if thawed.is_empty() { Ok(()) } else { Err(wrong(case, frozen(&thawed))) }
}

/// Checks that `came` has a gradient of a parameter for which `is_telling` holds: one that is
/// computed on the way back from an output that depends on inputs.
///
/// # Errors
///
/// Fails with the verdict if there is none.
pub fn depends_on_inputs(
    case: &Case,
    came: &Gradients,
    is_telling: &dyn Fn(&str, &Array) -> bool,
) -> Judged {
    if arrived(came).any(|(name, gradient)| is_telling(name, gradient)) {
        return Ok(());
    }
    let message = "No gradient comes from anything that depends on the inputs, so this check can say nothing \
                   about the parameters. Look at what the output is computed from, and at where the way back \
                   from it ends.";
    Err(wrong(case, message.to_owned()))
}

/// Returns the gradients of parameters that arrived, by name.
fn arrived(came: &Gradients) -> impl Iterator<Item = (&str, &Array)> {
    came.parameters.iter().filter_map(|(name, gradient)| Some((name.as_str(), gradient.as_ref()?)))
}

/// Divides the `cut` inputs and parameters into those without any influence on the output, and the
/// others.
///
/// Each is moved along its expected gradient, by its own magnitude, so that any computation that
/// uses it gives another answer.
fn unused<'a>(
    subject: &mut Subject<'_>,
    (case, cotangents): (&Case, &Cotangents),
    cut: &[(&'a str, &Array)],
) -> Result<(Vec<&'a str>, Vec<&'a str>), Stop> {
    // Outputs without a cotangent are ignored: attention weights may depend on tensors that the
    // output does not depend on.
    let of_asked = |answer: Answer| {
        let mut arrays = answer.arrays();
        arrays.retain(|name, _| cotangents.iter().any(|(of, _)| of == name));
        arrays
    };
    let before = of_asked(subject.forward(case)?);
    for (name, array) in &before {
        subject::finite(case, name, array)?;
    }
    let (mut unused, mut lost) = (Vec::new(), Vec::new());
    for (name, slope) in cut {
        let along = |of: &Array| {
            let by = of.magnitude().max(1.0) / slope.magnitude();
            let values = of.values().iter().zip(slope.values()).map(|(x, s)| x + by * s);
            Array::new(of.shape(), values.collect())
        };
        let moved = match case.inputs.iter().find(|input| input.name == *name) {
            Some(input) => case.with(name, along(&input.array)),
            None => case.with_parameter(name, &along(&case.get_parameter(name))),
        };
        let is_same = match subject.try_forward(&moved)? {
            Attempt::Success(after) => of_asked(after) == before,
            Attempt::Fault(_) => false,
        };
        if is_same { unused.push(*name) } else { lost.push(*name) }
    }
    Ok((unused, lost))
}

/// Formats names as part of a sentence; at most the first few.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 4;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST);
    if more > 0 {
        return format!("{} and {more} more", shown.join(", "));
    }
    match shown.as_slice() {
        [few @ .., last] if !few.is_empty() => format!("{} and {last}", few.join(", ")),
        _ => shown.concat(),
    }
}

fn frozen(names: &[&str]) -> String {
    let stay = match names {
        [_] => "should stay as it is: training would change it",
        _ => "should stay as they are: training would change them",
    };
    format!(
        "A gradient arrives at {}, which {stay}. Look at where the encoder is made, and at what says there \
         which of its parameters learn.",
        listed(names)
    )
}

/// Operations of a component for which candle also has a function without a gradient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossyOperations {
    /// No such operation.
    None,
    /// A softmax.
    Softmax,
    /// A layer norm.
    Norm,
    /// A softmax and a layer norm.
    SoftmaxAndNorm,
}

impl LossyOperations {
    /// Returns the sentence about these operations in a message, with a leading space; empty for `None`.
    fn hint(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Norm => {
                " candle_nn::LayerNorm has no gradient; softmark_kit::nn::layer_norm takes the same arguments and \
                 has one."
            }
            Self::Softmax => {
                " candle_nn::ops::softmax_last_dim has no gradient; softmark_kit::nn::ops::softmax_last_dim and \
                 softmark_kit::nn::ops::softmax take the same arguments and have one."
            }
            Self::SoftmaxAndNorm => {
                " candle_nn::ops::softmax_last_dim and candle_nn::LayerNorm have no gradient; \
                 softmark_kit::nn::ops::softmax_last_dim, softmark_kit::nn::ops::softmax and \
                 softmark_kit::nn::layer_norm take the same arguments and have one."
            }
        }
    }
}

fn missing(trained: Trainable<'_>, unused: &[&str], lost: &[&str]) -> String {
    let operations = trained.operations.hint();
    let mut said = Vec::new();
    let them = |names: &[&str]| if names.len() == 1 { "it" } else { "them" };
    if !unused.is_empty() {
        said.push(format!(
            "No gradient arrives at {}, because the output does not depend on {it}: other numbers there \
             gave the same output. Look at where your code should use {it}.",
            listed(unused),
            it = them(unused)
        ));
    }
    if !lost.is_empty() && trained.learns.is_some() {
        said.push(format!(
            "No gradient arrives at {}, though the output depends on {it}: training would not change {it}, and \
             nothing reports this. Look at what says which parameters learn, where they are handed out, and \
             then at each operation between {it} and the output.{operations} A tensor that is rebuilt from plain \
             numbers, or detached, has no gradient.",
            listed(lost),
            it = them(lost)
        ));
    } else if !lost.is_empty() {
        said.push(format!(
            "No gradient arrives at {}, though the output depends on {it}: training would change neither \
             {it} nor what lies before {it}. Nothing reports this; the graph ends on the way. Look at each \
             operation between there and the output.{operations} A tensor that is rebuilt from plain \
             numbers, or detached, has no gradient.",
            listed(lost),
            it = them(lost)
        ));
    }
    said.join(" ")
}
