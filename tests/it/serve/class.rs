//! The class and the pages of its submissions show what the commands know.

use std::fs;

use softmark::model::{Grader, Record, Status};

use super::{Server, page, run, small_server};
use crate::support::grade::Desk;
use crate::support::records::{grader, record};

/// Returns the names of submissions on a page.
fn names(body: &str) -> Vec<&str> {
    let links = body.split("<a href=\"/submission/").skip(1);
    links.filter_map(|rest| rest.split_once('>')?.1.split('<').next()).collect()
}

#[test]
fn filters_choose_submissions() {
    let desk = Desk::new();
    let all = ["full-marks", "named-mistakes", "partial", "skeleton", "build-failed", "no-grade"];
    run(&desk, &grader(), &all.map(record));
    let server = Server::start(desk, &[]);
    for (query, expected) in [
        ("name=WEI", &["chen-wei"][..]),
        ("check=scaled-dot-product/mask-hides&status=wrong", &["chen-wei"]),
        ("mistake=heads-interleaved", &["bastien-leroy"]),
        ("outcome=build_failed", &["emeka-nwosu"]),
        ("outcome=no_grade", &["giulia-conti"]),
        ("task=multi-head&outcome=graded", &["bastien-leroy", "dilnoza-karimova"]),
        ("name=nobody", &[]),
    ] {
        let body = page(&server, &format!("/?{query}")).body;
        assert_eq!(names(&body), expected, "{query}");
        assert!(body.contains(&format!("{} submission", expected.len())), "{query}");
    }
    assert_eq!(names(&page(&server, "/").body).len(), all.len());
}

/// Overrides count for the filter of tasks.
#[test]
fn the_filter_of_tasks_takes_the_points_that_count() {
    let desk = Desk::new();
    run(&desk, &grader(), &[record("full-marks"), record("partial")]);
    let server = Server::start(desk, &[]);
    let found = || {
        let body = page(&server, "/?task=positional-encoding").body;
        names(&body).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(), ["chen-wei"]);
    let check = "positional-encoding/matches-reference";
    let decide = |number: u32, points: &str| {
        let fields = [("check", check), ("points", points), ("reason", "seen"), ("seen", "0")];
        let path = format!("/submission/{number}");
        assert_eq!(server.post(&path, &format!("{path}/override"), &fields).status, 303);
    };
    decide(1, "0");
    decide(2, "2");
    assert_eq!(found(), ["amara-okafor"]);
}

/// The number of answers to mark is shown also if no submission that is shown is graded.
#[test]
fn the_figures_of_work_are_shown_without_points() {
    let desk = Desk::new();
    run(&desk, &grader(), &[record("build-failed"), record("no-grade")]);
    let server = Server::start(desk, &[]);
    let body = page(&server, "/?outcome=build_failed").body;
    assert!(body.contains("<dt>answers to mark</dt>") && !body.contains("<dt>mean</dt>"), "{body}");
}

/// A line of the spreadsheet that is not valid keeps nobody from the class or from deciding.
#[test]
fn an_invalid_line_of_the_spreadsheet_is_told_on_the_pages() {
    let server = small_server();
    let text = "submission,question,points\nchen-wei,explanation,x\n";
    fs::write(server.desk.path("results/marks.csv"), text).unwrap();
    for path in ["/", "/decisions", "/submission/2", "/submission/2/history"] {
        let body = page(&server, path).body;
        assert_eq!(
            body.contains("A line of marks.csv is not valid"),
            path != "/decisions",
            "{path}"
        );
    }
    let fields = [("check", "scaled-dot-product/mask-hides"), ("points", "1"), ("reason", "seen")];
    let fields = [&fields[..], &[("seen", "0")]].concat();
    assert_eq!(server.post("/submission/2", "/submission/2/override", &fields).status, 303);
    assert!(server.desk.read("results/records/chen-wei.json").contains("\"reason\": \"seen\""));
}

