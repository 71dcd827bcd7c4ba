//! Every item of the same name gives the numbers of candle-nn's, and has a gradient.

#![expect(clippy::unwrap_used, reason = "a test fails where something is wrong")]
#![expect(clippy::disallowed_types, reason = "candle's builder takes a `HashMap`")]

use std::collections::HashMap;

use candle_core::{D, DType, Device, Module, Result, Tensor, Var};
use candle_nn::rotary_emb as theirs;
use softmark_candle_nn::rotary_emb as ours;
use softmark_candle_nn::{Init, VarBuilder, VarMap};
use softmark_kit::rng::Stream;

/// Returns values from −2 to 2, from the stream `name`.
fn values(name: &str, shape: &[usize]) -> Tensor {
    let mut stream = Stream::derive(5, name, 0);
    let count = shape.iter().product();
    let values: Vec<f32> = (0..count).map(|_| 4.0 * stream.uniform() - 2.0).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

/// Fails unless both have one shape and differ by 1e-5 at most: results of up to 10 from sums of 8 products in `f32`
/// differ by 10 · 8 · 2⁻²⁴ = 5e-6 if they are added in another order.
fn assert_same(ours: &Tensor, theirs: &Tensor) {
    assert_eq!(ours.shape(), theirs.shape());
    assert!(ours.is_contiguous() || !theirs.is_contiguous(), "operations may require it");
    let difference = (ours - theirs).unwrap().abs().unwrap().flatten_all().unwrap();
    let difference = difference.max(0).unwrap().to_scalar::<f32>().unwrap();
    assert!(difference < 1e-5, "differs by {difference}");
}

/// Returns the same values in another order in memory, if there is one.
fn view(x: &Tensor) -> Option<Tensor> {
    let swapped = x.transpose(0, x.rank() - 1).unwrap().contiguous().unwrap();
    let view = swapped.transpose(0, x.rank() - 1).unwrap();
    (!view.is_contiguous()).then_some(view)
}

/// True if the sum of the squares of an output has a gradient with respect to `x` that is not 0.
fn has_gradient(x: &Tensor, f: &dyn Fn(&Tensor) -> Result<Tensor>) -> bool {
    let x = Var::from_tensor(x).unwrap();
    let gradients = f(&x).unwrap().sqr().unwrap().sum_all().unwrap().backward().unwrap();
    gradients.get(&x).is_some_and(|gradient| {
        gradient.abs().unwrap().sum_all().unwrap().to_scalar::<f32>().unwrap() > 0.0
    })
}

/// A function of one tensor, here and in candle-nn.
struct Function {
    name: &'static str,
    shape: &'static [usize],
    ours: fn(&Tensor) -> Result<Tensor>,
    theirs: fn(&Tensor) -> Result<Tensor>,
}

/// Lists functions that have the same name and arguments here and in candle-nn.
macro_rules! functions {
    ($($name:literal $shape:expr => $($path:ident)::+ ($($argument:expr),* $(,)?);)*) => {
        [$(Function {
            name: $name,
            shape: &$shape,
            ours: |x| softmark_candle_nn::$($path)::+(x $(, $argument)*),
            theirs: |x| candle_nn::$($path)::+(x $(, $argument)*),
        }),*]
    };
}

#[test]
fn functions_give_the_same_and_have_a_gradient() {
    let functions = functions! {
        "softmax" [2, 3, 4] => ops::softmax(1);
        "log_softmax" [2, 3, 4] => ops::log_softmax(D::Minus1);
        "softmax_last_dim" [2, 3, 4] => ops::softmax_last_dim();
        "silu" [3, 4] => ops::silu();
        "sigmoid" [3, 4] => ops::sigmoid();
        "swiglu" [3, 4] => ops::swiglu();
        "hard_sigmoid" [3, 4] => ops::hard_sigmoid();
        "mish" [3, 4] => ops::mish();
        "leaky_relu" [3, 4] => ops::leaky_relu(0.1);
        "selu" [3, 4] => ops::selu(1.5, 1.1);
        "layer_norm" [3, 4] => ops::layer_norm(&values("alpha", &[4]), &values("beta", &[4]), 1e-5);
        "layer_norm_slow" [3, 4] => ops::layer_norm_slow(&values("alpha", &[4]), &values("beta", &[4]), 1e-5);
        "rms_norm" [3, 4] => ops::rms_norm(&values("alpha", &[4]), 1e-5);
        "rms_norm_slow" [3, 4] => ops::rms_norm_slow(&values("alpha", &[4]), 1e-5);
        "pixel_shuffle" [1, 4, 2, 2] => ops::pixel_shuffle(2);
        "pixel_unshuffle" [1, 1, 4, 4] => ops::pixel_unshuffle(2);
        "replication_pad2d" [1, 1, 2, 2] => ops::replication_pad2d(1);
        "mse" [3, 4] => loss::mse(&values("target", &[3, 4]));
        "huber" [3, 4] => loss::huber(&values("target", &[3, 4]), 1.0);
        "nll" [3, 4] => loss::nll(&Tensor::new(&[1_u32, 0, 3], &Device::Cpu)?);
        "cross_entropy" [3, 4] => loss::cross_entropy(&Tensor::new(&[1_u32, 0, 3], &Device::Cpu)?);
        "binary_cross_entropy_with_logit" [3, 4] => loss::binary_cross_entropy_with_logit(&values("target", &[3, 4]));
    };
    for Function { name, shape, ours, theirs } in functions {
        let x = values(name, shape);
        assert_same(&ours(&x).unwrap(), &theirs(&x).unwrap());
        if let Some(view) = view(&x)
            && let Ok(expected) = theirs(&view)
        {
            assert_same(&ours(&view).unwrap(), &expected);
        }
        assert!(has_gradient(&x, &ours), "{name} has no gradient");
    }
}

type Rotation = fn(&Tensor, &Tensor, &Tensor) -> Result<Tensor>;

#[test]
fn rotations_give_the_same_and_have_a_gradient() {
    let table = |name| values(name, &[6, 4]);
    let (cos, sin) = (table("cos"), table("sin"));
    let of_batch = |name| values(name, &[2, 6, 4]);
    let x = values("x", &[2, 3, 5, 8]);
    let rotations: [(Rotation, Rotation); 3] = [
        (ours::rope, theirs::rope),
        (ours::rope_i, theirs::rope_i),
        (ours::rope_thd, theirs::rope_thd),
    ];
    for (ours, theirs) in rotations {
        assert_same(&ours(&x, &cos, &sin).unwrap(), &theirs(&x, &cos, &sin).unwrap());
        assert!(has_gradient(&x, &|x| ours(x, &cos, &sin)));
        // candle-nn rotates wrongly where there is a table for each example that has more positions.
        let (cos, sin) = (of_batch("cos"), of_batch("sin"));
        let together = ours(&x, &cos, &sin).unwrap();
        for at in 0..2 {
            let example = x.narrow(0, at, 1).unwrap().contiguous().unwrap();
            let (cos, sin) = (cos.get(at).unwrap(), sin.get(at).unwrap());
            let alone = theirs(&example, &cos, &sin).unwrap();
            assert_same(&together.narrow(0, at, 1).unwrap(), &alone);
        }
    }
    assert_same(
        &ours::rope_slow(&x, &cos, &sin).unwrap(),
        &theirs::rope_slow(&x, &cos, &sin).unwrap(),
    );
    let (ours, theirs) = (ours::rope_i_slow(&x, &cos, &sin), theirs::rope_i_slow(&x, &cos, &sin));
    assert_same(&ours.unwrap(), &theirs.unwrap());
}

/// Functions of this crate that the tests below compare in another way, or that candle-nn does not have as a function.
const COMPARED_ELSEWHERE: [&str; 2] = ["dropout", "rope"];

/// A function that is added to the crate has to be added to the tests.
#[test]
fn every_function_is_compared() {
    let tests = include_str!("same_as_candle_nn.rs");
    let sources = [
        include_str!("../src/ops.rs"),
        include_str!("../src/loss.rs"),
        include_str!("../src/rotary_emb.rs"),
    ];
    let mut names = Vec::new();
    for source in sources {
        let own = source.lines().filter_map(|line| line.strip_prefix("pub fn "));
        names.extend(own.filter_map(|line| line.split('(').next()));
        let exported = source.split("pub use ").skip(1).filter_map(|text| text.split(';').next());
        let exported =
            exported.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let is_function = |name: &&str| name.starts_with(char::is_lowercase);
        let is_module =
            |name: &&str| ["candle_nn", "softmark_kit", "nn", "ops", "loss"].contains(name);
        names.extend(exported.filter(|name| is_function(name) && !is_module(name)));
    }
    assert!(names.len() > 25, "{names:?}");
    for name in names {
        let is_compared = tests.contains(&format!("\"{name}\" ["))
            || tests.contains(&format!("::{name},"))
            || tests.contains(&format!("::{name}(&x, &cos, &sin)"));
        assert!(is_compared || COMPARED_ELSEWHERE.contains(&name), "{name} is not compared");
    }
}

#[test]
fn the_test_notices_a_function_without_a_gradient() {
    let x = values("x", &[3, 4]);
    assert!(!has_gradient(&x, &candle_nn::ops::softmax_last_dim));
}

/// Returns a builder that hands out fixed values by name.
fn parameters() -> VarBuilder<'static> {
    let shapes: [(&str, &[usize]); 5] = [
        ("linear.weight", &[3, 4]),
        ("linear.bias", &[3]),
        ("norm.weight", &[4]),
        ("norm.bias", &[4]),
        ("table.weight", &[6, 4]),
    ];
    let tensors: HashMap<String, Tensor> =
        shapes.iter().map(|(name, shape)| ((*name).to_owned(), values(name, shape))).collect();
    VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu)
}

