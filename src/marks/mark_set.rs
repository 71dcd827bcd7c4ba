//! Marks of a folder of results, and how they are laid on its records.

use std::collections::BTreeMap;
use std::path::Path;

use softmark_untrusted::Untrusted;

use super::csv_file::{self, CsvMark, MarksError, digest_of};
use super::event::MarkEvent;
use crate::marking::{Answer, Book, Item, LineMark, Mark, Marked};
use crate::model::{Delta, Points, Record, RubricRecord, WrittenRecord};
use crate::store::{AnswerId, LEDGER, MarkerRole, MarkingId, MarkingStep, SavedMarking, Store};

/// Marks of a folder of results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Lines of `marks.csv` in their order.
    lines: Vec<CsvMark>,
    /// Place of the last line about each answer, by the submission as the file writes it and the question.
    last: BTreeMap<(Untrusted, Untrusted), usize>,
    /// Marks of the ledger; `None` if there is no ledger.
    book: Option<Book>,
}

impl Marks {
    /// Reads the marks of the results at `out`.
    ///
    /// # Errors
    ///
    /// Fails if the ledger or `marks.csv` cannot be read, or if a line lacks its submission, question or points, or has an
    /// invalid number of points.
    pub fn read(out: &Path) -> Result<Self, MarksError> {
        let (marks, error) = Self::read_valid(out)?;
        error.map_or(Ok(marks), Err)
    }

