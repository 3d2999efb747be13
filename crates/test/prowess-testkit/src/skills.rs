//! Many skills at once, for benchmarks and limits.

use std::path::Path;

/// A plausible `SKILL.md` with a body of a few kilobytes.
pub fn skill_md(number: usize) -> String {
    let needs = match number % 4 {
        0 => {
            "metadata: {\"openclaw\":{\"emoji\":\"🔧\",\"requires\":{\"bins\":[\"git\",\"jq\"],\"env\":[\"TOKEN\"]}}}\n"
        }
        1 => "metadata:\n  openclaw:\n    requires:\n      anyBins: [rg, grep]\n    os: [linux, darwin]\n",
        2 => "homepage: https://example.org/skill\nversion: 1.2.0\n",
        _ => "",
    };
    let body =
        "Read the request, choose the command, run it and report what it printed.\n".repeat(20 + number % 60);
    format!(
        "---\nname: skill-{number:05}\ndescription: Does task number {number} for the user. Use when somebody asks for \
         task {number}, for its report, or for its clean-up.\n{needs}---\n\n# Skill {number}\n\n{body}"
    )
}

/// Writes that many skills into a folder.
pub fn write_skills(folder: &Path, count: usize) {
    for number in 0..count {
        let skill = folder.join(format!("skill-{number:05}"));
        std::fs::create_dir_all(&skill).expect("a folder");
        std::fs::write(skill.join("SKILL.md"), skill_md(number)).expect("a file");
    }
}
