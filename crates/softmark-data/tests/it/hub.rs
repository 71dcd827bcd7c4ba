//! Files of the Hub are fetched and cached, and errors explain why a file cannot be fetched.

use std::fs;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use candle_core::Device;
use softmark_data::hub::{Hub, HubError, HubFile, HubOptions, Kind, Network};
use softmark_data::pretrained::{LoadError, fetch, read};
use softmark_data::{tokenize, trec};
use softmark_kit::pretrained::PretrainedError;

use crate::encoder::files;
use crate::pretrained::{encoded, folder};
use crate::server::{COMMIT, QUESTIONS, Server};

fn dataset(repository: &str, path: &str) -> HubFile {
    HubFile::new(Kind::Dataset, repository, COMMIT, path).unwrap()
}

#[test]
fn a_file_is_fetched_once_and_read_from_the_cache_then() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let file = dataset("owner/questions", "data/train.label");
    let offline = server.hub(cache.path(), Network::Offline);
    let error = offline.fetch(&file).unwrap_err();
    assert!(matches!(error, HubError::Offline { .. }), "{error}");
    assert!(error.to_string().contains("HF_HUB_OFFLINE forbids"), "{error}");
    assert_eq!(server.asked(), [""; 0], "offline means that nothing is asked");

    let online = server.hub(cache.path(), Network::Online);
    let path = online.fetch(&file).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), QUESTIONS);
    assert_eq!(trec::read(&path).unwrap().counts().len(), 6);
    let route = format!("/datasets/owner/questions/resolve/{COMMIT}/data/train.label");
    let asked = [format!("HEAD {route}"), format!("GET {route}")];
    assert_eq!(server.asked(), asked);

    assert_eq!(online.fetch(&file).unwrap(), path);
    assert_eq!(offline.fetch(&file).unwrap(), path);
    assert_eq!(server.asked(), asked, "a commit does not change, so nothing is asked again");
}

#[test]
fn a_models_vocabulary_is_fetched_by_its_own_route() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let file = HubFile::new(Kind::Model, "owner/model", COMMIT, "vocab.txt").unwrap();
    let path = server.hub(cache.path(), Network::Online).fetch(&file).unwrap();
    let tokenizer = tokenize::read_word_piece(&path, tokenize::Case::Lowered).unwrap();
    assert_eq!(tokenizer.encode("Hub").unwrap(), [2, 4, 3]);
}

#[test]
fn what_cannot_be_had_says_why() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = server.hub(cache.path(), Network::Online);
    let error = |repository: &str, path: &str| hub.fetch(&dataset(repository, path)).unwrap_err();
    let missing = error("owner/questions", "absent");
    assert!(matches!(missing, HubError::NotFound { .. }), "{missing:?}");
    assert!(missing.to_string().contains("datasets/owner/questions/absent at 0123"), "{missing}");
    let gated = error("owner/gated", "x");
    assert!(matches!(gated, HubError::Gated { .. }), "{gated:?}");
    assert!(gated.to_string().contains("accept its terms"), "{gated}");
    let moved = error("owner/moved", "x");
    assert!(matches!(moved, HubError::WrongCommit { .. }), "{moved:?}");
    for repository in ["owner/odd", "owner/broken"] {
        let error = error(repository, "x");
        assert!(matches!(error, HubError::Answer { .. }), "{error:?}");
        assert!(error.to_string().contains(&server.endpoint), "{error}");
    }
    // The server does not know the account of another token.
    let options = HubOptions {
        endpoint: Some(server.endpoint),
        token: Some("hf_other".to_owned()),
        cache: Some(cache.path().to_owned()),
        network: Network::Online,
    };
    let stranger = Hub::new(options).unwrap().fetch(&dataset("owner/private", "x")).unwrap_err();
    assert!(matches!(stranger, HubError::Gated { .. }), "{stranger:?}");
}

#[test]
fn a_hub_that_is_not_there_is_no_network() {
    let cache = tempfile::tempdir().unwrap();
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let options = HubOptions {
        endpoint: Some(format!("http://127.0.0.1:{port}")),
        cache: Some(cache.path().to_owned()),
        ..HubOptions::default()
    };
    let error = Hub::new(options).unwrap().fetch(&dataset("owner/name", "x")).unwrap_err();
    assert!(matches!(error, HubError::NoNetwork { .. }), "{error:?}");
    assert!(error.to_string().contains("check the network"), "{error}");
    let options = HubOptions { endpoint: Some("no url".to_owned()), ..HubOptions::default() };
    assert!(matches!(Hub::new(options), Err(HubError::Options(_))));
}

#[test]
fn an_encoder_is_fetched_once_and_said_to_be_on_its_way() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&heard);
    let hub = server.hub(cache.path(), Network::Online).telling(move |transfer| {
        keep.lock().unwrap().push((transfer.file.to_owned(), transfer.done, transfer.total));
    });
    let fetched = fetch(&hub, "owner/encoder", COMMIT, &Device::Cpu).unwrap();
    let size = files()["model.safetensors"].len() as u64;
    let last = ("model.safetensors".to_owned(), size, size);
    assert!(heard.lock().unwrap().contains(&last), "{:?}", heard.lock().unwrap());
    let asked = server.asked();
    let offline = server.hub(cache.path(), Network::Offline);
    let again = fetch(&offline, "owner/encoder", COMMIT, &Device::Cpu).unwrap();
    assert_eq!(encoded(&fetched, "which city ?"), encoded(&again, "which city ?"));
    assert_eq!(server.asked(), asked, "nothing more was asked");
    let folder = folder();
    let read = read(folder.path(), &Device::Cpu).unwrap();
    assert_eq!(encoded(&fetched, "which city ?"), encoded(&read, "which city ?"));
}

#[test]
fn what_the_hub_has_not_or_has_broken_is_said() {
    let (server, cache) = (Server::start(), tempfile::tempdir().unwrap());
    let hub = server.hub(cache.path(), Network::Online);
    let absent = fetch(&hub, "owner/absent", COMMIT, &Device::Cpu).unwrap_err();
    assert!(matches!(absent, LoadError::Hub(HubError::NotFound { .. })), "{absent}");
    let cut = fetch(&hub, "owner/cut", COMMIT, &Device::Cpu).unwrap_err();
    let LoadError::Encoder { path, source: PretrainedError::Weights(_) } = &cut else {
        panic!("{cut}");
    };
    assert!(path.starts_with(cache.path()), "{cut}");
    let branch = fetch(&hub, "owner/encoder", "main", &Device::Cpu).unwrap_err();
    assert!(branch.to_string().contains("a branch or a tag moves"), "{branch}");
}
