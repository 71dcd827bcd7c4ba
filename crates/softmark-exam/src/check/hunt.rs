//! Mutation testing of a submission's detectors, on a catalogue of layers.

use softmark_checks::check::{Judged, Stop, defective, wrong};
use softmark_checks::matrix::{Cell, KillMatrix, Kind, Row};
use softmark_checks::subject::{DetectorVerdict, Named};
use softmark_checks::{Case, Subject};
use softmark_common::debugging::{Allowance, MAX_DETECTORS};
use softmark_common::rng::Stream;
use softmark_untrusted::Untrusted;
use softmark_wire::{Attempt, Failure, FailureKind, Fault, Tensor};

/// Most characters of a detector's name or reason that are repeated in messages.
const MOST_SAID: usize = 120;

/// Function from parameters and inputs of an experiment to output and weights, or to an error for
/// the detector.
pub type Respond<'a> = Box<dyn Fn(&Named, &Named) -> Result<Vec<(String, Tensor)>, String> + 'a>;

/// Layer of the catalogue, which may have a bug.
pub struct Suspect<'a> {
    /// Kind of the layer: mutant, right layer or decoy.
    pub kind: Kind,
    /// Symptom that a person would notice; it does not name the bug.
    pub symptom: &'static str,
    /// Variant of the layer, such as `post-norm`.
    pub variant: &'static str,
    /// Sizes of the layer.
    pub config: Case,
    /// Function that runs an experiment on the layer.
    pub respond: Respond<'a>,
}

impl std::fmt::Debug for Suspect<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suspect").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Verdicts of a detector on a layer in the first and in the second round.
type Twice = [Option<Attempt<DetectorVerdict>>; 2];

/// Detector with its verdicts so far.
struct Hunter {
    name: Untrusted,
    said: Vec<Twice>,
    /// Fault that ended the detector's process; the detector is not run again.
    ended: Option<String>,
    /// First objection to a right layer; the detector is not run again.
    objection: Option<String>,
    /// True if the detector reported any mutant as a bug.
    caught: bool,
}

/// Checks that every mutant among `suspects` is caught by a detector that reports no right layer as
/// a bug.
///
/// Every detector is run on every layer twice, in different orders, so that a detector that counts,
/// remembers or guesses does not give the same verdicts both times. A detector that objected to a
/// right layer does not count and is not run again; neither is one that caught nothing in the first
/// round. The matrix is kept for the report.
///
/// # Errors
///
/// Fails with the verdict if a mutant survives.
pub fn catches(
    subject: &mut Subject<'_>,
    case: &Case,
    suspects: &[Suspect<'_>],
    seed: u64,
) -> Judged {
    let names = subject.detectors(case)?;
    if names.is_empty() {
        let message = "`all` hands over no detector. Look at what it returns.";
        return Err(wrong(case, message.to_owned()));
    }
    let mut hunters: Vec<Hunter> =
        names.iter().take(MAX_DETECTORS).map(|name| Hunter::new(name, suspects.len())).collect();
    for round in 0..2 {
        for at in order(suspects.len(), seed, round) {
            let Some(suspect) = suspects.get(at) else { continue };
            for (number, hunter) in hunters.iter_mut().enumerate() {
                if hunter.is_run(round) {
                    let said = let_loose(subject, case, number, suspect)?;
                    hunter.hear(at, round, suspect, said);
                }
            }
        }
    }
    let matrix = matrix(suspects, &hunters);
    let judged = judge((case, names.len()), suspects, &matrix, &hunters);
    subject.keep(matrix);
    judged
}

/// Returns the first line of what a detector says, cut to [`MOST_SAID`].
fn short(text: &str) -> Untrusted {
    let line = text.lines().next().unwrap_or_default().trim();
    let mut short: String = line.chars().take(MOST_SAID).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short.into()
}

/// Describes a fault as a predicate of a detector: `returned an error: no`.
fn fault_of(fault: &Fault) -> String {
    let is_unwritten =
        matches!(fault, Fault::Code(Failure { kind: FailureKind::NotImplemented, .. }));
    format!("{}{}", if is_unwritten { "is " } else { "" }, short(&fault.to_string()))
}

/// Returns the numbers below `n` in a random order for this round.
fn order(n: usize, seed: u64, round: u64) -> Vec<usize> {
    let mut stream = Stream::derive(seed, "order of suspects", round);
    let mut left: Vec<usize> = (0..n).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let at = usize::try_from(stream.below(left.len() as u64)).unwrap_or(0);
        order.push(left.swap_remove(at));
    }
    order
}

