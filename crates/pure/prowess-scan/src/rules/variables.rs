//! Variables that load code or redirect traffic.

use super::words::{EVERY_TIME, FETCH, REMOTE_URL};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::shadowing::END;
    /// A variable that makes other programs load code.
    LOADS_CODE ["ld_preload", "ld_audit", "dyld_insert", "bash_env", "prompt_command", "pythonstartup", "perl5opt", "rubyopt", "node_options", "git_ssh", "git_external_diff", "git_proxy_command", "git_exec_path", "java_tool_options", "pythonwarnings", "pythonbreakpoint", "dotnet_startup_hooks", "rustc_wrapper", "lessopen", "ssh_askpass", "git_askpass", "_java_options", "perl5db", "git_config", "php_ini", "npm_config_script_shell", "cor_profiler", "ld_library_path"]
        r"\b(ld_preload|ld_audit|dyld_insert_libraries|bash_env|prompt_command|pythonstartup|perl5opt|perl5db|rubyopt|git_external_diff|git_proxy_command|git_exec_path|pythonbreakpoint|dotnet_startup_hooks|rustc_wrapper|lessopen|npm_config_script_shell|coreclr_profiler|cor_profiler)[\x22']?\s*[=:]\s*[\x22']?[^\s\x22']|\bgit_ssh(_command)?\s*=\s*[\x22']?[^\n]*(sh -c|curl|wget|nc |\./|/tmp)|\bnode_options[\x22']?\s*[=:]\s*[\x22']?[^\n]*(--require|-r |--import|--loader)|--(require|import|loader)[ =]\S+[^\n]*node_options|\b(java_tool_options|_java_options|jdk_java_options)\s*[=:][^\n]*-(javaagent|agentpath|agentlib)";
    /// The same, proposed as a setting.
    CODE_FLAG ["--require", "--import", "--loader", "-javaagent", "-agentpath"]
        r"--(require|import|loader)[ =][\x22'`]?\.?/|-(javaagent|agentpath|agentlib)[:=]";
    /// The check of certificates is switched off.
    TLS_OFF ["node_tls_reject_unauthorized", "git_ssl_no_verify", "pythonhttpsverify", "http.sslverify", "strict-ssl", "rejectunauthorized", "curl_ca_bundle=", "requests_ca_bundle", "ssl_cert_file", "insecureskipverify", "_create_unverified_context", "node_extra_ca_certs", "sslkeylogfile"]
        r"node_tls_reject_unauthorized[\x22']?\]?\s*[=:]\s*[\x22']?0|git_ssl_no_verify\s*[=:]\s*[\x22']?(1|true)|pythonhttpsverify\s*[=:]\s*[\x22']?0|http\.sslverify\s*[= ]\s*[\x22']?false|strict-ssl\s*[= ]\s*false|(curl_ca_bundle|requests_ca_bundle|ssl_cert_file|node_extra_ca_certs|sslkeylogfile)\s*[=:]\s*[\x22']?[./~$\w]";
    /// Traffic is led elsewhere.
    TRAFFIC_LED ["_proxy", "base_url", "api_base", "_endpoint", "_host", "index_url", "npm_config_registry", "goproxy", "git_proxy", "openai_api", "anthropic_api", "hostaliases"]
        r"\b(https?|all|ftp|socks)_proxy[\x22']?\s*[=:]\s*[\x22'`]?(https?|socks\w*)://[^\s\x22'`]+|\b(openai|anthropic|gemini|google|mistral|groq|openrouter|azure_openai|cohere|deepseek|xai)(_api)?_(base_url|base|api_base|endpoint|host|url)[\x22']?\s*[=:]\s*[\x22'`]?https?://[^\s\x22'`]+|\b(pip_(extra_)?index_url|uv_index_url|npm_config_registry|goproxy|cargo_registries\w+)\s*[=:]\s*[\x22'`]?https?://[^\s\x22'`]+|\bhostaliases\s*=";
    /// Set for everything, not for one command.
    SET_FOR_ALL []
        r"\b(all|every|other) (skills?|agents?|commands?|sessions?)\b|\bgateway('s)? config|\bglobal(ly)?\b|\bconfig set\b|\bsetx\b|launchctl setenv|/etc/environment|skills\.entries|[\x22']entries[\x22']|system-wide|\bpermanent(ly)?\b|\bexport\s";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "environment/loads-code",
        category: Category::Environment,
        severity: ScanSeverity::Critical,
        title: "a variable makes other programs load code",
        why: "every program that is started afterwards runs what the variable names",
        fix: "pass options to the one program that needs them",
        triggers: &[
            Trigger::critical(&[&[LOADS_CODE], &[FETCH, SET_FOR_ALL, EVERY_TIME]]),
            Trigger::critical(&[&[LOADS_CODE]]).only(Kinds::of(&[
                crate::blocks::Kind::Prose,
                crate::blocks::Kind::Front,
                crate::blocks::Kind::Hidden,
            ])),
            Trigger::warn(&[&[LOADS_CODE]]),
            Trigger::info(&[&[CODE_FLAG]]),
        ],
    },
    ScanRule {
        id: "environment/tls-off",
        category: Category::Environment,
        severity: ScanSeverity::Critical,
        title: "certificate checks are disabled",
        why: "without it, any host on the route can read and change the traffic",
        fix: "trust the one certificate that is needed",
        triggers: &[
            Trigger::critical(&[&[TLS_OFF], &[TRAFFIC_LED]]),
            Trigger::critical(&[&[TLS_OFF], &[SET_FOR_ALL]]).only(Kinds::READ),
            Trigger::warn(&[&[TLS_OFF], &[SET_FOR_ALL]]).only(Kinds::RUN),
        ],
    },
    ScanRule {
        id: "environment/traffic-led",
        category: Category::Environment,
        severity: ScanSeverity::Critical,
        title: "traffic is led through another host",
        why: "a proxy or base address sees every request, with its keys",
        fix: "let the user choose proxies and addresses",
        triggers: &[Trigger::critical(&[&[TRAFFIC_LED], &[REMOTE_URL], &[SET_FOR_ALL]]).only(Kinds::READ)],
    },
    ScanRule {
        id: "environment/declared-name",
        category: Category::Environment,
        severity: ScanSeverity::Critical,
        title: "a dangerous variable is declared",
        why: "the engine would set a variable that loads code, redirects traffic or moves trusted files",
        fix: "declare variables of the skill's own",
        triggers: &[],
    },
];