    /// Reads the marks of the results at `out` without the lines of `marks.csv` that are not valid, and returns the first error of that
    /// file as well.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn read_valid(out: &Path) -> Result<(Self, Option<MarksError>), MarksError> {
        let (lines, error) = csv_file::read_valid(out);
        let store = Store::open_to_read(&out.join(LEDGER))?;
        let book = store.map(|store| Book::read(&store)).transpose()?;
        Ok((Self::new(lines, book), error))
    }

    /// Reads the marks of one submission in the results at `out`, whose ledger is `store`. Lines of `marks.csv` that are not valid are
    /// left out.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn of_submission(
        out: &Path,
        store: &Store,
        submission: &Untrusted,
    ) -> Result<Self, MarksError> {
        let book = Some(Book::read_submission(store, submission)?);
        Ok(Self::new(csv_file::read_valid(out).0, book))
    }

    /// Reads the valid lines of `marks.csv` in the results at `out` alone, and returns the first error of the file as well.
    pub fn read_valid_lines(out: &Path) -> (Self, Option<MarksError>) {
        let (lines, error) = csv_file::read_valid(out);
        (Self::new(lines, None), error)
    }

    /// Creates the marks from lines of `marks.csv` and the marks of the ledger.
    pub fn new(lines: Vec<CsvMark>, book: Option<Book>) -> Self {
        let places = lines.iter().enumerate();
        let last = places.map(|(at, it)| ((it.submission.clone(), it.question.clone()), at));
        Self { last: last.collect(), lines, book }
    }

    /// Returns the marks of a submission, those of the file first. The newest records of its assignments say what its answers are
    /// worth.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn events(
        &self,
        submission: &Untrusted,
        store: &Store,
    ) -> Result<Vec<MarkEvent>, MarksError> {
        let lines = self.lines.iter().filter(|mark| mark.is_about(submission));
        let mut events: Vec<MarkEvent> = lines.map(MarkEvent::from).collect();
        let none = Book::default();
        let book = self.book.as_ref().unwrap_or(&none);
        let (rows, answers) = (store.markings_of(submission)?, store.answers_of(submission)?);
        events.extend(rows.iter().map(|row| MarkEvent::of(row, book, &answers)));
        Ok(events)
    }

    /// Returns the lines of `marks.csv` that have no effect, with the reasons, so that typos are reported.
    pub fn without_effect(&self, records: &[Record]) -> Vec<(&CsvMark, String)> {
        let reason =
            |mark: &CsvMark| mark.no_effect(records).or_else(|| self.outranked(mark, records));
        self.lines.iter().filter_map(|mark| Some((mark, reason(mark)?))).collect()
    }

    /// Returns the reason why the last line of an answer does not count beside a mark in the ledger. A line with an earlier time
    /// is no mistake.
    fn outranked(&self, mark: &CsvMark, records: &[Record]) -> Option<String> {
        let record = records.iter().find(|record| mark.is_about(&record.submission))?;
        let answer = record.written.iter().find(|it| it.id == mark.question)?;
        let last = self.last_line(&record.submission, answer);
        let is_last = last.is_some_and(|it| std::ptr::eq(it, mark));
        let marks = self.markings(record, answer);
        let is_beside = marks.is_some_and(|it| it.instead_of_line(&digest_of(answer)).is_some());
        (is_last && is_beside && !mark.has_time()).then(|| OUTRANKED.to_owned())
    }

    /// Returns the marks of the version of a record's answer that are in force: the one that counts, and then those that compete
    /// with it. There is none if the answer needs marking.
    pub fn in_force(&self, record: &Record, answer: &WrittenRecord) -> Vec<MarkInForce> {
        let none = Book::default();
        let book = self.book.as_ref().unwrap_or(&none);
        let question = book.question(&record.assignment, &answer.id, answer.max_points);
        let markings = self.markings(record, answer);
        let line = self.counting_line(&record.submission, answer, markings);
        let counting = match (line, question.mark(markings, &digest_of(answer))) {
            (Some(line), _) => Some(MarkInForce::of_line(line)),
            (None, Mark::Given(marked)) => Some(MarkInForce::of(&marked)),
            (None, Mark::Open | Mark::Changed(_)) => None,
        };
        let mut marks: Vec<MarkInForce> = counting.into_iter().collect();
        let history = markings.map(|it| it.history(MarkerRole::First));
        let conflicting = history.map(|it| it.of_version(&digest_of(answer)).conflicting);
        let conflicting = conflicting.unwrap_or_default().into_iter();
        marks.extend(
            conflicting.filter_map(|it| question.marked(it)).map(|it| MarkInForce::of(&it)),
        );
        marks
    }

    /// Returns true if somebody must mark the answer of a record, or decide between two marks of it.
    pub fn is_open(&self, record: &Record, answer: &WrittenRecord) -> bool {
        let none = Book::default();
        let book = self.book.as_ref().unwrap_or(&none);
        let question = book.question(&record.assignment, &answer.id, answer.max_points);
        let markings = self.markings(record, answer);
        let line = self.line(&record.submission, answer, markings);
        question.is_open((markings, &digest_of(answer)), line.as_ref())
    }

    /// Returns the newest row of the ledger about an answer and a role.
    pub fn newest(&self, answer: &AnswerId, role: MarkerRole) -> MarkingId {
        let answer = self.book.as_ref().and_then(|book| book.answer(answer));
        answer.map_or(MarkingId::NONE, |answer| answer.history(role).newest())
    }

    /// Adds the marks to a record's written answers. An answer that was changed after it was marked needs marking again, and so
    /// does one whose only mark is a line of more points than it is worth.
    ///
    /// Without a ledger, an answer without a line in `marks.csv` keeps what is laid on it: the record may have been copied
    /// without its ledger.
    pub fn lay_on(&self, record: &mut Record) {
        let mut written = std::mem::take(&mut record.written);
        for answer in &mut written {
            let has_line = self.last_line(&record.submission, answer).is_some();
            if self.book.is_none() && !has_line {
                continue;
            }
            let applied = self.applied(record, answer);
            answer.points = applied.as_ref().map(|applied| applied.points);
            let applied = applied.unwrap_or_default();
            (answer.comment, answer.rubric) = (applied.comment, applied.rubric);
        }
        record.written = written;
    }

    /// Returns the mark of a record's answer as the record shows it; `None` if the answer needs marking.
    fn applied(&self, record: &Record, answer: &WrittenRecord) -> Option<AppliedMark> {
        let markings = self.markings(record, answer);
        if let Some(line) = self.counting_line(&record.submission, answer, markings) {
            return Some(AppliedMark::of_line(line));
        }
        let book = self.book.as_ref()?;
        let question = book.question(&record.assignment, &answer.id, answer.max_points);
        match question.mark(markings, &digest_of(answer)) {
            Mark::Given(marked) => AppliedMark::of_marking(&marked),
            Mark::Open | Mark::Changed(_) => None,
        }
    }

    /// Returns the line of `marks.csv` that counts for an answer, as the first marker's mark: the last line about the answer, if
    /// it holds for this version and is later than the first or agreed mark in the ledger. `None` if no line counts.
    pub fn line(
        &self,
        submission: &Untrusted,
        answer: &WrittenRecord,
        markings: Option<&Answer>,
    ) -> Option<LineMark> {
        let CountingLine { mark, points } = self.counting_line(submission, answer, markings)?;
        Some(LineMark { points, by: mark.by.clone(), comment: mark.comment.clone() })
    }

    /// Returns the line that counts for an answer with these markings in the ledger.
    fn counting_line(
        &self,
        submission: &Untrusted,
        answer: &WrittenRecord,
        markings: Option<&Answer>,
    ) -> Option<CountingLine<'_>> {
        let mark = self.last_line(submission, answer).filter(|mark| mark.holds(answer))?;
        let beside = markings.and_then(|it| it.instead_of_line(&digest_of(answer)));
        let counts = beside.is_none_or(|marking| mark.is_later_than(&marking.given_at));
        let points = mark.value().filter(|_| counts)?;
        Some(CountingLine { mark, points })
    }

    /// Returns the last line of the file about an answer.
    fn last_line(&self, submission: &Untrusted, answer: &WrittenRecord) -> Option<&CsvMark> {
        let at = |name: Untrusted| self.last.get(&(name, answer.id.clone()));
        let last = CsvMark::names_of(submission).into_iter().filter_map(at).max();
        last.and_then(|at| self.lines.get(*at))
    }

    /// Returns the markings of a record's answer in the ledger; `None` if there is none.
    fn markings(&self, record: &Record, answer: &WrittenRecord) -> Option<&Answer> {
        let id = AnswerId::new(&record.assignment, &answer.id, &record.submission);
        self.book.as_ref()?.answer(&id)
    }
}