/// A layer here, and candle-nn's.
type Layers = (Box<dyn Module>, Box<dyn Module>);

#[test]
fn layers_give_the_same_and_have_a_gradient() {
    let vb = parameters();
    let (linear, norm, table) = (vb.pp("linear"), vb.pp("norm"), vb.pp("table"));
    let layers: [Layers; 6] = [
        (
            Box::new(softmark_candle_nn::linear(4, 3, linear.clone()).unwrap()),
            Box::new(candle_nn::linear(4, 3, linear.clone()).unwrap()),
        ),
        (
            Box::new(softmark_candle_nn::linear_no_bias(4, 3, linear.clone()).unwrap()),
            Box::new(candle_nn::linear_no_bias(4, 3, linear.clone()).unwrap()),
        ),
        (
            Box::new(softmark_candle_nn::linear_b(4, 3, true, linear.clone()).unwrap()),
            Box::new(candle_nn::linear_b(4, 3, true, linear).unwrap()),
        ),
        (
            Box::new(softmark_candle_nn::layer_norm(4, 1e-5, norm.clone()).unwrap()),
            Box::new(candle_nn::layer_norm(4, 1e-5, norm.clone()).unwrap()),
        ),
        (
            Box::new(softmark_candle_nn::layer_norm_no_bias(4, 1e-5, norm.clone()).unwrap()),
            Box::new(candle_nn::layer_norm_no_bias(4, 1e-5, norm.clone()).unwrap()),
        ),
        (
            Box::new(softmark_candle_nn::rms_norm(4, 1e-5, norm.clone()).unwrap()),
            Box::new(candle_nn::rms_norm(4, 1e-5, norm).unwrap()),
        ),
    ];
    for (number, (ours, theirs)) in layers.iter().enumerate() {
        let x = values("x", &[2, 5, 4]);
        assert_same(&ours.forward(&x).unwrap(), &theirs.forward(&x).unwrap());
        assert_same(&ours.forward(&view(&x).unwrap()).unwrap(), &theirs.forward(&x).unwrap());
        assert!(has_gradient(&x, &|x| ours.forward(x)), "layer {number} has no gradient");
    }
    let ids = Tensor::new(&[[0_u32, 5], [2, 2]], &Device::Cpu).unwrap();
    let ours = softmark_candle_nn::embedding(6, 4, table.clone()).unwrap();
    let theirs = candle_nn::embedding(6, 4, table).unwrap();
    assert_same(&ours.forward(&ids).unwrap(), &theirs.forward(&ids).unwrap());
}

