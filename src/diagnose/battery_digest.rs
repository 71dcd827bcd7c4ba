//! Digest of the diagnostic cases of a task.

use softmark_checks::Array;
use softmark_exam::Question;

use crate::digest::Digest;

/// Returns the digest of diagnostic cases: of everything that a component is asked, in order. Numbers are rounded to
/// `f32`, in which they are sent.
pub(super) fn digest(questions: &[Question]) -> String {
    let mut digest = Digest::default();
    for question in questions {
        add_question(&mut digest, question);
    }
    digest.finish()
}

fn add_question(digest: &mut Digest, question: &Question) {
    let Question { aspect, case, cotangents, meaningful: _ } = question;
    let cotangents = cotangents.as_deref();
    // The numbers of entries keep lists apart that follow one another.
    let counts = [case.config.len(), case.parameters.len(), case.inputs.len()];
    let counts = format!("{counts:?} {:?}", cotangents.map(<[_]>::len));
    for text in [&format!("{aspect:?}"), case.part(), &counts] {
        digest.add(text.as_bytes());
    }
    for (name, size) in &case.config {
        digest.add(name.as_bytes());
        digest.add(&size.to_le_bytes());
    }
    for (name, array) in &case.parameters {
        digest.add(name.as_bytes());
        add_array(digest, array);
    }
    for input in &case.inputs {
        digest.add(input.name.as_bytes());
        digest.add(format!("{:?} {}", input.kind, input.strided).as_bytes());
        add_array(digest, &input.array);
    }
    for (name, array) in cotangents.into_iter().flatten() {
        digest.add(name.as_bytes());
        add_array(digest, array);
    }
}

fn add_array(digest: &mut Digest, array: &Array) {
    digest.add(format!("{:?}", array.shape()).as_bytes());
    #[expect(clippy::cast_possible_truncation, reason = "components are asked in f32")]
    let bits = array.values().iter().flat_map(|&x| (x as f32).to_bits().to_le_bytes());
    digest.add(&bits.collect::<Vec<u8>>());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use softmark_checks::{Case, InputKind, Signature};
    use softmark_exam::Aspect;

    use super::*;

    static PART: Signature =
        Signature::new("part", &[&["size", "other"]], &["x", "y"], &["output", "weights"]);

    fn question() -> Question {
        let case = Case::new(&PART, "label".to_owned()).size("size", 2);
        let case = case.parameter("weight", Array::full(&[2], 0.5));
        let case = case.input("x", Array::new(&[2], vec![1.0, 2.0]));
        Question::gradients(case, vec![("output", Array::full(&[2], 0.25))])
    }

    /// Returns the digest of a case after a change.
    fn changed(change: fn(&mut Question)) -> String {
        let mut question = question();
        change(&mut question);
        digest(&[question])
    }

    #[test]
    fn digest_depends_on_everything_that_is_asked() {
        let all = [
            changed(|_| ()),
            changed(|it| it.aspect = Aspect::Plain),
            changed(|it| it.case.config[0].0 = "other"),
            changed(|it| it.case.config[0].1 = 3),
            changed(|it| it.case.parameters[0].0 = "bias".to_owned()),
            changed(|it| it.case.parameters[0].1 = Array::full(&[2], 0.75)),
            changed(|it| it.case.inputs[0].name = "y"),
            changed(|it| it.case.inputs[0].kind = InputKind::Ids),
            changed(|it| it.case.inputs[0].strided = true),
            changed(|it| it.case.inputs[0].array = Array::new(&[2, 1], vec![1.0, 2.0])),
            changed(|it| it.case.inputs[0].array = Array::new(&[2], vec![1.0, -2.0])),
            changed(|it| it.cotangents = None),
            changed(|it| it.cotangents = Some(vec![("weights", Array::full(&[2], 0.25))])),
            changed(|it| it.cotangents = Some(vec![("output", Array::full(&[2], 0.5))])),
            digest(&[]),
            digest(&[question(), question()]),
        ];
        assert_eq!(BTreeSet::from(all.clone()).len(), all.len());
        assert_eq!(changed(|it| it.case.label.clear()), all[0]);
    }
}
