//! Task 5: detectors of bugs in encoder layers.
//!
//! Each puts something to the test that is true of every right layer. What has to be the same to the
//! bit is compared so; what is computed here once more may be off by what rounding does.

use candle_nn::Init;
use softmark_kit::init::drawn;
use softmark_kit::nn::ops;
use softmark_kit::prelude::*;

/// Far more than rounding makes of numbers around one, and far less than any bug does.
const CLOSE: f32 = 1e-3;

/// Everything that is looked for.
#[derive(Debug)]
pub struct Detectors;

impl DetectorSet for Detectors {
    fn all() -> Vec<Box<dyn Detector>> {
        vec![
            Box::new(Padding),
            Box::new(Neighbours),
            Box::new(Weights),
            Box::new(Residuals),
            Box::new(FeedForwardPath),
        ]
    }
}

/// An experiment that most detectors begin with: two texts of four tokens, the first of them padded.
struct Bench {
    config: EncoderConfig,
    parameters: LayerParameters,
    x: Tensor,
    mask: Tensor,
}

/// Random numbers with a deviation of one.
fn noise(seed: u64, shape: &[usize]) -> Result<Tensor> {
    drawn(seed, "noise", Init::Randn { mean: 0.0, stdev: 1.0 }, &shape.into())
}

impl Bench {
    fn new(layer: &dyn Suspect, seed: u64) -> Result<Self> {
        let config = layer.config();
        Ok(Self {
            config,
            parameters: LayerParameters::random(config, seed)?,
            x: noise(seed, &[2, 4, config.d_model])?,
            mask: Tensor::new(&[[1_u8, 1, 1, 0], [1, 1, 1, 1]], &Device::Cpu)?,
        })
    }

    /// The same without padding.
    fn open(layer: &dyn Suspect, seed: u64) -> Result<Self> {
        let bench = Self::new(layer, seed)?;
        let mask = bench.mask.ones_like()?;
        Ok(Self { mask, ..bench })
    }

    fn run(&self, layer: &dyn Suspect) -> Result<Observed> {
        layer.forward(&self.parameters, &self.x, &self.mask)
    }

    /// The layer norm of that name.
    fn norm(&self, name: &str, x: &Tensor) -> Result<Tensor> {
        let parameter = |kind: &str| self.parameters.get(&format!("{name}.{kind}"));
        let centered = x.broadcast_sub(&x.mean_keepdim(2)?)?;
        let deviation = (centered.sqr()?.mean_keepdim(2)? + 1e-5)?.sqrt()?;
        centered
            .broadcast_div(&deviation)?
            .broadcast_mul(parameter("weight")?)?
            .broadcast_add(parameter("bias")?)
    }

    /// The linear map of that name.
    fn linear(&self, name: &str, x: &Tensor) -> Result<Tensor> {
        let parameter = |kind: &str| self.parameters.get(&format!("{name}.{kind}"));
        x.broadcast_matmul(&parameter("weight")?.t()?)?.broadcast_add(parameter("bias")?)
    }

    /// What stands before the norms of a post-norm layer is normed, and of a pre-norm layer is not.
    fn after(&self, name: &str, sum: Tensor) -> Result<Tensor> {
        match self.config.norm {
            NormPlacement::Post => self.norm(name, &sum),
            NormPlacement::Pre => Ok(sum),
        }
    }

    /// What a sublayer is given.
    fn before(&self, name: &str, x: &Tensor) -> Result<Tensor> {
        match self.config.norm {
            NormPlacement::Post => Ok(x.clone()),
            NormPlacement::Pre => self.norm(name, x),
        }
    }

    /// `[B, T, D]` → `[B, H, T, K]`.
    fn heads(&self, x: &Tensor) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        let heads = self.config.heads;
        x.reshape((b, t, heads, d / heads))?.transpose(1, 2)?.contiguous()
    }
}

fn numbers(x: &Tensor) -> Result<Vec<f32>> {
    x.contiguous()?.flatten_all()?.to_vec1()
}

/// Whether all numbers are close; never where one is not a number.
fn close(a: &Tensor, b: &Tensor) -> Result<bool> {
    let pairs = numbers(a)?.into_iter().zip(numbers(b)?);
    Ok(a.dims() == b.dims() && pairs.into_iter().all(|(a, b)| (a - b).abs() <= CLOSE))
}

fn healthy_if(holds: bool, reason: &str) -> Verdict {
    if holds { Verdict::Healthy } else { Verdict::bug(reason) }
}

/// What stands at padding must not move a real token by one bit.
struct Padding;

impl Detector for Padding {
    fn name(&self) -> &'static str {
        "padding"
    }

    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict> {
        let bench = Bench::new(layer, 1)?;
        let seen = bench.run(layer)?;
        let padding = seen.weights.i((0, .., 0..3, 3))?;
        if numbers(&padding)?.iter().any(|weight| *weight != 0.0) {
            return Ok(Verdict::bug("a real query has weight on padding"));
        }
        let replaced = (noise(2, &[1, 1, bench.config.d_model])? * 100.0)?;
        let first = Tensor::cat(&[&bench.x.i((0..1, 0..3))?, &replaced], 1)?;
        let x = Tensor::cat(&[&first, &bench.x.i(1..2)?], 0)?;
        let moved = Bench { x, ..bench }.run(layer)?;
        let real = |of: &Observed| numbers(&of.output.i((0, 0..3))?);
        Ok(healthy_if(
            real(&moved)? == real(&seen)?,
            "padding was replaced, and a real token moved",
        ))
    }
}

