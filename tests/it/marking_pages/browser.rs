//! The marking pages in a browser: marked by keyboard, and read in both schemes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;
use softmark::marking::Book;
use softmark::model::Points;

use super::marker::{CONFLICT, Marker};
use super::{QUESTION, answers, class, given, mark};
use crate::support::browser::View;
use crate::support::notice::skipped;
use crate::support::served::{Served, with_answer};

/// Measures a page.
const MEASURE: &str = include_str!("../site/measure.js");

/// Two people mark 30 answers by keyboard at the same time; the server is killed meanwhile and started again.
#[test]
fn two_browsers_mark_by_keyboard_and_a_killed_server_loses_nothing() {
    let served = Served::start(&class(30), &["amal", "bela"], &[]);
    let (Some(amal), Some(bela)) =
        (Marker::log_in(&served, "amal"), Marker::log_in(&served, "bela"))
    else {
        return skipped("marking by keyboard: no Chromium (SOFTMARK_BROWSER may name one)");
    };
    let paths = answers(&served.log_in("amal"));
    let (mut amal, mut bela) = (amal, bela);
    amal.visit(&served, &paths[0]);
    for (text, points) in
        [("names the residual", "2"), ("names the gradient", "1.5"), ("no answer", "-1")]
    {
        amal.add_item(text, points);
    }
    amal.note();
    // Both look at the same answer before either marks it.
    amal.visit(&served, &paths[1]);
    bela.visit(&served, &paths[1]);
    amal.change(&["1"]);
    bela.change(&["2"]);
    assert_eq!(bela.browser.evaluate(CONFLICT), true, "the later one sees both");
    let both = bela.text("document.querySelector('.candidates').innerText");
    assert!(both.contains("amal") && both.contains("bela"), "{both}");
    amal.note();
    bela.note();

    let (done, start) = (AtomicUsize::new(0), Barrier::new(3));
    let served = Mutex::new(served);
    thread::scope(|scope| {
        for (marker, first) in [(&mut amal, &paths[2]), (&mut bela, &paths[17])] {
            let (served, done, start) = (&served, &done, &start);
            scope.spawn(move || {
                marker.visit(&served.lock().unwrap(), first);
                start.wait();
                marker.mark_all(done);
            });
        }
        start.wait();
        for kill_at in [6, 14] {
            while done.load(Ordering::Relaxed) < kill_at {
                thread::sleep(Duration::from_millis(5));
            }
            let mut served = served.lock().unwrap();
            served.kill();
            thread::sleep(Duration::from_millis(700));
            served.start_again();
        }
    });
    let served = served.into_inner().unwrap();
    let overview = served.log_in("amal").get(QUESTION).body;
    assert!(overview.contains("30 of 30 marked"), "{overview}");

    let store = served.store();
    let (book, markings) = (Book::read(&store).unwrap(), store.markings().unwrap());
    let (assignment, id) = ("debugging".into(), "explanation".into());
    let question = book.question(&assignment, &id, Points::from_hundredths(400));
    let visitor = served.log_in("amal");
    let mut has_waited = false;
    for (name, marker) in [("amal", &mut amal), ("bela", &mut bela)] {
        let own: Vec<_> = markings.iter().filter(|it| it.by == name).collect();
        assert_eq!(own.len(), marker.changes, "{name}: the ledger has what the browser reported");
        for (path, reported) in &marker.points {
            let page = visitor.get(path).body;
            let last = own.iter().rev().find(|it| page.contains(&it.answer.submission.to_string()));
            let points = question.points(last.unwrap()).unwrap().to_string();
            assert_eq!(points, *reported, "{name}, {path}");
        }
        let problems = marker.browser.problems();
        // While the server is away, the browser says so in its console.
        let (away, strange): (Vec<_>, Vec<_>) =
            problems.into_iter().partition(|it| it.contains("net::ERR_"));
        assert_eq!(strange, Vec::<String>::new());
        has_waited |= !away.is_empty();
    }
    assert!(has_waited, "nobody marked while the server was away");
    assert!(markings.len() > 40);
    assert!(markings.iter().any(|it| matches!(&it.step, softmark::store::MarkingStep::Mark(given) if given.comment == "both halves are named")));
}

#[test]
fn a_mark_that_is_refused_is_not_reported_as_saved_and_the_marker_stays() {
    let served = Served::start(&class(3), &["amal", "bela"], &[]);
    let Some(mut amal) = Marker::log_in(&served, "amal") else {
        return skipped("a refused mark in a browser: no Chromium (SOFTMARK_BROWSER may name one)");
    };
    let paths = answers(&served.log_in("bela"));
    amal.visit(&served, &paths[0]);
    amal.change(&["f"]);
    served.folder().grade("serve user remove amal --users users.toml").exit(0);
    amal.browser.press("c");
    amal.browser.write("a comment");
    for key in ["Escape", "n"] {
        amal.browser.press(key);
        let refused = "document.querySelector('#status').dataset.state === 'refused'";
        amal.browser.wait_until(refused);
        let said = amal.text("document.querySelector('#status').textContent");
        assert!(said.starts_with("Not saved: your session has ended"), "{said}");
    }
    assert_eq!(amal.text("location.pathname"), paths[0]);
    assert_eq!(amal.text("document.querySelector('textarea').value"), "a comment");
    assert_eq!(served.store().markings().unwrap().len(), 1);
}

