//! Versions of one student in a download: the earlier ones are graded where one of them may count.

use std::fs;

use crate::support::course::link_project;
use crate::support::exams::project;
use crate::support::grade::Desk;
use crate::support::pack::pack;

/// A course whose roster has two students, with this policy.
fn course(policy: &str) -> Desk {
    // Else whoever is first would say that it builds the libraries.
    pack();
    let file = format!(
        "title = 'T'\nroster = 'roster.csv'\ntime_zone = 'UTC'\n[assignments.attention]\n{policy}\n"
    );
    let desk = Desk::new()
        .file("home/softmark.toml", &file)
        .file("home/roster.csv", "id,name\namara,Amara Okafor\nbao,Bao Tran\n");
    link_project(project().home, &desk.path("home"));
    let home = desk.path("home");
    let desk = desk.env("SOFTMARK_HOME", home);
    // 14 points, then none; the other student has handed in once.
    desk.submission("class/ps1_amara_attempt_2026-11-20-10-00-00_a", "fixtures/class/bao")
        .submission("class/ps1_amara_attempt_2026-11-27-10-00-00_b", "fixtures/class/chiara")
        .submission("class/ps1_bao_attempt_2026-11-20-09-00-00_a", "fixtures/class/bao")
}

/// Returns the lines of `grade course check` that say what students get.
fn marks(desk: &Desk) -> Vec<String> {
    let told = desk.grade("course check").exit(0).stdout;
    let of_students = told.lines().map(str::trim);
    let of_students = of_students.filter(|it| it.starts_with("amara (") || it.starts_with("bao ("));
    of_students.map(str::to_owned).collect()
}

#[test]
fn the_best_version_of_a_download_counts() {
    let desk = course("due = 2026-12-01\ncounts = 'best'");
    let ran = desk.grade("class").exit(0);
    assert!(ran.stdout.contains("2 submissions: 2 graded"), "{ran}");
    let note = "1 earlier version was graded too; `grade course check` shows what counts\n";
    assert!(ran.stderr.contains(note), "{ran}");
    assert_eq!(desk.list("results/records"), ["amara.json", "bao.json"]);
    assert!(desk.read("results/records/amara.json").contains("2026-11-27T10:00:00"));
    let right = ["amara (Amara Okafor): in time, 14.00", "bao (Bao Tran): in time, 14.00"]
        .map(str::to_owned);
    assert_eq!(marks(&desk), right);

    // What is listed, compared and counted are the submissions, not their earlier versions.
    let again = desk.grade("class").exit(0);
    assert!(again.stderr.contains("3 records of 3 from an earlier run"), "{again}");
    assert_eq!(marks(&desk), right);
    let compared = desk.grade("diff previous latest").exit(0);
    assert!(compared.stdout.contains("no result differs"), "{compared}");
    let log = desk.grade("log amara").exit(0).stdout;
    assert!(!log.contains("14.00"), "{log}");
    let statistics = desk.grade("stats attention --format json").exit(0).stdout;
    for count in ["\"graded\": 1,", "\"not_started\": 1,"] {
        assert!(statistics.contains(count), "{statistics}");
    }

    // A regrade does the same with all versions.
    let regraded = desk.grade("regrade --check masked-pooling/*").exit(0);
    assert!(regraded.stderr.contains("1 earlier version was"), "{regraded}");
    assert_eq!(marks(&desk), right);
}

#[test]
fn a_version_before_the_hard_stop_counts() {
    let desk = course("due = 2026-11-22\nlate_until = 2026-11-25");
    let ran = desk.grade("class").exit(0);
    assert!(ran.stderr.contains("1 earlier version was graded too"), "{ran}");
    assert_eq!(marks(&desk)[0], "amara (Amara Okafor): in time, 14.00");
    // An extension moves the stop: then the latest counts, and it is in time.
    let text = desk.read("home/softmark.toml")
        + "[[extensions]]\nstudent = 'amara'\nassignment = 'attention'\ndays = 7\n";
    fs::write(desk.path("home/softmark.toml"), text).unwrap();
    let extended = "amara (Amara Okafor): extended to 2026-11-29, in time, 0.00";
    assert_eq!(marks(&desk)[0], extended);
}

#[test]
fn what_cannot_count_is_not_graded() {
    for policy in ["due = 2026-11-22", "due = 2026-11-22\nlate_until = 2026-11-28"] {
        let desk = course(policy);
        let ran = desk.grade("class").exit(0);
        assert!(!ran.stderr.contains("earlier version"), "{ran}");
        assert!(marks(&desk)[0].ends_with("0.00"), "{:?}", marks(&desk));
    }
}

#[test]
fn a_job_engine_grades_the_versions_too() {
    let desk = course("counts = 'best'");
    let args = ["class", "--chunks", "2", "--on", "command", "\"$GRADE\" chunk {plan}"];
    let output = desk.command().args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("1 earlier version was graded too"), "{said}");
    assert_eq!(marks(&desk)[0], "amara (Amara Okafor): 14.00");
    assert_eq!(desk.list("results/runs"), Vec::<String>::new());
}

/// The same files at two times are two versions: the one in time counts.
#[test]
fn the_same_files_after_the_hard_stop_take_nothing_away() {
    let desk = course("due = 2026-11-22\nlate_until = 2026-11-25")
        .submission("class/ps1_bao_attempt_2026-11-28-09-00-00_a", "fixtures/class/bao");
    desk.grade("class").exit(0);
    assert_eq!(marks(&desk)[1], "bao (Bao Tran): in time, 14.00");
}
