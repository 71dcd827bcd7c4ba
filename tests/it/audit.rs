//! `grade audit`: what follows from a matrix, how it is told, and the command itself.

use std::collections::BTreeMap;
use std::path::Path;

use insta::assert_snapshot;
use softmark::audit::{
    Audit, Idle, Message, MessageStatus, Mutant, Naming, Problem, Right, Scope, Share, Verdict,
    factor, findings, messages, write,
};
use softmark::diagnose::RecordingState;
use softmark::fixtures::{self, Expect, Fixture, Role};
use softmark::model::Points;
use softmark::report::{DocumentFormat, Layout, Style};

use crate::support::bench::audited;
use crate::support::exams::{CATALOG, project, suite};
use crate::support::grade::{Desk, HOME};

const CHECKS: [&str; 5] = ["mask/shapes", "mask/hides", "mask/reference", "head/one", "head/two"];

/// Returns a mutant of the task `mask` that fails these checks on all of three seeds, as it should.
fn mutant(name: &str, fails: &[&str]) -> Mutant {
    let verdict = |check: &str| {
        let verdict = if fails.contains(&check) { Verdict::Fails } else { Verdict::Passes };
        (check.to_owned(), vec![verdict; 3])
    };
    let task = fails.first().and_then(|check| check.split_once('/')).map_or("mask", |it| it.0);
    Mutant {
        name: name.to_owned(),
        task: task.to_owned(),
        mistake: Some(name.to_owned()),
        also: None,
        expected: fails.iter().map(|&check| check.to_owned()).collect(),
        verdicts: CHECKS.iter().map(|check| verdict(check)).collect(),
        named: fails.iter().map(|&check| (check.to_owned(), name.to_owned())).collect(),
        against: Vec::new(),
        recognised: None,
        recording: None,
    }
}

/// Right work whose errors take up that share of a check's tolerance.
fn right(name: &str, shares: &[(&str, f64)]) -> Right {
    let share = |&(check, share): &(&str, f64)| (check.to_owned(), Share { share, seed: 2 });
    Right {
        name: name.to_owned(),
        fails: BTreeMap::new(),
        shares: shares.iter().map(share).collect(),
    }
}

/// Nothing to complain of: one check is redundant, and one mutant fails one check alone.
fn clean() -> Audit {
    Audit {
        assignment: "masks".to_owned(),
        scope: Scope::Whole,
        seeds: vec![1, 2, 3],
        checks: CHECKS.map(str::to_owned).to_vec(),
        mutants: vec![
            mutant("flat-mask", &["mask/shapes", "mask/reference"]),
            mutant("leaky-mask", &["mask/hides", "mask/reference"]),
            mutant("one-head", &["head/one"]),
            mutant("shallow-mask", &["mask/hides"]),
            mutant("two-heads", &["head/one", "head/two"]),
        ],
        right: vec![
            right("solution", &[("mask/reference", 0.02), ("head/one", 0.0)]),
            right("by-hand", &[("mask/reference", 0.0125), ("head/one", 0.0)]),
        ],
        idle: vec![Idle { name: "ones".to_owned(), passes: BTreeMap::new() }],
        left_out: vec!["training/accuracy-80".to_owned()],
        // The task `mask` is worth 5 points, and `head` 2.
        points: [100, 150, 250, 50, 150]
            .into_iter()
            .zip(CHECKS)
            .map(|(hundredths, check)| (check.to_owned(), Points::from_hundredths(hundredths)))
            .collect(),
        messages: vec![
            message("leaky-mask", "mask/hides", "2 of 6 values differ"),
            message("shallow-mask", "mask/hides", "4 of 12 values differ"),
            message("shallow-mask", "mask/reference", "It may not move."),
        ],
    }
}

/// A message about a mutant on seed 1, under its own name.
fn message(mutant: &str, check: &str, text: &str) -> Message {
    Message {
        fixture: mutant.to_owned(),
        check: check.to_owned(),
        seed: 1,
        status: MessageStatus::Wrong,
        mistake: Some(mutant.to_owned()),
        case: "B=1 T=2; x = [[1], [2]]".to_owned(),
        text: text.to_owned(),
    }
}

