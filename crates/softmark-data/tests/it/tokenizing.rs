//! Tokenizers on published data, compared with the library's own trainer and a published configuration.

use std::collections::{BTreeMap, BTreeSet};

use softmark_data::ag_news::{self, Marks};
use softmark_data::decode::Encoding;
use softmark_data::tokenize::merges;
use softmark_data::tokenize::{
    BpeOptions, Case, Frame, Length, TokenizeError, bpe, parse_vocabulary, read_word_piece,
    word_level, word_piece,
};
use softmark_data::{TextDataset, imdb, newsgroups, polarity, trec};
use tokenizers::models::TrainerWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::whitespace::Whitespace;
use tokenizers::{AddedToken, Tokenizer};

use crate::support::{assert_published, data, sha256};

const SPECIAL: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

fn news() -> Option<(TextDataset, TextDataset)> {
    let data = data()?;
    let train = ag_news::read(&data.join("ag_news/train_subset_union.csv"), Marks::Kept).unwrap();
    let test = ag_news::read(&data.join("ag_news/ag_news_csv/test.csv"), Marks::Kept).unwrap();
    Some((train, test))
}

#[test]
fn a_thousand_pieces_are_those_of_the_crates_own_trainer() {
    let Some((train, test)) = news() else { return };
    let ours =
        bpe(train.texts(), BpeOptions { frame: Frame::Bare, ..BpeOptions::default() }).unwrap();
    assert_eq!(ours.size(), 1000);
    assert_eq!(ours.vocabulary()[..5], SPECIAL);

    let mut theirs = Tokenizer::new(BPE::builder().unk_token("[UNK]".to_owned()).build().unwrap());
    theirs.with_pre_tokenizer(Some(Whitespace));
    let special = SPECIAL.map(|token| AddedToken::from(token, true)).to_vec();
    let trainer =
        BpeTrainer::builder().vocab_size(1000).show_progress(false).special_tokens(special);
    theirs.train(&mut TrainerWrapper::from(trainer.build()), train.texts()).unwrap();

    assert_eq!(ours.size(), theirs.get_vocab_size(true));
    for (id, token) in (0..).zip(ours.vocabulary()) {
        assert_eq!(theirs.id_to_token(id), Some(token));
    }
    for text in test.texts().take(1000) {
        let want = theirs.encode_fast(text, false).unwrap();
        assert_eq!(ours.encode(text).unwrap(), want.get_ids(), "{text}");
    }
}

#[test]
fn a_thousand_pieces_are_the_same_in_every_process() {
    let Some((train, test)) = news() else { return };
    let tokenizer = bpe(train.texts(), BpeOptions::default()).unwrap();
    let json = tokenizer.json().unwrap();
    // A recorded digest shows that the order of hash maps in another process makes no difference.
    assert_eq!(sha256(json.as_bytes()), DIGEST);
    let read = Tokenizer::from_bytes(json.as_bytes()).unwrap();
    let exactly = tokenizer.with_length(Length::Exactly(128)).unwrap();
    let mut cut = 0;
    for text in test.texts().take(500) {
        let ids = exactly.encode(text).unwrap();
        let whole = read.encode_fast(text, true).unwrap();
        assert_eq!(ids.len(), 128);
        assert_eq!(ids[0], 2);
        let used = ids.iter().rposition(|id| *id != 0).unwrap();
        assert_eq!(ids[used], 3, "the frame is kept where a text is cut");
        assert_eq!(ids[..used], whole.get_ids()[..used]);
        cut += usize::from(whole.get_ids().len() > 128);
    }
    assert!(cut > 0, "no text was long enough to be cut");
}

/// SHA-256 of `tokenizer.json` for the 30,022 training rows.
const DIGEST: &str = "a69c4a0f6b4159210f95d618ae69294cf8342c224988f77823279ddd12306da3";

