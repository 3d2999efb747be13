//! Tables of what each text means, and what holds for every text.

use proptest::prelude::*;

use super::*;

fn registry(owner: Option<&str>, slug: &str, version: Option<&str>) -> SourceReference {
    SourceReference::Registry(RegistryReference {
        owner: owner.map(str::to_owned),
        slug: slug.to_owned(),
        version: version.map(str::to_owned),
    })
}

fn github(owner: &str, name: &str, path: Option<&str>, revision: Option<&str>) -> SourceReference {
    git(GitRepository::GitHub { owner: owner.to_owned(), name: name.to_owned() }, path, revision)
}

fn url(url: &str, path: Option<&str>, revision: Option<&str>) -> SourceReference {
    git(GitRepository::Url(url.to_owned()), path, revision)
}

fn git(repository: GitRepository, path: Option<&str>, revision: Option<&str>) -> SourceReference {
    let (path, revision) = (path.map(str::to_owned), revision.map(str::to_owned));
    SourceReference::Git(GitReference { repository, path, revision })
}

fn download(url: &str, sha256: Option<String>) -> SourceReference {
    SourceReference::Download { url: url.to_owned(), sha256 }
}

fn site(url: &str, skill: Option<&str>) -> SourceReference {
    SourceReference::Site { url: url.to_owned(), skill: skill.map(str::to_owned) }
}

#[test]
fn what_each_text_means() {
    let hash = "0123456789abcdef".repeat(4);
    let with_hash = format!("https://a.b/x.zip#sha256={}", hash.to_uppercase());
    let without_ending = format!("https://a.b/x?y#sha256={hash}");
    let cases: Vec<(&str, SourceReference)> = vec![
        ("weather", registry(None, "weather", None)),
        (" Weather ", registry(None, "weather", None)),
        ("weather@1.2.0", registry(None, "weather", Some("1.2.0"))),
        ("weather@latest", registry(None, "weather", Some("latest"))),
        ("a--b", registry(None, "a--b", None)),
        ("@Ann/weather", registry(Some("ann"), "weather", None)),
        ("@ann.b/weather@1.0.0-beta+x", registry(Some("ann.b"), "weather", Some("1.0.0-beta+x"))),
        ("ann/skills", github("ann", "skills", None, None)),
        ("Ann/My.Skills", github("Ann", "My.Skills", None, None)),
        ("ann/skills/a/b/", github("ann", "skills", Some("a/b"), None)),
        ("ann/skills@v1", github("ann", "skills", None, Some("v1"))),
        ("ann/skills/a@feature/x", github("ann", "skills", Some("a"), Some("feature/x"))),
        ("ann/skills#v1", github("ann", "skills", None, Some("v1"))),
        ("ann/skills#v1:a/b", github("ann", "skills", Some("a/b"), Some("v1"))),
        ("git:ann/skills@main", github("ann", "skills", None, Some("main"))),
        ("github:ann/skills", github("ann", "skills", None, None)),
        ("git:https://h.x/a.git#v1", url("https://h.x/a.git", None, Some("v1"))),
        ("git+https://H.x/a/b#main:c/d", url("https://h.x/a/b", Some("c/d"), Some("main"))),
        ("git+https://h.x/a#:c", url("https://h.x/a", Some("c"), None)),
        ("https://h.x/a.git", url("https://h.x/a.git", None, None)),
        ("https://h.x:8443/a.git#v1", url("https://h.x:8443/a.git", None, Some("v1"))),
        ("git@h.x:a/b.git", url("ssh://git@h.x/a/b.git", None, None)),
        ("ssh://git@h.x/a.git#v2", url("ssh://git@h.x/a.git", None, Some("v2"))),
        ("git+file:///srv/a.git", url("file:///srv/a.git", None, None)),
        ("https://github.com/ann/skills", github("ann", "skills", None, None)),
        ("https://github.com/ann/skills.git", url("https://github.com/ann/skills.git", None, None)),
        ("https://github.com/ann/skills/tree/main/a/b", github("ann", "skills", Some("a/b"), Some("main"))),
        ("https://gitlab.com/g/s/r", url("https://gitlab.com/g/s/r.git", None, None)),
        ("https://gitlab.com/g/r/-/tree/v1/a", url("https://gitlab.com/g/r.git", Some("a"), Some("v1"))),
        (
            "skills-sh:ann/skills/pdf",
            SourceReference::SkillsSh { owner: "ann".into(), repo: "skills".into(), skill: "pdf".into() },
        ),
        ("./x", SourceReference::Folder("./x".into())),
        ("../x", SourceReference::Folder("../x".into())),
        ("/x y", SourceReference::Folder("/x y".into())),
        ("~/x", SourceReference::Folder("~/x".into())),
        (".", SourceReference::Folder(".".into())),
        ("C:\\x", SourceReference::Folder("C:\\x".into())),
        ("x.zip", SourceReference::Archive("x.zip".into())),
        ("a/x.TAR.GZ", SourceReference::Archive("a/x.TAR.GZ".into())),
        ("~/x.tgz", SourceReference::Archive("~/x.tgz".into())),
        ("./.zip", SourceReference::Folder("./.zip".into())),
        ("https://a.b/x.zip", download("https://a.b/x.zip", None)),
        ("https://a.b/x.tar.gz?k=v", download("https://a.b/x.tar.gz?k=v", None)),
        (&with_hash, download("https://a.b/x.zip", Some(hash.clone()))),
        (&without_ending, download("https://a.b/x?y", Some(hash.clone()))),
        (
            "https://github.com/a/b/archive/main.zip",
            download("https://github.com/a/b/archive/main.zip", None),
        ),
        ("https://a.b", site("https://a.b", None)),
        ("https://A.b/", site("https://a.b", None)),
        ("http://127.0.0.1:8080/u/ann", site("http://127.0.0.1:8080/u/ann", None)),
        ("http://[::1]:80/x#pdf", site("http://[::1]:80/x", Some("pdf"))),
    ];
    for (text, expected) in cases {
        let read = SourceReference::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, expected, "{text}");
        assert_eq!(SourceReference::parse(&read.to_string()).as_ref(), Ok(&read), "{text} round trip");
    }
}

