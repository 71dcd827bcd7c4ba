//! Hidden check that multi-head attention keeps nothing of a call, and follows updates of its parameters.

use attention_checks::cases::{AttentionShape, MaskKind, attention_shapes};
use attention_checks::fixed::{with_one_key_hidden, with_own_key_hidden};
use softmark_checks::array::raised_unequally;
use softmark_checks::{Case, CheckError, Judged, Outcome, Subject, search};
use softmark_exam::check::{answers_again, follows_updates, with_parameters_of};

use crate::checks::tolerances::of_multi_head as tolerance;

/// One text and no mask: what goes wrong with those is for other checks.
pub(super) fn updated_parameters(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("multi-head/updated-parameters", seed);
    search(subject, run, 0, attention_shapes(), |subject, shape| {
        let shape = AttentionShape { b: 1, mask: MaskKind::None, ..*shape };
        keeps_nothing(subject, &shape, seed)?;
        let case = shape.multi_head(seed, true);
        let other = AttentionShape { data: shape.data.wrapping_add(1), ..shape };
        let changed = with_parameters_of(&case, &other.multi_head(seed, true), &|_| true);
        let output = ("output", case.get("query"));
        let allowed = tolerance(&changed);
        follows_updates(subject, (&case, &changed), (output.0, output.1.shape()), allowed, "")?;
        let (tq, mask) = (shape.tq + 1, MaskKind::Shared);
        let longer = AttentionShape { tq, tk: tq, mask, ..shape }.multi_head(seed, true);
        let output = ("output", longer.get("query"));
        answers_again(subject, (&case, &longer), (output.0, output.1.shape()), tolerance(&longer))
    })
}

/// Checks that another question of the same sizes, and then one with another mask, is answered as by a new part.
fn keeps_nothing(subject: &mut Subject<'_>, shape: &AttentionShape, seed: u64) -> Judged {
    let output = |case: &Case| case.get("query").shape().to_vec();
    let single = AttentionShape { tq: 1, tk: 1, ..*shape };
    for shape in [single, *shape] {
        let first = shape.multi_head(seed, true);
        let second = first.with("query", raised_unequally(&first.get("query")));
        let allowed = tolerance(&second);
        answers_again(subject, (&first, &second), ("output", &output(&second)), allowed)?;
    }
    let masked = AttentionShape { mask: MaskKind::Shared, ..*shape }.multi_head(seed, true);
    let [first, second] = [with_own_key_hidden(&masked), with_one_key_hidden(&masked)];
    answers_again(subject, (&first, &second), ("output", &output(&second)), tolerance(&second))
}
