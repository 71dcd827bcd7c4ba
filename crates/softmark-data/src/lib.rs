//! Reads published text data sets, splits them, and turns them into token ids.
//!
//! Each format has a module with a pure function from bytes to rows, whose errors name file and line, and a
//! function that reads the files.
//!
//! | format | bytes to rows | files to a [`TextDataset`] |
//! |---|---|---|
//! | TREC `.label` | [`trec::parse`] | [`trec::read`] |
//! | AG News CSV | [`ag_news::parse`] | [`ag_news::read`] |
//! | 20 Newsgroups folders | [`newsgroups::strip`](newsgroups::Removed::strip) | [`newsgroups::read`] |
//! | movie reviews (polarity 2.0) | – | [`movie_reviews::read`] |
//! | IMDB folders | [`imdb::name`] | [`imdb::read`] |
//! | sentence polarity | [`polarity::parse`] | [`polarity::read`] |
//! | GloVe text vectors | [`glove::parse`] | [`glove::read`] |
//! | generated, without a file | – | [`builtin::questions`], [`builtin::topics`] |
//!
//! [`pretrained`] contains encoders with their tokenizers: from a folder, from the Hub, or built in.
//!
//! [`overlap`] finds texts that occur in two parts of a data set, and [`tokenize`] learns a vocabulary from
//! one part and encodes any other. The kit's [`stratified`](softmark_kit::train::split::stratified) splits a
//! data set class by class:
//!
//! ```
//! use softmark_data::{TextDataset, polarity, decode::Encoding, tokenize};
//! use softmark_kit::train::split::stratified;
//!
//! let mut examples = polarity::parse("neg", b"dull\nlong\npoor\n", Encoding::Utf8, 0)?;
//! examples.extend(polarity::parse("pos", b"good\nfine\nsharp\n", Encoding::Utf8, 1)?);
//! let all = TextDataset::new("films", vec!["neg".into(), "pos".into()], examples)?;
//! let parts = stratified(&all.labels(), &[0.7, 0.3], 1)?;
//! let (train, test) = (all.subset("train", &parts[0])?, all.subset("test", &parts[1])?);
//! // From the training part alone.
//! let tokenizer = tokenize::word_level(train.texts(), 5000)?;
//! let (train, test) = (tokenizer.encode_all(&train)?, tokenizer.encode_all(&test)?);
//! assert_eq!((train.len(), test.len(), tokenizer.size()), (4, 2, 6));
//! assert_eq!(test.ids, [[1], [1]], "words that only the test part has are unknown");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reproducibility
//!
//! Files are read in the order of their names, random numbers come from
//! [`Stream`](softmark_kit::rng::Stream), and vocabularies break ties by the word itself: the same
//! files give the same ids on every machine.
//!
//! # Limits
//!
//! Sizes that a file claims are not trusted: a file is read up to a limit, and a longer one is an error that
//! names the limit. See [`files`].

pub mod ag_news;
pub mod builtin;
pub mod dataset;
pub mod decode;
pub mod fault;
pub mod files;
pub mod glove;
#[cfg(feature = "hub")]
pub mod hub;
pub mod imdb;
pub mod movie_reviews;
pub mod newsgroups;
pub mod overlap;
pub mod polarity;
pub mod pretrained;
pub mod tokenize;
pub mod trec;

pub use dataset::{TextDataset, TextExample};
pub use fault::{DataError, Location, Reason};