#[test]
fn what_is_wrong_with_the_others() {
    use ReferenceProblem as P;
    let long = "a".repeat(3000);
    let cases: Vec<(&str, P, Option<&str>)> = vec![
        ("", P::Empty, None),
        ("  ", P::Empty, None),
        (&long, P::TooLong, None),
        ("a\nb", P::Control, None),
        ("My Skill", P::Slug, Some("my-skill")),
        ("my_skill", P::Slug, Some("my-skill")),
        ("-x", P::Slug, Some("x")),
        ("@ann/My_Skill", P::Slug, Some("@ann/my-skill")),
        ("@ann/a/b", P::Slug, Some("ann/a/b")),
        ("@ann", P::OwnerOnly, Some("ann")),
        ("@/x", P::Owner, None),
        ("-a/b", P::Owner, None),
        ("ann/", P::Repository, Some("ann")),
        ("ann/..", P::Repository, Some("ann")),
        ("ann/-x", P::Repository, Some("ann")),
        ("ann/b/../c", P::Path, Some("ann/b")),
        ("ann/b//c", P::Path, Some("ann/b")),
        ("ann/b/.GIT/hooks", P::Path, Some("ann/b")),
        ("ann/b@--upload-pack=x", P::Revision, Some("ann/b")),
        ("ann/b@a..b", P::Revision, Some("ann/b")),
        ("ann/b@", P::Revision, Some("ann/b")),
        ("weather@", P::Version, None),
        ("weather@^1", P::Version, None),
        ("git://h.x/a.git", P::Scheme("git".into()), Some("git+https://h.x/a.git")),
        ("file:///x", P::Scheme("file".into()), Some("/x")),
        ("ftp://h/x", P::Scheme("ftp".into()), None),
        ("javascript:alert(1)", P::Scheme("javascript".into()), None),
        ("git+ext::sh", P::Scheme("git+ext".into()), None),
        ("https://", P::Url, None),
        ("https://a b/x", P::Url, None),
        ("https://-x/y", P::Url, None),
        ("git+https://-oProxyCommand/x", P::Url, None),
        ("ssh://-oProxyCommand=x/y", P::Url, None),
        ("https://a.b:99999/x", P::Url, None),
        ("https://u:p@h.x/y", P::Credentials, Some("https://h.x/y")),
        ("git+https://token@h.x/y.git", P::Credentials, Some("git+https://h.x/y.git")),
        ("https://a.b/x.zip#sha256=12", P::Digest, None),
        ("https://a.b/x.zip#main", P::Digest, None),
        ("skills-sh:a/b", P::SkillsSh, None),
        ("skills-sh:a/b/..", P::SkillsSh, None),
        ("https://github.com/ann", P::Repository, Some("ann")),
        ("https://github.com/ann/b/issues/1", P::Repository, Some("ann/b")),
    ];
    for (text, problem, suggestion) in cases {
        let error = SourceReference::parse(text).expect_err(text);
        assert_eq!((error.problem, error.suggestion.as_deref()), (problem, suggestion), "{text}");
    }
}

