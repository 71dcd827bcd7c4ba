//! Training gives the same bits in two processes and for any number of threads.

#![expect(clippy::unwrap_used, reason = "a test's helpers")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::checkpoint::save_weights;
use softmark_kit::train::{Recipe, fit};
use support::{bits, examples, tiny};
use tempfile::TempDir;

mod support;

/// Environment variable with the path to which a child process writes its weights.
const TO: &str = "SOFTMARK_TEST_WEIGHTS";

/// Trains a model that is wide enough for matrix products to be shared among threads.
fn train(to: &Path) {
    let (parameters, model) = tiny(1, 96, 0.1);
    let recipe = Recipe {
        epochs: 2,
        batch_size: 32,
        learning_rate: 0.01,
        schedule: Schedule::linear(0.1),
        clip_norm: Some(0.5),
        ..Recipe::default()
    };
    let before = bits(&parameters.vars());
    fit(&model, &parameters.vars(), &examples(160, 1), Some(&examples(40, 2)), &recipe, &mut ())
        .unwrap();
    assert_ne!(bits(&parameters.vars()), before);
    save_weights(to, &parameters.vars(), &json!({})).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a process of its own is what is tested")]
fn elsewhere(threads: &str, to: &Path) -> Vec<u8> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "any_process_and_any_number_of_threads_trains_to_the_same_bits"])
        .env("RAYON_NUM_THREADS", threads)
        .env(TO, to)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    fs::read(to).unwrap()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how this test tells its own child what to do")]
fn any_process_and_any_number_of_threads_trains_to_the_same_bits() {
    if let Ok(to) = std::env::var(TO) {
        return train(Path::new(&to));
    }
    let folder = TempDir::new().unwrap();
    let to = |name: &str| folder.path().join(name);
    let one = elsewhere("1", &to("one"));
    assert!(one == elsewhere("1", &to("again")), "one thread, twice");
    assert!(one == elsewhere("2", &to("two")), "one thread and two");
    assert!(one == elsewhere("3", &to("three")), "one thread and three");
}
