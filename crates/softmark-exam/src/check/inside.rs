//! Questions to a component inside of another one, for checks of a component that is composed of
//! the submission's own components.

use softmark_checks::{Answer, Case, Outcome, Stop, Subject};
use softmark_wire::{Attempt, Failure, FailureKind, Fault};

/// Asks the submission's own component `inner`, the question that the component asked by `outer`
/// should pass to it; `read` extracts the result from the answer.
///
/// # Errors
///
/// Returns "blocked" by the check `by` if the inner component gives no answer or one of another
/// shape, and "not implemented" if the outer component ends at a stub.
pub fn answer_inside<T>(
    subject: &mut Subject<'_>,
    (outer, inner): (&Case, &Case),
    by: &str,
    read: impl FnOnce(&Case, &Answer) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let blocked = |message: String| Stop::from(Outcome::Blocked { by: by.to_owned(), message });
    let answer = match subject.try_forward(inner)? {
        Attempt::Success(answer) => answer,
        Attempt::Fault(fault) => {
            // A written outer component reaches the inner stub, so its fault is "not implemented"
            // in both cases.
            if let Attempt::Fault(of_outer) = subject.try_forward(outer)?
                && is_stub(&of_outer)
            {
                let evidence = outer.evidence();
                return Err(Outcome::from_fault(of_outer, evidence).into());
            }
            return Err(blocked(if is_stub(&fault) {
                "the part inside is not implemented".to_owned()
            } else {
                format!("the part inside gives no answer: the code {fault}")
            }));
        }
    };
    read(inner, &answer).map_err(|stop| match stop {
        Stop::Outcome(_) => blocked("the part inside answers in another shape or type".to_owned()),
        error @ Stop::Error(_) => error,
    })
}

fn is_stub(fault: &Fault) -> bool {
    matches!(fault, Fault::Code(Failure { kind: FailureKind::NotImplemented, .. }))
}
