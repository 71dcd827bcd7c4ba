//! Hidden checks of multi-head attention.

use attention_checks::attended::attend;
use attention_checks::cases::{AttentionShape, MaskKind, attention_shapes};
use attention_checks::fixed::{
    self, SQUARE, large_shapes, with_full_mantissas, with_one_key_hidden, with_own_key_hidden,
};
use attention_checks::multi_head::{output_responds, without_biases};
use proptest::prelude::*;

use softmark_checks::check::if_passed;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_exam::check::{LossyOperations, same_on_views};

use crate::checks::multi_head_answers::{open, right};
use crate::checks::multi_head_inner::{own_attention, uses_attention};
use crate::checks::multi_head_state::updated_parameters;
use crate::checks::ordinary::unless_all_is_wrong;
use crate::checks::tolerances::of_multi_head as tolerance;
use crate::checks::{MASKED_QUERY, oracle_for, others_move_nothing, slopes};
use crate::oracle::{oracle, output_oracle};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "multi-head/matches-reference",
        title: "output and weights are those of the formula, for self- and cross-attention",
        run: matches_reference,
    },
    Check {
        id: "multi-head/unequal-lengths",
        title: "queries and keys may differ in number",
        run: unequal_lengths,
    },
    Check {
        id: "multi-head/extreme-heads",
        title: "one head, and as many heads as channels, are no special cases",
        run: extreme_heads,
    },
    Check {
        id: "multi-head/empty-row",
        title: "a query that may look at nothing gets the bias of out_proj",
        run: empty_row,
    },
    Check {
        id: "multi-head/uses-attention",
        title: "the attention that is handed in is the one that is used",
        run: uses_attention,
    },
    Check {
        id: "multi-head/strided-input",
        title: "inputs that are not contiguous in memory make no difference",
        run: strided_input,
    },
    Check {
        id: "multi-head/batch-independence",
        title: "examples do not mix",
        run: batch_independence,
    },
    Check {
        id: "multi-head/gradients",
        title: "gradients reach all inputs and all parameters, and are right",
        run: gradients,
    },
    Check {
        id: "multi-head/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "multi-head/refuses-uneven-heads",
        title: "no heads, and a width that they do not divide, are errors",
        run: refuses_uneven_heads,
    },
    Check {
        id: "multi-head/refuses-misfits",
        title: "shapes that do not fit are an error",
        run: refuses_misfits,
    },
    Check {
        id: "multi-head/own-attention",
        title: "with the submission's own attention inside, it does what that attention makes of it",
        run: own_attention,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/matches-reference", seed);
    let shapes = (attention_shapes(), any::<bool>());
    let found = search(subject, run, 12, shapes, |subject, (shape, self_attention)| {
        let case = shape.square().multi_head(seed, *self_attention);
        right(subject, &case, oracle, FORMULA)
    })?;
    if_passed(found, || {
        let precise = |shape: AttentionShape, self_attention| {
            with_full_mantissas(&shape.multi_head(fixed::SEED, self_attention))
        };
        for self_attention in [true, false] {
            let case = precise(SQUARE, self_attention);
            for case in [with_own_key_hidden(&case), with_one_key_hidden(&case)] {
                right(subject, &case, oracle, FORMULA)?;
            }
        }
        right(subject, &open(), oracle, FORMULA)?;
        for shape in large_shapes() {
            let case = with_one_key_hidden(&precise(shape, false));
            right(subject, &case, oracle, FORMULA)?;
        }
        Ok(())
    })
}

const FORMULA: (&str, &str) = (
    "Output and weights should be those of the formula: project, split, attend, merge, project",
    "Go through the formula in the documentation of MultiHeadAttention step by step, and write each \
     step's shape beside it.",
);

