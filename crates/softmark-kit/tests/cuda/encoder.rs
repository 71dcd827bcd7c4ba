//! The pretrained encoder on the GPU.

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use softmark_kit::nn::dropout;
use softmark_kit::pretrained::{Family, PretrainedConfig, PretrainedEncoder};

use crate::gpu::{gpu, report};
use crate::operation::{cotangent, gradients};
use crate::sample::{batch, config, distance, weights_on};

/// Tolerance in double precision: three layers of width 24, some hundred additions each.
const DOUBLE: f64 = 1e-10;

/// Output for a batch, and the gradient of the vectors that enter the layers; on the CPU, where the layers are the
/// frozen ones unless dropout is on.
fn run(config: PretrainedConfig, device: &Device, train: bool) -> [Tensor; 2] {
    let tensors = weights_on(device, &config).tensors().clone();
    let tensors = tensors.into_iter().map(|(name, it)| (name, it.to_dtype(DType::F64).unwrap()));
    let vb = VarBuilder::from_tensors(tensors.collect(), DType::F64, device);
    let encoder = PretrainedEncoder::new(config, vb).unwrap();
    let (ids, mask) = batch();
    let [ids, mask] = [ids, mask].map(|it| it.to_device(device).unwrap());
    dropout::begin_step(5, 2);
    let x = Var::from_tensor(&encoder.embed(&ids).unwrap()).unwrap();
    let y = encoder.encode(&x, &mask, train).unwrap();
    // The output at padding has no meaning.
    let real = mask.to_dtype(DType::F64).unwrap().unsqueeze(2).unwrap();
    let weights = cotangent(&y).broadcast_mul(&real).unwrap();
    let gradient = gradients(&y, &weights).get(&x).unwrap().clone();
    [y, gradient].map(|it| it.to_device(&Device::Cpu).unwrap())
}

#[test]
fn the_pretrained_encoder_agrees_with_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let (_, mask) = batch();
    let mut largest = 0.0_f64;
    for (family, activation) in
        [(Family::Bert, "gelu"), (Family::Bert, "gelu_new"), (Family::DistilBert, "relu")]
    {
        for train in [false, true] {
            let config = config(family, activation);
            let (got, want) = (run(config, &gpu, train), run(config, &Device::Cpu, train));
            for (got, want) in got.iter().zip(&want) {
                let off = distance(got, want, &mask);
                assert!(off <= DOUBLE, "{family:?} {activation}, training {train}: {off}");
                assert!(distance(got, &got.zeros_like().unwrap(), &mask) > 0.1, "all is zero");
                largest = largest.max(off);
            }
        }
    }
    report("encoder, double precision", largest, DOUBLE);
}
