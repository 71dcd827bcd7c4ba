//! EXPERIMENT
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use softmark::audit::{Mutant, Naming};
use softmark::diagnose::name_mistakes;
use softmark::fixtures::{self, Fixture, Role};
use softmark_exam::{Mistake, Recording, Suite};

use crate::names::{positions, share};
use crate::support::bench::at_bench;
use crate::support::exams::{project, suite};
use crate::support::imitation::ImitationSession;

const TASK: &str = "learned-position";
static BANK: OnceLock<Vec<Mistake>> = OnceLock::new();
fn bank() -> Vec<Mistake> {
    BANK.get().unwrap().clone()
}

fn report(title: &str, mutants: &[Mutant]) {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for it in mutants {
        *count.entry(it.naming().as_str()).or_default() += 1;
        let expected: Vec<&String> = it.expected.iter().filter(|c| c.starts_with(TASK)).collect();
        let unnamed: Vec<_> =
            expected.iter().filter(|c| it.named.get(**c) != it.mistake.as_ref()).collect();
        if it.naming() != Naming::Right || !unnamed.is_empty() {
            println!(
                "  {title}: {} ({:?}) {:?} unnamed at {unnamed:?} named {:?} {:?}",
                it.name,
                it.mistake,
                it.naming(),
                it.named,
                it.against
            );
        }
        println!("  {title} recording of {}: {:?}", it.name, it.recording);
    }
    println!("{title}: {count:?} of {}", mutants.len());
}

fn share_of(title: &str, suite: &'static Suite, from: &'static Suite) {
    // relatives are generated from the imitations of `from`, and named by `suite`
    for (kind, parts) in [
        ("halves", share::halves(from, TASK)),
        ("two at once", share::pairs(from, TASK)),
        ("one and a cut", share::cuts(from, TASK)),
    ] {
        let count = share::count(suite, TASK, parts);
        println!(
            "{title} {kind}: right {} (both {}) false {} missing {}",
            count.right,
            count.both,
            count.wrong.len(),
            count.missing.len()
        );
        for it in count.wrong {
            println!("   false {it}");
        }
        for it in count.missing {
            println!("   missing {it}");
        }
    }
    // each imitation by itself
    let checks: Vec<_> = (suite.checks)().into_iter().filter(|c| c.check.task() == TASK).collect();
    let (mut right, mut wrong, mut missing) = (0, 0, 0);
    for mistake in (from.mistakes)().into_iter().filter(|m| m.task == TASK) {
        for (at, imitate) in mistake.imitations.iter().enumerate() {
            let cut = mistake.cuts.first().copied();
            let mut session = ImitationSession::new(suite, TASK, *imitate, cut);
            let named = name_mistakes(suite, TASK, &checks, &mut session).unwrap();
            let names: std::collections::BTreeSet<_> = named.values().copied().collect();
            if names.is_empty() {
                missing += 1;
                println!("   unnamed imitation {} ({at})", mistake.id);
            } else if names.iter().all(|n| *n == mistake.id) {
                right += 1
            } else {
                wrong += 1;
                println!("   false imitation {} ({at}) {names:?}", mistake.id);
            }
        }
    }
    println!("{title} imitations by themselves: right {right} false {wrong} missing {missing}");
    for (what, table) in
        [("simulated", positions::LEARNED), ("near misses", positions::NEAR_MISSES)]
    {
        let mut good = 0;
        for (expected, (name, part)) in table {
            let mut session = ImitationSession::new(suite, TASK, *part, suite.rests);
            let named = name_mistakes(suite, TASK, &checks, &mut session).unwrap();
            let names: std::collections::BTreeSet<_> = named.values().copied().collect();
            if names.iter().copied().eq(expected.iter().copied()) {
                good += 1
            } else {
                println!("   {title} {what} {name}: {names:?} instead of {expected:?}");
            }
        }
        println!("{title} {what}: {good} of {}", table.len());
    }
}

#[test]
fn experiment() {
    let suite = suite("attention");
    let mutants: Vec<Fixture> = fixtures::mutants(project(), suite.id)
        .unwrap()
        .into_iter()
        .filter(|it| matches!(&it.role, Role::Mutant(e) if e.task == TASK))
        .collect();
    let jobs = NonZeroUsize::new(2).unwrap();
    let recorded = at_bench(suite, |bench| bench.record(&mutants, jobs, &mut |_| ()).unwrap());
    let mut bank = (suite.mistakes)();
    let mut by: BTreeMap<String, Vec<Recording>> = BTreeMap::new();
    let folder = std::path::Path::new("/tmp/recorded-answers");
    std::fs::create_dir_all(folder).unwrap();
    let mut bytes = 0;
    for (mutant, answers) in mutants.iter().zip(&recorded) {
        let Role::Mutant(expect) = &mutant.role else { panic!() };
        let text = answers.as_ref().unwrap().to_text();
        bytes += text.len();
        println!(
            "{} {:?} also {:?}: {} answers, {} bytes",
            mutant.name,
            expect.mistake,
            expect.also,
            answers.as_ref().unwrap().answers.len(),
            text.len()
        );
        std::fs::write(folder.join(format!("{}.answers.json", mutant.name)), &text).unwrap();
        if let (Some(id), None) = (&expect.mistake, &expect.also) {
            by.entry(id.clone())
                .or_default()
                .push(Recording { patch: mutant.name.clone().leak(), text: text.leak() });
        }
    }
    println!("{bytes} bytes");
    for mistake in bank.iter_mut().filter(|m| m.task == TASK) {
        println!(
            "{}: {} imitations, {} patches",
            mistake.id,
            mistake.imitations.len(),
            by.get(mistake.id).map_or(0, Vec::len)
        );
        mistake.imitations = &[];
        mistake.cuts = &[];
        mistake.recordings = by.get(mistake.id).cloned().unwrap_or_default().leak();
    }
    BANK.set(bank).unwrap();
    let other: &'static Suite = Box::leak(Box::new(Suite { mistakes: self::bank, ..*suite }));
    for (title, it) in [("imitations", suite), ("recordings", other)] {
        let seen = at_bench(it, |bench| bench.audit(&mutants, &[1], jobs, &mut |_| ()).unwrap());
        report(title, &seen.mutants);
    }
    share_of("imitations", suite, suite);
    share_of("recordings", other, suite);
    // hybrid: recordings, but the gradient mistake keeps its cut
}
