//! Sentences that tell to act without showing a command.

/// Verbs that change, send or delete, whatever follows.
const ALWAYS: &[&str] = &[
    "delete",
    "erase",
    "overwrite",
    "uninstall",
    "upload",
    "publish",
    "deploy",
    "commit",
    "push",
    "email",
    "tweet",
    "reply",
    "transfer",
    "purchase",
    "unsubscribe",
    "lösche",
    "löschen",
    "schicke",
    "verschicke",
    "hochladen",
    "supprime",
    "supprimer",
    "supprimez",
    "efface",
    "effacer",
    "envoie",
    "envoyer",
    "envoyez",
    "elimina",
    "eliminar",
    "borra",
    "borrar",
    "envía",
    "enviar",
    "envia",
    "apaga",
    "apagar",
    "exclua",
    "excluir",
    "cancella",
    "cancellare",
    "invia",
    "inviare",
    "verwijder",
    "verwijderen",
    "verzend",
    "usuń",
    "wyślij",
    "удали",
    "удалите",
    "отправь",
    "отправьте",
];
/// Verbs that change something if they are about a thing.
const WITH_OBJECT: &[&str] = &[
    "write",
    "create",
    "save",
    "edit",
    "update",
    "modify",
    "move",
    "rename",
    "add",
    "append",
    "remove",
    "send",
    "post",
    "submit",
    "replace",
    "insert",
    "download",
    "store",
    "export",
    "book",
    "order",
    "schedule",
    "archive",
    "mark",
    "close",
    "install",
    "copy",
    "generate",
    "set",
    "change",
    "patch",
    "cancel",
    "message",
    "notify",
    "share",
    "buy",
    "pay",
    "schreibe",
    "schreiben",
    "speichere",
    "speichern",
    "erstelle",
    "sende",
    "senden",
    "écris",
    "écrire",
    "enregistre",
    "enregistrer",
    "escribe",
    "guarda",
    "guardar",
    "crea",
    "escreva",
    "salva",
    "salve",
    "scrivi",
    "schrijf",
    "zapisz",
    "запиши",
    "сохрани",
];
const OBJECTS: &[&str] = &[
    "file",
    "files",
    "folder",
    "folders",
    "directory",
    "directories",
    "disk",
    "email",
    "emails",
    "mail",
    "message",
    "messages",
    "issue",
    "issues",
    "ticket",
    "tickets",
    "page",
    "pages",
    "event",
    "events",
    "calendar",
    "record",
    "records",
    "entry",
    "entries",
    "database",
    "table",
    "config",
    "configuration",
    "settings",
    "repository",
    "branch",
    "branches",
    "pull",
    "request",
    "task",
    "tasks",
    "todo",
    "todos",
    "note",
    "notes",
    "reminder",
    "reminders",
    "comment",
    "comments",
    "document",
    "documents",
    "slack",
    "discord",
    "telegram",
    "api",
    "server",
    "clipboard",
    "package",
    "packages",
    "dependency",
    "dependencies",
    "account",
    "contact",
    "contacts",
    "workspace",
    "script",
    "module",
    "code",
    "project",
    "item",
    "items",
    "order",
    "orders",
    "meeting",
    "meetings",
    "appointment",
    "ticket",
    "flight",
    "hotel",
    "playlist",
    "md",
    "json",
    "csv",
    "txt",
    "pdf",
    "xlsx",
    "docx",
    "log",
    "datei",
    "dateien",
    "ordner",
    "nachricht",
    "fichier",
    "fichiers",
    "dossier",
    "archivo",
    "archivos",
    "carpeta",
    "mensaje",
    "arquivo",
    "arquivos",
    "pasta",
    "bestand",
    "map",
    "plik",
    "файл",
    "сообщение",
];
/// Verbs that start something that is not shown.
const RUNS: &[&str] = &[
    "run",
    "execute",
    "invoke",
    "launch",
    "start",
    "call",
    "ausführen",
    "starte",
    "exécute",
    "exécuter",
    "ejecuta",
    "ejecutar",
    "execute",
    "esegui",
    "запусти",
    "выполни",
];
/// Objects of a start.
const RUN_OBJECTS: &[&str] = &[
    "command",
    "commands",
    "script",
    "scripts",
    "program",
    "tests",
    "test",
    "shell",
    "terminal",
    "cli",
    "tool",
    "tools",
    "api",
    "binary",
    "server",
    "code",
    "it",
    "them",
    "befehl",
    "commande",
    "comando",
    "команду",
    "query",
    "bash",
];
/// Words that turn a sentence into its opposite.
const NEGATIONS: &[&str] = &[
    "not", "never", "no", "nothing", "without", "don't", "dont", "doesn't", "cannot", "can't", "won't",
    "neither", "nor", "avoid", "nicht", "nie", "keine", "ohne", "ne", "pas", "jamais", "sans", "nunca",
    "sin", "não", "sem", "non", "mai", "senza", "niet", "nooit", "не",
];
/// Characters of scripts without spaces between words, for acts: write, delete, send, run, save, create, install, change.
const ACTS_WITHOUT_SPACES: &[&str] = &[
    "删除",
    "刪除",
    "写入",
    "寫入",
    "发送",
    "發送",
    "执行",
    "執行",
    "运行",
    "運行",
    "保存",
    "创建",
    "創建",
    "安装",
    "修改",
    "上传",
    "發布",
    "发布",
    "提交",
    "削除",
    "書き込",
    "書いて",
    "送信",
    "実行",
    "作成",
    "インストール",
    "変更",
    "アップロード",
    "保存",
    "삭제",
    "작성",
    "보내",
    "실행",
    "저장",
    "설치",
    "변경",
    "احذف",
    "أرسل",
    "اكتب",
    "मिटा",
    "भेज",
    "लिख",
];
/// Words between a verb and its object.
const REACH: usize = 7;
/// Words that stand in every text of a few sentences in a language whose verbs are known.
const COMMON: &[&str] = &[
    "the", "a", "an", "of", "to", "and", "in", "is", "for", "with", "it", "that", "this", "you", "use",
    "when", "or", "what", "as", "by", "from", "how", "der", "die", "das", "und", "ist", "mit", "für", "ein",
    "eine", "le", "la", "les", "et", "des", "un", "une", "est", "pour", "avec", "el", "los", "de", "en",
    "que", "y", "con", "para", "o", "os", "e", "do", "da", "com", "uma", "il", "lo", "di", "che", "per",
    "het", "een", "van", "met", "i", "w", "na", "и", "в", "на", "с",
];

