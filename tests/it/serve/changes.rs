//! Changes from pages: the same as those of the commands, logged, and safe.

use softmark::overrides::Overrides;
use softmark::store::{LEDGER, Store};

use super::{Server, page, small_class, small_server};
use crate::support::records::{grader, record};

const CHECK: (&str, &str) = ("check", "scaled-dot-product/mask-hides");

/// Decides half a point for the check of chen-wei, who is submission 2.
fn decide(server: &Server, points: &str, seen: &str) -> super::Answer {
    let fields = [
        CHECK,
        ("points", points),
        ("reason", "right in principle"),
        ("seen", seen),
        ("anchor", "c0-2"),
    ];
    server.post("/submission/2", "/submission/2/override", &fields)
}

/// Returns what the form of the check of chen-wei has seen.
fn seen(server: &Server) -> String {
    let body = page(server, "/submission/2").body;
    let (_, rest) = body.split_once("value=\"scaled-dot-product/mask-hides\"").unwrap();
    let (_, rest) = rest.split_once("name=\"seen\" value=\"").unwrap_or_else(|| panic!("{body}"));
    rest.split('"').next().unwrap().to_owned()
}

#[test]
fn an_override_from_a_page_is_that_of_the_command() {
    let server = small_server();
    let told = decide(&server, "0.5", "0");
    assert_eq!(
        (told.status, told.header("location")),
        (303, "/submission/2#c0-2"),
        "{}",
        told.body
    );
    let desk = &server.desk;
    let listed = desk.grade("override").exit(0).stdout;
    assert!(
        listed.contains("chen-wei  scaled-dot-product/mask-hides  0.50  by okafor on "),
        "{listed}"
    );
    assert!(listed.contains(": right in principle\n"), "{listed}");
    assert!(desk.grade("show chen-wei").exit(0).stdout.contains("19.75"));
    let shown = page(&server, "/submission/2").body;
    assert!(shown.contains("19.75") && shown.contains("right in principle"), "{shown}");
    assert!(page(&server, "/").body.contains("19.75"));
    assert!(page(&server, "/decisions").body.contains("right in principle"));
    // Somebody who has seen the old points does not overwrite the new ones.
    let late = decide(&server, "1", "0");
    assert_eq!(late.status, 409, "{}", late.body);
    assert!(late.body.contains("were decided in the meantime"), "{}", late.body);
    let withdrawn = [CHECK, ("withdraw", "yes"), ("seen", &seen(&server))];
    assert_eq!(server.post("/submission/2", "/submission/2/override", &withdrawn).status, 303);
    assert!(desk.grade("override").exit(0).stdout.starts_with("0 overrides"));
}

/// Two decisions of one second are two decisions, and so is the withdrawal of an override that was given before.
#[test]
fn a_decision_that_was_not_seen_is_not_overwritten_however_fast_it_came() {
    let server = small_server();
    assert_eq!(decide(&server, "0.5", "0").status, 303);
    let first = seen(&server);
    assert_eq!(decide(&server, "0.75", &first).status, 303);
    assert_eq!(decide(&server, "1", &first).status, 409);
    let withdrawn = [CHECK, ("withdraw", "yes"), ("seen", &seen(&server))];
    assert_eq!(server.post("/submission/2", "/submission/2/override", &withdrawn).status, 303);
    assert_eq!(
        decide(&server, "1", "0").status,
        409,
        "nothing holds, as at first, but much was said"
    );
    assert_eq!(decide(&server, "1", &seen(&server)).status, 303);
}

/// However two requests meet, one of them is told.
#[test]
fn of_two_who_decide_at_the_same_time_one_is_told() {
    let server = small_server();
    for round in 0..12 {
        let seen = round.to_string();
        let decide = |points: &'static str| decide(&server, points, &seen).status;
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(|| decide("1"));
            (decide("0.5"), other.join().unwrap())
        });
        assert_eq!((one.min(other), one.max(other)), (303, 409), "round {round}");
    }
    let store = Store::open(&server.desk.path("results").join(LEDGER)).unwrap();
    assert_eq!(store.overrides().unwrap().len(), 12);
}

