//! Writes comparisons as JSON.

use std::io;

use serde::Serialize;
use softmark_untrusted::Untrusted;

use crate::similar::comparison::{Comparison, Member, Pair};
use crate::similar::findings::Findings;
use crate::similar::fingerprints::{GRAM, WINDOW};
use crate::similar::passages::{LineRange, Passage};
use crate::similar::words;

/// Version of the format, raised when a field changes its meaning or is removed, but not when one is added.
const FORMAT_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    meaning: [&'a str; 2],
    method: Method,
    assignments: Vec<AssignmentOf<'a>>,
    not_compared: Vec<LeftOutOf<'a>>,
}

#[derive(Serialize)]
struct Method {
    tokens_of_a_fingerprint: usize,
    window: usize,
}

#[derive(Serialize)]
struct AssignmentOf<'a> {
    id: &'a str,
    submissions: usize,
    earlier_submissions: usize,
    pairs_compared: usize,
    pairs_of_one_student_or_team: usize,
    reported_from: Reported,
    pairs: Vec<PairOf<'a>>,
}

#[derive(Serialize)]
struct Reported {
    share: f64,
    tokens: usize,
    longest: usize,
}

#[derive(Serialize)]
struct PairOf<'a> {
    share: f64,
    matching: usize,
    tokens: usize,
    longest: usize,
    submissions: Vec<MemberOf<'a>>,
    passages: Vec<PassageOf<'a>>,
}

#[derive(Serialize)]
struct MemberOf<'a> {
    name: &'a Untrusted,
    is_earlier: bool,
    own_fingerprints: usize,
}

#[derive(Serialize)]
struct PassageOf<'a> {
    tokens: usize,
    places: Vec<PlaceOf<'a>>,
}

#[derive(Serialize)]
struct PlaceOf<'a> {
    file: &'a str,
    first_line: u32,
    last_line: u32,
}

#[derive(Serialize)]
struct LeftOutOf<'a> {
    name: &'a Untrusted,
    reason: &'a Untrusted,
}

/// Writes the comparisons.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub(super) fn write(findings: Findings<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let left_out = findings.left_out.iter();
    let document = Document {
        format_version: FORMAT_VERSION,
        meaning: [words::MEANING, words::NO_VERDICT],
        method: Method { tokens_of_a_fingerprint: GRAM, window: WINDOW },
        assignments: findings.comparisons.iter().map(assignment).collect(),
        not_compared: left_out.map(|it| LeftOutOf { name: &it.name, reason: &it.reason }).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn assignment(comparison: &Comparison) -> AssignmentOf<'_> {
    let threshold = comparison.threshold;
    AssignmentOf {
        id: &comparison.assignment,
        submissions: comparison.class_size(),
        earlier_submissions: comparison.members.len() - comparison.class_size(),
        pairs_compared: comparison.compared(),
        pairs_of_one_student_or_team: comparison.together,
        reported_from: Reported {
            share: threshold.share,
            tokens: threshold.tokens,
            longest: threshold.passage,
        },
        pairs: comparison.pairs.iter().map(|it| pair(comparison, it)).collect(),
    }
}

fn pair<'a>(comparison: &'a Comparison, pair: &'a Pair) -> PairOf<'a> {
    let members = [comparison.member(pair.one), comparison.member(pair.other)];
    let passages = pair.passages.iter().map(|it| passage(members, it));
    PairOf {
        share: pair.share,
        matching: pair.matching,
        tokens: pair.tokens,
        longest: pair.longest(),
        submissions: members.into_iter().flatten().map(member).collect(),
        passages: passages.collect(),
    }
}

fn member(member: &Member) -> MemberOf<'_> {
    MemberOf { name: &member.name, is_earlier: member.is_earlier, own_fingerprints: member.own }
}

fn passage<'a>(members: [Option<&'a Member>; 2], passage: &Passage) -> PassageOf<'a> {
    let places = members.into_iter().zip([&passage.one, &passage.other]);
    let places = places.filter_map(|(member, place)| Some(place_of(member?, place)));
    PassageOf { tokens: passage.tokens, places: places.collect() }
}

fn place_of<'a>(member: &'a Member, place: &LineRange) -> PlaceOf<'a> {
    PlaceOf { file: member.path(place), first_line: place.first, last_line: place.last }
}