/// Asks for the output alone: weights of a wrong shape fail `shapes`.
fn unequal_lengths(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/unequal-lengths", seed);
    let found = search(subject, run, 4, attention_shapes(), |subject, shape| {
        let tk = if shape.tk == shape.tq { shape.tq + 1 } else { shape.tk };
        of_unequal_lengths(subject, &AttentionShape { tk, ..*shape }.multi_head(seed, false))
    })?;
    if_passed(found, || {
        let single = AttentionShape { tq: 1, tk: 5, ..SQUARE };
        let case = with_one_key_hidden(&single.multi_head(fixed::SEED, false));
        right(subject, &without_biases(&case), output_oracle, MASKED_QUERY)?;
        let longer = AttentionShape { tq: 3, tk: 300, ..SQUARE };
        of_unequal_lengths(subject, &longer.multi_head(fixed::SEED, false))
    })
}

fn of_unequal_lengths(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let words = (
        "Keys and values come from a sequence of another length than the queries, and the output should \
         be that of the formula",
        "If matches-reference fails too, begin there. If not, look at where each length is taken from when \
         heads are split off and merged.",
    );
    let case = without_biases(case);
    right(subject, &case, output_oracle, words)
}

/// With a query that may look at nothing, in the last row of the first example.
fn empty_row(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("multi-head/empty-row", seed), 4, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { mask: MaskKind::Shared, tk: shape.tk.max(2), ..*shape };
        let shape = shape.square();
        let sighted = with_one_key_hidden(&shape.multi_head(seed, false));
        let mask = sighted.get("mask");
        let is_empty = |at: &[usize]| matches!(*at, [0, i, _] if i + 1 == shape.tq);
        let emptied =
            Array::from_fn(mask.shape(), |at| if is_empty(at) { 0.0 } else { mask.at(at) });
        let blind = sighted.with("mask", emptied);
        let (before, _) = attend(subject, &sighted)?;
        let (after, _) = attend(subject, &blind)?;
        let bias = sighted.get_parameter("out_proj.bias");
        let want = Array::from_fn(before.shape(), |at| match *at {
            [.., c] if is_empty(at) => bias.at(&[c]),
            _ => before.at(at),
        });
        let words = (
            "The last query of the first example may look at nothing, so the attention inside gives \
             zeros for it and the output there should be the bias of out_proj; all others should be \
             what they are when it may look at something",
            "Look at what is done to the values before they are mixed, and at what is done to the \
             result of the attention inside.",
        );
        compare(&blind, "output", (&after, &want), tolerance(&sighted), words)?;
        output_responds(subject, &sighted, &before)
    })
}

fn extreme_heads(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/extreme-heads", seed);
    let found = search(subject, run, 4, attention_shapes(), |subject, shape| {
        let words = (
            "One head as wide as the model, or as many heads as channels, should be no special \
             cases",
            "Look at whether the numbers of heads and of channels in a head are ever taken for one \
             another.",
        );
        let d = shape.h.max(2) * shape.k;
        for (h, k) in [(1, d), (d, 1)] {
            let shape = AttentionShape { h, k, mask: MaskKind::None, ..*shape };
            let case = without_biases(&shape.multi_head(seed, true));
            let judged_by = oracle_for(subject, &case)?;
            right(subject, &case, judged_by, words)?;
        }
        Ok(())
    })?;
    let by =
        ("multi-head/matches-reference", "single heads are judged where several ones are right");
    let several =
        || oracle_for(subject, &open()).and_then(|it| right(subject, &open(), it, FORMULA));
    unless_all_is_wrong(found, by, std::iter::once_with(several))
}

fn strided_input(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("multi-head/strided-input", seed), 5, attention_shapes(), |subject, shape| {
        let t = shape.tq.max(2);
        let shape = AttentionShape { tq: t, tk: t, ..*shape };
        let plain = shape.multi_head(seed, false);
        let view = AttentionShape { strided: true, ..shape }.multi_head(seed, false);
        let judged_by = oracle_for(subject, &plain)?;
        same_on_views(subject, (&plain, &view), judged_by, tolerance(&plain))?;
        let (before, _) = attend(subject, &plain)?;
        output_responds(subject, &plain, &before)
    })
}

