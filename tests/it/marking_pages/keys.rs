//! Keys of the marking page in a browser, where the page is another one than the marker expects.

use serde_json::json;

use super::marker::{CONFLICT, Marker, SAVED};
use super::{QUESTION, answers, class, given, mark};
use crate::support::notice::skipped;
use crate::support::served::{Served, Visitor};

/// Holds back the answer to the next request until `window.releaseAnswer` is called.
const HOLD_ANSWER: &str = "{
    const send = window.fetch;
    window.fetch = async (...request) => {
        const answer = await send(...request);
        window.fetch = send;
        await new Promise((done) => { window.releaseAnswer = done; });
        return answer;
    };
}";

/// True if the page would ask whether to leave it.
const ASKS: &str = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";

/// Class with a rubric of one item of two points, amal's browser, and bela.
struct Setting {
    served: Served,
    amal: Marker,
    bela: Visitor,
    paths: Vec<String>,
}

impl Setting {
    /// Returns the setting; `None` if there is no browser.
    fn start(what: &str) -> Option<Self> {
        let served = Served::start(&class(3), &["amal", "bela"], &[]);
        let Some(amal) = Marker::log_in(&served, "amal") else {
            skipped(&format!("{what}: no Chromium (SOFTMARK_BROWSER may name one)"));
            return None;
        };
        let bela = served.log_in("bela");
        let paths = answers(&bela);
        let added = [("new_text", "names the residual"), ("new_points", "2")];
        mark(&bela, &paths[1], &added);
        Some(Self { served, amal, bela, paths })
    }

    fn visit(&mut self, at: usize) {
        self.amal.visit(&self.served, &self.paths[at]);
    }

    fn path(&mut self) -> String {
        self.amal.text("location.pathname")
    }

    /// Returns the comments and hundredths of free points of amal's marks.
    fn marks(&self) -> Vec<(String, i64)> {
        let markings = self.served.store().markings().unwrap();
        let own = markings.iter().filter(|it| it.by == "amal").map(given);
        own.map(|it| (it.comment.to_string(), it.free.hundredths())).collect()
    }
}

#[test]
fn keys_that_wait_are_dropped_where_there_is_no_such_answer_or_item() {
    let Some(mut it) = Setting::start("keys that wait") else { return };
    it.visit(2);
    it.amal.press_ahead(&["1", "n", "1"]);
    assert_eq!(it.amal.status(), "There is no such answer.");
    assert_eq!(it.marks().len(), 1);
    assert_eq!(it.amal.browser.evaluate("document.querySelector('[data-key]').checked"), true);
    it.amal.press_ahead(&["7", "0"]);
    assert_eq!(it.amal.status(), "The rubric has no item 7.");
    assert_eq!(it.marks().len(), 1);
    assert_eq!(it.amal.browser.problems(), Vec::<String>::new());
}

#[test]
fn keys_that_wait_are_dropped_after_a_refusal_a_conflict_and_a_change_of_the_rubric() {
    let Some(mut it) = Setting::start("keys that wait") else { return };
    it.visit(0);
    it.amal.browser.press(".");
    it.amal.browser.write("much");
    it.amal.browser.press("Escape");
    it.amal.press_ahead(&["n", "f"]);
    assert!(it.amal.status().starts_with("Not saved"), "{}", it.amal.status());
    assert_eq!((it.path(), it.marks().len()), (it.paths[0].clone(), 0));
    // The field is put right, so that the page can be left.
    it.amal.browser.evaluate("form().elements.free.value = ''; isEdited = false");

    it.visit(0);
    mark(&it.bela, &it.paths[0], &[("free", "3")]);
    it.amal.press_ahead(&["1", "n", "f"]);
    assert_eq!(it.amal.browser.evaluate(CONFLICT), true);
    assert_eq!((it.path(), it.marks().len()), (it.paths[0].clone(), 1));
    // A page with a conflict that comes next has not been seen, either.
    it.visit(1);
    it.amal.press_ahead(&["p", "f"]);
    assert_eq!((it.path(), it.marks().len()), (it.paths[0].clone(), 1));

    it.visit(1);
    let edit = it.bela.get(QUESTION).links(&format!("{QUESTION}/rubric/"))[0].clone();
    let preview = it.bela.get(&format!("{edit}?text=other&points=-1"));
    let (token, version) = (preview.hidden("form_token"), preview.hidden("version"));
    let fields =
        [("form_token", &*token), ("version", &*version), ("text", "other"), ("points", "-1")];
    assert_eq!(it.bela.post(&edit, &fields).unwrap().status, 303);
    it.amal.press_ahead(&["n", "1"]);
    assert_eq!((it.path(), it.marks().len()), (it.paths[2].clone(), 1));
    assert!(it.amal.status().contains("The rubric has changed"), "{}", it.amal.status());
}

#[test]
fn a_text_is_saved_without_moving_the_cursor() {
    let Some(mut it) = Setting::start("a text in a browser") else { return };
    it.visit(0);
    it.amal.browser.press("c");
    it.amal.browser.write("abc");
    it.amal
        .browser
        .evaluate("window.field = document.activeElement; field.setSelectionRange(1, 1)");
    it.amal.browser.wait_until(SAVED);
    it.amal
        .browser
        .wait_until("document.querySelector('.now').textContent.startsWith('0.00 of 4.00')");
    assert_eq!(it.amal.browser.evaluate("document.activeElement === field"), true);
    it.amal.browser.write("x");
    assert_eq!(it.amal.text("field.value"), "axbc");
    it.amal.browser.press("Escape");
    it.amal.wait_for_chain();
    it.amal.browser.wait_until(SAVED);
    assert_eq!(it.marks(), [("abc".to_owned(), 0), ("axbc".to_owned(), 0)]);
    // The mark is saved; to leave the field and to come back saves nothing again.
    it.amal.browser.press("c");
    it.amal.browser.press("Escape");
    it.amal.wait_for_chain();
    assert_eq!(it.marks().len(), 2);
}

