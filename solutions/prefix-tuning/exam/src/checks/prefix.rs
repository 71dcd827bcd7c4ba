//! Hidden checks of the prefix.

use attention_exam::judge_empty_text;
use encoder_checks::cases::{EncoderShape, full_mantissas};
use prefix_tuning_checks::cases::{TuningShape, tuning_shapes};
use prefix_tuning_checks::prefix::without_prefix;
use softmark_checks::check::if_passed;
use softmark_checks::text_classifier::{lifted, shape_of};
use softmark_checks::{Case, Check, CheckError, Judged, Outcome, Subject, dropout, search};

use crate::checks::errors::{judge_errors, several};
use crate::checks::prefix_dropout::prefix_is_not_dropped;
use crate::checks::{
    DIGITS, FIXED, MASK_ALONE, SHAPE, STEEP, ZERO_AT_A_TOKEN, follows_new_parameters,
    judge_nothing_else_drops, only_what_learns, right, slopes, small, with_zero_at_a_token,
};
use crate::network::tolerance;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "prefix/matches-reference",
        title: "the logits are those of the formula, with and without padding",
        run: matches_reference,
    },
    Check {
        id: "prefix/without-prefix",
        title: "where there is no prefix, the head alone is tuned",
        run: without_a_prefix,
    },
    Check {
        id: "prefix/empty-mask",
        title: "a text of padding alone gets the head's bias",
        run: empty_mask,
    },
    Check {
        id: "prefix/gradients",
        title: "gradients reach the prefix and the head, and are right",
        run: gradients,
    },
    Check { id: "prefix/frozen", title: "gradients reach nothing of the encoder", run: frozen },
    Check {
        id: "prefix/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "prefix/dropout-reaches",
        title: "in training, and only then, the encoder drops, and nothing else does",
        run: dropout_reaches,
    },
    Check {
        id: "prefix/passes-errors-on",
        title: "errors of the encoder and of the builder are returned",
        run: passes_errors_on,
    },
];

/// The same shape without padding, and with some.
fn each_padding(shape: &TuningShape) -> [TuningShape; 2] {
    let of = |padded: bool| {
        let t = if padded { shape.base.t.max(2) } else { shape.base.t };
        TuningShape { base: EncoderShape { padded, t, ..shape.base }, ..*shape }
    };
    [of(false), of(true)]
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("prefix/matches-reference", seed);
    let words = (
        "The logits should be those of the formula: the prefix before the embedded tokens, encode, mean \
         over the real tokens, head",
        "Go through the four lines of the formula in the documentation of PrefixTuning, with the shape of \
         every tensor.",
    );
    let found = search(subject, run, 6, tuning_shapes(), |subject, shape| {
        let long = TuningShape { prefix: shape.prefix.min(1) * 17, ..*shape };
        let shapes = each_padding(shape).into_iter().chain([long]);
        shapes.into_iter().try_for_each(|it| right(subject, &unbiased(&it.prefix(seed)), words))
    })?;
    if_passed(found, || {
        let fixed = unbiased(&SHAPE.prefix(FIXED));
        right(subject, &full_mantissas(&fixed, FIXED), (words.0, DIGITS))?;
        right(subject, &with_zero_at_a_token(&fixed), (ZERO_AT_A_TOKEN, MASK_ALONE))
    })
}

/// The same question with zeros for the head's bias: that it is added is asked about elsewhere.
fn unbiased(case: &Case) -> Case {
    let zeros = case.get_parameter("classifier.bias").map(|_| 0.0);
    case.with_parameter("classifier.bias", &zeros)
}

fn without_a_prefix(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/without-prefix", seed), 4, tuning_shapes(), |subject, shape| {
        let words = (
            "`prefix_length` is None, so the logits should be those of the encoder, the mean over the \
             real tokens and the head, with nothing before the tokens",
            "Look at what happens where there is no prefix. If prefix/matches-reference fails too, begin there.",
        );
        let shapes = each_padding(&without_prefix(shape));
        shapes.iter().try_for_each(|it| right(subject, &unbiased(&it.prefix(seed)), words))
    })
}

fn empty_mask(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found =
        search(subject, ("prefix/empty-mask", seed), 4, tuning_shapes(), |subject, shape| {
            empty_text(subject, shape, seed)
        })?;
    if_passed(found, || empty_text(subject, &SHAPE, FIXED))
}

/// Checks what comes of a text that is padding throughout, beside texts without padding: what a mistake does to
/// padding beside tokens is for other checks to say.
fn empty_text(subject: &mut Subject<'_>, shape: &TuningShape, seed: u64) -> Judged {
    let base = EncoderShape { padded: false, ..shape.base };
    let full = TuningShape { base, ..*shape }.prefix(seed);
    let look = "Look at what the mean comes to when there is nothing to take it of, and at what is done in the head \
                and after it.";
    judge_empty_text(subject, &full, tolerance(&full), look)
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let found =
        search(subject, ("prefix/gradients", seed), 0, tuning_shapes(), |subject, shape| {
            slopes(subject, &small(shape).prefix(seed), seed)
        })?;
    if_passed(found, || slopes(subject, &STEEP.prefix(FIXED), FIXED))
}

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/updated-parameters", seed), 0, tuning_shapes(), |subject, shape| {
        follows_new_parameters(subject, (shape, seed), TuningShape::prefix)
    })
}

