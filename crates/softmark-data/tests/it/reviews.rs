//! Reviews in folders, published and malformed ones.

use std::fs;
use std::path::Path;

use softmark_data::{DataError, imdb, movie_reviews};

use crate::support::{assert_published, data};

#[test]
fn movie_reviews_are_a_thousand_of_each() {
    let Some(data) = data() else { return };
    assert_published(&data, "movie_reviews/");
    let reviews = movie_reviews::read(&data.join("movie_reviews")).unwrap();
    assert_eq!(reviews.counts(), [("neg", 1000), ("pos", 1000)]);
    assert!(reviews.texts().all(str::is_ascii));
    assert!(reviews.examples()[0].source.name().ends_with("movie_reviews/neg/cv000_29416.txt"));
}

#[test]
fn imdb_reviews_have_the_stars_of_their_folder() {
    let Some(data) = data() else { return };
    assert_published(&data, "aclImdb/");
    for part in ["train", "test"] {
        let root = data.join("aclImdb").join(part);
        let reviews = imdb::reviews(&root).unwrap();
        assert_eq!(reviews.len(), 1000);
        assert!(reviews.iter().all(|it| (it.label == 0) == (it.stars <= 4)));
        let ids: Vec<u32> = reviews.iter().take(500).map(|it| it.id).collect();
        assert!(ids.is_sorted(), "by number, not by the letters of the name");
        assert_eq!(imdb::read(&root).unwrap().counts(), [("neg", 500), ("pos", 500)]);
    }
}

/// Reads IMDB folders with one additional file and returns the error, if any.
fn with(file: &str, bytes: &[u8]) -> Result<(), DataError> {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("neg/0_1.txt", b"bad");
    write("pos/0_10.txt", b"good");
    write(file, bytes);
    imdb::read(root.path()).map(drop)
}

#[test]
fn imdb_names_and_texts_that_are_wrong_are_named() {
    with("pos/1_7.txt", "fin\u{e9}".as_bytes()).unwrap();
    for (file, bytes, want) in [
        ("pos/1_4.txt", b"x".as_slice(), "pos/1_4.txt: the name has to be"),
        ("pos/1_5.txt", b"x", "pos/1_5.txt: the name"),
        ("neg/1_0.txt", b"x", "neg/1_0.txt: the name"),
        ("neg/x_1.txt", b"x", "neg/x_1.txt: the name"),
        ("neg/+1_1.txt", b"x", "neg/+1_1.txt: the name"),
        ("neg/README", b"x", "neg/README: the name"),
        ("neg/0_2.txt", b"x", "0 is the id of another file too"),
        ("neg/1_2.txt", b" \n", "neg/1_2.txt: has no text"),
        ("neg/1_2.txt", b"a\xff", "neg/1_2.txt: is not UTF-8 (byte 0xff at column 2)"),
    ] {
        let error = with(file, bytes).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    }
}

#[test]
fn empty_and_missing_folders_are_named() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("neg")).unwrap();
    let missing = imdb::read(root.path()).unwrap_err().to_string();
    assert!(missing.contains("pos: cannot be read"), "{missing}");
    fs::create_dir_all(root.path().join("pos")).unwrap();
    fs::write(root.path().join("pos/1_7.txt"), "x").unwrap();
    let empty = imdb::read(root.path()).unwrap_err().to_string();
    assert!(empty.contains("the class `neg` has no examples"), "{empty}");
    let elsewhere = movie_reviews::read(Path::new("/nowhere")).unwrap_err().to_string();
    assert!(elsewhere.contains("/nowhere/neg: cannot be read"), "{elsewhere}");
}
