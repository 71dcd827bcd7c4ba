//! Components of the `prefix-tuning` assignment, as checks construct and call them.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use crate::tuning::{
    FreshModel, PartialConfig, PartialTuning, PrefixConfig, PrefixTuning, Saved, TunedCheckpoint,
    TunedModel, TuningAssignment, TuningLoop, TuningProblem, TuningRecipe,
};
use candle_core::{DType, Device, Error, Result, Tensor, Var};
use softmark_kit::nn::{Activation, dropout};
use softmark_kit::pretrained::{Family, PretrainedConfig};

use softmark_kit::component::{self, Component, Components, Inputs, Outputs, Sizes};

/// Seed of dropout; fixed, so that the same request draws the same masks regardless of earlier requests.
const DROPOUT_SEED: u64 = 1;

/// Names of the parameters with which loops and checkpoints are tested.
const NAMES: [&str; 5] = [
    "base.layers.0.norm1.weight",
    "base.layers.1.norm1.weight",
    "classifier.bias",
    "classifier.weight",
    "prefix",
];

/// Name of the encoder in checkpoints, and the name of another one.
const BASE: &str = "tiny-encoder";
const OTHER_BASE: &str = "another-encoder";

fn permille(sizes: &Sizes, name: &str) -> Result<f32> {
    Ok(f32::from(u16::try_from(sizes.get(name)?).map_err(Error::wrap)?) / 1000.0)
}

/// Returns the encoder's config; `dropout` is the name of the size that holds the dropout rate in
/// thousandths.
fn base(sizes: &Sizes, dropout: &str) -> Result<PretrainedConfig> {
    let types = sizes.get("types")?;
    let exponent = i32::try_from(sizes.get("epsilon")?).map_err(Error::wrap)?;
    let dropout = permille(sizes, dropout)?;
    Ok(PretrainedConfig {
        family: if types > 0 { Family::Bert } else { Family::DistilBert },
        vocabulary: sizes.get("vocabulary")?,
        max_len: sizes.get("max_len")?,
        token_types: types,
        d_model: sizes.get("d_model")?,
        heads: sizes.get("heads")?,
        d_ff: sizes.get("d_ff")?,
        layers: sizes.get("layers")?,
        activation: if sizes.get("gelu")? == 1 { Activation::Gelu } else { Activation::Relu },
        norm_eps: 10_f64.powi(-exponent),
        dropout,
        attention_dropout: dropout,
    })
}

/// Forward pass of a tuned classifier of either kind: from ids, mask and `train` to logits.
type Logits = Box<dyn Fn(&Tensor, &Tensor, bool) -> Result<Tensor>>;

struct Tuned {
    train: bool,
    classes: usize,
    classifier: Logits,
}

impl Tuned {
    fn new(sizes: &Sizes, classifier: Logits) -> Result<Self> {
        let (train, classes) = (sizes.get("train")? == 1, sizes.get("classes")?);
        Ok(Self { train, classes, classifier })
    }
}

/// Returns the logits without superfluous axes of size 1, so that a wrong shape can be reported apart from
/// wrong values.
fn without_spare_axes(logits: &Tensor, due: [usize; 2]) -> Result<Tensor> {
    let long = |dims: &[usize]| dims.iter().copied().filter(|size| *size != 1).collect::<Vec<_>>();
    let is_spare = logits.rank() > due.len() && long(logits.dims()) == long(&due);
    if is_spare { logits.reshape(due.as_slice()) } else { Ok(logits.clone()) }
}

impl Component for Tuned {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        dropout::begin_step(DROPOUT_SEED, 0);
        let (ids, mask) = (inputs.get("ids")?, inputs.get("mask")?);
        let logits = (self.classifier)(ids, mask, self.train)?;
        let axes = numbers(logits.dims().iter().map(|size| *size as f32).collect())?;
        let logits = without_spare_axes(&logits, [ids.dim(0)?, self.classes])?;
        Ok(vec![("logits", logits), ("axes", axes)])
    }

    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        (self.classifier)(ids, mask, train)
    }
}

/// A problem with given gradients and validation losses; the loss of a batch is `Σ p · g`.
///
/// It answers every request and records it, so that a loop that asks for a batch that does not exist gets
/// feedback about that request and not about an error of the problem.
struct Given {
    parameters: BTreeMap<String, Var>,
    learns: Vec<String>,
    recipe: TuningRecipe,
    batches: usize,
    /// `[steps, parameters, width]`
    gradients: Tensor,
    validation_losses: Vec<f64>,
    /// Copy of the parameters at each request for the validation loss.
    looks: Vec<Tensor>,
    visited: Vec<f32>,
    /// Number of the loss that fails, counted from 1 over all epochs; 0 for none.
    failing_loss: usize,
    /// Number of the validation loss that fails, counted from 1; 0 for none.
    failing_validation: usize,
}

