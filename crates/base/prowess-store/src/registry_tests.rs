use serde_json::json;

use super::*;

fn open() -> (tempfile::TempDir, SqliteRegistry) {
    let folder = tempfile::tempdir().unwrap();
    let registry = SqliteRegistry::open(&folder.path().join("registry.db")).unwrap();
    (folder, registry)
}

fn new_version(owner: &str, slug: &str, number: &str, at: i64) -> NewVersion {
    NewVersion {
        skill_id: format!("s-{owner}-{slug}"),
        owner: owner.to_owned(),
        slug: slug.to_owned(),
        display_name: slug.to_owned(),
        summary: "first words".to_owned(),
        topics: None,
        categories: None,
        fork_of: None,
        tags: vec!["latest".to_owned()],
        version: VersionRecord {
            id: format!("v-{owner}-{slug}-{number}"),
            skill: String::new(),
            number: number.to_owned(),
            changelog: "changes".to_owned(),
            created_at: at,
            deleted_at: None,
            fingerprint: format!("f-{number}"),
            archive: format!("a-{number}"),
            archive_size: 10,
            size: 10,
            verdict: prowess_types::ScanVerdict::Clean.into(),
            report: json!({ "verdict": "clean" }),
            facts: json!({ "summary": format!("words of {number}") }),
            source: None,
        },
        files: vec![FileRecord {
            path: "SKILL.md".to_owned(),
            size: 10,
            sha256: format!("c-{number}"),
            content_type: None,
        }],
        uploads: Vec::new(),
        quota: 1000,
    }
}

