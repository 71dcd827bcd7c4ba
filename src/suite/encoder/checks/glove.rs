//! Hidden checks of embeddings from word vectors.

use softmark_checks::check::Judged;
use softmark_checks::encoder::glove::{
    GloveShape, Listed, glove_shapes, initialized, lines_of, refuses_line, with_line,
};
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, CheckError, Outcome, Subject, search};
use softmark_kit::compare::Tolerance;

use crate::check::matches_oracle;
use crate::suite::encoder::oracle::oracle;

/// Found numbers are copied; others are a product of three numbers up to 4, of which the deviation is
/// computed in double precision or from a few dozen numbers up to 2.
fn tolerance(shape: &GloveShape) -> Tolerance {
    Tolerance::f32(shape.words.len() * shape.d + 16, 4.0)
}

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("glove/matches-reference", seed);
    search(subject, run, 8, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.push(Listed::Missing);
        let words = (
            "The table should be that of the documentation: zeros, copied rows, and random rows \
             spread as the copied ones are",
            "Go through the table in the documentation of EmbeddingInit row by row, and then through \
             the formula of the random numbers factor by factor.",
        );
        matches_oracle(subject, &shape.case(seed), oracle, tolerance(&shape), words)
    })
}

/// Holds the rows of found words against the oracle's, to the bit.
fn copies(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    let (table, _) = initialized(subject, case)?;
    let Some(want) = oracle(case).remove("table") else { return Ok(()) };
    compare(case, "table", (&table, &want), Tolerance::EXACT, words)
}

pub(crate) fn letter_case(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("glove/letter-case", seed);
    search(subject, run, 5, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.retain(|listed| *listed != Listed::Missing);
        shape.words.extend([Listed::InLowerCase, Listed::BothWays]);
        let words = (
            "A word should be looked up as it is written, and in lower case where that is not found",
            "Look at which spellings are looked up, and in which order.",
        );
        copies(subject, &shape.case(seed), words)
    })
}

/// The file with its first line's word once more at the end, with other numbers.
pub(crate) fn listed_twice(case: &Case) -> Case {
    let text = case.get("vectors").to_text().unwrap_or_default();
    let word = text.split(' ').next().unwrap_or_default();
    let again = " 0.75".repeat(case.get_size("d_model"));
    case.with("vectors", Array::from_text(&format!("{text}{word}{again}\n")))
}

pub(crate) fn first_line_counts(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("glove/first-line-counts", seed);
    search(subject, run, 4, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.retain(|listed| *listed != Listed::Missing);
        let words = (
            "A word stands in the file twice, and its first line should count",
            "Look at what happens when a word is already there.",
        );
        copies(subject, &listed_twice(&shape.case(seed)), words)
    })
}

/// The file with `text` in place of the first number of line `n`.
pub(crate) fn with_field(case: &Case, n: usize, text: &str) -> Case {
    with_line(case, n, |line| {
        let mut fields: Vec<&str> = line.split(' ').collect();
        if let Some(field) = fields.get_mut(1) {
            *field = text;
        }
        fields.join(" ")
    })
}

pub(crate) fn refuses_no_numbers(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("glove/refuses-no-numbers", seed);
    search(subject, run, 3, glove_shapes(), |subject, shape| {
        let case = shape.case(seed);
        initialized(subject, &case)?;
        let n = lines_of(&case) - 1;
        for field in ["0.5x", "NaN", "inf"] {
            let what = format!("has `{field}` where a number is expected");
            refuses_line(subject, &with_field(&case, n, field), n, &what)?;
        }
        Ok(())
    })
}

/// The file with words that nobody asks for.
pub(crate) fn of_other_words(case: &Case) -> Case {
    let text = case.get("vectors").to_text().unwrap_or_default();
    let lines = text.lines().map(|line| format!("another-{line}\n"));
    case.with("vectors", Array::from_text(&lines.collect::<String>()))
}

pub(crate) fn refuses_other_files(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("glove/refuses-other-files", seed);
    search(subject, run, 3, glove_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let words = (
            "None of the words is in the file, so it is another file than it should be: an error",
            "Look at what the deviation of no numbers comes to, and at what is made of it.",
        );
        refuses(subject, (&case, &of_other_words(&case)), words)
    })
}
