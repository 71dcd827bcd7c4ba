//! Task 5, embeddings from word vectors: properties of every correct implementation.

use std::fmt::Write;

use crate::signatures;

use proptest::prelude::*;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, outcome, wrong};
use softmark_checks::corners::Corners;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare, fault, finite};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_wire::{Failure, FailureKind, Fault};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "glove/worked-example",
        title: "found words are copied, and the row of padding is zeros",
        run: worked_example,
    },
    Check { id: "glove/coverage", title: "found and missing words are counted", run: coverage },
    Check {
        id: "glove/missing-words",
        title: "missing words get random numbers, each word its own",
        run: missing_words,
    },
    Check {
        id: "glove/refuses-ragged-lines",
        title: "a line of another width is an error that names it",
        run: refuses_ragged_lines,
    },
];

const CASES: usize = 5;

/// Form in which a word of the vocabulary appears in the file of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// As the vocabulary writes it.
    AsWritten,
    /// In lower case, while the vocabulary has a capital.
    InLowerCase,
    /// In both forms, with different vectors.
    BothWays,
    /// Absent from the file.
    Missing,
}

/// Shape of a case for word vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GloveShape {
    /// The words of the vocabulary after padding.
    pub words: Vec<Listed>,
    /// Width of the model.
    pub d: usize,
    /// Words in the file that are not in the vocabulary.
    pub others: usize,
    /// Seed of the random rows.
    pub seed: usize,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// Word `n` of the vocabulary: capitals where its lower case is another word of the file.
fn written(n: usize, listed: Listed) -> String {
    match listed {
        Listed::AsWritten => format!("word{n}"),
        Listed::InLowerCase | Listed::BothWays => format!("Word{n}"),
        Listed::Missing => format!("Absent{n}"),
    }
}

impl GloveShape {
    fn line(&self, text: &mut String, word: &str, stream: &mut Stream) {
        text.push_str(word);
        for _ in 0..self.d {
            // Five digits, as the published files have.
            let number = stream.below(40_000) as f64 / 10_000.0 - 2.0;
            // Writing to a string cannot fail.
            write!(text, " {number}").unwrap_or_default();
        }
        text.push('\n');
    }

    /// Returns the case.
    pub fn case(&self, seed: u64) -> Case {
        let mut stream = Stream::derive(seed, "vectors", self.data);
        let (mut vocabulary, mut vectors) = ("<pad>\n".to_owned(), String::new());
        for (n, listed) in self.words.iter().enumerate() {
            let word = written(n, *listed);
            let lower = word.to_lowercase();
            match listed {
                Listed::AsWritten => self.line(&mut vectors, &word, &mut stream),
                Listed::InLowerCase => self.line(&mut vectors, &lower, &mut stream),
                Listed::BothWays => {
                    self.line(&mut vectors, &lower, &mut stream);
                    self.line(&mut vectors, &word, &mut stream);
                }
                Listed::Missing => {}
            }
            vocabulary.push_str(&word);
            vocabulary.push('\n');
            if n < self.others {
                self.line(&mut vectors, &format!("other{n}"), &mut stream);
            }
        }
        let of = self.words.len();
        self.ask(&vocabulary, &vectors, format!("V={} D={}", of + 1, self.d))
    }

    /// A question with texts of its own.
    pub fn ask(&self, vocabulary: &str, vectors: &str, label: String) -> Case {
        Case::new(&signatures::GLOVE, label)
            .size("d_model", self.d)
            .size("seed", self.seed)
            .text("vocabulary", vocabulary)
            .text("vectors", vectors)
    }
}

/// Corner cases with words of every kind, two of them missing.
impl Corners for GloveShape {
    fn corners(&self) -> Vec<Self> {
        let found = [Listed::AsWritten, Listed::InLowerCase, Listed::BothWays];
        let words = found.into_iter().chain([Listed::Missing; 2]).collect();
        vec![Self { words, d: 3, others: 2, ..self.clone() }]
    }
}

