//! Key to the answers: the bugs of the buggy layer and of the buggy programs, and where they can be fixed.
//!
//! A line is accepted if an edit of that line alone repairs the program, and nothing wrong is left standing:
//! where two things do not fit, either may be changed; where a statement is missing, it may be added to any
//! line that runs at the right time. An edit that only overrides what another line gets wrong does not count.
//! Each accepted line stands here with such an edit, and a test applies them all.

/// A program with one bug.
pub(crate) struct Ill {
    /// Its table in `answers.toml`: `p01`.
    pub(crate) id: &'static str,
    /// Its bug, one of [`ILLNESSES`](debugging_checks::answers::ILLNESSES).
    pub(crate) illness: &'static str,
    /// The program, as students have it.
    pub(crate) program: &'static str,
    /// The lines that are accepted.
    pub(crate) fixes: &'static [Fix],
}

/// A line that is accepted, and how the program is repaired there.
pub(crate) struct Fix {
    /// Its number, counted from 1.
    pub(crate) line: usize,
    /// The line, without the white space around it: the number is only right while it stands there.
    pub(crate) text: &'static str,
    /// The edit that repairs the program.
    #[cfg_attr(not(test), expect(dead_code, reason = "the proof that the line can be accepted"))]
    pub(crate) edit: Edit,
}

