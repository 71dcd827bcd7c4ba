//! Word vectors of the lab: GloVe's, or random ones of the same spread.

use std::path::Path;

use anyhow::{Context as _, Result};
use candle_core::{Device, Tensor};
use candle_nn::Init;
use softmark_data::decode::Encoding;
use softmark_data::glove::{self, Vectors};
use softmark_kit::init::drawn;

/// Width of the vectors.
pub(super) const WIDTH: usize = 50;

/// Places of the complete GloVe file in the data folder.
const COMPLETE: [&str; 3] =
    ["glove.6B.50d/glove.6B.50d.txt", "glove.6B/glove.6B.50d.txt", "glove.6B.50d.txt"];

/// Copy of its first words, in which words that are not ASCII are in another encoding.
const CUT: &str = "glove.6B.50d/glove.6B.50d.first2446.txt";

/// GloVe's vectors, and where they were found.
pub(super) struct Glove {
    vectors: Vectors,
    /// File below the data folder.
    pub(super) file: &'static str,
}

/// Vectors of a vocabulary.
pub(super) struct Table {
    /// `[V, D]`.
    pub(super) values: Tensor,
    /// Number of words that have a vector of GloVe.
    pub(super) known: usize,
}

impl Glove {
    /// Reads the complete file below `data`, or else the cut one.
    ///
    /// # Errors
    ///
    /// Fails if there is none, or it is not a file of vectors of 50 numbers.
    pub(super) fn read(data: &Path) -> Result<Self> {
        let files = COMPLETE.into_iter().chain([CUT]);
        let found = files.into_iter().find(|file| data.join(file).is_file());
        let file = found.with_context(|| {
            format!("{}: there is no GloVe file, such as {}", data.display(), COMPLETE[0])
        })?;
        let encoding = if file == CUT { Encoding::Windows1252 } else { Encoding::Utf8 };
        let vectors = glove::read(&data.join(file), encoding)?;
        let width = vectors.width();
        anyhow::ensure!(width == WIDTH, "{file}: vectors of {width} numbers, not of {WIDTH}");
        Ok(Self { vectors, file })
    }

    /// Returns the number of words in the file.
    pub(super) fn len(&self) -> usize {
        self.vectors.words().len()
    }

    /// Returns the vectors of `words`; words without one get a random vector of the same spread.
    pub(super) fn table(&self, words: &[String], seed: u64) -> Result<Table> {
        let random = self.random(words.len(), seed)?.flatten_all()?.to_vec1::<f32>()?;
        let (values, known) = self.vectors.table(words, |id, row| {
            let values = random.chunks(WIDTH).nth(id).unwrap_or_default();
            row.copy_from_slice(values);
        });
        let values = Tensor::from_vec(values, (words.len(), WIDTH), &Device::Cpu)?;
        Ok(Table { values, known })
    }

    /// Returns random vectors `[rows, D]` with the mean square of GloVe's.
    pub(super) fn random(&self, rows: usize, seed: u64) -> Result<Tensor> {
        let words = self.vectors.words();
        let rows_of_glove = words.iter().filter_map(|word| self.vectors.get(word)).flatten();
        let squares: f64 = rows_of_glove.map(|x| f64::from(*x) * f64::from(*x)).sum();
        let stdev = (squares / (words.len() * WIDTH) as f64).sqrt();
        let init = Init::Randn { mean: 0.0, stdev };
        Ok(drawn(seed, "imdb/vectors", init, &(rows, WIDTH).into())?)
    }
}
