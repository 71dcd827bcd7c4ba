//! Saving and loading by changeable rules.

use std::collections::BTreeMap;

use prefix_tuning_checks::signatures::NAMES;
use softmark_checks::{Array, Case};
use softmark_exam::Response;

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// What was tuned, as it should be.
    Tuned,
    /// Everything.
    Everything,
    /// What is not the encoder's, whatever was tuned.
    NotTheEncoder,
    /// The head alone.
    Head,
    /// The prefix alone.
    Prefix,
    /// Everything that was tuned but the biases.
    Weights,
}

/// What becomes of the names of the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    /// They keep their order, as they should.
    InOrder,
    /// They are sorted when they are saved.
    SortedInSaving,
    /// They are sorted when they are loaded.
    SortedInLoading,
    /// They are not kept.
    Lost,
}

/// What becomes of the parameters when a checkpoint is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// They stay, as they should.
    First,
    /// Those that come before what is wrong are set, in the order of all names; what is missing is found
    /// in its place.
    OnTheWay,
    /// All that fits is set first.
    Last,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    pub(crate) keeps: Keeps,
    pub(crate) labels: Labels,
    pub(crate) refusal: Refusal,
    /// Whether the encoder's name or the settings are not kept.
    pub(crate) forgets: bool,
    /// Whether what is missing is no error.
    pub(crate) takes_missing: bool,
    /// Whether a tensor that no parameter is called is no error.
    pub(crate) takes_strangers: bool,
    /// Whether a tensor of a frozen parameter is no error, and is set.
    pub(crate) takes_frozen: bool,
    /// Whether whatever is not tuned is no error, and left out.
    pub(crate) passes_over: bool,
    /// Whether a checkpoint of another encoder is no error.
    pub(crate) takes_other_base: bool,
    /// Whether a tensor of another shape is no error, and left out.
    pub(crate) takes_misfits: bool,
    /// Whether nothing is set.
    pub(crate) sets_nothing: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    keeps: Keeps::Tuned,
    labels: Labels::InOrder,
    refusal: Refusal::First,
    forgets: false,
    takes_missing: false,
    takes_strangers: false,
    takes_frozen: false,
    passes_over: false,
    takes_other_base: false,
    takes_misfits: false,
    sets_nothing: false,
};

fn bit(case: &Case, mask: &str, n: usize) -> bool {
    case.get(mask).at(&[n]) == 1.0
}

/// The numbers of each parameter, out of a row of all.
fn parts(case: &Case, all: &Array) -> Vec<Vec<f64>> {
    let [d, c, p] = ["d_model", "classes", "prefix"].map(|name| case.get_size(name));
    let mut rest = all.values();
    let take = |count: usize| {
        let (taken, after) = rest.split_at(count.min(rest.len()));
        rest = after;
        taken.to_vec()
    };
    [d, d, c, c * d, d * d, d, p * d].into_iter().map(take).collect()
}

fn flat(values: Vec<f64>) -> Array {
    Array::new(&[values.len()], values)
}

/// The places of the names when they are sorted.
fn sorted(case: &Case) -> Vec<f64> {
    let text = case.get("labels").to_text().unwrap_or_default();
    let mut labels: Vec<(usize, &str)> = text.lines().enumerate().collect();
    labels.sort_by_key(|(_, label)| *label);
    labels.into_iter().map(|(place, _)| place as f64).collect()
}

fn labels(rule: Labels, case: &Case, saving: bool) -> Array {
    let places: Vec<f64> = (0..case.get_size("classes")).map(|place| place as f64).collect();
    flat(match (rule, saving) {
        (Labels::SortedInSaving, true) | (Labels::SortedInLoading, false) => sorted(case),
        (Labels::Lost, true) => Vec::new(),
        _ => places,
    })
}