#[test]
fn word_level_takes_the_most_frequent_words_of_the_training_part() {
    let Some((train, test)) = news() else { return };
    let tokenizer = word_level(train.texts(), 5000).unwrap();
    assert_eq!(tokenizer.size(), 5002);
    assert_eq!((tokenizer.pad(), tokenizer.unknown()), (0, 1));
    let words = tokenizer.vocabulary();
    assert_eq!(words[..6], ["[PAD]", "[UNK]", ".", "the", ",", "-"]);
    assert_eq!(words, word_level(train.texts(), 5000).unwrap().vocabulary());
    assert_eq!(tokenizer.json().unwrap(), word_level(train.texts(), 5000).unwrap().json().unwrap());
    let encoded = tokenizer.encode_all(&test).unwrap();
    assert_eq!((encoded.ids.len(), &encoded.labels), (7600, &test.labels()));
    let all = encoded.ids.iter().flatten();
    let unknown = all.clone().filter(|id| **id == 1).count() as f64 / all.count() as f64;
    assert!((0.05..0.15).contains(&unknown), "{unknown}");
    assert!(encoded.ids.iter().flatten().all(|id| (1..5002).contains(id)));
}

#[test]
fn words_of_one_count_stand_in_their_own_order() {
    let texts = ["b a! c", "C é 2", "b _x"];
    let words = word_level(texts, 4).unwrap().vocabulary();
    assert_eq!(words, ["[PAD]", "[UNK]", "b", "c", "!", "2"]);
    let mut other = texts;
    other.reverse();
    assert_eq!(word_level(other, 4).unwrap().vocabulary(), words);
    assert_eq!(word_level(texts, 100).unwrap().size(), 2 + 8);
}

#[test]
fn word_piece_is_the_published_configuration() {
    let Some(data) = data() else { return };
    assert_published(&data, "bert-base-uncased/");
    let folder = data.join("bert-base-uncased");
    let ours = read_word_piece(&folder.join("vocab.txt"), Case::Lowered).unwrap();
    let theirs = Tokenizer::from_file(folder.join("tokenizer.json")).unwrap();
    assert_eq!(ours.size(), 30522);
    assert_eq!((ours.pad(), ours.unknown()), (0, 100));
    for (id, token) in (0..).zip(ours.vocabulary()) {
        assert_eq!(theirs.id_to_token(id), Some(token));
    }
    let groups = ["comp.graphics", "sci.space"];
    let posts = data.join("20news-bydate/20news-bydate-test");
    let datasets = [
        trec::read(&data.join("trec/train_5500.label")).unwrap(),
        ag_news::read(&data.join("ag_news/ag_news_csv/test.csv"), Marks::Kept).unwrap(),
        polarity::read(&data.join("sentence_polarity/8bit"), Encoding::Latin1).unwrap(),
        imdb::read(&data.join("aclImdb/test")).unwrap(),
        newsgroups::read(&posts, &groups, newsgroups::Removed::NOTHING).unwrap(),
    ];
    let mut compared = 0;
    for text in datasets.iter().flat_map(TextDataset::texts) {
        let want = theirs.encode_fast(text, true).unwrap();
        assert_eq!(ours.encode(text).unwrap(), want.get_ids(), "{text}");
        compared += 1;
    }
    assert_eq!(compared, 5452 + 7600 + 10662 + 1000 + 389 + 394);
}

#[test]
fn a_text_cannot_put_special_tokens_in() {
    let tokens = [&SPECIAL[..], &["[", "]", "pad", "sep", "a", "##b"]].concat();
    let tokens: Vec<String> = tokens.iter().map(|token| (*token).to_owned()).collect();
    let piece = word_piece(tokens.clone(), Case::Lowered).unwrap();
    assert_eq!(piece.encode("[SEP] ab").unwrap(), [2, 5, 8, 6, 9, 10, 3]);
    let words = word_level(["[PAD] [PAD]"], 10).unwrap();
    assert_eq!(words.vocabulary(), ["[PAD]", "[UNK]", "[", "]", "pad"]);
    assert_eq!(words.encode("[PAD]").unwrap(), [2, 4, 3]);
    let options = BpeOptions { vocabulary: 60, frame: Frame::Bare, ..BpeOptions::default() };
    let pieces = bpe(["[PAD] [UNK] [PAD]"], options).unwrap();
    assert!(pieces.encode("[PAD][UNK]").unwrap().iter().all(|id| *id >= 5));
    let spelt = BTreeMap::from([("[PAD]".to_owned(), 9)]);
    let learnt = merges::train(&spelt, &["[PAD]"], 100);
    assert!(learnt.pairs.iter().all(|(left, right)| format!("{left}{right}") != "[PAD]"));

    let without: Vec<String> = tokens.into_iter().filter(|token| token != "[SEP]").collect();
    let error = word_piece(without, Case::Kept).unwrap_err();
    assert!(matches!(error, TokenizeError::Missing { token: "[SEP]" }));
}