/// Every kind of problem, once.
fn odd() -> Audit {
    let mut audit = clean();
    let [_, leaky, one_head, _, two_heads] = audit.mutants.as_mut_slice() else {
        panic!("the mutants of `clean`")
    };
    leaky.verdicts.insert("mask/hides".to_owned(), vec![Verdict::Passes; 3]);
    leaky.verdicts.insert("mask/shapes".to_owned(), vec![Verdict::Fails; 3]);
    leaky.named.insert("mask/shapes".to_owned(), "leaky-mask".to_owned());
    one_head.named.insert("head/one".to_owned(), "two-heads".to_owned());
    two_heads.named.clear();
    let moving = vec![Verdict::Fails, Verdict::Fails, Verdict::Blocked];
    two_heads.verdicts.insert("head/two".to_owned(), moving);
    audit.mutants.push(mutant("unseen", &[]));
    let mut seldom = mutant("seldom", &["head/two"]);
    seldom
        .verdicts
        .insert("head/two".to_owned(), vec![Verdict::Fails, Verdict::Passes, Verdict::Passes]);
    audit.mutants.push(seldom);
    audit.checks.push("head/<three>".to_owned());
    let [solution, by_hand] = audit.right.as_mut_slice() else { panic!("those of `clean`") };
    solution.shares.insert("head/one".to_owned(), Share { share: 0.104, seed: 3 });
    let said = "The rows should sum to one. At [0, 1] `weights` is 0.5; expected 1 (they must be equal \
                bit for bit).";
    by_hand.fails.insert("mask/hides".to_owned(), vec![(1, said.to_owned())]);
    audit.idle[0].passes.insert("mask/shapes".to_owned(), vec![2]);
    audit
}

fn kinds(audit: &Audit) -> Vec<&'static str> {
    findings(audit).problems.iter().map(Problem::kind).collect()
}

