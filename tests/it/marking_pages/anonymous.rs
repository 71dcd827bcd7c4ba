//! Anonymous marking: no page shows a name, and codes follow from the secret of the course.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use super::{QUESTION, answers, class, mark, send};
use crate::support::grade::Desk;
use crate::support::served::{Served, add_run, with_answer};

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
