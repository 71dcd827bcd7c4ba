//! Embeddings from word vectors by changeable rules.

use std::collections::BTreeMap;

use encoder_checks::glove::words_of;
use softmark_checks::{Array, Case};
use softmark_common::rng::Stream;
use softmark_exam::Response;

/// Under which spelling a word is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As written, then in lower case: as it should be.
    WrittenThenLower,
    /// As written alone.
    Written,
    /// In lower case alone.
    Lower,
}

/// What a missing word gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Missing {
    /// Random numbers with the deviation of the found ones, as it should.
    Spread,
    /// Zeros.
    Zeros,
    /// In each channel the mean of the found rows.
    Mean,
    /// Random numbers with this deviation.
    Fixed(f64),
    /// Random numbers whose bounds are the deviation.
    WithinDeviation,
    /// Random numbers that every missing word shares.
    Shared,
    /// Random numbers that do not hang on the seed.
    Unseeded,
}

/// What becomes of a line that is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ragged {
    /// An error that names it.
    Refused,
    /// It is left out.
    Skipped,
    /// A panic.
    Panicked,
    /// What is too much is cut off, what is missing is 0.
    Fitted,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    pub(crate) spelling: Spelling,
    pub(crate) missing: Missing,
    /// Whether the row of padding is zeros; else it is that of a missing word.
    pub(crate) clears_padding: bool,
    /// Whether the rows follow the file instead of the vocabulary.
    pub(crate) in_order_of_file: bool,
    /// Whether every row stands one too early.
    pub(crate) shifted: bool,
    pub(crate) last_line_counts: bool,
    pub(crate) ragged: Ragged,
    /// What becomes of a field that is not a number, or not a finite one.
    pub(crate) no_number: Ragged,
    /// Whether only text is no number: `NaN` and infinities are.
    pub(crate) takes_not_finite: bool,
    /// Whether a file with none of the words is taken.
    pub(crate) takes_other_files: bool,
    /// What is counted as found: words of the vocabulary, or lines of the file.
    pub(crate) counts_lines: bool,
    /// Whether padding counts as a missing word.
    pub(crate) counts_padding: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    spelling: Spelling::WrittenThenLower,
    missing: Missing::Spread,
    clears_padding: true,
    in_order_of_file: false,
    shifted: false,
    last_line_counts: false,
    ragged: Ragged::Refused,
    no_number: Ragged::Refused,
    takes_not_finite: false,
    takes_other_files: false,
    counts_lines: false,
    counts_padding: false,
};

type Vectors = Vec<(String, Vec<f64>)>;

/// The lines of the file, each word once.
fn read(rules: &Rules, text: &str, width: usize) -> Result<Vectors, Response> {
    let mut vectors: Vectors = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let mut fields = line.split(' ');
        let word = fields.next().unwrap_or_default().to_owned();
        let fields: Vec<&str> = fields.collect();
        let parsed: Vec<Option<f64>> = fields
            .iter()
            .map(|field| field.parse::<f32>().ok().map(f64::from))
            .map(|x| x.filter(|x| x.is_finite() || rules.takes_not_finite))
            .collect();
        let wrong = if parsed.iter().any(Option::is_none) {
            Some(rules.no_number)
        } else if parsed.len() != width {
            Some(rules.ragged)
        } else {
            None
        };
        match wrong {
            None | Some(Ragged::Fitted) => {}
            Some(Ragged::Refused) => return Err(Response::Refused),
            Some(Ragged::Panicked) => return Err(Response::Panicked),
            Some(Ragged::Skipped) => continue,
        }
        let mut row: Vec<f64> = parsed.into_iter().map(|x| x.unwrap_or(0.0)).collect();
        row.resize(width, 0.0);
        match vectors.iter_mut().find(|(of, _)| *of == word) {
            Some((_, before)) if rules.last_line_counts => *before = row,
            Some(_) => {}
            None => vectors.push((word, row)),
        }
    }
    Ok(vectors)
}

/// The random row of a missing word.
fn drawn(rules: &Rules, case: &Case, word: &str, found: &[&Vec<f64>]) -> Vec<f64> {
    let width = case.get_size("d_model");
    let n = (found.len() * width) as f64;
    let numbers = || found.iter().flat_map(|row| row.iter());
    let mean = numbers().sum::<f64>() / n;
    let deviation = (numbers().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
    let root = 3_f64.sqrt();
    let (seed, name) = match rules.missing {
        Missing::Unseeded => (0, word),
        Missing::Shared => (case.get_size("seed") as u64, "<unk>"),
        Missing::Spread
        | Missing::Zeros
        | Missing::Mean
        | Missing::Fixed(_)
        | Missing::WithinDeviation => (case.get_size("seed") as u64, word),
    };
    let mut stream = Stream::derive(seed, name, 0);
    let mut number = || f64::from(stream.uniform()) * 2.0 - 1.0;
    (0..width)
        .map(|channel| match rules.missing {
            Missing::Zeros => 0.0,
            Missing::Mean => {
                let column = found.iter().filter_map(|row| row.get(channel));
                column.sum::<f64>() / found.len() as f64
            }
            Missing::Fixed(deviation) => number() * root * deviation,
            Missing::WithinDeviation => number() * deviation,
            Missing::Spread | Missing::Shared | Missing::Unseeded => number() * root * deviation,
        })
        .collect()
}

/// What an initialisation by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let width = case.get_size("d_model");
    let text = case.get("vectors").to_text().unwrap_or_default();
    let vectors = match read(rules, &text, width) {
        Ok(vectors) => vectors,
        Err(response) => return response,
    };
    let find = |word: &str| {
        let of = |word: &str| vectors.iter().find(|(of, _)| of == word).map(|(_, row)| row);
        match rules.spelling {
            Spelling::WrittenThenLower => of(word).or_else(|| of(&word.to_lowercase())),
            Spelling::Written => of(word),
            Spelling::Lower => of(&word.to_lowercase()),
        }
    };
    let words = words_of(case);
    let asked = words.get(1..).unwrap_or_default();
    let found: Vec<&Vec<f64>> = asked.iter().filter_map(|word| find(word)).collect();
    if found.is_empty() && !asked.is_empty() && !rules.takes_other_files {
        return Response::Refused;
    }
    let padding = words.first().map(String::as_str).unwrap_or_default();
    let first =
        if rules.clears_padding { vec![0.0; width] } else { drawn(rules, case, padding, &found) };
    let mut rows = vec![first];
    if rules.in_order_of_file {
        let listed = vectors.iter().filter(|(of, _)| asked.iter().any(|word| word == of));
        rows.extend(listed.map(|(_, row)| row.clone()));
    }
    for word in asked.iter().skip(rows.len() - 1) {
        rows.push(find(word).cloned().unwrap_or_else(|| drawn(rules, case, word, &found)));
    }
    if rules.shifted {
        rows.rotate_left(1);
    }
    let missing = asked.len() - found.len();
    let counted = if rules.counts_lines { vectors.len() } else { found.len() };
    let counts = vec![counted as f64, (missing + usize::from(rules.counts_padding)) as f64];
    Response::Outputs(BTreeMap::from([
        ("table".to_owned(), Array::new(&[words.len(), width], rows.concat())),
        ("coverage".to_owned(), Array::new(&[2], counts)),
    ]))
}
