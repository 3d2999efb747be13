use super::*;
use crate::deps::test_support::{Machine, download_spec, package_spec};

/// The steps as one would type them, or why there are none.
fn shown(machine: &Machine, kind: InstallKind, package: &str) -> Vec<String> {
    let plan = prepare(&package_spec(kind, package), "demo", &machine.host());
    match plan {
        Ok(plan) => plan.steps().iter().map(|step| machine.shown(&step.to_string())).collect(),
        Err(obstacle) => vec![machine.shown(&obstacle.to_string())],
    }
}

#[test]
fn every_manager_has_its_command() {
    let machine =
        Machine::with(&["brew", "npm", "pnpm", "yarn", "bun", "go", "uv", "cargo", "pipx", "apt-get"]);
    let prefix = "NPM_CONFIG_PREFIX=[ROOT]/tools/node/npm npm_config_prefix=[ROOT]/tools/node/npm";
    let table = [
        (InstallKind::Brew, "gh", "brew install gh".to_owned()),
        (InstallKind::Node, "semver@7.6.0", format!("{prefix} npm install -g --ignore-scripts semver@7.6.0")),
        (
            InstallKind::Go,
            "example.org/x@v1.0.0",
            "GOBIN=[ROOT]/home/.local/bin go install example.org/x@v1.0.0".to_owned(),
        ),
        (InstallKind::Uv, "nano-pdf", "uv tool install nano-pdf".to_owned()),
        (InstallKind::Uv, "a[b]>=1", "uv tool install 'a[b]>=1'".to_owned()),
        (InstallKind::Cargo, "ripgrep@14.1.0", "cargo install --locked ripgrep@14.1.0".to_owned()),
        (InstallKind::Pipx, "black", "pipx install black".to_owned()),
        (InstallKind::Apt, "jq", "DEBIAN_FRONTEND=noninteractive apt-get install -y jq".to_owned()),
    ];
    for (kind, package, command) in table {
        assert_eq!(shown(&machine, kind, package), [command]);
    }
    for (manager, command) in [
        (NodeManager::Pnpm, "pnpm add -g --ignore-scripts semver"),
        (NodeManager::Yarn, "yarn global add --ignore-scripts semver"),
        (NodeManager::Bun, "bun add -g --ignore-scripts semver"),
    ] {
        let host = InstallHost { node_manager: manager, ..machine.host() };
        let plan = prepare(&package_spec(InstallKind::Node, "semver"), "demo", &host).unwrap();
        assert_eq!(plan.steps()[0].to_string(), command);
    }
}

#[test]
fn a_missing_manager_is_named_with_the_way_to_get_it() {
    let bare = Machine::with(&[]);
    let table = [
        (
            InstallKind::Brew,
            "gh",
            "brew not installed — Homebrew is not installed. Install it from https://brew.sh or install \"gh\" \
             manually using your system package manager (e.g. apt, dnf, pacman).",
        ),
        (
            InstallKind::Uv,
            "x",
            "uv not installed — install manually: https://docs.astral.sh/uv/getting-started/installation/",
        ),
        (InstallKind::Go, "x@v1", "go not installed — install manually: https://go.dev/doc/install"),
        (InstallKind::Node, "x", "npm not installed — install manually: https://nodejs.org/en/download"),
        (InstallKind::Cargo, "x", "cargo not installed — install manually: https://rustup.rs"),
        (
            InstallKind::Pipx,
            "x",
            "pipx not installed — install manually: https://pipx.pypa.io/stable/installation/",
        ),
        (
            InstallKind::Apt,
            "jq",
            "apt-get not installed — this system does not use apt; choose another installer",
        ),
    ];
    for (kind, package, message) in table {
        assert_eq!(shown(&bare, kind, package), [message]);
    }
    let host = InstallHost { platform: "darwin".to_owned(), ..bare.host() };
    let obstacle = prepare(&package_spec(InstallKind::Brew, "gh"), "demo", &host).unwrap_err();
    assert_eq!(
        obstacle.to_string(),
        "brew not installed — Homebrew is not installed. Install it from https://brew.sh"
    );
}

