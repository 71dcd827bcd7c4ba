//! Text of submissions never becomes markup.

use std::fs;
use std::path::Path;

use super::tags::strangers;
use super::tricks::{TRICKS, full_of};
use super::{PAGES, Server, TABS, page, run};
use crate::support::grade::{Desk, HOME};
use crate::support::records::{grader, record};

/// Asserts that a page has nothing but what pages of ours have.
#[track_caller]
pub(super) fn assert_clean(path: &str, body: &str) {
    let found = strangers(body);
    assert!(found.is_empty(), "{path}: {found:?}");
}

/// A class in which every text of every submission is a trick.
pub(super) fn class_of_tricks() -> Desk {
    let desk = Desk::new();
    let records: Vec<_> = TRICKS.iter().map(|trick| full_of(trick, trick)).collect();
    run(&desk, &grader(), &records);
    // A second run, so that there is something to compare.
    run(&desk, &grader(), &[full_of(TRICKS[1], TRICKS[0]), record("hostile")]);
    desk
}

#[test]
fn no_text_of_a_record_becomes_markup_on_any_page() {
    let server = Server::start(class_of_tricks(), &[]);
    for path in PAGES {
        assert_clean(path, &page(&server, path).body);
    }
    for number in 1..=TRICKS.len() {
        for tab in TABS {
            let path = format!("/submission/{number}{tab}");
            let body = page(&server, &path).body;
            // A document that is shown in a frame has its own style sheet.
            let body = body.split_once("</style>").map_or(body.as_str(), |(_, body)| body);
            assert_clean(&path, body);
        }
    }
    let shown = page(&server, "/submission/1").body;
    assert!(shown.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "the text is shown");
}

/// Text that people type is no markup either: it may be a quote of a student.
#[test]
fn no_text_of_a_person_becomes_markup() {
    let server = Server::start(class_of_tricks(), &[]);
    for (number, trick) in (1..).zip(TRICKS) {
        let path = format!("/submission/{number}");
        let check = ("check", "scaled-dot-product/mask-hides");
        let given = [check, ("points", "0.5"), ("reason", trick), ("anchor", trick), ("seen", "0")];
        let told = server.post(&path, &format!("{path}/override"), &given);
        assert_eq!(told.status, 303, "{}", told.body);
        assert!(told.header("location").starts_with(&format!("{path}#")), "{told:?}");
        let asked = [check, ("step", "open"), ("text", trick)];
        assert_eq!(server.post(&path, &format!("{path}/appeal"), &asked).status, 303);
        for tab in TABS {
            let path = format!("{path}{tab}");
            let body = page(&server, &path).body;
            let body = body.split_once("</style>").map_or(body.as_str(), |(_, body)| body);
            assert_clean(&path, body);
        }
    }
    for path in PAGES {
        assert_clean(path, &page(&server, path).body);
    }
    for trick in TRICKS {
        let query =
            percent_encoding::utf8_percent_encode(trick, percent_encoding::NON_ALPHANUMERIC);
        for field in ["name", "check", "mistake", "group", "assignment", "status", "page"] {
            let path = format!("/?{field}={query}");
            assert_clean(&path, &page(&server, &path).body);
        }
    }
}

/// Code of all attacks that are Rust.
#[test]
fn no_code_becomes_markup() {
    let mut desk = Desk::new();
    let mut names = Vec::new();
    for entry in fs::read_dir(Path::new(HOME).join("fixtures/attacks")).unwrap() {
        let entry = entry.unwrap();
        if !entry.path().join("src").is_dir() {
            continue;
        }
        let name = entry.file_name().into_string().unwrap();
        let to = format!("class/{name}/src");
        desk = desk.submission(&to, "assignments/attention/src");
        desk = desk.submission(&to, &format!("fixtures/attacks/{name}/src"));
        names.push(name);
    }
    names.sort();
    for (at, trick) in TRICKS.iter().enumerate() {
        let name = format!("trick {at}");
        desk = desk.submission(&format!("class/{name}/src"), "assignments/attention/src");
        let code = format!("// {trick}\nconst A: &str = r#\"{trick}\"#;\n/* {trick} */ {trick}\n");
        fs::write(desk.path(&format!("class/{name}/src/attention.rs")), code).unwrap();
        names.push(name);
    }
    let records: Vec<_> = names
        .iter()
        .map(|name| softmark::model::Record {
            submission: name.as_str().into(),
            ..record("partial")
        })
        .collect();
    run(&desk, &grader(), &records);
    let server = Server::start(desk, &[]);
    let mut shown = 0;
    for number in 1..=names.len() {
        let path = format!("/submission/{number}/code");
        let body = page(&server, &path).body;
        assert_clean(&path, &body);
        shown += usize::from(body.contains("<pre class=\"code\""));
    }
    assert!(shown > names.len() / 2, "the code of {shown} of {} is shown", names.len());
}
