//! Marks of a course: for every student and assignment, the submission that counts and the points that the policy leaves.
//!
//! Late days are used in the order of the assignments' due dates, so that the result does not depend on the order of grading.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;
use toml::Spanned;

use crate::course::choice::{Choice, Rules, Timed};
use crate::course::deadline::Deadline;
use crate::course::file::Course;
use crate::course::hand_in::{HandIn, Mark};
use crate::course::moment::Moment;
use crate::course::names;
use crate::course::roster::{NamedSubmission, Owner, Prefixes, Roster, StudentIndex};
use crate::course::rows::{AssignmentStandings, RowOutcome, Standings, StandingsError, StudentRow};
use crate::course::settings::AssignmentSettings;
use crate::course::times::Times;
use crate::course::wall_clock::WallClock;

/// Inputs from which the marks of a course follow.
#[derive(Debug)]
pub struct CourseInputs<'a> {
    /// Course.
    pub course: &'a Course,
    /// Students.
    pub roster: &'a Roster,
    /// Times of submission from files, by assignment.
    pub times: &'a BTreeMap<String, Times>,
    /// Submissions.
    pub hand_ins: &'a [HandIn],
}

/// Submissions of one assignment, by student.
type ByStudent<'a> = BTreeMap<StudentIndex, Vec<Timed<'a>>>;

/// Due dates of students with an extension, by assignment and student.
type Extensions = BTreeMap<(String, StudentIndex), Moment>;

impl<'a> CourseInputs<'a> {
    /// Computes the marks of all students.
    ///
    /// # Errors
    ///
    /// Fails if a submission may belong to several students, or the course's file names somebody who is not in the roster.
    pub fn compute(&self) -> Result<Standings, StandingsError> {
        let extensions = self.extensions()?;
        let mut unknown = Vec::new();
        let mut handed: BTreeMap<&str, ByStudent<'a>> = BTreeMap::new();
        let mut ambiguous = Vec::new();
        let assigned = self.assigned();
        let prefixes = prefixes(&assigned);
        for (id, hand_in) in assigned {
            let none = Prefixes::default();
            let prefixes = prefixes.get(&Untrusted::from(id)).unwrap_or(&none);
            let owners = match self.owners(id, &hand_in.submission, prefixes) {
                Ok(owners) => owners,
                Err(StandingsError::Ambiguous(found)) => {
                    ambiguous.extend(found);
                    continue;
                }
                Err(error) => return Err(error),
            };
            if owners.all.is_empty() || id.is_empty() {
                unknown.push(hand_in.clone());
            }
            let time = self.time(id, hand_in, &owners);
            let of_assignment = handed.entry(id).or_default();
            for student in owners.all {
                of_assignment.entry(student).or_default().push(Timed { hand_in, time });
            }
        }
        if !ambiguous.is_empty() {
            return Err(StandingsError::Ambiguous(ambiguous));
        }
        let ids = self.in_order(&handed);
        let mut used = vec![0; self.roster.students().len()];
        let mut assignments = Vec::new();
        for id in ids {
            let none = ByStudent::new();
            let handed = handed.get(id.as_str()).unwrap_or(&none);
            let marked = self.marked(&id)?;
            assignments.push(self.assignment(&id, handed, (&extensions, &marked), &mut used));
        }
        let unused = self.course.names_of_no_submission(self.hand_ins);
        Ok(Standings { assignments, unknown, unused })
    }

    /// Returns the submissions with their assignments. One whose assignment is not known is of the only one that there is.
    fn assigned(&self) -> Vec<(&'a str, &'a HandIn)> {
        let known: BTreeSet<&str> = self.hand_ins.iter().filter_map(assignment_of).collect();
        let only = known.first().copied().filter(|_| known.len() == 1).unwrap_or_default();
        self.hand_ins.iter().map(|it| (assignment_of(it).unwrap_or(only), it)).collect()
    }

    /// Returns the ids of all assignments in the order of their due dates.
    fn in_order(&self, handed: &BTreeMap<&str, ByStudent<'_>>) -> Vec<String> {
        let handed = handed.keys().copied().filter(|id| !id.is_empty());
        let known = self.course.assignments.keys().map(String::as_str);
        let ids: BTreeSet<String> = handed.chain(known).map(str::to_owned).collect();
        let mut ids: Vec<String> = ids.into_iter().collect();
        let due = |id: &String| self.course.assignments.get(id)?.due().map(Deadline::moment);
        ids.sort_by_key(|id| (due(id).is_none(), due(id)));
        ids
    }

    fn settings(&self, id: &str) -> AssignmentSettings {
        self.course.assignments.get(id).cloned().unwrap_or_default()
    }

