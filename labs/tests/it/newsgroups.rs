//! The lab `newsgroups` on generated posts.

use std::fs;
use std::path::Path;

use softmark_kit::rng::Stream;
use softmark_labs::Arguments;
use softmark_labs::newsgroups::{GROUPS, Posts, run};

use crate::support::{check_page, results, same_bytes_twice, text, write};

/// Writes 15 posts per group, in two folders.
fn posts(data: &Path) {
    let words = [["pixel", "render"], ["puck", "goalie"], ["orbit", "shuttle"], ["rifle", "law"]];
    let mut stream = Stream::derive(1, "posts", 0);
    for (group, own) in GROUPS.iter().zip(&words) {
        for number in 0..15 {
            let part = if number < 10 { "20news-bydate-train" } else { "20news-bydate-test" };
            let post = format!("From: a@b\nSubject: c\n\n{}\n", text(own, 12, &mut stream));
            write(
                &data.join("20news-bydate").join(part).join(group).join(number.to_string()),
                &post,
            );
        }
    }
}

#[test]
fn a_short_run_gives_the_same_bytes_twice() {
    let data = tempfile::tempdir().unwrap();
    posts(data.path());
    let short = |folder: &Path| {
        let arguments = Arguments { epochs: Some(2), ..Arguments::new(data.path(), folder) };
        run(&arguments, Posts::Whole).unwrap();
    };
    let out = same_bytes_twice(short);
    let found = results(out.path());
    assert_eq!(found["lab"], "newsgroups");
    assert_eq!(found["figures"].as_array().unwrap().len(), 6);
    assert_eq!(found["figures"][5]["published"], 0.8191);
    assert_eq!(found["runs"].as_array().unwrap().len(), 5);
    let rows = found["runs"][2]["test"]["confusion"].as_array().unwrap();
    let sum: u64 =
        rows.iter().flat_map(|row| row.as_array().unwrap()).map(|it| it.as_u64().unwrap()).sum();
    assert_eq!(sum, 12, "a fifth of the posts");
    let page = check_page(out.path());
    assert!(page.contains("60 posts of both folders, as whole posts") && page.contains("0.8191"));
    // A later start trains nothing and writes the same.
    let before = fs::read(out.path().join("results.json")).unwrap();
    short(out.path());
    assert_eq!(fs::read(out.path().join("results.json")).unwrap(), before);
}

#[test]
fn missing_data_is_an_error_that_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let error = run(&Arguments::new(folder.path(), folder.path()), Posts::Whole).unwrap_err();
    assert!(format!("{error:#}").contains("20news-bydate"), "{error:#}");
}
