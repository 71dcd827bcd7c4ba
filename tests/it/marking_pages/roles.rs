//! First and second markers: two persons, who do not see each other's marks.

use std::sync::Barrier;
use std::thread;

use super::{QUESTION, answers, class, first_item, mark, points, send};
use crate::support::served::{Page, Served, Visitor, with_answer};

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
fn a_person_sends_only_one_of_the_first_and_the_second_mark_at_the_same_moment() {
    let served = Served::start(&class(4), &["mike"], &[]);
    let mike = served.log_in("mike");
    for path in answers(&mike) {
        let barrier = Barrier::new(2);
        let give = |path: &str| {
            let page = mike.get(path);
            barrier.wait();
            send(&mike, path, &page, &[("free", "1")]).status
        };
        let mut statuses = thread::scope(|scope| {
            let second = scope.spawn(|| give(&format!("{path}?role=second")));
            [give(&path), second.join().unwrap()]
        });
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 403]);
    }
    assert_eq!(served.store().markings().unwrap().len(), 4);
}

#[test]
fn who_gave_the_second_mark_gives_no_first_one_by_a_command() {
    let served = Served::start(&class(1), &["mike"], &[]);
    let mike = served.log_in("mike");
    mark(&mike, &format!("{}?role=second", answers(&mike)[0]), &[("free", "1")]);
    let told = served.folder().grade("mark student-00 explanation 4 --by mike").exit(64).stderr;
    assert!(told.contains("two persons"), "{told}");
    served.folder().grade("mark student-00 explanation 3 --by mara").exit(0);
    assert_eq!(points(&served, "student-00"), "3.0");
}

#[test]
fn an_agreed_mark_counts_only_while_it_is_newer_than_both_marks() {
    let served = Served::start(&class(1), &["mara", "mike", "olga"], &[]);
    let [mara, mike, olga] = ["mara", "mike", "olga"].map(|user| served.log_in(user));
    let path = answers(&mara)[0].clone();
    let [second, agreed] = ["second", "agreed"].map(|role| format!("{path}?role={role}"));
    let disagreements = || olga.get(&format!("{QUESTION}/disagreements")).links(&path).len();
    mark(&mara, &path, &[("free", "3")]);
    let page = mike.get(&path);
    let refused = send_in(&olga, &path, &page, "agreed", &[("free", "2")]);
    assert_eq!(refused.status, 409, "there is no second mark: {}", refused.body);
    assert!(!olga.get(&agreed).body.contains("data-marking"));
    mark(&mike, &second, &[("free", "1")]);
    assert_eq!(mark(&olga, &agreed, &[("free", "2")]).status, 303);
    assert_eq!((points(&served, "student-00").as_str(), disagreements()), ("2.0", 0));
    let saved = mara.get(&mark(&mara, &path, &[("free", "4")]).location()).body;
    assert!(saved.contains("student-00, 4.00 points"), "{saved}");
    assert_eq!((points(&served, "student-00").as_str(), disagreements()), ("4.0", 1));
    assert!(olga.get(&agreed).body.contains("class=\"open\""), "it is to be decided again");
    mark(&mike, &second, &[("free", "4")]);
    assert_eq!((points(&served, "student-00").as_str(), disagreements()), ("4.0", 0));
}

#[test]
fn a_preview_shows_a_second_marker_only_how_many_answers_change() {
    let served = Served::start(&class(2), &["mara", "mike"], &[]);
    let (mara, mike) = (served.log_in("mara"), served.log_in("mike"));
    let path = answers(&mara)[0].clone();
    mark(&mara, &path, &[("new_text", "names it"), ("new_points", "3.75")]);
    let item = first_item(&mara.get(&path).body);
    let preview = |query: &str| {
        mike.get(&format!("{QUESTION}/rubric/{item}?text=names+it&points=1{query}")).body
    };
    let (first, second) = (preview(""), preview("&role=second"));
    assert!(first.contains("<td class=\"number\">3.75</td>"), "{first}");
    assert!(second.contains("chosen for 1 answer; the points of 1 change"), "{second}");
    assert!(!second.contains("<td class=\"number\">"), "{second}");
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
