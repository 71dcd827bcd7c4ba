//! `grade similar`, as an instructor runs it: the table, the page and the document, and what is refused.

use std::fs;
use std::os::unix::fs::symlink;

use insta::assert_snapshot;

use crate::support::grade::{Desk, HOME, copy};
use crate::support::reading::well_formed;

/// A desk with the sample class, and a copy of one of its members with other names in an earlier year.
fn desk() -> Desk {
    let desk = Desk::new().submission("class", "fixtures/class");
    let desk = desk.submission("2025/zoe", "fixtures/class/mateo");
    for file in ["attention", "classifier", "multi_head", "pooling", "position"] {
        let path = desk.path(&format!("2025/zoe/src/{file}.rs"));
        let text = fs::read_to_string(&path).unwrap();
        let other = text.replace("mask", "<b>").replace("<b>", "visible").replace("1.0", "2.5");
        fs::write(&path, format!("// </pre><script>alert(1)</script>\u{202e}\n{other}")).unwrap();
    }
    desk
}

#[test]
fn the_table_says_what_is_similar_and_what_that_means() {
    let ran = desk().grade("similar class --with 2025").exit(0);
    assert_snapshot!("similar", ran.to_string());
}

#[test]
fn the_page_is_well_formed_and_has_nothing_of_a_student_as_markup() {
    let desk = desk();
    let ran = desk.grade("similar class --with 2025 --format html --out page.html").exit(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", "2 pairs reported in page.html\n"));
    let page = desk.read("page.html");
    assert_eq!(well_formed("html", &page), Ok(()));
    assert!(page.contains("&lt;/pre&gt;&lt;script&gt;alert(1)"));
    assert!(!page.contains("<script") && !page.contains('\u{202e}'));
    assert!(page.contains("default-src 'none'") && page.contains("not a verdict"));
    // Every passage is on both sides, and each links to the other.
    for (side, opposite) in [("a", "b"), ("b", "a")] {
        let links = page.matches(&format!("<a id=\"c0p0{side}")).count();
        assert!(links > 3 && page.matches(&format!("href=\"#c0p0{opposite}")).count() == links);
    }
    let stdout = desk.grade("similar class --with 2025 --format html").exit(0).stdout;
    assert_eq!(stdout, page);
}

#[test]
fn the_document_has_all_figures() {
    let stdout = desk().grade("similar class --with 2025 --format json").exit(0).stdout;
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let assignment = &document["assignments"][0];
    assert_eq!(document["format_version"], 1);
    assert_eq!(
        (&assignment["id"], &assignment["pairs_compared"]),
        (&"attention".into(), &120.into())
    );
    let pairs = assignment["pairs"].as_array().unwrap();
    let names = |pair: &serde_json::Value| [0, 1].map(|at| pair["submissions"][at]["name"].clone());
    assert_eq!(names(&pairs[0]), ["mateo", "2025/zoe"]);
    assert_eq!(names(&pairs[1]), ["amara", "imani"]);
    for pair in pairs {
        let passages = pair["passages"].as_array().unwrap();
        let tokens: u64 = passages.iter().map(|it| it["tokens"].as_u64().unwrap()).sum();
        assert_eq!(pair["tokens"], tokens);
        let places = passages.iter().flat_map(|it| it["places"].as_array().unwrap());
        assert!(places.into_iter().all(|it| it["first_line"].as_u64() <= it["last_line"].as_u64()));
    }
}

/// A fault of a submission costs it its comparison alone, and is reported.
#[test]
fn submissions_that_cannot_be_read_are_named() {
    let desk = desk();
    fs::remove_file(desk.path("class/bao/src/pooling.rs")).unwrap();
    let ran = desk.grade("similar class").exit(0);
    assert!(ran.stdout.contains("1 submission was not compared\n  bao: "), "{ran}");
    assert!(ran.stdout.contains("14 submissions, 91 pairs"), "{ran}");
}

/// A byte that is not UTF-8 costs its file in a grading, but hides nothing from a comparison.
#[test]
fn a_file_that_is_not_utf_8_is_compared() {
    let desk = desk();
    let path = desk.path("class/mateo/src/multi_head.rs");
    let with_a_byte = [fs::read(&path).unwrap().as_slice(), b"// \xff\n"].concat();
    fs::write(&path, with_a_byte).unwrap();
    let stdout = desk.grade("similar class --with 2025").exit(0).stdout;
    assert_eq!(stdout, self::desk().grade("similar class --with 2025").exit(0).stdout);
}

#[test]
fn nothing_similar_is_no_failure() {
    let desk = Desk::new().class(&["bao", "mateo"]);
    let ran = desk.grade("similar class").exit(0);
    assert!(ran.stdout.contains("no pair has a share"), "{ran}");
    assert!(!ran.stdout.contains("verdict"), "{ran}");
}

#[test]
fn a_lower_share_reports_more() {
    let desk = Desk::new().class(&["amara", "bao"]);
    let pairs = |options: &str| {
        let ran = desk.grade(&format!("similar class --format json {options}")).exit(0);
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        document["assignments"][0]["pairs"].as_array().unwrap().len()
    };
    assert_eq!((pairs(""), pairs("--least 1")), (0, 1));
}

#[test]
fn what_cannot_be_compared_or_written_is_refused() {
    let desk = Desk::new().class(&["bao"]);
    copy(&std::path::Path::new(HOME).join("fixtures/class/amara"), &desk.path("2025"));
    for (args, said) in [
        ("similar nowhere", "nowhere"),
        ("similar class --with nowhere", "nowhere"),
        ("similar class --assignment nothing", "there is no assignment `nothing`"),
        ("similar class --out class", "class is a folder"),
        ("similar class --out nowhere/page.html", "there is no folder nowhere"),
        ("similar class --least 0", "--least"),
        ("similar", "SUBMISSION"),
    ] {
        let ran = desk.grade(args).exit(64);
        assert!(ran.stderr.contains(said) && ran.stdout.is_empty(), "{args}: {ran}");
    }
}

/// Two submissions of one student, or of a group that hands in together, agree and are no finding.
#[test]
fn submissions_of_one_team_are_left_out_where_the_course_has_a_roster() {
    let course = |groups| {
        format!(
            "title = \"C\"\nroster = \"roster.csv\"\n[assignments.attention]\ngroups = {groups}\n"
        )
    };
    let roster = "id,name,group\namara,Amara,red\nimani,Imani,red\nmateo,Mateo,\n";
    let desk = desk()
        .file("home/softmark.toml", &course(true))
        .file("home/roster.csv", roster)
        .file("home/solutions/readme", "");
    symlink(format!("{HOME}/assignments"), desk.path("home/assignments")).unwrap();
    let home = desk.path("home");
    let desk = desk.env("SOFTMARK_HOME", home).submission("class/mateo-2", "fixtures/class/mateo");
    let ran = desk.grade("similar class").exit(0);
    assert!(
        ran.stdout.contains("16 submissions, 119 pairs; 1 pair of one student or team"),
        "{ran}"
    );
    assert!(!ran.stdout.contains("imani"), "{ran}");
    let desk = desk.file("home/softmark.toml", &course(false));
    let ran = desk.grade("similar class").exit(0);
    assert!(ran.stdout.contains("amara – imani"), "{ran}");
}
