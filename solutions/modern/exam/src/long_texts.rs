//! Texts that are longer than random ones.

use softmark_checks::check::{CheckError, Judged, Stop, outcome};
use softmark_checks::typed::{Draw, Shape, Typed, TypedTask};
use softmark_checks::{Check, Outcome, Subject};
use softmark_exam::typed::Formula;
use softmark_exam::typed::checks::{matches_formula, precise_corner};

use crate::formulas::{DecoderBlockFormula, GroupedQueryFormula};

/// Number of positions. The specification sets no limit; 600 is more than a table of 512 rows, and far more than a window of
/// 64 positions.
const LENGTH: usize = 600;

const TITLE: &str = "texts of hundreds of positions are no special cases";

pub(crate) const OF_ATTENTION: Check =
    Check { id: "grouped-query/long-texts", title: TITLE, run: of_attention };

pub(crate) const OF_BLOCK: Check =
    Check { id: "decoder-block/long-texts", title: TITLE, run: of_block };

/// One example and one head of two channels, so that loops over all pairs of positions are within the limits as well.
fn of_attention(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    outcome(judge::<GroupedQueryFormula>(subject, &[1, LENGTH, 1, 1, 1], seed))
}

fn of_block(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    outcome(judge::<DecoderBlockFormula>(subject, &[1, LENGTH, 1, 1, 1, 3], seed))
}

fn judge<F: Formula>(subject: &mut Subject<'_>, sizes: &[usize], seed: u64) -> Judged {
    let dims = F::Task::DIMS;
    is_right_in_short_texts::<F>(subject)?;
    let long = Shape { sizes: sizes.to_vec(), dims, data: 0 };
    let case = F::Task::of(&long, Draw::new(seed, 0)).to_case(long.label());
    matches_formula::<F>(subject, &case)
}

/// Blocks the check by `matches-reference`, which asks this question as well, where a short text is not right.
fn is_right_in_short_texts<F: Formula>(subject: &mut Subject<'_>) -> Judged {
    match matches_formula::<F>(subject, &precise_corner::<F>()) {
        Err(Stop::Outcome(found)) if !matches!(*found, Outcome::NotImplemented { .. }) => {
            let by = format!("{}/matches-reference", F::Task::PART);
            let message = "long texts are judged where short ones are right".to_owned();
            Err(Outcome::Blocked { by, message }.into())
        }
        judged => judged,
    }
}
