//! Pages in a headless browser: nothing of a submission runs, loads or complains, and pages can be read.

use std::{env, fs};

use serde_json::{Value, json};

use super::attacks::class_of_tricks;
use super::tricks::TRICKS;
use super::{PAGES, Server, TABS};
use crate::support::browser::{Browser, View};
use crate::support::grade::Desk;
use crate::support::notice::skipped;
use crate::support::records::{grader, record};

/// Widths and colour schemes.
const VIEWS: [View; 4] = [
    View { scheme: "light", width: 1280 },
    View { scheme: "dark", width: 1280 },
    View { scheme: "light", width: 375 },
    View { scheme: "dark", width: 2560 },
];

/// Addresses of all that the page loaded, and of the page.
const LOADED: &str =
    "[location.href, ...performance.getEntriesByType('resource').map(it => it.name)]";

/// Elements that make the page wider than the window, and the width of both.
const WIDTHS: &str = "[document.documentElement.scrollWidth, innerWidth]";

/// Starts a browser that is logged in; `None` if there is none.
fn browser(server: &Server) -> Option<Browser> {
    let mut browser = Browser::start()?;
    browser.visit(&format!("http://{}/login?token={}", server.address, server.token));
    browser.wait_until("location.pathname === '/'");
    browser.problems();
    Some(browser)
}

/// Opens a page, and asserts that it loaded only from the server, and that nothing happened.
fn open(browser: &mut Browser, server: &Server, path: &str) {
    let origin = format!("http://{}/", server.address);
    browser.visit(&format!("{origin}{}", path.trim_start_matches('/')));
    let loaded = browser.evaluate(LOADED);
    for address in loaded.as_array().unwrap() {
        assert!(address.as_str().unwrap().starts_with(&origin), "{path} loaded {loaded}");
    }
    assert_eq!(
        loaded[0],
        format!("{origin}{}", path.trim_start_matches('/')),
        "{path} led elsewhere"
    );
    let problems = browser.problems();
    assert!(problems.is_empty(), "{path}: {problems:?}");
}

#[test]
fn no_submission_makes_a_browser_do_anything() {
    let server = Server::start(class_of_tricks(), &[]);
    let Some(mut browser) = browser(&server) else {
        return skipped(
            "pages of `grade serve` in a browser: no Chromium (SOFTMARK_BROWSER may name one)",
        );
    };
    browser.set_window(VIEWS[0], 900);
    for path in PAGES {
        open(&mut browser, &server, path);
    }
    for number in 1..=TRICKS.len() {
        for tab in TABS {
            open(&mut browser, &server, &format!("/submission/{number}{tab}"));
        }
    }
}

#[test]
fn a_change_is_shown_on_an_open_page() {
    let server = super::small_server();
    let Some(mut browser) = browser(&server) else {
        return skipped(
            "changes of open pages of `grade serve`: no Chromium (SOFTMARK_BROWSER may name one)",
        );
    };
    open(&mut browser, &server, "/");
    browser.evaluate("document.body.dataset.isTheSamePage = 'yes'");
    assert_eq!(browser.evaluate("document.body.textContent.includes('giulia-conti')"), false);
    super::run(&server.desk, &grader(), &[record("no-grade")]);
    browser.wait_until("document.body.textContent.includes('giulia-conti')");
    assert_eq!(browser.evaluate("document.body.dataset.isTheSamePage"), "yes");
}

/// A link that has the focus keeps it when the table around it is replaced.
#[test]
fn a_change_leaves_the_focus_where_it_is() {
    let server = super::small_server();
    let Some(mut browser) = browser(&server) else {
        return skipped(
            "the focus on pages of `grade serve`: no Chromium (SOFTMARK_BROWSER may name one)",
        );
    };
    open(&mut browser, &server, "/");
    browser.evaluate("document.querySelector('a[href=\"/submission/2\"]').focus()");
    super::run(&server.desk, &grader(), &[record("no-grade")]);
    browser.wait_until("document.body.textContent.includes('giulia-conti')");
    browser.wait_until("document.activeElement.getAttribute('href') === '/submission/2'");
}

/// A page that has no connection for a while shows the changes of that time when it connects again.
#[test]
fn a_change_during_a_reconnect_is_shown() {
    let server = super::small_server();
    let Some(mut browser) = browser(&server) else {
        return skipped(
            "reconnecting of pages of `grade serve`: no Chromium (SOFTMARK_BROWSER may name one)",
        );
    };
    open(&mut browser, &server, "/");
    assert_eq!(browser.evaluate("document.body.textContent.includes('giulia-conti')"), false);
    let later = |desk: &Desk| super::run(desk, &grader(), &[record("no-grade")]);
    let _server = server.killed_and_started_again(later);
    browser.wait_until("document.body.textContent.includes('giulia-conti')");
}

/// The tests of this file can fail: a page with a script in it is noticed.
#[test]
fn a_page_that_does_something_is_noticed() {
    let Some(mut browser) = Browser::start() else {
        return skipped("noticing what pages do: no Chromium (SOFTMARK_BROWSER may name one)");
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.html");
    fs::write(&path, "<img src=x onerror=\"console.log(1)\"><script>throw 1</script>").unwrap();
    browser.open(&path, VIEWS[0]);
    assert!(browser.problems().len() >= 2);
}

#[test]
fn pages_fit_every_width_and_pass_the_rules_of_accessibility() {
    let server = super::small_server();
    let Some(mut browser) = browser(&server) else {
        return skipped(
            "widths of pages of `grade serve`: no Chromium (SOFTMARK_BROWSER may name one)",
        );
    };
    let axe = axe();
    if axe.is_none() {
        skipped(
            "rules of accessibility: SOFTMARK_AXE names no `axe.min.js` (npm's package axe-core)",
        );
    }
    let submission =
        ["", "/code", "/attempts", "/history", "/student"].map(|tab| format!("/submission/2{tab}"));
    for path in PAGES.into_iter().chain(submission.iter().map(String::as_str)) {
        for view in VIEWS {
            browser.set_window(view, 900);
            open(&mut browser, &server, path);
            let widths = browser.evaluate(WIDTHS);
            let width = |at: usize| widths[at].as_u64().unwrap();
            assert!(width(0) <= width(1), "{path} is wider than the window, {view:?}: {widths}");
            let name = path.replace('/', "_");
            browser.picture(&format!("serve{name}-{}-{}", view.scheme, view.width));
            if let Some(axe) = &axe {
                let found = violations(&mut browser, axe);
                assert_eq!(found, json!([]), "{path}, {view:?}: {found:#}");
            }
        }
    }
}

/// Returns the text of axe-core, if it is there.
fn axe() -> Option<String> {
    fs::read_to_string(env::var_os("SOFTMARK_AXE")?).ok()
}

/// Returns the rules of accessibility that a page breaks, and where.
fn violations(browser: &mut Browser, axe: &str) -> Value {
    browser.evaluate(axe);
    browser.evaluate(
        "window.found = null; axe.run({ iframes: false }).then(result => { window.found = result.violations.map(it => \
         [it.id, it.nodes.slice(0, 3).map(node => node.html)]); }); 0",
    );
    browser.wait_until("window.found !== null");
    browser.evaluate("window.found")
}
