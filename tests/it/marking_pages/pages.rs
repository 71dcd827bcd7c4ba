//! Content of the marking pages, and the changes that they make.

use softmark::marking::Book;
use softmark::store::{MarkerRole, MarkingStep};

use super::{QUESTION, answers, class, given, mark, points, send};
use crate::support::served::{Served, add_run, with_answer};

#[test]
fn records_reports_and_the_gradebook_show_what_was_marked() {
    let served = Served::start(&class(2), &["amal"], &[]);
    let amal = served.log_in("amal");
    let paths = answers(&amal);
    let first = amal.get(&paths[0]).body;
    let name = ["student-00", "student-01"].into_iter().find(|it| first.contains(it)).unwrap();
    let values =
        [("new_text", "names it"), ("new_points", "2"), ("free", "0.5"), ("comment", "Good.")];
    mark(&amal, &paths[0], &values);
    assert_eq!(points(&served, name), "2.5");
    let desk = served.folder();
    desk.grade("mark").exit(0);
    let gradebook = desk.read("results/gradebook.csv");
    let row = gradebook.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(row.ends_with(",2.50"), "{gradebook}");
    for format in ["terminal", "html", "markdown", "json"] {
        let shown = desk.grade(&format!("show {name} --format {format}")).exit(0).stdout;
        for part in ["names it", "Good.", "other points"] {
            assert!(shown.contains(part), "{format}: {shown}");
        }
    }
    desk.grade("feedback --out pages").exit(0);
    let page = desk.read(&format!("pages/debugging/{name}.html"));
    for part in ["names it", "Good.", "2.50"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("amal"), "students do not see who marked: {page}");
    let log = desk.grade(&format!("log {name}")).exit(0).stdout;
    assert!(log.contains("mark: 2.50 for explanation"), "{log}");
    // What `grade mark` gives is on the page.
    desk.grade(&format!("mark {name} explanation 1 --by Okafor")).exit(0);
    let page = amal.get(&paths[0]).body;
    assert!(page.contains("<b>1.00</b> of 4.00") && page.contains("by Okafor"), "{page}");
    assert_eq!(points(&served, name), "1.0");
}

#[test]
fn a_mark_is_taken_back_by_the_one_who_gave_it() {
    let served = Served::start(&class(1), &["amal", "bela"], &[]);
    let (amal, bela) = (served.log_in("amal"), served.log_in("bela"));
    let path = answers(&amal)[0].clone();
    mark(&amal, &path, &[("free", "1")]);
    mark(&amal, &path, &[("free", "2")]);
    let undo = format!("{path}/undo");
    let page = amal.get(&path);
    let newest = page.hidden("marking");
    let refused = send(&bela, &undo, &bela.get(&path), &[("marking", &newest)]);
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert_eq!(send(&amal, &undo, &page, &[("marking", &newest)]).status, 303);
    assert_eq!(send(&amal, &undo, &page, &[("marking", &newest)]).status, 303, "sent twice");
    assert!(amal.get(&path).body.contains("<b>1.00</b> of 4.00"));
    let page = amal.get(&path);
    send(&amal, &undo, &page, &[("marking", &page.hidden("marking"))]);
    assert!(amal.get(&path).body.contains("class=\"open\""), "nothing is left");
    let steps = served.store().markings().unwrap();
    let undone = steps.iter().filter(|it| matches!(it.step, MarkingStep::Withdrawal(_)));
    assert_eq!((steps.len(), undone.count()), (4, 2));
}

#[test]
fn similar_answers_are_marked_together_and_what_is_marked_stays() {
    let text = "Both residual connections are broken, so the gradient has no short way back.";
    let records = [
        with_answer("amara", text),
        with_answer("ben", &text.to_uppercase().replace(' ', "  ")),
        with_answer("chen", text),
        with_answer("dora", &text.replace("back.", "home.")),
        with_answer("emil", "I do not know."),
    ];
    let served = Served::start(&records, &["amal", "bela"], &[]);
    let (amal, bela) = (served.log_in("amal"), served.log_in("bela"));
    let groups = amal.get(&format!("{QUESTION}/groups")).links(&format!("{QUESTION}/groups/"));
    assert_eq!(groups.len(), 1);
    let page = amal.get(&groups[0]);
    let members = |body: &str| -> Vec<(String, bool)> {
        let parts = body.split("name=\"member\" value=\"").skip(1);
        parts
            .map(|part| {
                let (value, rest) = part.split_once('"').unwrap();
                (value.to_owned(), rest.split('>').next().unwrap().contains("checked"))
            })
            .collect()
    };
    let all = members(&page.body);
    assert_eq!(all.iter().map(|it| it.1).collect::<Vec<_>>(), [true, true, true, false]);
    // Another marker marks one of them meanwhile.
    let code = all[1].0.split(' ').next().unwrap();
    mark(&bela, &format!("{QUESTION}/answers/{code}"), &[("free", "1")]);
    let token = page.hidden("form_token");
    let mut fields = vec![("form_token", token.as_str()), ("free", "3")];
    fields.extend(all.iter().map(|(value, _)| ("member", value.as_str())));
    assert_eq!(amal.post(&groups[0], &fields).unwrap().status, 303);
    assert_eq!(amal.post(&groups[0], &fields).unwrap().status, 303, "sent twice");
    let store = served.store();
    assert_eq!(store.markings().unwrap().len(), 5);
    let book = Book::read(&store).unwrap();
    let markings = store.markings().unwrap();
    let of_bela = markings.iter().find(|it| it.by == "bela").unwrap();
    let history = book.answer(&of_bela.answer).unwrap().history(MarkerRole::First);
    assert_eq!(given(history.counting().unwrap()).free.hundredths(), 100);
    assert_eq!(history.conflicting().len(), 1, "both are kept");
    let after = amal.get(&groups[0]).body;
    assert_eq!(members(&after).iter().filter(|it| it.1).count(), 1, "the contested one: {after}");
    let none = amal.post(&groups[0], &[("form_token", &token)]).unwrap();
    assert_eq!(none.status, 400, "{}", none.body);
}