#[test]
fn a_message_says_what_to_do_and_keeps_passwords() {
    let error = SourceReference::parse("https://ann:hunter2@h.x/y").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`https://…@h.x/y` holds a password; log in to the registry, or let git and ssh keep it; \
         did you mean `https://h.x/y`?"
    );
    assert!(!format!("{error:?}").contains("hunter2"));
    let error = SourceReference::parse("My Skill").unwrap_err();
    assert!(error.to_string().ends_with("did you mean `my-skill`?"), "{error}");
}

#[test]
fn names_of_repositories() {
    for (text, name) in [("a/b", "b"), ("git@h:x/y.git", "y"), ("git+https://h/z/", "z")] {
        let Ok(SourceReference::Git(git)) = SourceReference::parse(text) else { panic!("{text}") };
        assert_eq!(git.repository.name(), name);
    }
}

/// What holds for every text.
fn check(text: &str) -> Result<(), TestCaseError> {
    match SourceReference::parse(text) {
        Ok(reference) => {
            let written = reference.to_string();
            let again = SourceReference::parse(&written);
            prop_assert_eq!(again.as_ref(), Ok(&reference), "{} as {}", text, written);
            if let SourceReference::Git(git) = &reference {
                let asked = [Some(git.repository.url()), git.revision.clone()];
                prop_assert!(
                    asked.iter().flatten().all(|word| !word.starts_with('-')),
                    "no options: {:?}",
                    git
                );
            }
        }
        Err(error) => {
            prop_assert!(!error.to_string().contains('\n'));
            if let Some(suggestion) = &error.suggestion {
                prop_assert!(SourceReference::parse(suggestion).is_ok(), "{} suggests {}", text, suggestion);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text(text in ".{0,60}") {
        check(&text)?;
    }

    #[test]
    fn texts_of_the_right_letters(text in "(git\\+|git:|https?:|ssh:|file:|skills-sh:)?(//)?[ab./:@#?~_-]{0,14}(.git|.zip)?(#[ab:/.]{0,6})?") {
        check(&text)?;
    }

    #[test]
    fn repositories(owner in "[a-z0-9]{1,8}", name in "[a-zA-Z0-9_]{1,8}", path in "(/[a-z.]{1,6}){0,3}", revision in "(@[a-z/.0-9]{1,9})?") {
        check(&format!("{owner}/{name}{path}{revision}"))?;
    }
}

#[test]
fn a_repository_that_is_called_like_an_archive_stays_one() {
    for text in ["a/x.tar.gz/", "a/b/skill.zip/"] {
        let reference = SourceReference::parse(text).unwrap();
        assert!(matches!(reference, SourceReference::Git(_)), "{text}");
        assert_eq!(SourceReference::parse(&reference.to_string()), Ok(reference), "{text}");
    }
    assert!(SourceReference::parse("a/b#v1.zip:skills/c").is_err());
    assert!(matches!(SourceReference::parse("a/x.tar.gz"), Ok(SourceReference::Archive(_))));
}
