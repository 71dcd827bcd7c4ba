//! Messages survive a round trip, and any bytes decode to a message or an error.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop; helpers are not covered by clippy.toml"
)]

use std::io::{self, Cursor, ErrorKind, Read};

use proptest::prelude::*;
use softmark_wire::codec::{DecodeError, MAX_ENTRIES, MAX_NAME_BYTES, MAX_TEXT_BYTES, Reader};
use softmark_wire::tensor::MAX_RANK;
use softmark_wire::{
    Construction, Data, Failure, FailureKind, FrameError, Input, MAX_FRAME_BYTES, Recipe, Reply,
    Request, Tensor, TensorError, read_frame, write_frame,
};

fn data(n: usize) -> BoxedStrategy<Data> {
    // From bits: every NaN, both zeros, every subnormal.
    let f32s = prop::collection::vec(any::<u32>().prop_map(f32::from_bits), n);
    let f64s = prop::collection::vec(any::<u64>().prop_map(f64::from_bits), n);
    prop_oneof![
        f32s.prop_map(Data::F32),
        f64s.prop_map(Data::F64),
        prop::collection::vec(any::<u8>(), n).prop_map(Data::U8),
        prop::collection::vec(any::<u32>(), n).prop_map(Data::U32),
        prop::collection::vec(any::<i64>(), n).prop_map(Data::I64),
    ]
    .boxed()
}

fn tensor() -> impl Strategy<Value = Tensor> {
    let shape = prop_oneof![
        prop::collection::vec(0_usize..4, 0..=4),
        prop::collection::vec(0_usize..=1, 0..=MAX_RANK),
    ];
    shape.prop_flat_map(|shape| {
        let n = shape.iter().product();
        data(n).prop_map(move |data| Tensor::new(&shape, data).unwrap())
    })
}

fn name() -> impl Strategy<Value = String> {
    "\\PC{0,12}"
}

fn list<T: std::fmt::Debug>(of: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(of, 0..4)
}

fn input() -> impl Strategy<Value = Input> {
    (name(), tensor(), any::<bool>()).prop_map(|(name, tensor, strided)| Input {
        name,
        tensor,
        strided,
    })
}

fn request() -> impl Strategy<Value = Request> {
    let both = (component(), request_about()).prop_map(|(component, request)| {
        Request::ConstructAndAsk { component, request: Box::new(request) }
    });
    prop_oneof![
        any::<u32>().prop_map(|version| Request::Hello { version }),
        component().prop_map(Request::Construct),
        request_about(),
        both,
    ]
}

fn component() -> impl Strategy<Value = Construction> {
    (name(), list((name(), any::<u64>())), list((name(), tensor())))
        .prop_map(|(part, config, parameters)| Construction { part, config, parameters })
}

/// A request about a component.
fn request_about() -> impl Strategy<Value = Request> {
    prop_oneof![
        list(input()).prop_map(|inputs| Request::Forward { inputs }),
        (list(input()), list((name(), tensor())))
            .prop_map(|(inputs, cotangents)| Request::Gradients { inputs, cotangents }),
        Just(Request::Parameters),
        (list(input()), recipe())
            .prop_map(|(examples, recipe)| Request::Train { examples, recipe }),
        Just(Request::Detectors),
        (any::<u32>(), list((name(), any::<u64>())))
            .prop_map(|(detector, config)| Request::Detect { detector, config }),
        list((name(), tensor())).prop_map(|tensors| Request::Observed(Ok(tensors))),
        any::<String>().prop_map(|message| Request::Observed(Err(message))),
        Just(Request::ReadParameters),
        list((name(), tensor())).prop_map(|parameters| Request::SetParameters { parameters }),
    ]
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let counts = (any::<u64>(), any::<u32>(), any::<u32>());
    (counts, prop::array::uniform5(any::<f64>())).prop_map(
        |(
            (seed, epochs, batch_size),
            [learning_rate, warm_up, weight_decay, clip_norm, stopping_threshold],
        )| Recipe {
            seed,
            epochs,
            batch_size,
            learning_rate,
            warm_up,
            weight_decay,
            clip_norm,
            stopping_threshold,
        },
    )
}

#[test]
fn a_construction_contains_no_other_construction_and_no_hello() {
    let component =
        || Construction { part: "p".to_owned(), config: Vec::new(), parameters: Vec::new() };
    let both =
        |request| Request::ConstructAndAsk { component: component(), request: Box::new(request) };
    let right = both(Request::Parameters);
    assert_eq!(Request::decode(&right.encode()).as_ref(), Ok(&right));
    for inner in [Request::Hello { version: 1 }, Request::Construct(component()), right] {
        let request = both(inner);
        assert!(Request::decode(&request.encode()).is_err(), "{request:?}");
    }
}

