//! The documents' structure: fields in the order in which they are written.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use softmark_checks::KillMatrix;
use softmark_checks::matrix::{Cell, Kind, Row};
use softmark_checks::outcome::Evidence;

use super::FORMAT_VERSION;
use super::fields::{Inputs, Number, maybe_points, named, points};
use super::trained::{ModelShape, TrainingShape};
use crate::model::{
    CheckRecord, Grader, Points, Record, RecordOutcome, Run, Status, TaskRecord, Visibility,
    WrittenRecord,
};

/// Any document: enough of it to tell its version.
#[derive(Debug, Deserialize)]
pub(super) struct Versioned {
    pub(super) format_version: u32,
}

/// The document of a run.
#[derive(Debug, Serialize)]
pub(super) struct RunDocument<'a> {
    format_version: u32,
    grader: GraderShape<'a>,
    records: Vec<RecordShape<'a>>,
}

impl<'a> RunDocument<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            grader: GraderShape::of(&run.grader),
            records: run.records.iter().map(RecordShape::of).collect(),
        }
    }
}

/// The document of one record.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RecordDocument<'a> {
    format_version: u32,
    grader: GraderShape<'a>,
    record: RecordShape<'a>,
}

impl<'a> RecordDocument<'a> {
    pub(super) fn of(grader: &'a Grader, record: &'a Record) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            grader: GraderShape::of(grader),
            record: RecordShape::of(record),
        }
    }

    pub(super) fn into_model(self) -> (Grader, Record) {
        (self.grader.into_model(), self.record.into_model())
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct GraderShape<'a> {
    version: Cow<'a, str>,
    seed: u64,
    device: Cow<'a, str>,
    sandbox: Cow<'a, str>,
}

impl<'a> GraderShape<'a> {
    fn of(grader: &'a Grader) -> Self {
        Self {
            version: Cow::Borrowed(&grader.version),
            seed: grader.seed,
            device: Cow::Borrowed(&grader.device),
            sandbox: Cow::Borrowed(&grader.sandbox),
        }
    }

