//! Copies are found, whatever was done to their text.

use std::collections::BTreeSet;

use crate::similar::tests::disguise::{Disguise, disguised};
use crate::similar::tests::sample::{
    ANYTHING, APART, files, names, only, reported, sample_class, with,
};
use crate::similar::{Threshold, compare};

/// Least share of a copy in all disguises. So the threshold leaves room for a copy of which half was written anew.
const LEAST_OF_A_COPY: f64 = 0.8;

/// Each disguise of each member that is complete, in a class of five whose members were written apart.
#[test]
fn a_copy_in_any_disguise_is_at_the_top() {
    let ways: Vec<Vec<Disguise>> = [vec![], Disguise::ALL.to_vec()]
        .into_iter()
        .chain(Disguise::ALL.map(|one| vec![one]))
        .collect();
    for copied in APART {
        for disguises in &ways {
            let class = only(&APART);
            let copy = disguised(files(&class, copied), disguises);
            let found = compare(with(class, &[("zoe", &copy)]), Threshold::MEASURED);
            let pairs = names(&found);
            assert_eq!(pairs[0], [copied, "zoe"], "{disguises:?}");
            let share = found.pairs[0].share;
            assert!(share > LEAST_OF_A_COPY, "{copied} {disguises:?}: {share}");
            if disguises.is_empty() {
                assert_eq!(share, 1.0, "{copied}");
            }
        }
    }
}

/// In the whole sample class, with what its members share left out.
#[test]
fn a_copy_stands_out_of_a_class_that_shares_much() {
    for copied in ["mateo", "amara"] {
        let class = sample_class();
        let copy = disguised(files(&class, copied), &Disguise::ALL);
        let pairs = reported(with(class, &[("zoe", &copy)]));
        assert_eq!(pairs[0], [copied, "zoe"]);
    }
}

/// A function alone is found by its length, not by its share.
#[test]
fn a_copied_file_in_other_work_is_found() {
    let class = only(&["bao", "mateo"]);
    let mut copy = files(&class, "mateo").clone();
    let part = disguised(files(&class, "bao"), &[Disguise::Renamed, Disguise::Reworded]);
    copy.insert("attention.rs".to_owned(), part["attention.rs"].clone());
    let found = compare(with(class, &[("zoe", &copy)]), Threshold::MEASURED);
    let pairs = names(&found);
    assert_eq!(pairs[0], ["mateo", "zoe"]);
    assert_eq!(pairs[1], ["bao", "zoe"]);
    assert!(found.pairs[1].longest() >= Threshold::MEASURED.passage);
    let places: BTreeSet<&str> = found.pairs[1]
        .passages
        .iter()
        .filter(|passage| passage.tokens >= Threshold::MEASURED.passage)
        .map(|passage| found.members[found.pairs[1].other].path(&passage.other))
        .collect();
    assert_eq!(places, BTreeSet::from(["attention.rs"]));
}

/// Code that was moved to another file is the same code.
#[test]
fn a_copy_with_its_code_in_other_files_is_found() {
    let class = only(&APART);
    let mut copy = disguised(files(&class, "mateo"), &Disguise::ALL);
    let moved = copy.insert("pooling.rs".to_owned(), String::new()).unwrap();
    copy.get_mut("attention.rs").unwrap().push_str(&moved);
    let found = compare(with(class, &[("zoe", &copy)]), Threshold::MEASURED);
    assert_eq!(names(&found)[0], ["mateo", "zoe"]);
    assert!(found.pairs[0].share > LEAST_OF_A_COPY);
}

/// The lines of a passage are those that a person would mark.
#[test]
fn passages_are_the_lines_that_were_copied() {
    let class = only(&["bao", "mateo"]);
    let mateo = files(&class, "mateo")["pooling.rs"].clone();
    let mut copy = files(&class, "bao").clone();
    // Behind twenty lines of comments, under names of its own.
    let part = disguised(&[("pooling.rs".to_owned(), mateo)].into(), &[Disguise::Renamed]);
    copy.insert("pooling.rs".to_owned(), format!("{}{}", "//\n".repeat(20), part["pooling.rs"]));
    let found = compare(with(only(&["mateo"]), &[("zoe", &copy)]), Threshold::MEASURED);
    let longest = found.pairs[0].passages.iter().max_by_key(|it| it.tokens).unwrap();
    assert_eq!(found.members[0].path(&longest.one), "pooling.rs");
    assert_eq!(longest.one.first + 20, longest.other.first);
    assert_eq!(longest.one.last + 20, longest.other.last);
    assert!(longest.one.last - longest.one.first > 20, "{longest:?}");
}

/// Nothing depends on the order in which submissions are read.
#[test]
fn the_order_of_the_class_changes_no_figure() {
    let figures = |class| {
        let found = compare(class, ANYTHING);
        let mut figures: Vec<_> = names(&found)
            .into_iter()
            .zip(&found.pairs)
            .map(|(mut names, pair)| {
                names.sort();
                (names, pair.matching, pair.share.to_bits(), pair.tokens, pair.longest())
            })
            .collect();
        figures.sort();
        figures
    };
    let mut turned = sample_class();
    turned.this_year.reverse();
    assert_eq!(figures(sample_class()), figures(turned));
}
