//! Posts without headers, footers and quotes, compared with scikit-learn's own functions.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use softmark_data::newsgroups::{self, Removed, strip_footer, strip_header, strip_quoting};

use crate::support::{assert_published, data, hex, sha256};

/// Output of `golden/newsgroups.py`.
const GOLDEN: &str = include_str!("../golden/newsgroups.txt");

const GROUPS: [&str; 4] = ["comp.graphics", "rec.sport.hockey", "sci.space", "talk.politics.guns"];

/// Returns a line of the script's output without the folder and the part.
fn line(root: &Path, folder: &str, strip: &dyn Fn(&str) -> String) -> String {
    let mut paths: Vec<_> =
        fs::read_dir(root.join(folder)).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let (mut digest, mut empty) = (Sha256::new(), 0);
    for path in &paths {
        let stripped = strip(&softmark_data::decode::latin1(&fs::read(path).unwrap()));
        digest.update(format!("{}:{stripped}", stripped.len()));
        empty += usize::from(stripped.trim().is_empty());
    }
    format!("{} {empty} {}", paths.len(), hex(&digest.finalize()))
}

#[test]
fn stripping_does_to_every_post_what_scikit_learn_does() {
    let script = sha256(include_bytes!("../golden/newsgroups.py"));
    assert!(GOLDEN.starts_with(&format!("# scikit-learn 1.9.1, script {script}\n")), "{script}");
    let Some(data) = data() else { return };
    let root = data.join("20news-bydate");
    let mut compared = 0;
    for golden in GOLDEN.lines().skip(1) {
        let (folder, rest) = golden.split_once(' ').unwrap();
        let (part, want) = rest.split_once(' ').unwrap();
        let strip: &dyn Fn(&str) -> String = match part {
            "header" => &|post| strip_header(post).to_owned(),
            "footer" => &|post| strip_footer(post).to_owned(),
            "quoting" => &strip_quoting,
            "all" => &|post| Removed::ALL.strip(post),
            other => panic!("{other}"),
        };
        assert_eq!(line(&root, folder, strip), want, "{folder} {part}");
        compared += 1;
    }
    assert_eq!(compared, 2 * GROUPS.len() * 4);
}

#[test]
fn the_four_groups_have_the_known_counts() {
    let Some(data) = data() else { return };
    assert_published(&data, "20news-bydate/");
    let read = |part: &str, removed| {
        newsgroups::read(&data.join("20news-bydate").join(part), &GROUPS, removed).unwrap()
    };
    let train = read("20news-bydate-train", Removed::ALL);
    let test = read("20news-bydate-test", Removed::ALL);
    let sizes = |it: &softmark_data::TextDataset| -> Vec<usize> {
        it.counts().into_iter().map(|(_, count)| count).collect()
    };
    assert_eq!(sizes(&train), [584, 600, 593, 546]);
    assert_eq!(sizes(&test), [389, 399, 394, 364]);
    let all = train.joined(test).unwrap();
    assert_eq!(all.len(), 3869);
    let (kept, blank) = all.without_blank().unwrap();
    assert_eq!((kept.len(), blank), (3869 - BLANK, BLANK));
    let whole = read("20news-bydate-train", Removed::NOTHING);
    assert!(whole.texts().all(|text| text.contains("Subject: ")));
}

/// Number of posts that contain nothing but headers, footers and quotes.
const BLANK: usize = 98;
