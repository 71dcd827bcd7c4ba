//! Work that was written apart is not reported.

use std::collections::{BTreeMap, BTreeSet};

use crate::similar::tests::disguise::{Disguise, Files, disguised};
use crate::similar::tests::sample::{
    ANYTHING, APART, assignments, material, names, only, reported, sample_class, solutions, with,
};
use crate::similar::{Class, Material, Pair, Threshold, compare};

/// The most that two files that were written apart have in common, in a class of two, in which nothing but the skeleton is
/// left out. `Threshold::MEASURED` is derived from these figures.
const LARGEST_SHARE: f64 = 0.26;
const LARGEST_PASSAGE: usize = 66;

/// Share of a solution's own lines that may be left in a variant that is a way of its own of writing the file. The others
/// are edits of the solution: most of a file is what it was.
const LEAST_LEFT: f64 = 0.3;

/// Lines of code that are not the skeleton's.
fn own_lines(text: &str, skeleton: &str) -> BTreeSet<String> {
    let lines = |text: &str| -> BTreeSet<String> {
        let lines = text.lines().map(str::trim).filter(|it| it.len() > 3 && !it.starts_with("//"));
        lines.map(str::to_owned).collect()
    };
    lines(text).difference(&lines(skeleton)).cloned().collect()
}

/// Two texts of a file that were written apart.
struct Apart {
    name: String,
    class: Class,
}

/// All pairs of variants that write a file in a way of their own, the solution among them, each as a class of two.
fn written_apart() -> Vec<Apart> {
    let mut all = Vec::new();
    for assignment in assignments() {
        let class = solutions(assignment);
        let solution = class.this_year[0].files.clone();
        for (path, text) in &solution {
            let own = own_lines(text, class.skeleton.get(path).map_or("", String::as_str));
            let is_own_way = |files: &Files| {
                let other: BTreeSet<&str> = files[path].lines().map(str::trim).collect();
                let left = own.iter().filter(|line| other.contains(line.as_str())).count();
                (left as f64) < LEAST_LEFT * own.len() as f64
            };
            let is_way = |it: &&Material| it.name == "solution" || is_own_way(&it.files);
            let ways: Vec<&Material> = class.this_year.iter().filter(is_way).collect();
            for (at, one) in ways.iter().enumerate() {
                for other in &ways[at + 1..] {
                    let file =
                        |files: &Files| BTreeMap::from([(path.clone(), files[path].clone())]);
                    let two =
                        [*one, *other].map(|it| material(&it.name.to_string(), &file(&it.files)));
                    let name = format!("{assignment}/{path}: {} and {}", one.name, other.name);
                    all.push(Apart {
                        name,
                        class: Class { this_year: two.to_vec(), ..class.clone() },
                    });
                }
            }
        }
    }
    all
}

/// The figures of a class of two.
fn figures(class: Class) -> Option<Pair> {
    compare(class, ANYTHING).pairs.pop()
}

#[test]
fn files_that_were_written_apart_stay_below_the_threshold() {
    let all = written_apart();
    assert_eq!(all.len(), 51);
    let (mut share, mut passage) = (0.0_f64, 0);
    for Apart { name, class } in all {
        if let Some(pair) = figures(class.clone()) {
            assert!(pair.share <= LARGEST_SHARE, "{name}: {}", pair.share);
            assert!(pair.longest() <= LARGEST_PASSAGE, "{name}: {}", pair.longest());
            (share, passage) = (share.max(pair.share), passage.max(pair.longest()));
        }
        assert_eq!(reported(class), [[""; 2]; 0], "{name}");
    }
    // The figures above are the measured ones, and not merely bounds.
    assert!(share > LARGEST_SHARE - 0.02 && passage == LARGEST_PASSAGE, "{share} {passage}");
    let measured = Threshold::MEASURED;
    assert!(measured.share > 1.5 * LARGEST_SHARE && measured.passage > 3 * LARGEST_PASSAGE / 2);
}

/// The solution and all variants of an assignment as a class: what they have from the solution is what the class shares.
#[test]
fn the_accepted_variants_of_an_assignment_are_a_class_without_a_pair() {
    for assignment in assignments() {
        let class = solutions(assignment);
        assert!(class.this_year.len() > 10, "{assignment}");
        assert_eq!(reported(class), [[""; 2]; 0], "{assignment}");
    }
}