fn let_loose(
    subject: &mut Subject<'_>,
    case: &Case,
    detector: usize,
    suspect: &Suspect<'_>,
) -> Result<Attempt<DetectorVerdict>, Stop> {
    let number = u32::try_from(detector).unwrap_or(u32::MAX);
    let mut allowance = Allowance::default();
    // The worker counts as well, but the grader does not trust it.
    let mut respond = |parameters: &Named, inputs: &Named| {
        let x = inputs.iter().find(|(name, _)| name == "x");
        allowance.count(x.map_or(&[][..], |(_, x)| x.shape()))?;
        (suspect.respond)(parameters, inputs)
    };
    subject.detect(case, (number, &suspect.config), &mut respond)
}

impl Hunter {
    fn new(name: &str, suspects: usize) -> Self {
        let said = vec![[None, None]; suspects];
        Self { name: short(name), said, ended: None, objection: None, caught: false }
    }

    /// True if the detector must run in this round because its verdict can still matter.
    fn is_run(&self, round: u64) -> bool {
        self.ended.is_none() && self.objection.is_none() && (round == 0 || self.caught)
    }

    fn hear(
        &mut self,
        at: usize,
        round: u64,
        suspect: &Suspect<'_>,
        said: Attempt<DetectorVerdict>,
    ) {
        if let Attempt::Fault(fault) = &said
            && !matches!(fault, Fault::Code(_))
        {
            self.ended = Some(short(&fault.to_string()).to_string());
        }
        self.caught |=
            suspect.kind == Kind::Mutant && matches!(&said, Attempt::Success(it) if it.bug);
        if suspect.kind != Kind::Mutant && self.objection.is_none() {
            self.objection = match &said {
                Attempt::Success(DetectorVerdict { bug: false, .. }) => None,
                Attempt::Success(DetectorVerdict { bug: true, reason }) => {
                    Some(format!("called it a bug: \"{}\"", short(reason)))
                }
                Attempt::Fault(fault) => Some(fault_of(fault)),
            };
        }
        if let Some(place) = self.said.get_mut(at).and_then(|it| it.get_mut(usize::from(round > 0)))
        {
            *place = Some(said);
        }
    }

    /// Returns its objection to a right layer, or else that its two verdicts differed, unless a
    /// fault ended it.
    fn objected(&self) -> Option<String> {
        let wavered = || "did not say the same of it both times".to_owned();
        let objection = self.objection.clone();
        objection.or_else(|| self.ended.is_none().then(wavered))
    }

    /// Returns the fault that ended its process, if it never objected to a right layer.
    fn gave_up(&self) -> Option<String> {
        self.ended.clone().filter(|_| self.objection.is_none())
    }

    fn cell(&self, at: usize) -> Cell {
        let bug = |said: &Option<Attempt<DetectorVerdict>>| match said {
            Some(Attempt::Success(said)) => Some(said.bug),
            Some(Attempt::Fault(_)) | None => None,
        };
        match self.said.get(at) {
            Some([None, _]) | None => Cell::NotRun,
            // The detector does not count or has caught nothing, so a single verdict is enough.
            Some([first, None]) if self.objection.is_some() || !self.caught => match bug(first) {
                Some(true) => Cell::Bug,
                Some(false) => Cell::Healthy,
                None => Cell::Failed,
            },
            Some([first, second]) => match (bug(first), bug(second)) {
                (Some(true), Some(true)) => Cell::Bug,
                (Some(false), Some(false)) => Cell::Healthy,
                (Some(_), Some(_)) => Cell::Wavers,
                (None, _) | (_, None) => Cell::Failed,
            },
        }
    }
}