#[test]
fn a_text_that_is_written_before_a_conflict_is_seen_stays_and_decides_nothing_by_itself() {
    let Some(mut it) = Setting::start("a text and a conflict") else { return };
    it.visit(0);
    mark(&it.bela, &it.paths[0], &[("free", "3")]);
    it.amal.browser.evaluate(HOLD_ANSWER);
    it.amal.browser.press("1");
    it.amal.browser.wait_until("window.releaseAnswer !== undefined");
    it.amal.browser.press("c");
    it.amal.browser.write("mine");
    it.amal.browser.evaluate(
        "window.field = document.activeElement; clearTimeout(timer); enqueue(autosave); releaseAnswer()",
    );
    it.amal.browser.wait_until(CONFLICT);
    it.amal.wait_for_chain();
    assert_eq!(it.amal.browser.evaluate("document.activeElement === field"), true);
    assert!(it.amal.status().contains("What you wrote since is not saved"), "{}", it.amal.status());
    it.amal.browser.press("Escape");
    it.amal.press_ahead(&["n"]);
    assert!(it.amal.status().starts_with("What you wrote is not saved"), "{}", it.amal.status());
    assert_eq!((it.path(), it.marks().len()), (it.paths[0].clone(), 1));
    assert_eq!(it.amal.browser.evaluate(ASKS), true);
    it.amal.change(&["f"]);
    assert_eq!(it.amal.browser.evaluate(CONFLICT), false);
    assert_eq!(it.marks().last(), Some(&("mine".to_owned(), 400)));
    assert_eq!(it.amal.browser.evaluate(ASKS), false);
}

#[test]
fn a_new_item_stays_until_it_is_saved() {
    let Some(mut it) = Setting::start("a new item in a browser") else { return };
    it.visit(0);
    it.amal.browser.press("a");
    it.amal.browser.write("names the gradient");
    it.amal.browser.press("Escape");
    assert_eq!(it.amal.browser.evaluate(ASKS), true);
    it.amal.change(&["f"]);
    it.amal.press_ahead(&["n"]);
    assert!(it.amal.status().starts_with("The new item is not saved"), "{}", it.amal.status());
    assert_eq!(it.amal.text("form().elements.new_text.value"), "names the gradient");
    assert_eq!(it.marks(), [(String::new(), 400)]);
    assert_eq!(it.served.store().rubric_versions().unwrap().len(), 1);
}

#[test]
fn keys_that_are_held_or_meant_for_a_field_change_nothing() {
    let Some(mut it) = Setting::start("keys that are held") else { return };
    it.visit(0);
    let held = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', repeat: true, bubbles: true }))";
    it.amal.browser.evaluate(held);
    it.amal.press_ahead(&["n", "c", "f", "0"]);
    assert_eq!((it.path(), it.marks().len()), (it.paths[1].clone(), 0));
    assert_eq!(it.amal.text("document.activeElement.name"), "comment");
    it.amal.browser.write("f");
    assert_eq!(it.amal.text("document.activeElement.value"), "f");
}

#[test]
fn after_the_last_answer_the_page_of_the_question_is_shown_and_works() {
    let Some(mut it) = Setting::start("the last answer in a browser") else { return };
    it.visit(2);
    it.amal.browser.evaluate("document.querySelector('button[value=next]').click()");
    it.amal.browser.wait_until(&format!("location.pathname === '{QUESTION}'"));
    for key in ["n", "1", "?"] {
        it.amal.browser.press(key);
    }
    it.amal.wait_for_chain();
    it.amal.browser.evaluate("command(() => stop('The reason.', 'refused'))");
    it.amal.wait_for_chain();
    assert_eq!(it.amal.status(), "The reason.");
    assert_eq!(it.amal.browser.problems(), Vec::<String>::new());
    assert_eq!(it.path(), json!(QUESTION));
}

#[test]
fn what_is_written_into_points_replaces_them_and_into_a_comment_is_added() {
    let Some(mut it) = Setting::start("points in a browser") else { return };
    mark(&it.bela, &it.paths[0], &[("free", "1.50"), ("comment", "Good")]);
    it.visit(0);
    it.amal.browser.press(".");
    it.amal.browser.write("2");
    it.amal.browser.press("Enter");
    it.amal.reported();
    it.amal.browser.press("Escape");
    it.amal.comment(", both");
    assert_eq!(it.marks().last(), Some(&("Good, both".to_owned(), 200)));
}

#[test]
fn keys_work_with_caps_lock_and_with_layouts_of_other_letters() {
    let Some(mut it) = Setting::start("keys of other layouts") else { return };
    it.visit(0);
    let press = |key: &str, code: &str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', code: '{code}', bubbles: true }}))"
        )
    };
    for (key, code, free) in [("F", "KeyF", 400), ("0", "Digit0", 0), ("\u{430}", "KeyF", 400)] {
        it.amal.browser.evaluate(&press(key, code));
        it.amal.wait_for_chain();
        assert_eq!(it.marks().last(), Some(&(String::new(), free)), "{key}");
    }
    it.amal.browser.evaluate(&press("\u{442}", "KeyN"));
    it.amal.wait_for_chain();
    assert_eq!(it.path(), it.paths[1]);
    it.amal.browser.evaluate(&press("\u{44e}", "Period"));
    assert_eq!(it.amal.text("document.activeElement.name"), "free");
}