/// `imani` has the multi-head attention of `amara`, and nobody else has.
#[test]
fn the_sample_class_has_one_pair() {
    let found = compare(sample_class(), Threshold::MEASURED);
    assert_eq!(names(&found), [["amara", "imani"]]);
    let longest = found.pairs[0].passages.iter().max_by_key(|it| it.tokens).unwrap();
    assert_eq!(found.members[found.pairs[0].one].path(&longest.one), "multi_head.rs");
    assert_eq!(longest.one, longest.other);
}

/// Everything beside that pair is far below the threshold, not just below it.
#[test]
fn the_rest_of_the_sample_class_is_far_below_the_threshold() {
    let found = compare(sample_class(), ANYTHING);
    assert!(found.pairs.len() > 5, "{}", found.pairs.len());
    for (names, pair) in names(&found).iter().zip(&found.pairs) {
        let (tokens, longest) = (pair.tokens, pair.longest());
        if *names != ["amara", "imani"] {
            let is_little = pair.share < 0.2 || tokens < 40;
            assert!(is_little && longest < 40, "{names:?}: {} {tokens} {longest}", pair.share);
        }
    }
}

#[test]
fn an_untouched_skeleton_matches_nobody() {
    for assignment in assignments() {
        let mut class = solutions(assignment);
        let skeleton = class.this_year[0]
            .files
            .keys()
            .map(|path| (path.clone(), class.skeleton[path].clone()))
            .collect::<Files>();
        let reworded = disguised(&skeleton, &[Disguise::Reworded]);
        class = with(class, &[("empty", &skeleton), ("empty-too", &reworded)]);
        let found = compare(class, ANYTHING);
        let of_nothing: Vec<_> = found.members.iter().filter(|it| it.own == 0).collect();
        assert!(of_nothing.iter().any(|it| it.name == "empty"), "{assignment}");
        for pair in names(&found) {
            assert!(!pair.iter().any(|name| name.starts_with("empty")), "{assignment}: {pair:?}");
        }
    }
}

/// A function that a lecture showed.
const SHOWN: &str = "
fn shown(values: &[f64], from: usize) -> Option<(usize, f64)> {
    let mut best = None;
    for (at, value) in values.iter().enumerate().skip(from) {
        match best {
            Some((_, most)) if most >= *value => continue,
            _ => best = Some((at, *value)),
        }
    }
    while let Some((at, value)) = best {
        if at % 2 == 0 { return Some((at, value)); }
        best = if at > 2 { Some((at - 1, value * 0.5)) } else { None };
    }
    best.map(|(at, value)| (at + 1, -value)).filter(|(at, _)| *at < values.len())
}
";

/// Sixteen submissions that were written apart, of which the first `having` hold a function that was shown.
fn with_shown(having: usize) -> Class {
    let class = solutions("attention");
    let mut members = Vec::new();
    for (at, it) in class.this_year.iter().enumerate().take(16) {
        let mut files = it.files.clone();
        if at < having {
            files.get_mut("pooling.rs").unwrap().push_str(SHOWN);
        }
        members.push(material(&it.name.to_string(), &files));
    }
    Class { this_year: members, ..class }
}

#[test]
fn a_passage_that_the_class_shares_does_not_count() {
    let pairs = |having: usize| reported(with_shown(having)).len();
    assert_eq!((pairs(0), pairs(1)), (0, 0));
    // Two, three and four of sixteen are found: each pair of them.
    assert_eq!((pairs(2), pairs(3), pairs(4)), (1, 3, 6));
    assert_eq!((pairs(5), pairs(16)), (0, 0));
}

/// Members written apart, in a class of four: only what they have from the solution is found.
#[test]
fn members_that_were_written_apart_are_not_reported() {
    let pairs = reported(only(&["bao", "mateo"]));
    assert_eq!(pairs, [[""; 2]; 0]);
    // The classifier and the pooling of these two are the solution's, almost to the letter.
    let pairs = reported(only(&APART));
    assert!(pairs.contains(&["amara".to_owned(), "dilnoza".to_owned()]), "{pairs:?}");
    assert!(!pairs.iter().any(|pair| pair.contains(&"bao".to_owned())), "{pairs:?}");
}
