//! Grading that a page starts.

use std::thread;
use std::time::Duration;

use softmark::clock::Clock;

use super::{Server, page, run, small_server};
use crate::support::grade::Desk;
use crate::support::pack::pack;
use crate::support::records::{grader, record};
use crate::support::results::{cpu_seconds, rows};

/// Waits until the page of grading says that it has ended, and returns it.
fn ended(server: &Server) -> String {
    let clock = Clock::start();
    loop {
        let body = page(server, "/grading").body;
        if body.contains("Grading has ended") {
            return body;
        }
        assert!(clock.elapsed().as_secs() < 120, "{body}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until something is so.
fn wait_until(is_so: impl Fn() -> bool, what: &str) {
    let clock = Clock::start();
    while !is_so() {
        assert!(clock.elapsed().as_secs() < 120, "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// The newest run of the submissions, by whose number they can be graded again.
fn newest_run(server: &Server) -> String {
    let body = page(server, "/grading").body;
    let (_, rest) = body.split_once("<h3>Submissions of run ").unwrap();
    rest.split('<').next().unwrap().to_owned()
}

/// The submission cannot be unpacked, so it is graded in no time.
#[test]
fn submissions_of_an_earlier_run_are_graded_again() {
    pack();
    let desk = Desk::new().file("class/broken.zip", "no archive");
    run(&desk, &grader(), &[record("partial")]);
    let server = Server::start(desk, &[]);
    for fresh in ["", "yes"] {
        let newest = newest_run(&server);
        let fields = [("run", newest.as_str()), ("fresh", fresh)];
        assert_eq!(server.post("/grading", "/grading/start", &fields).status, 303);
        let body = ended(&server);
        assert!(body.contains("every submission has a grade"), "{body}");
        assert!(body.contains("Grade again"), "it can be started again: {body}");
    }
    assert!(page(&server, "/?outcome=rejected").body.contains("broken"));
}

/// The submission computes without end, so it is being graded when the server is killed.
#[test]
fn grading_ends_with_the_server_that_started_it() {
    pack();
    let desk =
        Desk::new().submission("class/farid", "fixtures/class/farid").file("scratch/readme", "");
    let scratch = desk.path("scratch");
    let desk = desk.env("TMPDIR", scratch);
    run(&desk, &grader(), &[record("partial")]);
    let server = Server::start(desk, &[]);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "1")]).status, 303);
    wait_until(|| server.desk.list("scratch").len() > 1, "nothing is graded");
    let server = server.killed_and_started_again(|desk| {
        wait_until(|| desk.list("scratch") == ["readme"], "it is still graded");
    });
    let body = page(&server, "/grading").body;
    assert!(body.contains("Nothing was started") && body.contains("Grade again"), "{body}");
    assert_eq!(names_of_records(&server), ["chen-wei"]);
}

/// One submission is graded in a second; the other one computes without end.
#[test]
fn a_grading_that_was_stopped_goes_on_where_it_was() {
    pack();
    let desk = Desk::new()
        .submission("class/amara", "fixtures/class/amara")
        .submission("class/farid", "fixtures/class/farid")
        .file("scratch/readme", "");
    let scratch = desk.path("scratch");
    let desk = desk.env("TMPDIR", scratch);
    run(&desk, &grader(), &[record("partial")]);
    let server = Server::start(desk, &[]);
    let out = server.desk.path("results");
    let is_idle = || server.desk.list("scratch") == ["readme"];
    let stop = || {
        assert_eq!(server.post("/grading", "/grading/stop", &[]).status, 303);
        let body = ended(&server);
        assert!(body.contains("it was stopped") && body.contains("Grade again"), "{body}");
        wait_until(is_idle, "something runs, or is left, after the stop");
    };
    let start = |number: &str| server.post("/grading", "/grading/start", &[("run", number)]).status;
    assert_eq!(start("1"), 303);
    wait_until(|| names_of_records(&server) == ["amara", "chen-wei"], "amara has no record");
    assert_eq!(start("all"), 409);
    stop();
    // What was graded stays graded, and nothing else has a grade.
    assert_eq!(names_of_records(&server), ["amara", "chen-wei"]);
    assert_eq!(rows(&out), 2);
    assert!(cpu_seconds(&out, "amara").is_some());
    assert_eq!(start(&newest_run(&server)), 303);
    wait_until(|| rows(&out) == 3, "amara is not taken over");
    assert_eq!(cpu_seconds(&out, "amara"), None, "amara is graded a second time");
    wait_until(|| !is_idle(), "farid is not graded again");
    stop();
    assert_eq!(names_of_records(&server), ["amara", "chen-wei"]);
}

/// Submissions with records. Whoever is killed while it writes one may leave a hidden file.
fn names_of_records(server: &Server) -> Vec<String> {
    let names = server.desk.list("results/records");
    names.iter().filter_map(|name| name.strip_suffix(".json")).map(str::to_owned).collect()
}

/// The submissions of the run are gone: what the grader says of that is shown.
#[test]
fn what_the_grader_says_is_shown() {
    let server = small_server();
    let before = page(&server, "/grading").body;
    assert!(before.contains("Nothing was started") && before.contains("/class</code>"), "{before}");
    assert_eq!(server.post("/grading", "/grading/stop", &[]).status, 409);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "7")]).status, 400);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "/etc")]).status, 400);
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "1")]).status, 303);
    let body = ended(&server);
    assert!(
        body.contains("there is nothing at") && body.contains("it ended with exit code 64"),
        "{body}"
    );
    assert!(body.contains("Started by okafor"), "{body}");
    // It can be started again.
    assert_eq!(server.post("/grading", "/grading/start", &[("run", "all")]).status, 303);
    ended(&server);
}