impl Given {
    /// Returns true if a loop made so many more requests than `due` that it would not end.
    fn runs_away(asked: usize, due: usize) -> bool {
        asked > 4 * due + 64
    }

    fn values(&self) -> Result<Tensor> {
        let values: Vec<Tensor> =
            self.parameters.values().map(|var| var.as_tensor().copy()).collect::<Result<_>>()?;
        Tensor::stack(&values, 0)
    }

    /// Returns the gradients of a batch; zeros if there is no such batch.
    fn gradients_of(&self, batch: usize) -> Result<Tensor> {
        let step = self.looks.len() * self.batches + batch;
        if batch < self.batches && step < self.gradients.dim(0)? {
            return self.gradients.get(step);
        }
        self.values()?.zeros_like()
    }
}

impl TuningProblem for Given {
    fn parameters(&self) -> &BTreeMap<String, Var> {
        &self.parameters
    }

    fn learns(&self, name: &str) -> bool {
        self.learns.iter().any(|of| of == name)
    }

    fn batches(&self) -> usize {
        self.batches
    }

    fn loss(&mut self, batch: usize) -> Result<Tensor> {
        self.visited.push(batch as f32);
        let (asked, epochs) = (self.visited.len(), self.recipe.epochs);
        if asked == self.failing_loss {
            candle_core::bail!("the loss of this batch cannot be computed")
        }
        if Self::runs_away(asked, epochs * self.batches) {
            candle_core::bail!(
                "the loop does not end: the loss of a batch was asked for {asked} times (epochs in the \
                 recipe: {epochs}, batches in the problem: {})",
                self.batches
            )
        }
        let gradients = self.gradients_of(batch)?;
        let terms = self.parameters.values().enumerate();
        terms
            .map(|(n, var)| (var.as_tensor() * gradients.get(n)?)?.sum_all())
            .try_fold(Tensor::new(0_f32, &Device::Cpu)?, |sum, term| sum + term?)
    }

    fn validation_loss(&mut self) -> Result<f64> {
        let epoch = self.looks.len();
        self.looks.push(self.values()?);
        if epoch + 1 == self.failing_validation {
            candle_core::bail!("the validation loss cannot be computed")
        }
        if Self::runs_away(epoch, self.recipe.epochs) {
            candle_core::bail!(
                "the loop does not end: the validation loss was asked for {epoch} times (epochs in the \
                 recipe: {})",
                self.recipe.epochs
            )
        }
        Ok(self.validation_losses.get(epoch).copied().unwrap_or(f64::NAN))
    }
}

fn numbers(values: Vec<f32>) -> Result<Tensor> {
    let n = values.len();
    Tensor::from_vec(values, n, &Device::Cpu)
}

/// Returns the names at which `mask` is 1.
fn named(mask: &Tensor) -> Result<Vec<String>> {
    let mask = mask.flatten_all()?.to_vec1::<u8>()?;
    let chosen = NAMES.iter().zip(mask).filter(|(_, bit)| *bit == 1);
    Ok(chosen.map(|(name, _)| (*name).to_owned()).collect())
}

struct Looping<L> {
    epochs: usize,
    batches: usize,
    patience: usize,
    failing_loss: usize,
    failing_validation: usize,
    of: PhantomData<fn() -> L>,
}

impl<L: TuningLoop> Component for Looping<L> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let start = inputs.get("start")?; // [parameters, width]
        let var = |(n, name): (usize, &&str)| {
            Ok(((*name).to_owned(), Var::from_tensor(&start.get(n)?.copy()?)?))
        };
        let settings: Vec<f64> = inputs.get("settings")?.to_dtype(DType::F64)?.to_vec1()?;
        let [learning_rate, warm_up, weight_decay, clip_norm] = settings.as_slice() else {
            candle_core::bail!("the question does not say how to tune")
        };
        let recipe = TuningRecipe {
            epochs: self.epochs,
            learning_rate: *learning_rate,
            warm_up: *warm_up,
            weight_decay: *weight_decay,
            clip_norm: *clip_norm,
            patience: self.patience,
        };
        let mut problem = Given {
            parameters: NAMES.iter().enumerate().map(var).collect::<Result<_>>()?,
            learns: named(inputs.get("learns")?)?,
            recipe,
            batches: self.batches,
            gradients: inputs.get("gradients")?.clone(),
            validation_losses: inputs.get("losses")?.to_dtype(DType::F64)?.to_vec1()?,
            looks: Vec::new(),
            visited: Vec::new(),
            failing_loss: self.failing_loss,
            failing_validation: self.failing_validation,
        };
        let report = L::tune(&mut problem, &recipe)?;
        let losses = report
            .validation_losses
            .iter()
            .map(|loss| Tensor::new(*loss, &Device::Cpu)?.to_dtype(DType::F32)?.to_scalar());
        let values = problem.values()?;
        let looks = match problem.looks.as_slice() {
            [] => Tensor::zeros((0, values.dim(0)?, values.dim(1)?), DType::F32, &Device::Cpu)?,
            looks => Tensor::stack(looks, 0)?,
        };
        Ok(vec![
            ("values", values),
            ("validated", numbers(vec![problem.looks.len() as f32])?),
            ("looks", looks),
            ("visited", numbers(problem.visited)?),
            ("validation_losses", numbers(losses.collect::<Result<_>>()?)?),
            ("best", numbers(vec![report.best.map_or(-1.0, |epoch| epoch as f32)])?),
        ])
    }
}

