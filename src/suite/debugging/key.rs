//! What is wrong with the buggy layer and with the patients, and where.

/// A program with one bug.
pub(crate) struct Ill {
    /// Where its answers stand: `[p01]`.
    pub(crate) id: &'static str,
    /// What it has, of [`ILLNESSES`](softmark_checks::debugging::answers::ILLNESSES).
    pub(crate) illness: &'static str,
    /// The program, as students have it.
    pub(crate) program: &'static str,
    /// The lines that are accepted, without what is around them.
    pub(crate) lines: &'static [&'static str],
}

/// The patients, in the order of their ids.
pub(crate) const PATIENTS: &[Ill] = &[
    Ill {
        id: "p01",
        illness: "learning-rate-too-high",
        program: include_str!("../../../assignments/debugging/examples/patients/p01.rs"),
        lines: &["learning_rate: 0.1,"],
    },
    Ill {
        id: "p02",
        illness: "attention-across-batch",
        program: include_str!("../../../assignments/debugging/examples/patients/p02.rs"),
        lines: &["x.reshape((1, b * t, HEADS, d / HEADS))?.transpose(1, 2)?.contiguous()"],
    },
    Ill {
        id: "p03",
        illness: "label-in-text",
        program: include_str!("../../../assignments/debugging/examples/patients/p03.rs"),
        lines: &["let Some((labels, question)) = line.split_once(':') else { continue };"],
    },
    Ill {
        id: "p04",
        illness: "padding-pooled",
        program: include_str!("../../../assignments/debugging/examples/patients/p04.rs"),
        lines: &["head.forward(&x.mean(1)?)"],
    },
    Ill {
        id: "p05",
        illness: "labels-shifted",
        program: include_str!("../../../assignments/debugging/examples/patients/p05.rs"),
        lines: &["let shelves: Vec<u32> = shelves.lines().map(number).collect();"],
    },
    Ill {
        id: "p06",
        illness: "head-frozen",
        program: include_str!("../../../assignments/debugging/examples/patients/p06.rs"),
        lines: &[
            "const GROUPS: &[(&str, f64)] = &[(\"words\", 1.0), (\"attend\", 0.5), (\"norm\", 0.5)];",
        ],
    },
    Ill {
        id: "p07",
        illness: "mask-inverted",
        program: include_str!("../../../assignments/debugging/examples/patients/p07.rs"),
        lines: &["let mask = ids.eq(0_u32)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;"],
    },
    Ill {
        id: "p08",
        illness: "gradients-kept",
        program: include_str!("../../../assignments/debugging/examples/patients/p08.rs"),
        lines: &[
            "let Some(sum) = self.0.get(name) else { continue };",
            "let mut sums = Sums::default();",
            "sums.descend(&vars)?;",
        ],
    },
    Ill {
        id: "p09",
        illness: "validation-is-training",
        program: include_str!("../../../assignments/debugging/examples/patients/p09.rs"),
        lines: &["let validation = chosen(&questions, |place| place % 5 != 4);"],
    },
    Ill {
        id: "p10",
        illness: "positions-by-batch",
        program: include_str!("../../../assignments/debugging/examples/patients/p10.rs"),
        lines: &["let order = self.order.narrow(0, 0, b)?.unsqueeze(1)?;"],
    },
    Ill {
        id: "p11",
        illness: "mask-added",
        program: include_str!("../../../assignments/debugging/examples/patients/p11.rs"),
        lines: &[
            "let seen = mask.to_dtype(DType::F32)?;",
            "let weights = ops::softmax(&(scores + seen)?, 1)?.unsqueeze(1)?; // [B, 1, T]",
        ],
    },
];

/// The layer that does not learn.
pub(crate) const BUGGY_LAYER: &str = include_str!("../../../assignments/debugging/src/buggy.rs");

/// What is wrong with its first half: the answer and the lines that are accepted. Where the sum is missing
/// there is no line to point at, so each is accepted that has to change.
pub(crate) const FIRST: (&str, &[&str]) = (
    "residual-missing",
    &[
        "let attended = self.dropout.forward(&attended, train)?;",
        "let y = self.after(&self.norm1, &attended)?;",
    ],
);

/// What is wrong with its second half.
pub(crate) const SECOND: (&str, &[&str]) = ("added-to-itself", &["let sum = (&fed + &fed)?;"]);

/// What attention in the upper layers does: a test trains it.
pub(crate) const SYMPTOM: &str = "even";

/// Whether line `number`, counted from 1, of `program` is one of `lines`.
pub(crate) fn is_line(program: &str, number: usize, lines: &[&str]) -> bool {
    let line = number.checked_sub(1).and_then(|at| program.lines().nth(at)).map(str::trim);
    line.is_some_and(|line| lines.contains(&line))
}

#[cfg(test)]
mod tests {
    use softmark_checks::debugging::answers::{BUGS, ILLNESSES, PATIENT_IDS, SYMPTOMS};

    use super::*;

    #[test]
    fn every_answer_of_the_key_can_be_given() {
        let has = |list: &[(&str, &str)], id: &str| list.iter().any(|(of, _)| *of == id);
        assert!(has(BUGS, FIRST.0) && has(BUGS, SECOND.0) && has(SYMPTOMS, SYMPTOM));
        let ids: Vec<&str> = PATIENTS.iter().map(|ill| ill.id).collect();
        assert_eq!(ids, PATIENT_IDS);
        assert!(PATIENTS.iter().all(|ill| has(ILLNESSES, ill.illness)));
    }

    #[test]
    fn every_accepted_line_stands_once_in_its_program() {
        let mut all: Vec<(&str, &[&str])> =
            PATIENTS.iter().map(|ill| (ill.program, ill.lines)).collect();
        all.extend([(BUGGY_LAYER, FIRST.1), (BUGGY_LAYER, SECOND.1)]);
        for (program, lines) in all {
            for line in lines {
                let times = program.lines().filter(|other| other.trim() == *line).count();
                assert_eq!(times, 1, "{line}");
            }
            let accepted =
                (0..=program.lines().count() + 1).filter(|&n| is_line(program, n, lines));
            assert_eq!(accepted.count(), lines.len());
        }
    }
}