#[test]
fn an_answer_that_was_changed_needs_marking_again() {
    let served = Served::start(&class(2), &["amal"], &[]);
    let amal = served.log_in("amal");
    let paths = answers(&amal);
    for path in &paths {
        mark(&amal, path, &[("free", "3")]);
    }
    assert!(amal.get(QUESTION).body.contains("All answers are marked."));
    add_run(served.folder(), &[with_answer("student-00", "Another answer.")]);
    let overview = amal.get(QUESTION).body;
    assert!(overview.contains("changed since it was marked"), "{overview}");
    assert!(overview.contains("1 of 2 marked"), "{overview}");
    let next = amal.get(&format!("{QUESTION}/next")).location();
    assert!(amal.get(&next).body.contains("Another answer."));
    assert_eq!(points(&served, "student-00"), "null");
    assert_eq!(answers(&amal), paths, "codes stay");
}

#[test]
fn what_no_page_sends_changes_nothing() {
    let served = Served::start(&class(2), &["amal"], &[]);
    let amal = served.log_in("amal");
    let path = answers(&amal)[0].clone();
    let page = amal.get(&path);
    let (token, saw) = (page.hidden("form_token"), page.hidden("saw"));
    let valid = [("form_token", token.as_str()), ("saw", saw.as_str())];
    for (fields, status) in [
        (vec![("saw", saw.as_str()), ("free", "1")], 403),
        (vec![("form_token", "0"), ("saw", &saw), ("free", "1")], 403),
        (vec![("form_token", &token), ("free", "1")], 400),
        (vec![("form_token", &token), ("saw", "x y"), ("free", "1")], 400),
        ([&valid[..], &[("free", "much")]].concat(), 400),
        ([&valid[..], &[("free", "1e300")]].concat(), 400),
        ([&valid[..], &[("item", "7")]].concat(), 400),
        ([&valid[..], &[("item", "x")]].concat(), 400),
        ([&valid[..], &[("role", "third")]].concat(), 404),
    ] {
        let answer = amal.post(&path, &fields).unwrap();
        assert_eq!(answer.status, status, "{fields:?}: {}", answer.body);
    }
    for path in [
        format!("{QUESTION}/answers/0123456789abcdef"),
        format!("{QUESTION}/answers/..%2f..%2fetc%2fpasswd"),
        "/marking/debugging/other".to_owned(),
        "/marking/..%2f../explanation".to_owned(),
        format!("{QUESTION}/rubric/1"),
        format!("{QUESTION}/groups/0123456789abcdef"),
    ] {
        assert_eq!(amal.get(&path).status, 404, "{path}");
    }
    assert!(served.store().markings().unwrap().is_empty());
    assert!(served.store().rubric_versions().unwrap().is_empty());
}

#[test]
fn text_of_answers_and_names_is_shown_and_is_no_markup() {
    let trick =
        "<script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{1b}[2J' \" & </pre>";
    let records = [with_answer("<b>amara</b>", trick), with_answer("ben", trick)];
    let served = Served::start(&records, &["amal"], &[]);
    let amal = served.log_in("amal");
    let path = answers(&amal)[0].clone();
    mark(&amal, &path, &[("comment", trick), ("new_text", trick), ("new_points", "1")]);
    for path in
        [path, QUESTION.to_owned(), format!("{QUESTION}/groups"), format!("{QUESTION}/rubric/1")]
    {
        let body = amal.get(&path).body;
        assert!(!body.contains("<img") && !body.contains("<script>"), "{path}: {body}");
        assert!(!body.contains("<b>amara"), "{path}: {body}");
        // A field of a form has the characters that it is to send back.
        let fields = body.split("</textarea>");
        let shown: String = fields.filter_map(|it| it.split("<textarea").next()).collect();
        assert!(!shown.contains('\u{202e}'), "{path}: {body}");
    }
}

