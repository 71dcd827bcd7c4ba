//! Components of the `debugging` assignment, as checks construct and call them.

use std::marker::PhantomData;

use crate::debugging::{
    AttentionCapture, AttentionStatistics, DebuggingAssignment, Detector, DetectorSet,
    MAX_DETECTORS, Verdict, Wiring,
};
use candle_core::{DType, Device, Error, Result, Tensor, Var};
use encoder_spec::encoder::{EncoderLayer, LayerParts, TextClassifier};
use softmark_kit::hooks::{HeadStatistics, Hooks, Point, WEIGHTS};

use crate::remote::RemoteSuspect;
use encoder_spec::adapter::{Trainable, encoder_config};
use encoder_spec::stand_in::OppositeParts;
use softmark_kit::component::{self, Component, Components, Experiments, Inputs, Outputs, Sizes};

/// The two modules of the model on which captures are tested.
const MODULES: [&str; 2] = ["layers.0.self_attn", "layers.1.self_attn"];

/// Names of modules that do not exist: one that has nothing in common with [`MODULES`], the beginning of one of them,
/// the end of both, and one that begins with one of them. They are numbered after the modules.
const ABSENT: [&str; 4] =
    ["layers.2.self_attn", "layers.1.self", "self_attn", "layers.1.self_attn.out_proj"];

/// The error message of an epoch that fails.
const BROKEN: &str = "the epoch broke off at a batch that is not there";

/// Runs a capture on a model that reports given weights: `calls` names the module of each call, and each call
/// uses the first `batches` texts and the first `lengths` tokens of the module's `weights`. The first
/// `before` and the last `after` calls happen outside of the epoch.
struct Capturing<C> {
    module: usize,
    before: usize,
    after: usize,
    fails: bool,
    /// True if the module's last call in the epoch reports its weights under another name.
    unnamed: bool,
    of: PhantomData<fn() -> C>,
}

/// The name under which a module reports weights that a capture must not find.
const OTHER_NAME: &str = "scores";

impl<C: AttentionCapture> Capturing<C> {
    fn new(sizes: &Sizes) -> Result<Self> {
        Ok(Self {
            module: sizes.get("module")?,
            before: sizes.get("before")?,
            after: sizes.get("after")?,
            fails: sizes.get("fails")? == 1,
            unnamed: sizes.get("unnamed")? == 1,
            of: PhantomData,
        })
    }
}

/// Reports weights that have a gradient history, as in training.
fn show(point: &Point, name: &str, weights: &Tensor) -> Result<()> {
    let learned = Var::from_tensor(&weights.contiguous()?)?;
    let weights = (learned.as_tensor() * 1.0)?;
    point.show(&[], &[(name, &weights)])
}

fn count(n: usize) -> Result<Tensor> {
    Tensor::new(&[n as f32], &Device::Cpu)
}

impl<C: AttentionCapture> Component for Capturing<C> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let modules: Vec<u32> = inputs.get("calls")?.to_vec1()?;
        let batches: Vec<u32> = inputs.get("batches")?.to_vec1()?;
        let lengths: Vec<u32> = inputs.get("lengths")?.to_vec1()?;
        let weights = inputs.get("weights")?; // [calls, B, H, T, T]
        let hooks = Hooks::new();
        let points = MODULES.map(|name| hooks.point(name));
        let inside = self.before..modules.len().saturating_sub(self.after);
        let own = |n: &usize| modules.get(*n).is_some_and(|module| *module as usize == self.module);
        let unnamed = inside.clone().rev().find(own).filter(|_| self.unnamed);
        let call = |n: usize| {
            let point = modules.get(n).and_then(|&module| points.get(module as usize));
            let point = point.ok_or_else(|| Error::Msg("a call of no module".to_owned()))?;
            let texts = batches.get(n).map_or(0, |&texts| texts as usize);
            let length = lengths.get(n).map_or(0, |&length| length as usize);
            let shown = weights.get(n)?.narrow(0, 0, texts)?;
            let shown = shown.narrow(2, 0, length)?.narrow(3, 0, length)?;
            show(point, if unnamed == Some(n) { OTHER_NAME } else { WEIGHTS }, &shown)
        };
        let watched = || points.iter().filter(|point| point.is_watched()).count();
        (0..self.before).try_for_each(call)?;
        let (mut epochs, mut watched_inside) = (0, 0);
        let Some(module) = MODULES.iter().chain(&ABSENT).nth(self.module) else {
            return Err(Error::Msg(format!("no module has the number {}", self.module)));
        };
        let captured = C::during(&hooks, module, &mut || {
            epochs += 1;
            watched_inside = watched();
            inside.clone().try_for_each(call)?;
            if self.fails { Err(Error::Msg(BROKEN.to_owned())) } else { Ok(()) }
        });
        (inside.end..modules.len()).try_for_each(call)?;
        let (tensors, told) = match captured {
            Ok(tensors) => (tensors, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let shapes: Vec<f32> =
            tensors.iter().flat_map(Tensor::dims).map(|&size| size as f32).collect();
        let flat = |it: &Tensor| it.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>();
        let values: Vec<f32> =
            tensors.iter().map(flat).collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let tracked = tensors.iter().filter(|tensor| tensor.track_op()).count();
        let other_type = tensors.iter().filter(|tensor| tensor.dtype() != DType::F32).count();
        let (sizes, all) = (shapes.len(), values.len());
        Ok(vec![
            ("count", count(tensors.len())?),
            ("shapes", Tensor::from_vec(shapes, sizes, &Device::Cpu)?),
            ("values", Tensor::from_vec(values, all, &Device::Cpu)?),
            ("with_history", count(tracked)?),
            ("of_other_type", count(other_type)?),
            ("watched_inside", count(watched_inside)?),
            ("still_watched", count(watched())?),
            ("epochs", count(epochs)?),
            ("failed", count(usize::from(told.is_some()))?),
            ("failed_as_the_epoch", count(usize::from(told.is_some_and(|it| it == BROKEN)))?),
        ])
    }
}