fn batch_independence(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/batch-independence", seed);
    search(subject, run, 6, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { b: shape.b.max(2), tk: shape.tq, ..*shape };
        let case = shape.multi_head(seed, false);
        let stream = Stream::derive(seed, "disturbed", shape.data);
        let others = |at: &[usize]| at.first() != Some(&0);
        let first = |array: &Array| {
            let rest = array.shape().get(1..).unwrap_or_default();
            Array::from_fn(rest, |at| array.at(&[&[0], at].concat()))
        };
        let words = (
            "Only examples after the first were given other numbers, and the result of the first \
             moved",
            "Look at which axis is the batch in each step, and whether attention runs along it.",
        );
        let before = others_move_nothing(subject, (&case, stream), others, first, words)?;
        output_responds(subject, &case, &before)
    })
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("multi-head/gradients", seed), 2, attention_shapes(), |subject, shape| {
        // Small: every entry of four matrices is moved twice. Two keys, so that there is a choice.
        let shape = AttentionShape {
            h: shape.h.min(2),
            k: shape.k.min(2),
            tk: shape.tk.clamp(2, 3),
            ..*shape
        }
        .square();
        let case = shape.multi_head(seed, false);
        // The forward pass's tolerance, carried back through sums over B·T positions of inputs up
        // to 2.
        let positions = shape.b * (shape.tq + shape.tk);
        let forward = tolerance(&case);
        let back = Tolerance { absolute: forward.absolute * 2.0 * positions as f64, ..forward };
        let open = AttentionShape { mask: MaskKind::None, ..shape }.multi_head(seed, false);
        slopes(subject, (&case, &open), seed, (forward, back), LossyOperations::SoftmaxAndNorm)
    })
}

fn refuses_uneven_heads(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/refuses-uneven-heads", seed);
    let shapes = (attention_shapes(), 2..=4_usize);
    search(subject, run, 4, shapes, |subject, (shape, heads)| {
        // A width of 1 more than a multiple of the heads.
        let k = heads * shape.k + 1;
        let even = AttentionShape { h: 1, k, mask: MaskKind::None, ..*shape };
        let fitting = even.multi_head(seed, true);
        let mut uneven = fitting.clone();
        for (name, value) in &mut uneven.config {
            if *name == "heads" {
                *value = *heads;
            }
        }
        uneven.label = format!("D={} H={heads}", even.k);
        let claim =
            format!("{heads} heads do not divide a width of {}, so `new` should refuse", even.k);
        let look = "Look at what becomes of the channels that are left over.";
        refuses(subject, (&fitting, &uneven), (&claim, look))?;
        let mut none = fitting.with_size("heads", 0);
        none.label = format!("D={} H=0", even.k);
        let claim = "There are no heads at all, so `new` should refuse";
        let look = "Look at what your code makes of a number of heads that is 0.";
        refuses(subject, (&fitting, &none), (claim, look))
    })
}

fn refuses_misfits(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("multi-head/refuses-misfits", seed),
        3,
        attention_shapes(),
        |subject, shape| {
            // Two of each at least: whatever there is one of fits any number where sizes are broadcast.
            let shape = AttentionShape {
                b: shape.b.max(2),
                tk: shape.tk.max(2),
                k: shape.k.max(2),
                mask: MaskKind::Shared,
                ..*shape
            }
            .square();
            let case = shape.multi_head(seed, false);
            let AttentionShape { b, tq, tk, .. } = shape;
            let d = case.get_size("d_model");
            let look = "Return an error where shapes do not fit one another; candle does so by itself as \
                    long as nothing broadcasts or slices the misfit away, and as long as its errors \
                    are passed on.";
            let wide = Array::full(&[b, tq, d + 1], 0.5);
            let misfit = case.with("query", wide);
            refuses(subject, (&case, &misfit), ("The queries are wider than the model", look))?;
            let longer = AttentionShape { tk: tk + 1, ..shape }.multi_head(seed, false);
            let misfit = case.with("value", longer.get("value"));
            refuses(subject, (&case, &misfit), ("There is a value without a key", look))?;
            let misfit = case.with("mask", longer.get("mask"));
            refuses(subject, (&case, &misfit), ("The mask has a column without a key", look))
        },
    )
}