fn frozen(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/frozen", seed), 0, tuning_shapes(), |subject, shape| {
        only_what_learns(subject, &small(shape).prefix(seed), seed).map(drop)
    })
}

fn dropout_reaches(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("prefix/dropout-reaches", seed);
    let found = search(subject, run, 2, tuning_shapes(), |subject, shape| {
        // Enough numbers that something is dropped, and none that a cut at 0 would hide.
        let base = EncoderShape { b: 2, t: 4, h: 2, k: 4, ..shape.base };
        let case = lifted(&TuningShape { base, ..*shape }.prefix(seed));
        dropout::has_no_effect(subject, &case, "logits", &shape_of(&case))?;
        dropout::works(subject, &case, "logits", &shape_of(&case))?;
        let bare = lifted(&without_prefix(&TuningShape { base, ..*shape }).prefix(seed));
        // A classifier that cannot do without a prefix fails other checks.
        if subject.try_forward(&bare)?.into_result().is_ok() {
            dropout::has_no_effect(subject, &bare, "logits", &shape_of(&bare))?;
            dropout::works(subject, &bare, "logits", &shape_of(&bare))?;
        }
        let base = EncoderShape { layers: 0, ..base };
        let shape = TuningShape { base, unfrozen: 0, ..*shape };
        let case = shape.prefix(seed);
        judge_nothing_else_drops(subject, &case, &dropout::with_dropout(&case, 300, true))?;
        let bare = without_prefix(&shape).prefix(seed);
        if subject.try_forward(&bare)?.into_result().is_ok() {
            judge_nothing_else_drops(subject, &bare, &dropout::with_dropout(&bare, 300, true))?;
        }
        Ok(())
    })?;
    if_passed(found, || prefix_is_not_dropped(subject))
}

/// Errors of the encoder and of the builder must be passed on.
fn passes_errors_on(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("prefix/passes-errors-on", seed), 2, tuning_shapes(), |subject, shape| {
        let case = several(shape).prefix(seed);
        let own = ["prefix", "classifier.weight", "classifier.bias"];
        judge_errors(subject, &case, &own)
    })
}

#[cfg(test)]
mod tests {
    use prefix_tuning_checks::prefix::{OTHERS, of_embedded, with_other_vector};
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use softmark_checks::Array;
    use softmark_checks::Corners;
    use softmark_checks::text_classifier::LIFT;
    use softmark_checks::texts::raised;

    use super::*;
    use crate::network::logits;

    /// Random shapes and their corners, with a seed each.
    fn shapes(n: u64) -> impl Iterator<Item = (u64, TuningShape)> {
        let mut runner = TestRunner::deterministic();
        (0..n).flat_map(move |seed| {
            let shape = tuning_shapes().new_tree(&mut runner).unwrap().current();
            shape.corners().into_iter().chain([shape]).map(move |shape| (seed, shape))
        })
    }

    /// Checks lift logits so that a cut at 0 does not hide what moves them.
    #[test]
    fn lifted_logits_are_above_zero_and_move_with_the_embeddings() {
        for (seed, shape) in shapes(700) {
            for case in [shape.prefix(seed), shape.partial(seed)] {
                let lifted = lifted(&case);
                let before = logits(&lifted);
                let least = before.values().iter().fold(LIFT, |least, &x| least.min(x));
                assert!(least > 0.0, "{least}");
                assert!(before.differs(&logits(&raised(&lifted))), "seed {seed}: nothing moves");
            }
        }
    }

    /// `prefix/prefix-matters` asks for a bit; a right classifier gives a hundred, of one of the
    /// vectors that are put there, in every text.
    #[test]
    fn every_vector_of_a_prefix_moves_every_text() {
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (seed, shape) in shapes(1000) {
            let case = shape.prefix(seed);
            let (before, classes) = (logits(&case), case.get_size("classes"));
            for vector in 0..shape.prefix {
                let other = |n| logits(&with_other_vector(&case, vector, n));
                let after: Vec<Array> = (0..OTHERS).map(other).collect();
                let moved = |after: &Array, text: usize| {
                    let off = (0..classes).map(|c| after.at(&[text, c]) - before.at(&[text, c]));
                    largest(&off.collect::<Vec<_>>())
                };
                for text in 0..before.dim(0) {
                    let moves: Vec<f64> = after.iter().map(|after| moved(after, text)).collect();
                    let most = largest(&moves);
                    assert!(most > 1e-5, "seed {seed}, vector {vector}, text {text}: {most:e}");
                }
            }
        }
    }

    /// What the public checks allow where there are no layers: more than rounding takes, sixteen times over,
    /// and far less than any mistake makes of it.
    #[test]
    fn what_is_allowed_without_layers_is_enough_and_little() {
        for (seed, shape) in shapes(300) {
            let base = EncoderShape { layers: 0, ..shape.base };
            let shape = TuningShape { base, unfrozen: 0, ..shape };
            let mean = (tolerance(&shape.prefix(seed)), of_embedded(&shape, base.t, 1));
            let first = (tolerance(&shape.partial(seed)), of_embedded(&shape, 100, 2));
            for (took, allowed) in [mean, first] {
                let (took, allowed) = (took.absolute, allowed.allowed(0.0));
                assert!(took <= allowed && allowed < 1e-2, "seed {seed}: {took:e} {allowed:e}");
            }
        }
    }
}
