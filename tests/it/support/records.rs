//! The hand-made records in `fixtures/records`, and records of arbitrary text.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use softmark::model::{
    CheckRecord, Compared, Delta, DetectorVerdict, Evidence, Grader, KillMatrix, LayerKind,
    LayerRow, ModelRecord, OverrideRecord, Points, Record, RecordOutcome, RubricRecord, Run,
    Status, TaskRecord, TrainingRecord, TrainingRun, Usage, Visibility, WrittenRecord,
};
use softmark::store::document;
use softmark_untrusted::Untrusted;

/// The fixtures of a whole class, in the order of the submissions' names.
pub(crate) const CLASS: [&str; 8] = [
    "hostile",
    "full-marks",
    "named-mistakes",
    "partial",
    "skeleton",
    "build-failed",
    "rejected",
    "no-grade",
];

/// The text of a fixture.
pub(crate) fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/records")
        .join(name)
        .with_extension("json");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A fixture.
pub(crate) fn record(name: &str) -> Record {
    document::read_record(&text(name)).unwrap().1
}

/// The grader that the fixtures name.
pub(crate) fn grader() -> Grader {
    document::read_record(&text("full-marks")).unwrap().0
}

/// The class without the hostile submission, and with made-up costs.
pub(crate) fn class() -> Run {
    let records = (1_u32..)
        .zip(CLASS.iter().skip(1))
        .map(|(place, name)| Record { usage: Some(usage(place)), ..record(name) })
        .collect();
    Run { grader: grader(), records }
}

fn usage(place: u32) -> Usage {
    Usage {
        cpu: Duration::from_millis(1500) * place,
        wall: Duration::from_millis(1100) * place,
        peak_bytes: u64::from(place) * 70 * 1024 * 1024,
    }
}

/// Records whose every text is arbitrary.
pub(crate) fn any_record() -> impl Strategy<Value = Record> {
    let texts = (
        any_untrusted(),
        any_untrusted(),
        any_untrusted(),
        option::of(any_untrusted()),
        any_untrusted(),
    );
    let outcome = prop_oneof![
        4 => Just(RecordOutcome::Graded),
        1 => Just(RecordOutcome::Rejected),
        1 => Just(RecordOutcome::BuildFailed),
        1 => Just(RecordOutcome::NoGrade),
    ];
    let trained = (vec(any_model(), 0..2), vec(any_training(), 0..2));
    let tasks = (vec(any_task(), 0..3), vec(any_written(), 0..2), trained);
    (texts, outcome, tasks, vec(any_untrusted(), 0..2), option::of(any_untrusted())).prop_map(
        |(texts, outcome, (tasks, written, (models, trainings)), notes, submitted)| {
            let (submission, sha256, assignment, reason, log) = texts;
            Record {
                entry: Untrusted::EMPTY,
                submission,
                submitted,
                sha256,
                assignment,
                outcome,
                reason,
                points: tasks.iter().map(|task| task.points).sum(),
                max_points: tasks.iter().map(|task| task.max_points).sum(),
                tasks,
                written,
                models,
                trainings,
                notes,
                log,
                usage: None,
            }
        },
    )
}

fn any_model() -> impl Strategy<Value = ModelRecord> {
    let texts =
        (any_untrusted(), any_untrusted(), any_untrusted(), any_untrusted(), any_untrusted());
    let accuracy = option::of(prop_oneof![3 => 0.0..=1.0, 1 => any::<f64>()]);
    let settings = prop::collection::btree_map(any_untrusted(), any_untrusted(), 0..3);
    (texts, accuracy, 0_usize..1000, settings).prop_map(|(texts, accuracy, asked, settings)| {
        let (task, file, examples, pseudonym, own) = texts;
        ModelRecord { task, file, accuracy, asked, examples, settings, pseudonym, own }
    })
}

fn any_training() -> impl Strategy<Value = TrainingRecord> {
    let accuracy = prop_oneof![3 => 0.0..=1.0, 1 => any::<f64>()];
    let texts = (any_untrusted(), any_untrusted(), vec(any_untrusted(), 0..3));
    let training = (texts, accuracy, 0_usize..1000, vec(any_training_run(), 0..3));
    training.prop_map(|((task, examples, references), accuracy, asked, runs)| TrainingRecord {
        task,
        accuracy,
        asked,
        examples,
        references,
        runs,
    })
}

fn any_training_run() -> impl Strategy<Value = TrainingRun> {
    (any::<f64>(), vec(any::<f64>(), 0..4))
        .prop_map(|(accuracy, losses)| TrainingRun { accuracy, losses })
}

fn any_written() -> impl Strategy<Value = WrittenRecord> {
    (any_untrusted(), any_untrusted(), any_untrusted(), option::of(0_u32..2000)).prop_map(
        |(id, title, text, points)| WrittenRecord {
            comment: points.map_or(Untrusted::EMPTY, |_| "the second half is missing".into()),
            rubric: points.map(|_| chosen(&title)).into_iter().collect(),
            id,
            title,
            points: points.map(Points::from_hundredths),
            max_points: Points::from_hundredths(2000),
            text,
        },
    )
}

