//! The sizes and parameters of the three models.

use std::collections::BTreeMap;

use candle_core::{Device, Result, Tensor, Var};
use softmark_kit::rng::Stream;

/// The sizes and switches of a model.
pub(crate) struct Sizes {
    pub(crate) batch: usize,
    pub(crate) length: usize,
    pub(crate) vocabulary: usize,
    pub(crate) width: usize,
    pub(crate) heads: usize,
    /// Width of the feed-forward network; 0 if a layer has attention alone.
    pub(crate) inner: usize,
    pub(crate) layers: usize,
    pub(crate) classes: usize,
    pub(crate) dropout: f32,
    pub(crate) pre_norm: bool,
    /// True if a class is predicted at every token.
    pub(crate) every_token: bool,
}

impl Sizes {
    /// Returns the sizes of a model: a text classifier with pre-norm layers (a), one attention layer with a
    /// head on every token (b), a classifier with post-norm layers (c).
    pub(crate) fn of(name: &str) -> Self {
        let a = Self {
            batch: 64,
            length: 128,
            vocabulary: 5002,
            width: 64,
            heads: 4,
            inner: 128,
            layers: 2,
            classes: 4,
            dropout: 0.1,
            pre_norm: true,
            every_token: false,
        };
        match name {
            "a" => a,
            "b" => Self {
                batch: 32,
                vocabulary: 1000,
                width: 100,
                heads: 10,
                inner: 0,
                layers: 1,
                classes: 1000,
                dropout: 0.0,
                every_token: true,
                ..a
            },
            "c" => Self {
                length: 36,
                vocabulary: 5000,
                width: 128,
                heads: 8,
                inner: 512,
                layers: 4,
                classes: 6,
                pre_norm: false,
                ..a
            },
            other => panic!("there is no model {other}"),
        }
    }
}

/// The parameters of a model by name.
pub(crate) struct Parameters {
    pub(crate) all: BTreeMap<String, Var>,
}

impl Parameters {
    pub(crate) fn new(sizes: &Sizes, device: &Device) -> Result<Self> {
        let mut made = Self { all: BTreeMap::new() };
        let d = sizes.width;
        made.draw("token", &[sizes.vocabulary, d], device)?;
        made.draw("position", &[sizes.length, d], device)?;
        for n in 0..sizes.layers {
            for part in ["q", "k", "v", "o"] {
                made.linear(&format!("{n}.{part}"), d, d, device)?;
            }
            if sizes.inner > 0 {
                made.linear(&format!("{n}.up"), d, sizes.inner, device)?;
                made.linear(&format!("{n}.down"), sizes.inner, d, device)?;
                made.norm(&format!("{n}.norm1"), d, device)?;
                made.norm(&format!("{n}.norm2"), d, device)?;
            }
        }
        if sizes.pre_norm && sizes.inner > 0 {
            made.norm("norm", d, device)?;
        }
        made.linear("head", d, sizes.classes, device)?;
        Ok(made)
    }

    pub(crate) fn get(&self, name: &str) -> &Tensor {
        self.all[name].as_tensor()
    }

    fn put(
        &mut self,
        name: &str,
        values: Vec<f32>,
        shape: &[usize],
        device: &Device,
    ) -> Result<()> {
        let var = Var::from_tensor(&Tensor::from_vec(values, shape, device)?)?;
        self.all.insert(name.to_owned(), var);
        Ok(())
    }

    fn draw(&mut self, name: &str, shape: &[usize], device: &Device) -> Result<()> {
        let mut stream = Stream::derive(1, name, 0);
        let bound = 1.0 / (shape[1] as f32).sqrt();
        let values = (0..shape.iter().product()).map(|_| (2.0 * stream.uniform() - 1.0) * bound);
        self.put(name, values.collect(), shape, device)
    }

    fn linear(&mut self, name: &str, from: usize, to: usize, device: &Device) -> Result<()> {
        self.draw(&format!("{name}.weight"), &[to, from], device)?;
        self.put(&format!("{name}.bias"), vec![0.0; to], &[to], device)
    }

    fn norm(&mut self, name: &str, width: usize, device: &Device) -> Result<()> {
        self.put(&format!("{name}.weight"), vec![1.0; width], &[width], device)?;
        self.put(&format!("{name}.bias"), vec![0.0; width], &[width], device)
    }
}
