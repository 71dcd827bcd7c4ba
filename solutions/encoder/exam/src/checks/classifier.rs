//! Hidden checks of the classifier.

use attention_exam::judge_empty_text;
use encoder_checks::cases::{EncoderShape, encoder_shapes, full_mantissas};
use encoder_checks::encoder;
use encoder_checks::signatures;
use softmark_checks::check::if_passed;
use softmark_checks::dropout::{self, with_dropout};
use softmark_checks::missing::refused_without;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::text_classifier::{classify, lifted, shape_of};
use softmark_checks::{Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::answer_inside;
use softmark_exam::limits::{with_longer_mask, with_other_masks, with_unknown_id};

use crate::checks::dropped::RATE;
use crate::checks::encoder::silenced;
use crate::checks::encoder_layer::small;
use crate::checks::state::{
    answers_longer_text, follows_new_parameters, follows_the_mask, follows_the_mode,
};
use crate::checks::{FIXED, LONG, below, output_of, right, slopes, slopes_in_training};
use crate::oracle::{bound, logits_of, with_stand_ins};
use crate::rounding::tolerance;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "classifier/matches-reference",
        title: "the logits are those of the formula, with and without padding",
        run: matches_reference,
    },
    Check {
        id: "classifier/empty-mask",
        title: "a text of padding alone gets the head's bias",
        run: empty_mask,
    },
    Check {
        id: "classifier/gradients",
        title: "gradients reach the encoder and the head, and are right",
        run: gradients,
    },
    Check {
        id: "classifier/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "classifier/dropout-reaches",
        title: "the encoder is passed `train = true` in training",
        run: dropout_reaches,
    },
    Check {
        id: "classifier/passes-errors-on",
        title: "errors of the encoder, and of what makes it, are passed on",
        run: passes_errors_on,
    },
    Check {
        id: "classifier/own-encoder",
        title: "with the submission's own encoder inside, it does what that makes of it",
        run: own_encoder,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/matches-reference", seed);
    let words = (
        "The logits should be those of the formula: encode, mean over the real tokens, head",
        "Go through the three lines of the formula in the documentation of TextClassifier.",
    );
    let found = search(subject, run, 6, encoder_shapes(), |subject, shape| {
        let whole = EncoderShape { padded: false, ..*shape };
        let padded = EncoderShape { padded: true, t: shape.t.max(2), ..*shape };
        let each = [whole, padded].into_iter();
        each.map(|shape| shape.classifier(seed)).try_for_each(|it| right(subject, &it, words))
    })?;
    if_passed(found, || {
        right(subject, &full_mantissas(&LONG.classifier(FIXED), FIXED), words)?;
        let words = (
            "Here `below` makes an encoder whose output has the opposite sign, and the logits should be \
             what the classifier makes of that",
            "Look at whether the encoder that `below` makes is the one that is used.",
        );
        right(subject, &with_stand_ins(&LONG.classifier(FIXED)), words)
    })
}

/// Errors of the encoder below, and of what makes it.
fn passes_errors_on(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/passes-errors-on", seed), 2, encoder_shapes(), |subject, shape| {
        let case = shape.classifier(seed);
        let words = (
            "An id is beyond the vocabulary, so the encoder returns an error, and `forward` should pass \
             it on",
            "Look at what is done with what the encoder returns.",
        );
        refuses(subject, (&case, &with_unknown_id(&case, 0)), words)?;
        refused_without(subject, &case, &["token_embedding.weight"])?;
        let several = EncoderShape { b: shape.b.max(2), t: shape.t.max(2), ..*shape };
        let case = several.classifier(seed);
        let words = (
            "The mask does not fit the ids, so the encoder returns an error, and `forward` should pass it on",
            "Look at what is done with the mask on its way to the encoder.",
        );
        let misfits = with_other_masks(&case).into_iter().chain([with_longer_mask(&case)]);
        misfits.into_iter().try_for_each(|misfit| refuses(subject, (&case, &misfit), words))
    })
}

