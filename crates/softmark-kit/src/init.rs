//! Named, trainable parameters, each initialized from a random stream of its own.
//!
//! candle's own [`VarMap`](candle_nn::VarMap) is a hash map, whose order changes from run to run, and is
//! initialized from a generator that cannot be seeded on the CPU. [`Parameters`] is sorted by name, and the
//! initial value of a parameter depends on the seed and on the parameter's name alone: adding a layer does
//! not change the initialization of the others.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use candle_core::{DType, Device, Error, Result, Shape, Tensor, Var};
use candle_nn::init::NormalOrUniform;
use candle_nn::var_builder::SimpleBackend;
use candle_nn::{Init, VarBuilder};

use crate::rng::Stream;

/// A store of named, trainable parameters, sorted by name.
///
/// A parameter is created when a layer first requests it, with the layer's [`Init`]. Later requests return
/// the same parameter, so layers can share one.
///
/// | `Init` | each element |
/// |---|---|
/// | `Const(c)` | `c` |
/// | `Uniform { lo, up }` | `lo + (up − lo) · u`, with `u` from `[0, 1)` |
/// | `Randn { mean, stdev }` | `mean + stdev · z`, with `z` from the standard normal distribution |
/// | `Kaiming { .. }`, normal | `σ · z`, with `σ = gain / √fan` |
/// | `Kaiming { .. }`, uniform | uniform between `±√3 · σ` |
///
/// Kaiming initialization is He et al., *Delving Deep into Rectifiers* (2015), section 2.2; `gain`
/// and `fan` are candle-nn's. Elements are computed in `f64` and rounded once.
///
/// A clone is another handle to the same store.
///
/// ```
/// use candle_nn::Init;
/// use softmark_kit::init::Parameters;
/// use softmark_kit::prelude::*;
///
/// let parameters = Parameters::new(7, &Device::Cpu);
/// let vb = parameters.builder();
/// let init = Init::Randn { mean: 0.0, stdev: 0.02 };
/// let weight = vb.pp("classifier").get_with_hints((2, 3), "weight", init)?;
/// assert_eq!(weight.dims(), [2, 3]);
/// assert_eq!(parameters.vars().into_keys().collect::<Vec<_>>(), ["classifier.weight"]);
/// assert_eq!(parameters.count(), 6);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Parameters {
    store: Arc<Mutex<Store>>,
    device: Device,
}

#[derive(Debug)]
struct Store {
    vars: BTreeMap<String, Var>,
    /// Initial values of parameters that have not been requested yet.
    given: BTreeMap<String, Tensor>,
    /// Seed of the initialization; `None` if nothing is drawn, so that a parameter that was not given is an error.
    seed: Option<u64>,
}

impl Parameters {
    /// Returns an empty store for parameters on `device`.
    pub fn new(seed: u64, device: &Device) -> Self {
        Self::of(BTreeMap::new(), Some(seed), device)
    }

    /// Returns a store without random initialization: its parameters have the given initial values, and a
    /// request for any other parameter is an error that names it.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use softmark_kit::init::Parameters;
    /// use softmark_kit::prelude::*;
    ///
    /// let one = Tensor::ones((1, 2), DType::F32, &Device::Cpu)?;
    /// let given = BTreeMap::from([("q_proj.weight".to_owned(), one)]);
    /// let parameters = Parameters::given(given, &Device::Cpu);
    /// assert!(parameters.builder().get((1, 2), "q_proj.weight").is_ok());
    /// assert!(parameters.builder().get((1, 2), "query.weight").is_err());
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    pub fn given(tensors: BTreeMap<String, Tensor>, device: &Device) -> Self {
        Self::of(tensors, None, device)
    }

    fn of(given: BTreeMap<String, Tensor>, seed: Option<u64>, device: &Device) -> Self {
        let store = Store { vars: BTreeMap::new(), given, seed };
        Self { store: Arc::new(Mutex::new(store)), device: device.clone() }
    }

    /// Sets the initial value of the parameter `name`, in place of the layer's [`Init`], for example to
    /// vectors from a file. The tensor is copied when the layer requests the parameter.
    pub fn give(&self, name: &str, tensor: &Tensor) {
        self.lock().given.insert(name.to_owned(), tensor.clone());
    }

