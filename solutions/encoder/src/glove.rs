//! Task 5: embeddings that begin as published word vectors.

use std::collections::BTreeMap;

use softmark_kit::prelude::*;
use softmark_kit::rng::Stream;

/// Reads the vectors of GloVe's text format.
#[derive(Debug)]
pub struct Glove;

/// The numbers of one line, and the word before them.
fn row(line: &str, number: usize, width: usize) -> Result<(&str, Vec<f32>)> {
    let mut fields = line.split_whitespace();
    let Some(word) = fields.next() else {
        candle_core::bail!("line {number}: there is no word");
    };
    let mut values = Vec::with_capacity(width);
    for field in fields {
        match field.parse::<f32>() {
            Ok(value) if value.is_finite() => values.push(value),
            Ok(_) | Err(_) => candle_core::bail!("line {number}: `{field}` is no finite number"),
        }
    }
    if values.len() != width {
        candle_core::bail!("line {number}: {} numbers, {width} are expected", values.len());
    }
    Ok((word, values))
}

/// The standard deviation of all numbers about their mean.
fn deviation(rows: &[&Vec<f32>]) -> f64 {
    let values = || rows.iter().flat_map(|row| row.iter().map(|value| f64::from(*value)));
    let count = values().count() as f64;
    let mean = values().sum::<f64>() / count;
    (values().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

impl EmbeddingInit for Glove {
    fn from_glove(
        vocabulary: &[String],
        vectors: &str,
        d_model: usize,
        seed: u64,
    ) -> Result<(Tensor, Coverage)> {
        let mut published: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
        for (at, line) in vectors.lines().enumerate() {
            if !line.trim().is_empty() {
                let (word, values) = row(line, at + 1, d_model)?;
                published.entry(word).or_insert(values);
            }
        }
        let words = vocabulary.get(1..).unwrap_or_default();
        let look_up = |word: &String| {
            published.get(word.as_str()).or_else(|| published.get(word.to_lowercase().as_str()))
        };
        let found: Vec<&Vec<f32>> = words.iter().filter_map(look_up).collect();
        if found.is_empty() && !words.is_empty() {
            candle_core::bail!("none of the {} words has a vector", words.len());
        }
        let spread = 3_f64.sqrt() * deviation(&found);
        let mut table = vec![0_f32; d_model.min(vocabulary.len() * d_model)];
        for word in words {
            if let Some(values) = look_up(word) {
                table.extend(values);
                continue;
            }
            let mut stream = Stream::derive(seed, word, 0);
            for _ in 0..d_model {
                let number = (2.0 * f64::from(stream.uniform()) - 1.0) * spread;
                #[expect(clippy::cast_possible_truncation, reason = "the table is f32")]
                table.push(number as f32);
            }
        }
        let coverage = Coverage { found: found.len(), missing: words.len() - found.len() };
        Ok((Tensor::from_vec(table, (vocabulary.len(), d_model), &Device::Cpu)?, coverage))
    }
}