fn save(rules: &Rules, case: &Case) -> Response {
    let is_kept = |n: usize| {
        let name = NAMES.get(n).copied().unwrap_or_default();
        let tuned = bit(case, "learns", n);
        match rules.keeps {
            Keeps::Tuned => tuned,
            Keeps::Everything => true,
            Keeps::NotTheEncoder => !name.starts_with("base."),
            Keeps::Head => name.starts_with("classifier."),
            Keeps::Prefix => name == "prefix",
            Keeps::Weights => tuned && name.rsplit('.').next() != Some("bias"),
        }
    };
    let kept: Vec<bool> = (0..NAMES.len()).map(is_kept).collect();
    let values = parts(case, &case.get("tuned")).into_iter().zip(&kept);
    let values = values.flat_map(|(of, kept)| of.into_iter().map(|x| if *kept { x } else { 0.0 }));
    let one = |value: f64| flat(vec![value]);
    Response::Outputs(BTreeMap::from([
        ("values".to_owned(), flat(values.collect())),
        ("kept".to_owned(), flat(kept.iter().map(|kept| f64::from(u8::from(*kept))).collect())),
        ("strangers".to_owned(), one(0.0)),
        ("labels".to_owned(), labels(rules.labels, case, true)),
        ("told".to_owned(), one(f64::from(u8::from(!rules.forgets)))),
    ]))
}

/// Why a tensor or its absence ends in an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// It can be set.
    Fits,
    /// There is none, and none is due.
    Absent,
    /// It is to be refused.
    Wrong,
    /// It is left out without a word.
    Skipped,
}

fn found(rules: &Rules, case: &Case, n: usize) -> Found {
    let (there, due) = (bit(case, "kept", n), bit(case, "learns", n));
    let misshapen = case.get_size("misshapen") == n + 1;
    let tolerated = match (there, due) {
        (true, true) => misshapen && rules.takes_misfits,
        (true, false) => rules.passes_over,
        (false, true) => rules.takes_missing,
        (false, false) => return Found::Absent,
    };
    match (there, due) {
        (true, true) if !misshapen => Found::Fits,
        (true, false) if rules.takes_frozen => Found::Fits,
        _ if tolerated => Found::Skipped,
        _ => Found::Wrong,
    }
}

fn load(rules: &Rules, case: &Case) -> Response {
    let each: Vec<Found> = (0..NAMES.len()).map(|n| found(rules, case, n)).collect();
    let stranger = case.get_size("stranger") == 1 && !rules.takes_strangers && !rules.passes_over;
    let other_base = case.get_size("other_base") > 0 && !rules.takes_other_base;
    let refused = other_base || stranger || each.contains(&Found::Wrong);
    // The stranger's name comes before that of the prefix, and after those of the others.
    let on_the_way = |n: usize| {
        let first = each.iter().position(|it| *it == Found::Wrong).unwrap_or(NAMES.len());
        n < first && !(stranger && n + 1 == NAMES.len())
    };
    let is_set = |n: usize| {
        each.get(n) == Some(&Found::Fits)
            && !rules.sets_nothing
            && match rules.refusal {
                _ if !refused => true,
                Refusal::First => false,
                Refusal::OnTheWay => !other_base && on_the_way(n),
                Refusal::Last => !other_base,
            }
    };
    let (saved, fresh) = (parts(case, &case.get("saved")), parts(case, &case.get("fresh")));
    let pairs = saved.into_iter().zip(fresh).enumerate();
    let values = pairs.flat_map(|(n, (new, old))| if is_set(n) { new } else { old });
    let told = labels(rules.labels, case, false);
    let told = if refused { told.map(|_| -1.0) } else { told };
    Response::Outputs(BTreeMap::from([
        ("values".to_owned(), flat(values.collect())),
        ("refused".to_owned(), flat(vec![f64::from(u8::from(refused))])),
        ("labels".to_owned(), told),
    ]))
}

/// What code by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if case.part() == "save" { save(rules, case) } else { load(rules, case) }
}
