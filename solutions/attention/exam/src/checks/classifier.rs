//! Hidden checks of the classifier.

use attention_checks::classifier_cases::{ClassifierShape, classifier_shapes};
use attention_checks::fixed::{self, with_full_mantissas};
use softmark_checks::check::if_passed;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::text_classifier::{classify, shape_of};
use softmark_checks::texts::padded_at_the_end;
use softmark_checks::{
    Answer, Array, Case, Check, CheckError, Judged, Outcome, Stop, Subject, search,
};
use softmark_exam::check::{
    LossyOperations, answer_inside, answers_again, follows_updates, matches_oracle,
    with_parameters_of,
};
use softmark_exam::gradient_tolerance::gradient_tolerance;
use softmark_exam::limits::{with_longer_mask, with_other_masks, with_unknown_id};
use softmark_exam::noisy::Noisy;

use crate::checks::empty_text::judge_empty_text;
use crate::checks::ordinary::unless_all_is_wrong;
use crate::checks::slopes;
use crate::oracle::{classifier_tolerance, embedded, normed, oracle, with_stand_ins};

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "classifier/matches-reference",
        title: "the logits are those of the formula, with and without padding",
        run: matches_reference,
    },
    Check {
        id: "classifier/norm",
        title: "where the config asks for a norm, it follows the attention",
        run: with_a_norm,
    },
    Check {
        id: "classifier/poolings",
        title: "texts are pooled in the way that the config says",
        run: poolings,
    },
    Check {
        id: "classifier/empty-text",
        title: "a text of padding alone gets the head's bias",
        run: empty_text,
    },
    Check {
        id: "classifier/refuses-unknown",
        title: "unknown ids, texts that are too long, and misfit masks are errors",
        run: refuses_unknown,
    },
    Check {
        id: "classifier/gradients",
        title: "gradients reach all parameters, and are right",
        run: gradients,
    },
    Check {
        id: "classifier/updated-parameters",
        title: "what an optimizer writes into the parameters reaches the next call",
        run: updated_parameters,
    },
    Check {
        id: "classifier/own-parts",
        title: "with the submission's own parts inside, it does what they make of it",
        run: own_parts,
    },
];

fn right(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    matches_oracle(subject, case, oracle, classifier_tolerance(case), words)
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/matches-reference", seed);
    let words = (
        "The logits should be those of the formula: embed, add positions, attend, pool, head",
        "Go through the formula in the documentation of AttentionClassifier line by line.",
    );
    let found = search(subject, run, 6, classifier_shapes(), |subject, shape| {
        let plain = ClassifierShape { norm: false, kind: 0, ..*shape };
        let whole = ClassifierShape { padded: false, ..plain };
        let padded = ClassifierShape { padded: true, t: shape.t.max(2), ..plain };
        let each = [whole, padded].into_iter();
        each.map(|shape| shape.classifier(seed)).try_for_each(|it| right(subject, &it, words))
    })?;
    if_passed(found, || {
        right(subject, &with_full_mantissas(&LARGE.classifier(fixed::SEED)), words)?;
        let words = (
            "Here `below` makes parts that behave otherwise: attention that looks at all visible keys \
             alike, positions that are taken away instead of added, and pooled vectors of the opposite \
             sign; the logits should be what the classifier makes of those",
            "Look at whether the parts that `below` makes are the ones that are used.",
        );
        let shape = ClassifierShape { v: 9, t: 5, c: 4, ..LARGE };
        right(subject, &with_stand_ins(&shape.classifier(fixed::SEED)), words)
    })
}

/// More words than a byte counts, and longer texts than random ones.
const LARGE: ClassifierShape = ClassifierShape {
    b: 3,
    t: 40,
    h: 2,
    k: 4,
    v: 300,
    spare: 2,
    c: 17,
    norm: false,
    kind: 0,
    padded: true,
    data: 0,
};

