//! Shells for somebody else.

use super::words::{BACKGROUND, DYNAMIC_CODE, SHELL_PROGRAM, SPAWN};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::exfiltration::END;
    /// A shell whose input and output are a connection.
    SHELL_ON_SOCKET ["/dev/tcp/", "/dev/udp/", " nc ", "`nc ", "(nc ", "|nc ", ";nc ", "\nnc ", "ncat ", "netcat ", "socat", "mkfifo", "openssl s_client", "telnet", "/inet/tcp/", "mknod", "zsh/net/tcp", "ztcp"]
        r"\b(ba|z|da|k)?sh\s+-i[^\n]*/dev/(tcp|udp)/|>&\s*[\x22']?/dev/(tcp|udp)/|/dev/(tcp|udp)/[^\n]*(0>&1|<&\d|0<&|>&\d)|exec\s+\d*<>?\s*[\x22']?/dev/(tcp|udp)/|(ba|z)?sh\s*<\s*/dev/(tcp|udp)/|\b(nc|ncat|netcat)(\.\w+)?\b[^\n]*\s-\w*[ec]\w*\s+[\x22']?\S*(sh|bash|cmd|powershell)|\b(nc|ncat|netcat|telnet)\b[^\n|]*\|\s*(/bin/)?(ba|z|da)?sh\b|(mkfifo|mknod)[^\n]*(\n[^\n]*)?\b(nc|ncat|netcat|openssl|telnet)\b|socat\b[^\n]*\bexec:|openssl s_client[^\n]*\|\s*(/bin/)?(ba)?sh|(ba|z)?sh[^\n|]*\|\s*openssl s_client|/inet/tcp/[^\n]*getline|\bztcp\b";
    /// A connection opened by a program.
    SOCKET_CLIENT ["socket", "net.connect", "net.createconnection", "tcpsocket", "fsockopen", "tcpclient", "net.dial", "io::socket", "tcpstream", "stream_socket_client", "websocket"]
        r"socket\.(socket|create_connection)|\bs\.connect\(\(|net\.(connect|createconnection|socket)\b|new \w+\.socket\b|\.connect\(\s*\d{2,5}\s*,\s*[\x22']|tcpsocket\.(new|open)|fsockopen|stream_socket_client|net\.sockets\.tcpclient|\bnet\.dial\(|io::socket|\bsocket\s*\(\s*s\s*,|tcpstream::connect|new socket\(|socket[\x22']\)\.tcp|\bsocket\.tcp\(|new websocket\(|websocket\.create_connection|websockets\.connect";
    /// The streams of a shell are handed over.
    STREAMS_JOINED []
        r"\bdup2\s*\(|get(input|output)stream|redirecterrorstream|\.pipe\s*\(|(std(in|out|err))\s*[=:,.(]|\bopen\s*\(\s*std(in|out)|getstream\(|pty\.spawn|<&\s*[$\d%]|>&[\x22',\s]*[$%]";
    /// What arrives is run.
    RUNS_MESSAGES ["'message'", "\"message\"", "onmessage", "on('data", "on(\"data", "recv(", "receive(", "readline(", ".getline"]
        r"(on\(\s*[\x22'](message|data)[\x22']|onmessage\s*=|[.:]rec(v|eive)\s*\(|\.getline|\.readline\()[^\n]*(\n[^\n]*){0,4}\b(exec|execsync|spawn|eval|system|popen|subprocess|check_output|iex)\b";
    /// A tunnel back to another host.
    REVERSE_TUNNEL ["ssh ", "chisel", "frpc", "ngrok tcp", "bore local", "autossh", "cloudflared access", "gsocket", "gs-netcat", "ligolo"]
        r"\b(auto)?ssh\b[^\n]*\s-(\w*R\w*)\s*\S*\d+:|chisel client|\bfrpc\b|ngrok tcp|\bbore local\b|gs-netcat|gsocket\.io|ligolo";
    /// A process that waits for commands from outside.
    COMMAND_LISTENER ["listen", "http.server", "flask", "express", "createserver"]
        r"(createserver|http\.server|app\.(get|post|route)|flask)[^\n]*(\n[^\n]*){0,6}\b(exec|execsync|os\.system|subprocess|popen|eval)\s*\(\s*(req|request|body|data|cmd|query|params)";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "reverse-shell/connection",
        category: Category::ReverseShell,
        severity: ScanSeverity::Critical,
        title: "a shell is tied to a network connection",
        why: "the other end of the connection can run commands on this machine",
        fix: "remove it; no skill needs to hand out a shell",
        triggers: &[
            Trigger::critical(&[&[SHELL_ON_SOCKET]]),
            Trigger::critical(&[&[SOCKET_CLIENT], &[SHELL_PROGRAM], &[STREAMS_JOINED, SPAWN]]),
            Trigger::critical(&[&[SOCKET_CLIENT], &[SHELL_PROGRAM], &[STREAMS_JOINED]])
                .within(Scope::File)
                .only(Kinds::SCRIPT),
            Trigger::critical(&[&[SOCKET_CLIENT], &[STREAMS_JOINED], &[DYNAMIC_CODE]])
                .within(Scope::Section)
                .only(Kinds::RUN),
        ],
    },
    ScanRule {
        id: "reverse-shell/runs-messages",
        category: Category::ReverseShell,
        severity: ScanSeverity::Critical,
        title: "what arrives over the network is run",
        why: "a program that runs the messages it receives is a remote control",
        fix: "accept fixed commands only, from this machine only",
        triggers: &[
            Trigger::critical(&[&[RUNS_MESSAGES], &[SOCKET_CLIENT]]).within(Scope::Section).only(Kinds::RUN),
            Trigger::warn(&[&[COMMAND_LISTENER]]).only(Kinds::RUN),
        ],
    },
    ScanRule {
        id: "reverse-shell/tunnel",
        category: Category::ReverseShell,
        severity: ScanSeverity::Critical,
        title: "a tunnel opens this machine to another host",
        why: "a reverse tunnel lets the other side reach services that are closed to it",
        fix: "explain the tunnel, ask before it is opened, and close it afterwards",
        triggers: &[
            Trigger::critical(&[&[REVERSE_TUNNEL], &[BACKGROUND]]).only(Kinds::RUN).unless_asked(),
            Trigger::warn(&[&[REVERSE_TUNNEL]]).only(Kinds::RUN).unless_asked(),
        ],
    },
];