/// candle-nn hands its initial values to the builder as hints; the standard deviation of a weight shows which it was.
#[test]
fn a_linear_layer_starts_with_the_values_of_candle_nn() {
    let variables = VarMap::new();
    let vb = VarBuilder::from_varmap(&variables, DType::F32, &Device::Cpu);
    let weight = softmark_candle_nn::linear(64, 256, vb).unwrap().weight().clone();
    let deviation = weight.sqr().unwrap().mean_all().unwrap().to_scalar::<f32>().unwrap().sqrt();
    // Kaiming normal: √(2 / 64) = 0.177. Of 16,384 values, the estimate has a standard error of 0.001; the kit's own
    // initial values would give 1 / √(3 · 64) = 0.072.
    assert!((deviation - 0.177).abs() < 0.01, "{deviation}");
    assert!(matches!(softmark_candle_nn::init::DEFAULT_KAIMING_NORMAL, Init::Kaiming { .. }));
}

#[test]
fn dropout_repeats() {
    let x = Tensor::ones(64, DType::F32, &Device::Cpu).unwrap();
    let draw = || {
        softmark_kit::nn::dropout::begin_step(7, 3);
        let layer = softmark_candle_nn::Dropout::new(0.5).forward(&x, true).unwrap();
        let function = softmark_candle_nn::ops::dropout(&x, 0.5).unwrap();
        (layer.to_vec1::<f32>().unwrap(), function.to_vec1::<f32>().unwrap())
    };
    assert_eq!(draw(), draw());
}