#[test]
fn what_cannot_be_decided_changes_nothing() {
    let server = small_server();
    for (points, status) in [("2.01", 400), ("0.125", 400), ("much", 400), ("", 400), ("-1", 400)] {
        assert_eq!(decide(&server, points, "0").status, status, "{points}");
    }
    for fields in [
        &[CHECK, ("points", "1"), ("reason", " "), ("seen", "0")][..],
        &[("check", "no/check"), ("points", "1"), ("reason", "x"), ("seen", "0")],
        &[("points", "1"), ("reason", "x"), ("seen", "0")],
        &[CHECK, ("points", "1"), ("reason", "x")],
        &[CHECK, ("points", "1"), ("reason", "x"), ("seen", "2026-01-31T12:00:00Z")],
    ] {
        assert_eq!(server.post("/submission/2", "/submission/2/override", fields).status, 400);
    }
    let withdrawn = [CHECK, ("withdraw", "yes"), ("seen", "0")];
    assert_eq!(server.post("/submission/2", "/submission/2/override", &withdrawn).status, 409);
    let closed = [CHECK, ("step", "close"), ("text", "")];
    assert_eq!(server.post("/submission/2", "/submission/2/appeal", &closed).status, 409);
    let store = Store::open(&server.desk.path("results").join(LEDGER)).unwrap();
    assert!(Overrides::of(&store).unwrap().in_force().is_empty());
    assert!(store.appeals().unwrap().is_empty());
}

#[test]
fn an_appeal_is_asked_answered_and_closed() {
    let server = small_server();
    let step = |step: &str, text: &str| {
        let fields = [CHECK, ("step", step), ("text", text)];
        server.post("/submission/2", "/submission/2/appeal", &fields).status
    };
    assert_eq!(step("open", "is a mask of -1 wrong?"), 303);
    assert_eq!(step("open", "again"), 409);
    assert!(page(&server, "/?needs=answer").body.contains("chen-wei"));
    assert!(!page(&server, "/?needs=answer").body.contains("amara-okafor"));
    assert_eq!(step("answer", "it only makes a weight smaller"), 303);
    assert_eq!(step("close", ""), 303);
    let listed = server.desk.grade("appeal list --all").exit(0).stdout;
    assert!(listed.starts_with("1 appeal, 0 open\n"), "{listed}");
    assert!(listed.contains("answered by okafor: it only makes a weight smaller"), "{listed}");
    let history = page(&server, "/submission/2/history").body;
    assert!(history.contains("appeal closed: scaled-dot-product/mask-hides"), "{history}");
}

#[test]
fn each_change_is_logged_before_and_after_without_secrets() {
    let server = small_server();
    decide(&server, "0.5", "0");
    decide(&server, "9", "0");
    let log = server.desk.read("results/changes.jsonl");
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let outcomes: Vec<&str> = lines.iter().map(|line| line["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes[..3], ["asked", "done", "asked"]);
    assert_eq!(lines.len(), 4);
    for line in &lines {
        assert_eq!(
            (&line["user"], &line["action"]),
            (&"okafor".into(), &"/submission/2/override".into())
        );
    }
    assert!(!log.contains("form_token") && log.contains("right in principle"), "{log}");
    let shown = page(&server, "/log").body;
    assert!(shown.contains("/submission/2/override") && shown.contains("right in principle"));
}

/// A change that was answered survives; the file of the gradebook follows later, or after the next start.
#[test]
fn a_killed_server_loses_no_change() {
    let server = small_server();
    assert_eq!(decide(&server, "0.5", "0").status, 303);
    let cookie = server.cookie.clone();
    let server = server.killed_and_started_again(|_| {});
    assert!(page(&server, "/submission/2").body.contains("19.75"));
    let before = server.request("GET", "/").cookie(&cookie).send();
    assert_eq!(before.status, 200, "the session goes on, because the token is kept");
    let clock = softmark::clock::Clock::start();
    let path = server.desk.path("results/gradebook.csv");
    while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains(",19.75,")) {
        assert!(clock.elapsed().as_secs() < 60, "the gradebook is not written");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn a_grading_that_comes_later_is_shown() {
    let server = Server::start(small_class(), &[]);
    assert!(!page(&server, "/").body.contains("giulia-conti"));
    super::run(&server.desk, &grader(), &[record("no-grade")]);
    let body = page(&server, "/").body;
    assert!(body.contains("giulia-conti") && body.contains("no grade"), "{body}");
    assert!(page(&server, "/changes").body.contains("run 1 → run 2"));
}
