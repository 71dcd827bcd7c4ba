//! History of a submission: gradings, overrides, marks of written answers and appeals in the order in which they happened.

use softmark_untrusted::Untrusted;

use super::bases::Bases;
use super::change::{Change, Side};
use super::graded::Graded;
use crate::marks::MarkEvent;
use crate::model::{Delta, Points};
use crate::overrides::Overrides;
use crate::store::{Appeal, Override, Placed, Step};

/// Event in the history of a submission.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The submission was graded.
    Grading {
        /// Grading.
        graded: Box<Graded>,
        /// Change since the grading before of the same assignment; `None` if it is the first.
        change: Option<Change>,
    },
    /// A person decided the points of a check, or withdrew such a decision.
    Override(Override),
    /// A person marked a written answer, or took a mark back.
    Marking(MarkEvent),
    /// A step of an appeal.
    Appeal(Appeal),
}

/// Event, with the points that the submission then had.
#[derive(Debug, Clone, PartialEq)]
pub struct Logged {
    /// Time of the event, in RFC 3339; for a grading the time at which its run began. It may be empty for a mark that was
    /// typed into a spreadsheet.
    pub at: Untrusted,
    /// Event.
    pub event: Event,
    /// Points before the event; `None` if there was no grade.
    pub before: Option<Points>,
    /// Points after the event; `None` if there was no grade.
    pub after: Option<Points>,
}

impl Logged {
    /// Returns the difference that the event made; `None` where there was no grade before or after it.
    pub fn delta(&self) -> Option<Delta> {
        Some(Delta::between(self.before?, self.after?))
    }
}

/// History of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Submission id.
    pub submission: Untrusted,
    /// Events, the earliest first.
    pub events: Vec<Logged>,
}

/// Entries of the ledger and of the file of marks about one submission.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Gradings, the oldest first.
    pub gradings: Vec<Graded>,
    /// Times at which the runs of the gradings began.
    pub started_at: Vec<Untrusted>,
    /// Overrides and withdrawals in their order.
    pub overrides: Vec<Placed<Override>>,
    /// Steps of appeals in their order.
    pub appeals: Vec<Placed<Appeal>>,
    /// Marks of written answers in their order.
    pub markings: Vec<MarkEvent>,
}

/// Place of an event among all events of a submission. The fields are compared one after another, in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    /// Newest record at that time.
    after_record: i64,
    /// True if it is a decision of a person: the record that it follows comes first.
    is_decision: bool,
    /// Time, in RFC 3339 and whole seconds.
    at: Untrusted,
    /// Turn among the decisions of the same second.
    turn: Turn,
    /// Kind, by which decisions of the same turn are ordered.
    kind: DecisionKind,
    /// Number among the events of its kind.
    number: usize,
}

/// Turn of a decision among those of the same second: the tables of the ledger do not tell which was first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// A student asks.
    #[default]
    Question,
    /// A person decides.
    Decision,
    /// A person answers.
    Answer,
}

