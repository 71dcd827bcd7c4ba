//! The operations by name, so that all tests share one list of cases.

use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Module, Tensor, Var};
use serde_json::{Value, json};
use softmark_kit::nn::attention::{attention_side_by_side, scaled_dot_product_attention};
use softmark_kit::nn::loss::{CrossEntropyOptions, cross_entropy_with};
use softmark_kit::nn::pooling::Pooling;
use softmark_kit::nn::{Dropout, Embedding, LayerNorm, Linear, composed, dropout, ops, pooling};
use softmark_kit::rng::Stream;

/// An operation, its options and its inputs.
pub(crate) struct Case {
    pub(crate) op: String,
    pub(crate) options: Value,
    pub(crate) inputs: BTreeMap<String, Input>,
}

#[derive(Clone)]
pub(crate) struct Input {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

impl Input {
    /// Returns the input in `f64`, in host memory.
    pub(crate) fn tensor(&self) -> Tensor {
        Tensor::from_vec(self.values.clone(), self.shape.as_slice(), &Device::Cpu).unwrap()
    }
}

/// Names of inputs without a gradient: integers.
const WHOLE: [&str; 3] = ["mask", "ids", "targets"];

impl Case {
    pub(crate) fn new(op: &str, options: Value, inputs: &[(&str, &[usize])]) -> Self {
        let drawn = |(n, &(name, shape)): (usize, &(&str, &[usize]))| {
            let mut stream = Stream::derive(5, op, n as u64);
            let values = (0..shape.iter().product()).map(|_| match name {
                "mask" => f64::from(u8::from(stream.uniform() < 0.6)),
                "ids" | "targets" => stream.below(5) as f64,
                _ => f64::from(stream.uniform()) * 4.0 - 2.0,
            });
            (name.to_owned(), Input { shape: shape.to_vec(), values: values.collect() })
        };
        let inputs = inputs.iter().enumerate().map(drawn).collect();
        Self { op: op.to_owned(), options, inputs }
    }

    /// Returns the inputs as variables of this type, in host memory.
    pub(crate) fn variables(&self, dtype: DType) -> BTreeMap<String, Var> {
        self.variables_on(dtype, &Device::Cpu)
    }

    /// Returns the inputs as variables of this type on a device.
    pub(crate) fn variables_on(&self, dtype: DType, device: &Device) -> BTreeMap<String, Var> {
        let variable = |(name, input): (&String, &Input)| {
            let dtype = match name.as_str() {
                "mask" => DType::U8,
                "ids" | "targets" => DType::U32,
                _ => dtype,
            };
            let x = input.tensor().to_dtype(dtype).unwrap().to_device(device).unwrap();
            (name.clone(), Var::from_tensor(&x).unwrap())
        };
        self.inputs.iter().map(variable).collect()
    }

    /// Returns the case with its inputs rounded to single precision.
    pub(crate) fn in_single_precision(mut self) -> Self {
        for x in self.inputs.values_mut().flat_map(|input| &mut input.values) {
            *x = f64::from(*x as f32);
        }
        self
    }

    /// Returns the names of the inputs that have a gradient.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &str> {
        self.inputs.keys().map(String::as_str).filter(|name| !WHOLE.contains(name))
    }
}

fn option(options: &Value, name: &str) -> Option<u32> {
    options[name].as_u64().map(|n| u32::try_from(n).unwrap())
}

fn loss_options(options: &Value) -> CrossEntropyOptions {
    CrossEntropyOptions {
        label_smoothing: options["label_smoothing"].as_f64().unwrap_or(0.0),
        ignore_index: option(options, "ignore_index"),
    }
}

fn kind(options: &Value) -> Pooling {
    match options["kind"].as_str().unwrap() {
        "mean" => Pooling::Mean,
        "max" => Pooling::Max,
        _ => Pooling::First,
    }
}

