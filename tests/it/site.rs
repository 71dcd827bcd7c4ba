//! Handouts: what the sample of everything becomes, what is refused, and what each handout of this project becomes.

mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use softmark::release::Handout;

use crate::support::exams::suites;
use crate::support::grade::HOME;

/// Files of a folder: path → content.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Returns the files of a folder of the project, but for what was built there.
fn files(folder: &str) -> Files {
    let folder = Path::new(HOME).join(folder);
    let mut files = Files::new();
    let mut open = vec![folder.clone()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_dir() {
                let content = fs::read(&path).unwrap();
                files.insert(path.strip_prefix(&folder).unwrap().to_owned(), content);
            } else if !path.ends_with("target") {
                open.push(path);
            }
        }
    }
    files
}

/// Renders the sample of all that a handout may contain.
fn sample() -> Handout {
    Handout::render(&files("fixtures/handout"), Some("sample-spec")).unwrap()
}

/// Renders the handouts of all assignments, by their ids.
fn handouts() -> BTreeMap<String, Handout> {
    let render = |id: &str| {
        let handout = Handout::render(&files(&format!("assignments/{id}")), Some("spec"));
        (id.to_owned(), handout.unwrap_or_else(|error| panic!("{id}: {error}")))
    };
    suites().iter().map(|suite| render(suite.id)).collect()
}

/// Returns the text between `start` and the next `end`, for each `start`.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

/// Returns a page without the style that all pages have.
fn body(page: &str) -> &str {
    page.split_once("</head>\n").unwrap().1
}

#[test]
fn the_sample_is_text_with_formulas_in_unicode() {
    assert_snapshot!("handout.readme", sample().readme);
}

#[test]
fn the_sample_is_a_page_with_formulas_in_mathml() {
    assert_snapshot!("handout.page", body(&sample().page));
}

/// Lines without a formula are the author's, byte for byte.
#[test]
fn all_but_formulas_is_unchanged() {
    let text = "# A\r\n\r\n*  odd   spacing\t$x^2$ kept \\$\n\n|a|b|\n|-|-|\n|$\\lvert x \\rvert$|`$x$`|\n\n> ```math\n> x_1\n> ```\n\nend";
    let files = Files::from([("README.md".into(), text.as_bytes().to_vec())]);
    let written = Handout::render(&files, None).unwrap().readme;
    let expected = text
        .replace("$x^2$", "`x²`")
        .replace("$\\lvert x \\rvert$", "`\\|x\\|`")
        .replace("```math\n> x_1", "```text\n> x₁");
    assert_eq!(written, expected);
}

/// Parts that cannot be shown are errors with a line.
#[test]
fn what_cannot_be_shown_is_refused() {
    let error = |text: &str| {
        let text = format!("# Title\n\nfirst\n{text}\n");
        let files = Files::from([
            ("README.md".into(), text.into_bytes()),
            ("figures/bad.svg".into(), b"<svg viewBox='0 0 1 1'>\n<script/></svg>".to_vec()),
        ]);
        match Handout::render(&files, None) {
            Ok(_) => panic!("{:?} was rendered", files[Path::new("README.md")]),
            Err(error) => error.to_string(),
        }
    };
    for (text, expected) in [
        ("so $\\foo{x}$", "README.md:4: unknown command `\\foo` in a formula"),
        (
            "\n```math\nx\n\\begin{pmatrix} 1\n```",
            "README.md:7: `\\end{pmatrix}` is missing in a formula",
        ),
        (
            "a $\\begin{pmatrix} 1 \\end{pmatrix}$",
            "README.md:4: a table has room in a displayed formula alone",
        ),
        ("a <b>word</b>", "README.md:4: raw HTML is not rendered"),
        ("\n<div>\n</div>", "README.md:5: raw HTML is not rendered"),
        ("\n<!-- a comment -->", "README.md:5: raw HTML is not rendered"),
        ("one $ alone", "README.md:4: this `$` begins no formula"),
        ("a $$x$$", "README.md:4: write a displayed formula as a block of code"),
        ("[a](#nowhere)", "README.md:4: no heading is named `#nowhere`"),
        ("[a](nowhere.md)", "README.md:4: the release has no file `nowhere.md`"),
        ("[a](../secret.md)", "README.md:4: the release has no file `../secret.md`"),
        ("[a](javascript:alert)", "README.md:4: the release has no file `javascript:alert`"),
        ("a ![b](figures/bad.svg) c", "README.md:4: a figure stands in a paragraph of its own"),
        (
            "\n![b](figures/bad.svg)",
            "figures/bad.svg:2: a figure may not have the element `script`",
        ),
        ("\n![b](figures/none.svg)", "README.md:5: there is no figure `figures/none.svg`"),
        ("\n![b](photo.png)", "README.md:5: a figure is `figures/NAME.svg`"),
        ("\n# Another title", "README.md:5: a handout has one heading of level 1"),
    ] {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}\n{found}");
    }
    let missing = Handout::render(&Files::new(), None).unwrap_err().to_string();
    assert_eq!(missing, "README.md:1: there is no such file");
}