/// Moodle lists all groups of a student in one cell.
#[test]
fn each_of_several_groups_chooses_its_students() {
    let roster = "First name,Last name,ID number,Email address,Groups\n\
                  Chen,Wei,chen-wei,c@x.org,\"red, tutorial 1\"\n\
                  Amara,Okafor,amara-okafor,a@x.org,\"blue, tutorial 1\"\n";
    let desk = Desk::new()
        .file("home/softmark.toml", "title = \"T\"\nroster = \"roster.csv\"\n")
        .file("home/roster.csv", roster);
    let home = desk.path("home");
    let desk = desk.env("SOFTMARK_HOME", home);
    run(&desk, &grader(), &[record("full-marks"), record("partial")]);
    let server = Server::start(desk, &[]);
    for (group, expected) in [
        ("red", &["chen-wei"][..]),
        ("tutorial 1", &["amara-okafor", "chen-wei"]),
        ("red, tutorial 1", &[]),
    ] {
        let body = page(&server, &format!("/?group={}", group.replace(' ', "+"))).body;
        assert_eq!(names(&body), expected, "{group}");
    }
    let body = page(&server, "/").body;
    assert_eq!(body.matches("<option value=\"tutorial 1\">").count(), 1, "{body}");
    assert!(body.contains("<td>red, tutorial 1</td>"), "{body}");
    // The roster is edited while the server runs, and half of an edit changes nothing.
    let cannot = "The roster cannot be read";
    assert!(!body.contains(cannot), "{body}");
    let edit = |text: &str| fs::write(server.desk.path("home/roster.csv"), text).unwrap();
    edit(&roster.replace("red", "green"));
    assert_eq!(names(&page(&server, "/?group=green").body), ["chen-wei"]);
    edit("First name,Last");
    let body = page(&server, "/?group=green").body;
    assert!(names(&body) == ["chen-wei"] && body.contains(cannot), "{body}");
    edit(roster);
    let body = page(&server, "/?group=red").body;
    assert!(names(&body) == ["chen-wei"] && !body.contains(cannot), "{body}");
}

#[test]
fn a_long_class_has_pages() {
    let desk = Desk::new();
    let named =
        |at: usize| Record { submission: format!("student {at:03}").into(), ..record("partial") };
    run(&desk, &grader(), &(0..120).map(named).collect::<Vec<_>>());
    let server = Server::start(desk, &[]);
    let first = page(&server, "/?outcome=graded").body;
    assert_eq!(names(&first).len(), 100);
    assert!(first.contains("href=\"/?outcome=graded&amp;page=2\""), "{first}");
    let second = page(&server, "/?outcome=graded&page=2").body;
    assert_eq!(names(&second), (100..120).map(|at| format!("student {at:03}")).collect::<Vec<_>>());
    assert_eq!(names(&page(&server, "/?page=99999999999999999999").body).len(), 100);
}

#[test]
fn a_failed_check_is_shown_with_its_evidence() {
    let server = small_server();
    let body = page(&server, "/submission/2").body;
    for expected in [
        "what is masked does not move the output by one bit",
        "A value behind the mask moved the output.",
        "<td class=\"got\">-0.25</td><td>0</td><td>-0.25</td><td>± 0</td>",
        "<code>mask[0]</code> <small>1 × 1 × 2</small>",
        "<td class=\"p5\">1</td><td class=\"zero\">0</td>",
        "grade chen-wei --only scaled-dot-product/mask-hides --seed 1",
        "scores are not scaled by the width of a head",
    ] {
        assert!(body.contains(expected), "{expected}\n{body}");
    }
    let statistics = page(&server, "/statistics").body;
    let told = server.desk.grade("stats attention --format json").exit(0).stdout;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(
        statistics.contains("scaled-dot-product/mask-hides")
            && told.to_string().contains("mask-hides")
    );
}

/// The page in the frame is what `grade feedback` writes, byte for byte.
#[test]
fn the_student_view_is_the_page_of_feedback() {
    let server = small_server();
    server.desk.grade("feedback --out pages").exit(0);
    let folder = server.desk.path("pages/attention");
    let mut pages = fs::read_dir(folder)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let shown = page(&server, "/submission/2/feedback").body;
    assert!(pages.any(|written| written == shown), "{shown}");
    let frame = page(&server, "/submission/2/student").body;
    assert!(
        frame.contains("src=\"/submission/2/feedback?attempt=2\"")
            && frame.contains("sandbox=\"\"")
    );
}