/// An item of a rubric that takes half a point away.
fn chosen(text: &Untrusted) -> RubricRecord {
    RubricRecord { text: text.clone(), points: Delta::from_hundredths(-50) }
}

/// As many verdicts in each row as there are detectors, and now and then not.
fn any_matrix() -> impl Strategy<Value = KillMatrix> {
    let verdict = prop::sample::select(vec![
        DetectorVerdict::Healthy,
        DetectorVerdict::Bug,
        DetectorVerdict::Wavers,
        DetectorVerdict::Failed,
        DetectorVerdict::NotRun,
    ]);
    let kind = prop::sample::select(vec![LayerKind::Mutant, LayerKind::Right, LayerKind::Decoy]);
    let row = (kind, any_untrusted(), vec(verdict, 0..4))
        .prop_map(|(kind, symptom, verdicts)| LayerRow { kind, symptom, verdicts });
    (vec(any_untrusted(), 0..3), vec(row, 0..4))
        .prop_map(|(detectors, rows)| KillMatrix { detectors, rows })
}

fn any_task() -> impl Strategy<Value = TaskRecord> {
    (any_untrusted(), any_untrusted(), vec(any_check(), 0..3)).prop_map(|(id, title, checks)| {
        TaskRecord {
            id,
            title,
            points: checks.iter().map(|check| check.points).sum(),
            max_points: checks.iter().map(|check| check.max_points).sum(),
            checks,
        }
    })
}

fn any_check() -> impl Strategy<Value = CheckRecord> {
    let status = prop_oneof![
        Just(Status::Pass),
        Just(Status::Wrong),
        Just(Status::NotImplemented),
        Just(Status::Fault),
        Just(Status::Blocked),
    ];
    let visibility = prop_oneof![Just(Visibility::Public), Just(Visibility::Hidden)];
    let texts = (
        any_untrusted(),
        any_untrusted(),
        option::of(any_untrusted()),
        any_untrusted(),
        option::of(any_untrusted()),
    );
    let evidence = (any_evidence(), option::weighted(0.2, any_matrix()), any_override());
    (texts, visibility, status, 0_u32..2000, evidence).prop_map(
        |(texts, visibility, status, hundredths, (evidence, matrix, overridden))| {
            let (id, title, mistake, message, replay) = texts;
            let max_points = Points::from_hundredths(hundredths);
            CheckRecord {
                id,
                title,
                visibility,
                status,
                points: if status == Status::Pass { max_points } else { Points::ZERO },
                max_points,
                overridden,
                mistake,
                message,
                evidence,
                replay,
                matrix,
            }
        },
    )
}

fn any_override() -> impl Strategy<Value = Option<OverrideRecord>> {
    let texts = (any_untrusted(), any_untrusted(), any_untrusted());
    let decision =
        (texts, any::<bool>()).prop_map(|((reason, by, given_at), is_of_other_files)| {
            OverrideRecord { graded: Points::ZERO, reason, by, given_at, is_of_other_files }
        });
    option::weighted(0.2, decision)
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    (
        option::of(any_untrusted()),
        vec((any_untrusted(), any_untrusted()), 0..3),
        option::of(any_untrusted()),
        option::of(vec(any::<usize>(), 0..4)),
        (option::of(any::<f64>()), option::of(any::<f64>()), option::of(any::<f64>())),
        option::of(any_compared()),
    )
        .prop_map(|(case, inputs, output, index, (got, expected, allowed), compared)| {
            Evidence { case, inputs, output, index, got, expected, allowed, compared }
        })
}

/// Tensors of any shape, which may not fit the number of values, as in a record that somebody edited.
fn any_compared() -> impl Strategy<Value = Compared> {
    (vec(0_usize..4, 0..3), vec(any::<f64>(), 0..9), vec(any::<f64>(), 0..9))
        .prop_map(|(shape, got, expected)| Compared { shape, got, expected })
}

fn any_untrusted() -> impl Strategy<Value = Untrusted> {
    any_text().prop_map(Untrusted::from)
}

/// Arbitrary text, leaning to what breaks terminals, markup and spreadsheets.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => any::<char>().prop_map(String::from),
        2 => "[a-z ]{0,12}",
        2 => prop::sample::select(vec![
            "\u{1b}[31m", "\u{1b}]0;x\u{7}", "\u{9b}2J", "\u{0}", "\r", "\n", "\r\n", "\t", "\u{7f}",
            "<script>", "</style>", "<!--", "-->", "]]>", "<![CDATA[", "&", "&#0;", "\"", "'", "`",
            "=1+1", "+1", "-1", "@x", ",", ";", "\u{202e}", "\u{2066}", "\u{200f}", "\u{feff}",
            "\u{fffe}", "\u{ffff}", "\u{2028}", "\u{e0041}", "e\u{301}", "語", "\\u0000",
            "\u{ad}", "\u{34f}", "\u{3164}", "\u{2060}", "\u{1d173}", "\u{fff9}", "\u{85}", "׀א",
            "＝1", "\u{a0}=1", "│ ", "</pre>", "{{7*7}}", "--!>", "&amp;lt;", "\u{1f468}\u{200d}\u{1f469}",
        ]).prop_map(String::from),
    ];
    vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}
