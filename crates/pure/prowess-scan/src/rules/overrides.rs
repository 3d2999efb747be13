//! Orders to drop the rules, and orders that come from elsewhere.

use super::lures::PASTE_SITE;
use super::secrets::WHOLE_ENVIRONMENT;
use super::words::{
    ALL_SECRETS, CONCEAL, EVERY_TIME, FOLLOW, GRANT, NO_CONFIRM, REMOTE_URL, SECRET_WORDS, TOLD_TO_FETCH,
    TOLD_TO_RUN, TOLD_TO_SEND,
};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Scope, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::hidden::END;
    /// Earlier instructions are to be dropped.
    OVERRIDE ["ignore", "disregard", "forget", "override", "overrule", "discard", "set aside", "supersede", " void", "abandon", "pay no attention", "stop following", "not apply", "no longer", "suspended", "lifted", "new system prompt", "instead of your", "outrank", "nullif", "neglect", "vergiss", "ignorier", "missacht", "oublie", "ignorez", "ignora", "olvida", "descarta", "esque", "desconsidere", "dimentica", "negeer", "vergeet", "zignoruj", "zapomnij", "игнорируй", "забудь", "проигнорируй", "ігноруй", "önceki", "yok say", "忽略", "无视", "忘记", "忽視", "無視", "忘れ", "무시", "잊", "تجاهل", "अनदेखा", "bỏ qua", "abaikan", "glöm", "ignorera", "يتجاهل", "התעלם", "taught", "put aside", "leave aside", "guidelines", "optional", "rules from", "rules of your", "instructions from your", "guidance from"]
        r"\b(ignore|disregard|forget|pay no attention to|stop following|abandon|neglect)\b\s+((all|any|the|your|my|whatever|every|these|those|such|of|to|that|and|or|other|about|its|their|our|current|existing|safety|security|system|ethical|previous|prior|earlier|above|preceding|former|original|developer|operator|built-in|initial|core|user('s)?|given|standing|usual|normal|regular)[\s,]+){1,6}((\w+[\s,/-]+){0,2})(instructions?|guidance|rules|prompts?|directions?|directives?|guidelines?|polic(y|ies)|constraints?|restrictions?|programming|training|safeguards?|guardrails?|orders|wishes)\b|\b(set aside|put aside|disregard|ignore|forget|discard|drop|suspend|leave aside)\b ((all|any|the|your|every|of|whatever) )*(guidance|instructions?|rules|directions?|guidelines?|prompts?|orders|constraints|restrictions)( that| which)?( were| was)? (you (were|have|had|got|received)|given|received|above|before|so far|until now|up to now|from (the )?(system|developers?|user|operator|vendor))|\b(override|overrule|discard|set aside|supersede|void|nullify|drop|bypass|lift|remove)s?\b\s+((all|any|the|your|my|every|of|and|or|other|its)\s+){0,4}(previous|prior|earlier|preceding|system|safety|developer|operator|original|ethical)\s+(\w+\s+)?(instructions?|guidance|rules|prompts?|directives?|guidelines?|polic(y|ies)|constraints?|restrictions?|safeguards?|guardrails?|limits?)\b|\b(ignore|disregard|forget)\b (the user|everything (above|before|you were told|else)|what (you|the user) (were|was|have been|has|said)|all (previous|prior|of the above)|the above)|\b(previous|prior|earlier|safety|system|security|usual|normal|standard|ethical) (instructions?|rules?|guidance|guidelines?|polic(y|ies)|restrictions?|limits?|checks?)( (you|that|which)\b[^.\n]*)? (do(es)? not|no longer|are no longer|don['’]t|are|have been) (apply|count|matter|bind|valid|suspended|lifted|void|disabled|off)|\b(any|every|all|the|whatever) (policy|policies|rules?|guidelines?|instructions?|restrictions?|guidance) (that |which )?you (were|have|had|got|received|learned)[^.\n]* (is|are|do(es)? not) (suspended|lifted|void|off|disabled|apply|irrelevant)|\b(guidelines?|rules?|instructions?|restrictions?|polic(y|ies)|guidance) (from|of|by|set by|given by) (your |the )?(maker|developers?|creators?|vendor|provider|anthropic|openai|system|company|manufacturer)s?\b[^.\n]*\b(optional|not apply|ignored?|irrelevant|void|off|second|do(es)? not)\b|it does not apply while this skill|\byour new (system prompt|instructions|role|identity)\b|\b(this|these) (skill|file|instructions?|rules?)\b[^.\n]*\b(overrides?|outranks?|supersedes?|replaces?|takes? (precedence|priority) over)\b[^.\n]*\b(system|safety|user|other|previous|developer|all|any)\b|(vergiss|ignoriere?|missachte)\b[^.\n]*(anweisung|regel|vorgabe|vorschrift|richtlinie|instruktion)|(oublie[zr]?|ignore[zr]?|ne tiens? pas compte)\b[^.\n]*(instructions? (précédentes|antérieures|ci-dessus)|consignes|règles|directives)|(ignora|olvida|descarta|omite)\b[^.\n]*(instrucciones|reglas|indicaciones|órdenes|normas)|(ignore|esqueça|desconsidere)\b[^.\n]*(instruções|regras|orientações)|(ignora|dimentica|trascura)\b[^.\n]*(istruzioni|regole|indicazioni)|(negeer|vergeet)\b[^.\n]*(instructies|regels|opdrachten)|(zignoruj|zapomnij)[^.\n]*(instrukcj|polece|zasad|reguł)|(про)?(игнорируй|забудь)[^.\n]*(инструкци|указани|правил|команд)|ігноруй[^.\n]*(інструкці|правил|вказівк)|önceki[^.\n]*(talimat|kural|yönerge)|(忽略|无视|忘记|忽視)[^。\n]{0,24}(指令|指示|规则|規則|提示|要求|说明|命令)|(以前|これまで|上記|前|すべて)[^。\n]{0,20}(指示|命令|ルール|規則|プロンプト)[^。\n]{0,10}(無視|忘れ)|(이전|앞|위|기존|모든)[^.\n]{0,20}(지시|명령|규칙|지침)[^.\n]{0,10}(무시|잊)|(تجاهل|انس)[^.\n]*(التعليمات|الأوامر|القواعد)|(पिछले|सभी)[^.\n]*निर्देश|bỏ qua[^.\n]*(hướng dẫn|chỉ dẫn|quy tắc)|abaikan[^.\n]*(instruksi|perintah|aturan)|(glöm|ignorera)\b[^.\n]*(instruktioner|regler)|התעלם[^.\n]*(הוראות|כללים)";
    /// A role without limits.
    UNBOUND_ROLE ["you are now", "act as", "pretend", "developer mode", "devmode", "dan mode", "do anything now", "jailbreak", "without restrictions", "no restrictions", "unrestricted", "never refuse", "never refuses", "unfiltered", "uncensored", "no limits", "god mode", "du bist jetzt", "tu es maintenant", "ahora eres", "agora você é", "теперь ты", "你现在是", "あなたは今", "no ethical", "без ограничений", "sin restricciones", "sans restriction", "ohne einschränkung", "cannot refuse", "must comply", "always comply", "refusal", "refusing"]
        r"\b(you are now|act as|pretend (to be|that you are|you are)|become|switch (in)?to|enter|stay in|activate|enable|roleplay as|from now on)\b[^.\n]*\b(devmode|developer mode|dan\b|dan mode|god mode|jailbreak\w*|unrestricted|unfiltered|uncensored|without (any )?(restrictions?|limits?|filters?|rules|safeguards)|no (restrictions?|limits?|filters?|rules|guardrails|ethic\w+))|\bdo anything now\b|\btreat (a |any |every )?refusals? as\b|\brefus(al|ing) is (a bug|not an option|forbidden|an error)|\b(never|cannot|must not|may not|does not|do not|don['’]t) refuses?\b|\bnever refuses\b|\b(comply|complies) with (every|any|all) (requests?|orders?|commands?|instructions?)\b[^.\n]*(without|no matter|regardless|even)|(you have|there are) no (restrictions|limits|rules|safety|guidelines|ethical)|(du bist jetzt|tu es maintenant|ahora eres|agora você é|теперь ты|你现在是|あなたは今)[^.。\n]{0,60}(ohne|sans|sin|sem|без|没有|无|制限)";
    /// The user is misled.
    MISLEADS ["as your own", "deny ", "approve every", "approve all", "approve any", "never raise", "never report", "never mention", "never flag", "as safe", "is safe", "are safe", "as clean", "as secure", "as trusted", "as verified", "lie to the", "tell the user", "persuade", "convince", "pressure the", "trick the", "manipulate", "always recommend", "affiliate", "referral", "sponsored", "promo", "claim they", "claim it", "claim that", "pretend they", "fake review", "fake testimonial", "fake rating", "reviews", "make it look", "make it seem", "make it appear", "make this look", "make them look"]
        r"\bas your own (\w+ )?(opinion|view|recommendation|idea|advice|words)|\bdeny (that (any|you|there|it|this|they)|having (been|any|received)|any (knowledge|instruction)|knowledge)\b|\bapprove (every|all|any) (changes?|requests?|commits?|pull requests?|transactions?|actions?)\b|never (raise|report|mention|flag)\w* (a |any |the )?(concerns?|issues?|problems?|risks?|warnings?|vulnerabilit\w+)|\b(report|declare|mark|rate|call|say|label|classify) (it|this|everything|all\b[^.\n]{0,20}|(the|every|each|any) \w+) (is |as |are )?(safe|clean|secure|trusted|verified|harmless)\b|\blie to the (user|human|person)|\btell the user (that )?(everything|nothing|it|all)( is| was| went|'s)? (is |was )?(fine|well|ok|safe|normal|happened|wrong)|\bmake (it|this|that|them) (look|seem|appear) (like|as|neutral|natural)|\b(persuade|convince|pressure|trick|manipulate) the (user|human|person|owner)\b|\b(claim|pretend|say|state) (that )?(they|it|this|you|these) (come|comes|came|is|are|was|were) (from|written by|made by) (real |happy |actual )?(customers?|users?|people|humans?)|\bfake (reviews?|testimonials?|ratings?)|\balways recommend\b[^.\n]*https?://|\binsert\b[^.\n]*\b(affiliate|referral|sponsored|promo\w*) (link|code|id)s?\b[^.\n]*\b(without|never|do not|don['’]t)";
    /// The hidden prompt is to be shown.
    LEAKS_PROMPT ["system prompt", "hidden instructions", "developer message", "initial prompt", "internal instructions", "systemprompt"]
        r"\b(reveal|print|output|show|repeat|dump|disclose|send|leak|copy|include|append|post|quote|recite|(reveal|print|repeat|quot|copy|recit|includ|show)ing)\b[^.\n]*\b(your|the|its|full|entire|whole) (\w+ )?(system prompt|hidden instructions|developer message|initial prompt|internal instructions)";
    /// Commands are taken from what others write.
    ORDERS_FROM_OTHERS ["execute", "follow", "obey", "carry out", "perform the", "perform any", "perform what", "perform each", "perform all", "run the", "run them", "run any", "run what", "run each", "run all", "run every", "run it", "do them", "do what", "treat"]
        r"\b((e-?)?mails?|messages?|issues?|comments?|posts?|tweets?|channels?|web ?pages?|pages?|documents?|tickets?|sms|feeds?|invit\w+|calendar events?|dms?|subjects?|titles?|replies|notes?|pull requests?|descriptions?|files?)\b[^\n]*\b(contains?|containing|carr(y|ies)|includes?|holds?|has|have|with|are|as|is) (\w+ ){0,3}(commands?|instructions?|orders?|directives?)\b[^\n]*\b(run|execute|follow|obey|carry out|perform|do) (them|it|these|those|what|each|all|any|whatever)\b|\b(run|execute|follow|obey|carry out|perform)\b[^.\n]*\b(commands?|instructions?|orders?|whatever|anything|everything|steps)\b[^.\n(]{0,60}\b(in|from|inside|found in|contained in|written in|of|sent (by|in)|posted)\b (the |each |every |any |all |that |a |an |its |this |those |incoming |new )*(\w+ )?(e-?mails?|messages?|issues?|comments?|posts?|tweets?|channels?|web ?pages?|pages?|tickets?|sms|feeds?|calendar|dms?|subjects?|body|replies|gists?|urls?|sites?|pastes?|attachments?|descriptions?|titles?|invitations?|events?|first line|headers?|signatures?)\b|\b(messages?|(e-?)?mails?|comments?|posts?|tickets?|dms?|notes?|events?)\b[^\n]*\b(run|execute|eval|evaluate|obey|carry out|perform)s? (their|its|the) (text|content|contents|body|first line|subject|words|message|rest)\b|\btreat\b[^.\n]*\b(messages?|e-?mails?|comments?|pages?|posts?|replies)\b[^.\n]*\bas (an? |the |direct |trusted |binding |new |user )*(instructions?|commands?|orders?|from the user|trusted)\b";
    /// Rules that are kept elsewhere.
    RULES_ELSEWHERE ["at http", "from http", "in http", "on http", "under http", "at `http", "from `http", "at <http"]
        r"\b(rules|instructions?|steps|commands?|prompt|policy|tasks?|playbook|directives|orders)\b[^.\n]*\b(lives?|are|is|found|kept|hosted|published|stored|listed|located|comes?|provided|served|at|from|under)\b[^.\n]{0,20}https?://";
    /// The skill replaces itself.
    REPLACES_ITSELF ["replac", "overwrit", "rewrit", "refresh this", "refresh its", "refresh the skill", "swap this", "swap the", "swap its", "substitut", "update this", "update its own", "update your own", "update the current", "updates itself", "skill.md"]
        r"\b(replace|overwrite|update|rewrite|refresh|swap|substitute)\w*\b[^.\n]*\b(this|its own|your own|own|the current) (\w+[- ])?(skill(\.md)?|file|instructions|folder)\b|\b(this|its own) (skill\.md|skill file)\b[^.\n]*\b(with|by) (it|the (new|latest|fetched|downloaded|remote))|(curl|wget)[^\n]*(>|-o|-O)\s*\S*skill\.md";
}