    fn into_model(self) -> Grader {
        Grader {
            version: self.version.into_owned(),
            seed: self.seed,
            device: self.device.into_owned(),
            sandbox: self.sandbox.into_owned(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct RecordShape<'a> {
    submission: Cow<'a, str>,
    #[serde(default)]
    submitted: Option<Cow<'a, str>>,
    sha256: Cow<'a, str>,
    assignment: Cow<'a, str>,
    #[serde(with = "named")]
    outcome: RecordOutcome,
    reason: Option<Cow<'a, str>>,
    #[serde(with = "points")]
    points: Points,
    #[serde(with = "points")]
    max_points: Points,
    tasks: Vec<TaskShape<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    written: Vec<WrittenShape<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    models: Vec<ModelShape<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trainings: Vec<TrainingShape<'a>>,
    #[serde(default)]
    notes: Vec<Cow<'a, str>>,
    #[serde(default)]
    log: Cow<'a, str>,
}

impl<'a> RecordShape<'a> {
    fn of(record: &'a Record) -> Self {
        Self {
            submission: Cow::Borrowed(&record.submission),
            submitted: record.submitted.as_deref().map(Cow::Borrowed),
            sha256: Cow::Borrowed(&record.sha256),
            assignment: Cow::Borrowed(&record.assignment),
            outcome: record.outcome,
            reason: record.reason.as_deref().map(Cow::Borrowed),
            points: record.points,
            max_points: record.max_points,
            tasks: record.tasks.iter().map(TaskShape::of).collect(),
            written: record.written.iter().map(WrittenShape::of).collect(),
            models: record.models.iter().map(ModelShape::of).collect(),
            trainings: record.trainings.iter().map(TrainingShape::of).collect(),
            notes: record.notes.iter().map(|note| Cow::Borrowed(note.as_str())).collect(),
            log: Cow::Borrowed(&record.log),
        }
    }

    fn into_model(self) -> Record {
        Record {
            submission: self.submission.into_owned(),
            submitted: self.submitted.map(Cow::into_owned),
            sha256: self.sha256.into_owned(),
            assignment: self.assignment.into_owned(),
            outcome: self.outcome,
            reason: self.reason.map(Cow::into_owned),
            points: self.points,
            max_points: self.max_points,
            tasks: self.tasks.into_iter().map(TaskShape::into_model).collect(),
            written: self.written.into_iter().map(WrittenShape::into_model).collect(),
            models: self.models.into_iter().map(ModelShape::into_model).collect(),
            trainings: self.trainings.into_iter().map(TrainingShape::into_model).collect(),
            notes: self.notes.into_iter().map(Cow::into_owned).collect(),
            log: self.log.into_owned(),
            usage: None,
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskShape<'a> {
    id: Cow<'a, str>,
    #[serde(default)]
    title: Cow<'a, str>,
    #[serde(with = "points")]
    points: Points,
    #[serde(with = "points")]
    max_points: Points,
    checks: Vec<CheckShape<'a>>,
}

impl<'a> TaskShape<'a> {
    fn of(task: &'a TaskRecord) -> Self {
        Self {
            id: Cow::Borrowed(&task.id),
            title: Cow::Borrowed(&task.title),
            points: task.points,
            max_points: task.max_points,
            checks: task.checks.iter().map(CheckShape::of).collect(),
        }
    }

    fn into_model(self) -> TaskRecord {
        TaskRecord {
            id: self.id.into_owned(),
            title: self.title.into_owned(),
            points: self.points,
            max_points: self.max_points,
            checks: self.checks.into_iter().map(CheckShape::into_model).collect(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct CheckShape<'a> {
    id: Cow<'a, str>,
    #[serde(default)]
    title: Cow<'a, str>,
    #[serde(with = "named")]
    visibility: Visibility,
    #[serde(with = "named")]
    status: Status,
    #[serde(with = "points")]
    points: Points,
    #[serde(with = "points")]
    max_points: Points,
    mistake: Option<Cow<'a, str>>,
    message: Cow<'a, str>,
    evidence: EvidenceShape<'a>,
    #[serde(default)]
    replay: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kill_matrix: Option<MatrixShape<'a>>,
}

impl<'a> CheckShape<'a> {
    fn of(check: &'a CheckRecord) -> Self {
        Self {
            id: Cow::Borrowed(&check.id),
            title: Cow::Borrowed(&check.title),
            visibility: check.visibility,
            status: check.status,
            points: check.points,
            max_points: check.max_points,
            mistake: check.mistake.as_deref().map(Cow::Borrowed),
            message: Cow::Borrowed(&check.message),
            evidence: EvidenceShape::of(&check.evidence),
            replay: check.replay.as_deref().map(Cow::Borrowed),
            kill_matrix: check.matrix.as_ref().map(MatrixShape::of),
        }
    }

    fn into_model(self) -> CheckRecord {
        CheckRecord {
            id: self.id.into_owned(),
            title: self.title.into_owned(),
            visibility: self.visibility,
            status: self.status,
            points: self.points,
            max_points: self.max_points,
            mistake: self.mistake.map(Cow::into_owned),
            message: self.message.into_owned(),
            evidence: self.evidence.into_model(),
            replay: self.replay.map(Cow::into_owned),
            matrix: self.kill_matrix.map(MatrixShape::into_model),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct WrittenShape<'a> {
    id: Cow<'a, str>,
    title: Cow<'a, str>,
    #[serde(with = "maybe_points")]
    points: Option<Points>,
    #[serde(with = "points")]
    max_points: Points,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    comment: Cow<'a, str>,
    text: Cow<'a, str>,
}

impl<'a> WrittenShape<'a> {
    fn of(written: &'a WrittenRecord) -> Self {
        Self {
            id: Cow::Borrowed(&written.id),
            title: Cow::Borrowed(&written.title),
            points: written.points,
            max_points: written.max_points,
            comment: Cow::Borrowed(&written.comment),
            text: Cow::Borrowed(&written.text),
        }
    }

    fn into_model(self) -> WrittenRecord {
        WrittenRecord {
            id: self.id.into_owned(),
            title: self.title.into_owned(),
            points: self.points,
            max_points: self.max_points,
            comment: self.comment.into_owned(),
            text: self.text.into_owned(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct MatrixShape<'a> {
    detectors: Vec<Cow<'a, str>>,
    layers: Vec<RowShape<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RowShape<'a> {
    #[serde(with = "named")]
    kind: Kind,
    symptom: Cow<'a, str>,
    verdicts: Vec<CellShape>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct CellShape(#[serde(with = "named")] Cell);

impl<'a> MatrixShape<'a> {
    fn of(matrix: &'a KillMatrix) -> Self {
        let row = |row: &'a Row| RowShape {
            kind: row.kind,
            symptom: Cow::Borrowed(&row.symptom),
            verdicts: row.cells.iter().copied().map(CellShape).collect(),
        };
        Self {
            detectors: matrix.detectors.iter().map(|it| Cow::Borrowed(it.as_str())).collect(),
            layers: matrix.rows.iter().map(row).collect(),
        }
    }

    fn into_model(self) -> KillMatrix {
        let row = |row: RowShape<'_>| Row {
            kind: row.kind,
            symptom: row.symptom.into_owned(),
            cells: row.verdicts.into_iter().map(|cell| cell.0).collect(),
        };
        KillMatrix {
            detectors: self.detectors.into_iter().map(Cow::into_owned).collect(),
            rows: self.layers.into_iter().map(row).collect(),
        }
    }
}

/// Only what is there is written.
#[derive(Debug, Serialize, Deserialize)]
struct EvidenceShape<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    case: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Inputs::is_empty")]
    inputs: Inputs,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<Cow<'a, [usize]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    got: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allowed: Option<Number>,
}

impl<'a> EvidenceShape<'a> {
    fn of(evidence: &'a Evidence) -> Self {
        Self {
            case: evidence.case.as_deref().map(Cow::Borrowed),
            inputs: Inputs(evidence.inputs.clone()),
            output: evidence.output.as_deref().map(Cow::Borrowed),
            index: evidence.index.as_deref().map(Cow::Borrowed),
            got: evidence.got.map(Number),
            expected: evidence.expected.map(Number),
            allowed: evidence.allowed.map(Number),
        }
    }

    fn into_model(self) -> Evidence {
        Evidence {
            case: self.case.map(Cow::into_owned),
            inputs: self.inputs.0,
            output: self.output.map(Cow::into_owned),
            index: self.index.map(Cow::into_owned),
            got: self.got.map(|number| number.0),
            expected: self.expected.map(|number| number.0),
            allowed: self.allowed.map(|number| number.0),
        }
    }
}
