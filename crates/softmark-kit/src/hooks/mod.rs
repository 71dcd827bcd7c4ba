//! Forward hooks, which see the inputs and outputs of a module's calls.
//!
//! A model has one [`Hooks`], and each observable module has a [`Point`] of it with a name. Without
//! registered hooks a point costs one read of a number. A hook sees tensors as they are, in training with the
//! graph that produced them. It changes no gradient and no bit, but a tensor that it keeps keeps the whole
//! graph of that step in memory. Keep [`detach`](Tensor::detach)ed tensors, as [`AttentionRecorder`] does.
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use softmark_kit::hooks::{Hooks, Point};
//! use softmark_kit::prelude::*;
//!
//! /// A module that doubles.
//! struct Double {
//!     point: Point,
//! }
//!
//! impl Module for Double {
//!     fn forward(&self, x: &Tensor) -> Result<Tensor> {
//!         let y = (x * 2.0)?;
//!         self.point.show(&[("x", x)], &[("y", &y)])?;
//!         Ok(y)
//!     }
//! }
//!
//! let hooks = Hooks::new();
//! let double = Double { point: hooks.point("double") };
//! let seen = Arc::new(Mutex::new(Vec::new()));
//! let keep = seen.clone();
//! let handle = hooks.register("double", move |call| {
//!     keep.lock().unwrap().push(call.output("y")?.to_scalar::<f32>()?);
//!     Ok(())
//! })?;
//! let three = Tensor::new(3_f32, &Device::Cpu)?;
//! double.forward(&three)?;
//! drop(handle); // from here on nobody looks
//! double.forward(&three)?;
//! assert_eq!(*seen.lock().unwrap(), [6.0]);
//! # Ok::<(), candle_core::Error>(())
//! ```

mod recorder;
mod statistics;

pub use recorder::{AttentionRecorder, Recorded, WEIGHTS};
pub use statistics::{HeadStatistics, head_statistics};

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use candle_core::{Result, Tensor, bail};

/// Registry of the hooks of a model. A clone is another handle to the same registry.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    places: Arc<Mutex<BTreeMap<String, Arc<Place>>>>,
}

/// A module's handle to its hooks, through which it reports its inputs and outputs.
#[derive(Debug, Clone)]
pub struct Point {
    place: Arc<Place>,
}

/// A registered hook; dropping the handle removes the hook.
#[derive(Debug)]
#[must_use = "the hook is removed when its handle is dropped"]
pub struct Handle {
    place: Arc<Place>,
    hook: Arc<Hook>,
}

/// One call of a module's `forward`, as a hook sees it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    module: &'a str,
    number: u64,
    inputs: &'a [(&'a str, &'a Tensor)],
    outputs: &'a [(&'a str, &'a Tensor)],
}

/// A module and its hooks.
#[derive(Debug)]
struct Place {
    name: String,
    /// Number of hooks, readable without a lock.
    count: AtomicUsize,
    hooks: Mutex<Vec<Arc<Hook>>>,
}

/// Function called after a `forward`.
type Look = Box<dyn FnMut(&Call<'_>) -> Result<()> + Send>;

struct Hook {
    /// Number of the hook's next call, and the function to call.
    look: Mutex<(u64, Look)>,
    /// Thread on which the hook is currently running.
    at_work: Mutex<Option<ThreadId>>,
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook").field("at_work", &self.at_work).finish_non_exhaustive()
    }
}

/// Locks a mutex, also after a panic: only a hook's own state can be inconsistent then.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hooks {
    /// Returns a registry without modules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the point of the module `name`; repeated calls return handles to the same point.
    pub fn point(&self, name: &str) -> Point {
        let mut places = lock(&self.places);
        let place = places.entry(name.to_owned()).or_insert_with(|| {
            let (count, hooks) = (AtomicUsize::new(0), Mutex::default());
            Arc::new(Place { name: name.to_owned(), count, hooks })
        });
        Point { place: Arc::clone(place) }
    }

    /// Returns the names of all modules that have a point, sorted.
    pub fn modules(&self) -> Vec<String> {
        lock(&self.places).keys().cloned().collect()
    }

    /// Registers `hook` to be called after each `forward` of the module `name`, after all earlier hooks,
    /// until the handle is dropped. An error of the hook ends the `forward`.
    ///
    /// # Errors
    ///
    /// Fails if there is no module of that name; the error names the existing ones.
    pub fn register(
        &self,
        name: &str,
        hook: impl FnMut(&Call<'_>) -> Result<()> + Send + 'static,
    ) -> Result<Handle> {
        let place = lock(&self.places).get(name).cloned();
        let Some(place) = place else {
            let known = self.modules().join("`, `");
            bail!("there is no module `{name}` to look at; there are `{known}`")
        };
        let look = Mutex::new((0, Box::new(hook) as Look));
        let hook = Arc::new(Hook { look, at_work: Mutex::default() });
        place.change(|hooks| hooks.push(Arc::clone(&hook)));
        Ok(Handle { place, hook })
    }
}