impl Turn {
    fn of(step: Step) -> Self {
        match step {
            Step::Open => Self::Question,
            Step::Answer | Step::Close => Self::Answer,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DecisionKind {
    Override,
    Marking,
    Appeal,
}

/// Decisions of one kind in the order of the ledger, which their places must keep.
#[derive(Debug)]
struct Sequence {
    kind: DecisionKind,
    after_record: i64,
    /// Latest time so far. The clock of another machine may be behind: the order is that of the ledger.
    latest: Untrusted,
    /// Latest turn in that second.
    turn: Turn,
    /// Number of decisions so far.
    number: usize,
}

impl Sequence {
    fn new(kind: DecisionKind) -> Self {
        let (latest, turn) = (Untrusted::EMPTY, Turn::default());
        Self { kind, after_record: 0, latest, turn, number: 0 }
    }

    /// Returns the place of the next decision.
    fn next(&mut self, after_record: i64, time: &Untrusted, turn: Turn) -> Order {
        let is_later = after_record > self.after_record || *time > self.latest;
        self.turn = if is_later { turn } else { self.turn.max(turn) };
        self.after_record = after_record;
        self.latest = self.latest.clone().max(time.clone());
        self.at(after_record, self.latest.clone(), self.turn)
    }

    /// Returns the place of a decision that the ledger does not have.
    fn outside(&mut self, after_record: i64, time: &Untrusted) -> Order {
        self.at(after_record, time.clone(), Turn::Decision)
    }

    fn at(&mut self, after_record: i64, at: Untrusted, turn: Turn) -> Order {
        self.number += 1;
        let (kind, number) = (self.kind, self.number);
        Order { after_record, is_decision: true, at, turn, kind, number }
    }
}

/// Event with its place and its time.
struct PlacedEvent {
    order: Order,
    at: Untrusted,
    event: Event,
}

impl History {
    /// Creates the history of a submission from what is known about it.
    ///
    /// The order of gradings, decisions and marks is that of the ledger. Of decisions of different kinds in the same second, an
    /// appeal is opened first; overrides come next, then marks, and then answers to appeals. A mark that was typed in
    /// `marks.csv` stands where its time belongs.
    pub fn new(submission: Untrusted, sources: Sources, bases: &Bases) -> Self {
        let Sources { gradings, started_at, overrides, appeals, markings } = sources;
        let mut events = Vec::new();
        let mut sequence = Sequence::new(DecisionKind::Override);
        for Placed { after_record, decision } in overrides {
            let at = decision.given_at.clone();
            let order = sequence.next(after_record, &at, Turn::Decision);
            events.push(PlacedEvent { order, at, event: Event::Override(decision) });
        }
        let mut sequence = Sequence::new(DecisionKind::Appeal);
        for Placed { after_record, decision } in appeals {
            let at = decision.given_at.clone();
            let order = sequence.next(after_record, &at, Turn::of(decision.step));
            events.push(PlacedEvent { order, at, event: Event::Appeal(decision) });
        }
        let mut sequence = Sequence::new(DecisionKind::Marking);
        for marking in markings {
            let at = marking.given_at.clone();
            let order = if let Some(after_record) = marking.after_record {
                sequence.next(after_record, &at, Turn::Decision)
            } else {
                let earlier =
                    started_at.iter().zip(&gradings).filter(|(started, _)| **started <= at);
                let newest = earlier.map(|(_, graded)| graded.grading.id).max().unwrap_or(0);
                sequence.outside(newest, &at)
            };
            events.push(PlacedEvent { order, at, event: Event::Marking(marking) });
        }
        for (number, (graded, at)) in gradings.into_iter().zip(started_at).enumerate() {
            let order = Order {
                after_record: graded.grading.id,
                is_decision: false,
                at: at.clone(),
                turn: Turn::default(),
                kind: DecisionKind::Override,
                number,
            };
            let event = Event::Grading { graded: Box::new(graded), change: None };
            events.push(PlacedEvent { order, at, event });
        }
        events.sort_by(|one, other| one.order.cmp(&other.order));
        let mut state = State::default();
        let logged = events.into_iter().map(|it| state.log(it.at, it.event, bases));
        Self { submission, events: logged.collect() }
    }
}

/// Gradings and overrides up to an event.
#[derive(Debug, Default)]
struct State {
    /// Newest grading of each assignment.
    newest: Vec<Graded>,
    overrides: Vec<Override>,
}

impl State {
    /// Adds an event, and returns it with the points before and after it.
    fn log(&mut self, at: Untrusted, event: Event, bases: &Bases) -> Logged {
        match event {
            Event::Grading { graded, .. } => self.log_grading(at, graded, bases),
            Event::Override(given) => {
                let before = self.points(&given.assignment);
                self.overrides.push(given.clone());
                let after = self.points(&given.assignment);
                Logged { at, event: Event::Override(given), before, after }
            }
            Event::Appeal(step) => {
                let points = self.points(&step.assignment);
                Logged { at, event: Event::Appeal(step), before: points, after: points }
            }
            Event::Marking(mark) => {
                Logged { at, event: Event::Marking(mark), before: None, after: None }
            }
        }
    }

    fn log_grading(&mut self, at: Untrusted, graded: Box<Graded>, bases: &Bases) -> Logged {
        let assignment = &graded.grading.assignment;
        let before = self.points(assignment);
        let overrides = Overrides::new(self.overrides.clone());
        let earlier = self.newest.iter().position(|it| is_same(&it.grading.assignment, assignment));
        let earlier = earlier.map(|at| self.newest.remove(at));
        let after = Side { graded: &graded, overrides: &overrides };
        let change = earlier.as_ref().map(|earlier| {
            // An override that was given in between is an event of its own.
            let earlier = Side { graded: earlier, overrides: &overrides };
            Change::between(earlier, after, bases)
        });
        let points = after.points();
        self.newest.push((*graded).clone());
        Logged { at, event: Event::Grading { graded, change }, before, after: points }
    }

    /// Returns the points of the newest grading of an assignment with the overrides so far.
    fn points(&self, assignment: &Untrusted) -> Option<Points> {
        let graded = self.newest.iter().find(|it| is_same(&it.grading.assignment, assignment))?;
        let overrides = Overrides::new(self.overrides.clone());
        Side { graded, overrides: &overrides }.points()
    }
}

/// True if two gradings of a submission may be of the same assignment: what was rejected before its assignment was known has none.
fn is_same(one: &Untrusted, other: &Untrusted) -> bool {
    one == other || one.is_empty() || other.is_empty()
}
