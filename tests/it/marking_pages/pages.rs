//! Content of the marking pages, and the changes that they make.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use softmark::marking::Book;
use softmark::store::{MarkerRole, MarkingStep};

use super::{QUESTION, answers, class, given, mark, points, send};
use crate::support::grade::Desk;
use crate::support::served::{Page, Served, Visitor, add_run, with_answer};

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
fn a_second_marker_sees_nothing_of_the_first_and_somebody_decides() {
    let served = Served::start(&class(1), &["amal", "bela", "chiara"], &[]);
    let (amal, bela) = (served.log_in("amal"), served.log_in("bela"));
    let path = answers(&amal)[0].clone();
    mark(&amal, &path, &[("free", "1.75"), ("comment", "secret of the first")]);
    let second = format!("{path}?role=second");
    let page = bela.get(&second);
    assert!(page.body.contains("You are the second marker"));
    let below = |page: &str| bela.get(&format!("{QUESTION}{page}?role=second"));
    for page in [page, below(""), below("/groups")] {
        assert_eq!(page.status, 200);
        for hidden in ["1.75", "secret of the first", "amal"] {
            assert!(!page.body.contains(hidden), "{hidden}: {}", page.body);
        }
    }
    assert_eq!(mark(&bela, &second, &[("free", "3")]).status, 303);
    assert_eq!(points(&served, "student-00"), "1.75", "the first mark counts");
    let list = amal.get(&format!("{QUESTION}/disagreements"));
    for shown in ["1.75", "3.00", "+1.25", "amal", "bela"] {
        assert!(list.body.contains(shown), "{shown}: {}", list.body);
    }
    let agreed = list.links(&path)[0].clone();
    let chiara = served.log_in("chiara");
    let page = chiara.get(&agreed);
    assert!(page.body.contains("secret of the first") && page.body.contains("Use this mark"));
    assert_eq!(mark(&chiara, &agreed, &[("free", "2.5")]).status, 303);
    assert_eq!(points(&served, "student-00"), "2.5");
    let list = amal.get(&format!("{QUESTION}/disagreements")).body;
    assert!(list.contains("somebody has decided"), "{list}");
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
fn names_are_hidden_where_marking_is_anonymous() {
    for (more, is_named) in [(&["--anonymous"][..], false), (&[], true)] {
        // Two answers are equal, so that there is a group.
        let mut records = class(3);
        records.push(with_answer("student-03", records[0].written[0].text.as_raw()));
        let served = Served::start(&records, &["amal", "bela"], more);
        let (amal, bela) = (served.log_in("amal"), served.log_in("bela"));
        let paths = answers(&amal);
        let seen = bela.get(&paths[1]);
        mark(&amal, &paths[0], &[("new_text", "x"), ("new_points", "1")]);
        mark(&amal, &paths[1], &[("free", "1")]);
        send(&bela, &paths[1], &seen, &[("free", "2")]);
        mark(&amal, &paths[2], &[("free", "1")]);
        mark(&bela, &format!("{}?role=second", paths[2]), &[("free", "2")]);
        let groups = amal.get(&format!("{QUESTION}/groups"));
        let group = groups.links(&format!("{QUESTION}/groups/"))[0].clone();
        for (path, has_names) in [
            ("/marking".to_owned(), false),
            (QUESTION.to_owned(), true),
            (format!("{QUESTION}?show=open"), true),
            (format!("{QUESTION}?role=second"), true),
            (paths[0].clone(), true),
            (format!("{}?saved={}", paths[3], paths[0].rsplit('/').next().unwrap()), true),
            (paths[1].clone(), true),
            (format!("{}?role=second", paths[1]), true),
            (format!("{}?role=agreed", paths[2]), true),
            (format!("{QUESTION}/groups"), false),
            (group, true),
            (format!("{QUESTION}/disagreements"), true),
            (format!("{QUESTION}/rubric/1?text=y&points=2"), true),
            (format!("{QUESTION}/answers/0123456789abcdef"), false),
        ] {
            let page = amal.get(&path);
            assert!([200, 404].contains(&page.status), "{path}: {}", page.body);
            let shown = page.body.contains("student-");
            assert_eq!(shown, is_named && has_names, "{path}: {}", page.body);
        }
        let next = amal.get(&format!("{QUESTION}/next"));
        assert!(!next.location().contains("student-"));
    }
}

/// Without the secret, nobody can compute the code of an answer from a name.
#[test]
fn codes_of_answers_follow_from_the_secret_of_the_course_and_there_is_no_server_without_one() {
    let codes = |secret: &str| {
        let desk = Desk::new().env("SOFTMARK_SECRET", secret);
        let served = Served::start_in(desk, &class(2), &["amal"], &[]);
        answers(&served.log_in("amal"))
    };
    assert_eq!(codes("one"), codes("one"));
    assert_ne!(codes("one"), codes("another"));

    let desk = Desk::new().file("course/softmark.toml", "title = \"A course\"\n");
    let desk = desk.file("course/softmark.secret", "\n");
    let home = desk.path("course");
    add_run(&desk, &class(1));
    let mut command = desk.command();
    command.env("SOFTMARK_HOME", home).env_remove("SOFTMARK_SECRET");
    let command = command.args(["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    child.kill().unwrap();
    let told = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert_eq!(address, "", "the server has started");
    assert!(told.contains("secret") && told.contains("the file is empty"), "{told}");
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
        assert!(!body.contains("<b>amara") && !body.contains('\u{202e}'), "{path}: {body}");
    }
}

/// Returns the id of the first item of the rubric in a form.
fn first_item(body: &str) -> String {
    let rest = body.split("name=\"item\" value=\"").nth(1).unwrap();
    rest.split('"').next().unwrap().to_owned()
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
    let set = |query: &str, fields: &[(&str, &str)]| {
        let preview = amal.get(&format!("{edit}?text=names+it&points=2{query}"));
        let (token, version) = (preview.hidden("form_token"), preview.hidden("version"));
        let content = [
            ("form_token", &*token),
            ("version", &*version),
            ("text", "names it"),
            ("points", "2"),
        ];
        assert_eq!(amal.post(&edit, &[&content[..], fields].concat()).unwrap().status, 303);
    };
    set("&retired=yes", &[("retired", "yes")]);
    assert!(amal.get(&path).body.contains("<b>0.00</b> of 4.00"));
    let overview = amal.get(QUESTION);
    assert!(overview.body.contains("Not in use"), "{}", overview.body);
    assert_eq!(overview.links(&format!("{QUESTION}/rubric/")), std::slice::from_ref(&edit));
    set("", &[]);
    assert!(amal.get(&path).body.contains("<b>2.00</b> of 4.00"));
    assert!(!amal.get(QUESTION).body.contains("Not in use"));
}

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
fn first_and_second_markers_are_two_persons_and_are_offered_no_answer_of_their_own() {
    let served = Served::start(&class(3), &["amal", "bela"], &[]);
    let (amal, bela) = (served.log_in("amal"), served.log_in("bela"));
    let paths = answers(&amal);
    let second = |path: &str| format!("{path}?role=second");
    let open =
        |visitor: &Visitor, query: &str| visitor.get(&format!("{QUESTION}/next{query}")).location();
    mark(&amal, &paths[0], &[("free", "1")]);
    mark(&amal, &paths[1], &[("free", "1")]);
    assert_eq!(open(&amal, "?role=second"), second(&paths[2]));
    assert_eq!(mark(&bela, &second(&paths[2]), &[("free", "2")]).status, 303);
    let own = amal.get(&second(&paths[0])).body;
    assert!(own.contains("two persons") && !own.contains("data-marking"), "{own}");
    // Nothing is left: the answers that are open in this role are those of the marker's own.
    assert_eq!(open(&amal, "?role=second"), format!("{QUESTION}?role=second"));
    let overview = amal.get(&format!("{QUESTION}?role=second"));
    assert!(overview.body.contains("You gave the other mark of all open answers"));
    assert!(overview.body.contains("1 of 3 marked"), "{}", overview.body);
    // The other way round: the second marker is not offered the answer as the first one.
    assert_eq!(open(&bela, ""), QUESTION);
    let page = bela.get(&second(&paths[1]));
    let refused = send_in(&bela, &paths[2], &page, "first", &[("free", "2")]);
    assert_eq!(refused.status, 403, "{}", refused.body);
    let refused = send_in(&amal, &paths[0], &page, "second", &[("free", "2")]);
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert_eq!(served.store().markings().unwrap().len(), 3);
}

/// Sends the values of a form as a marker in this role, with what another page shows of its answer.
fn send_in(
    visitor: &Visitor,
    path: &str,
    page: &Page,
    role: &str,
    values: &[(&str, &str)],
) -> Page {
    let token = visitor.get(QUESTION).hidden("form_token");
    let saw = page.hidden("saw");
    let fields = [("form_token", token.as_str()), ("role", role), ("saw", saw.as_str())];
    visitor.post(path, &[&fields[..], values].concat()).unwrap()
}

#[test]
fn links_of_a_second_marker_keep_the_role() {
    let records = [with_answer("amara", "The same."), with_answer("ben", "The same.")];
    let served = Served::start(&records, &["amal"], &[]);
    let amal = served.log_in("amal");
    let path = answers(&amal)[0].clone();
    mark(&amal, &path, &[("new_text", "names it"), ("new_points", "2")]);
    let groups = amal.get(&format!("{QUESTION}/groups?role=second"));
    let group = groups.links(&format!("{QUESTION}/groups/"))[0].clone();
    for page in ["", "/groups", "/disagreements", "/rubric/1"] {
        let page = amal.get(&format!("{QUESTION}{page}?role=second"));
        assert_eq!(page.status, 200, "{}", page.body);
        let lost: Vec<String> =
            page.links(QUESTION).into_iter().filter(|it| !it.contains("role=")).collect();
        assert_eq!(lost, Vec::<String>::new());
    }
    for page in [format!("{}?role=second", answers(&amal)[1]), group] {
        let page = amal.get(&page);
        let lost: Vec<String> =
            page.links(QUESTION).into_iter().filter(|it| !it.contains("role=second")).collect();
        assert_eq!(lost, Vec::<String>::new());
        assert_eq!(page.hidden("role"), "second");
    }
}
