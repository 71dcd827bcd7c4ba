//! Hidden checks of the attention inside multi-head attention.

use attention_checks::attended::{attend, compare_weights, results};
use attention_checks::cases::{AttentionShape, attention_shapes};
use attention_checks::multi_head::without_biases;
use softmark_checks::subject::{compare, finite};
use softmark_checks::{Case, CheckError, Outcome, Stop, Subject, search};
use softmark_exam::check::{answer_inside, expected_output};
use softmark_exam::formula::{merge_heads, per_head_axis, project, split_heads};

use crate::checks::multi_head_answers::{open, right};
use crate::checks::tolerances::of_multi_head as tolerance;
use crate::oracle::{output_oracle, projected, with_stand_ins};

/// Asks with another attention inside, one that looks at all visible keys alike.
///
/// The check passes as well if the output is wrong with any attention and another one with each: `matches-reference` reports
/// what is wrong then.
pub(super) fn uses_attention(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("multi-head/uses-attention", seed);
    let found = search(subject, run, 4, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { tk: shape.tk.max(2), ..*shape }.square();
        let case = with_stand_ins(&without_biases(&shape.multi_head(seed, false)));
        let words = (
            "Here `new` is handed an attention that looks at all visible keys alike, and the output \
             should be what the projections make of that",
            "Look at whether the attention that is handed to `new` is the one that is used.",
        );
        right(subject, &case, output_oracle, words)
    })?;
    let is_wrong = matches!(found, Outcome::Wrong { .. });
    if is_wrong && follows_the_attention(subject)? { Ok(Outcome::Pass) } else { Ok(found) }
}

/// True if the output for [`open`] is wrong, and is another one with another attention inside.
///
/// Both questions are asked twice, in an order that no count of calls has: an output that is drawn anew each time follows nothing.
fn follows_the_attention(subject: &mut Subject<'_>) -> Result<bool, CheckError> {
    let case = open();
    let other = with_stand_ins(&case);
    let mut judge = || -> Result<bool, Stop> {
        let mut outputs = Vec::new();
        for asked in [&case, &other, &other, &case] {
            let (output, _) = attend(subject, asked)?;
            finite(asked, "output", &output)?;
            outputs.push(output);
        }
        let [before, after, after_again, before_again] = outputs.as_slice() else {
            return Ok(false);
        };
        let want = expected_output(&case, output_oracle, "output")?;
        // Twice: each of both outputs has its own rounding.
        let rounding = 2.0 * tolerance(&case).absolute;
        Ok(!before.differs(before_again)
            && !after.differs(after_again)
            && before.largest_difference(&want) > rounding
            && before.largest_difference(after) > rounding)
    };
    match judge() {
        Ok(follows) => Ok(follows),
        Err(Stop::Error(error)) => Err(error),
        Err(Stop::Outcome(_)) => Ok(false),
    }
}

/// Checks that multi-head attention makes of the submission's own attention what it should, whatever that attention does.
///
/// The projections and the merging are computed here; in between, the submission's own scaled
/// dot-product attention is asked. So a mistake there costs nothing here.
pub(super) fn own_attention(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("multi-head/own-attention", seed), 4, attention_shapes(), |subject, shape| {
        // As many queries as keys: other numbers are asked about elsewhere.
        let tk = shape.tk.max(2);
        let shape = AttentionShape { h: shape.h.max(2), tq: tk, tk, ..*shape };
        let case = shape.multi_head(seed, false);
        let inner = inner_case(&case);
        let by = "scaled-dot-product/matches-reference";
        let (context, weights) = answer_inside(subject, (&case, &inner), by, results)?;
        let parameter = |name| case.get_parameter(name);
        let merged = merge_heads(&context);
        let output = project(&merged, &parameter("out_proj.weight"), &parameter("out_proj.bias"));
        let (got, got_weights) = attend(subject, &case)?;
        let words = (
            "With your own attention inside, multi-head attention should be that attention between \
             the projections",
            "If matches-reference fails too, begin there. If not, look at whether the attention that is \
             handed to `new` is the one that is used.",
        );
        // Only where the inner attention is itself right can its error be bounded; where it is
        // wrong, it answered the same question twice, once from here and once from within.
        let tolerance = tolerance(&case);
        compare_weights(&case, (got_weights.as_ref(), weights.as_ref()), tolerance, words)?;
        compare(&case, "output", (&got, &output), tolerance, words)
    })
}

/// The question that multi-head attention should put to the attention inside.
fn inner_case(case: &Case) -> Case {
    let heads = case.get_size("heads");
    let split = |name, names| split_heads(&projected(case, &case.get(name), names), heads);
    Case::new(&attention_checks::signatures::SCALED_DOT_PRODUCT, case.label.clone())
        .input("query", split("query", ("q_proj.weight", "q_proj.bias")))
        .input("key", split("key", ("k_proj.weight", "k_proj.bias")))
        .input("value", split("value", ("v_proj.weight", "v_proj.bias")))
        .mask(case.find("mask").map(|mask| per_head_axis(&mask)))
}
