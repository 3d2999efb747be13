use std::path::Path;

use prowess_types::ProfileName;

use super::*;
use crate::SkillLimits;

fn config(text: &str, name: ProfileName) -> Config {
    Config::parse(Some(text), Path::new("/c.json"), name).0
}

#[test]
fn a_workspace_cannot_loosen_what_the_user_decides() {
    let loose =
        "{skills: {commands: {inject: 'sandboxed'}, registry: 'https://x'}, security: {trust: 'always'},
        forge: {policy: 'tested', offer: false}}";
    let read = |config: &Config| {
        (config.command_injection(), config.registry(), config.repository_trust(), config.forge())
    };
    let strict = (
        CommandInjection::Never,
        None,
        RepositoryTrust::Ask,
        ForgeSettings { offer: true, policy: PromotionPolicy::Ask },
    );
    let (cloned, _) = config("{}", ProfileName::Prowess).with_project(Some(loose), Path::new("/w/c.json"));
    assert_eq!(read(&cloned), strict);
    let users = (
        CommandInjection::Sandboxed,
        Some("https://x".to_owned()),
        RepositoryTrust::Always,
        ForgeSettings { offer: false, policy: PromotionPolicy::Tested },
    );
    assert_eq!(read(&config(loose, ProfileName::Prowess)), users);
}

#[test]
fn an_empty_config_has_the_defaults_of_the_documents() {
    let config = config("{}", ProfileName::Prowess);
    assert_eq!(
        config.load(),
        LoadSettings { extra_dirs: vec![], watch: true, debounce_ms: 250, allow_symlink_targets: vec![] }
    );
    assert_eq!(
        config.install(),
        InstallSettings { prefer_brew: true, node_manager: NodeManager::Npm, allow_uploaded_archives: false }
    );
    assert_eq!(
        config.workshop(),
        WorkshopSettings {
            autonomous: Autonomy::Auto,
            approval: ApprovalPolicy::Auto,
            max_pending: 50,
            max_skill_bytes: 40_000,
        }
    );
    assert_eq!(
        config.prompt(),
        PromptSettings {
            compact: false,
            select: Select::Message,
            top: 8,
            preload: true,
            preload_at: 0.8,
            wording: PromptWording::Mandatory
        }
    );
    assert_eq!(
        config.agent(None).unwrap().limits,
        SkillLimits {
            max_candidates_per_root: 300,
            max_skills_loaded_per_source: 200,
            max_skills_in_prompt: 150,
            max_skills_prompt_chars: 30_000,
            max_skill_file_bytes: 256_000,
        }
    );
    assert!(config.plugins().enabled && config.plugins().allows("x"));
    assert_eq!(config.allow_bundled(), [""; 0]);
    assert_eq!(config.spec_mode(), SpecMode::Mixed);
    assert!(config.drafts_skills());
    assert_eq!(config.system_prompt_mode(), PromptMode::Full);
}

#[test]
fn every_setting_is_read() {
    let config = config(
        "{
            skills: {
                allowBundled: [' github ', ''],
                load: {extraDirs: ['~/a', ' /b ', ' '], watch: false, debounceMs: 1e2, allowSymlinkTargets: ['/t']},
                install: {preferBrew: false, nodeManager: ' BUN ', allowUploadedArchives: true},
                workshop: {autonomous: {mode: 'off'}, approvalPolicy: 'pending', maxPending: 1, maxSkillBytes: 2},
                prompt: {compact: true, select: 'top', preload: true, wording: 'skills-ref'},
            },
            agent: {skills_spec_mode: ' Strict ', auto_artifacts_enabled: false, systemPromptMode: 'none'},
        }",
        ProfileName::Prowess,
    );
    assert_eq!(config.allow_bundled(), ["github"]);
    let load = config.load();
    assert_eq!(
        (load.extra_dirs, load.watch, load.debounce_ms),
        (vec!["~/a".into(), "/b".into()], false, 100)
    );
    assert_eq!(load.allow_symlink_targets, ["/t"]);
    let install = config.install();
    assert_eq!(
        (install.prefer_brew, install.node_manager, install.allow_uploaded_archives),
        (false, NodeManager::Bun, true)
    );
    let workshop = config.workshop();
    assert_eq!((workshop.autonomous, workshop.approval), (Autonomy::Off, ApprovalPolicy::Pending));
    assert_eq!((workshop.max_pending, workshop.max_skill_bytes), (1, 2));
    let rules = config.prompt_rules(&config.agent(None).unwrap());
    assert_eq!((rules.wording, rules.compact_fallback), (PromptWording::SkillsRef, true));
    assert_eq!((config.prompt().select, config.prompt().preload), (Select::Top, true));
    // A list that was chosen before texts came by default stays without them.
    for select in ["all", "ranked", "top"] {
        let chosen =
            self::config(&format!("{{skills: {{prompt: {{select: '{select}'}}}}}}"), ProfileName::Prowess);
        assert!(!chosen.prompt().preload, "{select}");
    }
    for profile in [ProfileName::Openclaw, ProfileName::Openpocket] {
        let other = self::config("{}", profile).prompt();
        assert_eq!((other.select, other.preload), (Select::All, false));
    }
    assert_eq!(config.spec_mode(), SpecMode::Strict);
    assert!(!config.drafts_skills());
    assert_eq!(config.system_prompt_mode(), PromptMode::None);
}

