//! Cues that say which of the slower looks at a text are worth taking. They are not findings by themselves.

use crate::signal::signals;

signals! { super::destruction::END;
    /// Escapes of single characters.
    ESCAPES ["\\x", "\\u00", "\\0", "\\1"] "";
    /// Percent signs of addresses.
    PERCENT ["%2", "%3", "%4", "%5", "%6", "%7"] "";
    /// Entities of markup.
    ENTITIES ["&#"] "";
    /// Lists of character codes.
    CODES ["fromcharcode", "chr(", "[char]", "bytes(", "bytearray", "uint8", "pack("] "";
    /// Text that is read backwards or rotated.
    TURNS ["| rev", "|rev", "[::-1]", ".reverse", "strrev", "rot13", "rot_13", "n-za-m"] "";
    /// Pieces that are joined.
    SPLICES ["''", "\"\"", "'+'", "\"+\"", "' + '", "\" + \"", "${ifs", "$ifs", "\\ncurl", "\\nwget", "\\nbash", "\\nsh ", "\\npython", "\\nnc ", "\\nexport ", "\\nimport ", "c\\u", "cu\\", "w\\g", "wg\\", "b\\a", "ba\\", "s\\h", "n\\c", "p^o", "po^", "c^u", "cm^", "c^m", "\",\"", "\", \"", "','", "', '"] "";
    /// Secrets by how they begin.
    SECRETS ["-----begin", "sk-", "sk_", "rk_", "pk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "glpat-", "xox", "akia", "aiza", "eyj", "eyk", "hf_", "npm_"] "";
    /// Claims to speak for somebody.
    AUTHORITY ["official", "verified by", "certified by", "endorsed by", "approved by", "audited by", "maintained by", "made by", "provided by", "trusted by"] "";
    /// A command that runs when the text is loaded.
    INJECTION ["!`"] "";
    /// Escapes of terminals.
    TERMINAL ["\u{1b}[", "\u{1b}]"] "";
    /// Hosts that look like others.
    IMITATION [".com.", ".com-", ".org.", ".org-", ".ai.", ".ai-", "xn--", "github-com", "google-com", "openai-com"] "";
    /// Addresses.
    ADDRESSES ["://"] "";
    /// Variables that code reads.
    VARIABLES ["process.env", "environ", "getenv", "$env:", "env[", "${", "$a", "$b", "$c", "$d", "$e", "$f", "$g", "$h", "$i", "$j", "$k", "$l", "$m", "$n", "$o", "$p", "$q", "$r", "$s", "$t", "$u", "$v", "$w", "$x", "$y", "$z"] "";
    /// Programs are started from code.
    STARTS ["exec", "spawn", "popen", "check_output", "command::new", "subprocess"] "";
}
