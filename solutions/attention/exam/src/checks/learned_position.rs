//! Hidden checks of learned positions.

use attention_checks::cases::{PositionShape, position_shapes};
use attention_checks::fixed::{self, with_full_mantissas};
use attention_checks::learned_position::{encode, output_responds};
use softmark_checks::check::if_passed;
use softmark_checks::subject::refuses;
use softmark_checks::{Case, Check, CheckError, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_exam::check::{
    LossyOperations, answers_again, follows_updates, matches_oracle, same_on_views,
    with_parameters_of,
};

use crate::checks::{refuses_other_widths, slopes};
use crate::oracle::oracle;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "learned-position/full-length",
        title: "a sequence as long as the table uses every row",
        run: full_length,
    },
    Check {
        id: "learned-position/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "learned-position/refuses-too-long",
        title: "a sequence longer than the table is an error",
        run: refuses_too_long,
    },
    Check {
        id: "learned-position/refuses-misfits",
        title: "an input of another width is an error",
        run: refuses_misfits,
    },
    Check {
        id: "learned-position/gradients",
        title: "the gradient reaches the rows that were used, and no others",
        run: gradients,
    },
    Check {
        id: "learned-position/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
];

/// One addition of numbers up to 2, and four times that: right code stays at a tenth of it.
fn tolerance() -> Tolerance {
    Tolerance::f32(4, 4.0)
}

fn full_length(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("learned-position/full-length", seed);
    let words = (
        "A sequence of exactly max_len positions should use every row of the table",
        "Look at the first and the last row that are taken.",
    );
    let found = search(subject, run, 5, position_shapes(), |subject, shape| {
        let case = PositionShape { spare: 0, ..*shape }.learned(seed);
        matches_oracle(subject, &case, oracle, tolerance(), words)
    })?;
    if_passed(found, || {
        let long = PositionShape { b: 3, t: 300, half: 2, spare: 0, strided: false, data: 0 };
        let case = with_full_mantissas(&long.learned(fixed::SEED));
        matches_oracle(subject, &case, oracle, tolerance(), words)
    })
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("learned-position/strided-input", seed);
    search(subject, run, 5, position_shapes(), |subject, shape| {
        let shape = PositionShape { t: shape.t.max(2), ..*shape };
        let plain = shape.learned(seed);
        let view = PositionShape { strided: true, ..shape }.learned(seed);
        same_on_views(subject, (&plain, &view), oracle, tolerance())?;
        let before = encode(subject, &plain)?;
        output_responds(subject, &plain, &before)
    })
}

/// The case with a table of `t - by` rows.
pub(crate) fn too_long(case: &Case, by: usize, seed: u64) -> Case {
    let x = case.get("x");
    let max_len = x.dim(1) - by.min(x.dim(1) - 1);
    let name = "position_embedding.weight";
    let mut stream = Stream::derive(seed, name, 0);
    let table = softmark_checks::Array::random(&[max_len, x.dim(2)], &mut stream);
    let mut long = case.with_parameter(name, &table).with_size("max_len", max_len);
    long.label = format!("T={} max_len={max_len}", x.dim(1));
    long
}

fn refuses_too_long(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("learned-position/refuses-too-long", seed);
    search(subject, run, 4, (position_shapes(), 1..=3_usize), |subject, (shape, by)| {
        let case = PositionShape { t: shape.t.max(2), ..*shape }.learned(seed);
        let words = (
            "The sequence is longer than max_len, so `encode` should return an error",
            "Look at what is asked of the table, and what candle does beyond its end.",
        );
        refuses(subject, (&case, &too_long(&case, *by, seed)), words)
    })
}

fn refuses_misfits(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("learned-position/refuses-misfits", seed);
    search(subject, run, 3, position_shapes(), |subject, shape| {
        refuses_other_widths(subject, &shape.learned(seed))
    })
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("learned-position/gradients", seed), 4, position_shapes(), |subject, shape| {
        let case = PositionShape { spare: shape.spare.max(1), ..*shape }.learned(seed);
        // A row's gradient is a sum over the batch of cotangents up to 1.
        let tolerances = (tolerance(), Tolerance::f32(shape.b + 4, shape.b as f64));
        slopes(subject, (&case, &case), seed, tolerances, LossyOperations::None)
    })
}

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("learned-position/updated-parameters", seed);
    search(subject, run, 0, position_shapes(), |subject, shape| {
        let case = PositionShape { b: 1, ..*shape }.learned(seed);
        let other = PositionShape { b: 1, data: shape.data.wrapping_add(1), ..*shape };
        let changed = with_parameters_of(&case, &other.learned(seed), &|_| true);
        let x = case.get("x");
        follows_updates(subject, (&case, &changed), ("output", x.shape()), tolerance(), "")?;
        let longer = PositionShape { b: 1, t: shape.t + 1, spare: shape.spare - 1, ..*shape };
        let longer = longer.learned(seed);
        let x = longer.get("x");
        answers_again(subject, (&case, &longer), ("output", x.shape()), tolerance())
    })
}
