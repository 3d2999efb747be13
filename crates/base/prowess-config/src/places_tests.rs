use super::*;

const CONFIG: &str = "/c.json";

fn env(vars: &[(&str, &str)]) -> Env {
    let home = [("HOME", "/home/u")];
    let vars = home.iter().chain(vars).map(|(name, value)| ((*name).into(), (*value).into()));
    Env::new(vars, "/cwd")
}

fn places(name: ProfileName, vars: &[(&str, &str)], overrides: &Overrides) -> Places {
    Places::resolve(profile(name), &env(vars), overrides).unwrap()
}

fn at(name: ProfileName, vars: &[(&str, &str)]) -> Places {
    places(name, vars, &Overrides::default())
}

fn config(text: &str, name: ProfileName) -> Config {
    Config::parse(Some(text), Path::new(CONFIG), name).0
}

#[test]
fn state_and_config_of_every_profile() {
    use ProfileName::{Openclaw, Openpocket, Prowess};
    type Row<'a> = (ProfileName, &'a [(&'a str, &'a str)], &'a str, &'a str, bool);
    let table: [Row<'_>; 13] = [
        (Prowess, &[], "/home/u/.prowess", "/home/u/.prowess/prowess.json", true),
        (Prowess, &[("PROWESS_HOME", " /p ")], "/p", "/p/prowess.json", false),
        (Prowess, &[("PROWESS_HOME", "~/p")], "/home/u/p", "/home/u/p/prowess.json", false),
        (Prowess, &[("PROWESS_HOME", "p/../q")], "/cwd/q", "/cwd/q/prowess.json", false),
        (Prowess, &[("PROWESS_HOME", "  ")], "/home/u/.prowess", "/home/u/.prowess/prowess.json", true),
        (Prowess, &[("PROWESS_CONFIG", "/x/c.json")], "/home/u/.prowess", "/x/c.json", true),
        (Openclaw, &[], "/home/u/.openclaw", "/home/u/.openclaw/openclaw.json", true),
        (Openclaw, &[("OPENCLAW_HOME", "/alt")], "/alt/.openclaw", "/alt/.openclaw/openclaw.json", true),
        (Openclaw, &[("OPENCLAW_CONFIG_PATH", "/conf/oc.json")], "/conf", "/conf/oc.json", true),
        (
            Openclaw,
            &[("OPENCLAW_STATE_DIR", "/s"), ("OPENCLAW_CONFIG_PATH", "/conf/oc.json")],
            "/s",
            "/conf/oc.json",
            false,
        ),
        (
            Openclaw,
            &[("OPENCLAW_STATE_DIR", "/home/u/.openclaw/")],
            "/home/u/.openclaw",
            "/home/u/.openclaw/openclaw.json",
            true,
        ),
        (Openpocket, &[], "/home/u/.openpocket", "/home/u/.openpocket/config.json", true),
        (Openpocket, &[("OPENPOCKET_HOME", "/o")], "/o", "/o/config.json", false),
    ];
    for (name, vars, state, file, is_default) in table {
        let places = at(name, vars);
        assert_eq!(places.state, Path::new(state), "{name:?} {vars:?}");
        assert_eq!(places.config_file, Path::new(file), "{name:?} {vars:?}");
        assert_eq!(places.state_is_default, is_default, "{name:?} {vars:?}");
        assert_eq!(places.managed(), Path::new(state).join("skills"));
    }
}

#[test]
fn the_command_line_beats_the_environment() {
    let overrides = Overrides {
        home: Some("h".into()),
        config: Some("/x/c.json".into()),
        workspace: Some("../ws".into()),
        bundled: Some("/b".into()),
    };
    let vars = [("PROWESS_HOME", "/p"), ("PROWESS_CONFIG", "/q"), ("PROWESS_BUNDLED_SKILLS_DIR", "/c")];
    let places = places(ProfileName::Prowess, &vars, &overrides);
    assert_eq!(places.state, Path::new("/cwd/h"));
    assert_eq!(places.config_file, Path::new("/x/c.json"));
    assert_eq!(places.bundled_override.as_deref(), Some(Path::new("/b")));
    let config = config("{agents: {defaults: {workspace: '/w'}}}", ProfileName::Prowess);
    assert_eq!(places.workspace(&config, &config.agent(None).unwrap()), Path::new("/ws"));
}

#[test]
fn the_personal_root_is_in_the_os_home() {
    let personal = |name, vars: &[(&str, &str)]| at(name, vars).personal;
    let expected = Some(PathBuf::from("/home/u/.agents/skills"));
    assert_eq!(personal(ProfileName::Prowess, &[("PROWESS_HOME", "/p")]), expected);
    assert_eq!(personal(ProfileName::Openclaw, &[("OPENCLAW_HOME", "/alt")]), expected);
    assert_eq!(personal(ProfileName::Openclaw, &[("OPENCLAW_CONFIG_PATH", "/conf/oc.json")]), expected);
    assert_eq!(personal(ProfileName::Openclaw, &[("OPENCLAW_STATE_DIR", "/s")]), None);
    assert_eq!(personal(ProfileName::Openpocket, &[]), None);
}

#[test]
fn the_cache_is_ours_in_every_profile() {
    let cache = |name, vars: &[(&str, &str)]| at(name, vars).cache;
    assert_eq!(cache(ProfileName::Prowess, &[]), Path::new("/home/u/.prowess/cache"));
    assert_eq!(
        cache(ProfileName::Openclaw, &[("OPENCLAW_STATE_DIR", "/s")]),
        Path::new("/home/u/.prowess/cache")
    );
    assert_eq!(cache(ProfileName::Openpocket, &[("PROWESS_HOME", "/p")]), Path::new("/p/cache"));
}