/// Code is shown from where the run found it, and two versions that are still there are compared.
#[test]
fn code_and_the_difference_of_two_attempts_are_shown() {
    let mut desk = Desk::new();
    for (folder, line) in [("week1", "fn first() {}"), ("week2", "fn second() {}")] {
        desk = desk.submission(&format!("{folder}/chen-wei/src"), "assignments/attention/src");
        let path = desk.path(&format!("{folder}/chen-wei/src/attention.rs"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}\n{line}\n")).unwrap();
    }
    for folder in ["week1", "week2"] {
        let link = desk.path("class");
        fs::remove_file(&link).ok();
        std::os::unix::fs::symlink(desk.path(folder), &link).unwrap();
        let read = digest(&desk, folder);
        add_run(&desk, folder, &Record { sha256: read.into(), ..record("partial") });
    }
    let server = Server::start(desk, &[]);
    let code = page(&server, "/submission/1/code").body;
    assert!(
        code.contains("<span class=\"k\">fn</span> second() {}") && !code.contains("have changed"),
        "{code}"
    );
    let earlier = page(&server, "/submission/1/code?attempt=1").body;
    assert!(earlier.contains("<span class=\"k\">fn</span> first() {}"), "{earlier}");
    let attempts = page(&server, "/submission/1/attempts").body;
    assert!(
        attempts.contains("<code>fn first() {}</code>")
            && attempts.contains("<code>fn second() {}</code>"),
        "{attempts}"
    );
    fs::remove_dir_all(server.desk.path("week1")).unwrap();
    let gone = page(&server, "/submission/1/code?attempt=1").body;
    assert!(gone.contains("no longer where they were graded"), "{gone}");
}

/// Returns the digest of the files of the submission in a folder.
fn digest(desk: &Desk, folder: &str) -> String {
    let assignment =
        softmark::assignment::load(std::path::Path::new(crate::support::grade::HOME), "attention")
            .unwrap();
    let path = desk.path(&format!("{folder}/chen-wei"));
    let candidate = softmark::intake::Candidate::folder("chen-wei", path);
    let read = softmark::intake::read(&candidate, &assignment).unwrap();
    read.into_result().unwrap().sha256
}

/// Adds a run of a folder.
fn add_run(desk: &Desk, folder: &str, record: &Record) {
    use softmark::store::{Folder, Input, LEDGER, RecordKeys, Store};
    let out = desk.path("results");
    fs::create_dir_all(&out).unwrap();
    let mut store = Store::open(&out.join(LEDGER)).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    let input =
        Input { path: desk.path(folder), assignment: Some("attention".to_owned()), names: None };
    store.add_inputs(run, &[input]).unwrap();
    store.save(run, &RecordKeys::whole(folder), record).unwrap();
    Folder::of(&out).write(&grader(), record).unwrap();
}

#[test]
fn similar_submissions_are_compared_on_demand() {
    let mut desk = Desk::new();
    for name in ["amara", "ben"] {
        desk = desk.submission(&format!("class/{name}"), "solutions/attention");
    }
    let named = |name: &str| Record { submission: name.into(), ..record("full-marks") };
    run(&desk, &grader(), &[named("amara"), named("ben")]);
    let server = Server::start(desk, &[]);
    assert!(page(&server, "/similar").body.contains("have not been compared yet"));
    assert_eq!(server.get("/similar/report").status, 404);
    assert_eq!(server.post("/similar", "/similar", &[]).status, 303);
    let clock = softmark::clock::Clock::start();
    while page(&server, "/similar").body.contains("are being compared") {
        assert!(clock.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let body = page(&server, "/similar").body;
    assert!(body.contains("100 %") && names(&body) == ["amara", "ben"], "{body}");
    assert!(page(&server, "/similar/report").body.contains("amara"));
}

/// Gradings with another seed are not those of a student's other files.
#[test]
fn changes_are_those_of_the_difference_of_runs() {
    let desk = Desk::new();
    run(&desk, &grader(), &["full-marks", "partial"].map(record));
    let mut later = record("partial");
    for check in later.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        if check.id == "scaled-dot-product/mask-hides" {
            (check.status, check.points) = (Status::Pass, check.max_points);
        }
    }
    run(&desk, &Grader { seed: Some(2), ..grader() }, &[later]);
    let server = Server::start(desk, &[]);
    let body = page(&server, "/changes").body;
    assert!(body.contains("run 1 → run 2") && body.contains("wrong → pass"), "{body}");
    assert_eq!(names(&body), ["chen-wei"]);
}
