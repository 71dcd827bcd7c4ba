//! Hooks: order and lifetime of their calls, and that they change nothing.

#![expect(clippy::unwrap_used, reason = "a test's helpers")]

use std::sync::{Arc, Mutex};

use softmark_kit::hooks::{AttentionRecorder, Handle, Hooks, Point};
use softmark_kit::init::Parameters;
use softmark_kit::nn::{Linear, linear};
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::prelude::*;

/// A linear layer that supports hooks.
struct Watched {
    layer: Linear,
    point: Point,
}

impl Watched {
    fn new(parameters: &Parameters, hooks: &Hooks) -> Self {
        let layer = linear(3, 2, parameters.builder().pp("layer")).unwrap();
        Self { layer, point: hooks.point("layer") }
    }
}

impl Module for Watched {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let y = self.layer.forward(x)?;
        self.point.show(&[("x", x)], &[("y", &y)])?;
        Ok(y)
    }
}

fn ones() -> Tensor {
    Tensor::ones((4, 3), DType::F32, &Device::Cpu).unwrap()
}

fn numbers(x: &Tensor) -> Vec<f32> {
    x.flatten_all().unwrap().to_vec1().unwrap()
}

/// Registers a hook that records its name and the number of the call.
fn noting(hooks: &Hooks, name: &'static str, notes: &Arc<Mutex<Vec<String>>>) -> Handle {
    let notes = Arc::clone(notes);
    let look = move |call: &softmark_kit::hooks::Call<'_>| {
        notes.lock().unwrap().push(format!("{name} {} {}", call.module(), call.number()));
        Ok(())
    };
    hooks.register("layer", look).unwrap()
}

#[test]
fn hooks_are_called_in_order_until_their_handles_go() {
    let hooks = Hooks::new();
    let model = Watched::new(&Parameters::new(1, &Device::Cpu), &hooks);
    let notes = Arc::default();
    assert!(!model.point.is_watched());
    model.forward(&ones()).unwrap();
    let first = noting(&hooks, "first", &notes);
    let second = noting(&hooks, "second", &notes);
    assert!(model.point.is_watched());
    model.forward(&ones()).unwrap();
    drop(first);
    model.forward(&ones()).unwrap();
    let third = noting(&hooks, "third", &notes);
    model.forward(&ones()).unwrap();
    drop((second, third));
    model.forward(&ones()).unwrap();
    assert!(!model.point.is_watched());
    let want =
        ["first layer 0", "second layer 0", "second layer 1", "second layer 2", "third layer 0"];
    assert_eq!(*notes.lock().unwrap(), want);
}

#[test]
fn a_hook_sees_the_tensors_themselves() {
    let hooks = Hooks::new();
    let model = Watched::new(&Parameters::new(1, &Device::Cpu), &hooks);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let _handle = hooks
        .register("layer", move |call| {
            keep.lock().unwrap().push((call.input("x")?.clone(), call.output("y")?.clone()));
            Ok(())
        })
        .unwrap();
    let (x, y) = (ones(), model.forward(&ones()).unwrap());
    let seen = seen.lock().unwrap();
    let (input, output) = &seen[0];
    assert_eq!((numbers(input), numbers(output)), (numbers(&x), numbers(&y)));
    // In training the tensors have a gradient history; a hook that keeps one must detach it.
    assert!(output.track_op() && !input.track_op());
}

/// Returns the weights after some steps.
fn trained(hooks: &Hooks, model: &Watched, parameters: &Parameters) -> Vec<f32> {
    assert_eq!(hooks.modules(), ["layer"]);
    let mut optimizer = Optimizer::new(Rule::ADAM, 0.0);
    for _ in 0..5 {
        let loss = model.forward(&ones()).unwrap().sqr().unwrap().sum_all().unwrap();
        optimizer.step(&parameters.vars(), &loss.backward().unwrap(), 0.1).unwrap();
    }
    parameters.vars().values().flat_map(|var| numbers(var)).collect()
}

