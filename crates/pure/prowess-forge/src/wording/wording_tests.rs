use super::*;

fn phrase(task: &str) -> String {
    wording(task).map(|wording| wording.phrase).unwrap_or_default()
}

#[test]
fn tasks_become_general_words() {
    for (task, expected) in [
        ("Set an alarm for 7am tomorrow", "set an alarm for a given time"),
        ("Turn on dark mode", "turn on dark mode"),
        ("Order a bubble tea", "order a bubble tea"),
        ("Sort these numbers: 3, 1, 2", "sort these numbers"),
        (
            "Could you please send a WhatsApp message to Anna that I'm running late?",
            "send a whatsapp message to someone",
        ),
        ("Remind me to call Dr. Meyer at 5pm on Friday", "remind the user to call someone at a given time"),
        ("Convert report-final.csv to \"Q3 figures.xlsx\"", "convert a spreadsheet to a given text"),
    ] {
        assert_eq!(phrase(task), expected, "{task}");
    }
}

#[test]
fn tasks_in_other_languages_become_english_phrases() {
    for (task, expected) in [
        ("帮我点一杯奶茶", "order bubble tea"),
        ("Stelle einen Wecker für 7 Uhr morgen", "set an alarm"),
        ("明日の朝7時にアラームをセットして", "set an alarm"),
        ("Поставь будильник на семь утра", "set an alarm"),
        ("اضبط المنبه على الساعة السابعة", "set an alarm"),
        ("내일 아침 7시에 알람 맞춰줘", "set an alarm"),
        ("Pon una alarma a las siete", "set an alarm"),
        ("Active le mode sombre", "turn on dark mode"),
        ("Ativar o modo escuro no celular", "turn on dark mode on the phone"),
        ("Sabah yedi için alarm kur", "set an alarm"),
        ("Reserve um hotel em Lisboa para o fim de semana", "book a hotel"),
        ("Schalte den Dunkelmodus ein", "turn on dark mode"),
    ] {
        assert_eq!(phrase(task), expected, "{task}");
    }
}

#[test]
fn nothing_of_a_person_is_said() {
    for (task, planted) in [
        ("Send Lovelace the invoice of Acme Data Systems", &["lovelace", "acme", "systems"][..]),
        ("text priya that the code is 482913", &["priya", "482913"]),
        ("Transfer 300 EUR to DE89 3704 0044 0532 0130 00", &["300", "de89", "3704"]),
        ("Schicke Herrn Koch die Rechnung von Müller", &["koch", "müller"]),
        ("Envíale la factura a Juan Pérez", &["juan", "pérez"]),
        ("给王小明发一条消息说我晚点到", &["王小明", "王", "小明"]),
        ("Отправь сообщение Наташе Ростовой", &["наташ", "ростов"]),
        ("Call Mark and Rose about the 'Secret Plan' in Paris", &["mark", "rose", "secret", "plan", "paris"]),
        ("log in with user bob.smith and password hunter2", &["bob", "smith", "hunter"]),
        ("Summarize https://example.org/people/ada for ada@example.org", &["example", "ada"]),
    ] {
        let Some(wording) = wording(task) else { continue };
        let all = describe(&wording, "").join(" ").to_lowercase();
        let words: Vec<&str> = all.split(|letter: char| !letter.is_alphanumeric()).collect();
        for one in planted {
            let is_there = if one.is_ascii() { words.contains(one) } else { all.contains(one) };
            assert!(!is_there, "{one} in {all}");
        }
    }
}