fn with_a_norm(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/norm", seed);
    let words = (
        "The config says `norm`, so what the attention gives should go through a layer norm before it is \
         pooled",
        "Look at what is normalised, at where that stands, at what is added to the variance, and at what \
         happens where the config does not say so.",
    );
    let found = search(subject, run, 6, classifier_shapes(), |subject, shape| {
        let shape = ClassifierShape { kind: 0, padded: true, t: shape.t.max(2), ..*shape };
        let each = shape.each_norm().into_iter().rev();
        each.map(|shape| shape.classifier(seed)).try_for_each(|it| right(subject, &it, words))
    })?;
    let found = if_passed(found, || {
        let shape = ClassifierShape { v: 9, t: 5, c: 4, norm: true, ..LARGE };
        right(subject, &with_small_variance(&shape.classifier(fixed::SEED)), words)
    })?;
    let message = "the norm is judged where the logits are right with it or without it";
    unless_all_is_wrong(found, (MATCHES_REFERENCE, message), large(subject, LARGE.each_norm()))
}

/// Judges [`LARGE`], which `matches-reference` asks, and the same question with other switches.
fn large<'a>(
    subject: &'a mut Subject<'_>,
    shapes: impl IntoIterator<Item = ClassifierShape> + 'a,
) -> impl Iterator<Item = Judged> + 'a {
    let cases = shapes.into_iter().map(|it| with_full_mantissas(&it.classifier(fixed::SEED)));
    cases.map(move |case| right(subject, &case, ("", "")))
}

/// Id of the check that reports wrong logits.
const MATCHES_REFERENCE: &str = "classifier/matches-reference";

/// The case with an attention whose output is 64 times as small: its variance is then not much larger than
/// the number that is added to it.
fn with_small_variance(case: &Case) -> Case {
    ["self_attn.out_proj.weight", "self_attn.out_proj.bias"]
        .iter()
        .fold(case.clone(), |case, name| {
            case.with_parameter(name, &case.get_parameter(name).map(|x| x / 64.0))
        })
}

fn poolings(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/poolings", seed);
    let found = search(subject, run, 4, classifier_shapes(), |subject, shape| {
        let words = (
            "The text should be pooled in the way that the config says",
            "Look at which pooling is asked of `below`, and at what it is handed.",
        );
        // What is normed is a matter of its own.
        let shape = ClassifierShape { norm: false, padded: true, t: shape.t.max(2), ..*shape };
        let each = shape.each_pooling().into_iter();
        each.map(|shape| shape.classifier(seed)).try_for_each(|it| right(subject, &it, words))
    })?;
    let message = "poolings are judged where the logits are right with one of them";
    unless_all_is_wrong(found, (MATCHES_REFERENCE, message), large(subject, LARGE.each_pooling()))
}

fn empty_text(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/empty-text", seed), 4, classifier_shapes(), |subject, shape| {
        let each = shape.each_pooling().into_iter();
        let look = "Look at what comes to the head when there is nothing to attend to and nothing to pool.";
        each.map(|shape| shape.classifier(seed)).try_for_each(|full| {
            judge_empty_text(subject, &full, classifier_tolerance(&full), look)
        })
    })
}

/// The case with a table of positions that is too short by that many rows.
pub(crate) fn too_long(case: &Case, by: usize) -> Case {
    let t = case.get("ids").dim(1);
    let max_len = t - by.min(t.saturating_sub(1));
    let name = "position_embedding.weight";
    let table = case.get_parameter(name);
    let shorter = Array::from_fn(&[max_len, table.dim(1)], |at| table.at(at));
    let mut long = case.with_parameter(name, &shorter).with_size("max_len", max_len);
    long.label = format!("{}, max_len={max_len}", case.label);
    long
}

fn refuses_unknown(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/refuses-unknown", seed);
    let shapes = (classifier_shapes(), 0..=2_usize);
    search(subject, run, 3, shapes, |subject, (shape, by)| {
        let case = ClassifierShape { t: shape.t.max(2), ..*shape }.classifier(seed);
        let words = (
            "An id is beyond the vocabulary, so `forward` should return an error",
            "Look at what becomes of an id that has no row in the table.",
        );
        refuses(subject, (&case, &with_unknown_id(&case, *by)), words)?;
        let words = (
            "A text is longer than max_len, so `forward` should return an error",
            "Look at what becomes of the error that the positions return.",
        );
        refuses(subject, (&case, &too_long(&case, 1)), words)?;
        refuses_what_parts_refuse(subject, shape, seed)
    })
}