/// Reason why a line without a time has no effect.
const OUTRANKED: &str = "the ledger has a mark of that answer; give the line a time in the column `given_at`, or use `grade mark`";

/// Description of free points beside the chosen items of a rubric.
const FREE: &str = "other points";

/// Line of `marks.csv` that counts.
#[derive(Clone, Copy)]
struct CountingLine<'a> {
    mark: &'a CsvMark,
    points: Points,
}

/// Mark as a record shows it.
#[derive(Debug, Default)]
struct AppliedMark {
    points: Points,
    comment: Untrusted,
    rubric: Vec<RubricRecord>,
}

impl AppliedMark {
    /// Returns the mark of a line.
    fn of_line(line: CountingLine<'_>) -> Self {
        let CountingLine { mark, points } = line;
        Self { points, comment: mark.comment.clone(), rubric: Vec::new() }
    }

    /// Returns the mark of a marking, with the chosen items.
    fn of_marking(marked: &Marked<'_>) -> Option<Self> {
        let MarkingStep::Mark(given) = &marked.marking.step else { return None };
        let item = |item: &&Item| RubricRecord { text: item.text.clone(), points: item.points };
        let mut rubric: Vec<RubricRecord> = marked.items.iter().map(item).collect();
        if !rubric.is_empty() && given.free != Delta::ZERO {
            rubric.push(RubricRecord { text: FREE.into(), points: given.free });
        }
        Some(Self { points: marked.points, comment: given.comment.clone(), rubric })
    }
}

/// Mark of an answer that counts, or competes with the one that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkInForce {
    /// Points.
    pub points: Points,
    /// Name of the marker; a line of `marks.csv` may have none.
    pub by: Untrusted,
    /// Source of the mark.
    pub source: MarkSource,
}

/// Source of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkSource {
    /// A line of `marks.csv`.
    File,
    /// A marking in the ledger, given in this role.
    Ledger(MarkingId, MarkerRole),
}

impl MarkInForce {
    fn of(marked: &Marked<'_>) -> Self {
        let SavedMarking { id, by, role, .. } = marked.marking;
        let source = MarkSource::Ledger(*id, *role);
        Self { points: marked.points, by: by.clone(), source }
    }