/// Runs the kit's operation on the inputs.
pub(crate) fn run(case: &Case, inputs: &BTreeMap<String, Var>) -> Tensor {
    let x = |name: &str| inputs[name].as_tensor();
    let maybe = |name: &str| inputs.get(name).map(|var| var.as_tensor().clone());
    let options = &case.options;
    let dim = || usize::try_from(options["dim"].as_u64().unwrap()).unwrap();
    dropout::begin_step(3, 1);
    let output = match case.op.as_str() {
        "softmax" => ops::softmax(x("x"), dim()),
        "log_softmax" => ops::log_softmax(x("x"), dim()),
        "gelu" => ops::gelu(x("x")),
        "gelu_erf" => ops::gelu_erf(x("x")),
        "relu" => ops::relu(x("x")),
        "sigmoid" => ops::sigmoid(x("x")),
        "silu" => ops::silu(x("x")),
        "dropout" => Dropout::new(0.3).forward(x("x"), true),
        "layer_norm" => {
            let eps = options["eps"].as_f64().unwrap();
            LayerNorm::new(x("weight").clone(), x("bias").clone(), eps).forward(x("x"))
        }
        "linear" => Linear::new(x("weight").clone(), maybe("bias")).forward(x("x")),
        "swapped_linear" => {
            let swapped = x("x").transpose(1, 2).unwrap();
            Linear::new(x("weight").clone(), maybe("bias")).forward(&swapped)
        }
        "embedding" => {
            let width = x("table").dim(1).unwrap();
            let table = Embedding::new(x("table").clone(), width);
            match option(options, "padding") {
                Some(padding) => table.with_padding(padding).forward(x("ids")),
                None => table.forward(x("ids")),
            }
        }
        "cross_entropy" => cross_entropy_with(x("logits"), x("targets"), loss_options(options)),
        "attention" => {
            let p = options["dropout"].as_f64().unwrap_or(0.0) as f32;
            let (query, key, value, mask) = (x("query"), x("key"), x("value"), maybe("mask"));
            scaled_dot_product_attention(query, key, value, mask.as_ref(), p, true)
        }
        "swapped_attention" => {
            let [query, key, value] =
                ["query", "key", "value"].map(|name| x(name).transpose(1, 2).unwrap());
            scaled_dot_product_attention(&query, &key, &value, None, 0.0, false)
        }
        "side_by_side" => {
            let p = options["dropout"].as_f64().map(|p| p as f32);
            let (query, key, value, mask) = (x("query"), x("key"), x("value"), maybe("mask"));
            attention_side_by_side(query, key, value, 3, mask.as_ref(), p)
        }
        "pooling" => match kind(options) {
            Pooling::Mean => pooling::masked_mean(x("x"), x("mask")),
            Pooling::Max => pooling::masked_max(x("x"), x("mask")),
            Pooling::First => pooling::masked_first(x("x"), x("mask")),
        },
        other => panic!("no operation {other}"),
    };
    output.unwrap()
}

/// Runs candle's own operations on the inputs; `None` if there is no such function.
pub(crate) fn run_composed(case: &Case, inputs: &BTreeMap<String, Var>) -> Option<Tensor> {
    let x = |name: &str| inputs[name].as_tensor();
    let maybe = |name: &str| inputs.get(name).map(Var::as_tensor);
    let options = &case.options;
    let dim = || usize::try_from(options["dim"].as_u64().unwrap()).unwrap();
    let output = match case.op.as_str() {
        "softmax" => composed::softmax(x("x"), dim()),
        "log_softmax" => composed::log_softmax(x("x"), dim()),
        "gelu" => composed::gelu(x("x")),
        "gelu_erf" => composed::gelu_erf(x("x")),
        "relu" => composed::relu(x("x")),
        "sigmoid" => composed::sigmoid(x("x")),
        "silu" => composed::silu(x("x")),
        "layer_norm" => {
            let eps = options["eps"].as_f64().unwrap();
            composed::layer_norm(x("x"), x("weight"), Some(x("bias")), eps, true)
        }
        "linear" => composed::linear(x("x"), x("weight"), maybe("bias")),
        "embedding" => composed::embedding(x("table"), x("ids"), option(options, "padding")),
        "cross_entropy" => {
            let targets = x("targets").to_vec1::<u32>().unwrap();
            composed::cross_entropy(x("logits"), &targets, loss_options(options))
        }
        "attention" => composed::attention(x("query"), x("key"), x("value"), maybe("mask")),
        "pooling" => composed::pooling(x("x"), x("mask"), kind(options)),
        _ => return None,
    };
    Some(output.unwrap())
}

