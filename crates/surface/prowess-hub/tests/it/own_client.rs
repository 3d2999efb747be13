//! Our own client against our own server.

use std::path::Path;

use prowess_fs::archive::{ArchiveKind, ArchiveOptions, read_bundle};
use prowess_net::{Client, NetOptions, NetworkReach};
use prowess_registry::protocol::{
    InstallResolution, PublicationStatus, PublishRequest, RenameRequest, SecurityVerdictsRequest,
    VerdictQuestion,
};
use prowess_registry::{
    GitOptions, ListQuery, Publication, RegistryClient, RegistryError, SearchQuery, SkillId, SourceContext,
    SourceReference, fetch, fingerprint,
};
use prowess_types::{Bundle, BundleFile, Secret};

use crate::support::{Server, TEA};

fn http() -> Client {
    let options = NetOptions { reach: NetworkReach::Loopback, retries: 0, ..NetOptions::default() };
    Client::new(options).expect("a client")
}

fn bundle() -> Bundle {
    let file = |path: &str, text: &str| BundleFile {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
        executable: text.starts_with("#!"),
    };
    Bundle { files: vec![file("SKILL.md", TEA), file("scripts/run.sh", "#!/bin/sh\necho tea\n")] }
}

fn publication(bundle: &Bundle) -> Publication<'_> {
    let request = PublishRequest {
        slug: "tea".to_owned(),
        display_name: "Tea".to_owned(),
        version: "1.0.0".to_owned(),
        changelog: "first".to_owned(),
        ..PublishRequest::default()
    };
    Publication { request, bundle }
}

fn unpack(bytes: &[u8], _name: &str) -> Result<Bundle, String> {
    read_bundle(bytes, ArchiveKind::Zip, &ArchiveOptions::default()).map_err(|error| error.to_string())
}

#[test]
fn every_answer_is_understood() {
    let server = Server::start();
    let http = http();
    let registry = RegistryClient::new(&http, &server.base, Some(Secret::new(server.token("ada"))));
    let bundle = bundle();
    let mut seen = Vec::new();
    let done = registry.publish(&publication(&bundle), &mut |path| seen.push(path.to_owned())).unwrap();
    assert_eq!((done.publication_status, seen.len()), (Some(PublicationStatus::Published), 2));

    let tea = SkillId { slug: "tea", owner: Some("ada") };
    let detail = registry.inspect(tea).unwrap();
    assert_eq!(detail.latest_version.unwrap().version, "1.0.0");
    assert_eq!(detail.moderation.unwrap().verdict.as_deref(), Some("clean"));
    assert_eq!(registry.versions(tea, Some(5), None).unwrap().items.len(), 1);
    assert_eq!(registry.version(tea, "1.0.0").unwrap().version.unwrap().files.unwrap().len(), 2);
    assert_eq!(registry.file(tea, "SKILL.md", Some("latest")).unwrap(), TEA.as_bytes());
    let archive = registry.download(tea, None, &mut |_, _| {}).unwrap();
    assert_eq!(unpack(&archive, "").unwrap(), bundle, "exec bits included");
    let found = registry.resolve(tea, &fingerprint(&bundle)).unwrap();
    assert_eq!(found.matching, found.latest_version);
    let plan = registry.install_plan(tea, false).unwrap().plan;
    let InstallResolution::Archive { download_url, .. } = plan else { panic!("{plan:?}") };
    assert_eq!(registry.download_from(&download_url, &mut |_, _| {}).unwrap(), archive);

    let hits = registry.search(&SearchQuery { text: "tea", ..SearchQuery::default() }).unwrap().results;
    assert_eq!(hits[0].owner_handle.as_deref(), Some("ada"));
    assert_eq!(registry.list(&ListQuery::default()).unwrap().items[0].skill.tag("latest"), Some("1.0.0"));
    assert_eq!(registry.whoami().unwrap().user.handle.as_deref(), Some("ada"));
    assert!(registry.verify(tea, None).unwrap().ok);
    assert!(registry.moderation(tea).unwrap().moderation.is_some());
    let question = VerdictQuestion { slug: "tea".into(), owner_handle: None, version: "1.0.0".into() };
    assert!(registry.verdicts(&SecurityVerdictsRequest { items: vec![question] }).unwrap().items[0].ok);
    assert!(registry.star(tea).unwrap().starred && registry.unstar(tea).unwrap().unstarred);
    registry.act(tea, "rename", &RenameRequest { new_slug: "chai".to_owned() }).unwrap();
    assert!(registry.delete(tea, None).unwrap().slug_reserved_until.is_some());
    let gone = registry.download(tea, None, &mut |_, _| {});
    assert!(matches!(gone, Err(RegistryError::Deleted { .. })), "{gone:?}");
}

#[test]
fn a_skill_comes_from_the_registry_and_from_its_page_alike() {
    let server = Server::start();
    let http = http();
    let registry = RegistryClient::new(&http, &server.base, Some(Secret::new(server.token("ada"))));
    let bundle = bundle();
    registry.publish(&publication(&bundle), &mut |_| {}).unwrap();
    let context = SourceContext {
        registry: &registry,
        http: &http,
        unpack: &unpack,
        git: GitOptions::new(Path::new("git"), &[]),
        folder: Path::new("/"),
        home: None,
    };
    for reference in ["tea".to_owned(), "@ada/tea".to_owned(), format!("{}/ada/skills/tea", server.base)] {
        let reference = SourceReference::parse(&reference).unwrap();
        let fetched = fetch(&reference, &context, &mut |_, _| {}).unwrap();
        assert_eq!(fetched.bundle, bundle, "{reference}");
    }
}
