//! Several markers at once, and a server that is killed.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use softmark::marking::Book;
use softmark::store::MarkerRole;

use super::{answers, class, given, mark, send};
use crate::support::served::Served;

/// Number of forms that are sent while the server is killed.
const STEPS: usize = 40;

/// Number of times that the server is killed.
const KILLS: usize = 6;

#[test]
fn markers_who_saw_the_same_never_overwrite_each_other() {
    let users = ["amal", "bela", "chiara", "dev"];
    let served = Served::start(&class(6), &users, &[]);
    let visitors = users.map(|user| served.log_in(user));
    let paths = answers(&visitors[0]);
    assert_eq!(paths.len(), 6);
    // Everybody has loaded every page before anybody marks.
    let seen: Vec<Vec<_>> =
        visitors.iter().map(|it| paths.iter().map(|path| it.get(path)).collect()).collect();
    thread::scope(|scope| {
        for ((at, visitor), pages) in visitors.iter().enumerate().zip(&seen) {
            let paths = &paths;
            scope.spawn(move || {
                for (path, page) in paths.iter().zip(pages) {
                    let free = format!("{at}.25");
                    let sent = send(visitor, path, page, &[("free", &free), ("go", "next")]);
                    assert_eq!(sent.status, 303, "{}", sent.body);
                }
            });
        }
    });
    let store = served.store();
    let markings = store.markings().unwrap();
    assert_eq!(markings.len(), 24, "all marks are saved");
    let book = Book::read(&store).unwrap();
    for path in &paths {
        let page = visitors[3].get(path).body;
        assert!(page.contains("Another mark came in between"), "{page}");
        for shown in ["0.25", "1.25", "2.25", "3.25", "amal", "bela", "chiara", "dev"] {
            assert!(page.contains(shown), "{shown}: {page}");
        }
    }
    let ids: BTreeSet<_> = markings.iter().map(|it| &it.answer).collect();
    assert_eq!(ids.len(), 6);
    for id in ids {
        let first = markings.iter().find(|it| it.answer == *id).unwrap();
        let history = book.answer(id).unwrap().history(MarkerRole::First);
        assert_eq!(history.counting().unwrap().id, first.id, "the first one counts");
        assert_eq!(history.conflicting().len(), 3);
    }
    // The one who saw all of them decides.
    let path = &paths[0];
    assert_eq!(mark(&visitors[1], path, &[("free", "2")]).status, 303);
    let page = visitors[3].get(path).body;
    assert!(!page.contains("Another mark came in between") && page.contains("2.00"), "{page}");
}

#[test]
fn a_server_that_is_killed_again_and_again_loses_nothing_that_it_reported() {
    let mut served = Served::start(&class(3), &["amal"], &[]);
    let visitor = served.log_in("amal");
    let path = answers(&visitor)[0].clone();
    let sent = AtomicUsize::new(0);
    let mut unanswered = 0;
    thread::scope(|scope| {
        let (visitor, path, sent) = (&visitor, &path, &sent);
        let marker = scope.spawn(move || {
            let mut unanswered = 0;
            for step in 1..=STEPS {
                let comment = format!("step {step}");
                let page = loop {
                    match visitor.try_get(path) {
                        Some(page) if page.status == 200 => break page,
                        _ => thread::sleep(Duration::from_millis(20)),
                    }
                };
                let hidden = ["form_token", "role", "saw"].map(|name| (name, page.hidden(name)));
                let mut fields: Vec<(&str, &str)> =
                    hidden.iter().map(|(name, value)| (*name, value.as_str())).collect();
                fields.push(("comment", &comment));
                sent.store(step, Ordering::SeqCst);
                // Until the server answers, the same form is sent again.
                if let Some(page) = visitor.post(path, &fields) {
                    assert_eq!(page.status, 303, "{}", page.body);
                } else {
                    unanswered += 1;
                    assert_eq!(visitor.post_until_answered(path, &fields).status, 303);
                }
            }
            unanswered
        });
        // Each time, a form is on its way or about to be sent.
        for step in (1..=KILLS).map(|kill| kill * STEPS / (KILLS + 1)) {
            while sent.load(Ordering::SeqCst) < step {
                thread::yield_now();
            }
            served.kill();
            served.start_again();
        }
        unanswered = marker.join().unwrap();
    });
    assert!(unanswered > 0, "no kill met a form on its way");
    let markings = served.store().markings().unwrap();
    let saved: Vec<String> = markings.iter().map(|it| given(it).comment.to_string()).collect();
    let expected: Vec<String> = (1..=STEPS).map(|step| format!("step {step}")).collect();
    assert_eq!(saved, expected, "each is saved once, in the order of the forms");
}