/// Every command that the page for authors lists is known.
#[test]
fn the_page_for_authors_lists_what_is_known() {
    let page = fs::read_to_string(Path::new(HOME).join("docs/authors.md")).unwrap();
    let section = between(&page, "## Write the handout", "\n## ").next().unwrap();
    let spans = section.split('`').skip(1).step_by(2);
    let commands: BTreeSet<&str> = spans.filter(|span| is_command(span)).collect();
    assert!(commands.len() > 100, "{commands:?}");
    for command in commands {
        let text = format!("# Title\n\nSo ${command}{{x}}{{x}}$.\n");
        let files = Files::from([("README.md".into(), text.into_bytes())]);
        Handout::render(&files, None).unwrap_or_else(|error| panic!("{command}: {error}"));
    }
}

/// True if a text is the name of a command of formulas.
fn is_command(text: &str) -> bool {
    let Some(name) = text.strip_prefix('\\') else { return false };
    name != "$" && (name.chars().count() == 1 || name.chars().all(|c| c.is_ascii_alphabetic()))
}

/// Returns the names in a page that links lead to.
fn ids(page: &str) -> BTreeSet<&str> {
    between(page, " id=\"", "\"").collect()
}

#[test]
fn every_handout_is_text_and_page() {
    for (id, handout) in handouts() {
        let page = body(&handout.page);
        let headings = between(page, "<a class=\"anchor\" href=\"#", "\"").count();
        assert!(headings > 4, "{id} has {headings} headings");
        let ids = ids(page);
        for link in between(page, "href=\"#", "\"") {
            assert!(ids.contains(link), "{id}: no #{link}");
        }
        let source =
            fs::read_to_string(Path::new(HOME).join(format!("assignments/{id}/README.md")))
                .unwrap();
        assert_eq!(page.matches("<figure ").count(), source.matches("](figures/").count(), "{id}");
        assert_eq!(
            page.matches("<figure ").count(),
            handout.readme.matches("](figures/").count(),
            "{id}"
        );
        assert!(!handout.readme.contains("```math"), "{id}");
        for (name, text) in [("text", handout.readme.as_str()), ("page", page)] {
            let outside = without_code(text);
            assert!(!outside.contains('$'), "{id}: a `$` is left in the {name}");
        }
        for tag in between(page, "<", ">") {
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            assert!(
                !["script", "iframe", "object", "img", "link"].contains(&name),
                "{id}: <{tag}>"
            );
            assert!(!tag.contains(" on"), "{id}: <{tag}>");
        }
    }
}

/// Returns a text without what stands in code, in Markdown or in a page.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    let blocks = text.split("```").step_by(2).collect::<Vec<_>>().join("");
    let spans = blocks.split('`').step_by(2).collect::<Vec<_>>().join("");
    for (at, part) in spans.split("<code").enumerate() {
        let outside = if at == 0 { part } else { part.split_once("</code>").map_or("", |it| it.1) };
        out.push_str(outside);
    }
    out
}