struct Reading<S>(PhantomData<fn() -> S>);

impl<S: AttentionStatistics> Component for Reading<S> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let heads = S::of(inputs.get("weights")?, inputs.get("mask")?)?;
        let column = |of: fn(&HeadStatistics) -> f64| {
            let values: Vec<f32> = heads.iter().map(|head| single(of(head))).collect();
            Tensor::from_vec(values, heads.len(), &Device::Cpu)
        };
        Ok(vec![
            ("entropy", column(|head| head.entropy)?),
            ("from_uniform", column(|head| head.from_uniform)?),
            ("on_padding", column(|head| head.on_padding)?),
        ])
    }
}

#[expect(clippy::cast_possible_truncation, reason = "answers travel in f32")]
fn single(x: f64) -> f32 {
    x as f32
}

/// The detectors of a submission, also those beyond the number that is run: the grader tells the student about them.
/// They are constructed once, so that a detector that keeps state from one suspect to the next gives itself away when
/// suspects are repeated.
struct Hunting(Vec<Box<dyn Detector>>);

impl Component for Hunting {
    fn forward(&self, _: &Inputs) -> Result<Outputs> {
        Err(Error::Msg("detectors are let loose on suspects, and not run forward".to_owned()))
    }

    /// A detector that is not run is counted, and has no name: names that nobody reads cost memory.
    fn detectors(&self) -> Result<Vec<&'static str>> {
        let run = self.0.iter().take(MAX_DETECTORS).map(|detector| detector.name());
        let others = self.0.iter().skip(MAX_DETECTORS).map(|_| "");
        Ok(run.chain(others).collect())
    }

    fn detect(
        &self,
        detector: usize,
        sizes: &Sizes,
        experiments: &dyn Experiments,
    ) -> Result<Option<String>> {
        let Some(detector) = self.0.get(detector) else {
            return Err(Error::Msg(format!("there is no detector {detector}")));
        };
        Ok(match detector.detect(&RemoteSuspect::new(sizes, experiments)?)? {
            Verdict::Healthy => None,
            Verdict::Bug { reason } => Some(reason),
        })
    }
}

/// Returns all components of a submission.
pub fn components<S>() -> Components
where
    S: DebuggingAssignment + 'static,
    S::Capture: 'static,
    S::Statistics: 'static,
{
    Box::new(|part, sizes, vb| match part {
        "capture" => Ok(Box::new(Capturing::<S::Capture>::new(sizes)?)),
        "statistics" => Ok(Box::new(Reading::<S::Statistics>(PhantomData))),
        "encoder-layer" => {
            let config = encoder_config(sizes)?;
            let parts = Wiring::<S, S::Repaired>::new(config, &Hooks::new());
            let opposites = OppositeParts(&parts);
            let below: &dyn LayerParts = if sizes.is_on("stand_ins") { &opposites } else { &parts };
            let part: Box<dyn EncoderLayer> = Box::new(S::Repaired::new(config, below, vb)?);
            Ok(Box::new(Trainable::new(sizes, part)?))
        }
        "classifier" => {
            let (config, classes) = (encoder_config(sizes)?, sizes.get("classes")?);
            let below = Wiring::<S, S::Repaired>::new(config, &Hooks::new());
            let part: Box<dyn TextClassifier> =
                Box::new(S::Classifier::new(config, classes, &below, vb)?);
            Ok(Box::new(Trainable::new(sizes, part)?))
        }
        "detectors" => Ok(Box::new(Hunting(S::Detectors::all()))),
        other => Err(component::unknown(other)),
    })
}