    /// Returns the students whose submission to an assignment it is: all members of a group if they hand in together. There
    /// are none if nobody in the roster has such a name.
    ///
    /// # Errors
    ///
    /// Fails if it may belong to several students, or the course's file says that it belongs to somebody who is not in the
    /// roster.
    pub fn owners(
        &self,
        id: &str,
        submission: &Untrusted,
        prefixes: &Prefixes,
    ) -> Result<Owners, StandingsError> {
        let is_team = self.course.assignments.get(id).is_some_and(|it| it.groups);
        let named = self.named(id, submission, (prefixes, is_team))?;
        let team = |student: &StudentIndex| {
            if is_team { self.roster.team(*student) } else { BTreeSet::from([*student]) }
        };
        let all = named.iter().flat_map(team).collect();
        Ok(Owners { named, all })
    }

    /// Returns the students whom the name of a submission, the course's file or the file with times names.
    fn named(
        &self,
        id: &str,
        submission: &Untrusted,
        (prefixes, is_team): (&Prefixes, bool),
    ) -> Result<BTreeSet<StudentIndex>, StandingsError> {
        if let Some(student) = self.course.named_student(submission) {
            return Ok(BTreeSet::from([names::owner(student, self.roster)?]));
        }
        let stated = self.times.get(id).and_then(|times| times.owners(submission));
        if let Some(stated) = stated {
            return Ok(stated.clone());
        }
        Ok(match self.roster.owner(submission, prefixes)? {
            Owner::Student(student) => BTreeSet::from([student]),
            Owner::Group(members) => members,
            Owner::OneOfGroup(members) if is_team => members,
            Owner::OneOfGroup(members) => {
                return Err(self.roster.ambiguous(submission.as_raw(), &members).into());
            }
            Owner::Unknown => BTreeSet::new(),
        })
    }

    /// Returns the time of a submission: that of the file with times, or else that of the record.
    ///
    /// The file has one time for each student. It is that of what was graded last under a name: earlier versions have the times of
    /// their records. What a group has handed in has the latest time of those whom its name names, or else of the other members.
    fn time(&self, id: &str, hand_in: &HandIn, owners: &Owners) -> Option<Moment> {
        let times = self.times.get(id).filter(|_| hand_in.is_current());
        let of = |times: &Times| {
            let latest = |students: &BTreeSet<StudentIndex>| times.latest_of(students);
            let by_name = times.of_submission(&hand_in.submission);
            by_name.or_else(|| latest(&owners.named)).or_else(|| latest(&owners.all))
        };
        times.and_then(of).or_else(|| hand_in.submitted(&self.course.wall_clock(id)))
    }

    /// Returns the due dates of students who have an extension: the latest, if there is more than one.
    fn extensions(&self) -> Result<Extensions, StandingsError> {
        let mut extensions = Extensions::new();
        for extension in &self.course.extensions {
            let id = extension.assignment.get_ref();
            let due = self.course.assignments.get(id).and_then(|it| extension.due(it));
            let Some(due) = due else { continue };
            let missing = |name: &Spanned<String>, kind| StandingsError::NotInRoster {
                table: "[[extensions]]",
                name: name.get_ref().as_str().into(),
                kind,
                at: name.span().start,
            };
            let students = match (&extension.student, &extension.group) {
                (Some(student), _) => {
                    let found = self.roster.student(student.get_ref())?;
                    BTreeSet::from([found.ok_or_else(|| missing(student, "student"))?])
                }
                (None, Some(group)) => {
                    let found = self.roster.group(group.get_ref());
                    found.ok_or_else(|| missing(group, "group"))?.members.clone()
                }
                (None, None) => BTreeSet::new(),
            };
            for student in students {
                let latest = extensions.entry((id.clone(), student)).or_insert(due);
                *latest = due.max(*latest);
            }
        }
        Ok(extensions)
    }

    /// Computes the rows of an assignment, and adds the late days that it takes to those that are used.
    fn assignment(
        &self,
        id: &str,
        handed: &ByStudent<'_>,
        (extensions, marked): (&Extensions, &BTreeMap<StudentIndex, &str>),
        used: &mut [u32],
    ) -> AssignmentStandings {
        let settings = self.settings(id);
        let late = &self.course.late;
        let policy = settings.policy(late);
        let counts = self.course.counts(&settings);
        let mut rows = Vec::new();
        for (student, used) in used.iter_mut().enumerate() {
            let extended_to = extensions.get(&(id.to_owned(), student)).copied();
            let rules = Rules {
                policy: &policy,
                window: settings.window(late, extended_to),
                late_days_left: policy.late_days.saturating_sub(*used),
                counts,
                marked: marked.get(&student).copied(),
            };
            let all = handed.get(&student).map(Vec::as_slice).unwrap_or_default();
            let mut row = row(rules, all);
            let on_clock = |moment| shown(&settings, moment, &self.course.wall_clock(id));
            row.student = student;
            row.submitted = row.submitted.map(|it| on_clock(it.moment()));
            row.extended_to = extended_to.map(on_clock);
            row.late_days_before = *used;
            let late_days = row.outcome.verdict().map(|verdict| verdict.late_days);
            *used += late_days.unwrap_or_else(|| reserved(rules, all));
            rows.push(row);
        }
        let max_points = rows.iter().filter_map(|row| row.max_points).max();
        for row in &mut rows {
            row.max_points = row.max_points.or(max_points);
        }
        let (due, stop) = (settings.due().cloned(), settings.hard_stop(late));
        AssignmentStandings { id: id.to_owned(), due, stop, policy, counts, rows }
    }

