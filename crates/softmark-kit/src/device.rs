//! Which device to compute on, by its name on a command line.

use candle_core::{Device, Error, Result};

/// The device of that name: `cpu`, `cuda` (the first GPU), `cuda:N`, or `auto` (the first GPU where
/// there is one and the kit was built for it, else the CPU).
///
/// GPUs take the feature `cuda` of this crate, and NVIDIA's toolkit to build it.
///
/// # Errors
///
/// For another name, and where the GPU is not there or the kit was built without the feature.
///
/// # Examples
///
/// ```
/// assert!(softmark_kit::device("cpu")?.is_cpu());
/// assert!(softmark_kit::device("tpu").is_err());
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn device(name: &str) -> Result<Device> {
    let number = match name.split_once(':') {
        None if name == "cuda" => Some(0),
        Some(("cuda", number)) => number.parse().ok(),
        Some(_) | None => None,
    };
    match (name, number) {
        ("cpu", _) => Ok(Device::Cpu),
        ("auto", _) => Ok(gpu(0).unwrap_or(Device::Cpu)),
        (_, Some(number)) => gpu(number),
        (_, None) => Err(Error::msg(format!(
            "there is no device `{name}`: `cpu`, `cuda`, `cuda:N` and `auto` are names of some"
        ))),
    }
}

fn gpu(number: usize) -> Result<Device> {
    if cfg!(feature = "cuda") {
        return Device::new_cuda(number);
    }
    Err(Error::msg(
        "this build computes on the CPU alone: build with `--features softmark-kit/cuda` for GPUs",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_are_devices() {
        for name in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "CPU"] {
            let error = device(name).unwrap_err().to_string();
            assert!(error.contains(&format!("no device `{name}`")), "{error}");
        }
    }

    #[test]
    #[cfg(not(feature = "cuda"))]
    fn without_the_feature_there_is_only_the_cpu() {
        assert!(device("auto").unwrap().is_cpu());
        let error = device("cuda:1").unwrap_err().to_string();
        assert!(error.contains("--features softmark-kit/cuda"), "{error}");
    }
}
