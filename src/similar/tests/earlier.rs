//! Earlier years are compared with this one, and not with each other; nor are submissions of one team.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::similar::tests::disguise::{Disguise, disguised};
use crate::similar::tests::sample::{files, material, names, only, read_at, reported};
use crate::similar::{Material, Threshold, compare};

#[test]
fn a_copy_from_an_earlier_year_is_found() {
    let mut class = only(&["amara", "bao"]);
    let mateo = only(&["mateo"]);
    let copy = disguised(files(&mateo, "mateo"), &Disguise::ALL);
    class.this_year.push(material("zoe", &copy));
    class.earlier.insert(PathBuf::from("2025"), mateo.this_year);
    let found = compare(class, Threshold::MEASURED);
    assert_eq!(names(&found), [["zoe", "mateo"]]);
    assert!(found.members[found.pairs[0].other].is_earlier);
    assert_eq!((found.class_size(), found.compared()), (3, 3 + 3));
}

#[test]
fn copies_among_earlier_years_are_not_reported() {
    let mut class = only(&["amara", "bao"]);
    let mateo = only(&["mateo"]).this_year;
    class.earlier.insert(PathBuf::from("2024"), mateo.clone());
    class.earlier.insert(PathBuf::from("2025"), mateo);
    assert_eq!(reported(class), [[""; 2]; 0]);
}

/// Code that much of an earlier class wrote alike is an idiom this year as well.
#[test]
fn what_an_earlier_class_shares_does_not_count() {
    let mut class = only(&["dilnoza"]);
    let derived = ["efua", "greta", "hiroshi", "jakub"];
    class.earlier.insert(PathBuf::from("2025"), only(&derived).this_year);
    let all = reported(class.clone());
    assert_eq!(all.len(), derived.len(), "four are never a class that shares: {all:?}");
    let more = ["efua", "greta", "hiroshi", "jakub", "kalinda", "leilani"];
    class.earlier.insert(PathBuf::from("2025"), only(&more).this_year);
    assert_eq!(reported(class), [[""; 2]; 0]);
}

#[test]
fn names_of_earlier_submissions_have_their_year() {
    let read = read_at(&["fixtures/class/bao"], &["fixtures/class/amara", "fixtures/class"]);
    let [class] = read.classes.as_slice() else { panic!("{read:?}") };
    let sizes: Vec<usize> = class.earlier.values().map(Vec::len).collect();
    assert_eq!((class.this_year.len(), sizes), (1, vec![15, 1]));
    let last = class.earlier.values().next_back().unwrap();
    assert!(last[0].name.to_string().ends_with("fixtures/class/amara/amara"), "{last:?}");
}

#[test]
fn submissions_of_one_team_are_not_compared_with_each_other() {
    let mut class = only(&["amara", "bao"]);
    let mateo = only(&["mateo"]);
    for (name, students) in [("zoe", [7, 8]), ("yan", [8, 9]), ("ruth", [5, 6])] {
        let copy = disguised(files(&mateo, "mateo"), &Disguise::ALL);
        let students = BTreeSet::from(students);
        class.this_year.push(Material { students, ..material(name, &copy) });
    }
    let found = compare(class, Threshold::MEASURED);
    let mut pairs = names(&found);
    pairs.sort();
    assert_eq!(pairs, [["yan", "ruth"], ["zoe", "ruth"]]);
    assert_eq!((found.together, found.compared()), (1, 9));
}