/// Vocabularies of which at least one word is found.
pub fn glove_shapes() -> impl Strategy<Value = GloveShape> {
    let listed = prop_oneof![
        Just(Listed::AsWritten),
        Just(Listed::Missing),
        Just(Listed::InLowerCase),
        Just(Listed::BothWays),
    ];
    let words = prop::collection::vec(listed, 0..=6);
    (words, 1..=4_usize, 0..=3_usize, 0..1000_usize, any::<u64>().no_shrink()).prop_map(
        |(mut words, d, others, seed, data)| {
            words.insert(0, Listed::AsWritten);
            GloveShape { words, d, others, seed, data }
        },
    )
}

/// The words of a case, padding among them.
#[must_use]
pub fn words_of(case: &Case) -> Vec<String> {
    let text = case.get("vocabulary").to_text().unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The table, `[V, D]`, and the two counts.
///
/// # Errors
///
/// Fails with the verdict if one of them has another shape.
pub fn initialized(subject: &mut Subject<'_>, case: &Case) -> Result<(Array, Array), Stop> {
    let answer = subject.forward(case)?;
    let shape = [words_of(case).len(), case.get_size("d_model")];
    Ok((answer.get(case, "table", &shape)?, answer.get(case, "coverage", &[2])?))
}

fn row(table: &Array, n: usize) -> Array {
    Array::from_fn(&[table.dim(1)], |at| match *at {
        [c] => table.at(&[n, c]),
        _ => f64::NAN,
    })
}

fn worked_example(subject: &mut Subject<'_>, _: u64) -> Result<Outcome, CheckError> {
    let shape = GloveShape { words: Vec::new(), d: 2, others: 0, seed: 1, data: 0 };
    // A word in the file with the name of padding is not padding.
    let vectors = "of 0.5 -1\n<pad> 4 4\nthe 0.25 2\n. 8 8\n";
    let case = shape.ask("<pad>\nthe\nof\n", vectors, "V=3 D=2".to_owned());
    let mut judge = || -> Judged {
        let (table, _) = initialized(subject, &case)?;
        let want = Array::new(&[3, 2], vec![0.0, 0.0, 0.25, 2.0, 0.5, -1.0]);
        let claim = "The rows should be zeros for padding, then the vectors of `the` and of `of`";
        let look = "Look at what the row of padding is filled with, and at which row of the table each \
                    word's numbers go to: the vocabulary's order counts, not the file's.";
        compare(&case, "table", (&table, &want), Tolerance::EXACT, (claim, look))
    };
    outcome(judge())
}

fn coverage(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("glove/coverage", seed), CASES, glove_shapes(), |subject, shape| {
        let case = shape.case(seed);
        let (_, counts) = initialized(subject, &case)?;
        let missing = shape.words.iter().filter(|listed| **listed == Listed::Missing).count();
        let found = shape.words.len() - missing;
        let want = Array::new(&[2], vec![found as f64, missing as f64]);
        let claim = "The words of the vocabulary that were found and those that are missing should \
                     be counted; padding is no word";
        let look = "Look at when a word counts as found, and at what is counted: entries of the \
                    vocabulary, or lines of the file?";
        compare(&case, "coverage", (&counts, &want), Tolerance::EXACT, (claim, look))
    })
}

fn missing_words(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("glove/missing-words", seed), CASES, glove_shapes(), |subject, shape| {
        let mut shape = shape.clone();
        shape.words.extend([Listed::AsWritten, Listed::Missing, Listed::Missing]);
        shape.d = shape.d.max(2);
        let case = shape.case(seed);
        let (table, _) = initialized(subject, &case)?;
        finite(&case, "table", &table)?;
        let last = table.dim(0).saturating_sub(1);
        let (one, other) = (row(&table, last), row(&table, last.saturating_sub(1)));
        let flat =
            |row: &Array| row.values().windows(2).all(|pair| matches!(pair, [x, y] if x == y));
        if flat(&one) || flat(&other) {
            let message = "A word without a vector got the same number throughout. Look at what its \
                           row is filled with: a model cannot tell its channels apart.";
            return Err(wrong(&case, message.to_owned()));
        }
        if one == other {
            let message = "Two words without vectors got the same row, and a model could never tell \
                           them apart. Look at what the random stream is named after.";
            return Err(wrong(&case, message.to_owned()));
        }
        let again = initialized(subject, &case)?.0;
        let claim = "The same question was asked twice, and the random rows should be the same";
        let look = "Look at where the random numbers come from: they should be drawn from a stream \
                    of the seed and the word.";
        compare(&case, "table", (&again, &table), Tolerance::EXACT, (claim, look))?;
        let seeded = case.with_size("seed", shape.seed + 1);
        let after = initialized(subject, &seeded)?.0;
        finite(&seeded, "table", &after)?;
        if !row(&after, last).differs(&one) {
            let message = "Another seed was handed in, and a word without a vector got the same \
                           numbers. Look at whether the seed reaches the stream.";
            return Err(wrong(&seeded, message.to_owned()));
        }
        Ok(())
    })
}