#[test]
fn lengths_count_the_frame() {
    let pieces = bpe(["a b c d"], BpeOptions::default()).unwrap();
    let ids = |length| pieces.clone().with_length(length).map(|it| it.encode("a b c d").unwrap());
    assert_eq!(ids(Length::Any).unwrap(), [2, 5, 6, 7, 8, 3]);
    assert_eq!(ids(Length::AtMost(4)).unwrap(), [2, 5, 6, 3]);
    assert_eq!(ids(Length::AtMost(9)).unwrap().len(), 6);
    assert_eq!(ids(Length::Exactly(8)).unwrap(), [2, 5, 6, 7, 8, 3, 0, 0]);
    assert_eq!(ids(Length::Exactly(3)).unwrap(), [2, 5, 3]);
    for length in [Length::Exactly(2), Length::AtMost(0)] {
        assert!(matches!(ids(length), Err(TokenizeError::Length { special: 2, .. })));
    }
    let words = word_level(["a"], 9).unwrap();
    assert!(words.clone().with_length(Length::AtMost(0)).is_err());
    assert_eq!(words.clone().with_length(Length::AtMost(1)).unwrap().encode("a a").unwrap(), [2]);
    assert_eq!(words.encode("").unwrap(), [0_u32; 0]);
}

#[test]
fn vocabularies_that_cannot_be_are_refused() {
    assert!(matches!(word_level(["", " \n"], 9), Err(TokenizeError::NoWords)));
    let options = BpeOptions { vocabulary: 7, ..BpeOptions::default() };
    let error = bpe(["a b c"], options).unwrap_err();
    assert!(matches!(error, TokenizeError::Vocabulary { wanted: 7, least: 8 }));
    for (bytes, want) in [
        (b"a\nb\na\n".as_slice(), "v:3: `a` is on line 1 already"),
        (b"a\n\nb\n", "v:2: has no text"),
        (b"a\n\xff\n", "v:2: is not UTF-8"),
        (b"", "v: has no rows"),
    ] {
        let error = parse_vocabulary("v", bytes).unwrap_err().to_string();
        assert!(error.starts_with(want), "{error}");
    }
}

/// Learns merges by definition: all pairs are counted again after each merge.
#[expect(clippy::indexing_slicing, reason = "a plain twin; an index that is wrong fails the test")]
fn slow(words: &BTreeMap<String, u64>, size: usize) -> Vec<String> {
    let alphabet: BTreeSet<char> = words.keys().flat_map(|word| word.chars()).collect();
    let mut tokens: Vec<String> = alphabet.iter().map(char::to_string).collect();
    let mut split: Vec<(Vec<usize>, u64)> = Vec::new();
    for (word, count) in words {
        let id = |c: char| tokens.iter().position(|token| *token == c.to_string()).unwrap();
        split.push((word.chars().map(id).collect(), *count));
    }
    while tokens.len() < size {
        let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (ids, count) in &split {
            for pair in ids.windows(2) {
                *counts.entry((pair[0], pair[1])).or_default() += count;
            }
        }
        let best = counts.iter().max_by_key(|(pair, count)| (**count, std::cmp::Reverse(**pair)));
        let Some((&pair, _)) = best else { break };
        let whole = format!("{}{}", tokens[pair.0], tokens[pair.1]);
        let token = tokens.iter().position(|it| *it == whole).unwrap_or_else(|| {
            tokens.push(whole);
            tokens.len() - 1
        });
        for (ids, _) in &mut split {
            let mut at = 0;
            while at + 1 < ids.len() {
                if (ids[at], ids[at + 1]) == pair {
                    ids.splice(at..at + 2, [token]);
                }
                at += 1;
            }
        }
    }
    tokens
}

proptest::proptest! {
    #[test]
    fn merges_are_what_the_definition_says(
        words in proptest::collection::btree_map("[abc]{1,9}", 1_u64..5, 1..12),
        size in 3_usize..30,
    ) {
        proptest::prop_assert_eq!(merges::train(&words, &[], size).tokens, slow(&words, size));
    }
}