fn published(registry: &SqliteRegistry, new: &NewVersion) -> SkillRecord {
    match registry.publish(new).unwrap() {
        PublishOutcome::Published(done) => done.0,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_published_is_found_again() {
    let (_folder, registry) = open();
    let skill = published(&registry, &new_version("ada", "tea", "1.0.0", 5));
    assert_eq!((skill.latest(), skill.summary.as_str()), (Some("1.0.0"), "words of 1.0.0"));
    let skill = published(&registry, &new_version("ada", "tea", "1.1.0", 6));
    assert_eq!((skill.latest(), skill.summary.as_str()), (Some("1.1.0"), "words of 1.1.0"));
    assert_eq!((skill.created_at, skill.updated_at), (5, 6));

    let found = registry.version_by_fingerprint(&skill.id, "f-1.0.0").unwrap().unwrap();
    assert_eq!(found.number, "1.0.0");
    assert_eq!(registry.files(&found.id).unwrap()[0].sha256, "c-1.0.0");
    assert_eq!(registry.find_skills("tea", Some("ada")).unwrap(), [skill]);
    assert!(registry.find_skills("tea", Some("bob")).unwrap().is_empty());
}

#[test]
fn numbers_stay_reserved() {
    let (_folder, registry) = open();
    let first = new_version("ada", "tea", "1.0.0", 5);
    let skill = published(&registry, &first);
    published(&registry, &new_version("ada", "tea", "1.1.0", 6));
    registry.set_version_deleted(&first.version.id, Some(7)).unwrap();
    assert_eq!(registry.publish(&first).unwrap(), PublishOutcome::VersionTaken);
    assert_eq!(registry.versions(&skill.id, None, 10).unwrap().versions.len(), 1);
    assert_eq!(registry.version_by_fingerprint(&skill.id, "f-1.0.0").unwrap(), None);
    registry.set_deleted(&skill.id, Some(8)).unwrap();
    let next = new_version("ada", "tea", "1.2.0", 9);
    assert_eq!(registry.publish(&next).unwrap(), PublishOutcome::Deleted);
}

#[test]
fn a_quota_is_kept() {
    let (_folder, registry) = open();
    published(&registry, &new_version("ada", "tea", "1.0.0", 5));
    let second = NewVersion { quota: 19, ..new_version("ada", "cake", "1.0.0", 6) };
    assert_eq!(registry.publish(&second).unwrap(), PublishOutcome::OverQuota);
    assert!(registry.find_skills("cake", None).unwrap().is_empty());
    published(&registry, &NewVersion { quota: 20, ..second });
}

#[test]
fn former_names_lead_to_a_skill_until_somebody_takes_them() {
    let (_folder, registry) = open();
    let tea = published(&registry, &new_version("ada", "tea", "1.0.0", 5));
    let cake = published(&registry, &new_version("ada", "cake", "1.0.0", 5));
    assert!(!registry.rename(&tea.id, "cake", 6).unwrap());
    assert!(registry.rename(&tea.id, "chai", 6).unwrap());
    assert_eq!(registry.find_skills("tea", None).unwrap()[0].slug, "chai");
    let again = new_version("ada", "tea", "2.0.0", 7);
    assert_eq!(registry.publish(&again).unwrap(), PublishOutcome::Renamed("chai".to_owned()));

    registry.merge(&cake.id, &tea.id, 8).unwrap();
    assert_eq!(registry.find_skills("cake", Some("ada")).unwrap()[0].slug, "chai");
    assert!(registry.rename(&tea.id, "tea", 9).unwrap());
    assert_eq!(registry.find_skills("chai", None).unwrap()[0].slug, "tea");
}

#[test]
fn lists_go_on_where_they_ended() {
    let (_folder, registry) = open();
    for (number, slug) in ["d", "b", "c", "a", "e"].iter().enumerate() {
        let at = i64::try_from(number).unwrap();
        published(&registry, &new_version("ada", slug, "1.0.0", at));
    }
    let mut bad = new_version("bob", "x", "1.0.0", 9);
    bad.version.verdict = prowess_types::ScanVerdict::Malicious.into();
    published(&registry, &bad);
    // A word of a later version counts as the strictest one, and survives.
    let mut later = new_version("bob", "y", "1.0.0", 9);
    later.version.verdict = prowess_types::StoredVerdict::from_word("doubtful");
    published(&registry, &later);
    assert_eq!(registry.find_skills("y", None).unwrap()[0].verdict.as_str(), "doubtful");
    for (sort, order, expected) in [
        (SortBy::Slug, ListOrder::Ascending, "abcde"),
        (SortBy::Created, ListOrder::Descending, "eacbd"),
        (SortBy::Stars, ListOrder::Descending, "edcba"),
    ] {
        let mut request = ListRequest { sort, order, limit: 2, ..ListRequest::default() };
        let mut seen = String::new();
        loop {
            let page = registry.list(&request).unwrap();
            seen.extend(page.rows.iter().map(|row| row.skill.slug.clone()));
            request.cursor = page.next;
            if request.cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, expected, "{sort:?}");
    }
    assert_eq!(registry.catalogue().unwrap().len(), 5);
}

#[test]
fn an_upload_is_taken_once() {
    let (_folder, registry) = open();
    let upload = UploadRecord {
        ticket: "t".to_owned(),
        storage: "s".to_owned(),
        handle: "ada".to_owned(),
        expected: Some(Expected { path: "SKILL.md".to_owned(), size: 10, sha256: "c".to_owned() }),
        expires_at: 100,
        stored: None,
    };
    assert!(registry.add_upload(&upload, 10, 15, 1).unwrap());
    let second = UploadRecord { ticket: "u".to_owned(), storage: "r".to_owned(), ..upload.clone() };
    assert!(!registry.add_upload(&second, 10, 15, 1).unwrap(), "15 bytes may wait");

    let new = NewVersion { uploads: vec!["t".to_owned()], ..new_version("ada", "tea", "1.0.0", 5) };
    assert_eq!(registry.publish(&new).unwrap(), PublishOutcome::UploadGone);
    assert!(registry.fill_upload("t", "c", 10).unwrap());
    assert!(!registry.fill_upload("t", "d", 10).unwrap());
    assert!(registry.is_needed("c").unwrap());
    published(&registry, &new);
    assert_eq!(registry.upload("t").unwrap(), None);
    assert!(!registry.is_needed("c").unwrap());
    assert!(registry.is_needed("c-1.0.0").unwrap() && registry.is_needed("a-1.0.0").unwrap());

    assert!(registry.add_upload(&second, 10, 15, 1).unwrap());
    assert_eq!(registry.drop_expired_uploads(100).unwrap(), 1);
}

#[test]
fn a_skill_changes_hands_only_while_the_offer_stands() {
    let (_folder, registry) = open();
    let skill = published(&registry, &new_version("ada", "tea", "1.0.0", 5));
    let handover = Handover {
        id: "h".to_owned(),
        skill,
        giver: "ada".to_owned(),
        taker: "bob".to_owned(),
        message: None,
        requested_at: 6,
        expires_at: 10,
    };
    registry.offer(&handover).unwrap();
    assert_eq!(registry.offers("bob", 7).unwrap().len(), 1);
    assert_eq!(registry.accept_offer("h", 10).unwrap(), HandoverState::Missing);
    assert_eq!(registry.accept_offer("h", 9).unwrap(), HandoverState::Done);
    assert_eq!(registry.find_skills("tea", Some("ada")).unwrap()[0].owner, "bob");

    let other = published(&registry, &new_version("eve", "tea", "1.0.0", 5));
    registry.offer(&Handover { skill: other, giver: "eve".to_owned(), ..handover }).unwrap();
    assert_eq!(registry.accept_offer("h", 9).unwrap(), HandoverState::SlugTaken);
}

#[test]
fn tokens_and_logins() {
    let (_folder, registry) = open();
    let token = TokenRecord {
        id: "1".to_owned(),
        hash: [7; 32],
        handle: "ada".to_owned(),
        label: None,
        created_at: 1,
        used_at: None,
        revoked_at: None,
    };
    registry.add_token(&token).unwrap();
    registry.touch_token("1", 3).unwrap();
    assert_eq!(registry.token("1").unwrap(), Some(TokenRecord { used_at: Some(3), ..token }));
    assert!(registry.revoke_token("1", 4).unwrap());
    assert!(!registry.revoke_token("1", 5).unwrap());
    assert!(registry.is_known("ada").unwrap() && !registry.is_known("bob").unwrap());

    let login = |code: &str| DeviceLogin {
        code: code.to_owned(),
        user_code: format!("{code}-{code}"),
        label: None,
        expires_at: 10,
    };
    assert!(registry.add_device(&login("x"), 1, 1).unwrap());
    assert!(!registry.add_device(&login("y"), 1, 1).unwrap());
    assert_eq!(registry.take_device("x", 2).unwrap(), DeviceState::Waiting);
    assert!(registry.approve_device("x-x", "ada", 3).unwrap());
    assert!(!registry.approve_device("x-x", "eve", 3).unwrap());
    assert_eq!(registry.take_device("x", 4).unwrap(), DeviceState::Approved("ada".to_owned()));
    assert_eq!(registry.take_device("x", 5).unwrap(), DeviceState::Unknown);
    assert!(registry.add_device(&login("z"), 1, 1).unwrap());
    assert!(!registry.approve_device("z-z", "ada", 10).unwrap());
}
