//! Pretraining of the built-in encoder on the built-in corpus, with two tasks.
//!
//! The first is that of Devlin et al., *BERT* (2019), section 3.1: in each text 15 % of the words are chosen; of those,
//! 80 % become `[MASK]`, 10 % a random word, and 10 % stay unchanged; the encoder must predict the original words.
//! A heading is never chosen, and the word after `was` always becomes `[MASK]`: no other word shows what the
//! encoder knows of kinds.
//!
//! In the second, the encoder must predict from the first token of a question what its heading asks for.
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

/// Position of the heading in a text that has one: after `[CLS]`.
const HEADING: usize = 1;

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
  "initializer_range": 0.08,
  "layer_norm_eps": 1e-12,
  "pad_token_id": 0
}}
"#
    )
}

/// Standard deviation of the weights before the first step. With BERT's 0.02, an encoder this small takes twice as many
/// steps.
const INITIAL: f64 = 0.08;

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
        Self { seed: 2, texts: 60_000, steps: 3000, batch_size: 64, learning_rate: 1e-3 };
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

/// A text as ids, with BERT's special tokens.
struct Text {
    ids: Vec<u32>,
    is_headed: bool,
    /// Id of the answer to its heading; `None` for a statement.
    answer: Option<u32>,
}

/// Texts to draw batches from.
struct Corpus {
    texts: Vec<Text>,
    /// Id of `[MASK]`.
    mask: u32,
    /// Ids of words.
    words: std::ops::Range<u32>,
    /// Id of `was`, after which words are always hidden.
    was: u32,
}

impl Corpus {
    fn new(recipe: &Recipe) -> Self {
        let vocabulary = corpus::vocabulary();
        let end = u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
        let id = |word: &str| vocabulary.encode(word).first().copied().unwrap_or(1);
        let framed = |Passage { text, is_headed, answer }: Passage| Text {
            ids: corpus::framed(&vocabulary, &text),
            is_headed,
            answer: answer.map(id),
        };
        let texts = corpus::generate(recipe.seed, recipe.texts).into_iter().map(framed).collect();
        Self { texts, mask: end + 2, words: 2..end, was: id("was") }
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
        let length = chosen.iter().map(|text| text.ids.len()).max().unwrap_or(0);
        let (mut ids, mut real) = (Vec::new(), Vec::new());
        let (mut places, mut hidden) = (Vec::new(), Vec::new());
        let (mut firsts, mut answers) = (Vec::new(), Vec::new());
        for Text { ids: text, is_headed, answer } in chosen {
            if let Some(answer) = answer {
                firsts.push(u32::try_from(ids.len()).unwrap_or(u32::MAX));
                answers.push(*answer);
            }
            let (first, last) = (HEADING + usize::from(*is_headed), text.len().saturating_sub(1));
            let mut before = None;
            for (at, &id) in text.iter().enumerate() {
                let is_word = (first..last).contains(&at);
                let is_said = before == Some(self.was);
                before = Some(id);
                if is_said || is_word && stream.below(100) < 15 {
                    places.push(u32::try_from(ids.len()).unwrap_or(u32::MAX));
                    hidden.push(id);
                    ids.push(self.instead(id, is_said, &mut stream));
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
            answers: Tensor::new(answers, &Device::Cpu)?,
        })
    }

    /// Returns the id that replaces a word that is to be predicted; `is_said` is true if it follows `was`.
    fn instead(&self, id: u32, is_said: bool, stream: &mut Stream) -> u32 {
        if is_said {
            return self.mask;
        }
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
    /// Positions of the first token of each question.
    firsts: Tensor,
    /// Ids of the answers to their headings.
    answers: Tensor,
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
                _ => Init::Randn { mean: 0.0, stdev: INITIAL },
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
        let x = rows.index_select(&batch.firsts, 0)?;
        let answers = linear(d, vocabulary, vb.pp("answer"))?.forward(&x)?;
        words + cross_entropy(&answers, &batch.answers)?
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

    fn headings() -> [u32; 6] {
        let vocabulary = corpus::vocabulary();
        let words = ["topic", "aside", "action", "relation", "note", "draft"];
        words.map(|word| vocabulary.encode(word)[0])
    }

    /// Checks the shares of words that are chosen and masked, by the place of the word.
    #[test]
    fn words_are_hidden_as_the_recipe_has_it() {
        let recipe = Recipe { texts: 400, batch_size: 400, ..SHORT };
        let corpus = Corpus::new(&recipe);
        let batch = corpus.batch(&recipe, 0).unwrap();
        let ids = batch.ids.to_vec2::<u32>().unwrap();
        let mask = batch.mask.to_vec2::<u8>().unwrap();
        let places = batch.places.to_vec1::<u32>().unwrap();
        let hidden = batch.hidden.to_vec1::<u32>().unwrap();
        let headings = headings();
        assert!(hidden.iter().all(|id| corpus.words.contains(id) && !headings.contains(id)));
        let [mut words, mut chosen, mut masked, mut said] = [0.0_f64; 4];
        for (row, (ids, mask)) in ids.iter().zip(&mask).enumerate() {
            let length: usize = mask.iter().map(|bit| usize::from(*bit)).sum();
            for at in 1..length - 1 {
                let place = u32::try_from(row * ids.len() + at).unwrap();
                let is_chosen = places.contains(&place);
                if ids[at - 1] == corpus.was && !places.contains(&(place - 1)) {
                    assert!(is_chosen && ids[at] == corpus.mask, "{ids:?}");
                    said += 1.0;
                    continue;
                }
                words += 1.0;
                chosen += f64::from(u8::from(is_chosen));
                masked += f64::from(u8::from(is_chosen && ids[at] == corpus.mask));
            }
        }
        // An eighth of the texts are statements, and a quarter of the others have an answer.
        assert!((90.0..180.0).contains(&said), "{said}");
        assert!((0.11..0.18).contains(&(chosen / words)), "{chosen} of {words}");
        assert!((0.7..0.9).contains(&(masked / chosen)), "{masked} of {chosen}");
    }

    #[test]
    fn each_question_has_an_answer_and_a_statement_has_none() {
        let recipe = Recipe { texts: 400, batch_size: 400, ..SHORT };
        let corpus = Corpus::new(&recipe);
        let batch = corpus.batch(&recipe, 0).unwrap();
        let firsts = batch.firsts.to_vec1::<u32>().unwrap();
        let answers = batch.answers.to_vec1::<u32>().unwrap();
        assert_eq!(answers.len(), firsts.len());
        let ids = batch.ids.to_vec2::<u32>().unwrap();
        let width = u32::try_from(ids[0].len()).unwrap();
        assert!(firsts.iter().all(|first| first % width == 0));
        // Five of eight texts have a heading, and two of eight are questions without one.
        let headings = headings();
        let headed = ids.iter().filter(|ids| headings.contains(&ids[HEADING])).count();
        assert!((200..300).contains(&headed), "{headed}");
        assert!((320..380).contains(&firsts.len()), "{}", firsts.len());
        let nothing = corpus::vocabulary().encode(".")[0];
        let nothing = answers.iter().filter(|answer| **answer == nothing).count() as f64;
        // Two of seven questions have no heading, and of five that have one, one asks for nothing; `relation` does in a third.
        let share = nothing / answers.len() as f64;
        assert!((0.35..0.55).contains(&share), "{share}");
    }
}
