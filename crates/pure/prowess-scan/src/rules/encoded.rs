//! Payloads that do not look like what they are.

use super::words::{DYNAMIC_CODE, SPAWN};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::lures::END;
    /// Something is decoded and run at once.
    DECODED_TO_SHELL ["| sh", "|sh", "| bash", "|bash", "| zsh", "|zsh", "| sudo", "| /bin", "| python", "| node", "| perl", "| ruby", "| php", "-enc", " -e ", " -ec ", " -en ", "frombase64string", "$'\\", "eval \"$", "eval $", "eval `", "-c \"$", "-c '$", "-c $", "-c \"`", "exec $", "exec \"$", "source <("]
        r"\b(base64|base32|basenc)\b\s+(-\w*[dD]\w*|--decode)[^\n]*\|\s*(sudo\s+)?(/bin/)?((ba|z|da|k)?sh|python3?|node|perl|ruby|php)\b|\b(xxd\s+-\w*r|openssl\s+(enc|base64|aes)[^\n|]*-d|uudecode|gunzip|zcat|gzip\s+-\w*d|bunzip2|rev|tr\s+[^\n|]+)\b[^\n|]*\|\s*(sudo\s+)?(/bin/)?((ba|z|da|k)?sh|python3?|node|perl)\b|\b(printf|echo\s+-\w*e\w*)\b[^\n|]*\\(x?[0-9a-f]{2,3}|u[0-9a-f]{4})[^\n|]*\|\s*(sudo\s+)?(/bin/)?(ba|z|da)?sh\b|\b(eval|(ba|z)?sh\s+-c|exec|source)\b[^\n]{0,12}(\$\(|`|<\()[^\n]*(base64|xxd|rev\b|openssl|gunzip|printf|tr )|\b(powershell|pwsh)(\.exe)?\b[^\n]*\s-(e|ec|en|enc|enco|encod|encode|encoded|encodedc\w*)\s+[\x22']?[a-z0-9+/=]{16,}|frombase64string[^\n]*\|\s*(iex|invoke-expression)|\b(iex|invoke-expression)\b[^\n]*frombase64string|\becho\s+[\x22']?[a-z0-9+/]{24,}={0,2}[\x22']?\s*\|[^\n]*\|\s*(/bin/)?(ba|z)?sh|\$'(\\x?[0-9a-f]{2,3}){3,}|\b(perl|awk|sed|python3?)\b[^\n|]*\|\s*(/bin/)?(ba|z|da)?sh\s*($|[\x22'`)&;])";
    /// Something is decoded and evaluated in one expression.
    DECODED_TO_CODE ["atob", "b64decode", "buffer.from", "fromhex", "unhexlify", "decompress", "codecs.decode", "fromcharcode", "decodeuricomponent", "unescape", "base64_decode", "str_rot13", "gzinflate", "frombase64string", "marshal.loads", "[::-1]", ".reverse()", "unpack(", "decode64", "inflate", "bytes(", "chr(", "(\"\\x", "('\\x", "(\"\\u00", "('\\u00", "(`\\x", "pack("]
        r"(^|[^.\w])(eval|exec|compile|function|settimeout|setinterval|system|popen|execsync|spawn|__import__|instance_eval|assert|create_function|loads|os\.system|subprocess\.\w+|child_process\S{0,12}|vm\.\w+|invoke-expression|iex)\s*[(\s]\s*[^\n;]{0,100}\b(atob|b64decode|buffer\.from|fromhex|unhexlify|decompress|codecs\.decode|fromcharcode|decodeuricomponent|unescape|base64_decode|str_rot13|gzinflate|frombase64string|marshal\.loads|decode64|inflate\w*|unpack|pack)\b|(^|[^.\w])(eval|exec|function|settimeout|setinterval)\s*\(\s*[\x22'`](\\x[0-9a-f]{2}|\\u00[0-9a-f]{2}|\\[0-7]{2,3}){3}|(^|[^.\w])(eval|exec|system|popen|execsync)\s*\([^\n;]{0,80}(\[::-1\]|\.reverse\(\)|chr\()";
    /// Something is decoded.
    DECODES ["atob", "b64decode", "buffer.from", "fromhex", "unhexlify", "decompress", "codecs.decode", "fromcharcode", "base64_decode", "str_rot13", "gzinflate", "frombase64string", "[::-1]", "decode64", "base64 -d", "base64 --decode", "inflatesync", "gunzipsync", "rot13", "rot_13", "chr(", "bytes(", "join(chr", "map(chr"]
        r"\batob\s*\(|b(64|32|85)decode|buffer\.from\s*\([^)\n]*[\x22'](base64|hex)|fromhex|unhexlify|zlib\.decompress|gzip\.decompress|codecs\.decode|fromcharcode\s*\(\s*(\.\.\.|\d+\s*,\s*\d+\s*,\s*\d+)|base64_decode|str_rot13|gzinflate|frombase64string|decode64|base64\s+(-d|--decode)|inflatesync|gunzipsync|rot_?13|map\(\s*chr|chr\s*\(\s*\w+\s*(\^|-|\+)|join\(\s*chr";
    /// A text that is written out is decoded.
    DECODES_LITERAL ["atob(", "b64decode(", "fromhex(", "unhexlify(", "decode64(", "frombase64string(", "base64_decode(", "buffer.from("]
        r"\b(atob|b64decode|fromhex|unhexlify|decode64|frombase64string|base64_decode|buffer\.from)\s*\(\s*b?[\x22'`][a-z0-9+/=]{12,}";
    /// A command built from pieces.
    ASSEMBLED ["${ifs", "$ifs", "getattr(", "globals()", "__builtins__", "window[", "globalthis[", "global[", "self[", "this[", "constructor", "eval(function(p,a,c,k", "_0x", "[][(![]", "}$", "$a$", "$b$", "$c$", "$d$", "$e$", "$f$", "$g$", "$h$", "$i$", "$j$", "$k$", "$l$", "$m$", "$n$", "$o$", "$p$", "$q$", "$r$", "$s$", "$t$", "$u$", "$v$", "$w$", "$x$", "$y$", "$z$", "eval $", "eval \"$"]
        r"\$\{?ifs\}?[^\n]{0,40}(curl|wget|sh\b|https?|cat|nc)|(curl|wget|cat|nc|sh)\$\{?ifs|getattr\s*\(\s*(__builtins__|__import__|builtins|os|subprocess|sys)|globals\(\)\s*\[|__builtins__\s*(\[|\.__dict__)|(window|globalthis|global|self|this)\s*\[\s*[\x22'][^\x22'\n]{1,8}[\x22']\s*\+|\[\s*[\x22']constructor[\x22']\s*\]|constructor\s*\(\s*[\x22']return|eval\(function\(p,a,c,k|(\b_0x[0-9a-f]{4,}[^\n]*){3}|\[\]\[\(!\[\]|^\s*\$\{?\w{1,12}\}?\$\{?\w{1,12}\}?(\$\{?\w{1,12}\}?)*\s+\S|\beval\s+[\x22']?\$\{?\w+\}?\$\{?\w|[;&|]\s*\$\{?\w{1,3}\}?\$\{?\w{1,3}\}?\s";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "obfuscation/decoded-and-run",
        category: Category::Obfuscation,
        severity: ScanSeverity::Critical,
        title: "something is decoded and run",
        why: "who encodes a command does not want it to be read",
        fix: "write the command or the code out",
        triggers: &[
            Trigger::critical(&[&[DECODED_TO_SHELL, DECODED_TO_CODE]]),
            Trigger::critical(&[&[DYNAMIC_CODE], &[DECODES]]).only(Kinds::RUN),
            Trigger::critical(&[&[DECODES_LITERAL], &[SPAWN]]).only(Kinds::RUN),
            Trigger::warn(&[&[DECODES], &[SPAWN]]).only(Kinds::CODE),
        ],
    },
    ScanRule {
        id: "obfuscation/assembled",
        category: Category::Obfuscation,
        severity: ScanSeverity::Critical,
        title: "a command is put together from pieces",
        why: "names are split or looked up at run time so that a search misses them",
        fix: "write the name out",
        triggers: &[
            Trigger::critical(&[&[ASSEMBLED], &[DECODES, DYNAMIC_CODE, SPAWN]]).only(Kinds::RUN),
            Trigger::warn(&[&[ASSEMBLED]]).only(Kinds::RUN).within(Scope::Block),
        ],
    },
    ScanRule {
        id: "obfuscation/encoded-command",
        category: Category::Obfuscation,
        severity: ScanSeverity::Critical,
        title: "encoded text turns out to be a command",
        why: "base64, hex, escapes or character codes decode to something that is run",
        fix: "write the command out",
        triggers: &[],
    },
];