impl Place {
    fn change(&self, change: impl FnOnce(&mut Vec<Arc<Hook>>)) {
        let mut hooks = lock(&self.hooks);
        change(&mut hooks);
        self.count.store(hooks.len(), Ordering::Release);
    }
}

impl Point {
    /// Returns the module's name.
    pub fn name(&self) -> &str {
        &self.place.name
    }

    /// Returns true if there are hooks; without hooks, values that are only reported need not be computed.
    pub fn is_watched(&self) -> bool {
        self.place.count.load(Ordering::Acquire) > 0
    }

    /// Reports inputs and outputs by name to each hook, in the order of registration.
    ///
    /// # Errors
    ///
    /// Returns the error of a hook; fails if a hook runs the module that it observes, which would not end.
    pub fn show(&self, inputs: &[(&str, &Tensor)], outputs: &[(&str, &Tensor)]) -> Result<()> {
        if !self.is_watched() {
            return Ok(());
        }
        // Use a copy of the list: a hook may remove itself or register another.
        let hooks = lock(&self.place.hooks).clone();
        hooks.iter().try_for_each(|hook| hook.call(&self.place.name, inputs, outputs))
    }
}

impl Hook {
    fn call(
        &self,
        module: &str,
        inputs: &[(&str, &Tensor)],
        outputs: &[(&str, &Tensor)],
    ) -> Result<()> {
        let here = Some(thread::current().id());
        if *lock(&self.at_work) == here {
            bail!(
                "a hook of the module `{module}` runs that module again, and would do so for ever"
            )
        }
        let mut look = lock(&self.look);
        let _working = Working::begin(&self.at_work);
        let (next, look) = &mut *look;
        let number = *next;
        *next += 1;
        look(&Call { module, number, inputs, outputs })
    }
}

/// Marks a hook as running on a thread until dropped, also if the hook panics.
struct Working<'a>(&'a Mutex<Option<ThreadId>>);

impl<'a> Working<'a> {
    fn begin(at: &'a Mutex<Option<ThreadId>>) -> Self {
        *lock(at) = Some(thread::current().id());
        Self(at)
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.place.change(|hooks| hooks.retain(|hook| !Arc::ptr_eq(hook, &self.hook)));
    }
}

impl<'a> Call<'a> {
    /// Returns the name of the called module.
    pub fn module(&self) -> &'a str {
        self.module
    }

    /// Returns the number of earlier calls of the hook.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the module's inputs, by name.
    pub fn inputs(&self) -> &'a [(&'a str, &'a Tensor)] {
        self.inputs
    }

    /// Returns the module's outputs, by name.
    pub fn outputs(&self) -> &'a [(&'a str, &'a Tensor)] {
        self.outputs
    }

    /// Returns the input `name`.
    ///
    /// # Errors
    ///
    /// Fails if the module reports no such input; the error names the existing ones.
    pub fn input(&self, name: &str) -> Result<&'a Tensor> {
        self.named(self.inputs, "input", name)
    }

    /// Returns the output `name`.
    ///
    /// # Errors
    ///
    /// Fails if the module reports no such output; the error names the existing ones.
    pub fn output(&self, name: &str) -> Result<&'a Tensor> {
        self.named(self.outputs, "output", name)
    }

    fn named(
        &self,
        all: &'a [(&'a str, &'a Tensor)],
        kind: &str,
        name: &str,
    ) -> Result<&'a Tensor> {
        if let Some(&(_, tensor)) = all.iter().find(|(other, _)| *other == name) {
            return Ok(tensor);
        }
        let shown: Vec<&str> = all.iter().map(|&(name, _)| name).collect();
        let (module, shown) = (self.module, shown.join("`, `"));
        bail!("the module `{module}` shows no {kind} `{name}`; it shows `{shown}`")
    }
}
