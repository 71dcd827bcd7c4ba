//! Tests of functions over a whole book: previews and disagreements.

use std::collections::BTreeSet;

use softmark_untrusted::Untrusted;

use super::*;
use crate::model::{Delta, Points};
use crate::store::{GivenMark, ItemId, ItemVersion, MarkerRole, SavedMarking};

const MOST: Points = Points::from_hundredths(400);

/// Book with one item of 2 points and these markings: submission, role, chosen or not, free hundredths.
fn book(markings: &[(&str, MarkerRole, bool, i64)]) -> Book {
    let rows = (1..).zip(markings).map(|(id, (submission, role, is_chosen, free))| {
        let items = is_chosen.then(|| ItemId::from_number(1)).into_iter().collect();
        row(id, submission, (*role, items, *free))
    });
    let versions = [test_rows::item(1, 1, version(200))];
    Book::of(&versions, &rows.collect::<Vec<_>>())
}

fn version(hundredths: i64) -> ItemVersion {
    let points = Delta::from_hundredths(hundredths);
    ItemVersion { text: "names the residual".into(), points, is_retired: false }
}

fn row(
    id: i64,
    submission: &str,
    (role, items, free): (MarkerRole, BTreeSet<ItemId>, i64),
) -> SavedMarking {
    let free = Delta::from_hundredths(free);
    let given = GivenMark { items, free, answer_digest: "d".into(), ..GivenMark::default() };
    let answer = test_rows::answer(submission);
    SavedMarking { answer, role, ..test_rows::marking(id, 0, given) }
}

/// Names and points before and after a change of the item.
fn previewed(book: &Book, content: &ItemVersion) -> Vec<(String, String, String)> {
    let names: Vec<Untrusted> = ["amara", "ben", "chen", "dora"].map(Untrusted::from).to_vec();
    // Dora has handed in another answer since hers was marked.
    let version = |name| AnswerVersion {
        submission: name,
        digest: if *name == "dora" { "e" } else { "d" },
        max_points: if *name == "amara" { Points::from_hundredths(225) } else { MOST },
    };
    let answers: Vec<AnswerVersion<'_>> = names.iter().map(version).collect();
    let answer = test_rows::answer("amara");
    let of = QuestionId { assignment: &answer.assignment, id: &answer.question };
    preview(book, of, (ItemId::from_number(1), content), &answers)
        .iter()
        .map(|it| (it.submission.to_string(), it.from.to_string(), it.to.to_string()))
        .collect()
}

#[test]
fn a_preview_names_those_who_have_the_item_and_their_points_before_and_after() {
    use MarkerRole::First;
    let book = book(&[
        ("amara", First, true, 0),
        ("ben", First, false, 300),
        ("chen", First, true, 175),
        ("dora", First, true, 0),
    ]);
    let expected = |pairs: &[(&str, &str, &str)]| -> Vec<(String, String, String)> {
        pairs.iter().map(|(a, b, c)| ((*a).into(), (*b).into(), (*c).into())).collect()
    };
    let after = previewed(&book, &version(250));
    assert_eq!(after, expected(&[("amara", "2.00", "2.25"), ("chen", "3.75", "4.00")]));
    let other_words = ItemVersion { text: "names it".into(), ..version(200) };
    let after = previewed(&book, &other_words);
    assert_eq!(after, expected(&[("amara", "2.00", "2.00"), ("chen", "3.75", "3.75")]));
    let retired = ItemVersion { is_retired: true, ..version(200) };
    let after = previewed(&book, &retired);
    assert_eq!(after, expected(&[("amara", "2.00", "0.00"), ("chen", "3.75", "1.75")]));
}

#[test]
fn two_markers_disagree_until_somebody_decides_after_both() {
    use MarkerRole::{Agreed, First, Second};
    let difference = |markings: &[(&str, MarkerRole, bool, i64)]| {
        let book = book(markings);
        let (assignment, id) = ("essay".into(), "explanation".into());
        let question = book.question(&assignment, &id, MOST);
        let answer = book.answer(&question.answer_of(&"amara".into()))?;
        disagreement((answer, "d"), &question, None).map(|it| it.difference().to_string())
    };
    let (first, second) = (("amara", First, true, 0), ("amara", Second, false, 300));
    assert_eq!(difference(&[first]), None);
    assert_eq!(difference(&[first, second]).as_deref(), Some("+1.00"));
    assert_eq!(difference(&[first, ("amara", Second, false, 200)]), None, "the same points");
    let agreed = ("amara", Agreed, true, 50);
    assert_eq!(difference(&[first, second, agreed]), None);
    assert_eq!(difference(&[first, agreed, second]).as_deref(), Some("+1.00"));
    let book = book(&[first, second]);
    let (assignment, id) = ("essay".into(), "explanation".into());
    let question = book.question(&assignment, &id, MOST);
    let answer = book.answer(&question.answer_of(&"amara".into())).unwrap();
    assert_eq!(disagreement((answer, "e"), &question, None), None, "another version of the answer");
    // A line of the spreadsheet is the first mark.
    let line = LineMark { points: MOST, by: "eve".into(), comment: Untrusted::EMPTY };
    let found = disagreement((answer, "d"), &question, Some(&line)).unwrap();
    assert_eq!(found.difference().to_string(), "-1.00");
    assert_eq!(found.first.by, "eve");
}
