//! `grade serve`: a server on results that were written directly, asked over a real socket and by a browser.

mod access;
mod attacks;
mod changes;
mod class;
mod client;
mod grading;
mod in_browser;
mod limits;
mod tags;
mod tricks;
mod two_assignments;

use client::{Answer, Server};
use softmark::model::{Grader, Record};
use softmark::store::{Folder, Input, LEDGER, RecordKeys, Store};

use crate::support::grade::Desk;
use crate::support::records::{grader, record};

/// Pages that need no submission.
const PAGES: [&str; 8] =
    ["/", "/statistics", "/changes", "/decisions", "/similar", "/grading", "/log", "/marking"];

/// Ends of the paths of a submission's pages.
const TABS: [&str; 6] = ["", "/code", "/attempts", "/history", "/student", "/feedback"];

/// Adds a run with these records to the results; its submissions are in the folder `class`.
fn run(desk: &Desk, grader: &Grader, records: &[Record]) {
    let out = desk.path("results");
    std::fs::create_dir_all(&out).unwrap();
    let mut store = Store::open(&out.join(LEDGER)).unwrap();
    let run = store.begin_run(grader, "2026-01-31T12:00:00Z").unwrap();
    let path = desk.path("class");
    let input = Input { path, assignment: Some("attention".to_owned()), names: None };
    store.add_inputs(run, &[input]).unwrap();
    for record in records {
        let key = format!("{} {}", run.number(), record.submission);
        store.save(run, &RecordKeys::whole(&key), record).unwrap();
        Folder::of(&out).write(grader, record).unwrap();
    }
}

/// A class of three with results of one run.
fn small_class() -> Desk {
    let desk = Desk::new();
    run(&desk, &grader(), &["full-marks", "partial", "named-mistakes"].map(record));
    desk
}

/// A server on a class of three.
fn small_server() -> Server {
    Server::start(small_class(), &[])
}

/// Returns the answer to a page that must be there.
#[track_caller]
fn page(server: &Server, path: &str) -> Answer {
    let answer = server.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer
}
