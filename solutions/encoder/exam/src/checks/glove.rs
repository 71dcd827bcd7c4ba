//! Hidden checks of embeddings from word vectors.

use encoder_checks::glove::{
    GloveShape, Listed, glove_shapes, initialized, lines_of, refuses_line, with_line,
};
use softmark_checks::check::{Judged, if_passed};
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{expected_output, matches_oracle};

use crate::oracle::oracle;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "glove/matches-reference",
        title: "the table is that of the documentation, random rows included",
        run: matches_reference,
    },
    Check {
        id: "glove/letter-case",
        title: "a word is looked up as written, then in lower case",
        run: letter_case,
    },
    Check {
        id: "glove/first-line-counts",
        title: "of a word that is listed twice, the first line counts",
        run: first_line_counts,
    },
    Check {
        id: "glove/refuses-no-numbers",
        title: "a field that is no finite number is an error that names its line",
        run: refuses_no_numbers,
    },
    Check {
        id: "glove/refuses-other-files",
        title: "a file with none of the words is an error",
        run: refuses_other_files,
    },
];

/// Found numbers are copied; others are a product of three numbers up to 4, of which the deviation is
/// computed in double precision or from a few dozen numbers up to 2.
fn tolerance(shape: &GloveShape) -> Tolerance {
    Tolerance::f32(shape.words.len() * shape.d + 16, 4.0)
}

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("glove/matches-reference", seed);
    let words = (
        "Table and coverage should be those of the documentation: a row of zeros, copied rows, and random \
         rows spread as the copied ones are",
        "Go through the table in the documentation of EmbeddingInit row by row, through the formula of the \
         random numbers factor by factor, and through which words count as found.",
    );
    let found = search(subject, run, 8, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.push(Listed::Missing);
        matches_oracle(subject, &shape.case(seed), oracle, tolerance(&shape), words)
    })?;
    if_passed(found, || {
        let shape = GloveShape { words: Vec::new(), d: 3, others: 0, seed: 5, data: 0 };
        fixed(&shape)
            .iter()
            .try_for_each(|case| matches_oracle(subject, case, oracle, tolerance(&shape), words))
    })
}

/// Files that no random one is like: two entries that share a vector, lines without anything on them, and a
/// word of padding's name; words that are punctuation, and one that the file has in capitals alone; and a
/// vocabulary of padding alone, of which no word can be missing.
fn fixed(shape: &GloveShape) -> [Case; 3] {
    let signs = "# 0.5 0.25 1\n, 1.5 -1 0.125\n-of- 0.75 2 -2\nof 4 -0.5 1\nNASA 2 2 2\n";
    let vocabulary = "<pad>\nThe\nthe\nof\nabsent\n";
    let vectors = "<pad> 9 9 9\n\nthe 0.418 0.24968 -0.41242\n\nof 0.70853 0.57088 -4e-1\n";
    [
        shape.ask(vocabulary, vectors, "V=5 D=3, two entries share a vector".to_owned()),
        shape.ask("<pad>\n#\n,\nof\nnasa\n", signs, "V=5 D=3, words of punctuation".to_owned()),
        shape.ask("<pad>\n", vectors, "V=1 D=3, padding alone".to_owned()),
    ]
}

/// Message about a table whose first row is not that of padding.
const PADDING: (&str, &str) = (
    "The row of padding, which is the first, should be zeros",
    "Look at what that row is filled with, and at which row each word's numbers go to.",
);

/// Holds the rows of found words against the oracle's, to the bit.
fn copies(subject: &mut Subject<'_>, case: &Case, words: (&str, &str)) -> Judged {
    let (table, _) = initialized(subject, case)?;
    let want = expected_output(case, oracle, "table")?;
    let is_cleared = (0..table.dim(1)).all(|c| table.at(&[0, c]) == 0.0);
    let words = if is_cleared { words } else { PADDING };
    compare(case, "table", (&table, &want), Tolerance::EXACT, words)
}

fn letter_case(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("glove/letter-case", seed);
    let words = (
        "A word should be looked up as it is written, and in lower case where that is not found",
        "Look at which spellings are looked up, and in which order.",
    );
    let found = search(subject, run, 5, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.retain(|listed| *listed != Listed::Missing);
        shape.words.extend([Listed::InLowerCase, Listed::BothWays]);
        copies(subject, &shape.case(seed), words)
    })?;
    // Letters beyond ASCII have a lower case, too.
    let shape = GloveShape { words: Vec::new(), d: 2, others: 0, seed: 5, data: 0 };
    let case = shape.ask("<pad>\nÉCOLE\nÜber\n", "école 0.5 1.5\nüber 2.5 3.5\n", "É Ü".to_owned());
    if_passed(found, || copies(subject, &case, words))
}

/// The file with its first line's word once more at the end, with other numbers.
pub(crate) fn listed_twice(case: &Case) -> Case {
    let text = case.get("vectors").to_text().unwrap_or_default();
    let word = text.split(' ').next().unwrap_or_default();
    let again = " 0.75".repeat(case.get_size("d_model"));
    case.with("vectors", Array::from_text(&format!("{text}{word}{again}\n")))
}

fn first_line_counts(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("glove/first-line-counts", seed), 4, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.retain(|listed| *listed != Listed::Missing);
        let words = (
            "A word stands in the file twice, and its first line should count",
            "Look at what happens when a word is already there, and at which spellings are looked up.",
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

fn refuses_no_numbers(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("glove/refuses-no-numbers", seed), 3, glove_shapes(), |subject, shape| {
        let case = shape.case(seed);
        initialized(subject, &case)?;
        let n = lines_of(&case) - 1;
        // The last is a number, and too large for f32.
        for field in ["0.5x", "0.5,", "NaN", "inf", "1e39"] {
            let what = format!("has `{field}` where a finite number of type f32 is expected");
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

fn refuses_other_files(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("glove/refuses-other-files", seed), 3, glove_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let words = (
            "None of the words is in the file, so it is not the right file, and there should be an error",
            "Look at what the deviation of no numbers comes to, and at what is made of it.",
        );
        refuses(subject, (&case, &of_other_words(&case)), words)
    })
}