    fn of_line(line: CountingLine<'_>) -> Self {
        let CountingLine { mark, points } = line;
        Self { points, by: mark.by.clone(), source: MarkSource::File }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::marking::test_rows::{self, NOON};
    use crate::model::RecordOutcome;
    use crate::store::{GivenMark, ItemId, ItemVersion, SavedItem};

    fn line(points: &str, given_at: &str) -> CsvMark {
        CsvMark {
            submission: "amara".into(),
            question: "explanation".into(),
            points: points.into(),
            by: "Okafor".into(),
            comment: "in the file".into(),
            given_at: given_at.to_owned(),
            answer_digest: String::new(),
        }
    }

    fn record(text: &str) -> Record {
        let answer = WrittenRecord {
            id: "explanation".into(),
            title: "Why".into(),
            points: None,
            max_points: Points::from_hundredths(400),
            comment: Untrusted::EMPTY,
            rubric: Vec::new(),
            text: text.into(),
        };
        Record {
            submission: "amara".into(),
            entry: Untrusted::EMPTY,
            submitted: None,
            sha256: Untrusted::EMPTY,
            assignment: "essay".into(),
            outcome: RecordOutcome::Graded,
            reason: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            tasks: Vec::new(),
            written: vec![answer],
            models: Vec::new(),
            trainings: Vec::new(),
            notes: Vec::new(),
            log: Untrusted::EMPTY,
            usage: None,
        }
    }

    fn digest(text: &str) -> String {
        digest_of(record(text).written.first().unwrap())
    }

    /// Marking with one item of 2 points, and these free points.
    fn marking(id: i64, free: i64, text: &str) -> SavedMarking {
        let given = GivenMark {
            items: BTreeSet::from([ItemId::from_number(1)]),
            free: Delta::from_hundredths(free),
            comment: "marked".into(),
            answer_digest: digest(text),
        };
        test_rows::marking(id, id - 1, given)
    }

    fn rubric() -> Vec<SavedItem> {
        let text = "names the residual".into();
        let points = Delta::from_hundredths(200);
        vec![test_rows::item(1, 1, ItemVersion { text, points, is_retired: false })]
    }

    fn withdrawal(id: i64) -> SavedMarking {
        let step = MarkingStep::Withdrawal(MarkingId::from_number(id - 1));
        SavedMarking { step, ..marking(id, 0, "because") }
    }

    /// Points and comment of the answer "because"; `None` where it needs marking.
    fn applied(lines: &[CsvMark], markings: &[SavedMarking]) -> Option<(String, String)> {
        let marks = Marks::new(lines.to_vec(), Some(Book::of(&rubric(), markings)));
        let mut applied = record("because");
        marks.lay_on(&mut applied);
        let once = applied.clone();
        marks.lay_on(&mut applied);
        assert_eq!(applied, once, "laying marks on twice is laying them on once");
        let answer = applied.written.first().unwrap();
        answer.points.map(|points| (points.to_string(), answer.comment.to_string()))
    }

    fn given(points: &str, comment: &str) -> (String, String) {
        (points.to_owned(), comment.to_owned())
    }

    #[test]
    fn the_last_line_counts_where_the_ledger_has_no_mark() {
        assert_eq!(applied(&[], &[]), None);
        assert_eq!(
            applied(&[line("2", ""), line("3", "")], &[]),
            Some(given("3.00", "in the file"))
        );
        // A last line of too many points, or of another version of the answer, leaves the answer open.
        assert_eq!(applied(&[line("2", ""), line("4.01", "")], &[]), None);
        let of_another = CsvMark { answer_digest: digest("no"), ..line("3", "") };
        assert_eq!(applied(&[line("2", ""), of_another], &[]), None);
        let taken_back = [marking(1, 0, "because"), withdrawal(2)];
        assert_eq!(applied(&[line("3", "")], &taken_back), Some(given("3.00", "in the file")));
    }

    #[test]
    fn a_mark_of_the_ledger_counts_unless_a_line_is_later() {
        let marked = [marking(1, 50, "because")];
        let in_ledger = Some(given("2.50", "marked"));
        assert_eq!(applied(&[], &marked), in_ledger);
        assert_eq!(applied(&[line("3", "")], &marked), in_ledger);
        assert_eq!(applied(&[line("3", NOON)], &marked), in_ledger);
        let later = "2026-01-31T12:00:01Z";
        assert_eq!(applied(&[line("3", later)], &marked), Some(given("3.00", "in the file")));
        // A later line that does not hold, because of its points or its version, takes nothing away.
        assert_eq!(applied(&[line("4.01", later)], &marked), in_ledger);
        let of_another = CsvMark { answer_digest: digest("no"), ..line("3", later) };
        assert_eq!(applied(&[of_another], &marked), in_ledger);
        // The answer was changed since.
        assert_eq!(applied(&[line("3", "")], &[marking(1, 50, "no")]), None);
    }

    #[test]
    fn marks_in_force_are_the_one_that_counts_and_those_that_compete_with_it() {
        let in_force = |lines: &[CsvMark], markings: &[SavedMarking]| -> Vec<String> {
            let marks = Marks::new(lines.to_vec(), Some(Book::of(&rubric(), markings)));
            let record = record("because");
            let all = marks.in_force(&record, record.written.first().unwrap());
            all.iter().map(|it| format!("{} {:?}", it.points, it.source)).collect()
        };
        let ledger = |points: &str, id: i64| {
            let source = MarkSource::Ledger(MarkingId::from_number(id), MarkerRole::First);
            format!("{points} {source:?}")
        };
        assert!(in_force(&[], &[]).is_empty());
        assert!(in_force(&[], &[marking(1, 0, "no")]).is_empty(), "another version");
        let unseen = SavedMarking { seen: MarkingId::NONE, ..marking(2, 100, "because") };
        let both = [marking(1, 0, "because"), unseen];
        assert_eq!(in_force(&[], &both), [ledger("2.00", 1), ledger("3.00", 2)]);
        let later = line("1", "2026-01-31T12:00:01Z");
        assert_eq!(in_force(&[later], &both), ["1.00 File".to_owned(), ledger("3.00", 2)]);
        assert_eq!(in_force(&[line("1", "")], &both[..1]), [ledger("2.00", 1)]);
        let is_open = |markings: &[SavedMarking]| {
            let marks = Marks::new(Vec::new(), Some(Book::of(&rubric(), markings)));
            let record = record("because");
            marks.is_open(&record, record.written.first().unwrap())
        };
        assert!(is_open(&[]) && is_open(&both) && !is_open(&both[..1]));
    }

    #[test]
    fn a_line_is_a_first_mark_which_no_second_mark_replaces() {
        let in_role = |role, id, free| SavedMarking { role, ..marking(id, free, "because") };
        let second = in_role(MarkerRole::Second, 1, -100);
        let in_file = Some(given("3.50", "in the file"));
        assert_eq!(applied(&[], std::slice::from_ref(&second)), Some(given("1.00", "marked")));
        assert_eq!(applied(&[line("3.5", "")], std::slice::from_ref(&second)), in_file);
        let agreed = in_role(MarkerRole::Agreed, 2, 50);
        let decided = [second, agreed];
        assert_eq!(applied(&[line("3.5", "")], &decided), Some(given("2.50", "marked")));
        // The second marker gives another mark after the decision.
        let again = SavedMarking {
            seen: MarkingId::from_number(1),
            ..in_role(MarkerRole::Second, 3, -200)
        };
        let undecided = [&decided[..], &[again]].concat();
        assert_eq!(applied(&[line("3.5", "")], &undecided), in_file);
    }

    #[test]
    fn chosen_items_are_on_the_record() {
        let book = Book::of(&rubric(), &[marking(1, 50, "because")]);
        let mut applied = record("because");
        Marks::new(Vec::new(), Some(book)).lay_on(&mut applied);
        let rubric = &applied.written.first().unwrap().rubric;
        let shown: Vec<String> =
            rubric.iter().map(|it| format!("{} {}", it.points, it.text)).collect();
        assert_eq!(shown, ["+2.00 names the residual", "+0.50 other points"]);
    }

    /// Records may be copied without their ledger.
    #[test]
    fn without_a_ledger_a_record_keeps_what_is_laid_on_it() {
        let mut copied = record("because");
        Marks::new(vec![line("3", "")], None).lay_on(&mut copied);
        let before = copied.clone();
        Marks::default().lay_on(&mut copied);
        assert_eq!(copied, before);
        Marks::new(Vec::new(), Some(Book::default())).lay_on(&mut copied);
        assert_eq!(copied, record("because"));
    }

    #[test]
    fn lines_without_effect_are_reported() {
        let reported = |mark: CsvMark, markings: &[SavedMarking]| {
            let marks = Marks::new(vec![mark], Some(Book::of(&rubric(), markings)));
            let without_effect = marks.without_effect(&[record("because")]);
            without_effect.first().map(|(_, why)| why.clone()).unwrap_or_default()
        };
        let marked = [marking(1, 0, "because")];
        assert_eq!(reported(line("4", ""), &[]), "");
        assert_eq!(reported(line("4", NOON), &marked), "");
        assert!(reported(line("4", ""), &marked).starts_with("the ledger has a mark"));
        let other = CsvMark { submission: "amar".into(), ..line("4", "") };
        assert_eq!(reported(other, &[]), "there is no record of that name");
        let other = CsvMark { question: "explanations".into(), ..line("4", "") };
        assert_eq!(reported(other, &[]), "`essay` has no such question");
        assert_eq!(reported(line("4.01", ""), &[]), "4.01 is more than the 4.00 it is worth");
    }
}