#[test]
fn missing_uv_and_go_are_installed_first() {
    let brewed = Machine::with(&["brew", "apt-get"]);
    assert_eq!(shown(&brewed, InstallKind::Uv, "x"), ["brew install uv", "uv tool install x"]);
    let go = ["brew install go", "GOBIN=[ROOT]/bin go install x@v1"];
    assert_eq!(shown(&brewed, InstallKind::Go, "x@v1"), go);

    let debian = Machine::with(&["apt-get"]);
    let steps = [
        "apt-get update -qq",
        "LC_ALL=C apt-cache policy golang-go",
        "apt-get install -y golang-go",
        "GOBIN=[ROOT]/home/.local/bin go install x@v1",
    ];
    assert_eq!(shown(&debian, InstallKind::Go, "x@v1"), steps);
}

#[test]
fn whoever_is_no_administrator_needs_sudo_without_a_password() {
    let steps = |programs: &[&str], kind, package: &str| {
        let machine = Machine::with(programs);
        let host = InstallHost { privilege: Privilege::User, ..machine.host() };
        match prepare(&package_spec(kind, package), "demo", &host) {
            Ok(plan) => plan.steps().iter().map(|step| machine.shown(&step.to_string())).collect(),
            Err(obstacle) => vec![obstacle.to_string()],
        }
    };
    let apt = "DEBIAN_FRONTEND=noninteractive sudo -n apt-get install -y jq";
    assert_eq!(steps(&["apt-get", "sudo"], InstallKind::Apt, "jq"), [apt]);
    let alone = "sudo not installed — apt needs an administrator; run as one: apt-get install -y jq";
    assert_eq!(steps(&["apt-get"], InstallKind::Apt, "jq"), [alone]);
    let go = [
        "sudo -n true",
        "sudo -n apt-get update -qq",
        "LC_ALL=C apt-cache policy golang-go",
        "sudo -n apt-get install -y golang-go",
        "GOBIN=[ROOT]/home/.local/bin go install x@v1",
    ];
    assert_eq!(steps(&["apt-get", "sudo"], InstallKind::Go, "x@v1"), go);
    let alone = "go not installed — apt-get is available but sudo is not installed. Install manually: https://go.dev/doc/install";
    assert_eq!(steps(&["apt-get"], InstallKind::Go, "x@v1"), [alone]);
}

#[test]
fn values_are_looked_at_before_anything_else() {
    let bare = Machine::with(&[]);
    let table = [
        (InstallKind::Go, "example.org/x", "go module value contains invalid characters: example.org/x"),
        (InstallKind::Node, "--global", "node package value is empty or starts with a dash"),
        (InstallKind::Brew, " ", "brew formula value is empty or starts with a dash"),
        (InstallKind::Apt, "vim-", "apt package value contains invalid characters: vim-"),
    ];
    for (kind, package, message) in table {
        assert_eq!(shown(&bare, kind, package), [message]);
    }
}

#[test]
fn a_download_says_where_it_goes() {
    let machine = Machine::with(&[]);
    let line = |change: fn(&mut DownloadRecipe)| {
        let spec = download_spec("https://example.org/d/tool.tgz?x=1", change);
        let plan = prepare(&spec, "demo", &machine.host());
        machine.shown(&plan.map_or_else(|obstacle| obstacle.to_string(), |plan| plan.steps()[0].to_string()))
    };
    assert_eq!(
        line(|_| {}),
        "download and extract https://example.org/d/tool.tgz?x=1 to [ROOT]/tools/demo (no sha256 is declared)"
    );
    let plain = line(|recipe| {
        recipe.extract = Some(false);
        recipe.sha256 = Some("ab".repeat(32));
        recipe.target_dir = Some("bin".to_owned());
    });
    let digest = "ab".repeat(32);
    assert_eq!(
        plain,
        format!("download https://example.org/d/tool.tgz?x=1 to [ROOT]/tools/demo/bin (sha256 {digest})")
    );
    let outside = line(|recipe| recipe.target_dir = Some("../../x".to_owned()));
    assert_eq!(
        outside,
        "Refusing to install outside the skill tools directory. targetDir=\"../../x\" resolves to \"[ROOT]/x\". \
         Allowed root: \"[ROOT]/tools/demo\"."
    );
}

#[test]
fn a_plan_is_data() {
    let machine = Machine::with(&["go"]);
    let plan = prepare(&package_spec(InstallKind::Go, "x@v1"), "demo", &machine.host()).unwrap();
    let shown = machine.shown(&serde_json::to_string(&plan).unwrap());
    let expected = r#"{"kind":"go","steps":[{"type":"command","argv":["go","install","x@v1"],"env":[["GOBIN","[ROOT]/home/.local/bin"]]}]}"#;
    assert_eq!(shown, expected);
    assert_eq!((plan.kind(), plan.steps().len()), (InstallKind::Go, 1));
}
