use std::path::Path;

use prowess_types::ProfileName;

use super::*;

fn config(text: &str) -> Config {
    let (config, issues) = Config::parse(Some(text), Path::new("/c.json"), ProfileName::Prowess);
    assert_eq!(issues, []);
    config
}

fn filter(config: &Config, id: Option<&str>) -> Option<Vec<String>> {
    config.agent(id).unwrap().skills
}

#[test]
fn without_agents_there_is_main_and_nobody_else() {
    let config = config("{}");
    let agent = config.agent(None).unwrap();
    assert_eq!((agent.id.as_str(), agent.is_default, agent.skills), ("main", true, None));
    assert_eq!(config.agent(Some(" MAIN ")).unwrap().id, "main");
    assert_eq!(config.agent(Some(" ")).unwrap().id, "main");
    assert_eq!(config.system_agent().as_deref(), Some("main"));
    let error = config.agent(Some("ops")).unwrap_err();
    assert_eq!(error.to_string(), "unknown agent id `ops`; known are `main`");
}

#[test]
fn the_default_agent_is_marked_or_first() {
    let marked = config("{agents: {list: [{id: 'a'}, {id: 'B', default: true}]}}");
    assert_eq!(marked.agent(None).unwrap().id, "b");
    assert!(!marked.agent(Some("a")).unwrap().is_default);
    assert_eq!(marked.system_agent(), None);
    assert_eq!(marked.agent(Some("c")).unwrap_err().known, ["a", "b"]);
    let first = config("{agents: {entries: {z: {}, a: {}}, defaults: {systemAgent: {agentId: 'A'}}}}");
    assert_eq!(first.agent(None).unwrap().id, "z");
    assert_eq!(first.system_agent().as_deref(), Some("a"));
}

#[test]
fn lists_and_entries_are_one() {
    let config = config(
        "{agents: {
            list: [{id: 'a', name: 'List', workspace: '~/l'}, {id: 'a', name: 'Again'}, {name: 'no id'}],
            entries: {A: {name: 'Entry'}, c: {}},
        }}",
    );
    assert_eq!(config.agent_ids(), ["a", "main", "c"]);
    let agent = config.agent(Some("a")).unwrap();
    assert_eq!((agent.name.as_deref(), agent.workspace.as_deref()), (Some("Entry"), Some("~/l")));
    assert_eq!(config.agent(Some("main")).unwrap().name.as_deref(), Some("no id"));
}

#[test]
fn a_filter_is_the_agents_own_or_the_shared_one() {
    let config = config(
        "{agents: {
            defaults: {skills: [' shared ', '']},
            list: [{id: 'own', skills: ['a ', ' ', 'b']}, {id: 'none', skills: []}, {id: 'blank', skills: [' ']}, {id: 'silent'}],
        }}",
    );
    assert_eq!(filter(&config, Some("own")), Some(vec!["a".into(), "b".into()]));
    assert_eq!(filter(&config, Some("none")), Some(vec![]));
    assert_eq!(filter(&config, Some("blank")), Some(vec![]));
    assert_eq!(filter(&config, Some("silent")), Some(vec!["shared".into()]));
}

#[test]
fn limits_are_layered() {
    let config = config(
        "{
            skills: {limits: {maxSkillsInPrompt: 7, maxSkillsPromptChars: 9000}},
            agents: {list: [{id: 'a', skillsLimits: {maxSkillsPromptChars: 2500}}, {id: 'b'}]},
        }",
    );
    let limits = |id| config.agent(Some(id)).unwrap().limits;
    assert_eq!((limits("a").max_skills_in_prompt, limits("a").max_skills_prompt_chars), (7, 2500));
    assert_eq!(limits("b").max_skills_prompt_chars, 9000);
    assert_eq!(limits("b").max_candidates_per_root, 300);
    let rules = config.prompt_rules(&config.agent(Some("a")).unwrap());
    assert_eq!((rules.budget.max_skills, rules.budget.max_chars), (7, 2500));
}

#[test]
fn ids_are_made_safe_for_paths() {
    let table = [
        ("Main", "main"),
        ("", "main"),
        ("a_b-c", "a_b-c"),
        ("a b  c", "a-b-c"),
        ("../etc/passwd", "etc-passwd"),
        ("a-!b", "a--b"),
        ("-a-", "a"),
        ("日本", "main"),
    ];
    for (written, expected) in table {
        assert_eq!(normalize_id(written), expected, "{written}");
    }
    assert_eq!(normalize_id(&"x".repeat(100)).len(), 64);
}