#[test]
fn the_spec_mode_is_a_choice_where_the_profile_leaves_one() {
    for (written, expected) in [
        ("legacy", SpecMode::Legacy),
        (" STRICT", SpecMode::Strict),
        ("mixed", SpecMode::Mixed),
        ("anything", SpecMode::Mixed),
    ] {
        let text = format!("{{agent: {{skillsSpecMode: '{written}'}}}}");
        assert_eq!(config(&text, ProfileName::Prowess).spec_mode(), expected);
        assert_eq!(config(&text, ProfileName::Openpocket).spec_mode(), expected);
        assert_eq!(config(&text, ProfileName::Openclaw).spec_mode(), SpecMode::SkillMdOnly);
    }
}

#[test]
fn plugins_are_switched_in_several_ways() {
    let plugins = |text: &str| config(&format!("{{plugins: {text}}}"), ProfileName::Openclaw).plugins();
    assert!(!plugins("{enabled: false}").allows("x"));
    assert!(!plugins("{deny: ['x'], allow: ['x']}").allows("x"));
    assert!(!plugins("{allow: ['y']}").allows("x"));
    assert!(!plugins("{entries: {x: {enabled: false}}}").allows("x"));
    assert!(plugins("{entries: {x: {enabled: true, hooks: {}}}}").allows("x"));
    let plugins = plugins("{load: {paths: ['~/p']}, slots: {memory: ' m ', contextEngine: 'c'}}");
    assert_eq!((plugins.paths, plugins.memory_slot), (vec!["~/p".into()], Some("m".into())));
}

#[test]
fn matching_is_built_in_unless_an_encoder_is_named_in_full() {
    let settings = |text: &str| config(text, ProfileName::Prowess).matching();
    assert_eq!(
        settings("{}"),
        MatchSettings { load: None, suggest: None, encoder: EncoderChoice::Builtin, own_multilingual: false }
    );
    let own =
        settings("{skills: {match: {load: 0.7, suggest: 0, encoder: '~/my.pack', multilingual: 'encoder'}}}");
    assert_eq!(own.encoder, EncoderChoice::Pack("~/my.pack".into()));
    assert_eq!((own.load, own.suggest, own.own_multilingual), (Some(0.7), Some(0.0), true));
    let endpoint = "url: 'http://127.0.0.1:1/v1', model: 'm', apiKey: 'k'";
    let named =
        settings(&format!("{{skills: {{match: {{encoder: 'endpoint', endpoint: {{{endpoint}}}}}}}}}"));
    let EncoderChoice::Endpoint { model, api_key, .. } = named.encoder else { panic!("{named:?}") };
    assert_eq!((model.as_str(), api_key.is_some()), ("m", true));
    // Without an address there is nothing to ask.
    assert_eq!(settings("{skills: {match: {encoder: 'endpoint'}}}").encoder, EncoderChoice::Builtin);
}

#[test]
fn a_confidence_is_a_share() {
    let text = "{skills: {match: {load: 1.5}}}";
    let (config, issues) = Config::parse(Some(text), Path::new("/c.json"), ProfileName::Prowess);
    assert_eq!(config.matching().load, None);
    assert!(issues[0].to_string().contains("a number from 0 to 1"), "{}", issues[0]);
}

#[test]
fn an_install_policy_is_off_until_it_is_switched_on() {
    let policy = |text: &str| config(text, ProfileName::Prowess).install_policy();
    assert_eq!(policy("{security: {installPolicy: {exec: {command: '/bin/x'}}}}"), None);
    let on = policy("{security: {installPolicy: {enabled: true}}}").unwrap();
    assert_eq!((on.command, on.targets, on.timeout.as_millis()), (None, None, 10_000));
    assert_eq!((on.silence.as_millis(), on.max_output), (10_000, 1 << 20));
    let exec = "command: '/bin/x', args: ['-j'], timeoutMs: 5, env: {A: 'b'}, passEnv: ['PATH']";
    let text =
        format!("{{security: {{installPolicy: {{enabled: true, targets: ['skill'], exec: {{{exec}}}}}}}}}");
    let full = policy(&text).unwrap();
    assert_eq!(full.command.as_deref(), Some("/bin/x"));
    assert_eq!(full.targets.as_deref(), Some(&["skill".to_owned()][..]));
    assert_eq!((full.silence.as_millis(), full.env.len(), full.pass_env.len()), (5, 1, 1));
}