/// A text must not depend on its neighbours in the batch.
struct Neighbours;

impl Detector for Neighbours {
    fn name(&self) -> &'static str {
        "neighbours"
    }

    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict> {
        let bench = Bench::open(layer, 3)?;
        let before = bench.run(layer)?.output.get(0)?;
        let other = noise(4, &[1, 4, bench.config.d_model])?;
        let x = Tensor::cat(&[&bench.x.i(0..1)?, &other], 0)?;
        let after = Bench { x, ..bench }.run(layer)?.output.get(0)?;
        let same = numbers(&before)? == numbers(&after)?;
        Ok(healthy_if(same, "the second text was replaced, and the first moved"))
    }
}

/// Weights are a softmax over the real keys of `q · kᵀ / √K`, and mix the values.
struct Weights;

impl Detector for Weights {
    fn name(&self) -> &'static str {
        "weights"
    }

    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict> {
        let bench = Bench::open(layer, 5)?;
        let seen = bench.run(layer)?;
        let sums = seen.weights.sum(3)?;
        if !close(&sums, &sums.ones_like()?)? {
            return Ok(Verdict::bug("the weights of a query do not sum to one"));
        }
        let given = bench.before("norm1", &bench.x)?;
        let project =
            |name: &str| bench.heads(&bench.linear(&format!("self_attn.{name}"), &given)?);
        let (q, k, v) = (project("q_proj")?, project("k_proj")?, project("v_proj")?);
        let width = (bench.config.d_model / bench.config.heads) as f64;
        let scores = (q.matmul(&k.t()?)? / width.sqrt())?;
        if !close(&seen.weights, &candle_nn::ops::softmax(&scores, D::Minus1)?)? {
            return Ok(Verdict::bug("the weights are no softmax of q · kᵀ / √K over the keys"));
        }
        // With a silent network, what is added to the input is what attention gives.
        let silent = bench
            .parameters
            .zeroed(&["feed_forward.linear2.weight", "feed_forward.linear2.bias"])?;
        let bench = Bench { parameters: silent, ..bench };
        let mixed =
            seen.weights.contiguous()?.matmul(&v)?.transpose(1, 2)?.reshape(bench.x.shape())?;
        let y = bench.after("norm1", (&bench.x + bench.linear("self_attn.out_proj", &mixed)?)?)?;
        let want = bench.after("norm2", y)?;
        let output = bench.run(layer)?.output;
        Ok(healthy_if(
            close(&output, &want)?,
            "the weights are right, and what attention adds is not",
        ))
    }
}

/// With sublayers that give constants, what comes out is the two residual sums alone.
struct Residuals;

impl Detector for Residuals {
    fn name(&self) -> &'static str {
        "residuals"
    }

    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict> {
        let mut bench = Bench::open(layer, 6)?;
        let silent = ["self_attn.out_proj.weight", "feed_forward.linear2.weight"];
        bench.parameters = bench.parameters.zeroed(&silent)?;
        let bias = |name: &str| bench.parameters.get(name);
        let (attended, fed) =
            (bias("self_attn.out_proj.bias")?, bias("feed_forward.linear2.bias")?);
        let y = bench.after("norm1", bench.x.broadcast_add(attended)?)?;
        let want = bench.after("norm2", y.broadcast_add(fed)?)?;
        let output = bench.run(layer)?.output;
        Ok(healthy_if(close(&output, &want)?, "constant sublayers do not come out as x + c"))
    }
}

/// With attention that gives a constant, what is added to it is the network's.
struct FeedForwardPath;

impl Detector for FeedForwardPath {
    fn name(&self) -> &'static str {
        "feed-forward"
    }

    fn detect(&self, layer: &dyn Suspect) -> Result<Verdict> {
        let mut bench = Bench::open(layer, 7)?;
        bench.parameters = bench.parameters.zeroed(&["self_attn.out_proj.weight"])?;
        let attended = bench.parameters.get("self_attn.out_proj.bias")?;
        let y = bench.after("norm1", bench.x.broadcast_add(attended)?)?;
        let given = bench.before("norm2", &y)?;
        let hidden = bench.linear("feed_forward.linear1", &given)?;
        let hidden = match bench.config.activation {
            Activation::Relu => hidden.relu()?,
            Activation::Gelu => ops::gelu_erf(&hidden)?,
        };
        let fed = bench.linear("feed_forward.linear2", &hidden)?;
        let want = bench.after("norm2", (y + fed)?)?;
        let output = bench.run(layer)?.output;
        Ok(healthy_if(close(&output, &want)?, "what the feed-forward network adds is not its own"))
    }
}
