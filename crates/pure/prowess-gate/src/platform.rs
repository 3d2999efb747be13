//! Comparisons of operating systems.
//!
//! OpenClaw compares exactly in one place and tolerantly in another, so that the same skill is eligible in its report
//! and missing from its prompt. The profile that follows it does the same; everywhere else there is only the tolerant
//! comparison.

/// Returns true if `platform` is one of the `declared` operating systems; an empty list means any.
///
/// Case and surrounding blanks do not count, and the usual other names do. There are no wildcards.
///
/// ```
/// # use prowess_gate::matches_platform;
/// assert!(matches_platform(&["macOS".into()], "darwin"));
/// assert!(!matches_platform(&["*".into()], "linux"));
/// ```
pub fn matches_platform(declared: &[String], platform: &str) -> bool {
    let platform = canonical(platform);
    declared.is_empty() || declared.iter().any(|os| canonical(os) == platform)
}

/// Returns true if `platform` is one of the `declared` operating systems to the letter; an empty list means any.
pub fn names_platform(declared: &[String], platform: &str) -> bool {
    declared.is_empty() || declared.iter().any(|os| os == platform)
}

/// The name Node gives to an operating system.
fn canonical(os: &str) -> String {
    let os = os.trim().to_lowercase();
    match os.as_str() {
        "macos" | "mac" | "osx" => "darwin".to_owned(),
        "windows" | "win" => "win32".to_owned(),
        _ => os,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_tolerantly_and_without_wildcards() {
        let table = [
            ("linux", "linux", true),
            ("Linux", "linux", true),
            (" LINUX ", "linux", true),
            ("macos", "darwin", true),
            ("mac", "darwin", true),
            ("osx", "Darwin", true),
            ("windows", "win32", true),
            ("win", "win32", true),
            ("darwin", "linux", false),
            ("*", "linux", false),
            ("any", "linux", false),
            ("", "linux", false),
        ];
        for (declared, platform, expected) in table {
            assert_eq!(
                matches_platform(&[declared.to_owned()], platform),
                expected,
                "{declared} on {platform}"
            );
        }
        assert!(matches_platform(&[], "plan9"));
        assert!(matches_platform(&["x".into(), "linux".into()], "linux"));
    }
}