/// Holds that errors of the attention's constructor are passed on, and that a mask of another shape is an error.
fn refuses_what_parts_refuse(
    subject: &mut Subject<'_>,
    shape: &ClassifierShape,
    seed: u64,
) -> Judged {
    let fitting = ClassifierShape { h: 1, k: 5, ..*shape }.classifier(seed);
    for heads in [2, 0] {
        let mut uneven = fitting.with_size("heads", heads);
        uneven.label = format!("D=5 H={heads}");
        let claim = format!(
            "{heads} heads do not divide a width of 5, so what makes the attention returns an error, and \
             `new` should pass it on"
        );
        let look = "Look at what is done with the result of `below`.";
        refuses(subject, (&fitting, &uneven), (&claim, look))?;
    }
    let several = ClassifierShape { b: shape.b.max(2), t: shape.t.max(2), ..*shape };
    let case = several.classifier(seed);
    for misfit in with_other_masks(&case).into_iter().chain([with_longer_mask(&case)]) {
        let words = (
            "The mask has another shape than the ids, so `forward` should return an error",
            "Look at what becomes of a mask of another shape: a component that is handed it returns an error, and \
             what does not hand it on has to look at the shape itself.",
        );
        refuses(subject, (&case, &misfit), words)?;
    }
    Ok(())
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("classifier/gradients", seed), 0, classifier_shapes(), |subject, shape| {
        // The corners have a norm and none. Small: every entry of every matrix is moved twice. A maximum
        // has no slope where two are equal, and belongs to another part.
        let small = ClassifierShape {
            b: shape.b.min(2),
            t: shape.t.clamp(2, 3),
            h: 2,
            k: 2,
            v: 3,
            spare: 0,
            c: 2,
            kind: if shape.kind == 0 { 0 } else { 2 },
            ..*shape
        };
        let case = small.classifier(seed);
        let forward = classifier_tolerance(&case);
        let back = gradient_tolerance(forward, case.get("ids").values().len());
        slopes(subject, (&case, &case), seed, (forward, back), LossyOperations::SoftmaxAndNorm)
    })
}

/// One text without padding: what goes wrong with those is for other checks.
fn updated_parameters(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/updated-parameters", seed);
    search(subject, run, 0, classifier_shapes(), |subject, shape| {
        let shape = ClassifierShape { b: 1, padded: false, ..*shape };
        let case = shape.classifier(seed);
        let other = ClassifierShape { data: shape.data.wrapping_add(1), ..shape };
        let changed = with_parameters_of(&case, &other.classifier(seed), &|_| true);
        let allowed = classifier_tolerance(&changed);
        follows_updates(subject, (&case, &changed), ("logits", &shape_of(&case)), allowed, "")?;
        let first = ClassifierShape { spare: shape.spare + 1, ..shape };
        let second = ClassifierShape { t: shape.t + 1, padded: true, ..shape };
        let [first, second] = [first, second].map(|shape| shape.classifier(seed));
        let allowed = classifier_tolerance(&second);
        answers_again(subject, (&first, &second), ("logits", &shape_of(&second)), allowed)?;
        // As long, with another mask.
        let first = ClassifierShape { t: shape.t.max(2), ..shape }.classifier(seed);
        let second = padded_at_the_end(&first);
        let allowed = classifier_tolerance(&second);
        answers_again(subject, (&first, &second), ("logits", &shape_of(&second)), allowed)
    })
}

/// What the classifier should make of the submission's own parts, whatever they do.
fn own_parts(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("classifier/own-parts", seed);
    let found = search(subject, run, 3, classifier_shapes(), |subject, shape| {
        // Texts shorter than max_len: longer ones are asked about elsewhere.
        let spare = shape.spare.max(1);
        let shape = ClassifierShape { padded: true, t: shape.t.max(2), spare, ..*shape };
        follows_its_parts(subject, &shape.classifier(seed))
    })?;
    // A wrong number beside the variance shows on every seed or on none.
    if_passed(found, || {
        let shape = ClassifierShape { v: 9, t: 5, c: 4, norm: true, ..LARGE };
        follows_its_parts(subject, &with_small_variance(&shape.classifier(fixed::SEED)))
    })
}

/// The output of a part inside, of that shape.
fn output_of(shape: [usize; 3]) -> impl FnOnce(&Case, &Answer) -> Result<Array, Stop> {
    move |case, answer| answer.get(case, "output", &shape)
}

