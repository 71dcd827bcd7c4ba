//! The lab `imdb` on generated reviews and vectors.

use std::fs;
use std::path::Path;

use softmark_kit::rng::Stream;
use softmark_labs::Arguments;
use softmark_labs::imdb::run;

use crate::support::{check_page, results, text, write};

const OWN: [(&str, u32, [&str; 2]); 2] =
    [("neg", 2, ["dull", "boring"]), ("pos", 9, ["fine", "moving"])];

/// Writes 30 reviews of each class for training and 10 for testing.
fn reviews(data: &Path) {
    let mut stream = Stream::derive(1, "reviews", 0);
    for (part, count) in [("train", 30), ("test", 10)] {
        for (class, stars, own) in OWN {
            for id in 0..count {
                let path =
                    data.join("aclImdb").join(part).join(class).join(format!("{id}_{stars}.txt"));
                write(&path, &format!("{}<br />end", text(&own, 10, &mut stream)));
            }
        }
    }
}

/// Writes vectors of some of the words: all positive for `fine`, all negative for `dull`.
fn vectors(path: &Path) {
    let line = |word: &str, value: f64| format!("{word}{}\n", format!(" {value}").repeat(50));
    write(
        path,
        &[line("fine", 0.5), line("dull", -0.5), line("the", 0.1), line("other", 0.2)].concat(),
    );
}

fn arguments(data: &Path, out: &Path) -> Arguments {
    Arguments { epochs: Some(2), ..Arguments::new(data, out) }
}

#[test]
fn frozen_vectors_are_no_parameters_and_the_data_is_counted() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    reviews(data.path());
    vectors(&data.path().join("glove.6B.50d/glove.6B.50d.first2446.txt"));
    run(&arguments(data.path(), out.path())).unwrap();
    let found = results(out.path());
    let parameters = |run: usize| found["runs"][run]["parameters"].as_u64().unwrap();
    // Six layers and a head; the vocabulary is [PAD], [UNK], six common words, four own ones and `end`.
    assert_eq!(parameters(0), 6 * (4 * 2550 + 50 * 100 + 100 + 100 * 50 + 50 + 200) + 102);
    assert_eq!(parameters(0), parameters(2));
    assert_eq!(parameters(1), parameters(0) + 13 * 50);
    assert_eq!(parameters(4), 13 * 50 + 102, "the baseline has no layers");
    let texts = format!("{}", found["data"]);
    assert!(
        texts.contains("80 of the 50000 published reviews were found: 48 for training, 12 for"),
        "{texts}"
    );
    assert!(texts.contains("4 of the 400000 published GloVe words were found"), "{texts}");
    assert!(texts.contains("Of the vocabulary of 13 words, 3 have a vector"), "{texts}");
    check_page(out.path());
    // The same command gives the same bytes, and saved runs those of a first start.
    let again = tempfile::tempdir().unwrap();
    run(&arguments(data.path(), again.path())).unwrap();
    run(&arguments(data.path(), out.path())).unwrap();
    let read = |folder: &Path| fs::read(folder.join("results.json")).unwrap();
    assert_eq!(read(out.path()), read(again.path()));
}

#[test]
fn the_complete_file_of_vectors_is_preferred_and_other_vectors_are_trained_anew() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    reviews(data.path());
    let arguments = Arguments { epochs: Some(1), ..arguments(data.path(), out.path()) };
    let error = format!("{:#}", run(&arguments).unwrap_err());
    assert!(
        error.contains("there is no GloVe file, such as glove.6B.50d/glove.6B.50d.txt"),
        "{error}"
    );
    vectors(&data.path().join("glove.6B.50d/glove.6B.50d.first2446.txt"));
    run(&arguments).unwrap();
    let key = || results(out.path())["runs"][0]["key"].as_str().unwrap().to_owned();
    let first = key();
    let line = |word: &str| format!("{word}{}\n", " 0.25".repeat(50));
    write(&data.path().join("glove.6B.50d/glove.6B.50d.txt"), &line("moving"));
    run(&arguments).unwrap();
    assert_ne!(key(), first);
    let texts = format!("{}", results(out.path())["data"]);
    assert!(texts.contains(
        "1 of the 400000 published GloVe words were found, in glove.6B.50d/glove.6B.50d.txt"
    ));
}