#[test]
fn training_has_the_same_bits_with_a_hook_and_without() {
    let run = |watch: bool| {
        let (hooks, parameters) = (Hooks::new(), Parameters::new(1, &Device::Cpu));
        let model = Watched::new(&parameters, &hooks);
        let calls = Arc::default();
        let handle = watch.then(|| noting(&hooks, "a", &calls));
        let weights = trained(&hooks, &model, &parameters);
        drop(handle);
        assert_eq!(calls.lock().unwrap().len(), if watch { 5 } else { 0 });
        weights
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn an_error_of_a_hook_ends_the_forward() {
    let hooks = Hooks::new();
    let model = Watched::new(&Parameters::new(1, &Device::Cpu), &hooks);
    let handle = hooks.register("layer", |call| call.output("z").map(|_| ())).unwrap();
    let error = model.forward(&ones()).unwrap_err().to_string();
    assert!(error.contains("the module `layer` shows no output `z`; it shows `y`"), "{error}");
    drop(handle);
    model.forward(&ones()).unwrap();
}

#[test]
fn what_is_not_there_cannot_be_looked_at() {
    let hooks = Hooks::new();
    let (_a, _b) = (hooks.point("a"), hooks.point("b"));
    let error = hooks.register("c", |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("no module `c`") && error.contains("`a`, `b`"), "{error}");
}

#[test]
fn a_hook_that_runs_its_own_module_is_told() {
    let hooks = Hooks::new();
    let model = Arc::new(Watched::new(&Parameters::new(1, &Device::Cpu), &hooks));
    let again = Arc::downgrade(&model);
    let _handle = hooks
        .register("layer", move |call| {
            again.upgrade().unwrap().forward(call.input("x")?).map(|_| ())
        })
        .unwrap();
    let error = model.forward(&ones()).unwrap_err().to_string();
    assert!(error.contains("runs that module again"), "{error}");
}

#[test]
fn a_hook_may_register_another() {
    let hooks = Hooks::new();
    let model = Watched::new(&Parameters::new(1, &Device::Cpu), &hooks);
    let (notes, handles) = (Arc::default(), Arc::new(Mutex::new(Vec::new())));
    let (inside, put, others) = (hooks.clone(), Arc::clone(&handles), Arc::clone(&notes));
    let handle = hooks.register("layer", move |call| {
        if call.number() == 0 {
            put.lock().unwrap().push(noting(&inside, "inner", &others));
        }
        Ok(())
    });
    let _handle = handle.unwrap();
    model.forward(&ones()).unwrap();
    assert!(notes.lock().unwrap().is_empty(), "it is called from the next forward on");
    model.forward(&ones()).unwrap();
    assert_eq!(*notes.lock().unwrap(), ["inner layer 0"]);
    handles.lock().unwrap().clear();
}

#[test]
fn threads_wait_for_one_another() {
    let hooks = Hooks::new();
    let model = Watched::new(&Parameters::new(1, &Device::Cpu), &hooks);
    let notes = Arc::default();
    let _handle = noting(&hooks, "a", &notes);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..25).for_each(|_| drop(model.forward(&ones()).unwrap())));
        }
    });
    let want: Vec<String> = (0..100).map(|n| format!("a layer {n}")).collect();
    assert_eq!(*notes.lock().unwrap(), want);
}

#[test]
fn a_recorder_keeps_what_it_has_room_for() {
    let hooks = Hooks::new();
    let (a, b) = (hooks.point("a"), hooks.point("b"));
    let of = |x: f32| Tensor::full(x, (1, 2, 3, 3), &Device::Cpu).unwrap(); // 72 bytes
    let mut recorder = AttentionRecorder::new(3 * 72);
    recorder.watch(&hooks, "a").unwrap();
    recorder.watch(&hooks, "b").unwrap();
    let show = |point: &Point, x| point.show(&[], &[("weights", &of(x))]).unwrap();
    for (point, x) in [(&a, 1.0), (&b, 2.0), (&a, 3.0), (&b, 4.0), (&a, 5.0)] {
        show(point, x);
    }
    let told: Vec<_> = recorder.records().iter().map(|it| (it.module.clone(), it.call)).collect();
    let want = [("a", 0), ("b", 0), ("a", 1)].map(|(module, call)| (module.to_owned(), call));
    assert_eq!((told, recorder.left_out()), (want.to_vec(), 2));
    assert_eq!(numbers(&recorder.records()[2].head(1).unwrap()), [3.0; 9]);
    assert!(recorder.records()[0].head(2).is_err());
    drop(recorder);
    assert!(!a.is_watched() && !b.is_watched());
}
