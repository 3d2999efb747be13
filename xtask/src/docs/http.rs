//! The reference of HTTP addresses, compared with the routers in the source.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Result, bail};

use crate::process::crate_file;

/// An address: the verbs, the path as the router has it, and what it is for.
type Row = (&'static str, &'static str, &'static str);

const GATEWAY: [Row; 12] = [
    ("GET", "/", "the Studio, or the WebSocket where an upgrade is asked for"),
    ("GET", "/ws", "the WebSocket, [gateway-protocol.md](../gateway-protocol.md)"),
    ("GET", "/api/gateway/ws", "the same, where the Studio looks for it"),
    ("GET", "/api/v1", "every method by name"),
    ("POST", "/api/v1/{method}", "calls a method, [rpc.md](rpc.md)"),
    ("GET", "/api/v1/openapi.json", "all of this as OpenAPI 3.1"),
    ("GET", "/api/v1/events", "events, as server-sent events"),
    ("POST", "/api/gateway/skills/remove", "moves a managed or workspace skill to the trash"),
    ("any", "/api/{*rest}", "unknown paths: 404"),
    ("GET", "/healthz", "whether the process answers; without a token"),
    ("GET", "/readyz", "readiness: the skills are loaded; without a token"),
    ("GET", "/metrics", "figures in the format of Prometheus"),
];

const REGISTRY: [Row; 53] = [
    ("GET, POST", "/api/v1/skills", "lists skills; publishes one"),
    ("POST", "/api/v1/skills/-/upload-url", "a ticket to send a file with"),
    ("POST", "/api/v1/skills/-/upload/{ticket}", "sends a file"),
    ("POST", "/api/v1/skills/-/security-verdicts", "verdicts about many versions at once"),
    ("POST", "/api/v1/skills/-/scan", "scans files that are not published"),
    ("GET", "/api/v1/skills/-/scan/{id}", "how such a scan stands"),
    ("GET", "/api/v1/skills/-/scan/{id}/download", "its report as an archive"),
    ("GET", "/api/v1/skills/-/scan/download/{slug}", "the report about a published skill as an archive"),
    ("GET, DELETE", "/api/v1/skills/{slug}", "a skill; deletes it"),
    ("POST", "/api/v1/skills/{slug}/undelete", "brings it back"),
    ("GET", "/api/v1/skills/{slug}/versions", "its versions"),
    ("GET, DELETE", "/api/v1/skills/{slug}/versions/{version}", "one version; deletes it"),
    ("POST", "/api/v1/skills/{slug}/versions/{version}/restore", "brings a version back"),
    ("GET", "/api/v1/skills/{slug}/file", "a file of a version"),
    ("GET", "/api/v1/skills/{slug}/moderation", "what the moderators say"),
    ("GET", "/api/v1/skills/{slug}/scan", "what the scanner found"),
    ("GET", "/api/v1/skills/{slug}/verify", "whether a download is what was published"),
    ("GET", "/api/v1/skills/{slug}/card", "the skill in short"),
    ("GET", "/api/v1/skills/{slug}/install", "how to install it"),
    ("POST", "/api/v1/skills/{slug}/rename", "gives it another slug"),
    ("POST", "/api/v1/skills/{slug}/merge", "makes it a part of another one"),
    ("POST", "/api/v1/skills/{slug}/tags/{tag}", "lets a tag name a version"),
    ("POST", "/api/v1/skills/{slug}/report", "tells the moderators of it"),
    ("POST", "/api/v1/skills/{slug}/transfer", "offers it to another owner"),
    ("POST", "/api/v1/skills/{slug}/transfer/{reply}", "accepts, rejects or takes back an offer"),
    ("GET", "/api/v1/search", "finds skills"),
    ("GET", "/api/v1/trending", "the most downloaded skills (`kind=skills`, `limit`)"),
    ("GET", "/api/v1/resolve", "finds a version by the digest of its files"),
    ("GET", "/api/v1/download", "a version as an archive"),
    ("GET", "/api/v1/agent-skills/{owner}/{slug}/archive", "the same, for clients of the well-known index"),
    ("GET", "/api/v1/whoami", "the account of the token"),
    ("POST, DELETE", "/api/v1/stars/{slug}", "gives a star; takes it back"),
    ("GET", "/api/v1/transfers/{direction}", "offers that wait"),
    ("POST", "/api/cli/telemetry/install", "counts an install"),
    ("POST", "/api/cli/device/code", "a code to log in with"),
    ("POST", "/api/cli/device/token", "the token, once the code is confirmed"),
    ("GET", "/api/search", "older clients: search"),
    ("GET", "/api/skill", "older clients: a skill"),
    ("GET", "/api/skill/resolve", "older clients: a version by its digest"),
    ("GET", "/api/download", "older clients: an archive"),
    ("GET", "/api/cli/whoami", "older clients: the account of the token"),
    ("POST", "/api/cli/upload-url", "older clients: a ticket"),
    ("POST", "/api/cli/publish", "older clients: publishes"),
    ("POST", "/api/cli/skill/delete", "older clients: deletes"),
    ("POST", "/api/cli/skill/undelete", "older clients: brings back"),
    ("GET", "/", "a page for people"),
    ("GET", "/device", "where a code is confirmed"),
    ("GET", "/{owner}/skills/{slug}", "a skill, for people"),
    ("GET", "/.well-known/clawhub.json", "where the registry is"),
    ("GET", "/.well-known/clawdhub.json", "the same, for older clients"),
    ("GET", "/.well-known/agent-skills/index.json", "the index of all skills, for agents"),
    ("GET", "/.well-known/skills/index.json", "the same, under its older name"),
    ("GET", "/.well-known/skills/{name}/{*path}", "a file that the index names"),
];

/// The page; fails where a router has an address that is not in the tables, or the other way round.
pub(super) fn page() -> Result<String> {
    compare(&GATEWAY, &["prowess-gateway/src/http.rs"])?;
    let hub = ["http.rs", "http/legacy.rs", "http/pages.rs"].map(|file| format!("prowess-hub/src/{file}"));
    compare(&REGISTRY, &hub.each_ref().map(String::as_str))?;
    let mut text = String::from(
        "# HTTP addresses\n\n## The gateway\n\nHow to start it and what its token opens is in \
         [gateway.md](../gateway.md). Everything but what is marked wants the token as\n`Authorization: Bearer …`. \
         Below `/mcp` the gateway speaks the Model Context Protocol ([mcp.md](../mcp.md)); every other\naddress is a page \
         of the Studio.\n\n",
    );
    text += &table(&GATEWAY);
    text += "\n## A registry\n\nWhat `prowess registry serve` answers, see [registry.md](../registry.md). The three \
             well-known addresses at the end also exist\nbelow `/{owner}/skills/{slug}`, for one skill, and below the \
             addresses of a publisher.\n\n";
    text += &table(&REGISTRY);
    Ok(text)
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from("| verb | address | what it is for |\n|---|---|---|\n");
    text.extend(rows.iter().map(|(verb, path, about)| format!("| {verb} | `{path}` | {about} |\n")));
    text
}

fn compare(rows: &[Row], files: &[&str]) -> Result<()> {
    let mut served = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(crate_file(file))?;
        served.extend(addresses(&source).map(str::to_owned));
    }
    let told: BTreeSet<String> = rows.iter().map(|(_, path, _)| (*path).to_owned()).collect();
    let differ: Vec<&String> = served.symmetric_difference(&told).collect();
    if !differ.is_empty() {
        bail!("the table of addresses and {} differ: {differ:?}", files.join(", "));
    }
    Ok(())
}

/// The addresses that a router is given: as texts, or as constants.
fn addresses(source: &str) -> impl Iterator<Item = &str> {
    let routes = source.split(".route(").skip(1).map(str::trim_start);
    let constants = source.lines().filter_map(|line| line.strip_prefix("const ")?.split_once(": &str = "));
    let texts = routes.chain(constants.map(|(_, value)| value));
    texts.filter_map(|text| text.strip_prefix('"')?.split('"').next()).filter(|path| path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_from_routers() {
        let source = "const OLD: &str = \"/old\";\n  .route(\"/a\", get(x))\n.route(\n  \"/b/{c}\",\n y)\n.route(OLD, z)";
        assert_eq!(addresses(source).collect::<Vec<_>>(), ["/a", "/b/{c}", "/old"]);
    }
}
