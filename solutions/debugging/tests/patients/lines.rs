//! The one line of each patient: as it is, and as it ought to be.

use debugging_checks::answers::{ILLNESSES, PATIENT_IDS};

/// What is wrong with a patient, and where.
struct Line {
    id: &'static str,
    /// The answer that is right.
    illness: &'static str,
    ill: &'static str,
    mended: &'static str,
    /// The two files.
    files: [&'static str; 2],
}

macro_rules! files {
    ($id:literal) => {
        [
            include_str!(concat!(
                "../../../../assignments/debugging/examples/patients/",
                $id,
                ".rs"
            )),
            include_str!(concat!("mended/", $id, ".rs")),
        ]
    };
}

const LINES: [Line; 11] = [
    Line {
        id: "p01",
        illness: "learning-rate-too-high",
        ill: "learning_rate: 0.1,",
        mended: "learning_rate: 0.01,",
        files: files!("p01"),
    },
    Line {
        id: "p02",
        illness: "attention-across-batch",
        ill: "x.reshape((1, b * t, HEADS, d / HEADS))?.transpose(1, 2)?.contiguous()",
        mended: "x.reshape((b, t, HEADS, d / HEADS))?.transpose(1, 2)?.contiguous()",
        files: files!("p02"),
    },
    Line {
        id: "p03",
        illness: "label-in-text",
        ill: "let Some((labels, question)) = line.split_once(':') else { continue };",
        mended: "let Some((labels, question)) = line.split_once(' ') else { continue };",
        files: files!("p03"),
    },
    Line {
        id: "p04",
        illness: "padding-pooled",
        ill: "head.forward(&x.mean(1)?)",
        mended: "head.forward(&nn::pooling::masked_mean(&x, mask)?)",
        files: files!("p04"),
    },
    Line {
        id: "p05",
        illness: "labels-shifted",
        ill: "let shelves: Vec<u32> = shelves.lines().map(number).collect();",
        mended: "let shelves: Vec<u32> = shelves.lines().skip(1).map(number).collect();",
        files: files!("p05"),
    },
    Line {
        id: "p06",
        illness: "head-frozen",
        ill: r#"const GROUPS: &[(&str, f64)] = &[("words", 1.0), ("attend", 0.5), ("norm", 0.5)];"#,
        mended: r#"const GROUPS: &[(&str, f64)] = &[("words", 1.0), ("attend", 0.5), ("norm", 0.5), ("head", 1.0)];"#,
        files: files!("p06"),
    },
    Line {
        id: "p07",
        illness: "mask-inverted",
        ill: "let mask = ids.eq(0_u32)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;",
        mended: "let mask = ids.ne(0_u32)?.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;",
        files: files!("p07"),
    },
    Line {
        id: "p08",
        illness: "gradients-kept",
        ill: "let Some(sum) = self.0.get(name) else { continue };",
        mended: "let Some(sum) = self.0.remove(name) else { continue };",
        files: files!("p08"),
    },
    Line {
        id: "p09",
        illness: "validation-is-training",
        ill: "let validation = chosen(&questions, |place| place % 5 != 4);",
        mended: "let validation = chosen(&questions, |place| place % 5 == 4);",
        files: files!("p09"),
    },
    Line {
        id: "p10",
        illness: "positions-by-batch",
        ill: "let order = self.order.narrow(0, 0, b)?.unsqueeze(1)?;",
        mended: "let order = self.order.narrow(0, 0, t)?.unsqueeze(0)?;",
        files: files!("p10"),
    },
    Line {
        id: "p11",
        illness: "mask-added",
        ill: "let seen = mask.to_dtype(DType::F32)?;",
        mended: "let seen = mask.to_dtype(DType::F32)?.affine(1e9, -1e9)?;",
        files: files!("p11"),
    },
];

#[test]
fn what_is_mended_is_one_line() {
    for Line { id, ill, mended, files: [patient, twin], .. } in LINES {
        let standing = patient.lines().filter(|line| line.trim() == ill).count();
        assert_eq!(standing, 1, "{id}: `{ill}` has to stand there once");
        let mend = |line: &str| {
            if line.trim() == ill { line.replace(ill, mended) } else { line.to_owned() }
        };
        let want: Vec<String> = patient.lines().map(mend).collect();
        let got: Vec<&str> = twin.lines().collect();
        assert_eq!(got, want, "{id}: the mended file differs in that line and nothing else");
    }
}

#[test]
fn each_patient_has_an_illness_of_its_own_from_the_list() {
    assert_eq!(LINES.map(|line| line.id), PATIENT_IDS);
    let mut illnesses = LINES.map(|line| line.illness);
    illnesses.sort_unstable();
    assert!(illnesses.is_sorted_by(|one, next| one != next), "{illnesses:?}");
    for illness in illnesses {
        assert!(ILLNESSES.iter().any(|(id, _)| *id == illness), "{illness}");
    }
}

/// Whoever reads a patient is to find out by reading the code.
#[test]
fn no_patient_names_its_illness() {
    for Line { id, illness, files: [patient, _], .. } in LINES {
        let meaning = ILLNESSES.iter().find(|(id, _)| *id == illness).unwrap().1;
        for told in [illness, meaning, "TODO", "bug", "wrong"] {
            assert!(!patient.contains(told), "{id} says `{told}`");
        }
    }
}
