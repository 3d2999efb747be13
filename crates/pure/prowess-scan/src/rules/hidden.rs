//! Text that the agent reads and the person does not see.

use super::overrides::OVERRIDE;
use super::secrets::PLACES;
use super::words::{
    AGENT_ADDRESS, CONCEAL, FETCH, FOLLOW, GRANT, NO_CONFIRM, SECRET_WORDS, SYSTEM_MARKER, TOLD_TO_FETCH,
    TOLD_TO_RUN, TOLD_TO_SEND,
};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::encoded::END;
    /// An element that is not shown.
    UNSEEN_ELEMENT ["display:none", "display: none", "visibility:hidden", "visibility: hidden", "font-size:0", "font-size: 0", "opacity:0", "opacity: 0", "color:white", "color: white", "color:#fff", "color: #fff", "color:transparent", "color: transparent", " hidden>", "hidden=", "left:-9999", "aria-hidden", "font-size:1px", "font-size: 1px", "type=\"hidden\""]
        r"<\w+[^>\n]*(style\s*=\s*[\x22'][^\x22'\n]*(display:\s*none|visibility:\s*hidden|font-size:\s*[01](px|pt|em)?\b|opacity:\s*0\b|color:\s*(white|#fff(fff)?\b|transparent)|left:\s*-\d{3,})|\shidden(\s|>|=)|aria-hidden)[^>\n]*>[^<\n]*[a-z]{3,}[^\n]*";
    /// The title of a link or picture, which only a pointer shows.
    LINK_TITLE []
        r"\]\([^)\s]+\s+[\x22'][^\x22'\n]{24,}[\x22']\)|(alt|title)\s*=\s*[\x22'][^\x22'\n]{24,}[\x22']|!\[[^\]\n]{40,}\]";
    /// An order, whatever it is about.
    IMPERATIVE []
        r"(^|[.:;,>(!\x22-]\s*|\b(please|then|must|should|also|always|first|and|to|now) )(run|execute|send|read|post|fetch|download|install|delete|upload|ignore|append|open|copy|approve|insert|curl|call|forward|visit|recommend) (the |this |that |any |every |all |your |it\b|them\b|~|/|`|http|scripts?|a |an |its |each |user|previous|\w+ to )|\bset (the )?[\w ]{1,30} (to|mode)\b|\byou (must|should|may|can|are) (now |always |never )";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "hidden/comment",
        category: Category::Hidden,
        severity: ScanSeverity::Critical,
        title: "a comment gives the agent orders",
        why: "comments are not shown to people, but an agent reads and follows them",
        fix: "say it in the visible text, or remove it",
        triggers: &[
            Trigger::critical(&[&[CONCEAL, NO_CONFIRM, OVERRIDE, GRANT]]).only(Kinds::HIDDEN).firm(),
            Trigger::critical(&[PLACES]).only(Kinds::HIDDEN).firm(),
            Trigger::critical(&[
                &[AGENT_ADDRESS],
                &[IMPERATIVE, TOLD_TO_RUN, TOLD_TO_SEND, TOLD_TO_FETCH, FOLLOW],
            ])
            .only(Kinds::HIDDEN)
            .firm(),
            Trigger::critical(&[&[TOLD_TO_SEND, FETCH], &[SECRET_WORDS, TOLD_TO_RUN, FOLLOW]])
                .only(Kinds::HIDDEN)
                .firm(),
            Trigger::warn(&[&[TOLD_TO_RUN, TOLD_TO_SEND], &[IMPERATIVE]]).only(Kinds::HIDDEN).firm(),
        ],
    },
    ScanRule {
        id: "hidden/element",
        category: Category::Hidden,
        severity: ScanSeverity::Critical,
        title: "an invisible element holds text",
        why: "markup hides text from people, but an agent reads and follows it",
        fix: "show the text, or remove it",
        triggers: &[
            Trigger::critical(&[
                &[UNSEEN_ELEMENT],
                &[CONCEAL, NO_CONFIRM, OVERRIDE, IMPERATIVE, TOLD_TO_RUN, TOLD_TO_SEND, AGENT_ADDRESS],
            ])
            .only(Kinds::READ),
            Trigger::critical(&[&[CONCEAL, NO_CONFIRM, OVERRIDE], &[LINK_TITLE]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "hidden/system-message",
        category: Category::Hidden,
        severity: ScanSeverity::Critical,
        title: "text poses as a message of the system",
        why: "data that looks like a system message is an attempt to speak with its authority",
        fix: "remove the markers; a skill speaks for itself only",
        triggers: &[
            Trigger::critical(&[&[SYSTEM_MARKER], &[CONCEAL, NO_CONFIRM, OVERRIDE, GRANT]]).only(Kinds::READ),
            Trigger::critical(&[&[SYSTEM_MARKER], PLACES, &[TOLD_TO_SEND, TOLD_TO_RUN]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "hidden/note-to-agent",
        category: Category::Hidden,
        severity: ScanSeverity::Critical,
        title: "a program speaks to the agent that reads it",
        why: "a comment or string in code that addresses an agent is meant to steer it",
        fix: "remove it",
        triggers: &[Trigger::critical(&[&[CONCEAL, NO_CONFIRM, OVERRIDE], &[AGENT_ADDRESS]])
            .only(Kinds::of(&[crate::blocks::Kind::Script, crate::blocks::Kind::Data]))],
    },
    ScanRule {
        id: "hidden/invisible-text",
        category: Category::Hidden,
        severity: ScanSeverity::Critical,
        title: "invisible characters carry text",
        why: "tag characters, zero-width runs or variation selectors spell a message that no screen shows",
        fix: "remove the characters",
        triggers: &[],
    },
    ScanRule {
        id: "hidden/direction",
        category: Category::Hidden,
        severity: ScanSeverity::Critical,
        title: "direction marks reorder the text",
        why: "what is shown is not what is read: the order on screen differs from the order of the bytes",
        fix: "remove the direction marks, or keep them to text of a right-to-left script",
        triggers: &[],
    },
    ScanRule {
        id: "hidden/split-word",
        category: Category::Hidden,
        severity: ScanSeverity::Warn,
        title: "invisible characters inside words",
        why: "words are split so that no search finds them",
        fix: "remove the characters",
        triggers: &[],
    },
    ScanRule {
        id: "hidden/mixed-script",
        category: Category::Hidden,
        severity: ScanSeverity::Warn,
        title: "letters of another script inside words",
        why: "letters that look alike make one word pass for another",
        fix: "write the word in one script",
        triggers: &[],
    },
    ScanRule {
        id: "hidden/off-screen",
        category: Category::Hidden,
        severity: ScanSeverity::Warn,
        title: "text far off the screen",
        why: "long runs of blanks move text out of the visible area",
        fix: "remove the blanks",
        triggers: &[],
    },
    ScanRule {
        id: "hidden/terminal-escape",
        category: Category::Hidden,
        severity: ScanSeverity::Warn,
        title: "terminal escapes in a text",
        why: "escapes can hide or rewrite what a terminal shows",
        fix: "remove the escapes",
        triggers: &[],
    },
];
