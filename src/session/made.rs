//! Requests that gave a worker its state, for restoring it in another process.

use softmark_wire::{Reply, Request};

use crate::digest;

/// Request, with the hash of its answer if a repetition must return the same answer.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) request: Request,
    /// Hash of the answer; `None` if any answer is accepted.
    answer: Option<String>,
}

impl Step {
    /// True if a request does not depend on earlier requests.
    pub(crate) fn is_alone(request: &Request) -> bool {
        matches!(
            request,
            Request::Construct(_) | Request::Hello { .. } | Request::ConstructAndAsk { .. }
        )
    }

    /// True if this reply leads to the same state as the recorded one.
    pub(crate) fn fits(&self, reply: &Reply) -> bool {
        self.answer.as_ref().is_none_or(|answer| *answer == hash(reply))
    }
}

/// Requests that produced the component's state, in order: its construction, perhaps its training,
/// and perhaps the experiments of a running detector.
#[derive(Debug, Clone, Default)]
pub(crate) struct Made {
    steps: Vec<Step>,
    /// Number of steps before those of a detector.
    lasting: usize,
}

impl Made {
    /// Returns all steps.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Records a request and its reply; `reply` is `None` if the code failed.
    pub(crate) fn note(&mut self, request: &Request, reply: Option<&Reply>) {
        match (request, reply) {
            (Request::Construct(_), _) => {
                self.steps.clear();
                // If a component cannot be constructed, there is none, and the previous one is gone
                // too.
                if reply.is_some() {
                    self.push(request, None);
                }
                self.lasting = self.steps.len();
            }
            (Request::ConstructAndAsk { component, request }, _) => {
                // If it failed, nobody knows which of the two did, so nothing is restored.
                let constructed = reply.map(|_| &Reply::Constructed);
                self.note(&Request::Construct(component.clone()), constructed);
                self.note(request, reply);
            }
            (Request::Train { .. } | Request::SetParameters { .. }, Some(_)) => {
                self.steps.truncate(self.lasting);
                self.push(request, None);
                self.lasting = self.steps.len();
            }
            (Request::Detect { .. }, Some(reply @ Reply::Experiment { .. })) => {
                self.steps.truncate(self.lasting);
                // The answer to an experiment is valid for that experiment only.
                self.push(request, Some(hash(reply)));
            }
            (Request::Observed(_), Some(reply @ Reply::Experiment { .. })) => {
                self.push(request, Some(hash(reply)));
            }
            (
                Request::Hello { .. }
                | Request::Forward { .. }
                | Request::Gradients { .. }
                | Request::Parameters
                | Request::ReadParameters
                | Request::SetParameters { .. }
                | Request::Train { .. }
                | Request::Detectors
                | Request::Detect { .. }
                | Request::Observed(_),
                _,
            ) => self.steps.truncate(self.lasting),
        }
    }

    fn push(&mut self, request: &Request, answer: Option<String>) {
        self.steps.push(Step { request: request.clone(), answer });
    }
}

fn hash(reply: &Reply) -> String {
    digest::of(&[reply.encode()])
}

#[cfg(test)]
mod tests {
    use softmark_wire::Construction;

    use super::*;

    fn component() -> Construction {
        Construction { part: "p".to_owned(), config: Vec::new(), parameters: Vec::new() }
    }

    fn construct() -> Request {
        Request::Construct(component())
    }

    fn experiment(name: &str) -> Reply {
        let tensor = softmark_wire::Tensor::f32(&[1], vec![1.0]).unwrap();
        Reply::Experiment { parameters: Vec::new(), inputs: vec![(name.to_owned(), tensor)] }
    }

    #[test]
    fn a_detector_is_followed_up_to_its_verdict() {
        let mut made = Made::default();
        let observed = Request::Observed(Ok(Vec::new()));
        made.note(&construct(), Some(&Reply::Constructed));
        let detect = Request::Detect { detector: 0, config: Vec::new() };
        made.note(&detect, Some(&experiment("a")));
        made.note(&observed, Some(&experiment("b")));
        assert_eq!(made.steps().len(), 3);
        assert!(made.steps()[1].fits(&experiment("a")) && !made.steps()[1].fits(&experiment("b")));
        assert!(made.steps()[0].fits(&Reply::Constructed));
        let verdict = Reply::Verdict { bug: true, reason: String::new() };
        made.note(&observed, Some(&verdict));
        assert_eq!(made.steps().len(), 1);
        made.note(&detect, Some(&experiment("a")));
        made.note(&construct(), Some(&Reply::Constructed));
        assert_eq!(made.steps().len(), 1);
    }

    #[test]
    fn a_request_about_a_new_component_is_its_construction_and_the_request() {
        let mut made = Made::default();
        let (values, request) = (Request::SetParameters { parameters: Vec::new() }, construct());
        made.note(&request, Some(&Reply::Constructed));
        let about = |then: &Request| Request::ConstructAndAsk {
            component: component(),
            request: Box::new(then.clone()),
        };
        made.note(&about(&values), Some(&Reply::Updated));
        assert_eq!(made.steps().len(), 2);
        made.note(&about(&Request::Parameters), Some(&Reply::Parameters(Vec::new())));
        assert_eq!(made.steps().len(), 1);
        assert!(Step::is_alone(&about(&values)) && !Step::is_alone(&values));
        made.note(&about(&values), None);
        assert!(made.steps().is_empty());
    }

    #[test]
    fn a_part_that_cannot_be_made_leaves_none() {
        let mut made = Made::default();
        made.note(&construct(), Some(&Reply::Constructed));
        made.note(&construct(), None);
        assert!(made.steps().is_empty());
    }
}