    /// Returns a builder from which layers take their parameters, in `f32`.
    pub fn builder(&self) -> VarBuilder<'static> {
        let backend: Box<dyn SimpleBackend> = Box::new(self.clone());
        VarBuilder::from_backend(backend, DType::F32, self.device.clone())
    }

    /// Returns the parameters requested so far, sorted by name.
    pub fn vars(&self) -> BTreeMap<String, Var> {
        self.lock().vars.clone()
    }

    /// Returns the total number of elements of the parameters.
    pub fn count(&self) -> usize {
        self.lock().vars.values().map(|var| var.elem_count()).sum()
    }

    /// Returns the device of the parameters.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Locks the store, also after a panic of another thread: no change is left half done.
    fn lock(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SimpleBackend for Parameters {
    fn get(
        &self,
        shape: Shape,
        name: &str,
        init: Init,
        dtype: DType,
        device: &Device,
    ) -> Result<Tensor> {
        let mut store = self.lock();
        if let Some(var) = store.vars.get(name) {
            same_shape(name, &shape, var.shape())?;
            return Ok(var.as_tensor().clone());
        }
        let tensor = match (store.given.get(name), store.seed) {
            (Some(tensor), _) => {
                same_shape(name, &shape, tensor.shape())?;
                tensor.to_device(device)?.to_dtype(dtype)?
            }
            (None, Some(seed)) => {
                drawn(seed, name, init, &shape)?.to_device(device)?.to_dtype(dtype)?
            }
            (None, None) => return Err(no_such(name, &store.given)),
        };
        let var = Var::from_tensor(&tensor)?;
        let tensor = var.as_tensor().clone();
        store.vars.insert(name.to_owned(), var);
        Ok(tensor)
    }

    fn get_unchecked(&self, name: &str, dtype: DType, _device: &Device) -> Result<Tensor> {
        let store = self.lock();
        match store.vars.get(name) {
            Some(var) => var.as_tensor().to_dtype(dtype),
            None => Err(no_such(name, &store.vars)),
        }
    }

    fn contains_tensor(&self, name: &str) -> bool {
        let store = self.lock();
        store.vars.contains_key(name) || store.given.contains_key(name)
    }
}

fn same_shape(name: &str, asked: &Shape, there: &Shape) -> Result<()> {
    if asked == there {
        return Ok(());
    }
    Err(Error::Msg(format!("parameter `{name}`: {asked:?} was asked for, but it is {there:?}")))
}

fn no_such<T>(name: &str, known: &BTreeMap<String, T>) -> Error {
    let known: Vec<&str> = known.keys().map(String::as_str).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Error::Msg(format!("there is no parameter `{name}`; there are: {known}"))
}

/// Returns the initial value of the parameter `name`.
///
/// # Errors
///
/// Fails if the shape is too large for a tensor.
pub fn drawn(seed: u64, name: &str, init: Init, shape: &Shape) -> Result<Tensor> {
    let mut stream = Stream::derive(seed, &format!("init/{name}"), 0);
    let count = shape.elem_count();
    let values = match init {
        Init::Const(value) => vec![rounded(value); count],
        Init::Uniform { lo, up } => uniform(&mut stream, lo, up, count),
        Init::Randn { mean, stdev } => normal(&mut stream, mean, stdev, count),
        Init::Kaiming { dist, fan, non_linearity } => {
            let sigma = non_linearity.gain() / (fan.for_shape(shape) as f64).sqrt();
            match dist {
                NormalOrUniform::Normal => normal(&mut stream, 0.0, sigma, count),
                NormalOrUniform::Uniform => {
                    let bound = 3.0_f64.sqrt() * sigma;
                    uniform(&mut stream, -bound, bound, count)
                }
            }
        }
    };
    Tensor::from_vec(values, shape, &Device::Cpu)
}

#[expect(clippy::cast_possible_truncation, reason = "parameters are f32: this is the one rounding")]
fn rounded(x: f64) -> f32 {
    x as f32
}

/// Returns a multiple of 2⁻⁵³ from `[0, 1)`.
fn unit(stream: &mut Stream) -> f64 {
    (stream.bits() >> 11) as f64 / 9_007_199_254_740_992.0
}

fn uniform(stream: &mut Stream, low: f64, high: f64, count: usize) -> Vec<f32> {
    (0..count).map(|_| rounded(low + (high - low) * unit(stream))).collect()
}

/// Draws normally distributed numbers by Box and Muller, *A Note on the Generation of Random Normal Deviates*
/// (1958), using the cosine half.
///
/// Logarithm and cosine come from the `libm` crate: those of the standard library depend on the platform and
/// differ in their last bit.
fn normal(stream: &mut Stream, mean: f64, stdev: f64, count: usize) -> Vec<f32> {
    let mut one = || {
        // From (0, 1], so that the logarithm is finite.
        let radius = (-2.0 * libm::log(1.0 - unit(stream))).sqrt();
        rounded(mean + stdev * radius * libm::cos(TAU * unit(stream)))
    };
    (0..count).map(|_| one()).collect()
}

#[cfg(test)]
mod tests {
    use candle_nn::init::{FanInOut, NonLinearity};

    use super::*;

    fn values(seed: u64, name: &str, init: Init, shape: (usize, usize)) -> Vec<f32> {
        let parameters = Parameters::new(seed, &Device::Cpu);
        let tensor = parameters.builder().get_with_hints(shape, name, init).unwrap();
        tensor.flatten_all().unwrap().to_vec1().unwrap()
    }

    /// Returns mean and standard deviation.
    fn moments(values: &[f32]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
        let variance = values.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / n;
        (mean, variance.sqrt())
    }

    #[test]
    fn a_parameter_depends_on_seed_and_name_alone() {
        let init = Init::Randn { mean: 0.0, stdev: 1.0 };
        let alone = values(3, "b.weight", init, (4, 5));
        let parameters = Parameters::new(3, &Device::Cpu);
        let vb = parameters.builder();
        vb.get_with_hints((9, 9), "a.weight", init).unwrap();
        let after = vb.pp("b").get_with_hints((4, 5), "weight", init).unwrap();
        assert_eq!(after.flatten_all().unwrap().to_vec1::<f32>().unwrap(), alone);
        assert_ne!(values(4, "b.weight", init, (4, 5)), alone);
        assert_ne!(values(3, "c.weight", init, (4, 5)), alone);
    }

    #[test]
    fn each_distribution_has_its_mean_and_spread() {
        let near = |got: f64, want: f64| assert!((got - want).abs() < 0.02, "{got} for {want}");
        let n = 100_000;
        let (mean, deviation) =
            moments(&values(1, "w", Init::Randn { mean: 0.5, stdev: 1.0 }, (n, 1)));
        near(mean, 0.5);
        near(deviation, 1.0);
        let uniform = values(1, "w", Init::Uniform { lo: -1.0, up: 3.0 }, (n, 1));
        assert!(uniform.iter().all(|x| (-1.0..=3.0).contains(x)));
        near(moments(&uniform).0, 1.0);
        near(moments(&uniform).1, 4.0 / 12.0_f64.sqrt());
        for dist in [NormalOrUniform::Normal, NormalOrUniform::Uniform] {
            let (fan, non_linearity) = (FanInOut::FanIn, NonLinearity::ReLU);
            let kaiming = Init::Kaiming { dist, fan, non_linearity };
            let (mean, deviation) = moments(&values(1, "w", kaiming, (n, 8)));
            near(mean, 0.0);
            near(deviation, 0.5);
        }
        assert_eq!(values(1, "w", Init::Const(2.5), (1, 2)), [2.5, 2.5]);
    }

    #[test]
    fn a_normal_number_is_as_often_far_out_as_it_should_be() {
        let drawn = values(1, "w", Init::Randn { mean: 0.0, stdev: 1.0 }, (100_000, 1));
        let beyond = |limit: f32| drawn.iter().filter(|x| x.abs() > limit).count();
        // Expected: 31.73 %, 4.55 % and 0.27 %; the tolerance is six standard deviations of the count.
        assert!(beyond(1.0).abs_diff(31_731) < 900, "{}", beyond(1.0));
        assert!(beyond(2.0).abs_diff(4_550) < 400, "{}", beyond(2.0));
        assert!(beyond(3.0).abs_diff(270) < 100, "{}", beyond(3.0));
    }

    #[test]
    fn parameters_come_in_the_order_of_their_names_and_are_shared() {
        let parameters = Parameters::new(1, &Device::Cpu);
        for name in ["norm.weight", "classifier.bias", "layers.0.norm1.weight"] {
            parameters.builder().get(3, name).unwrap();
        }
        let names: Vec<String> = parameters.vars().into_keys().collect();
        assert_eq!(names, ["classifier.bias", "layers.0.norm1.weight", "norm.weight"]);
        let again = parameters.builder().get(3, "norm.weight").unwrap();
        assert_eq!(again.id(), parameters.vars()["norm.weight"].id());
        assert_eq!(parameters.count(), 9);
        let error = parameters.builder().get(4, "norm.weight").unwrap_err().to_string();
        assert!(error.contains("`norm.weight`: [4] was asked for, but it is [3]"), "{error}");
    }

    #[test]
    fn what_is_given_is_what_a_layer_gets() {
        let tensor = Tensor::new(&[1.0_f32, 2.0], &Device::Cpu).unwrap();
        let parameters = Parameters::new(1, &Device::Cpu);
        parameters.give("w", &tensor);
        let got = parameters.builder().get_with_hints(2, "w", Init::Const(9.0)).unwrap();
        assert_eq!(got.to_vec1::<f32>().unwrap(), [1.0, 2.0]);
        assert!(parameters.builder().get(3, "w").is_err());
        // The store has its own copy: training it does not change the caller's tensor.
        parameters.vars()["w"].set(&tensor.affine(0.0, 0.0).unwrap()).unwrap();
        assert_eq!(tensor.to_vec1::<f32>().unwrap(), [1.0, 2.0]);
        let error = Parameters::given(BTreeMap::from([("w".to_owned(), tensor)]), &Device::Cpu)
            .builder()
            .get(2, "v")
            .unwrap_err();
        assert!(error.to_string().contains("no parameter `v`; there are: w"), "{error}");
    }

    /// Checkpoints and measured training results depend on these values, which must never change. They were
    /// computed by another program, from the definitions of the stream and of Box and Muller's
    /// transformation.
    #[test]
    fn what_is_drawn_is_what_was_always_drawn() {
        let bits =
            |init| values(1, "classifier.weight", init, (1, 3)).into_iter().map(f32::to_bits);
        let normal: Vec<u32> = bits(Init::Randn { mean: 0.0, stdev: 1.0 }).collect();
        assert_eq!(normal, [0xbf80_d6fe, 0xbf49_4c25, 0x3fd2_ad66]);
        let uniform: Vec<u32> = bits(Init::Uniform { lo: 0.0, up: 1.0 }).collect();
        assert_eq!(uniform, [0x3f2e_b496, 0x3f22_624f, 0x3f3a_d34a]);
    }
}
