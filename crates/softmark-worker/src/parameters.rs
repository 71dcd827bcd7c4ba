//! The parameters that a component may request, and a record of its requests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use candle_core::{DType, Device, Error, Result, Shape, Tensor, Var};
use candle_nn::var_builder::SimpleBackend;
use candle_nn::{Init, VarBuilder};
use softmark_wire::{Failure, FailureKind};

/// A set of parameters, iterated in the order of their names.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    given: BTreeMap<String, Var>,
    asked: Mutex<BTreeMap<String, Vec<usize>>>,
    trouble: Mutex<Option<Failure>>,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A panic of the student's code cannot leave the data inconsistent, so the poisoned lock is used.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Parameters {
    /// Returns the given tensors as trainable parameters.
    pub(crate) fn new(given: Vec<(String, Tensor)>) -> Result<Self> {
        let given = given
            .into_iter()
            .map(|(name, tensor)| Ok((name, Var::from_tensor(&tensor)?)))
            .collect::<Result<_>>()?;
        Ok(Self { given, ..Self::default() })
    }

    /// Returns a builder that hands out these parameters.
    pub(crate) fn builder(this: &Arc<Self>) -> VarBuilder<'static> {
        VarBuilder::from_backend(Box::new(Backend(Arc::clone(this))), DType::F32, Device::Cpu)
    }

    /// Returns names and shapes of the requested parameters, sorted by name.
    pub(crate) fn asked(&self) -> Vec<(String, Vec<usize>)> {
        locked(&self.asked).iter().map(|(name, shape)| (name.clone(), shape.clone())).collect()
    }

    /// Returns the requested parameters, sorted by name.
    pub(crate) fn used(&self) -> Vec<(String, Var)> {
        let asked = locked(&self.asked);
        let used = self.given.iter().filter(|(name, _)| asked.contains_key(*name));
        used.map(|(name, var)| (name.clone(), var.clone())).collect()
    }

    /// Writes new values into a parameter; every tensor that shares its storage changes with it.
    pub(crate) fn set(&self, name: &str, values: &Tensor) -> Result<()> {
        let var = self.given.get(name);
        let var = var.ok_or_else(|| Error::Msg(format!("there is no parameter `{name}`")))?;
        if var.shape() != values.shape() || var.dtype() != values.dtype() {
            let (is, new) = (var.dims(), values.dims());
            return Err(Error::Msg(format!("`{name}` has shape {is:?}, not {new:?}")));
        }
        var.set(values)
    }

    /// Returns the first request that could not be met.
    pub(crate) fn trouble(&self) -> Option<Failure> {
        locked(&self.trouble).clone()
    }

    fn refuse(&self, message: String) -> Error {
        let failure = Failure {
            kind: FailureKind::Parameter,
            message: message.clone(),
            place: String::new(),
        };
        locked(&self.trouble).get_or_insert(failure);
        Error::Msg(message)
    }

    fn find(&self, name: &str, wanted: &str) -> Result<&Var> {
        self.given.get(name).ok_or_else(|| self.refuse_unknown(name, wanted))
    }

    fn refuse_unknown(&self, name: &str, wanted: &str) -> Error {
        let names: Vec<&str> = self.given.keys().map(String::as_str).collect();
        let there = if names.is_empty() {
            "this part has no parameters".to_owned()
        } else {
            format!("the parameters here are {}", names.join(", "))
        };
        self.refuse(format!("asked for `{name}`{wanted}, and there is none: {there}"))
    }
}

struct Backend(Arc<Parameters>);

impl SimpleBackend for Backend {
    fn get(&self, shape: Shape, name: &str, _: Init, dtype: DType, _: &Device) -> Result<Tensor> {
        let var = self.0.find(name, &format!(" of shape {:?}", shape.dims()))?;
        if var.shape() != &shape {
            let (asked, is) = (shape.dims(), var.dims());
            let message = format!("asked for `{name}` of shape {asked:?}; it has shape {is:?}");
            return Err(self.0.refuse(message));
        }
        locked(&self.0.asked).insert(name.to_owned(), shape.into_dims());
        var.as_tensor().to_dtype(dtype)
    }

    fn get_unchecked(&self, name: &str, dtype: DType, _: &Device) -> Result<Tensor> {
        let var = self.0.find(name, "")?;
        locked(&self.0.asked).insert(name.to_owned(), var.dims().to_vec());
        var.as_tensor().to_dtype(dtype)
    }

    fn contains_tensor(&self, name: &str) -> bool {
        self.0.given.contains_key(name)
    }
}
