//! `prowess prompt`

use serde_json::json;

use crate::support::{Home, Program as _};

#[test]
fn exactly_what_a_model_gets_and_nothing_else() {
    let home = Home::full();
    let prompt = home.good(&["prompt"]);
    insta::assert_snapshot!(prompt, @"
    ## Skills (mandatory)
    Before replying: scan <available_skills> <description> entries.
    - If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.
    - If multiple could apply: choose the most specific one, then read/follow it.
    - If none clearly apply: do not read any SKILL.md.
    Constraints: never read more than one skill up front; only read after selecting.

    <available_skills>
      <skill>
        <name>notes</name>
        <description>Does notes. Use when asked.</description>
        <location>~/bundled/notes/SKILL.md</location>
      </skill>
      <skill>
        <name>weather</name>
        <description>Does weather. Use when asked.</description>
        <location>~/ws/skills/weather/SKILL.md</location>
      </skill>
    </available_skills>
    ");
    assert_eq!(home.json(&["prompt", "--json"])["prompt"], json!(prompt));
    let painted = home.good(&["prompt", "--color", "always"]);
    assert_eq!(painted, prompt, "no colours, no line break at the end");
    insta::assert_snapshot!(prompt, @"
    ## Skills (mandatory)
    Before replying: scan <available_skills> <description> entries.
    - If exactly one skill clearly applies: read its SKILL.md at <location> with `read`, then follow it.
    - If multiple could apply: choose the most specific one, then read/follow it.
    - If none clearly apply: do not read any SKILL.md.
    Constraints: never read more than one skill up front; only read after selecting.

    <available_skills>
      <skill>
        <name>notes</name>
        <description>Does notes. Use when asked.</description>
        <location>~/bundled/notes/SKILL.md</location>
      </skill>
      <skill>
        <name>weather</name>
        <description>Does weather. Use when asked.</description>
        <location>~/ws/skills/weather/SKILL.md</location>
      </skill>
    </available_skills>
    ");
}

#[test]
fn nothing_to_say_is_no_byte() {
    let ran = Home::new().run(&["prompt"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    insta::assert_snapshot!(ran.stderr, @"
    The prompt has no skills: there are no skills
      `prowess new NAME` creates one; `prowess search WORDS` finds others
    ");
}

#[test]
fn problems_in_the_config_do_not_get_into_the_prompt() {
    let home = Home::full();
    let clean = home.good(&["prompt"]);
    home.config("{skills: {allowBundled: ['notes', 'weather'], entries: {off: {enabled: false}}, lod: {}}}");
    let ran = home.run(&["prompt"]);
    assert_eq!((ran.code, ran.stdout), (0, clean));
    insta::assert_snapshot!(ran.stderr, @"warning: [ROOT]/.prowess/prowess.json:1:81: unknown key `skills.lod` (did you mean `skills.load`?)");
}

#[test]
fn explain_tells_what_was_cut() {
    let home = Home::full();
    insta::assert_snapshot!(home.good(&["prompt", "--explain"]), @"
    2 of 7 skills, 750 of 30000 characters, about 188 tokens
       Skill            Tokens  Why not
    ✗  amiga            –       made for `amiga`, but this is `[PLATFORM]`
    ✗  github           –       missing environment variable `GH_KEY`; missing program `gh`
    ✗  hidden           –       its author keeps it from the model (`disable-model-invocation`)
    ✓  notes            38
    ✗  off              –       switched off by `skills.entries.off.enabled`
    ✗  unwanted         –       bundled, but `unwanted` is not on `skills.allowBundled`
    ✓  weather          40
    +  rules and frame  110
    ");
    insta::assert_snapshot!(home.good(&["prompt", "--explain", "--budget", "700"]), @"
    1 of 7 skills, 676 of 700 characters, about 169 tokens
    cut: 1 of 2 skills do not fit into 700 characters (prowess config set skills.limits.maxSkillsPromptChars 2000)
    Warning: Skills truncated: included 1 of 2. Run `prowess check --budget 700` to audit.
       Skill            Tokens  Why not
    ✗  amiga            –       made for `amiga`, but this is `[PLATFORM]`
    ✗  github           –       missing environment variable `GH_KEY`; missing program `gh`
    ✗  hidden           –       its author keeps it from the model (`disable-model-invocation`)
    ✓  notes            39
    ✗  off              –       switched off by `skills.entries.off.enabled`
    ✗  unwanted         –       bundled, but `unwanted` is not on `skills.allowBundled`
    ✗  weather          –       no room within `maxSkillsPromptChars`
    +  rules and frame  130
    ");
    let explained = home.json(&["prompt", "--explain", "--json", "--budget", "700"]);
    assert_eq!(explained["maxChars"], json!(700));
    assert!(explained["chars"].as_u64().unwrap() <= 700);
    let note = explained["note"].as_str().unwrap();
    assert_eq!(
        note,
        "Warning: Skills truncated: included 1 of 2. Run `prowess check --budget 700` to audit."
    );
}

#[test]
fn a_budget_is_never_exceeded() {
    let home = Home::full();
    let mut seen = Vec::new();
    for budget in ["0", "1", "500", "700", "800", "5000"] {
        let answer = home.json(&["prompt", "--json", "--budget", budget]);
        assert!(answer["chars"].as_u64().unwrap() <= budget.parse().unwrap());
        seen.push(answer["included"].as_u64().unwrap());
    }
    assert!(seen.is_sorted() && seen.first() == Some(&0) && seen.last() == Some(&2), "{seen:?}");
    assert_eq!(home.run(&["prompt", "--budget", "many"]).code, 2);
}

#[test]
fn other_wordings() {
    let home = Home::new();
    home.skill("ws/skills/one", "one", "");
    insta::assert_snapshot!(home.good(&["prompt", "--format", "skills-ref"]), @"
    <available_skills>
    <skill>
    <name>
    one
    </name>
    <description>
    Does one. Use when asked.
    </description>
    <location>
    [ROOT]/ws/skills/one/SKILL.md
    </location>
    </skill>
    </available_skills>
    ");
    insta::assert_snapshot!(home.good(&["prompt", "--format", "openclaw"]), @"
    ## Skills
    The skills listed below are files of instructions, each for one kind of task.
    When your task matches a skill by its description, read the file at its location before anything else.
    A relative path in a skill starts at the folder that holds its file: make it absolute from there before you pass it to any tool or command.

    <available_skills>
      <skill>
        <name>one</name>
        <description>Does one. Use when asked.</description>
        <location>~/ws/skills/one/SKILL.md</location>
      </skill>
    </available_skills>
    ");
    insta::assert_snapshot!(home.good(&["prompt", "--format", "openpocket"]), @"
    ## Skills
    Before you act, go through the whole index of skills below.
    - One skill clearly fits the task: open the file at its location with `read`, then do as it says.
    - Several could fit: take the most specific one, and open only that.
    - No skill clearly fits: open none of the files.
    - Never open more than one skill file in advance.
    <available_skills>
      <skill>
        <name>one</name>
        <description>Does one. Use when asked.</description>
        <location>[ROOT]/ws/skills/one/SKILL.md</location>
      </skill>
    </available_skills>
    ");
    assert_eq!(home.good(&["prompt", "--format", "prowess"]), home.good(&["prompt"]));
    assert_eq!(home.run(&["prompt", "--format", "poem"]).code, 2);
}

#[test]
fn sub_agents_and_agents_that_cannot_read_get_none() {
    let home = Home::full();
    for (args, reason) in [
        (["--mode", "minimal"], "the prompt mode `minimal`"),
        (["--mode", "none"], "the prompt mode `none`"),
        (["--tools", "write,exec"], "no tool `read`"),
    ] {
        let ran = home.run(&["prompt", args[0], args[1]]);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
        assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    }
    let whole = home.good(&["prompt"]);
    assert_eq!(home.good(&["prompt", "--mode", "full", "--tools", "write,read"]), whole);
}

#[test]
fn a_small_context_shortens_descriptions() {
    let home = Home::new();
    for number in 0..30 {
        let name = format!("s{number:02}");
        let text = format!("---\nname: {name}\ndescription: {}\n---\n", "many words ".repeat(40));
        home.tree.write(&format!("ws/skills/{name}/SKILL.md"), text);
    }
    let whole = home.good(&["prompt"]).len();
    let short = home.good(&["prompt", "--context-tokens", "8000"]).len();
    assert!(short < whole / 2, "{short} of {whole}");
}
