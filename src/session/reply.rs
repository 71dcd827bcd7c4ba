//! Decoding of a worker's replies, which may be any bytes at all.

use std::io::{self, ErrorKind, Read};

use softmark_wire::{FrameError, MAX_FRAME_BYTES, Reply, Request, read_frame};

/// Reason for a missing reply.
#[derive(Debug)]
pub enum Broken {
    /// The channel was closed.
    Closed,
    /// No reply arrived in time.
    TimedOut,
    /// The bytes were no reply to the request.
    Garbled(String),
    /// The grader's side failed.
    Io(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) {
            Self::Closed
        } else if error.kind() == ErrorKind::TimedOut {
            Self::TimedOut
        } else {
            Self::Io(error)
        }
    }
}

impl From<FrameError> for Broken {
    fn from(error: FrameError) -> Self {
        match error {
            // The frame is incomplete; the end of the process says more.
            FrameError::Closed | FrameError::Cut => Self::Closed,
            FrameError::Io(error) => error.into(),
            FrameError::Mark(_) | FrameError::TooLong { .. } => Self::Garbled(error.to_string()),
        }
    }
}

/// Reads one reply, which must be of a kind that answers the request.
///
/// # Errors
///
/// Fails if no reply comes, or the reply does not answer that request.
pub fn read_reply(from: &mut impl Read, to: &Request) -> Result<Reply, Broken> {
    let frame = read_frame(from, MAX_FRAME_BYTES)?;
    let reply = Reply::decode(&frame).map_err(|error| Broken::Garbled(error.to_string()))?;
    if fits(to, &reply) {
        Ok(reply)
    } else {
        Err(Broken::Garbled("an answer to another question".to_owned()))
    }
}