fn failure() -> impl Strategy<Value = Failure> {
    let kind = prop::sample::select(vec![
        FailureKind::NotImplemented,
        FailureKind::Panicked,
        FailureKind::Refused,
        FailureKind::Parameter,
        FailureKind::Unsendable,
    ]);
    (kind, any::<String>(), any::<String>()).prop_map(|(kind, message, place)| Failure {
        kind,
        message,
        place,
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    let gradients = || list((name(), prop::option::of(tensor())));
    let shape = prop::collection::vec(any::<usize>(), 0..=MAX_RANK);
    prop_oneof![
        any::<u32>().prop_map(|version| Reply::Hello { version }),
        Just(Reply::Constructed),
        list((name(), tensor())).prop_map(Reply::Outputs),
        (gradients(), gradients())
            .prop_map(|(inputs, parameters)| Reply::Gradients { inputs, parameters }),
        list((name(), shape)).prop_map(Reply::Parameters),
        failure().prop_map(Reply::Failed),
        tensor().prop_map(Reply::Trained),
        list(any::<String>()).prop_map(Reply::Detectors),
        (list((name(), tensor())), list((name(), tensor())))
            .prop_map(|(parameters, inputs)| Reply::Experiment { parameters, inputs }),
        (any::<bool>(), any::<String>()).prop_map(|(bug, reason)| Reply::Verdict { bug, reason }),
        list((name(), tensor())).prop_map(Reply::ParameterValues),
        Just(Reply::Updated),
    ]
}

proptest! {
    // Compared as bytes, since a NaN does not equal itself.

    #[test]
    fn a_request_arrives_to_the_bit(request in request()) {
        let bytes = request.encode();
        prop_assert_eq!(Request::decode(&bytes).unwrap().encode(), bytes);
    }

    #[test]
    fn a_reply_arrives_to_the_bit(reply in reply()) {
        let bytes = reply.encode();
        prop_assert_eq!(Reply::decode(&bytes).unwrap().encode(), bytes);
    }

    #[test]
    fn what_has_no_nan_arrives_equal(shape in prop::collection::vec(0_usize..4, 0..4), seed: u8) {
        let n: usize = shape.iter().product();
        let values = (0..n).map(|i| i as f32 + f32::from(seed)).collect();
        let tensor = Tensor::f32(&shape, values).unwrap();
        let inputs = vec![Input { name: "x".to_owned(), tensor, strided: seed % 2 == 0 }];
        let request = Request::Forward { inputs };
        prop_assert_eq!(Request::decode(&request.encode()).unwrap(), request);
    }

    #[test]
    fn a_message_that_is_cut_or_goes_on_is_none(
        request in request(),
        reply in reply(),
        more in any::<u8>(),
    ) {
        let mut bytes = request.encode();
        for length in 0..bytes.len() {
            prop_assert!(Request::decode(&bytes[..length]).is_err(), "{}", length);
        }
        bytes.push(more);
        prop_assert_eq!(Request::decode(&bytes), Err(DecodeError::Trailing(1)));
        let mut bytes = reply.encode();
        for length in 0..bytes.len() {
            prop_assert!(Reply::decode(&bytes[..length]).is_err(), "{}", length);
        }
        bytes.push(more);
        prop_assert_eq!(Reply::decode(&bytes), Err(DecodeError::Trailing(1)));
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(
        kind in 0_u8..13,
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut message = vec![kind];
        message.extend(&bytes);
        // Bytes that decode are exactly the encoding of the message.
        if let Ok(request) = Request::decode(&message) {
            prop_assert_eq!(request.encode(), message.clone());
        }
        if let Ok(reply) = Reply::decode(&message) {
            prop_assert_eq!(reply.encode(), message.clone());
        }
        drop(read_frame(&mut bytes.as_slice(), MAX_FRAME_BYTES));
    }

    #[test]
    fn one_wrong_byte_is_a_message_or_an_error(
        reply in reply(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = reply.encode();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(reply) = Reply::decode(&bytes) {
            prop_assert_eq!(reply.encode(), bytes);
        }
    }

    #[test]
    fn frames_arrive_in_order_however_they_are_cut_up(
        messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..5),
        step in 1_usize..20,
    ) {
        let mut bytes = Vec::new();
        for message in &messages {
            write_frame(&mut bytes, message).unwrap();
        }
        let mut from = Pieces { bytes: Cursor::new(bytes), step, interrupted: false };
        for message in &messages {
            prop_assert_eq!(&read_frame(&mut from, 50).unwrap(), message);
        }
        prop_assert!(matches!(read_frame(&mut from, 50), Err(FrameError::Closed)));
    }

    #[test]
    fn a_frame_that_is_cut_is_told_from_a_closed_channel(
        message in prop::collection::vec(any::<u8>(), 0..50),
    ) {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &message).unwrap();
        for length in 0..bytes.len() {
            let read = read_frame(&mut &bytes[..length], 50);
            let closed = matches!(read, Err(FrameError::Closed));
            let cut = matches!(read, Err(FrameError::Cut));
            prop_assert!(if length == 0 { closed } else { cut }, "{}", length);
        }
        if !message.is_empty() {
            let read = read_frame(&mut bytes.as_slice(), message.len() - 1);
            let too_long = matches!(read, Err(FrameError::TooLong { .. }));
            prop_assert!(too_long);
        }
    }
}

/// A reader that returns a few bytes at a time and is interrupted every other time.
struct Pieces {
    bytes: Cursor<Vec<u8>>,
    step: usize,
    interrupted: bool,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        let n = self.step.min(buffer.len());
        self.bytes.read(&mut buffer[..n])
    }
}

#[test]
fn what_does_not_open_a_frame_is_refused_at_once() {
    let mut printed = b"test result: ok.".chain(io::repeat(b'x'));
    assert!(
        matches!(read_frame(&mut printed, 100), Err(FrameError::Mark(mark)) if &mark == b"test")
    );
    assert!(write_frame(&mut io::sink(), &vec![0; MAX_FRAME_BYTES + 1]).is_err());
}

#[test]
fn names_and_texts_are_cut_where_a_character_ends() {
    let long = "ä".repeat(MAX_TEXT_BYTES);
    let failure =
        Failure { kind: FailureKind::Panicked, message: format!("x{long}"), place: long.clone() };
    let Ok(Reply::Failed(read)) = Reply::decode(&Reply::Failed(failure).encode()) else { panic!() };
    assert_eq!(read.message.len(), MAX_TEXT_BYTES - 1);
    assert_eq!(read.place.len(), MAX_TEXT_BYTES);
    let part = long;
    let request =
        Request::Construct(Construction { part, config: Vec::new(), parameters: Vec::new() });
    let Ok(Request::Construct(Construction { part, .. })) = Request::decode(&request.encode())
    else {
        panic!()
    };
    assert_eq!(part.len(), MAX_NAME_BYTES);
}

#[test]
fn names_texts_and_lists_over_their_limits_are_refused() {
    let counted =
        |n: usize, rest: &[u8]| [u32::try_from(n).unwrap().to_le_bytes().as_slice(), rest].concat();
    let too_many = |what, got, limit| Err::<String, _>(DecodeError::TooMany { what, got, limit });
    let text = vec![b'x'; MAX_TEXT_BYTES + 1];
    let name = &text[..=MAX_NAME_BYTES];
    let bytes = counted(name.len(), name);
    assert_eq!(Reader::new(&bytes).name(), too_many("name", MAX_NAME_BYTES + 1, MAX_NAME_BYTES));
    assert_eq!(Reader::new(&bytes).text().unwrap().len(), name.len());
    let bytes = counted(text.len(), &text);
    assert_eq!(Reader::new(&bytes).text(), too_many("text", text.len(), MAX_TEXT_BYTES));
    let bytes = counted(MAX_ENTRIES + 1, &vec![0; MAX_ENTRIES + 1]);
    let list = Reader::new(&bytes).list(Reader::u8);
    assert_eq!(list.map(drop), too_many("list", MAX_ENTRIES + 1, MAX_ENTRIES).map(drop));
    assert_eq!(Reader::new(&counted(2, b"\xc3\x28")).text(), Err(DecodeError::Utf8));
    assert_eq!(Reader::new(&[2]).bool(), Err(DecodeError::Tag { what: "truth value", tag: 2 }));
}

#[test]
fn lists_are_cut_so_that_they_can_be_read_back() {
    let parameters = vec![(String::new(), Vec::new()); MAX_ENTRIES + 7];
    let bytes = Reply::Parameters(parameters).encode();
    let Ok(Reply::Parameters(read)) = Reply::decode(&bytes) else { panic!() };
    assert_eq!(read.len(), MAX_ENTRIES);
}

/// Encodes a reply with one output of this type and shape, without its elements.
fn claim(dtype: u8, shape: &[u64]) -> Vec<u8> {
    let mut bytes = vec![2, 1, 0, 0, 0, 0, 0, 0, 0, dtype, u8::try_from(shape.len()).unwrap()];
    for size in shape {
        bytes.extend(size.to_le_bytes());
    }
    bytes
}

#[test]
fn what_cannot_be_is_told_apart() {
    let refused = |bytes: &[u8]| Reply::decode(bytes).unwrap_err();
    assert_eq!(refused(&claim(9, &[1])), DecodeError::Tag { what: "dtype", tag: 9 });
    assert_eq!(refused(&claim(0, &[1; 9])), DecodeError::Tensor(TensorError::Rank { rank: 9 }));
    for shape in [[1 << 32, 1 << 32, 1].as_slice(), &[u64::MAX, 2], &[1 << 62]] {
        let error = refused(&claim(0, shape));
        assert!(matches!(error, DecodeError::Tensor(TensorError::Overflow { .. })), "{error}");
    }
    assert_eq!(refused(&claim(0, &[3])), DecodeError::Short { want: 12, got: 0 });
}
