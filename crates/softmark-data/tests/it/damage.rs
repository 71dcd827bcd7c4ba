//! Malformed rows give an error that names file and line, and never make a reader panic.

use std::fs;

use proptest::prelude::*;
use softmark_data::ag_news::{self, Marks};
use softmark_data::decode::Encoding;
use softmark_data::{Reason, TextDataset, files, glove, newsgroups, polarity, trec};

/// Returns two lines `good`, then `bad` on line 3.
fn third(good: &str, bad: &[u8]) -> Vec<u8> {
    [format!("{good}\n{good}\n").as_bytes(), bad, b"\n"].concat()
}

#[test]
fn bad_trec_rows_are_named() {
    for (bad, want) in [
        (b"DESC:manner".as_slice(), "f:3: there is no space in `DESC:manner`"),
        (b"", "f:3: there is no space"),
        (b"DESC How ?", "f:3: there is no colon in the label `DESC`"),
        (b"desc:manner How ?", "f:3: the label `desc` is not known; known are ABBR, DESC"),
        (b":x How ?", "f:3: the label `` is not known"),
        (b"DESC: How ?", "f:3: there is no fine label"),
        (b"DESC:manner  ", "f:3: has no text"),
    ] {
        let error = trec::parse("f", &third("LOC:city Where ?", bad)).unwrap_err().to_string();
        assert!(error.starts_with(want), "{error}");
    }
    assert_eq!(trec::parse("f", b"").unwrap_err().to_string(), "f: has no rows");
    let one = trec::parse("f", b"LOC:city Where ?\r\n").unwrap();
    assert_eq!(one[0].text, "Where ?");
    let error = trec::dataset("f", one).unwrap_err().to_string();
    assert_eq!(error, "f: the class `ABBR` has no examples");
}

