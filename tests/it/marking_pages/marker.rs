//! A person who marks in a browser.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::browser::{Browser, View};
use crate::support::served::Served;

/// True if everything is saved and shown.
pub(super) const SAVED: &str =
    "document.querySelector('#status')?.dataset.state === 'saved' && !isEdited";

/// True if another mark came in between.
pub(super) const CONFLICT: &str = "document.querySelector('.candidates[role=alert]') !== null";

/// Counts the changes that the server reported as saved, in `window.saves`.
const COUNT: &str = "window.saves = 0;
    if (typeof send === 'function') {
      const sendOnce = send;
      send = async (...change) => {
        const answer = await sendOnce(...change);
        saves += 1;
        return answer;
      };
    }";

/// Returns the number of changes since the last call.
const TAKE: &str = "(() => { const number = saves; saves = 0; return number; })()";

/// Keys that mark an answer, by its number modulo their number.
const KEYS: [&[&str]; 4] = [&["1"], &["1", "2"], &["f"], &["3"]];

/// Person who marks in a browser, and what the browser reported as saved.
pub(super) struct Marker {
    pub(super) browser: Browser,
    /// Number of changes that were reported.
    pub(super) changes: usize,
    /// Points of the last mark of each answer that were reported, by its path.
    pub(super) points: BTreeMap<String, String>,
}

impl Marker {
    /// Logs in by keyboard.
    pub(super) fn log_in(served: &Served, name: &str) -> Option<Self> {
        let mut browser = Browser::start()?;
        browser.set_window(View { scheme: "light", width: 1280 }, 900);
        browser.visit(&format!("http://{}/login", served.address));
        for (tabs, text) in [(2, name), (1, Served::password())] {
            (0..tabs).for_each(|_| browser.press("Tab"));
            browser.write(text);
        }
        browser.press("Enter");
        browser.wait_until("location.pathname === '/' && document.readyState === 'complete'");
        Some(Self { browser, changes: 0, points: BTreeMap::new() })
    }

    /// Opens a page.
    pub(super) fn visit(&mut self, served: &Served, path: &str) {
        self.browser.visit(&format!("http://{}{path}", served.address));
        self.browser.evaluate(COUNT);
    }

    /// Presses keys without waiting for one another, each of which is a change, and waits until all are reported as saved.
    ///
    /// In a conflict, the page drops the keys that wait.
    pub(super) fn change(&mut self, keys: &[&str]) {
        self.take_changes();
        for key in keys {
            self.browser.press(key);
        }
        let changes = self.reported();
        let is_whole = changes >= keys.len() || self.browser.evaluate(CONFLICT) == true;
        assert!(is_whole, "{changes} changes after the keys {keys:?}");
    }

    /// Waits until all changes are reported as saved; returns their number.
    pub(super) fn reported(&mut self) -> usize {
        self.wait_for_chain();
        self.browser.wait_until(SAVED);
        self.take_changes()
    }

    /// Counts the changes that were reported since the last call; returns their number.
    fn take_changes(&mut self) -> usize {
        let changes = self.browser.evaluate(TAKE).as_u64().unwrap();
        let changes = usize::try_from(changes).unwrap();
        self.changes += changes;
        changes
    }

    /// Waits until nothing is in the chain of the page.
    pub(super) fn wait_for_chain(&mut self) {
        self.browser.evaluate("window.idle = false; enqueue(async () => { window.idle = true; })");
        self.browser.wait_until("window.idle");
    }

    /// Presses keys while the page is busy, so that they wait for one another, and waits until all had their turn.
    pub(super) fn press_ahead(&mut self, keys: &[&str]) {
        self.browser
            .evaluate("enqueue(() => new Promise((done) => { window.release = done; })); 0");
        self.browser.wait_until("window.release !== undefined");
        for key in keys {
            self.browser.press(key);
        }
        self.browser.evaluate("release(); window.release = undefined; 0");
        self.wait_for_chain();
    }

    /// Returns the text of the status line.
    pub(super) fn status(&mut self) -> String {
        self.text("document.querySelector('#status').textContent")
    }

    /// Writes a comment, and saves it. On a slow machine, the page saves what is written so far as well.
    pub(super) fn comment(&mut self, text: &str) {
        self.browser.press("c");
        self.browser.write(text);
        self.browser.press("Escape");
        assert!(self.reported() >= 1, "the comment is not saved");
    }

    /// Adds an item to the rubric, which chooses it as well.
    pub(super) fn add_item(&mut self, text: &str, points: &str) {
        self.browser.press("a");
        self.browser.write(text);
        self.browser.press("Tab");
        self.browser.write(points);
        self.browser.press("Enter");
        assert_eq!(self.reported(), 1, "the item {text} is not saved");
        self.browser.press("Escape");
    }

    /// Evaluates an expression whose value is a text.
    pub(super) fn text(&mut self, expression: &str) -> String {
        self.browser.evaluate(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Decides while another mark came in between.
    fn settle(&mut self) {
        while self.browser.evaluate(CONFLICT) == true {
            self.change(&["f"]);
        }
    }

    /// Settles a conflict, and notes the points that the page shows.
    pub(super) fn note(&mut self) {
        self.settle();
        let path = self.text("location.pathname");
        let points = self.text("document.querySelector('.now b').textContent");
        self.points.insert(path, points);
    }

    /// Goes to the next open answer; returns false if there is none.
    pub(super) fn next_open(&mut self) -> bool {
        let before = self.text("location.pathname");
        self.browser.press("o");
        let moved = format!("location.pathname !== '{before}'");
        let idle = "document.querySelector('#status').dataset.state === 'idle'";
        self.browser.wait_until(&format!("{moved} || {idle}"));
        self.browser.evaluate(&moved) == true
    }

    /// Marks open answers until there are none.
    pub(super) fn mark_all(&mut self, done: &AtomicUsize) {
        let mut number = 0;
        while self.next_open() {
            self.change(KEYS[number % KEYS.len()]);
            self.settle();
            if number % 5 == 2 {
                self.comment("both halves are named");
            }
            if number % 7 == 3 {
                self.change(&["u"]);
                self.change(&["f"]);
            }
            self.note();
            number += 1;
            done.fetch_add(1, Ordering::Relaxed);
        }
    }
}
