//! A home of OpenClaw's, as the recorded client had it.

use std::path::PathBuf;

use prowess::{Engine, EngineOptions};
use prowess_config::Env;
use prowess_context::Clock;
use prowess_gateway::GatewayOptions;
use prowess_types::ProfileName;
use serde_json::Value;

use crate::support::{Home, Running, serve, skill};

/// A home with `.openclaw` in it; gone when dropped.
pub(crate) struct OpenclawHome {
    home: Home,
}

impl OpenclawHome {
    /// The token in the config, which no answer may hold.
    pub(crate) const TOKEN: &str = "kept-token-0123456789";

    /// The home of the recording: two agents and the skills of its lab.
    pub(crate) fn recorded() -> Self {
        let home = Self { home: Home::new() };
        let token = Self::TOKEN;
        home.write(
            ".openclaw/openclaw.json",
            &format!(
                r#"{{
  // by hand
  gateway: {{ mode: "local", port: 28585, bind: "loopback", auth: {{ mode: "token", token: "{token}" }} }},
  agents: {{ list: [{{ id: "main", default: true, name: "Main" }}, {{ id: "helper", name: "Helper" }}] }},
  update: {{ checkOnStart: false }},
}}
"#
            ),
        );
        let lab = |name: &str, metadata: &str| {
            let file = skill(name, &format!("Lab fixture {name}.")).fields(metadata);
            home.write(&format!(".openclaw/workspace/skills/{name}/SKILL.md"), &file.text());
        };
        lab("lab-ready", "");
        lab(
            "lab-bin",
            "metadata: {\"openclaw\": {\"requires\": {\"bins\": [\"lab-missing-program\"]}, \"install\": [{\"id\": \"npm\", \"kind\": \"node\", \"package\": \"is-odd\", \"bins\": [\"lab-missing-program\"]}]}}\n",
        );
        lab(
            "lab-key",
            "metadata: {\"openclaw\": {\"primaryEnv\": \"LAB_KEY\", \"requires\": {\"env\": [\"LAB_KEY\"]}}}\n",
        );
        lab(
            "lab-config",
            "metadata: {\"openclaw\": {\"requires\": {\"config\": [\"channels.lab.enabled\"]}}}\n",
        );
        home
    }

    /// Writes a file below the home.
    pub(crate) fn write(&self, path: &str, text: &str) {
        self.home.write(path, text);
    }

    /// A value for a snapshot.
    pub(crate) fn shown_json(&self, value: &Value) -> String {
        self.home.shown_json(value)
    }

    pub(crate) fn config_file(&self) -> PathBuf {
        self.home.path().join(".openclaw/openclaw.json")
    }

    pub(crate) fn config_text(&self) -> String {
        std::fs::read_to_string(self.config_file()).unwrap()
    }

    /// What the config file says.
    pub(crate) fn config(&self) -> Value {
        prowess_json5::to_value(&self.config_text()).unwrap()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.home.path().join(".openclaw/workspace")
    }

    pub(crate) fn engine(&self) -> Engine {
        let home = self.home.path().to_string_lossy().into_owned();
        let path = "/usr/bin:/bin".to_owned();
        let env = Env::new([("HOME".to_owned(), home), ("PATH".to_owned(), path)], self.home.path());
        Engine::open(EngineOptions { profile: ProfileName::Openclaw, env, ..EngineOptions::default() })
            .unwrap()
    }

    /// Starts a gateway; it ends with the runtime of the test.
    pub(crate) async fn start(&self) -> Running {
        // The time of the recording.
        let recorded = |options: &mut GatewayOptions| options.clock = Clock::new(|| 1_794_771_089_000);
        serve(&self.engine(), recorded, std::future::pending()).await
    }
}
