//! Known facts about the published data: counts, repetitions, leaks.

use std::collections::BTreeSet;

use softmark_data::ag_news::{self, Marks};
use softmark_data::decode::Encoding;
use softmark_data::overlap::{self, Sameness};
use softmark_data::{TextDataset, glove, polarity, trec};

use crate::support::{assert_published, data};

fn sizes(dataset: &TextDataset) -> Vec<usize> {
    dataset.counts().into_iter().map(|(_, count)| count).collect()
}

#[test]
fn trec_has_the_known_counts() {
    let Some(data) = data() else { return };
    assert_published(&data, "trec/");
    let train = trec::read(&data.join("trec/train_5500.label")).unwrap();
    let test = trec::read(&data.join("trec/TREC_10.label")).unwrap();
    assert_eq!(sizes(&train), [86, 1162, 1250, 1223, 835, 896]);
    assert_eq!(sizes(&test), [9, 138, 94, 65, 81, 113]);
    let train_2000 = trec::read(&data.join("trec/train_2000.label")).unwrap();
    assert_eq!(sizes(&train_2000), [30, 419, 486, 442, 312, 311]);
    for (file, lines) in [("train_1000", 1000), ("train_3000", 3000), ("train_4000", 4000)] {
        let part = trec::read(&data.join(format!("trec/{file}.label"))).unwrap();
        assert_eq!(part.len(), lines);
    }
}

#[test]
fn trecs_fine_labels_are_read_and_stay_out_of_the_text() {
    let Some(data) = data() else { return };
    let parse = |name: &str| {
        let bytes = std::fs::read(data.join("trec").join(name)).unwrap();
        trec::parse(name, &bytes).unwrap()
    };
    let (train, test) = (parse("train_5500.label"), parse("TREC_10.label"));
    let fine = |questions: &[trec::Question]| {
        questions.iter().map(|it| (it.coarse, it.fine.clone())).collect::<BTreeSet<_>>()
    };
    assert_eq!((fine(&train).len(), fine(&test).len()), (50, 42));
    for question in train.iter().chain(&test) {
        let label = format!("{}:{}", trec::CLASSES[question.coarse as usize], question.fine);
        assert!(!question.text.contains(&label), "{}", question.source);
        assert!(!question.text.starts_with(' '));
    }
    // A colon inside a question does not belong to the label.
    assert!(train.iter().any(|it| it.text.contains(':')));
    // The one byte that is not ASCII.
    let odd: Vec<_> = train.iter().filter(|it| !it.text.is_ascii()).collect();
    assert_eq!(odd.len(), 1);
    assert_eq!(odd[0].source.to_string(), "train_5500.label:66");
    assert!(odd[0].text.contains('\u{f0}'));
}

#[test]
fn trec_repeats_seventy_lines_and_ten_test_questions() {
    let Some(data) = data() else { return };
    let bytes = std::fs::read(data.join("trec/train_5500.label")).unwrap();
    let questions = trec::parse("train", &bytes).unwrap();
    let lines: BTreeSet<_> = questions.iter().map(|it| (it.coarse, &it.fine, &it.text)).collect();
    assert_eq!((questions.len(), lines.len()), (5452, 5382));
    let train = trec::dataset("train", questions).unwrap();
    let test = trec::read(&data.join("trec/TREC_10.label")).unwrap();
    assert_eq!(overlap::distinct(&train, Sameness::Exact), 5381);
    assert_eq!(overlap::leaked(&train, &test, Sameness::Exact).len(), 10);
    let repeated = overlap::repeated(&train, Sameness::Exact);
    let extra: usize = repeated.iter().map(|it| it.places.len() - 1).sum();
    assert_eq!(extra, 5452 - 5381);
    // The question with two fine labels has one coarse class, so no text has contradictory labels.
    assert!(repeated.iter().all(|it| it.labels.len() == 1));
    let first = overlap::first_of_each(&train, Sameness::Exact);
    assert_eq!(overlap::distinct(&train.subset("first", &first).unwrap(), Sameness::Exact), 5381);
}

#[test]
fn ag_news_has_the_known_counts_and_no_leak() {
    let Some(data) = data() else { return };
    assert_published(&data, "ag_news/");
    let test = ag_news::read(&data.join("ag_news/ag_news_csv/test.csv"), Marks::Kept).unwrap();
    let train = ag_news::read(&data.join("ag_news/train_subset_union.csv"), Marks::Kept).unwrap();
    assert_eq!(sizes(&test), [1900; 4]);
    assert_eq!(sizes(&train), [7479, 7525, 7545, 7473]);
    assert_eq!(train.len(), 30022);
    assert_eq!(overlap::leaked(&train, &test, Sameness::Exact), [0_usize; 0]);
    let classes = std::fs::read_to_string(data.join("ag_news/ag_news_csv/classes.txt")).unwrap();
    assert!(classes.lines().eq(ag_news::CLASSES));
}