fn written(audit: &Audit, format: DocumentFormat) -> String {
    let mut out = Vec::new();
    write((audit, &findings(audit)), format, Layout::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_kind_of_problem_is_found_and_nothing_where_there_is_none() {
    assert_eq!(kinds(&clean()), [""; 0]);
    let found = [
        "catches-nothing",
        "passes",
        "fails-others",
        "misnamed",
        "unnamed",
        "survives",
        "survives",
        "near",
        "fails",
        "earns",
        "moves",
        "moves",
    ];
    assert_eq!(kinds(&odd()), found);
}

#[test]
fn what_is_redundant_and_what_is_needed_is_told() {
    let findings = findings(&clean());
    let redundant: Vec<_> =
        findings.redundant.iter().map(|it| (it.check.as_str(), it.beside.as_str())).collect();
    assert_eq!(redundant, [("mask/shapes", "mask/reference"), ("head/two", "head/one")]);
    let sole: Vec<_> =
        findings.sole.iter().map(|it| (it.mutant.as_str(), it.check.as_str())).collect();
    assert_eq!(sole, [("one-head", "head/one"), ("shallow-mask", "mask/hides")]);
}

#[test]
fn each_mutant_has_a_cost_a_naming_and_the_seeds_that_changed_its_verdict() {
    let percent = |audit: &Audit, name: &str| {
        let mutant = audit.mutants.iter().find(|it| it.name == name).unwrap();
        audit.cost(mutant).unwrap().percent()
    };
    let audit = clean();
    assert_eq!(percent(&audit, "flat-mask"), 70, "1 and 2.50 of 5");
    assert_eq!(percent(&audit, "shallow-mask"), 30);
    assert_eq!(percent(&audit, "two-heads"), 100);
    let costly: Vec<String> =
        findings(&audit).costly.into_iter().map(|costly| costly.mutant).collect();
    assert_eq!(costly, ["flat-mask", "leaky-mask", "two-heads"]);
    assert_eq!(audit.named_so(Naming::Right), 5);
    assert!(audit.mutants.iter().all(|mutant| mutant.changed_seeds() == 0));

    let audit = odd();
    let of = |name: &str| audit.mutants.iter().find(|it| it.name == name).unwrap();
    assert_eq!(of("one-head").naming(), Naming::False);
    assert_eq!(of("two-heads").naming(), Naming::Missing);
    assert_eq!(of("unseen").naming(), Naming::Missing);
    assert_eq!(of("two-heads").changed_seeds(), 1);
    assert_eq!(of("seldom").changed_seeds(), 2);
    // What is blocked earns nothing.
    let mut blocked = clean();
    blocked.mutants[3].verdicts.insert("mask/reference".to_owned(), vec![Verdict::Blocked; 3]);
    assert_eq!(percent(&blocked, "shallow-mask"), 80);
    // Without points there is no share.
    blocked.points.clear();
    assert_eq!(blocked.cost(&blocked.mutants[0]), None);
    assert_eq!(findings(&blocked).costly, []);
}

#[test]
fn a_mutant_without_a_page_is_named_by_nothing_or_falsely() {
    let mut mutant = mutant("flat-mask", &["mask/shapes"]);
    mutant.mistake = None;
    assert_eq!(mutant.naming(), Naming::False);
    mutant.named.clear();
    assert_eq!(mutant.naming(), Naming::NoPage);
    // What another task names is not counted.
    mutant.named.insert("head/one".to_owned(), "one-head".to_owned());
    assert_eq!(mutant.naming(), Naming::NoPage);
}

#[test]
fn messages_that_differ_in_numbers_are_shown_once() {
    let mut out = Vec::new();
    messages(&clean(), CATALOG, &mut out).unwrap();
    assert_snapshot!("messages", String::from_utf8(out).unwrap());
}

#[test]
fn of_a_part_only_what_can_be_told_is() {
    let mut part = Audit { scope: Scope::Part, ..clean() };
    part.mutants.truncate(1);
    assert_eq!(kinds(&part), [""; 0], "the others may fail what this one passes");
    assert_eq!(findings(&part).redundant, []);
    assert_eq!(findings(&part).sole, []);
    part.scope = Scope::Short;
    assert_eq!(kinds(&part), ["catches-nothing"; 3]);
    part.scope = Scope::Part;
    part.right.clear();
    assert_snapshot!("part.terminal", written(&part, DocumentFormat::Terminal));
}

#[test]
fn recorded_answers_that_are_not_up_to_date_are_a_problem() {
    let with = |state: RecordingState| {
        let mut audit = clean();
        audit.mutants[0].recording = Some(state);
        let problems = findings(&audit).problems;
        let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
        (kinds(&audit), text.concat(), written(&audit, DocumentFormat::Terminal))
    };
    let (problems, _, text) = with(RecordingState::Current);
    assert_eq!(problems, [""; 0]);
    assert!(text.contains("✓ recorded answers are up to date"), "{text}");
    for (state, expected) in [
        (RecordingState::Stale, "belong to other diagnostic cases than those of its task"),
        (
            RecordingState::Outdated(vec![1, 4]),
            "differ from what it answers in diagnostic cases 1, 4;",
        ),
        (RecordingState::Invalid("EOF".to_owned()), "cannot be read: EOF;"),
    ] {
        let (problems, problem, text) = with(state);
        assert_eq!(problems, ["recording"]);
        assert!(problem.starts_with("the recorded answers of the mutant flat-mask "), "{problem}");
        assert!(problem.contains(expected), "{problem}");
        assert!(problem.contains("run `grade audit masks --record`"), "{problem}");
        assert!(
            text.contains("✗ mutants whose recorded answers are not up to date: 1 of 1"),
            "{text}"
        );
    }
}

#[test]
fn a_tenth_of_a_tolerance_is_the_most() {
    let kinds = |share| {
        let mut audit = clean();
        audit.right[1].shares.insert("mask/hides".to_owned(), Share { share, seed: 1 });
        kinds(&audit)
    };
    assert_eq!(kinds(0.1), [""; 0]);
    assert_eq!(kinds(0.101), ["near"]);
    assert_eq!(kinds(f64::INFINITY), ["near"]);
    assert_eq!((factor(0.101), factor(0.1)), ("×9.9".to_owned(), "×10".to_owned()));
}

#[test]
fn every_format_shows_every_finding() {
    for (name, audit) in [("clean", clean()), ("odd", odd())] {
        for format in [DocumentFormat::Terminal, DocumentFormat::Json] {
            let text = written(&audit, format);
            assert_snapshot!(format!("{name}.{}", format.as_str()), text);
        }
        let page = written(&audit, DocumentFormat::Html);
        let (_, body) = page.split_once("<body>").unwrap();
        assert_snapshot!(format!("{name}.html"), body);
        assert!(!page.contains("<script") && !page.contains("<three>"), "{page}");
    }
}

/// A task with so many mutants that no matrix fits.
fn crowded() -> Audit {
    let mut audit = clean();
    let checks = ["mask/hides", "mask/reference"];
    audit.mutants.extend((0..80).map(|at| mutant(&format!("mistake-number-{at}"), &checks)));
    audit
}

#[test]
fn lines_stay_within_their_columns() {
    for audit in [clean(), odd(), crowded()] {
        for width in [60, 100] {
            let mut out = Vec::new();
            let layout = Layout { width, style: Style::Plain };
            write((&audit, &findings(&audit)), DocumentFormat::Terminal, layout, &mut out).unwrap();
            for line in String::from_utf8(out).unwrap().lines() {
                assert!(line.chars().count() <= width, "{line}");
            }
        }
    }
    assert!(
        written(&crowded(), DocumentFormat::Terminal)
            .contains("hides      kills 82: leaky-mask, sh")
    );
}

/// The solution, called a mutant.
#[test]
fn a_mutant_that_is_none_survives() {
    let suite = suite("attention");
    let solution = fixtures::solution(Path::new(HOME), suite.id).unwrap();
    let mutants = fixtures::mutants(project(), suite.id).unwrap();
    let mutant = mutants.into_iter().find(|it| it.name == "empty-row-nan").unwrap();
    let none = Fixture { role: mutant.role.clone(), ..solution };
    let wrong = Fixture { role: Role::Variant, ..mutant };
    let findings = audited(suite, &[none, wrong], (Scope::Part, &[Expect::SEED]));
    let [Problem::Survives { mutant, .. }, Problem::Fails { right, check, seeds, message }] =
        findings.problems.as_slice()
    else {
        panic!("{findings:?}")
    };
    assert_eq!((mutant.as_str(), right.as_str()), ("solution", "empty-row-nan"));
    assert_eq!((check.as_str(), seeds.as_slice()), ("scaled-dot-product/empty-row", &[1][..]));
    assert!(message.contains("NaN"), "{message}");
}

#[test]
fn some_fixtures_are_audited_end_to_end() {
    let desk = Desk::new();
    let ran =
        desk.grade("audit attention --only empty-row-nan --seeds 1 --format json --out a.json");
    let ran = ran.exit(0);
    assert_eq!(ran.stdout, "", "what is in the file is not on the screen");
    let document: serde_json::Value = serde_json::from_str(&desk.read("a.json")).unwrap();
    assert_eq!(document["scope"], "part");
    assert_eq!(document["seeds"], serde_json::json!([1]));
    assert_eq!(document["problems"], serde_json::json!([]));
    assert_eq!(document["mutants"][0]["name"], "empty-row-nan");
    assert_eq!(
        document["mutants"][0]["fails"],
        serde_json::json!(["scaled-dot-product/empty-row"])
    );
}

/// Its program has more static memory than a worker may use.
#[test]
fn an_attack_that_does_not_start_is_audited_as_it_is_graded() {
    let desk = Desk::new();
    let line = "audit attention --only *static-memory --seeds 1 --messages";
    let ran = desk.grade(line).exit(0);
    assert!(ran.stdout.contains("attack static-memory"), "{ran}");
    assert!(ran.stdout.contains("could not be started within its memory limit"), "{ran}");
}

#[test]
fn what_makes_no_sense_is_told_before_anything_is_built() {
    let desk = Desk::new().file("taken/x", "");
    let told = |line: &str| {
        let ran = desk.grade(line).exit(64);
        assert_eq!(ran.stdout, "");
        format!("$ grade {line}\n{}", ran.stderr)
    };
    let lines = [
        "audit",
        "audit atention",
        "audit attention --only shallow-msk",
        "audit attention --only [",
        "audit attention --only x --short",
        "audit attention --short --seeds 2",
        "audit attention --seeds 0",
        "audit attention --format yaml",
        "audit attention --out taken",
        "audit attention --out nowhere/audit.html",
    ];
    assert_snapshot!("usage", lines.map(told).join("\n"));
}
