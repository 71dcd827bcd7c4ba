//! Lines of `marks.csv` beside the marks of the pages.

use super::{QUESTION, answers, class, first_item, mark, points};
use crate::support::served::Served;

#[test]
fn a_preview_leaves_out_answers_whose_line_in_the_spreadsheet_counts() {
    let served = Served::start(&class(2), &["amal"], &[]);
    let amal = served.log_in("amal");
    let paths = answers(&amal);
    mark(&amal, &paths[0], &[("new_text", "names it"), ("new_points", "2")]);
    let item = first_item(&amal.get(&paths[1]).body);
    mark(&amal, &paths[1], &[("item", &item)]);
    let preview = || amal.get(&format!("{QUESTION}/rubric/{item}?text=it&points=3")).body;
    assert!(preview().contains("chosen for 2 answers; the points of 2 change"), "{}", preview());
    write_marks(&served, "student-00,explanation,1,2100-01-01T12:00:00Z\n");
    assert!(preview().contains("chosen for 1 answer; the points of 1 change"), "{}", preview());
}

/// Writes lines of `marks.csv`.
fn write_marks(served: &Served, lines: &str) {
    let text = format!("submission,question,points,given_at\n{lines}");
    std::fs::write(served.folder().path("results/marks.csv"), text).unwrap();
}

#[test]
fn a_mistake_in_the_spreadsheet_stops_nobody_and_names_no_student() {
    let lines = "student-00,explanation,x,\nstudent-01,explanation,3,\n";
    for (more, is_named) in [(&["--anonymous"][..], false), (&[], true)] {
        let served = Served::start(&class(2), &["amal"], more);
        let amal = served.log_in("amal");
        let paths = answers(&amal);
        write_marks(&served, lines);
        for path in ["/marking", QUESTION, &paths[0]] {
            let page = amal.get(path);
            assert_eq!(page.status, 200, "{path}: {}", page.body);
            assert!(
                page.body.contains("A line of marks.csv is not valid"),
                "{path}: {}",
                page.body
            );
            assert_eq!(page.body.contains("has `x` points"), is_named, "{path}: {}", page.body);
            assert_eq!(page.body.contains("student-00"), is_named, "{path}: {}", page.body);
        }
        assert!(amal.get(QUESTION).body.contains("1 of 2 marked"), "the valid line counts");
        assert_eq!(mark(&amal, &paths[0], &[("free", "2")]).status, 303);
        assert_eq!(served.store().markings().unwrap().len(), 1);
        write_marks(&served, "");
        assert!(!amal.get(QUESTION).body.contains("A line of marks.csv"));
    }
}

#[test]
fn a_line_is_the_first_mark_beside_that_of_a_second_marker() {
    let served = Served::start(&class(1), &["mike", "olga"], &[]);
    let (mike, olga) = (served.log_in("mike"), served.log_in("olga"));
    write_marks(&served, "student-00,explanation,3.5,\n");
    let path = answers(&mike)[0].clone();
    mark(&mike, &format!("{path}?role=second"), &[("free", "1")]);
    assert_eq!(points(&served, "student-00"), "3.5");
    assert!(olga.get(&path).body.contains("<b>3.50</b> of 4.00"));
    let list = olga.get(&format!("{QUESTION}/disagreements"));
    for shown in ["3.50", "1.00", "-2.50", "marks.csv", "mike"] {
        assert!(list.body.contains(shown), "{shown}: {}", list.body);
    }
    let agreed = list.links(&path)[0].clone();
    let page = olga.get(&agreed).body;
    assert_eq!(page.matches("Use this mark").count(), 2, "{page}");
    mark(&olga, &agreed, &[("free", "2.5")]);
    assert_eq!(points(&served, "student-00"), "2.5");
    assert!(olga.get(&format!("{QUESTION}/disagreements")).links(&path).is_empty());
}

#[test]
fn a_mark_that_is_saved_and_does_not_count_is_reported_so() {
    let served = Served::start(&class(1), &["mara"], &[]);
    let mara = served.log_in("mara");
    write_marks(&served, "student-00,explanation,1,2100-01-01T12:00:00Z\n");
    let saved = mark(&mara, &answers(&mara)[0], &[("free", "3")]);
    let page = mara.get(&saved.location()).body;
    let told = "3.00 points; this mark does not count: 1.00 points in marks.csv count";
    assert!(page.contains(told), "{page}");
}