/// The shapes of the parameters with which checkpoints are tested; values are concatenated in a flat tensor.
struct Layout {
    shapes: [Vec<usize>; 5],
}

impl Layout {
    fn new(sizes: &Sizes) -> Result<Self> {
        let (d, c, p) = (sizes.get("d_model")?, sizes.get("classes")?, sizes.get("prefix")?);
        Ok(Self { shapes: [vec![d], vec![d], vec![c], vec![c, d], vec![p, d]] })
    }

    fn tensors(&self, flat: &Tensor) -> Result<BTreeMap<String, Tensor>> {
        let mut from = 0;
        let mut tensors = BTreeMap::new();
        for (name, shape) in NAMES.iter().zip(&self.shapes) {
            let count = shape.iter().product();
            let tensor = flat.narrow(0, from, count)?.copy()?.reshape(shape.as_slice())?;
            tensors.insert((*name).to_owned(), tensor);
            from += count;
        }
        Ok(tensors)
    }

    /// Returns the values of `tensors`, with zeros for those that are missing or have another shape, and a
    /// status for each: 1 for present, 0 for missing, 2 for another shape or dtype.
    fn values(&self, tensors: &BTreeMap<String, Tensor>) -> Result<[Tensor; 2]> {
        let (mut values, mut kept) = (Vec::new(), Vec::new());
        for (name, shape) in NAMES.iter().zip(&self.shapes) {
            let found = tensors.get(*name);
            let fits = |it: &&Tensor| it.dims() == shape.as_slice() && it.dtype() == DType::F32;
            match found.filter(fits) {
                Some(tensor) => values.extend(tensor.flatten_all()?.to_vec1::<f32>()?),
                None => values.resize(values.len() + shape.iter().product::<usize>(), 0.0),
            }
            kept.push(match found {
                None => 0.0,
                Some(tensor) => {
                    if fits(&tensor) {
                        1.0
                    } else {
                        2.0
                    }
                }
            });
        }
        Ok([numbers(values)?, numbers(kept)?])
    }
}

fn lines(bytes: &Tensor) -> Result<Vec<String>> {
    let text = String::from_utf8(bytes.flatten_all()?.to_vec1()?).map_err(Error::wrap)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Returns the index of each label among the labels given; −1 if it is none of them.
fn places(labels: &[String], among: &[String]) -> Result<Tensor> {
    let place =
        |label: &String| among.iter().position(|of| of == label).map_or(-1.0, |place| place as f32);
    numbers(labels.iter().map(place).collect())
}

struct Saving<C> {
    layout: Layout,
    of: PhantomData<fn() -> C>,
}

/// Returns the settings that are stored with every saved model.
fn settings() -> BTreeMap<String, String> {
    [("method", "prefix"), ("prefix_length", "2")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into()
}

impl<C: TunedCheckpoint> Component for Saving<C> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let parameters = self.layout.tensors(inputs.get("tuned")?)?;
        let (learned, labels) = (named(inputs.get("learns")?)?, lines(inputs.get("labels")?)?);
        let settings = settings();
        let saved = C::save(&TunedModel {
            parameters: &parameters,
            learns: &|name| learned.iter().any(|of| of == name),
            base: BASE,
            labels: &labels,
            settings: &settings,
        })?;
        let [values, kept] = self.layout.values(&saved.tensors)?;
        let strangers = saved.tensors.keys().filter(|name| !NAMES.contains(&name.as_str())).count();
        let told = saved.base == BASE && saved.settings == settings;
        Ok(vec![
            ("values", values),
            ("kept", kept),
            ("strangers", numbers(vec![strangers as f32])?),
            ("labels", places(&saved.labels, &labels)?),
            ("told", numbers(vec![f32::from(u8::from(told))])?),
        ])
    }
}