/// An edit that repairs a program.
#[cfg_attr(not(test), expect(dead_code, reason = "the proof that a line can be accepted"))]
pub(crate) enum Edit {
    /// The line becomes this one.
    Becomes(&'static str),
    /// The line moves behind the line with this number.
    MovesBehind(usize),
}

/// A line that is accepted for what it can become.
const fn becomes(line: usize, text: &'static str, edit: &'static str) -> Fix {
    Fix { line, text, edit: Edit::Becomes(edit) }
}

/// The buggy programs, in the order of their ids.
pub(crate) const PATIENTS: &[Ill] = &[
    Ill {
        id: "p01",
        illness: "learning-rate-too-high",
        program: include_str!("../../../../assignments/debugging/examples/patients/p01.rs"),
        fixes: &[becomes(95, "learning_rate: 0.1,", "learning_rate: 0.01,")],
    },
    Ill {
        id: "p02",
        illness: "attention-across-batch",
        program: include_str!("../../../../assignments/debugging/examples/patients/p02.rs"),
        fixes: &[
            becomes(
                54,
                "x.reshape((1, b * t, HEADS, d / HEADS))?.transpose(1, 2)?.contiguous()",
                "x.reshape((b, t, HEADS, d / HEADS))?.transpose(1, 2)?.contiguous()",
            ),
            becomes(
                77,
                "let seen = real.reshape((groups, 1, 1, keys))?.broadcast_as(scores.shape())?;",
                "let (b, t) = real.dims2()?; let seen = Tensor::eye(b, real.dtype(), real.device())?.reshape((b, 1, b, 1))?.broadcast_mul(&real.unsqueeze(0)?.unsqueeze(0)?)?.broadcast_as((b, t, b, t))?.reshape((groups, 1, keys, keys))?.broadcast_as(scores.shape())?;",
            ),
        ],
    },
    Ill {
        id: "p03",
        illness: "label-in-text",
        program: include_str!("../../../../assignments/debugging/examples/patients/p03.rs"),
        fixes: &[
            becomes(
                24,
                "let Some((labels, question)) = line.split_once(':') else { continue };",
                "let Some((labels, question)) = line.split_once(' ') else { continue };",
            ),
            becomes(
                27,
                "entries.extend(class(coarse).map(|(_, number)| (question, number)));",
                "entries.extend(question.split_once(' ').and_then(|(_, question)| Some((question, class(coarse)?.1))));",
            ),
        ],
    },
    Ill {
        id: "p04",
        illness: "padding-pooled",
        program: include_str!("../../../../assignments/debugging/examples/patients/p04.rs"),
        fixes: &[becomes(
            96,
            "head.forward(&x.mean(1)?)",
            "head.forward(&nn::pooling::masked_mean(&x, mask)?)",
        )],
    },
    Ill {
        id: "p05",
        illness: "labels-shifted",
        program: include_str!("../../../../assignments/debugging/examples/patients/p05.rs"),
        fixes: &[
            becomes(
                48,
                "let notes: Vec<&str> = notes.lines().skip(1).collect();",
                "let notes: Vec<&str> = notes.lines().collect();",
            ),
            becomes(
                49,
                "let shelves: Vec<u32> = shelves.lines().map(number).collect();",
                "let shelves: Vec<u32> = shelves.lines().skip(1).map(number).collect();",
            ),
            becomes(
                53,
                "labels: shelves.iter().copied().skip(from).take(n).collect(),",
                "labels: shelves.iter().copied().skip(from + 1).take(n).collect(),",
            ),
        ],
    },
    Ill {
        id: "p06",
        illness: "head-frozen",
        program: include_str!("../../../../assignments/debugging/examples/patients/p06.rs"),
        fixes: &[
            becomes(
                27,
                "const GROUPS: &[(&str, f64)] = &[(\"words\", 1.0), (\"attend\", 0.5), (\"norm\", 0.5)];",
                "const GROUPS: &[(&str, f64)] = &[(\"words\", 1.0), (\"attend\", 0.5), (\"norm\", 0.5), (\"head\", 1.0)];",
            ),
            becomes(
                49,
                "head: vb.get_with_hints((TIMES.len(), SIZE), \"head.weight\", Init::Const(0.0))?,",
                "head: vb.get_with_hints((TIMES.len(), SIZE), \"words.head\", Init::Const(0.0))?,",
            ),
            becomes(
                78,
                "let own = vars.iter().filter(|(name, _)| name.starts_with(prefix));",
                "let own = vars.iter().filter(|(name, _)| name.starts_with(prefix) || *prefix == \"words\" && name.starts_with(\"head\"));",
            ),
            becomes(
                82,
                "Self(GROUPS.iter().map(group).collect())",
                "Self(GROUPS.iter().chain(&[(\"head\", 1.0)]).map(group).collect())",
            ),
        ],
    },
    Ill {
        id: "p07",
        illness: "mask-inverted",
        program: include_str!("../../../../assignments/debugging/examples/patients/p07.rs"),
        fixes: &[
            becomes(
                54,
                "let y = scaled_dot_product_attention(&query, &key, &value, Some(mask), 0.0, false)?;",
                "let y = scaled_dot_product_attention(&query, &key, &value, Some(&mask.eq(0_u8)?), 0.0, false)?;",
            ),
            becomes(
                93,
                "let mask = ids.eq(0_u32)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;",
                "let mask = ids.ne(0_u32)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;",
            ),
            becomes(
                95,
                "x = block.forward(&x, &mask)?;",
                "x = block.forward(&x, &mask.eq(0_u8)?)?;",
            ),
        ],
    },
    Ill {
        id: "p08",
        illness: "gradients-kept",
        program: include_str!("../../../../assignments/debugging/examples/patients/p08.rs"),
        fixes: &[
            becomes(
                98,
                "let Some(sum) = self.0.get(name) else { continue };",
                "let Some(sum) = self.0.remove(name) else { continue };",
            ),
            becomes(
                99,
                "var.set(&(var.as_tensor() - (sum * RATE)?)?)?;",
                "var.set(&(var.as_tensor() - (sum * RATE)?)?)?; self.0.remove(name);",
            ),
            becomes(100, "}", "} self.0.clear();"),
            becomes(101, "Ok(())", "self.0.clear(); Ok(())"),
            Fix {
                line: 119,
                text: "let mut sums = Sums::default();",
                edit: Edit::MovesBehind(123),
            },
            becomes(
                123,
                "for numbers in shuffled(train.len(), seed, epoch).chunks(STEP) {",
                "for numbers in shuffled(train.len(), seed, epoch).chunks(STEP) { sums.0.clear();",
            ),
            becomes(
                124,
                "for part in numbers.chunks(PART) {",
                "sums.0.clear(); for part in numbers.chunks(PART) {",
            ),
            becomes(131, "sums.descend(&vars)?;", "std::mem::take(&mut sums).descend(&vars)?;"),
            becomes(132, "}", "sums.0.clear(); }"),
        ],
    },
    Ill {
        id: "p09",
        illness: "validation-is-training",
        program: include_str!("../../../../assignments/debugging/examples/patients/p09.rs"),
        fixes: &[
            becomes(
                70,
                "let train = chosen(&questions, |place| place % 5 != 4);",
                "let train = chosen(&questions, |place| place % 5 == 4);",
            ),
            becomes(
                71,
                "let validation = chosen(&questions, |place| place % 5 != 4);",
                "let validation = chosen(&questions, |place| place % 5 == 4);",
            ),
        ],
    },
    Ill {
        id: "p10",
        illness: "positions-by-batch",
        program: include_str!("../../../../assignments/debugging/examples/patients/p10.rs"),
        fixes: &[becomes(
            62,
            "let order = self.order.narrow(0, 0, b)?.unsqueeze(1)?;",
            "let order = self.order.narrow(0, 0, t)?.unsqueeze(0)?;",
        )],
    },
    Ill {
        id: "p11",
        illness: "mask-added",
        program: include_str!("../../../../assignments/debugging/examples/patients/p11.rs"),
        fixes: &[
            becomes(
                80,
                "let seen = mask.to_dtype(DType::F32)?;",
                "let seen = mask.to_dtype(DType::F32)?.affine(1e9, -1e9)?;",
            ),
            becomes(
                81,
                "let weights = ops::softmax(&(scores + seen)?, 1)?.unsqueeze(1)?; // [B, 1, T]",
                "let weights = ops::softmax(&(scores + seen.affine(1e9, -1e9)?)?, 1)?.unsqueeze(1)?; // [B, 1, T]",
            ),
        ],
    },
];

/// The layer that does not learn.
pub(crate) const BUGGY_LAYER: &str = include_str!("../../../../assignments/debugging/src/buggy.rs");

/// The bug of its first half, and the lines that are accepted. The sum is missing, so that no line is wrong,
/// and each is accepted at which it can be added.
pub(crate) const FIRST: (&str, &[Fix]) = (
    "residual-missing",
    &[
        becomes(
            36,
            "let attended = self.dropout.forward(&attended, train)?;",
            "let attended = (x + self.dropout.forward(&attended, train)?)?;",
        ),
        becomes(
            37,
            "let y = self.after(&self.norm1, &attended)?;",
            "let y = self.after(&self.norm1, &(x + attended)?)?;",
        ),
    ],
);

/// The bug of its second half, and the lines that are accepted.
pub(crate) const SECOND: (&str, &[Fix]) =
    ("added-to-itself", &[becomes(42, "let sum = (&fed + &fed)?;", "let sum = (&y + &fed)?;")]);

/// What attention in the upper layers does: a test trains it.
pub(crate) const SYMPTOM: &str = "even";

/// True if line `number` of the program, counted from 1, is accepted.
pub(crate) fn is_accepted(program: &str, fixes: &[Fix], number: usize) -> bool {
    let line = number.checked_sub(1).and_then(|at| program.lines().nth(at)).map(str::trim);
    fixes.iter().any(|fix| fix.line == number && line == Some(fix.text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write;

    use debugging_checks::answers::{BUGS, ILLNESSES, PATIENT_IDS, SYMPTOMS};

    use super::*;

    #[test]
    fn every_answer_of_the_key_can_be_given() {
        let has = |list: &[(&str, &str)], id: &str| list.iter().any(|(of, _)| *of == id);
        assert!(has(BUGS, FIRST.0) && has(BUGS, SECOND.0) && has(SYMPTOMS, SYMPTOM));
        let ids: Vec<&str> = PATIENTS.iter().map(|ill| ill.id).collect();
        assert_eq!(ids, PATIENT_IDS);
        assert!(PATIENTS.iter().all(|ill| has(ILLNESSES, ill.illness)));
    }

    /// Every program of the key, with its fixes.
    fn all() -> Vec<(&'static str, &'static str, &'static [Fix])> {
        let mut all: Vec<_> = PATIENTS.iter().map(|it| (it.id, it.program, it.fixes)).collect();
        all.extend([("buggy", BUGGY_LAYER, FIRST.1), ("buggy", BUGGY_LAYER, SECOND.1)]);
        all
    }

    /// The program with that fix in it.
    fn fixed(program: &str, fix: &Fix) -> String {
        let mut lines: Vec<&str> = program.lines().collect();
        match fix.edit {
            Edit::Becomes(line) => lines[fix.line - 1] = line,
            Edit::MovesBehind(other) => {
                let line = lines.remove(fix.line - 1);
                lines.insert(if other < fix.line { other } else { other - 1 }, line);
            }
        }
        lines.join("\n") + "\n"
    }

    #[test]
    fn every_accepted_line_stands_where_the_key_says_and_its_edit_changes_it() {
        for (id, program, fixes) in all() {
            assert!(!fixes.is_empty(), "{id}");
            let lines: BTreeSet<usize> = fixes.iter().map(|fix| fix.line).collect();
            assert_eq!(lines.len(), fixes.len(), "{id}: a line is accepted twice");
            for fix in fixes {
                let stands = program.lines().nth(fix.line - 1).map(str::trim);
                assert_eq!(stands, Some(fix.text), "{id}, line {}", fix.line);
                assert_ne!(fixed(program, fix), program, "{id}, line {}", fix.line);
            }
        }
    }

    #[test]
    fn lines_that_fix_a_program_are_accepted_and_their_neighbours_are_not() {
        let accepted = |id: &str| -> Vec<usize> {
            let ill = PATIENTS.iter().find(|ill| ill.id == id).unwrap();
            let lines = 0..=ill.program.lines().count() + 1;
            lines.filter(|&line| is_accepted(ill.program, ill.fixes, line)).collect()
        };
        assert_eq!(accepted("p01"), [95]);
        assert_eq!(accepted("p02"), [54, 77]);
        assert_eq!(accepted("p03"), [24, 27]);
        assert_eq!(accepted("p04"), [96]);
        assert_eq!(accepted("p05"), [48, 49, 53]);
        assert_eq!(accepted("p06"), [27, 49, 78, 82]);
        assert_eq!(accepted("p07"), [54, 93, 95]);
        assert_eq!(accepted("p08"), [98, 99, 100, 101, 119, 123, 124, 131, 132]);
        assert_eq!(accepted("p09"), [70, 71]);
        assert_eq!(accepted("p10"), [62]);
        assert_eq!(accepted("p11"), [80, 81]);
    }

    /// Writes every fixed program below the folder of `SOFTMARK_TEST_FIXES`, so that they can be compiled
    /// and run; does nothing without it.
    #[test]
    fn fixed_programs_can_be_written_out() {
        let Some(folder) = std::env::var_os("SOFTMARK_TEST_FIXES") else { return };
        let mut list = String::new();
        for (id, program, fixes) in all() {
            for fix in fixes {
                let name = format!("{id}_{}", fix.line);
                let path = std::path::Path::new(&folder).join(format!("{name}.rs"));
                std::fs::write(path, fixed(program, fix)).unwrap();
                writeln!(list, "{name}").unwrap();
            }
        }
        std::fs::write(std::path::Path::new(&folder).join("list.txt"), list).unwrap();
    }
}
