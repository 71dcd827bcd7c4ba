//! Pretraining of the built-in encoder on the built-in corpus, with the two tasks of Devlin et al.,
//! *BERT* (2019), section 3.1.
//!
//! In each text 15 % of the tokens are chosen; of those, 80 % become `[MASK]`, 10 % a random word, and 10 %
//! stay unchanged; the encoder must predict the original tokens. If a question is followed by an answer, the
//! encoder must also predict from the first token if the answer fits.
//!
//! Invariant: the result depends only on the recipe, and on no data that is graded.

use std::collections::BTreeMap;

use candle_core::{Device, Module as _, Result, Tensor, Var};
use candle_nn::Init;
use softmark_kit::data::corpus::{self, Passage};
use softmark_kit::init::{Parameters, drawn};
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{Linear, layer_norm, linear, ops};
use softmark_kit::optim::{Optimizer, Rule, clip_factor, global_norm};
use softmark_kit::pretrained::{PretrainedConfig, PretrainedEncoder, published_name};
use softmark_kit::rng::Stream;
use softmark_kit::schedule::Schedule;

/// Special tokens before a text, after a text, and in place of a masked word. Their ids follow those of all
/// words, so that the words keep the ids of the kit's `Vocabulary`.
const FRAME: [&str; 3] = ["[CLS]", "[SEP]", "[MASK]"];

/// Returns the `config.json` of the encoder, for `vocabulary` tokens.
fn config_json(vocabulary: usize) -> String {
    format!(
        r#"{{
  "model_type": "bert",
  "architectures": ["BertModel"],
  "vocab_size": {vocabulary},
  "hidden_size": 96,
  "num_hidden_layers": 4,
  "num_attention_heads": 4,
  "intermediate_size": 384,
  "hidden_act": "gelu",
  "hidden_dropout_prob": 0.1,
  "attention_probs_dropout_prob": 0.1,
  "max_position_embeddings": 64,
  "type_vocab_size": 2,
  "initializer_range": 0.02,
  "layer_norm_eps": 1e-12,
  "pad_token_id": 0
}}
"#
    )
}

/// Settings of the pretraining.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Recipe {
    /// Seed of the corpus, the batches, the masked tokens and the initial values.
    pub(crate) seed: u64,
    /// Number of texts in the corpus.
    pub(crate) texts: usize,
    /// Number of training steps.
    pub(crate) steps: u32,
    /// Number of texts per step.
    pub(crate) batch_size: usize,
    /// Peak learning rate of `AdamW`.
    pub(crate) learning_rate: f64,
}

impl Recipe {
    /// Settings of the encoder that is shipped.
    pub(crate) const SHIPPED: Self =
        Self { seed: 1, texts: 40_000, steps: 5000, batch_size: 64, learning_rate: 1e-3 };
}

/// Files of a pretrained encoder.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// Text of `config.json`.
    pub(crate) config: String,
    /// Text of `vocab.txt`, one token per line.
    pub(crate) vocabulary: String,
    /// Bytes of `model.safetensors`, with BERT's published parameter names.
    pub(crate) weights: Vec<u8>,
}

impl Files {
    /// Returns the name and the bytes of each file.
    pub(crate) fn by_name(&self) -> [(&'static str, &[u8]); 3] {
        [
            ("config.json", self.config.as_bytes()),
            ("vocab.txt", self.vocabulary.as_bytes()),
            ("model.safetensors", &self.weights),
        ]
    }
}

/// Returns all tokens, in the order of their ids.
pub(crate) fn tokens() -> Vec<String> {
    let vocabulary = corpus::vocabulary();
    let words = vocabulary.words().map(str::to_owned);
    let special = ["[PAD]", "[UNK]"].map(str::to_owned);
    special.into_iter().chain(words).chain(FRAME.map(str::to_owned)).collect()
}

/// Texts as ids, each with BERT's special tokens and the label of its answer.
struct Corpus {
    texts: Vec<(Vec<u32>, Option<bool>)>,
    /// Id of `[MASK]`.
    mask: u32,
    /// Ids of words.
    words: std::ops::Range<u32>,
}

impl Corpus {
    fn new(recipe: &Recipe) -> Self {
        let vocabulary = corpus::vocabulary();
        let end = u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
        let framed = |Passage { text, fits }| (corpus::framed(&vocabulary, &text), fits);
        let texts = corpus::generate(recipe.seed, recipe.texts).into_iter().map(framed).collect();
        Self { texts, mask: end + 2, words: 2..end }
    }