fn fits(request: &Request, reply: &Reply) -> bool {
    if let Request::ConstructAndAsk { request, .. } = request {
        return fits(request, reply);
    }
    matches!(
        (request, reply),
        (Request::Hello { .. }, Reply::Hello { .. })
            | (Request::Construct(_), Reply::Constructed | Reply::Failed(_))
            | (Request::Forward { .. }, Reply::Outputs(_) | Reply::Failed(_))
            | (Request::Gradients { .. }, Reply::Gradients { .. } | Reply::Failed(_))
            | (Request::Parameters, Reply::Parameters(_) | Reply::Failed(_))
            | (Request::Train { .. }, Reply::Trained(_) | Reply::Failed(_))
            | (Request::ReadParameters, Reply::ParameterValues(_) | Reply::Failed(_))
            | (Request::SetParameters { .. }, Reply::Updated | Reply::Failed(_))
            | (Request::Detectors, Reply::Detectors(_) | Reply::Failed(_))
            | (
                Request::Detect { .. } | Request::Observed(_),
                Reply::Experiment { .. } | Reply::Verdict { .. } | Reply::Failed(_)
            )
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use softmark_wire::{Construction, Failure, FailureKind, Recipe, Tensor, write_frame};

    use super::*;

    fn component() -> Construction {
        Construction { part: "p".to_owned(), config: Vec::new(), parameters: Vec::new() }
    }

    fn requests() -> [Request; 12] {
        [
            Request::Hello { version: 1 },
            Request::Construct(component()),
            Request::Forward { inputs: Vec::new() },
            Request::Gradients { inputs: Vec::new(), cotangents: Vec::new() },
            Request::Parameters,
            Request::Train {
                examples: Vec::new(),
                recipe: Recipe {
                    seed: 1,
                    epochs: 2,
                    batch_size: 3,
                    learning_rate: 0.5,
                    warm_up: 0.1,
                    weight_decay: 0.0,
                    clip_norm: 1.0,
                    stopping_threshold: 0.0,
                },
            },
            Request::Detectors,
            Request::Detect { detector: 0, config: Vec::new() },
            Request::Observed(Ok(Vec::new())),
            Request::ReadParameters,
            Request::SetParameters { parameters: Vec::new() },
            Request::ConstructAndAsk {
                component: component(),
                request: Box::new(Request::Forward { inputs: Vec::new() }),
            },
        ]
    }

    fn replies() -> [Reply; 12] {
        let tensor = Tensor::f32(&[2], vec![1.0, 2.0]).unwrap();
        [
            Reply::Hello { version: 1 },
            Reply::Constructed,
            Reply::Outputs(vec![("output".to_owned(), tensor.clone())]),
            Reply::Gradients {
                inputs: vec![("x".to_owned(), Some(tensor.clone()))],
                parameters: vec![("w".to_owned(), None)],
            },
            Reply::Parameters(vec![("w".to_owned(), vec![2, 3])]),
            Reply::Trained(tensor),
            Reply::Failed(Failure {
                kind: FailureKind::Panicked,
                message: "m".to_owned(),
                place: "p".to_owned(),
            }),
            Reply::Detectors(vec!["d".to_owned()]),
            Reply::Experiment { parameters: Vec::new(), inputs: Vec::new() },
            Reply::Verdict { bug: true, reason: "r".to_owned() },
            Reply::ParameterValues(vec![("w".to_owned(), Tensor::f32(&[1], vec![1.0]).unwrap())]),
            Reply::Updated,
        ]
    }

    /// For each request, the indices of the replies that answer it.
    const ANSWERS: [&[usize]; 12] = [
        &[0],
        &[1, FAILED],
        &[2, FAILED],
        &[3, FAILED],
        &[4, FAILED],
        &[5, FAILED],
        &[7, FAILED],
        &[8, 9, FAILED],
        &[8, 9, FAILED],
        &[10, FAILED],
        &[11, FAILED],
        &[2, FAILED],
    ];
    const FAILED: usize = 6;

    fn framed(reply: &Reply) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &reply.encode()).unwrap();
        bytes
    }

    #[test]
    fn only_the_kind_that_was_asked_for_is_an_answer() {
        for (i, request) in requests().iter().enumerate() {
            for (j, reply) in replies().iter().enumerate() {
                let read = read_reply(&mut framed(reply).as_slice(), request);
                if ANSWERS[i].contains(&j) {
                    assert_eq!(&read.unwrap(), reply);
                } else {
                    assert!(matches!(read, Err(Broken::Garbled(_))), "{request:?} {reply:?}");
                }
            }
        }
    }

    #[test]
    fn a_reply_that_is_cut_short_is_a_closed_channel() {
        let bytes = framed(&replies()[2]);
        for length in 0..bytes.len() {
            let read = read_reply(&mut &bytes[..length], &requests()[2]);
            assert!(matches!(read, Err(Broken::Closed)), "{length}: {read:?}");
        }
    }

    #[test]
    fn a_claim_is_refused_before_anything_is_read() {
        // The announced length exceeds the limit; the reader would never finish.
        let header = [b"SMK\x01".as_slice(), &u32::MAX.to_le_bytes()].concat();
        let mut endless = header.chain(io::repeat(0));
        let read = read_reply(&mut endless, &Request::Parameters);
        assert!(matches!(read, Err(Broken::Garbled(_))), "{read:?}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer_or_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            for request in requests() {
                let read = read_reply(&mut bytes.as_slice(), &request);
                prop_assert!(!matches!(read, Err(Broken::Io(_) | Broken::TimedOut)));
            }
        }

        #[test]
        fn any_message_in_a_frame_is_an_answer_or_a_fault(
            message in prop::collection::vec(any::<u8>(), 0..300),
            kind in 0_u8..13,
        ) {
            let mut message = message;
            message.insert(0, kind);
            let mut bytes = Vec::new();
            write_frame(&mut bytes, &message).unwrap();
            for request in requests() {
                match read_reply(&mut bytes.as_slice(), &request) {
                    Ok(reply) => prop_assert!(fits(&request, &reply)),
                    Err(broken) => prop_assert!(matches!(broken, Broken::Garbled(_))),
                }
            }
        }

        #[test]
        fn one_wrong_byte_is_an_answer_or_a_fault(at in 0_usize..100, byte in any::<u8>()) {
            for (request, reply) in requests().iter().zip(replies()) {
                let mut bytes = framed(&reply);
                let at = at % bytes.len();
                bytes[at] = byte;
                let read = read_reply(&mut bytes.as_slice(), request);
                prop_assert!(!matches!(read, Err(Broken::Io(_) | Broken::TimedOut)));
            }
        }
    }
}