#[test]
fn bundled_skills_can_be_moved() {
    let (own, theirs) =
        (("PROWESS_BUNDLED_SKILLS_DIR", "/own"), ("OPENCLAW_BUNDLED_SKILLS_DIR", " /theirs "));
    let bundled = |name, vars: &[(&str, &str)]| at(name, vars).bundled_override;
    assert_eq!(bundled(ProfileName::Prowess, &[]), None);
    assert_eq!(bundled(ProfileName::Prowess, &[own, theirs]), Some("/own".into()));
    assert_eq!(bundled(ProfileName::Prowess, &[theirs]), Some("/theirs".into()));
    assert_eq!(bundled(ProfileName::Openclaw, &[own, theirs]), Some("/theirs".into()));
    assert_eq!(bundled(ProfileName::Openpocket, &[own, theirs]), Some("/own".into()));
    assert_eq!(bundled(ProfileName::Openpocket, &[theirs]), Some("/theirs".into()));
}

#[test]
fn workspaces() {
    use ProfileName::{Openclaw, Openpocket, Prowess};
    let agents = "list: [{id: 'a', workspace: '~/a'}, {id: 'b', default: true}, {id: 'c'}]";
    let shared = format!("{{agents: {{{agents}, defaults: {{workspace: 'w'}}}}}}");
    let none = format!("{{agents: {{{agents}}}, workspaceDir: 'd'}}");
    let table = [
        (Prowess, &shared, "a", "/home/u/a"),
        // Relative to the config file.
        (Prowess, &shared, "b", "/home/u/.prowess/w"),
        (Prowess, &none, "c", "/cwd"),
        (Openclaw, &shared, "b", "/cwd/w"),
        (Openclaw, &shared, "c", "/cwd/w/c"),
        (Openclaw, &none, "b", "/home/u/.openclaw/workspace"),
        (Openclaw, &none, "c", "/home/u/.openclaw/workspace-c"),
        (Openpocket, &none, "b", "/cwd/d"),
    ];
    for (name, text, agent, expected) in table {
        let config = config(text, name);
        let agent = config.agent(Some(agent)).unwrap();
        assert_eq!(at(name, &[]).workspace(&config, &agent), Path::new(expected), "{name:?} {}", agent.id);
    }
    let empty = config("{}", Openpocket);
    let workspace = at(Openpocket, &[]).workspace(&empty, &empty.agent(None).unwrap());
    assert_eq!(workspace, Path::new("/home/u/.openpocket/workspace"));
    assert_eq!(Places::project_config(&workspace), workspace.join(".prowess/config.json"));
}

#[test]
fn every_kind_of_root_has_its_folder() {
    let config =
        config("{skills: {load: {extraDirs: ['~/e', 'rel', ' /abs/./x/../y ']}}}", ProfileName::Openclaw);
    let agent = config.agent(None).unwrap();
    let places = at(ProfileName::Openclaw, &[("OPENCLAW_HOME", "/alt")]);
    let context = RootContext {
        config: &config,
        agent: &agent,
        workspace: Path::new("/ws"),
        bundled: Some(Path::new("/pkg/skills")),
    };
    let roots: Vec<_> = profile(ProfileName::Openclaw)
        .roots
        .iter()
        .map(|root| {
            let paths: Vec<_> =
                places.roots(root.place, context).iter().map(|path| path.display().to_string()).collect();
            format!("{:?}: {}", root.place, paths.join(" "))
        })
        .collect();
    insta::assert_snapshot!(roots.join("\n"), @r"
    ExtraDirs: /alt/e /cwd/rel /abs/y
    Plugins: 
    Bundled: /pkg/skills
    Custodian: /pkg/custodian-skills
    Workshop: /alt/.openclaw/agents/main/agent/workshop-skills
    Managed: /alt/.openclaw/skills
    Personal: /home/u/.agents/skills
    Project: /ws/.agents/skills
    Workspace: /ws/skills
    ");
    let other = Agent { id: "other".into(), agent_dir: Some("/d".into()), ..agent.clone() };
    let context = RootContext { agent: &other, bundled: None, ..context };
    assert_eq!(places.roots(Place::Workshop, context), [Path::new("/d/workshop-skills")]);
    assert!(places.roots(Place::Bundled, context).is_empty());
    let context = RootContext { bundled: Some(Path::new("/pkg/skills")), ..context };
    assert!(places.roots(Place::Custodian, context).is_empty());
    assert_eq!(places.roots(Place::Local, context), [Path::new("/alt/.openclaw/skills")]);
}

#[test]
fn without_a_home_there_is_nothing_to_compute() {
    let error = Places::resolve(profile(ProfileName::Prowess), &Env::new([], "/cwd"), &Overrides::default())
        .unwrap_err();
    assert_eq!(error.to_string(), "`HOME` is not set, so the home directory is unknown");
    let windows = Env::new([("USERPROFILE".into(), "/users/u".into())], "/cwd");
    let places = Places::resolve(profile(ProfileName::Prowess), &windows, &Overrides::default()).unwrap();
    assert_eq!(places.os_home, Path::new("/users/u"));
}

#[test]
fn a_tilde_is_a_home_only_on_its_own() {
    let places = at(ProfileName::Openclaw, &[("OPENCLAW_HOME", "/alt")]);
    let base = Path::new("/base");
    for (path, expected) in
        [("~", "/alt"), ("~/x", "/alt/x"), ("~user/x", "/base/~user/x"), ("x/~", "/base/x/~"), ("..", "/")]
    {
        assert_eq!(places.expand_in(path, base), Path::new(expected), "{path}");
    }
}