    /// Draws a batch of texts with masked words.
    fn batch(&self, recipe: &Recipe, step: u64) -> Result<Batch> {
        let mut stream = Stream::derive(recipe.seed, "pretrain/batch", step);
        let count = self.texts.len() as u64;
        let mut chosen = Vec::new();
        for _ in 0..recipe.batch_size {
            let at = usize::try_from(stream.below(count)).unwrap_or(0);
            chosen.extend(self.texts.get(at));
        }
        let length = chosen.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
        let (mut ids, mut real) = (Vec::new(), Vec::new());
        let (mut places, mut hidden) = (Vec::new(), Vec::new());
        let (mut firsts, mut fitting) = (Vec::new(), Vec::new());
        for (text, fits) in chosen {
            if let Some(fits) = fits {
                firsts.push(u32::try_from(ids.len()).unwrap_or(u32::MAX));
                fitting.push(u32::from(*fits));
            }
            let last = text.len().saturating_sub(1);
            for (at, &id) in text.iter().enumerate() {
                // The words of a passage whose answer does not fit cannot be predicted.
                let is_word = at > 0 && at < last && *fits != Some(false);
                if is_word && stream.below(100) < 15 {
                    places.push(u32::try_from(ids.len()).unwrap_or(u32::MAX));
                    hidden.push(id);
                    ids.push(self.instead(id, &mut stream));
                } else {
                    ids.push(id);
                }
            }
            real.extend(text.iter().map(|_| 1_u8));
            let padding = length - text.len();
            ids.extend(std::iter::repeat_n(0, padding));
            real.extend(std::iter::repeat_n(0, padding));
        }
        let (rows, guesses) = (recipe.batch_size, places.len());
        Ok(Batch {
            ids: Tensor::from_vec(ids, (rows, length), &Device::Cpu)?,
            mask: Tensor::from_vec(real, (rows, length), &Device::Cpu)?,
            places: Tensor::from_vec(places, guesses, &Device::Cpu)?,
            hidden: Tensor::from_vec(hidden, guesses, &Device::Cpu)?,
            firsts: Tensor::new(firsts, &Device::Cpu)?,
            fits: Tensor::new(fitting, &Device::Cpu)?,
        })
    }

    /// Returns the id that replaces a word that is to be predicted.
    fn instead(&self, id: u32, stream: &mut Stream) -> u32 {
        match stream.below(100) {
            0..80 => self.mask,
            80..90 => {
                let words = u64::from(self.words.end - self.words.start);
                self.words.start + u32::try_from(stream.below(words)).unwrap_or(0)
            }
            _ => id,
        }
    }
}

struct Batch {
    ids: Tensor,
    mask: Tensor,
    /// Positions of the chosen words, as row-major indices into the batch.
    places: Tensor,
    /// Original ids of the chosen words.
    hidden: Tensor,
    /// Positions of the first token of each text with an answer.
    firsts: Tensor,
    fits: Tensor,
}

/// The encoder, and the head that predicts the original word: `W · norm(gelu(linear(x))) + b`, where `W` is
/// the token embedding table. The head is not saved.
struct Model {
    encoder: PretrainedEncoder,
    parameters: Parameters,
}

/// Prefix of the head's parameter names; all other parameters are the encoder's.
const HEAD: &str = "guess";

impl Model {
    fn new(config: PretrainedConfig, seed: u64) -> Result<Self> {
        let parameters = Parameters::new(seed, &Device::Cpu);
        for (name, shape) in config.parameters() {
            let init = match name.rsplit_once('.') {
                Some((_, "bias")) => Init::Const(0.0),
                Some((module, _)) if module.contains("norm") => Init::Const(1.0),
                _ => Init::Randn { mean: 0.0, stdev: 0.02 },
            };
            parameters.give(&name, &drawn(seed, &name, init, &shape.into())?);
        }
        let encoder = PretrainedEncoder::new(config, parameters.builder())?;
        Ok(Self { encoder, parameters })
    }

    fn loss(&self, batch: &Batch) -> Result<Tensor> {
        let x = self.encoder.forward(&batch.ids, &batch.mask, false)?;
        let PretrainedConfig { d_model: d, vocabulary, .. } = *self.encoder.config();
        let (rows, parameters) = (x.reshape(((), d))?, self.parameters.builder());
        let vb = parameters.pp(HEAD);
        let x = rows.index_select(&batch.places, 0)?;
        let x = ops::gelu_erf(&linear(d, d, vb.pp("linear"))?.forward(&x)?)?;
        let x = layer_norm(d, 1e-12, vb.pp("norm"))?.forward(&x)?;
        let tokens = parameters.get((vocabulary, d), "token_embedding.weight")?;
        let bias = vb.get_with_hints(vocabulary, "bias", Init::Const(0.0))?;
        let words = cross_entropy(&Linear::new(tokens, Some(bias)).forward(&x)?, &batch.hidden)?;
        let x = linear(d, d, vb.pp("pooler"))?.forward(&rows.index_select(&batch.firsts, 0)?)?;
        let fits = linear(d, 2, vb.pp("fits"))?.forward(&x.tanh()?)?;
        words + cross_entropy(&fits, &batch.fits)?
    }

