//! The pages of all handouts in a browser: in both colour schemes, on wide and on narrow screens.

use std::fs;

use serde_json::{Value, json};

use crate::site::{handouts, sample};
use crate::support::browser::{Browser, View};
use crate::support::notice::skipped;

/// Measures a page.
const MEASURE: &str = include_str!("measure.js");

/// Colour schemes and widths in which pages are shown.
const VIEWS: [View; 4] = [
    View { scheme: "light", width: 1200 },
    View { scheme: "dark", width: 1200 },
    View { scheme: "light", width: 360 },
    View { scheme: "dark", width: 360 },
];

/// Asserts what holds of every page in every view.
fn assert_readable(page: &str, view: View, found: &Value) {
    let at = format!("{page}, {view:?}\n{found:#}");
    assert_eq!(found["width"], found["room"], "wider than the window: {at}");
    for list in ["wide", "hard", "flat", "unstacked", "ragged", "loaded"] {
        assert_eq!(found[list], json!([]), "{list}: {at}");
    }
    assert!(found["texts"].as_u64().unwrap() > 20, "{at}");
    for width in found["figures"].as_array().unwrap() {
        assert!(width.as_f64().unwrap() > 200.0, "a figure is too small: {at}");
    }
}

#[test]
fn pages_can_be_read_in_both_schemes_and_on_narrow_screens() {
    let Some(mut browser) = Browser::start() else {
        return skipped("handouts in a browser: no Chromium (SOFTMARK_BROWSER may name one)");
    };
    let folder = tempfile::tempdir().unwrap();
    let mut pages = vec![("sample".to_owned(), sample().page)];
    pages.extend(handouts().into_iter().map(|(id, handout)| (id, handout.page)));
    for (name, page) in pages {
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, page).unwrap();
        let mut found = Vec::new();
        for view in VIEWS {
            browser.open(&path, view);
            browser.picture(&format!("{name}-{}-{}", view.scheme, view.width));
            let measured = browser.evaluate(MEASURE);
            assert_readable(&name, view, &measured);
            found.push(measured);
        }
        assert_ne!(found[0]["background"], found[1]["background"], "{name} has one colour scheme");
        if name == "sample" {
            assert_ne!(found[0]["ink"], found[1]["ink"], "the figure has one colour scheme");
            assert!(found[0]["formulas"].as_u64().unwrap() > 12);
            assert!(found[0]["fractions"].as_u64().unwrap() >= 2);
        }
    }
}

/// The test above can fail: of a page that is too wide, too pale and flat, each fault is found.
#[test]
fn faults_of_a_page_are_found() {
    let Some(mut browser) = Browser::start() else {
        return skipped(
            "faults of pages in a browser: no Chromium (SOFTMARK_BROWSER may name one)",
        );
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.html");
    let page = "<!DOCTYPE html><body style='background: #fff'><p style='color: #999'>pale</p>\
        <p style='width: 900px'>wide</p><math></math><math style='display: none'><mi>x</mi></math>\
        <svg viewBox='0 0 9 9'><rect width='9' height='9' fill='#111'/><text x='1' y='5' fill='#222' font-size='3'>dark</text></svg>";
    fs::write(&path, page).unwrap();
    browser.open(&path, VIEWS[2]);
    let found = browser.evaluate(MEASURE);
    assert!(found["width"].as_u64() > found["room"].as_u64(), "{found:#}");
    assert_eq!(found["wide"].as_array().unwrap().len(), 1, "{found:#}");
    assert_eq!(found["hard"].as_array().unwrap().len(), 2, "{found:#}");
    assert_eq!(found["flat"].as_array().unwrap().len(), 2, "{found:#}");
}