/// Returns true if a text tells to write, send or delete, or to run something when no command is shown; and if its
/// language is not known, because then there is no evidence that it does not.
pub(crate) fn tells_to_act(prose: &str, has_commands: bool) -> bool {
    let lower = prose.to_lowercase();
    if ACTS_WITHOUT_SPACES.iter().any(|act| lower.contains(act)) {
        return true;
    }
    let sentences = lower.split(['.', '!', '?', '\n', ';', ':', '。', '！']);
    let acts = sentences.map(words_of).any(|words| sentence_acts(&words, has_commands));
    acts || is_foreign(&lower)
}

fn words_of(sentence: &str) -> Vec<&str> {
    let is_part = |char: char| char.is_alphanumeric() || char == '\'' || char == '’' || char == '\u{fffc}';
    sentence.split(|char: char| !is_part(char)).filter(|word| !word.is_empty()).collect()
}

fn sentence_acts(words: &[&str], has_commands: bool) -> bool {
    words.iter().enumerate().any(|(place, word)| {
        let is_negated = words.iter().take(place).rev().take(6).any(|before| NEGATIONS.contains(before));
        let follows =
            |objects: &[&str]| words.iter().skip(place + 1).take(REACH).any(|after| objects.contains(after));
        // A noun: `the update`, `a commit`, `per order`.
        let is_noun = place.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| {
            matches!(
                *before,
                "the"
                    | "a"
                    | "an"
                    | "this"
                    | "that"
                    | "each"
                    | "every"
                    | "last"
                    | "latest"
                    | "of"
                    | "its"
                    | "their"
                    | "your"
                    | "my"
                    | "per"
                    | "git"
                    | "in"
            )
        });
        let acts = (ALWAYS.contains(word) && !is_noun)
            || (WITH_OBJECT.contains(word) && !is_noun && follows(OBJECTS))
            || (!has_commands && RUNS.contains(word) && !is_noun && follows(RUN_OBJECTS));
        acts && !is_negated
    })
}

/// Returns true for a text of some length in which no word is known.
fn is_foreign(lower: &str) -> bool {
    let letters = lower.chars().filter(|char| char.is_alphabetic()).count();
    let foreign = lower.chars().filter(|char| char.is_alphabetic() && !char.is_ascii()).count();
    if foreign * 3 > letters && letters >= 40 {
        return !words_of(lower).iter().any(|word| COMMON.contains(word));
    }
    let words = words_of(lower);
    words.len() >= 25 && !words.iter().any(|word| COMMON.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_act_are_found() {
        for text in [
            "Then delete the old ones.",
            "Write the summary to a file.",
            "Send an email to the team",
            "Run the script and wait.",
            "Lösche alte Einträge.",
            "然后删除文件",
            "ဤကျွမ်းကျင်မှုသည် ဖိုင်များကို ဖျက်ပြီး အစီအစဉ်များကို ပြောင်းလဲပေးသည် ဟု ဆိုထားသည်",
        ] {
            assert!(tells_to_act(text, false), "{text}");
        }
    }

    #[test]
    fn sentences_that_only_answer_are_not() {
        for text in [
            "Write a short poem about the sea, in the user's words.",
            "Never delete anything.",
            "Explain the last commit in plain words.",
            "Tell the user what the weather is like.",
            "Do not run commands.",
        ] {
            assert!(!tells_to_act(text, false), "{text}");
        }
        assert!(!tells_to_act("Run the command above and read the list out.", true));
    }
}