fn matrix(suspects: &[Suspect<'_>], hunters: &[Hunter]) -> KillMatrix {
    let row = |(at, suspect): (usize, &Suspect<'_>)| Row {
        kind: suspect.kind,
        symptom: format!("{} ({})", suspect.symptom, suspect.variant),
        cells: hunters.iter().map(|hunter| hunter.cell(at)).collect(),
    };
    KillMatrix {
        detectors: hunters.iter().map(|hunter| hunter.name.as_raw().to_owned()).collect(),
        rows: suspects.iter().enumerate().map(row).collect(),
    }
}

/// Returns what `why` says of each detector, if it says anything.
fn listed(hunters: &[&Hunter], why: fn(&Hunter) -> Option<String>) -> Option<String> {
    let told = hunters.iter().filter_map(|it| Some(format!("`{}` {}", it.name, why(it)?)));
    Some(told.collect::<Vec<_>>().join("; ")).filter(|told| !told.is_empty())
}

/// Judges the matrix of the detectors that were run, out of so many that were handed over.
fn judge(
    (case, handed_over): (&Case, usize),
    suspects: &[Suspect<'_>],
    matrix: &KillMatrix,
    hunters: &[Hunter],
) -> Judged {
    let mutants = matrix.mutants().count();
    if mutants == 0 {
        return Err(defective(case, "there is no layer with a bug to be caught".to_owned()));
    }
    let rows = suspects.iter().zip(&matrix.rows);
    let is_away = |row: &Row| row.kind == Kind::Mutant && !matrix.is_caught(row);
    let away: Vec<&str> =
        rows.filter(|(_, row)| is_away(row)).map(|(suspect, _)| suspect.symptom).collect();
    if away.is_empty() {
        return Ok(());
    }
    let count = away.len();
    // Post-norm and pre-norm layers share bugs.
    let mut symptoms: Vec<&str> = Vec::new();
    for symptom in away {
        if !symptoms.contains(&symptom) {
            symptoms.push(symptom);
        }
    }
    let void: Vec<&Hunter> = hunters
        .iter()
        .enumerate()
        .filter(|(at, _)| !matrix.counts(*at))
        .map(|(_, it)| it)
        .collect();
    let objected = listed(&void, Hunter::objected);
    let silent = listed(&void, Hunter::gave_up);
    let mut message = format!(
        "Of {mutants} layers with a bug of this kind, {count} got away. What one would notice of {}: {}.",
        if count == 1 { "it" } else { "them" },
        symptoms.join("; ")
    );
    if let Some(them) = objected {
        message += " A detector that calls a right layer a bug or fails at one counts for nothing, and here \
                    is what came of right ones: ";
        message += &them;
        message += ".";
        if them.contains("called it a bug") {
            message += " Right layers differ from one another by rounding.";
        }
    }
    if let Some(them) = silent {
        message += " A detector that ends without an answer counts for nothing either: ";
        message += &them;
        message += ".";
    }
    // The message repeats no text of the code about these layers, because it may reveal their bugs.
    let failed: Vec<String> = hunters
        .iter()
        .enumerate()
        .filter(|(at, hunter)| matrix.counts(*at) && hunter.ended.is_none())
        .filter(|(at, _)| {
            let failed = |row: &Row| row.cells.get(*at) == Some(&Cell::Failed);
            matrix.rows.iter().any(|row| is_away(row) && failed(row))
        })
        .map(|(_, hunter)| format!("`{}`", hunter.name))
        .collect();
    if !failed.is_empty() {
        message += " A panic or an error is no verdict, and that is what some of them got from ";
        message += &failed.join(", ");
        message += ".";
    }
    if handed_over > hunters.len() {
        let (all, run) = (handed_over, hunters.len());
        let more = format!(" `all` hands over {all} detectors, of which the first {run} are run.");
        message.push_str(&more);
    }
    message.push_str(
        " Look at which experiment would show that, and at what is true of its outcome for every right \
         layer, post-norm and pre-norm.",
    );
    Err(wrong(case, message))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use softmark_checks::Outcome;
    use softmark_wire::{Asked, Reply, Request, Session, SessionError};

    use softmark_checks::Signature;

    use super::*;

    static DETECTORS: Signature = Signature::new("detectors", &[], &[], &[]);

    /// Session whose detectors answer with the result of `says` for their number, the layer's
    /// number, and the number of earlier questions about that layer.
    struct Scripted<F> {
        detectors: usize,
        /// End of the name of each detector.
        suffix: &'static str,
        says: F,
        /// Pairs of detector and layer, in the order of the detections.
        asked: RefCell<Vec<(u32, u64)>>,
    }

    impl<F: Fn(u32, u64, usize) -> Result<Reply, Fault>> Session for Scripted<F> {
        fn ask(&mut self, request: &Request) -> Asked<Reply> {
            let answer = match request {
                Request::Construct(_) => Ok(Reply::Constructed),
                Request::Detectors => {
                    let name = |it| format!("d{it}{}", self.suffix);
                    Ok(Reply::Detectors((0..self.detectors).map(name).collect()))
                }
                Request::Detect { detector, config } => {
                    let (_, layer) = config.iter().find(|(name, _)| name == NUMBER).unwrap();
                    let pair = (*detector, *layer);
                    let before = self.asked.borrow().iter().filter(|it| **it == pair).count();
                    self.asked.borrow_mut().push(pair);
                    (self.says)(*detector, *layer, before)
                }
                Request::Hello { .. }
                | Request::Forward { .. }
                | Request::Gradients { .. }
                | Request::Parameters
                | Request::ReadParameters
                | Request::SetParameters { .. }
                | Request::ConstructAndAsk { .. }
                | Request::Train { .. }
                | Request::Observed(_) => panic!("{request:?}"),
            };
            Ok(answer.into())
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }

    /// Size that identifies the layer in the catalogue.
    const NUMBER: &str = "d_model";

    const BANK: [Kind; 4] = [Kind::Mutant, Kind::Right, Kind::Mutant, Kind::Decoy];

    fn is_bug(layer: u64) -> bool {
        BANK[usize::try_from(layer).unwrap()] == Kind::Mutant
    }

    #[expect(clippy::unnecessary_wraps, reason = "an answer among faults")]
    fn verdict(bug: bool) -> Result<Reply, Fault> {
        Ok(Reply::Verdict { bug, reason: "of that".to_owned() })
    }

    /// Runs the detectors on the catalogue; returns the message if any layer survived, the matrix,
    /// and how often each detector was asked about each layer.
    fn hunted(
        detectors: usize,
        says: impl Fn(u32, u64, usize) -> Result<Reply, Fault>,
    ) -> (Option<String>, KillMatrix, Vec<[usize; 4]>) {
        hunted_as(detectors, "", says)
    }

    /// The same, of detectors whose names end in `suffix`.
    fn hunted_as(
        detectors: usize,
        suffix: &'static str,
        says: impl Fn(u32, u64, usize) -> Result<Reply, Fault>,
    ) -> (Option<String>, KillMatrix, Vec<[usize; 4]>) {
        let case = || Case::new(&DETECTORS, "a bank of four".to_owned());
        let suspect = |(number, kind): (usize, &Kind)| {
            let mut config = case();
            config.config.push((NUMBER, number));
            Suspect {
                kind: *kind,
                symptom: "it drifts",
                variant: "post-norm",
                config,
                respond: Box::new(|_, _| Ok(Vec::new())),
            }
        };
        let suspects: Vec<Suspect<'_>> = BANK.iter().enumerate().map(suspect).collect();
        let mut session = Scripted { detectors, suffix, says, asked: RefCell::default() };
        let mut subject = Subject::new(&mut session);
        let judged = catches(&mut subject, &case(), &suspects, 7);
        let matrix = subject.take_matrix().unwrap();
        let asked = session.asked.into_inner();
        let times = |detector: usize| {
            let of = |layer: u64| {
                let pair = (u32::try_from(detector).unwrap(), layer);
                asked.iter().filter(|it| **it == pair).count()
            };
            [0, 1, 2, 3].map(of)
        };
        let message = match judged {
            Ok(()) => None,
            Err(Stop::Outcome(outcome)) => {
                let Outcome::Wrong { message, .. } = *outcome else { panic!("{outcome:?}") };
                Some(message)
            }
            Err(Stop::Error(error)) => panic!("{error:?}"),
        };
        (message, matrix, (0..detectors).map(times).collect())
    }

    fn column(matrix: &KillMatrix, detector: usize) -> Vec<Cell> {
        matrix.rows.iter().map(|row| row.cells[detector]).collect()
    }

    #[test]
    fn a_right_detector_is_asked_twice_about_each_layer() {
        let (message, matrix, asked) = hunted(1, |_, layer, _| verdict(is_bug(layer)));
        assert_eq!(message, None);
        assert_eq!(asked, [[2; 4]]);
        assert_eq!(column(&matrix, 0), [Cell::Bug, Cell::Healthy, Cell::Bug, Cell::Healthy]);
    }

    #[test]
    fn a_detector_that_objected_to_a_right_layer_is_not_asked_again() {
        // The first detector reports everything as a bug, so it is asked up to the first right
        // layer.
        let (message, matrix, asked) = hunted(2, |it, layer, _| verdict(it == 0 || is_bug(layer)));
        assert_eq!(message, None, "the other one catches all");
        let right = asked[0][1] + asked[0][3];
        assert_eq!((right, asked[0].iter().all(|it| *it <= 1)), (1, true), "{asked:?}");
        assert_eq!(asked[1], [2; 4]);
        assert!(!matrix.counts(0) && matrix.counts(1));
        let (message, _, _) = hunted(1, |_, _, _| verdict(true));
        let message = message.unwrap();
        assert!(message.contains("`d0` called it a bug: \"of that\""), "{message}");
    }

    #[test]
    fn messages_escape_what_a_detector_says() {
        let bug = |_: u32, _: u64, _: usize| {
            Ok(Reply::Verdict { bug: true, reason: "\u{1b}[2J\u{202e}".to_owned() })
        };
        let (message, matrix, _) = hunted_as(1, "\u{9b}2J\u{2066}", bug);
        let message = message.unwrap();
        let said = "`d0\\u{9b}2J\\u{2066}` called it a bug: \"␛[2J\\u{202e}\"";
        assert!(message.contains(said), "{message}");
        assert!(!message.contains(char::is_control), "{message:?}");
        // A record stores the name itself.
        assert_eq!(matrix.detectors, ["d0\u{9b}2J\u{2066}"]);
    }

    #[test]
    fn a_fault_at_a_right_layer_is_an_objection() {
        let panics = || {
            let (kind, message) = (FailureKind::Panicked, "no such row".to_owned());
            Err(Fault::Code(Failure { kind, message, place: String::new() }))
        };
        let (message, _, asked) =
            hunted(1, |_, layer, _| if is_bug(layer) { verdict(true) } else { panics() });
        assert_eq!(asked[0][1] + asked[0][3], 1, "{asked:?}");
        let message = message.unwrap();
        assert!(message.contains("`d0` panicked: no such row"), "{message}");
    }

    #[test]
    fn a_detector_that_catches_nothing_has_no_second_round() {
        let (message, matrix, asked) = hunted(1, |_, _, _| verdict(false));
        assert_eq!(asked, [[1; 4]]);
        assert_eq!(column(&matrix, 0), [Cell::Healthy; 4]);
        assert!(message.unwrap().contains("2 got away"));
    }

    #[test]
    fn a_detector_that_ends_its_process_is_not_asked_again() {
        let ends = |_: u32, _: u64, _: usize| Err(Fault::CpuTime { seconds: 2 });
        let (message, _, asked) = hunted(1, ends);
        assert_eq!(asked[0].iter().sum::<usize>(), 1, "{asked:?}");
        let message = message.unwrap();
        let told = message.contains("called it")
            || message.contains("fails at one counts for nothing")
            || message.contains("ends without an answer");
        assert!(told, "{message}");
        // At a layer with a bug, the message must not claim an objection to a right one.
        let (message, _, _) = hunted(1, |_, layer, _| {
            if is_bug(layer) { Err(Fault::CpuTime { seconds: 2 }) } else { verdict(false) }
        });
        let message = message.unwrap();
        assert!(
            message.contains("ends without an answer counts for nothing either: `d0` "),
            "{message}"
        );
        assert!(!message.contains("calls a right layer a bug"), "{message}");
    }

    #[test]
    fn a_verdict_that_changes_is_no_catch() {
        let (message, matrix, asked) =
            hunted(1, |_, layer, before| verdict(is_bug(layer) && before == 0));
        assert_eq!(asked, [[2; 4]]);
        assert_eq!(column(&matrix, 0), [Cell::Wavers, Cell::Healthy, Cell::Wavers, Cell::Healthy]);
        assert!(message.unwrap().contains("2 got away"));
    }

    #[test]
    fn detectors_that_are_not_run_are_said() {
        let says = |it: u32, layer: u64, _: usize| verdict(it >= 8 && is_bug(layer));
        let (message, matrix, asked) = hunted(10, says);
        assert_eq!((matrix.detectors.len(), &asked[8..]), (8, &[[0; 4]; 2][..]));
        let said = "`all` hands over 10 detectors, of which the first 8 are run.";
        assert!(message.unwrap().contains(said));
        let (message, _, _) = hunted(8, |_, _, _| verdict(false));
        assert!(!message.unwrap().contains("are run"));
    }

    #[test]
    fn no_detector_at_all_is_said() {
        let mut session = Scripted {
            detectors: 0,
            suffix: "",
            says: |_, _, _| verdict(false),
            asked: RefCell::default(),
        };
        let mut subject = Subject::new(&mut session);
        assert!(
            catches(&mut subject, &Case::new(&DETECTORS, "no layers".to_owned()), &[], 7).is_err()
        );
    }
}
