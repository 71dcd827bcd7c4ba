//! Forward hooks: what a module is given and what it returns, shown to whoever asked to see it.
//!
//! A model gets one [`Hooks`], and each module that can be looked at a [`Point`] of it with a name.
//! While nobody looks, a point costs one read of a number. A hook sees tensors as they are, in
//! training with the graph that made them: it changes no gradient and no bit, but a tensor that it
//! keeps keeps the whole graph of that step in memory. Keep [`detach`](Tensor::detach)ed ones, as
//! [`AttentionRecorder`] does.
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

/// Where the hooks of a model are registered. A clone is another handle to the same.
#[derive(Debug, Clone, Default)]
pub struct Hooks {
    places: Arc<Mutex<BTreeMap<String, Arc<Place>>>>,
}

/// A module's own end of its hooks: it shows here what it was given and what it returns.
#[derive(Debug, Clone)]
pub struct Point {
    place: Arc<Place>,
}

/// A registered hook; it is removed when this is dropped.
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

/// A module, and who looks at it.
#[derive(Debug)]
struct Place {
    name: String,
    /// How many hooks there are, to be read without a lock.
    count: AtomicUsize,
    hooks: Mutex<Vec<Arc<Hook>>>,
}

/// What is called after a `forward`.
type Look = Box<dyn FnMut(&Call<'_>) -> Result<()> + Send>;

struct Hook {
    /// The number of its next call, and what is called.
    look: Mutex<(u64, Look)>,
    /// The thread on which it is being called.
    at_work: Mutex<Option<ThreadId>>,
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook").field("at_work", &self.at_work).finish_non_exhaustive()
    }
}

/// What a hook's panic left half done is the hook's own.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hooks {
    /// Without a module.
    pub fn new() -> Self {
        Self::default()
    }

    /// The point of the module `name`; asking again gives another end of the same.
    pub fn point(&self, name: &str) -> Point {
        let mut places = lock(&self.places);
        let place = places.entry(name.to_owned()).or_insert_with(|| {
            let (count, hooks) = (AtomicUsize::new(0), Mutex::default());
            Arc::new(Place { name: name.to_owned(), count, hooks })
        });
        Point { place: Arc::clone(place) }
    }

    /// The names of all modules that have a point, in their order.
    pub fn modules(&self) -> Vec<String> {
        lock(&self.places).keys().cloned().collect()
    }

    /// Has `hook` called after each `forward` of the module `name`, after the hooks that are there
    /// already, until the handle is dropped. An error that it returns ends the `forward`.
    ///
    /// # Errors
    ///
    /// When there is no module of that name; the error names those that there are.
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
    /// The module's name.
    pub fn name(&self) -> &str {
        &self.place.name
    }

    /// Whether anybody looks: what is computed only to be shown need not be, where nobody does.
    pub fn is_watched(&self) -> bool {
        self.place.count.load(Ordering::Acquire) > 0
    }

    /// Shows what went in and what came out, by name, to each hook in the order in which they were
    /// registered.
    ///
    /// # Errors
    ///
    /// What a hook returns; and when one runs the module that it looks at, which would not end.
    pub fn show(&self, inputs: &[(&str, &Tensor)], outputs: &[(&str, &Tensor)]) -> Result<()> {
        if !self.is_watched() {
            return Ok(());
        }
        // Of the hooks as they are now: one may remove itself, or register another.
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

/// Says on which thread a hook is at work, until it is dropped: also when the hook panics.
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
    /// The module that was called.
    pub fn module(&self) -> &'a str {
        self.module
    }

    /// How often the hook was called before.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What the module was given, by name.
    pub fn inputs(&self) -> &'a [(&'a str, &'a Tensor)] {
        self.inputs
    }

    /// What it returns, by name.
    pub fn outputs(&self) -> &'a [(&'a str, &'a Tensor)] {
        self.outputs
    }

    /// The input of that name.
    ///
    /// # Errors
    ///
    /// When the module shows none; the error names those that it shows.
    pub fn input(&self, name: &str) -> Result<&'a Tensor> {
        self.named(self.inputs, "input", name)
    }

    /// The output of that name.
    ///
    /// # Errors
    ///
    /// When the module shows none; the error names those that it shows.
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