fn follows_its_parts(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let [tokens, _] = embedded(case);
    let shape = [tokens.dim(0), tokens.dim(1), tokens.dim(2)];
    let positions = position_case(case, tokens);
    let by = "learned-position/adds-its-row";
    let x = answer_inside(subject, (case, &positions), by, output_of(shape))?;
    let attention = attention_case(case, x);
    let by = "multi-head/own-attention";
    let attended = answer_inside(subject, (case, &attention), by, output_of(shape))?;
    let pooling = Case::new(&attention_checks::signatures::MASKED_POOLING, case.label.clone())
        .size("kind", case.get_size("kind"))
        .input("x", normed(case, &Noisy::exact(attended)).values)
        .mask(case.find("mask"));
    let pooled = answer_inside(
        subject,
        (case, &pooling),
        "masked-pooling/matches-reference",
        |inner, answer| answer.get(inner, "output", &[shape[0], shape[2]]),
    )?;
    let want = Noisy::exact(pooled).linear(case, "classifier").values;
    let words = (
        "With your own parts inside, the classifier should hand on what each of them gives",
        "If matches-reference fails too, begin there. If not, look at whether the parts that `below` makes are \
         the ones that are used.",
    );
    compare(case, "logits", (&classify(subject, case)?, &want), classifier_tolerance(case), words)
}

/// The question that the classifier should put to the positions.
fn position_case(case: &Case, tokens: Array) -> Case {
    let name = "position_embedding.weight";
    Case::new(&attention_checks::signatures::LEARNED_POSITION, case.label.clone())
        .size("d_model", case.get_size("d_model"))
        .size("max_len", case.get_size("max_len"))
        .parameter(name, case.get_parameter(name))
        .input("x", tokens)
}

/// The question that the classifier should put to the attention.
fn attention_case(case: &Case, x: Array) -> Case {
    let mask = case.get("mask");
    let (b, t) = (mask.dim(0), mask.dim(1));
    let seen = Array::from_fn(&[b, t, t], |at| match *at {
        [b, _, j] => mask.at(&[b, j]),
        _ => f64::NAN,
    });
    let mut inner = Case::new(&attention_checks::signatures::MULTI_HEAD, case.label.clone())
        .size("d_model", case.get_size("d_model"))
        .size("heads", case.get_size("heads"));
    for (name, array) in &case.parameters {
        if let Some(name) = name.strip_prefix("self_attn.") {
            inner = inner.parameter(name, array.clone());
        }
    }
    inner.input("query", x).mask(Some(seen))
}

#[cfg(test)]
mod tests {
    use attention_checks::classifier::{MOVED, with_first_words};
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use softmark_checks::text_classifier::LIFT;

    use super::*;

    /// `classifier/ignores-padding` lifts the logits so that a cut at 0 does not hide what moves them.
    #[test]
    fn lifted_logits_are_above_zero() {
        let mut runner = TestRunner::deterministic();
        let mut least = 0.0_f64;
        for seed in 0..2000 {
            let shape = classifier_shapes().new_tree(&mut runner).unwrap().current();
            let logits = oracle(&shape.classifier(seed))["logits"].clone();
            least = logits.values().iter().fold(least, |least, &x| least.min(x));
        }
        assert!(least > -LIFT, "{least}");
    }

    /// `classifier/order-matters` asks for a movement that right code always makes, and that rounding
    /// never does.
    #[test]
    fn words_in_another_order_move_logits_far_more_than_rounding_does() {
        let shape = ClassifierShape {
            b: 3,
            t: 4,
            h: 2,
            k: 4,
            v: 3,
            spare: 1,
            c: 8,
            norm: false,
            kind: 0,
            padded: false,
            data: 0,
        };
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for data in 0..1000 {
            let case = ClassifierShape { data, ..shape }.classifier(data);
            let both = [[1.0, 2.0], [2.0, 1.0]].map(|words| with_first_words(&case, words));
            let [one, other] = both.map(|case| oracle(&case)["logits"].clone());
            least = least.min(one.largest_difference(&other));
            most = most.max(classifier_tolerance(&with_first_words(&case, [1.0, 2.0])).absolute);
        }
        // Two answers, each with its own rounding.
        assert!(2.0 * most < MOVED && MOVED < least, "{most} {MOVED} {least}");
    }
}