/// Returns weights from −1 to 1 for the elements of the output.
pub(crate) fn cotangent(output: &Tensor) -> Tensor {
    let mut stream = Stream::derive(6, "cotangent", 0);
    let values: Vec<f64> =
        (0..output.elem_count()).map(|_| f64::from(stream.uniform()) * 2.0 - 1.0).collect();
    let values = Tensor::from_vec(values, output.shape(), output.device()).unwrap();
    values.to_dtype(output.dtype()).unwrap()
}

/// Returns the gradients of the weighted sum of an output.
pub(crate) fn gradients(output: &Tensor, cotangent: &Tensor) -> GradStore {
    (output * cotangent).unwrap().sum_all().unwrap().backward().unwrap()
}

pub(crate) fn numbers(x: &Tensor) -> Vec<f64> {
    x.flatten_all().unwrap().to_dtype(DType::F64).unwrap().to_vec1().unwrap()
}

/// Returns cases of every operation, at sizes that are not multiples of block or lane sizes.
pub(crate) fn cases() -> Vec<Case> {
    let mask: (&str, &[usize]) = ("mask", &[2, 1, 5, 7]);
    let qkv: [(&str, &[usize]); 3] =
        [("query", &[2, 3, 5, 4]), ("key", &[2, 3, 7, 4]), ("value", &[2, 3, 7, 4])];
    let masked = [qkv[0], qkv[1], qkv[2], mask];
    let pooled: [(&str, &[usize]); 2] = [("x", &[3, 4, 5]), ("mask", &[3, 4])];
    let normed: [(&str, &[usize]); 3] = [("x", &[3, 19]), ("weight", &[19]), ("bias", &[19])];
    let product: [(&str, &[usize]); 3] = [("x", &[2, 3, 5]), ("weight", &[4, 5]), ("bias", &[4])];
    let swapped: [(&str, &[usize]); 3] = [("x", &[2, 5, 3]), ("weight", &[4, 5]), ("bias", &[4])];
    let lookup: [(&str, &[usize]); 2] = [("table", &[5, 3]), ("ids", &[2, 6])];
    let loss: [(&str, &[usize]); 2] = [("logits", &[6, 5]), ("targets", &[6])];
    let x: [(&str, &[usize]); 1] = [("x", &[3, 21])];
    vec![
        Case::new("softmax", json!({"dim": 1}), &x),
        Case::new("softmax", json!({"dim": 0}), &x),
        Case::new("log_softmax", json!({"dim": 1}), &x),
        Case::new("gelu", json!({}), &x),
        Case::new("gelu_erf", json!({}), &x),
        Case::new("relu", json!({}), &x),
        Case::new("sigmoid", json!({}), &x),
        Case::new("silu", json!({}), &x),
        Case::new("dropout", json!({}), &x),
        Case::new("layer_norm", json!({"eps": 1e-5}), &normed),
        Case::new("linear", json!({}), &product),
        Case::new("linear", json!({}), &product[..2]),
        Case::new("swapped_linear", json!({}), &swapped),
        Case::new("embedding", json!({}), &lookup),
        Case::new("embedding", json!({"padding": 2}), &lookup),
        Case::new("cross_entropy", json!({}), &loss),
        Case::new("cross_entropy", json!({"label_smoothing": 0.2, "ignore_index": 1}), &loss),
        Case::new("attention", json!({}), &qkv),
        Case::new("attention", json!({}), &masked),
        Case::new("attention", json!({"dropout": 0.3}), &masked),
        Case::new(
            "swapped_attention",
            json!({}),
            &[("query", &[2, 5, 3, 4]), ("key", &[2, 7, 3, 4]), ("value", &[2, 7, 3, 4])],
        ),
        Case::new(
            "side_by_side",
            json!({"dropout": 0.3}),
            &[("query", &[2, 5, 12]), ("key", &[2, 7, 12]), ("value", &[2, 7, 12]), mask],
        ),
        Case::new("pooling", json!({"kind": "mean"}), &pooled),
        Case::new("pooling", json!({"kind": "max"}), &pooled),
        Case::new("pooling", json!({"kind": "first"}), &pooled),
    ]
}