    /// Returns the submissions of an assignment that are marked as counting, by student.
    fn marked(&self, id: &str) -> Result<BTreeMap<StudentIndex, &'a str>, StandingsError> {
        let settings = self.course.assignments.get(id);
        let mut marked = BTreeMap::new();
        for (name, submission) in settings.iter().flat_map(|it| &it.marked) {
            let missing = || StandingsError::NotInRoster {
                table: "marked",
                name: name.as_str().into(),
                kind: "student",
                at: submission.span().start,
            };
            let student = self.roster.student(name)?.ok_or_else(missing)?;
            let is_team = settings.is_some_and(|it| it.groups);
            let alone = BTreeSet::from([student]);
            let students = if is_team { self.roster.team(student) } else { alone };
            for student in students {
                let other = marked.insert(student, submission.get_ref().as_str());
                if other.is_some_and(|other| other != submission.get_ref()) {
                    return Err(StandingsError::MarkedTwice {
                        name: name.as_str().into(),
                        at: submission.span().start,
                    });
                }
            }
        }
        Ok(marked)
    }
}

/// Students whose submission it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owners {
    /// Those whom the name of the submission, or the course's file, names.
    pub named: BTreeSet<StudentIndex>,
    /// All who get its mark: those who are named and, if they hand in together, the other members of their groups.
    pub all: BTreeSet<StudentIndex>,
}

/// Returns the common beginnings of the names of submissions to each assignment.
fn prefixes(assigned: &[(&str, &HandIn)]) -> BTreeMap<Untrusted, Prefixes> {
    let ids: Vec<Untrusted> = assigned.iter().map(|(id, _)| (*id).into()).collect();
    let names = assigned.iter().map(|(_, hand_in)| &hand_in.submission);
    let named = |(assignment, name)| NamedSubmission { assignment, name };
    Prefixes::by_assignment(&ids.iter().zip(names).map(named).collect::<Vec<_>>())
}

/// Returns the assignment of a submission; `None` if it is not known. A record is a file that anybody may have written, so
/// only text that can be the id of an assignment is one.
fn assignment_of(hand_in: &HandIn) -> Option<&str> {
    let id = hand_in.assignment.as_raw();
    let is_id = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_');
    Some(id).filter(|id| !id.is_empty() && id.bytes().all(is_id))
}

/// Returns a moment as the due date is shown; on the clock `wall` if there is no due date.
fn shown(settings: &AssignmentSettings, moment: Moment, wall: &WallClock) -> Deadline {
    let alone = || Deadline::new(moment, wall.clone());
    settings.due().map_or_else(alone, |due| due.at(moment))
}

/// Returns the late days that a submission without a final mark may need.
fn reserved(rules: Rules<'_>, all: &[Timed<'_>]) -> u32 {
    match rules.choose(all) {
        Choice::Counts(timed) => rules.verdict(timed).late_days,
        Choice::Missing | Choice::Undecided(_) | Choice::NoSuchMarked => 0,
    }
}