#[test]
fn pages_can_be_read_in_both_schemes_and_on_narrow_screens() {
    let mut records = class(12);
    let long =
        "Both residual connections are broken, so the gradient has no short way back. ".repeat(12);
    records.push(with_answer("zoe-with-a-rather-long-name-from-the-platform", &long));
    records.push(with_answer("yann", &long.to_uppercase()));
    let served = Served::start(&records, &["amal", "bela"], &[]);
    let Some(mut amal) = Marker::log_in(&served, "amal") else {
        return skipped("marking pages in a browser: no Chromium (SOFTMARK_BROWSER may name one)");
    };
    let (first, second) = (served.log_in("amal"), served.log_in("bela"));
    let paths = answers(&first);
    let seen = second.get(&paths[0]);
    let item =
        [("new_text", "names the residual connections as what is broken"), ("new_points", "2")];
    mark(&first, &paths[0], &[&item[..], &[("comment", "Well seen.\nAnd the gradient?")]].concat());
    super::send(&second, &paths[0], &seen, &[("free", "3")]);
    mark(&first, &paths[1], &[("free", "1.5")]);
    mark(&second, &format!("{}?role=second", paths[1]), &[("free", "3")]);
    let group = first.get(&format!("{QUESTION}/groups")).links(&format!("{QUESTION}/groups/"));
    let pages = [
        ("questions", "/marking".to_owned()),
        ("question", QUESTION.to_owned()),
        ("conflict", paths[0].clone()),
        ("answer", format!("{}?saved={}", paths[2], paths[1].rsplit('/').next().unwrap())),
        ("agreed", format!("{}?role=agreed", paths[1])),
        ("rubric", format!("{QUESTION}/rubric/1?text=names+both&points=2.5")),
        ("groups", format!("{QUESTION}/groups")),
        ("group", group[0].clone()),
        ("disagreements", format!("{QUESTION}/disagreements")),
    ];
    for (name, path) in pages {
        for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 375), ("dark", 375)] {
            let view = View { scheme, width };
            amal.browser.set_window(view, 1400);
            amal.visit(&served, &path);
            amal.browser.picture(&format!("marking-{name}-{scheme}-{width}"));
            let found = amal.browser.evaluate(MEASURE);
            assert_eq!(found["width"], found["room"], "wider than the window: {name}, {view:?}");
            assert_eq!(found["hard"], json!([]), "hard to read: {name}, {view:?}");
            assert_eq!(amal.browser.problems(), Vec::<String>::new(), "{name}");
        }
    }
    amal.visit(&served, &paths[2]);
    amal.browser.press("?");
    amal.browser.wait_until("document.querySelector('dialog[open]') !== null");
    amal.browser.picture("marking-keys-dark-375");
    let markings = served.store().markings().unwrap();
    assert_eq!(given(&markings[0]).comment, "Well seen.\nAnd the gradient?");
}

/// The figures of docs/serve.md: ten answers with three items, which are written when they are first needed.
#[test]
fn ten_answers_with_three_items_take_81_keys_and_one_page() {
    let served = Served::start(&class(10), &["amal", "bela"], &[]);
    let Some(mut amal) = Marker::log_in(&served, "amal") else {
        return skipped("marking by keyboard: no Chromium (SOFTMARK_BROWSER may name one)");
    };
    amal.visit(&served, &answers(&served.log_in("bela"))[0]);
    let before = amal.browser.keys();
    // What is kept in the page is there at the end, unless it was loaded again.
    amal.browser.evaluate("window.isFirst = true; 0");
    let mut points = Vec::new();
    for at in 0..10 {
        match at {
            0 => amal.add_item("names the residual", "2"),
            1..=3 => amal.change(&["1"]),
            4 => {
                amal.change(&["1"]);
                amal.add_item("names the gradient", "1.5");
            }
            5 | 6 => amal.change(&["1", "2"]),
            7 => amal.add_item("no answer", "0"),
            _ => amal.change(&["3"]),
        }
        points.push(amal.text("document.querySelector('.now b').textContent"));
        if at < 9 {
            let path = amal.text("location.pathname");
            amal.browser.press("n");
            amal.browser.wait_until(&format!("location.pathname !== '{path}'"));
        }
    }
    assert_eq!(served.store().markings().unwrap().len(), 13, "each change is saved");
    let expected = ["2.00", "2.00", "2.00", "2.00", "3.50", "3.50", "3.50", "0.00", "0.00", "0.00"];
    assert_eq!(points, expected);
    assert_eq!(amal.browser.keys() - before, 81);
    assert_eq!(amal.browser.evaluate("window.isFirst"), true);
}