/// The file of the case with line `n` (counted from 0) changed by `change`.
#[must_use]
pub fn with_line(case: &Case, n: usize, change: impl Fn(&str) -> String) -> Case {
    let text = case.get("vectors").to_text().unwrap_or_default();
    let lines = text.lines().enumerate();
    let changed = lines.map(|(at, line)| if at == n { change(line) } else { line.to_owned() });
    let mut text = changed.collect::<Vec<_>>().join("\n");
    text.push('\n');
    case.with("vectors", Array::from_text(&text))
}

/// Returns the number of lines of the case's file.
#[must_use]
pub fn lines_of(case: &Case) -> usize {
    case.get("vectors").to_text().unwrap_or_default().lines().count()
}

/// Checks that the case is refused with an error that names line `n` (counted from 0).
///
/// # Errors
///
/// Fails with the verdict if the case is not refused with such an error.
pub fn refuses_line(subject: &mut Subject<'_>, case: &Case, n: usize, what: &str) -> Judged {
    let line = n + 1;
    let claim = format!("Line {line} of the file {what}, which should be an error that says so");
    match subject.try_forward(case)?.into_result() {
        Err(Fault::Code(Failure { kind: FailureKind::Refused, message, .. })) => {
            let mut numbers = message.split(|c: char| !c.is_ascii_digit());
            if numbers.any(|number| number == line.to_string()) {
                return Ok(());
            }
            let message = format!(
                "{claim}. The error should name line {line}, and it says: {message}. Lines are counted from \
                 1, empty ones included."
            );
            Err(wrong(case, message))
        }
        Err(Fault::Code(Failure { kind: FailureKind::Panicked, message, place })) => {
            let message =
                format!("{claim}. It panicked at {place} instead of returning an error: {message}");
            Err(wrong(case, message))
        }
        Err(other) => Err(fault(case, other)),
        Ok(_) => Err(wrong(
            case,
            format!(
                "{claim}. It was taken as it is. Look at which lines are checked, and at what is done with \
                 their fields."
            ),
        )),
    }
}

fn refuses_ragged_lines(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("glove/refuses-ragged-lines", seed);
    let shapes = (glove_shapes(), any::<prop::sample::Index>());
    search(subject, run, CASES, shapes, |subject, (shape, which)| {
        let case = shape.case(seed);
        initialized(subject, &case)?;
        // A word that nobody asks for, far enough down that no other number of a message is the line's;
        // and once more below lines without anything on them, which count as well.
        let stranger = format!("stranger{}", " 1".repeat(shape.d));
        for empty in [0, 2] {
            let above = format!("\n{stranger}").repeat(30) + &"\n".repeat(empty);
            let long = with_line(&case, 0, |line| format!("{line}{above}\n{stranger} 1"));
            refuses_line(subject, &long, 31 + empty, "has one number too many")?;
        }
        let n = which.index(lines_of(&case));
        let longer = with_line(&case, n, |line| format!("{line} 0.5"));
        refuses_line(subject, &longer, n, "has one number too many")?;
        let shorter = with_line(&case, n, |line| {
            line.rsplit_once(' ').map_or_else(String::new, |(rest, _)| rest.to_owned())
        });
        refuses_line(subject, &shorter, n, "has one number too few")
    })
}
