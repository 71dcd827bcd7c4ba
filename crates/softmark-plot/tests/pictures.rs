//! Pictures show their data, are reproducible, and reject data that does not match.

#![expect(clippy::unwrap_used, reason = "a test's helpers")]

use std::fs;
use std::path::Path;

use softmark_plot::{
    Column, Picture, PlotError, Run, attention, comparison, confusion_matrix, training_curves,
};

fn curves() -> Picture {
    let run = |name: &str, rate: f64, best: f64| {
        let loss = |epoch: i32, floor: f64| floor + 1.2 * (-rate * f64::from(epoch)).exp();
        let accuracy = |epoch: i32, best: f64| best - 0.5 * (-rate * f64::from(epoch)).exp();
        Run {
            name: name.to_owned(),
            train_loss: (0..20).map(|epoch| loss(epoch, 0.05)).collect(),
            validation_loss: (0..20).map(|epoch| loss(epoch, 0.9 - 0.7 * best)).collect(),
            train_accuracy: (0..20).map(|epoch| accuracy(epoch, 0.99)).collect(),
            validation_accuracy: (0..20).map(|epoch| accuracy(epoch, best)).collect(),
        }
    };
    let runs = [
        run("post-norm, learning rate 1e-3", 0.25, 0.95),
        run("pre-norm, learning rate 1e-3", 0.4, 0.87),
        run("pre-norm, learning rate 1e-4", 0.08, 0.8),
        run("no positions", 0.15, 0.7),
        run("no residual", 0.05, 0.62),
        run("bag of words", 0.2, 0.55),
    ];
    training_curves("Question classes, 20 epochs", &runs).unwrap()
}

fn bars() -> Picture {
    let configurations =
        ["base", "learning rate 1e-5", "four heads, two layers", "dropout 0.3", "no warm-up"];
    let columns = [
        Column { name: "published".into(), values: vec![0.7765, 0.4664, 0.8682, 0.8217, 0.6047] },
        Column { name: "here".into(), values: vec![0.7801, 0.4512, 0.8711, f64::NAN, 0.6122] },
    ];
    comparison("Best validation accuracy", &configurations, &columns).unwrap()
}

fn matrix() -> Picture {
    let classes = ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"];
    let counts: [&[usize]; 6] = [
        &[8, 1, 0, 0, 0, 0],
        &[1, 120, 9, 2, 4, 2],
        &[0, 14, 70, 5, 3, 2],
        &[0, 1, 3, 60, 1, 0],
        &[0, 2, 4, 1, 73, 1],
        &[0, 3, 2, 0, 1, 107],
    ];
    confusion_matrix("TREC, six coarse classes", &counts, &classes).unwrap()
}

fn heat() -> Picture {
    let tokens = ["[CLS]", "what", "is", "the", "capital", "of", "<b>&\"Peru\"", "?\n", "[PAD]"];
    let weight = |query: usize, key: usize| {
        let near = (-(query.abs_diff(key) as f64)).exp();
        if key == 8 {
            0.0
        } else {
            near / (0..8).map(|k| (-(query.abs_diff(k) as f64)).exp()).sum::<f64>()
        }
    };
    let weights: Vec<Vec<f64>> =
        (0..9).map(|query| (0..9).map(|key| weight(query, key)).collect()).collect();
    let rows: Vec<&[f64]> = weights.iter().map(Vec::as_slice).collect();
    attention("Layer 1, head 2", &rows, &tokens, &tokens).unwrap()
}

fn all() -> [(&'static str, Picture); 4] {
    [("curves", curves()), ("comparison", bars()), ("confusion", matrix()), ("attention", heat())]
}

/// `SOFTMARK_PICTURES=DIR cargo test -p softmark-plot` writes the pictures to DIR for inspection.
#[test]
#[expect(clippy::disallowed_methods, reason = "where to leave pictures is for whoever runs this")]
fn a_picture_is_the_same_each_time_and_both_formats_are_whole() {
    let again = all();
    for ((name, picture), (_, other)) in all().into_iter().zip(again) {
        assert_eq!(picture, other, "{name}");
        let png = picture.png(1.0).unwrap();
        assert_eq!(png, other.png(1.0).unwrap(), "{name}");
        assert!(png.starts_with(b"\x89PNG") && png.len() > 5_000, "{name}: {} bytes", png.len());
        assert!(picture.svg().trim_end().ends_with("</svg>"), "{name}");
        if let Ok(folder) = std::env::var("SOFTMARK_PICTURES") {
            let path = Path::new(&folder).join(name);
            fs::write(path.with_extension("svg"), picture.svg()).unwrap();
            fs::write(path.with_extension("png"), picture.png(1.5).unwrap()).unwrap();
        }
    }
}

#[test]
fn what_is_given_is_what_is_written() {
    let shows = |picture: &Picture, text: &str| {
        assert!(picture.svg().contains(text), "`{text}` is not in the picture");
    };
    for text in ["no residual", "epoch", "loss", "accuracy", "validation", "training"] {
        shows(&curves(), text);
    }
    for text in ["0.8711", "0.6047", "no number", "four heads, two layers", "published"] {
        shows(&bars(), text);
    }
    for text in ["ENTY", "120", "prediction", "label"] {
        shows(&matrix(), text);
    }
    // Tokens are escaped as text.
    shows(&heat(), "&lt;b&gt;&amp;&quot;Peru&quot;");
    shows(&heat(), "?\u{fffd}");
    assert!(!heat().svg().contains("<b>"));
}

#[test]
fn a_number_that_is_none_leaves_a_gap_and_no_fault() {
    let run = Run {
        name: "diverged".into(),
        train_loss: vec![1.0, f64::NAN, f64::INFINITY, 0.5],
        validation_loss: vec![f64::NAN; 4],
        ..Run::default()
    };
    assert!(training_curves("gap", &[run]).unwrap().png(1.0).is_ok());
    let once = Run { name: "one".into(), train_loss: vec![0.0], ..Run::default() };
    assert!(training_curves("one epoch", &[once]).unwrap().png(1.0).is_ok());
    let weights: [&[f64]; 1] = [&[f64::NAN, 1.0]];
    assert!(attention("NaN", &weights, &["a"], &["a", "b"]).unwrap().svg().contains("NaN"));
}

#[test]
fn what_does_not_fit_is_named() {
    let empty = training_curves("nothing", &[]).unwrap_err();
    assert_eq!(empty.to_string(), "there is nothing to draw: no run has an epoch with a number");
    let columns = [Column { name: "ours".into(), values: vec![0.5] }];
    let error = comparison("x", &["a", "b"], &columns).unwrap_err();
    assert_eq!(error.to_string(), "numbers in `ours`: 1 where 2 are needed");
    let error = confusion_matrix("x", &[&[1, 2], &[3]], &["a", "b"]).unwrap_err();
    assert_eq!(error.to_string(), "counts in row 1: 1 where 2 are needed");
    let error = attention("x", &[&[0.5, 0.5]], &["a"], &["a"]).unwrap_err();
    assert_eq!(error, PlotError::Shape { what: "weights in row 0".into(), got: 2, wanted: 1 });
    assert!(bars().png(0.0).is_err() && bars().png(f32::NAN).is_err() && bars().png(1e9).is_err());
}
