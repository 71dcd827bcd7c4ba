//! Response of a submission.

use std::collections::BTreeMap;

use softmark_wire::DType;

use crate::array::Array;
use crate::response::Response;
use crate::subject::Answer;

/// Response of a submission to a diagnostic case.
#[derive(Debug, Clone, PartialEq)]
pub struct Came {
    /// Response in the form that imitations use.
    pub response: Response,
    /// Values of the outputs, if not all of them are `f32`.
    pub other: Option<BTreeMap<String, Array>>,
}

impl From<Response> for Came {
    fn from(response: Response) -> Self {
        Self { response, other: None }
    }
}

impl Came {
    /// Returns the response that an answer is; `arrays` are its outputs, with zeros where a right component may give any
    /// number.
    pub fn of_answer(answer: &Answer, arrays: BTreeMap<String, Array>) -> Self {
        let is_f32 = |name: &String| answer.tensor(name).is_some_and(|it| it.dtype() == DType::F32);
        if arrays.keys().all(is_f32) {
            Response::Outputs(arrays).into()
        } else {
            Self { response: Response::OtherType, other: Some(arrays) }
        }
    }
}
