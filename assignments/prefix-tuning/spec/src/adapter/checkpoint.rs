//! Saving and loading of what was tuned.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use candle_core::{DType, Device, Error, Result, Tensor, Var};
use softmark_kit::component::{Component, Inputs, Outputs, Sizes};

use crate::adapter::values::{NAMES, named, numbers};
use crate::tuning::{FreshModel, Saved, TunedCheckpoint, TunedModel};

/// Name of the encoder in checkpoints.
const BASE: &str = "tiny-encoder";

/// Names of other encoders: one that has nothing in common with [`BASE`], one that begins with it, one that it begins
/// with, one that differs in capital letters, an empty one, one that ends in a space, and one with another part
/// before it.
const OTHER_BASES: [&str; 7] = [
    "another-encoder",
    "tiny-encoder-2",
    "tiny",
    "Tiny-Encoder",
    "",
    "tiny-encoder ",
    "another/tiny-encoder",
];

/// The shapes of the parameters with which checkpoints are tested; values are concatenated in a flat tensor.
pub(super) struct Layout {
    shapes: [Vec<usize>; 7],
}

impl Layout {
    pub(super) fn new(sizes: &Sizes) -> Result<Self> {
        let (d, c, p) = (sizes.get("d_model")?, sizes.get("classes")?, sizes.get("prefix")?);
        Ok(Self {
            shapes: [vec![d], vec![d], vec![c], vec![c, d], vec![d, d], vec![d], vec![p, d]],
        })
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

pub(super) struct Saving<C> {
    pub(super) layout: Layout,
    pub(super) of: PhantomData<fn() -> C>,
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
        let is_there = |(key, value): (&String, &String)| saved.settings.get(key) == Some(value);
        let told = match saved.base == BASE && settings.iter().all(is_there) {
            true if saved.settings == settings => 1.0,
            // Something else is kept too.
            true => 2.0,
            false => 0.0,
        };
        Ok(vec![
            ("values", values),
            ("kept", kept),
            ("strangers", numbers(vec![strangers as f32])?),
            ("labels", places(&saved.labels, &labels)?),
            ("told", numbers(vec![told])?),
        ])
    }
}

pub(super) struct Loading<C> {
    pub(super) layout: Layout,
    /// Number of the name in [`OTHER_BASES`] that the checkpoint has, counted from 1; 0 for the model's own.
    pub(super) other_base: usize,
    pub(super) stranger: bool,
    /// Number of the tensor that has another shape, counted from 1.
    pub(super) misshapen: usize,
    /// Kind of the wrong shape: an additional axis (0), an additional row (1), or transposed (2).
    pub(super) misfit: usize,
    pub(super) of: PhantomData<fn() -> C>,
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
        let other = self.other_base.checked_sub(1).and_then(|at| OTHER_BASES.get(at));
        let base = (*other.unwrap_or(&BASE)).to_owned();
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
            Err(error) => {
                let has_text = !error.to_string().trim().is_empty();
                (if has_text { 1.0 } else { 2.0 }, numbers(vec![-1.0; labels.len()])?)
            }
        };
        Ok(vec![("values", values), ("refused", numbers(vec![refused])?), ("labels", told)])
    }
}
