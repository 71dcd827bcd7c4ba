//! Texts that would do something if a page did not escape them, and records that are full of them.

use std::collections::BTreeMap;

use softmark::model::{
    Compared, DetectorVerdict, Evidence, KillMatrix, LayerKind, LayerRow, ModelRecord, Points,
    Record, Status, TrainingRecord, TrainingRun, WrittenRecord,
};

use crate::support::records::record;

/// Texts of HTML, SVG, addresses and Unicode.
pub(super) const TRICKS: [&str; 24] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "<svg><script href=\"data:,alert(1)\"/></svg>",
    "<svg><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>",
    "</pre></textarea></title></style></script><script>alert(1)</script>",
    "<iframe srcdoc=\"<script>parent.alert(1)</script>\">",
    "<a href=\"javascript:alert(1)\" autofocus onfocus=alert(1)>x</a>",
    "<meta http-equiv=refresh content=\"0;url=http://evil.example/\">",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<base href=//evil.example/>",
    "<form action=//evil.example><button>go",
    "<object data=//evil.example></object><embed src=//evil.example>",
    "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    "<!--<script>alert(1)</script>--><![CDATA[<script>alert(1)</script>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62;",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "javascript:alert(1)",
    "//evil.example/%2e%2e/..%5c",
    "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= 1 %>",
    "gnp.\u{202e}exe\u{2066}\u{200b}\u{feff}",
    "\u{0}\u{1b}]0;owned\u{7}\u{9b}31m\u{2028}\r\n\t",
    "\u{ff1c}script\u{ff1e}alert(1)\u{ff1c}/script\u{ff1e} \u{1f937}\u{1f3fd}\u{200d}a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
];

/// Returns a record in which every text is the trick, with this name.
pub(super) fn full_of(trick: &str, name: &str) -> Record {
    let mut record = Record { submission: name.into(), ..record("partial") };
    record.sha256 = trick.into();
    record.submitted = Some(trick.into());
    record.log = format!("{trick}\n{trick}").into();
    record.notes = vec![trick.into()];
    for task in &mut record.tasks {
        task.title = trick.into();
        for check in &mut task.checks {
            (check.title, check.message) = (trick.into(), trick.into());
            (check.mistake, check.replay) = (Some(trick.into()), Some(trick.into()));
            check.status = Status::Wrong;
            check.evidence = evidence(trick);
            check.matrix = Some(matrix(trick));
        }
    }
    record.written = vec![answer(trick)];
    record.models = vec![model(trick)];
    record.trainings = vec![TrainingRecord {
        task: trick.into(),
        accuracy: 0.5,
        asked: 10,
        examples: trick.into(),
        references: vec![trick.into()],
        runs: vec![TrainingRun { accuracy: 0.5, losses: vec![1.5, f64::NAN, 0.5, 0.25] }],
    }];
    record
}

fn evidence(trick: &str) -> Evidence {
    Evidence {
        case: Some(trick.into()),
        inputs: vec![(trick.into(), trick.into()), (trick.into(), "[[1, 0], [0.5, -1]]".into())],
        output: Some(trick.into()),
        index: Some(vec![0, 1]),
        got: Some(f64::NAN),
        expected: Some(1.0),
        allowed: Some(0.0),
        compared: Some(Compared {
            shape: vec![1, 2],
            got: vec![0.5, f64::NAN],
            expected: vec![0.5, 1.0],
        }),
    }
}

fn matrix(trick: &str) -> KillMatrix {
    let row = |kind, verdict| LayerRow { kind, symptom: trick.into(), verdicts: vec![verdict] };
    KillMatrix {
        detectors: vec![trick.into()],
        rows: vec![
            row(LayerKind::Right, DetectorVerdict::Healthy),
            row(LayerKind::Mutant, DetectorVerdict::Wavers),
        ],
    }
}

fn answer(trick: &str) -> WrittenRecord {
    WrittenRecord {
        id: "explanation".into(),
        title: trick.into(),
        points: None,
        max_points: Points::from_hundredths(400),
        comment: trick.into(),
        rubric: Vec::new(),
        text: format!("{trick}\n{trick}").into(),
    }
}

fn model(trick: &str) -> ModelRecord {
    ModelRecord {
        task: trick.into(),
        file: trick.into(),
        accuracy: Some(0.5),
        asked: 10,
        examples: trick.into(),
        settings: BTreeMap::from([(trick.into(), trick.into())]),
        pseudonym: trick.into(),
        own: trick.into(),
    }
}