#[test]
fn a_mark_of_an_earlier_version_is_shown_and_is_not_given_again_by_one_key() {
    let served = Served::start(&class(1), &["amal", "bela"], &[]);
    let (amal, bela) = (served.log_in("amal"), served.log_in("bela"));
    let path = answers(&amal)[0].clone();
    let seen = bela.get(&path);
    mark(&amal, &path, &[("free", "1.25"), ("comment", "of the old version")]);
    send(&bela, &path, &seen, &[("free", "2.75")]);
    assert!(amal.get(&path).body.contains("Use this mark"));
    add_run(served.folder(), &[with_answer("student-00", "Another answer.")]);
    let page = amal.get(&path);
    assert!(page.body.contains("Mark of an earlier version"), "{}", page.body);
    assert!(page.body.contains("of the old version"), "{}", page.body);
    for old in ["Use this mark", "Another mark came in between", "value=\"1.25\""] {
        assert!(!page.body.contains(old), "{old}: {}", page.body);
    }
    let comment = page.body.split("<textarea").nth(1).unwrap().split("</textarea>").next().unwrap();
    assert!(!comment.contains("of the old version"), "{comment}");
    send(&amal, &path, &page, &[("quick", "full")]);
    assert_eq!(points(&served, "student-00"), "4.0");
    // The student hands the first version in again: its marks hold again.
    add_run(served.folder(), &class(1));
    assert_eq!(points(&served, "student-00"), "1.25");
}

#[test]
fn a_form_sends_texts_back_as_they_were_written() {
    let served = Served::start(&class(2), &["mara", "mike"], &[]);
    let (mara, mike) = (served.log_in("mara"), served.log_in("mike"));
    let paths = answers(&mara);
    let text = "\u{5e9}\u{200f} soft\u{ad}hyphen <b>a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\nnext & last";
    let sent = text.replace('\n', "\r\n");
    // Two markers who have seen the same, so that the page has forms that use a mark.
    let page = mike.get(&paths[0]);
    mark(&mara, &paths[0], &[("free", "1"), ("comment", &sent)]);
    send(&mike, &paths[0], &page, &[("free", "2"), ("comment", &sent)]);
    let page = mara.get(&paths[0]).body;
    let shown = unescaped(&page);
    let field = format!("data-focus=\"c\">{text}</textarea>");
    assert!(shown.contains(&field), "{page}");
    assert_eq!(shown.matches(&format!("name=\"comment\" value=\"{text}\"")).count(), 2, "{page}");
    let comments: Vec<String> =
        served.store().markings().unwrap().iter().map(|it| given(it).comment.to_string()).collect();
    assert!(comments.iter().all(|comment| !comment.contains("\\\\u")), "{comments:?}");
    // An item of the rubric.
    mark(&mara, &paths[1], &[("new_text", &sent), ("new_points", "2")]);
    let edit = mara.get(QUESTION).links(&format!("{QUESTION}/rubric/"))[0].clone();
    let form = unescaped(&mara.get(&edit).body);
    assert!(form.contains(&format!("required>{text}</textarea>")), "{form}");
    let query = percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
    let preview = unescaped(&mara.get(&format!("{edit}?text={query}&points=3")).body);
    assert!(preview.contains(&format!("name=\"text\" value=\"{text}\"")), "{preview}");
}

/// Returns a page with the characters that its references stand for.
fn unescaped(body: &str) -> String {
    let of = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    of.iter()
        .fold(body.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

#[test]
fn an_answer_with_two_marks_needs_a_person_on_every_page() {
    let served = Served::start(&class(2), &["mara", "mike"], &[]);
    let (mara, mike) = (served.log_in("mara"), served.log_in("mike"));
    let paths = answers(&mara);
    let page = mike.get(&paths[0]);
    for path in &paths {
        mark(&mara, path, &[("free", "1")]);
    }
    send(&mike, &paths[0], &page, &[("free", "2")]);
    let questions = mara.get("/marking").body;
    let numbers =
        "<td class=\"number\">2</td><td class=\"number\">1</td><td class=\"number\">1</td>";
    assert!(questions.contains(numbers), "{questions}");
    let class = mara.get("/").body;
    assert!(class.contains("<dt>answers to mark</dt><dd>1</dd>"), "{class}");
    let needs = mara.get("/?needs=marking").links("/submission/");
    assert_eq!(needs.len(), 1, "{needs:?}");
    let told = served.folder().grade("mark").exit(0).stdout;
    assert!(told.starts_with("2 written answers, 1 open\n"), "{told}");
}

#[test]
fn the_list_of_groups_shows_words_of_several_lines() {
    let text = "They do not\n\nlearn from layer 1.";
    let records = [with_answer("amara", text), with_answer("ben", text)];
    let served = Served::start(&records, &["amal"], &[]);
    let list = served.log_in("amal").get(&format!("{QUESTION}/groups")).body;
    assert!(list.contains("They do not learn from layer 1."), "{list}");
}