struct Loading<C> {
    layout: Layout,
    other_base: bool,
    stranger: bool,
    /// Number of the tensor that has another shape, counted from 1.
    misshapen: usize,
    /// Kind of the wrong shape: an additional axis (0), an additional row (1), or transposed (2).
    misfit: usize,
    of: PhantomData<fn() -> C>,
}

impl<C: TunedCheckpoint> Component for Loading<C> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let kept = named(inputs.get("kept")?)?;
        let mut tensors = self.layout.tensors(inputs.get("saved")?)?;
        tensors.retain(|name, _| kept.contains(name));
        if let Some(name) = self.misshapen.checked_sub(1).and_then(|at| NAMES.get(at))
            && let Some(tensor) = tensors.get_mut(*name)
        {
            *tensor = match self.misfit {
                0 => tensor.unsqueeze(0)?,
                1 => Tensor::cat(&[&*tensor, &tensor.narrow(0, 0, 1)?], 0)?,
                _ => tensor.t()?.contiguous()?,
            };
        }
        if self.stranger {
            tensors.insert("pooler.weight".to_owned(), Tensor::new(&[1_f32], &Device::Cpu)?);
        }
        let (learned, labels) = (named(inputs.get("learns")?)?, lines(inputs.get("labels")?)?);
        let base = if self.other_base { OTHER_BASE } else { BASE }.to_owned();
        let saved = Saved { tensors, base, labels: labels.clone(), settings: settings() };
        let fresh = self.layout.tensors(inputs.get("fresh")?)?;
        let var =
            |(name, tensor): (&String, &Tensor)| Ok((name.clone(), Var::from_tensor(tensor)?));
        let parameters: BTreeMap<String, Var> = fresh.iter().map(var).collect::<Result<_>>()?;
        let loaded = C::load(
            &saved,
            &FreshModel {
                parameters: &parameters,
                learns: &|name| learned.iter().any(|of| of == name),
                base: BASE,
            },
        );
        let after = parameters.iter().map(|(name, var)| (name.clone(), var.as_tensor().clone()));
        let [values, _] = self.layout.values(&after.collect())?;
        let (refused, told) = match loaded {
            Ok(told) => (0.0, places(&told, &labels)?),
            Err(_) => (1.0, numbers(vec![-1.0; labels.len()])?),
        };
        Ok(vec![("values", values), ("refused", numbers(vec![refused])?), ("labels", told)])
    }
}

/// Returns all components of a submission.
pub fn components<S: TuningAssignment + 'static>() -> Components {
    Box::new(|part, sizes, vb| match part {
        "prefix" => {
            let config = PrefixConfig {
                base: base(sizes, "dropout_permille")?,
                prefix_length: Some(sizes.get("prefix_length")?).filter(|length| *length > 0),
                classes: sizes.get("classes")?,
            };
            let it = S::Prefix::new(config, vb)?;
            let logits: Logits = Box::new(move |ids, mask, train| it.forward(ids, mask, train));
            Ok(Box::new(Tuned::new(sizes, logits)?))
        }
        "partial" => {
            let config = PartialConfig {
                base: base(sizes, "base_dropout_permille")?,
                unfrozen: sizes.get("unfrozen")?,
                classes: sizes.get("classes")?,
                head_dropout: permille(sizes, "dropout_permille")?,
            };
            let it = S::Partial::new(config, vb)?;
            let logits: Logits = Box::new(move |ids, mask, train| it.forward(ids, mask, train));
            Ok(Box::new(Tuned::new(sizes, logits)?))
        }
        "loop" => Ok(Box::new(Looping::<S::Loop> {
            epochs: sizes.get("epochs")?,
            batches: sizes.get("batches")?,
            patience: sizes.get("patience")?,
            failing_loss: sizes.get("failing_loss")?,
            failing_validation: sizes.get("failing_validation")?,
            of: PhantomData,
        })),
        "save" => {
            let layout = Layout::new(sizes)?;
            Ok(Box::new(Saving::<S::Checkpoint> { layout, of: PhantomData }))
        }
        "load" => Ok(Box::new(Loading::<S::Checkpoint> {
            layout: Layout::new(sizes)?,
            other_base: sizes.get("other_base")? == 1,
            stranger: sizes.get("stranger")? == 1,
            misshapen: sizes.get("misshapen")?,
            misfit: sizes.get("misfit")?,
            of: PhantomData,
        })),
        other => Err(component::unknown(other)),
    })
}