#[test]
fn ag_news_rows_write_back_to_the_same_bytes() {
    let Some(data) = data() else { return };
    for name in ["ag_news/ag_news_csv/test.csv", "ag_news/train_subset_union.csv"] {
        let bytes = std::fs::read(data.join(name)).unwrap();
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut written = String::new();
        for it in ag_news::parse(name, &bytes, Marks::Kept).unwrap() {
            let class = (it.class + 1).to_string();
            let fields = [quoted(&class), quoted(&it.title), quoted(&it.description)];
            written.push_str(&fields.join(","));
            written.push('\n');
        }
        assert!(written.as_bytes() == bytes, "{name}");
    }
}

#[test]
fn mending_ag_news_leaves_no_backslash_and_no_lost_entity() {
    let Some(data) = data() else { return };
    let path = data.join("ag_news/ag_news_csv/test.csv");
    let (kept, mended) =
        (ag_news::read(&path, Marks::Kept).unwrap(), ag_news::read(&path, Marks::Mended).unwrap());
    let having = |dataset: &TextDataset, what: &str| {
        dataset.texts().filter(|text| text.contains(what)).count()
    };
    for mark in ["\\", " #39;", " quot;", " #36;", " amp;"] {
        assert!(having(&kept, mark) > 0, "{mark}");
        assert_eq!(having(&mended, mark), 0, "{mark}");
    }
    assert_eq!(kept.labels(), mended.labels());
}

#[test]
fn sentence_polarity_has_the_known_counts_in_both_encodings() {
    let Some(data) = data() else { return };
    assert_published(&data, "sentence_polarity/");
    let utf8 = polarity::read(&data.join("sentence_polarity"), Encoding::Utf8).unwrap();
    let eight = polarity::read(&data.join("sentence_polarity/8bit"), Encoding::Latin1).unwrap();
    assert_eq!(sizes(&utf8), [5331, 5331]);
    assert_eq!(sizes(&eight), [5331, 5331]);
    // The 8-bit files contain 0x85 inside lines where the UTF-8 files contain a space. Apart from that, 19
    // negative and 11 positive lines differ, two of them only in blanks at their ends, which are removed.
    assert!(eight.texts().any(|text| text.contains('\u{85}')));
    let mut differing = [0, 0];
    for (a, b) in utf8.examples().iter().zip(eight.examples()) {
        assert_eq!((a.label, a.source.number()), (b.label, b.source.number()));
        if a.text != b.text.replace('\u{85}', " ").trim() {
            differing[a.label as usize] += 1;
        }
    }
    assert_eq!(differing, [17, 11]);
    let wrong = polarity::read(&data.join("sentence_polarity/8bit"), Encoding::Utf8).unwrap_err();
    assert!(wrong.to_string().contains("rt-polarity.neg:"), "{wrong}");
    assert!(wrong.to_string().contains("Latin-1"), "{wrong}");
}

#[test]
fn glove_has_fifty_numbers_a_word() {
    let Some(data) = data() else { return };
    assert_published(&data, "glove.6B.50d/");
    let path = data.join("glove.6B.50d/glove.6B.50d.first2446.txt");
    // This copy has five words in another encoding than the published file; line 218 is a dash.
    let error = glove::read(&path, Encoding::Utf8).unwrap_err().to_string();
    assert!(error.contains("first2446.txt:218: is not UTF-8 (byte 0x96 at column 1)"), "{error}");
    let vectors = glove::read(&path, Encoding::Windows1252).unwrap();
    assert_eq!((vectors.width(), vectors.words().len()), (50, 2446));
    assert_eq!((vectors.duplicates(), vectors.cut()), (0, None));
    assert_eq!(&vectors.words()[..3], ["the", ",", "."]);
    assert_eq!(vectors.words()[217], "–");
    assert_eq!(vectors.get("the").unwrap()[..2], [0.418, 0.24968]);
    let (table, known) = vectors.table(["[PAD]", "the", "zyzzyva"], |id, row| row.fill(id as f32));
    assert_eq!((table.len(), known), (150, 1));
    assert_eq!((table[0], table[50], table[149]), (0.0, 0.418, 2.0));
}