/// Returns the row of a student, without the student.
fn row(rules: Rules<'_>, all: &[Timed<'_>]) -> StudentRow {
    let empty = |outcome| StudentRow {
        student: 0,
        submission: None,
        submitted: None,
        extended_to: None,
        max_points: None,
        late_days_before: 0,
        outcome,
    };
    let timed = match rules.choose(all) {
        Choice::Missing => return empty(RowOutcome::Missing),
        Choice::Undecided(number) => return empty(RowOutcome::Undecided(number)),
        Choice::NoSuchMarked => return empty(RowOutcome::NoSuchMarked),
        Choice::Counts(timed) => timed,
    };
    let HandIn { submission, is_called_late, mark, .. } = timed.hand_in;
    let costs = rules.policy.percent_per_day.is_some_and(|percent| percent > 0);
    let has_effect = rules.window.due.is_some() && (costs || rules.window.stop.is_some());
    let (outcome, max_points) = match *mark {
        Mark::NoGrade => (RowOutcome::NoGrade, None),
        Mark::Unmarked { answers, max_points } => (RowOutcome::Unmarked(answers), Some(max_points)),
        Mark::Points { max_points, .. } => {
            let verdict = rules.verdict(timed);
            let is_unknown = timed.time.is_none() && *is_called_late && has_effect;
            let counted = RowOutcome::Counted(verdict);
            (if is_unknown { RowOutcome::LateByUnknown } else { counted }, Some(max_points))
        }
    };
    let submission = Some(submission.clone());
    let submitted = timed.time.map(|time| Deadline::new(time, WallClock::UTC));
    StudentRow { submission, submitted, max_points, ..empty(outcome) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::hand_in::HandIns;
    use crate::course::roster::StudentTable;
    use crate::course::table::Table;
    use crate::model::{LATE_NOTE, Points, Record, RecordOutcome};

    const COURSE: &str = "title = 'T'
        [late]
        percent_per_day = 10
        late_days = 3
        hard_stop_days = 4
        [assignments.second]
        due = 2026-11-20T12:00:00+01:00
        [assignments.first]
        due = 2026-11-10T12:00:00+01:00
        [assignments.free]
        ";

    const ROSTER: &str =
        "id,name,email,group\namara,Amara Okafor,,red\nbao,Bao Tran,,red\nchiara,Chiara Rossi,,\n";

    fn record(submission: &str, assignment: &str, submitted: &str, points: u32) -> Record {
        let points = Points::from_hundredths(points);
        Record {
            submission: submission.into(),
            entry: Untrusted::EMPTY,
            submitted: (!submitted.is_empty()).then(|| submitted.into()),
            sha256: format!("{submission}0123456789").into(),
            assignment: assignment.into(),
            outcome: RecordOutcome::Graded,
            reason: None,
            points,
            max_points: Points::from_hundredths(3_000),
            tasks: Vec::new(),
            written: Vec::new(),
            models: Vec::new(),
            trainings: Vec::new(),
            notes: Vec::new(),
            log: Untrusted::EMPTY,
            usage: None,
        }
    }

    fn roster() -> Roster {
        let table = Table::parse(ROSTER.as_bytes()).unwrap();
        Roster::new(StudentTable::read(&table).unwrap().students).unwrap()
    }

    fn computed(more: &str, records: &[Record]) -> Result<Standings, String> {
        computed_of(&format!("{COURSE}\n{more}"), records)
    }

    fn computed_of(course: &str, records: &[Record]) -> Result<Standings, String> {
        computed_from(course, &records.iter().map(HandIn::from).collect::<Vec<_>>())
    }

    fn computed_from(course: &str, hand_ins: &[HandIn]) -> Result<Standings, String> {
        computed_with(course, &[], hand_ins)
    }

    /// `files` are the files with times, with the ids of their assignments.
    fn computed_with(
        course: &str,
        files: &[[&str; 2]],
        hand_ins: &[HandIn],
    ) -> Result<Standings, String> {
        let course = Course::parse(course).unwrap();
        let roster = roster();
        let read = |text: &str| Table::parse(text.as_bytes()).unwrap();
        let times = |text| Times::read(&read(text), &roster, &WallClock::UTC).unwrap();
        let times = files.iter().map(|[id, text]| ((*id).to_owned(), times(text))).collect();
        let inputs = CourseInputs { course: &course, roster: &roster, times: &times, hand_ins };
        inputs.compute().map_err(|error| error.to_string())
    }

    /// The rows of an assignment: submission, points, late days before and in it.
    fn rows(standings: &Standings, id: &str) -> Vec<String> {
        let found = standings.assignments.iter().find(|it| it.id == id).unwrap();
        let told = |row: &StudentRow| match row.outcome.verdict() {
            Some(verdict) => {
                let name = row.submission.as_ref().unwrap();
                let (before, used) = (row.late_days_before, verdict.late_days);
                format!("{name} {} {before}+{used}", verdict.points)
            }
            None => format!("{:?} {}", row.outcome, row.late_days_before),
        };
        let each = found.rows.iter().map(told);
        each.collect()
    }

    #[test]
    fn late_days_are_used_in_the_order_of_due_dates() {
        let records = [
            // Two days late, and graded first.
            record("amara", "second", "2026-11-21T20:00:00+01:00", 3_000),
            // The first is a day and a half late; its time has no offset and is on the clock of the due date.
            record("Amara Okafor", "first", "2026-11-12T00:00:00", 3_000),
            record("bao", "second", "2026-11-20T12:00:00+01:00", 2_000),
            record("zoe", "first", "", 1_000),
            record("chiara", "free", "2027-01-01T00:00:00Z", 1_234),
        ];
        let standings = computed("", &records).unwrap();
        let order: Vec<&str> = standings.assignments.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(order, ["first", "second", "free"]);
        assert_eq!(rows(&standings, "first"), ["Amara Okafor 30.00 0+2", "Missing 0", "Missing 0"]);
        // One late day is left; the other day costs 10 %.
        assert_eq!(rows(&standings, "second"), ["amara 27.00 2+1", "bao 20.00 0+0", "Missing 0"]);
        assert_eq!(rows(&standings, "free")[2], "chiara 12.34 0+0");
        assert_eq!(standings.unknown.len(), 1);
        assert!(standings.assignments[0].rows.iter().all(|row| row.max_points.is_some()));
        let mut backwards = records;
        backwards.reverse();
        assert_eq!(computed("", &backwards).unwrap().assignments, standings.assignments);
    }

    /// Archives that were made on macOS have letters and accents apart.
    #[test]
    fn names_in_the_file_are_compared_with_composed_letters() {
        let (composed, apart) = ("zo\u{eb}", "zoe\u{308}");
        let records = [
            record(apart, "first", "2026-11-10T10:00:00+01:00", 2_000),
            record("amara", "first", "2026-11-10T11:00:00+01:00", 1_000),
        ];
        let names = |key: &str| format!("[submissions]\n'{key}' = 'amara'\nlost = 'bao'");
        for key in [composed, apart] {
            let standings = computed(&names(key), &records).unwrap();
            assert_eq!(standings.unknown, []);
            assert_eq!(standings.unused, ["lost"]);
            assert_eq!(rows(&standings, "first")[0], "amara 10.00 0+0");
        }
        // What is written exactly decides.
        let both = format!("{}\n'{apart}' = 'chiara'", names(composed));
        assert_eq!(
            rows(&computed(&both, &records).unwrap(), "first")[2],
            format!("{apart} 20.00 0+0")
        );
        let table = format!("[assignments.first]\nmarked = {{ amara = '{composed}' }}");
        let text = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'marked'");
        let text = text.replace("[assignments.first]", &table);
        let marked = computed_of(&format!("{text}\n{}", names(composed)), &records).unwrap();
        assert_eq!(rows(&marked, "first")[0], format!("{apart} 20.00 0+0"));
    }

    #[test]
    fn a_groups_mark_reaches_all_members_and_each_pays_with_own_late_days() {
        let records = [
            record("bao", "first", "2026-11-11T11:00:00+01:00", 2_500),
            record("amara", "second", "2026-11-23T11:00:00+01:00", 2_000),
        ];
        let more = "groups = true";
        let free = computed(more, &[record("bao", "free", "", 2_500)]).unwrap();
        assert_eq!(rows(&free, "free"), ["bao 25.00 0+0", "bao 25.00 0+0", "Missing 0"]);
        // By the group's name, everywhere.
        let red = computed("", &[record("RED", "first", "", 2_500)]).unwrap();
        assert_eq!(rows(&red, "first"), ["RED 25.00 0+0", "RED 25.00 0+0", "Missing 0"]);
        let alone = computed("", &records).unwrap();
        assert_eq!(rows(&alone, "first"), ["Missing 0", "bao 25.00 0+1", "Missing 0"]);
    }

    #[test]
    fn an_extension_is_of_a_student_or_a_group() {
        let late = "2026-11-11T20:00:00+01:00";
        let records = ["amara", "bao", "chiara"].map(|name| record(name, "first", late, 3_000));
        let extension =
            |who: &str| format!("[[extensions]]\nassignment = 'first'\n{who}\ndays = 2");
        let of_one = computed(&extension("student = 'chiara'"), &records).unwrap();
        let expected = ["amara 30.00 0+2", "bao 30.00 0+2", "chiara 30.00 0+0"];
        assert_eq!(rows(&of_one, "first"), expected);
        let of_group = computed(&extension("group = 'Red'"), &records).unwrap();
        let expected = ["amara 30.00 0+0", "bao 30.00 0+0", "chiara 30.00 0+2"];
        assert_eq!(rows(&of_group, "first"), expected);
        let unknown = computed(&extension("student = 'zoe'"), &records).unwrap_err();
        assert_eq!(unknown, "[[extensions]] names `zoe`, and the roster has no such student");
    }

    #[test]
    fn the_latest_the_best_or_the_marked_submission_counts() {
        let records = [
            record("amara", "first", "2026-11-10T10:00:00+01:00", 2_000),
            record("Amara Okafor", "first", "2026-11-11T10:00:00+01:00", 1_900),
            // After the hard stop.
            record("amara@", "first", "2026-11-19T10:00:00+01:00", 3_000),
        ];
        let more = |counts: &str| {
            let course = format!("[submissions]\n'amara@' = 'amara'\n[assignments.x]\n{counts}");
            computed(&course, &records).unwrap()
        };
        assert_eq!(rows(&more(""), "first")[0], "Amara Okafor 19.00 0+1");
        let first = |course: &str| {
            let course = format!("{course}\n[submissions]\n'amara@' = 'amara'");
            rows(&computed_of(&course, &records).unwrap(), "first")[0].clone()
        };
        let of =
            |counts: &str| first(&COURSE.replace("title = 'T'", &format!("title = 'T'\n{counts}")));
        assert_eq!(of("counts = 'best'"), "amara 20.00 0+0");
        assert_eq!(of("counts = 'marked'"), "Amara Okafor 19.00 0+1");
        let marked = |name: &str| {
            let table = format!("[assignments.first]\nmarked = {{ amara = '{name}' }}");
            let text = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'marked'");
            first(&text.replace("[assignments.first]", &table))
        };
        assert_eq!(marked("amara"), "amara 20.00 0+0");
        assert_eq!(marked("amara@0123"), "amara@ 0.00 0+0");
        assert_eq!(marked("bao"), "NoSuchMarked 0");
        let no_time = [record("amara", "first", "", 1), record("Amara Okafor", "first", "", 2)];
        assert_eq!(rows(&computed("", &no_time).unwrap(), "first")[0], "Undecided(2) 0");
    }

    #[test]
    fn of_versions_under_one_name_the_one_that_was_graded_last_counts() {
        let version = |digit: &str, points| {
            let sha256 = digit.repeat(64).into();
            Record { sha256, ..record("amara", "first", "", points) }
        };
        // In the order in which they are read: by their digests.
        let versions = [HandIn::earlier(&version("1", 500), 1), HandIn::from(&version("9", 1_400))];
        let first =
            |course: &str| rows(&computed_from(course, &versions).unwrap(), "first")[0].clone();
        assert_eq!(first(COURSE), "amara 14.00 0+0");
        let marked = |name: &str| {
            let table = format!("[assignments.first]\nmarked = {{ amara = '{name}' }}");
            let text = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'marked'");
            first(&text.replace("[assignments.first]", &table))
        };
        assert_eq!(marked("amara"), "amara 14.00 0+0");
        assert_eq!(marked("11111111"), "amara 5.00 0+0");
        let text = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'marked'");
        let table = "[assignments.first]\nmarked = { amarra = 'amara' }";
        let refused = computed_from(&text.replace("[assignments.first]", table), &versions);
        let said = "marked names `amarra`, and the roster has no such student";
        assert_eq!(refused.unwrap_err(), said);
    }

    /// An earlier version that the grader failed to grade may be the one that counts: no mark follows from the others until it is graded.
    #[test]
    fn a_failure_of_the_grader_takes_no_earlier_version_away() {
        let (in_time, stopped) = ("2026-11-10T10:00:00+01:00", "2026-12-10T10:00:00+01:00");
        let version = |sha256: &str, submitted, points| Record {
            sha256: sha256.into(),
            ..record("amara", "first", submitted, points)
        };
        let failed =
            |submitted| Record { outcome: RecordOutcome::NoGrade, ..version("", submitted, 0) };
        let best = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'best'");
        let row = |course: &str, earlier: &[Record]| {
            let mut all = HandIns::default();
            for (number, record) in earlier.iter().enumerate() {
                all.add(HandIn::earlier(record, number));
            }
            all.add(HandIn::from(&version("2", stopped, 2_800)));
            rows(&computed_from(course, &all.into_vec()).unwrap(), "first")[0].clone()
        };
        let graded = version("1", in_time, 2_500);
        for course in [COURSE, &best] {
            assert_eq!(row(course, &[failed(in_time)]), "NoGrade 0");
            for graded_later in
                [[failed(in_time), graded.clone()], [graded.clone(), failed(in_time)]]
            {
                assert_eq!(row(course, &graded_later), "amara 25.00 0+0");
            }
            // Without a time it may be any version.
            assert_eq!(row(course, &[failed(""), graded.clone()]), "amara 25.00 0+0");
        }
        // The same files at two times are two versions.
        assert_eq!(row(COURSE, &[version("2", in_time, 2_800)]), "amara 28.00 0+0");
        assert_eq!(row(COURSE, &[version("2", "", 2_800)]), "amara 0.00 0+0", "it is the same one");
    }

    /// Two versions of what amara handed in, whichever has the smaller digest.
    fn versions(first: (&str, u32), second: (&str, u32)) -> [[HandIn; 2]; 2] {
        let version = |digit: &str, (submitted, points)| Record {
            sha256: digit.repeat(64).into(),
            ..record("amara", "first", submitted, points)
        };
        [["1", "9"], ["9", "1"]].map(|[one, other]| {
            let (one, other) = (version(one, first), version(other, second));
            [HandIn::earlier(&one, 1), HandIn::from(&other)]
        })
    }

    /// The file of an assignment has one time for a student: that of what was handed in last.
    #[test]
    fn a_time_of_a_file_is_that_of_the_current_version() {
        let of = |course: &str, time: &str, versions: &[HandIn]| {
            let file = format!("id,submitted\namara,{time}\n");
            let standings = computed_with(course, &[["first", &file]], versions).unwrap();
            rows(&standings, "first")[0].clone()
        };
        let best = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'best'");
        for mut pair in versions(("", 2_500), ("", 2_800)) {
            for _ in 0..2 {
                let [in_time, late] = ["2026-11-10T10:00:00+01:00", "2026-11-12T10:00:00+01:00"];
                assert_eq!(of(COURSE, in_time, &pair), "amara 28.00 0+0");
                assert_eq!(of(COURSE, late, &pair), "amara 28.00 0+2");
                // Nobody knows whether the earlier one was handed in before the hard stop.
                assert_eq!(of(COURSE, "2026-12-10T10:00:00+01:00", &pair), "Undecided(2) 0");
                assert_eq!(of(&best, "2026-12-10T10:00:00+01:00", &pair), "amara 25.00 0+0");
                pair.reverse();
            }
        }
        for pair in versions(("2026-11-10T10:00:00+01:00", 2_500), ("", 2_800)) {
            let stopped = of(COURSE, "2026-12-10T10:00:00+01:00", &pair);
            assert_eq!(stopped, "amara 25.00 0+0", "the latest before the hard stop");
        }
        // Of versions with the same time, the one that was graded later.
        for pair in
            versions(("2026-11-10T10:00:00+01:00", 2_500), ("2026-11-10T10:00:00+01:00", 1_800))
        {
            let standings = computed_from(COURSE, &pair).unwrap();
            assert_eq!(rows(&standings, "first")[0], "amara 18.00 0+0");
        }
    }

    #[test]
    fn members_of_a_group_have_the_time_of_what_they_handed_in() {
        let course = COURSE
            .replace("[assignments.first]", "[assignments.first]\ngroups = true")
            .replace("late_days = 3", "");
        let first = |file: &str, names: &[&str]| {
            let hand_ins = names.iter().map(|name| HandIn::from(&record(name, "first", "", 3_000)));
            let hand_ins: Vec<HandIn> = hand_ins.collect();
            rows(&computed_with(&course, &[["first", file]], &hand_ins).unwrap(), "first")
        };
        let late = "2026-11-11T20:00:00+01:00";
        let file = format!("id,submitted\namara,{late}\nbao,-\n");
        let both = ["24.00 0+0"; 2].map(|it| format!("amara {it}"));
        assert_eq!(first(&file, &["amara"])[..2], both[..2]);
        let file = format!("id,submitted\namara,-\nbao,{late}\n");
        assert_eq!(first(&file, &["amara"])[..1], ["amara 24.00 0+0"], "a member's");
    }

    #[test]
    fn a_marked_submission_counts_for_the_whole_group() {
        let records = [
            record("amara", "first", "2026-11-10T10:00:00+01:00", 1_000),
            record("bao", "first", "2026-11-09T10:00:00+01:00", 2_000),
        ];
        let course = |marked: &str, groups: bool| {
            let table = format!(
                "[assignments.first]\ncounts = 'marked'\ngroups = {groups}\nmarked = {{ {marked} }}"
            );
            COURSE.replace("[assignments.first]", &table)
        };
        let of = |marked, groups| computed_of(&course(marked, groups), &records);
        assert_eq!(
            rows(&of("amara = 'bao'", true).unwrap(), "first")[..2],
            ["bao 20.00 0+0", "bao 20.00 0+0"]
        );
        assert!(of("amara = 'bao', bao = 'bao'", true).is_ok());
        for (marked, groups) in
            [("amara = 'bao', bao = 'amara'", true), ("amara = 'bao', AMARA = 'amara'", false)]
        {
            let refused = of(marked, groups).unwrap_err();
            assert!(refused.starts_with("marked names two submissions for `"), "{refused}");
        }
        let alone = of("amara = 'amara', bao = 'bao'", false).unwrap();
        assert_eq!(rows(&alone, "first")[..2], ["amara 10.00 0+0", "bao 20.00 0+0"]);
    }

    #[test]
    fn the_best_is_not_known_while_a_newer_one_may_be_better() {
        let course = COURSE.replace("title = 'T'", "title = 'T'\ncounts = 'best'");
        let answer = |max_points| crate::model::WrittenRecord {
            id: "why".into(),
            title: Untrusted::EMPTY,
            points: None,
            max_points: Points::from_hundredths(max_points),
            comment: Untrusted::EMPTY,
            rubric: Vec::new(),
            text: Untrusted::EMPTY,
        };
        let (early, late) = ("2026-11-10T10:00:00+01:00", "2026-11-12T10:00:00+01:00");
        let first = |points, current: &Record| {
            let sha256 = "7".repeat(64).into();
            let earlier = Record { sha256, ..record("amara", "first", early, points) };
            let hand_ins = [HandIn::earlier(&earlier, 1), HandIn::from(current)];
            let standings = computed_from(&course, &hand_ins).unwrap();
            [rows(&standings, "first")[0].clone(), rows(&standings, "second")[0].clone()]
        };
        let mut unmarked = record("amara", "first", late, 2_900);
        unmarked.written.push(answer(400));
        assert_eq!(first(1_000, &unmarked), ["Unmarked(1) 0", "Missing 2"], "late days are kept");
        let stopped = Record { submitted: Some("2026-11-19T10:00:00+01:00".into()), ..unmarked };
        assert_eq!(first(1_000, &stopped)[0], "amara 10.00 0+0", "no mark can be better");
        let failed =
            Record { outcome: RecordOutcome::NoGrade, ..record("amara", "first", late, 0) };
        assert_eq!(first(2_999, &failed)[0], "NoGrade 0");
        assert_eq!(first(3_000, &failed)[0], "amara 30.00 0+0");
    }

    /// Namesakes of one group share what they hand in only where the group hands in together.
    #[test]
    fn what_one_of_several_handed_in_is_of_all_only_in_a_group() {
        let table = "id,name,email,group\ns1,Bao Tran,,red\ns2,Bao Tran,,red\ns3,Amara,,red\n";
        let table = Table::parse(table.as_bytes()).unwrap();
        let roster = Roster::new(StudentTable::read(&table).unwrap().students).unwrap();
        let hand_ins = [HandIn::from(&record("Bao Tran_5", "x", "", 3_000))];
        let times = BTreeMap::new();
        let of = |groups: bool| {
            let course = format!("title = 'T'\n[assignments.x]\ngroups = {groups}");
            let course = Course::parse(&course).unwrap();
            let (roster, hand_ins) = (&roster, &hand_ins);
            CourseInputs { course: &course, roster, times: &times, hand_ins }.compute()
        };
        assert_eq!(rows(&of(true).unwrap(), "x"), ["Bao Tran_5 30.00 0+0"; 3]);
        let refused = of(false).unwrap_err().to_string();
        assert_eq!(refused, "`Bao Tran_5` may be `s1` (Bao Tran) or `s2` (Bao Tran)");
    }

    #[test]
    fn an_ambiguity_of_a_student_and_a_group_is_an_error() {
        let course = Course::parse("title = 'T'\n[assignments.x]").unwrap();
        let table = Table::parse(b"id,name,email,group\n1,Amara,,2\n2,Bao,,1\n").unwrap();
        let roster = Roster::new(StudentTable::read(&table).unwrap().students).unwrap();
        let (hand_ins, times) = ([HandIn::from(&record("1", "x", "", 1))], BTreeMap::new());
        let inputs =
            CourseInputs { course: &course, roster: &roster, times: &times, hand_ins: &hand_ins };
        assert!(inputs.compute().unwrap_err().to_string().starts_with("`1` may be "));
    }

    #[test]
    fn what_is_not_final_has_no_points_and_keeps_its_late_days() {
        let late = "2026-11-11T10:00:00+01:00";
        let failed = Record { outcome: RecordOutcome::NoGrade, ..record("bao", "first", late, 0) };
        let called_late =
            Record { notes: vec![LATE_NOTE.into()], ..record("chiara", "first", "", 3_000) };
        let mut unmarked = record("amara", "first", late, 3_000);
        unmarked.written.push(crate::model::WrittenRecord {
            id: "why".into(),
            title: Untrusted::EMPTY,
            points: None,
            max_points: Points::from_hundredths(400),
            comment: Untrusted::EMPTY,
            rubric: Vec::new(),
            text: Untrusted::EMPTY,
        });
        let standings = computed("", &[failed, called_late, unmarked.clone()]).unwrap();
        let kept: Vec<String> = rows(&standings, "second").into_iter().take(2).collect();
        assert_eq!(kept, ["Missing 1", "Missing 1"], "a regrade of the first may need a late day");
        assert_eq!(rows(&standings, "first"), ["Unmarked(1) 0", "NoGrade 0", "LateByUnknown 0"]);
        assert_eq!(rows(&standings, "second")[0], "Missing 1", "a late day is kept");
        unmarked.written[0].points = Some(Points::from_hundredths(350));
        let marked = computed("", &[unmarked]).unwrap();
        assert_eq!(rows(&marked, "first")[0], "amara 33.50 0+1");
        assert_eq!(marked.assignments[0].rows[0].max_points, Some(Points::from_hundredths(3_400)));
    }

    #[test]
    fn an_ambiguous_name_is_an_error_that_names_both() {
        let course = Course::parse(COURSE).unwrap();
        let table = Table::parse(b"id,name\n1,Bao Tran\n2,Bao Tran\n").unwrap();
        let roster = Roster::new(StudentTable::read(&table).unwrap().students).unwrap();
        let hand_ins = [HandIn::from(&record("tranbao_70312", "first", "", 1))];
        let times = BTreeMap::new();
        let inputs =
            CourseInputs { course: &course, roster: &roster, times: &times, hand_ins: &hand_ins };
        assert_eq!(
            inputs.compute().unwrap_err().to_string(),
            "`tranbao_70312` may be `1` (Bao Tran) or `2` (Bao Tran)"
        );
    }
}