    /// Returns the encoder's parameters, with their names in published files.
    fn published(&self) -> BTreeMap<String, Tensor> {
        let family = self.encoder.config().family;
        let of = |(name, var): (String, Var)| {
            Some((published_name(family, &name)?, var.as_tensor().detach()))
        };
        self.parameters.vars().into_iter().filter_map(of).collect()
    }
}

/// Pretrains an encoder; `tell` is called with the number and the loss of each step.
///
/// # Errors
///
/// Fails if an operation of candle fails, which is not expected.
pub(crate) fn pretrain(recipe: &Recipe, tell: &mut dyn FnMut(u32, f32)) -> Result<Files> {
    let tokens = tokens();
    let config_text = config_json(tokens.len());
    let config = PretrainedConfig::from_json(&config_text).map_err(candle_core::Error::wrap)?;
    let model = Model::new(config, recipe.seed)?;
    let corpus = Corpus::new(recipe);
    let mut optimizer = Optimizer::new(Rule::ADAM_W, 0.01);
    let schedule = Schedule::cosine(0.1);
    for step in 0..recipe.steps {
        let loss = model.loss(&corpus.batch(recipe, u64::from(step))?)?;
        let vars = model.parameters.vars();
        let gradients = loss.backward()?;
        let scale = clip_factor(global_norm(&vars, &gradients)?, 1.0);
        let rate = recipe.learning_rate * schedule.factor(u64::from(step), u64::from(recipe.steps));
        optimizer.step_scaled(&vars, &gradients, rate, scale)?;
        tell(step, loss.to_scalar()?);
    }
    let metadata = [("format".to_owned(), "pt".to_owned())].into_iter().collect();
    let weights = safetensors::serialize(model.published(), Some(metadata))
        .map_err(candle_core::Error::wrap)?;
    let mut vocabulary = tokens.join("\n");
    vocabulary.push('\n');
    Ok(Files { config: config_text, vocabulary, weights })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use softmark_kit::pretrained::Weights;

    use super::*;

    const SHORT: Recipe = Recipe { texts: 200, steps: 12, batch_size: 16, ..Recipe::SHIPPED };

    fn trained() -> (Files, Vec<f32>) {
        let mut losses = Vec::new();
        let files = pretrain(&SHORT, &mut |_, loss| losses.push(loss)).unwrap();
        (files, losses)
    }

    #[test]
    fn the_same_recipe_gives_the_same_bytes_and_the_loss_falls() {
        let ((files, losses), (again, _)) = (trained(), trained());
        assert_eq!(files.weights, again.weights);
        let [first, .., last] = losses.as_slice() else { panic!("{losses:?}") };
        assert!(last + 0.1 < *first, "{losses:?}");
    }

    #[test]
    fn what_is_shipped_is_read_and_has_the_words_of_the_corpus() {
        let folder = Path::new(crate::FOLDER);
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("vocab.txt"), tokens().join("\n") + "\n");
        assert_eq!(read("config.json"), config_json(tokens().len()));
        let config = PretrainedConfig::from_json(&read("config.json")).unwrap();
        let path = folder.join("model.safetensors");
        let weights = Weights::read(&path, &config, &Device::Cpu).unwrap();
        assert_eq!(weights.tensors().len(), config.parameters().len());
        assert!(fs::metadata(path).unwrap().len() < 3_000_000);
    }

    /// Checks that 80 % of the chosen words are masked, and that no word is chosen in a passage whose answer does
    /// not fit.
    #[test]
    fn words_are_hidden_as_the_paper_has_it() {
        let recipe = Recipe { texts: 400, batch_size: 400, ..SHORT };
        let corpus = Corpus::new(&recipe);
        let batch = corpus.batch(&recipe, 0).unwrap();
        let ids = batch.ids.flatten_all().unwrap().to_vec1::<u32>().unwrap();
        let real = batch.mask.flatten_all().unwrap().to_vec1::<u8>().unwrap();
        let tokens: usize = real.iter().map(|bit| usize::from(*bit)).sum();
        let words = tokens - 2 * recipe.batch_size;
        let hidden = batch.hidden.to_vec1::<u32>().unwrap();
        // A quarter of the texts, the longest, hide nothing; 15 in 100 of the others' words are chosen.
        let share = hidden.len() as f64 / words as f64;
        assert!((0.07..0.13).contains(&share), "{share}");
        let masked = ids.iter().filter(|id| **id == corpus.mask).count() as f64;
        let masked = masked / hidden.len() as f64;
        assert!((0.7..0.9).contains(&masked), "{masked}");
        let fits = batch.fits.to_vec1::<u32>().unwrap();
        let yes = f64::from(fits.iter().sum::<u32>()) / fits.len() as f64;
        assert!((0.35..0.65).contains(&yes), "{yes}");
        assert!(hidden.iter().all(|id| corpus.words.contains(id)));
    }
}
