//! Rubrics on the marking pages: items that grow, change, and go out of use.

use softmark::model::Points;

use super::{QUESTION, answers, class, first_item, mark};
use crate::support::served::{Served, Visitor};

#[test]
fn a_rubric_grows_while_answers_are_marked_and_a_change_shows_whom_it_affects() {
    let served = Served::start(&class(4), &["amal"], &[]);
    let amal = served.log_in("amal");
    let paths = answers(&amal);
    let added =
        mark(&amal, &paths[0], &[("new_text", "names <the> residual"), ("new_points", "2")]);
    assert_eq!(added.status, 303);
    let page = amal.get(&added.location());
    assert!(page.body.contains("names &lt;the&gt; residual"), "{}", page.body);
    assert!(page.body.contains("2.00 points") && page.body.contains("<b>2.00</b> of 4.00"));
    let item = page.body.split("name=\"item\" value=\"").nth(1).unwrap();
    let item = item.split('"').next().unwrap();
    let next = mark(&amal, &paths[1], &[("item", item), ("free", "1,5"), ("go", "next")]);
    assert!(next.location().starts_with(&paths[2]), "{}", next.location());
    mark(&amal, &paths[2], &[("quick", "full")]);

    // The preview changes nothing.
    let edit = format!("{QUESTION}/rubric/{item}");
    let preview = amal.get(&format!("{edit}?text=names+it&points=3"));
    assert!(
        preview.body.contains("chosen for 2 answers; the points of 2 change"),
        "{}",
        preview.body
    );
    for shown in ["2.00", "3.00", "3.50", "4.00"] {
        assert!(preview.body.contains(shown), "{shown}: {}", preview.body);
    }
    assert_eq!(served.store().rubric_versions().unwrap().len(), 1);
    let change = |text: &str| {
        let fields = [
            ("form_token", preview.hidden("form_token")),
            ("version", preview.hidden("version")),
            ("text", text.to_owned()),
            ("points", "3".to_owned()),
        ];
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        amal.post(&edit, &fields).unwrap()
    };
    assert_eq!(change("names it").status, 303);
    assert_eq!(change("names it").status, 303, "sent twice");
    let late = change("names both");
    assert_eq!(late.status, 409);
    assert!(late.body.contains("somebody has changed the item meanwhile"), "{}", late.body);
    assert_eq!(served.store().rubric_versions().unwrap().len(), 2);
    let page = amal.get(&paths[1]).body;
    assert!(page.contains("<b>4.00</b> of 4.00"), "2.00 became 3.00, and 1.50 are free: {page}");
    let overview = amal.get(QUESTION).body;
    assert!(overview.contains("3 of 4 marked"), "{overview}");
}

#[test]
fn no_points_are_none_and_full_points_are_full_beside_a_text_for_a_new_item() {
    let served = Served::start(&class(2), &["amal"], &[]);
    let amal = served.log_in("amal");
    let paths = answers(&amal);
    for (path, quick, shown) in [(&paths[0], "none", "0.00"), (&paths[1], "full", "4.00")] {
        let item = [("new_text", "names it"), ("new_points", "-2"), ("quick", quick)];
        assert_eq!(mark(&amal, path, &item).status, 303);
        let page = amal.get(path).body;
        assert!(page.contains(&format!("<b>{shown}</b> of 4.00")), "{quick}: {page}");
    }
    assert!(served.store().rubric_versions().unwrap().is_empty());
}

#[test]
fn an_item_that_is_not_in_use_can_be_used_again() {
    let served = Served::start(&class(1), &["amal"], &[]);
    let amal = served.log_in("amal");
    let path = answers(&amal)[0].clone();
    mark(&amal, &path, &[("new_text", "names it"), ("new_points", "2")]);
    let edit = amal.get(QUESTION).links(&format!("{QUESTION}/rubric/"))[0].clone();
    set_retired(&amal, &edit, "yes");
    assert!(amal.get(&path).body.contains("<b>0.00</b> of 4.00"));
    let overview = amal.get(QUESTION);
    assert!(overview.body.contains("Not in use"), "{}", overview.body);
    assert_eq!(overview.links(&format!("{QUESTION}/rubric/")), std::slice::from_ref(&edit));
    // A mark that is given meanwhile keeps the choice.
    let page = amal.get(&path);
    assert!(page.body.contains("not in use"), "{}", page.body);
    let (retired, chosen) = (first_item(&page.body), page.body.contains(" checked>"));
    assert!(chosen, "{}", page.body);
    mark(&amal, &path, &[("item", &retired), ("comment", "Good.")]);
    set_retired(&amal, &edit, "");
    assert!(amal.get(&path).body.contains("<b>2.00</b> of 4.00"));
    assert!(!amal.get(QUESTION).body.contains("Not in use"));
}

/// Puts the item "names it" of two points out of use, or into use.
fn set_retired(visitor: &Visitor, edit: &str, retired: &str) {
    let preview = visitor.get(&format!("{edit}?text=names+it&points=2&retired={retired}"));
    let (token, version) = (preview.hidden("form_token"), preview.hidden("version"));
    let content = [
        ("form_token", &*token),
        ("version", &*version),
        ("text", "names it"),
        ("points", "2"),
        ("retired", retired),
    ];
    assert_eq!(visitor.post(edit, &content).unwrap().status, 303);
}

#[test]
fn a_preview_uses_the_points_that_each_answer_is_worth() {
    let mut records = class(2);
    records[1].written[0].max_points = Points::from_hundredths(300);
    let served = Served::start(&records, &["amal"], &[]);
    let amal = served.log_in("amal");
    let paths = answers(&amal);
    mark(&amal, &paths[0], &[("new_text", "names it"), ("new_points", "2")]);
    let item = first_item(&amal.get(&paths[1]).body);
    mark(&amal, &paths[1], &[("item", &item)]);
    let preview = amal.get(&format!("{QUESTION}/rubric/{item}?text=names+it&points=4")).body;
    for (name, to) in [("student-00", "4.00"), ("student-01", "3.00")] {
        let row = preview.split("<tr>").find(|row| row.contains(name)).unwrap();
        let points = format!("<td class=\"number\">2.00</td><td class=\"number\">{to}</td>");
        assert!(row.contains(&points), "{row}");
    }
}

#[test]
fn a_text_of_an_item_that_a_preview_cannot_carry_is_refused_with_its_limit() {
    let served = Served::start(&class(1), &["amal"], &[]);
    let amal = served.log_in("amal");
    let path = answers(&amal)[0].clone();
    let [most, more] = [600, 601].map(|length| "\u{1f937}".repeat(length));
    let refused = mark(&amal, &path, &[("new_text", &more), ("new_points", "2")]);
    assert_eq!(refused.status, 400);
    assert!(refused.body.contains("a text has more than 600 characters"), "{}", refused.body);
    assert_eq!(mark(&amal, &path, &[("new_text", &most), ("new_points", "2")]).status, 303);
    let item = first_item(&amal.get(&path).body);
    let text = "%F0%9F%A4%B7".repeat(600);
    let preview = amal.get(&format!("{QUESTION}/rubric/{item}?text={text}&points=3"));
    assert_eq!(preview.status, 200);
    assert!(preview.body.contains("the points of 1 change"), "{}", preview.body);
}
