//! Checks of dropout, shared by all parts that have it.

use softmark_common::compare::Tolerance;

use crate::array::Array;
use crate::case::Case;
use crate::check::{Judged, wrong};
use crate::subject::{Subject, compare, finite};

/// Returns the case with a dropout probability of `permille` thousandths and the given `train`.
#[must_use]
pub fn with_dropout(case: &Case, permille: usize, train: bool) -> Case {
    let mut changed =
        case.with_size("dropout_permille", permille).with_size("train", usize::from(train));
    let train = if train { ", train" } else { "" };
    changed.label = format!("{}, dropout {}{train}", case.label, permille as f64 / 1000.0);
    changed
}

/// Checks that dropout has no effect if `train` is false or if its probability is 0. In `case` both hold.
///
/// # Errors
///
/// Fails with the verdict if dropout has an effect.
pub fn has_no_effect(
    subject: &mut Subject<'_>,
    case: &Case,
    output: &str,
    shape: &[usize],
) -> Judged {
    let before = subject.forward(case)?.get(case, output, shape)?;
    let on_the_way = "Look at what is done with `train`, on the way down to each dropout.";
    let made = "Look at everything that depends on `train`: what is dropped, with which probability, and what \
                else is done only in training, or only outside of it.";
    for (permille, train, claim, look) in [
        (
            500,
            false,
            "`train` is false, so dropout with probability 0.5 should do nothing",
            on_the_way,
        ),
        (0, true, "With dropout of probability 0, training should make no difference", made),
    ] {
        let asked = with_dropout(case, permille, train);
        let after = subject.forward(&asked)?.get(&asked, output, shape)?;
        compare(&asked, output, (&after, &before), Tolerance::EXACT, (claim, look))?;
    }
    Ok(())
}

/// Checks that dropout has an effect in training, and the same effect each time. `case` is without dropout.
///
/// # Errors
///
/// Fails with the verdict if one of these does not hold.
pub fn works(
    subject: &mut Subject<'_>,
    case: &Case,
    output: &str,
    shape: &[usize],
) -> Result<Array, crate::verdict::Stop> {
    let asked = with_dropout(case, 500, true);
    let before = subject.forward(case)?.get(case, output, shape)?;
    let after = subject.forward(&asked)?.get(&asked, output, shape)?;
    if !after.differs(&before) {
        [&before, &after].into_iter().try_for_each(|it| finite(&asked, output, it))?;
        let message = "`train` is true and dropout has probability 0.5, and nothing is different \
                       from what comes out without dropout. Look at where dropout is applied, and at whether \
                       `train` reaches it.";
        return Err(wrong(&asked, message.to_owned()));
    }
    let again = subject.forward(&asked)?.get(&asked, output, shape)?;
    let claim = "The same question was asked twice in training, and dropout should draw the same \
                 numbers";
    let look = "Look at where its random numbers come from: Tensor::rand cannot be seeded; Dropout of \
                softmark_kit::nn and of candle_nn draws from a seeded stream.";
    compare(&asked, output, (&again, &after), Tolerance::EXACT, (claim, look))?;
    Ok(after)
}