#[test]
fn bad_news_rows_are_named() {
    for (bad, want) in [
        (br#""1","a""#.as_slice(), "f:3: there are 2 fields; a row is"),
        (br#""1","a","b","c""#, "f:3: there are 4 fields"),
        (br#""5","a","b""#, "f:3: the label `5` is not known; known are 1, 2, 3, 4"),
        (br#""0","a","b""#, "f:3: the label `0`"),
        (br"Class Index,Title,Description", "f:3: the label `Class Index`"),
        (br#""1","a","b"#, "f:3: a quotation mark is never closed"),
        (br#""1","a"x,"b""#, "f:3: something stands between"),
        (br#""1"," ",""#, "f:3: a quotation mark is never closed"),
        (br#""1"," ","""#, "f:3: has no text"),
        (b"\"1\",\"a\xe9\",\"b\"", "f:3: is not UTF-8 (byte 0xe9 at column 7)"),
    ] {
        let bytes = third(r#""1","a","b""#, bad);
        let error = ag_news::parse("f", &bytes, Marks::Kept).unwrap_err().to_string();
        assert!(error.starts_with(want), "{error}");
    }
    let long = format!("\"{}\",\"a\",\"b\"", "9\u{1b}".repeat(1000));
    let error = ag_news::parse("f", long.as_bytes(), Marks::Kept).unwrap_err().to_string();
    assert!(error.len() < 250 && !error.contains('\u{1b}'), "{error}");
}

#[test]
fn bad_vectors_are_named() {
    for (bad, want) in [
        (b"b 1".as_slice(), "f:3: has 1 numbers, but the first line has 2"),
        (b"b 1 2 3", "f:3: has 3 numbers, but the first line has 2"),
        (b"b 1 x", "f:3: field 3 is `x`, which is no finite number"),
        (b"b 1 nan", "f:3: field 3 is `nan`"),
        (b"b inf 1", "f:3: field 2 is `inf`"),
        (b"b 1 1e39", "f:3: field 3 is `1e39`"),
        (b"b 1  2", "f:3: field 3 is ``"),
        (b" 1 2", "f:3: there is no word"),
        (b"", "f:3: there is no word"),
        (b"b\xff 1 2", "f:3: is not UTF-8 (byte 0xff at column 2)"),
    ] {
        let error =
            glove::parse("f", &third("a 1 2", bad), Encoding::Utf8).unwrap_err().to_string();
        assert!(error.starts_with(want), "{error}");
    }
    assert_eq!(glove::parse("f", b"", Encoding::Utf8).unwrap_err().to_string(), "f: has no rows");
    let error = glove::parse("f", b"alone", Encoding::Utf8).unwrap_err().to_string();
    assert!(error.starts_with("f:1: there are no numbers"), "{error}");
}

#[test]
fn a_cut_last_line_is_left_out_and_told() {
    let cut = glove::parse("f", b"a 1 2\nb 3 4\nc 5", Encoding::Utf8).unwrap();
    assert_eq!((cut.words().len(), cut.cut().unwrap().number()), (2, Some(3)));
    let whole = glove::parse("f", b"a 1 2\nb 3 4", Encoding::Utf8).unwrap();
    assert_eq!((whole.words().len(), whole.cut()), (2, None));
    // The line is short but has its line break, so it was not cut off.
    assert!(glove::parse("f", b"a 1 2\nc 5\n", Encoding::Utf8).is_err());
    assert!(glove::parse("f", b"a 1 2\nc\xe9", Encoding::Utf8).unwrap().cut().is_some());
}

#[test]
fn a_group_with_a_stray_file_or_no_posts_is_named() {
    let root = tempfile::tempdir().unwrap();
    let read = || newsgroups::read(root.path(), &["a", "b"], newsgroups::Removed::NOTHING);
    for group in ["a", "b"] {
        fs::create_dir_all(root.path().join(group)).unwrap();
    }
    fs::write(root.path().join("a/1"), b"\xe9\n\nx").unwrap();
    assert!(read().unwrap_err().to_string().ends_with("the class `b` has no examples"));
    fs::write(root.path().join("b/2"), "y").unwrap();
    assert_eq!(read().unwrap().examples()[0].text, "é\n\nx");
    fs::write(root.path().join("b/.DS_Store"), "z").unwrap();
    read().unwrap();
    fs::write(root.path().join("b/2~"), "z").unwrap();
    assert!(
        read().unwrap_err().to_string().contains("b/2~: the name has to be the number of a post")
    );
}

#[test]
fn what_is_too_large_or_no_file_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("f");
    fs::write(&path, "12345").unwrap();
    assert_eq!(files::bytes(&path, 5).unwrap(), b"12345");
    let error = files::bytes(&path, 4).unwrap_err();
    assert!(matches!(*error.reason, Reason::TooLarge { limit: 4, .. }));
    assert!(matches!(*files::bytes(root.path(), 4).unwrap_err().reason, Reason::NotAFile));
    let gone = files::bytes(&root.path().join("g"), 4).unwrap_err().to_string();
    assert!(gone.contains("/g: cannot be read"), "{gone}");
    #[cfg(target_os = "linux")]
    assert!(files::bytes(std::path::Path::new("/dev/zero"), 4).is_err());
}

#[test]
fn labels_outside_the_classes_are_refused() {
    let questions = b"ABBR:a A ?\nDESC:d D ?\nENTY:e E ?\nHUM:h H ?\nLOC:l L ?\nNUM:n N ?\n";
    let mut examples =
        trec::dataset("f", trec::parse("f", questions).unwrap()).unwrap().examples().to_vec();
    examples[1].label = 6;
    let classes = trec::CLASSES.map(str::to_owned).to_vec();
    let error = TextDataset::new("f", classes, examples.clone()).unwrap_err().to_string();
    assert!(error.starts_with("f:2: the label `6` is not known"), "{error}");
    let twice = vec!["a".to_owned(), "a".to_owned()];
    assert!(TextDataset::new("f", twice, examples.clone()).is_err());
    assert!(TextDataset::new("f", Vec::new(), Vec::new()).is_err());
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        trec::parse("f", &bytes).ok();
        ag_news::parse("f", &bytes, Marks::Mended).ok();
        glove::parse("f", &bytes, Encoding::Utf8).ok();
        polarity::parse("f", &bytes, Encoding::Utf8, 0).ok();
        polarity::parse("f", &bytes, Encoding::Latin1, 0).ok();
        newsgroups::Removed::ALL.strip(&softmark_data::decode::latin1(&bytes));
    }

    #[test]
    fn no_text_of_the_formats_own_characters_makes_a_reader_panic(
        text in r#"["a1:, \\#;\n\r|>.-]{0,80}"#,
    ) {
        trec::parse("f", text.as_bytes()).ok();
        ag_news::parse("f", text.as_bytes(), Marks::Mended).ok();
        glove::parse("f", text.as_bytes(), Encoding::Utf8).ok();
        newsgroups::Removed::ALL.strip(&text);
    }
}