pub(crate) static RULES: &[ScanRule] = &[
    ScanRule {
        id: "override/instructions",
        category: Category::Override,
        severity: ScanSeverity::Critical,
        title: "earlier instructions are to be dropped",
        why: "a skill that tells the agent to drop its rules takes it away from its user",
        fix: "describe what the skill does; leave the agent's rules alone",
        triggers: &[
            Trigger::critical(&[&[OVERRIDE]]).only(Kinds::READ),
            Trigger::warn(&[&[OVERRIDE]]).only(Kinds::RUN),
        ],
    },
    ScanRule {
        id: "override/role",
        category: Category::Override,
        severity: ScanSeverity::Critical,
        title: "the agent is given a role without limits",
        why: "a role that never refuses exists to get around refusals",
        fix: "describe the role with its limits",
        triggers: &[
            Trigger::critical(&[&[UNBOUND_ROLE]]).only(Kinds::READ),
            Trigger::warn(&[&[UNBOUND_ROLE]]).only(Kinds::CODE),
        ],
    },
    ScanRule {
        id: "override/misleads-user",
        category: Category::Override,
        severity: ScanSeverity::Critical,
        title: "the user is to be misled",
        why: "an agent that hides why it says something does not serve its user",
        fix: "let the agent say where a recommendation comes from",
        triggers: &[
            Trigger::critical(&[&[MISLEADS], &[CONCEAL, NO_CONFIRM, OVERRIDE]]).only(Kinds::READ),
            Trigger::warn(&[&[MISLEADS]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "override/hidden-action",
        category: Category::Override,
        severity: ScanSeverity::Critical,
        title: "the agent is to act behind the user's back",
        why: "an action that the user must not see is not done for the user",
        fix: "let the user see what is done",
        triggers: &[
            Trigger::critical(&[
                &[CONCEAL],
                &[SECRET_WORDS, WHOLE_ENVIRONMENT],
                &[TOLD_TO_SEND, ALL_SECRETS, OVERRIDE],
            ])
            .only(Kinds::READ),
            Trigger::critical(&[
                &[CONCEAL],
                &[NO_CONFIRM, GRANT],
                &[TOLD_TO_RUN, TOLD_TO_SEND, TOLD_TO_FETCH],
            ])
            .only(Kinds::READ),
            Trigger::critical(&[&[LEAKS_PROMPT], &[TOLD_TO_SEND, CONCEAL, REMOTE_URL]]).only(Kinds::READ),
            Trigger::warn(&[&[LEAKS_PROMPT]]).only(Kinds::READ),
            Trigger::warn(&[&[CONCEAL], &[REMOTE_URL], &[TOLD_TO_SEND, TOLD_TO_RUN]]).only(Kinds::READ),
            Trigger::warn(&[&[CONCEAL], &[TOLD_TO_SEND, TOLD_TO_RUN, TOLD_TO_FETCH, SECRET_WORDS]])
                .only(Kinds::READ),
            Trigger::warn(&[&[CONCEAL]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "override/unasked-action",
        category: Category::Override,
        severity: ScanSeverity::Warn,
        title: "the agent is to act without asking",
        why: "what is done without asking is done before the user can stop it",
        fix: "say which steps are harmless enough to go unasked",
        triggers: &[Trigger::warn(&[&[NO_CONFIRM], &[TOLD_TO_RUN, TOLD_TO_SEND, TOLD_TO_FETCH]])
            .only(Kinds::READ)
            .unless_asked()],
    },
    ScanRule {
        id: "remote/follows-address",
        category: Category::RemoteInstructions,
        severity: ScanSeverity::Critical,
        title: "instructions are fetched and followed",
        why: "the owner of the address controls the agent from then on, without review",
        fix: "put the instructions into the skill; treat fetched text as data",
        triggers: &[
            Trigger::critical(&[
                &[FOLLOW],
                &[REMOTE_URL],
                &[TOLD_TO_FETCH],
                &[EVERY_TIME, NO_CONFIRM, CONCEAL, PASTE_SITE],
            ])
            .only(Kinds::READ),
            Trigger::critical(&[&[RULES_ELSEWHERE], &[FOLLOW], &[EVERY_TIME, NO_CONFIRM, CONCEAL]])
                .only(Kinds::READ),
            Trigger::warn(&[&[FOLLOW], &[REMOTE_URL], &[TOLD_TO_FETCH, RULES_ELSEWHERE]]).only(Kinds::READ),
            Trigger::warn(&[&[FOLLOW], &[REMOTE_URL], &[EVERY_TIME]]).only(Kinds::READ),
        ],
    },
    ScanRule {
        id: "remote/replaces-itself",
        category: Category::RemoteInstructions,
        severity: ScanSeverity::Critical,
        title: "the skill replaces itself from an address",
        why: "what was reviewed is not what runs tomorrow",
        fix: "publish a new version instead",
        triggers: &[
            Trigger::critical(&[
                &[REPLACES_ITSELF],
                &[REMOTE_URL],
                &[NO_CONFIRM, CONCEAL, FOLLOW, EVERY_TIME],
            ]),
            Trigger::warn(&[&[REPLACES_ITSELF], &[REMOTE_URL], &[EVERY_TIME]]).within(Scope::Section),
        ],
    },
    ScanRule {
        id: "remote/orders-from-others",
        category: Category::RemoteInstructions,
        severity: ScanSeverity::Critical,
        title: "commands are taken from what others write",
        why: "every sender of a message can then run commands",
        fix: "treat messages and pages as data; take commands from the user only",
        triggers: &[Trigger::critical(&[&[ORDERS_FROM_OTHERS]]).only(Kinds::READ)],
    },
];