fn empty_mask(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/empty-mask", seed), 4, encoder_shapes(), |subject, shape| {
        let full = shape.classifier(seed);
        let look = "Look at what the mean comes to when there is nothing to take it of, and at what is done in \
                    the head and after it.";
        judge_empty_text(subject, &full, tolerance(&full), look)
    })
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/gradients", seed);
    let found = search(subject, run, 0, encoder_shapes(), |subject, shape| {
        slopes(subject, &small(shape).classifier(seed), seed)
    })?;
    if_passed(found, || slopes_in_training(subject, &small(&LONG).classifier(FIXED)))
}

fn dropout_reaches(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/dropout-reaches", seed), 2, encoder_shapes(), |subject, shape| {
        // Enough numbers that something is dropped, and none that a cut at 0 would hide.
        let case = lifted(&EncoderShape { b: 2, t: 4, h: 2, k: 4, ..*shape }.classifier(seed));
        dropout::works(subject, &case, "logits", &shape_of(&case))?;
        let post = EncoderShape { b: 2, t: 4, h: 2, k: 4, layers: 1, pre_norm: false, ..*shape };
        drops_nothing_itself(subject, &lifted(&post.classifier(seed)))
    })
}

fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(
        subject,
        ("classifier/updated-parameters", seed),
        0,
        encoder_shapes(),
        |subject, shape| {
            follows_new_parameters(subject, (shape, seed), EncoderShape::classifier)?;
            answers_longer_text(subject, (shape, seed), EncoderShape::classifier)?;
            follows_the_mask(subject, (shape, seed), EncoderShape::classifier)?;
            follows_the_mode(subject, (shape, seed), EncoderShape::classifier)
        },
    )
}

/// Holds that training changes no logits if the encoder's embeddings and all its sublayers give zeros.
fn drops_nothing_itself(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let case = silenced(case, None);
    let asked = with_dropout(&case, RATE, true);
    let words = (
        "The encoder's embeddings and all that its sublayers give are zeros, so that dropout should change \
         nothing",
        "Look at what stands between the encoder and the head, and after the head.",
    );
    let pair = (&classify(subject, &asked)?, &classify(subject, &case)?);
    compare(&asked, "logits", pair, Tolerance::EXACT, words)
}

/// What the classifier should make of the submission's own encoder, whatever that does.
fn own_encoder(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/own-encoder", seed), 3, encoder_shapes(), |subject, shape| {
        let case = EncoderShape { layers: 1, ..*shape }.classifier(seed);
        let mut inner = below(&case, &signatures::STACK, "");
        inner.parameters.retain(|(name, _)| !name.starts_with("classifier."));
        inner.inputs.clone_from(&case.inputs);
        let by = "encoder/matches-reference";
        let shape = encoder::shape_of(&inner);
        let x = answer_inside(subject, (&case, &inner), by, output_of(&shape))?;
        let words = (
            "With your own encoder inside, the classifier should pool what that encoder gives",
            "Look at whether the encoder that `below` makes is the one that is used, at what it is given, and \
             at what is done with what it gives.",
        );
        let want = logits_of(&case, &x);
        compare(&case, "logits", (&classify(subject, &case)?, &want), bound(&case), words)
    })
}

#[cfg(test)]
mod tests {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use softmark_checks::text_classifier::LIFT;

    use super::*;
    use crate::oracle::oracle;

    /// `classifier/ignores-padding` lifts the logits so that a cut at 0 does not hide what moves them.
    #[test]
    fn lifted_logits_are_above_zero() {
        let mut runner = TestRunner::deterministic();
        let mut least = 0.0_f64;
        for seed in 0..2000 {
            let shape = encoder_shapes().new_tree(&mut runner).unwrap().current();
            let logits = oracle(&shape.classifier(seed))["logits"].clone();
            least = logits.values().iter().fold(least, |least, &x| least.min(x));
        }
        assert!(least > -LIFT, "{least}");
    }
}
