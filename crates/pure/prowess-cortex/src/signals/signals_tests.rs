use proptest::prelude::*;

use super::lexicon::{LEXICONS, TOOLS};
use super::*;

/// Task, what must not come out, and what should.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (task, names, expected) in cases {
        let found = signals(task);
        let leaked = names.iter().any(|name| found.iter().any(|word| word.contains(&name.to_lowercase())));
        if leaked || found != *expected {
            wrong.push(format!("{task}: {found:?}{}", if leaked { " has a name" } else { "" }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn english() {
    check(&[
        ("Look up Alice's Q3 sales report", &["alice", "q3"], &["query", "sales", "report"]),
        ("Deploy ProjectX to the NYC server", &["projectx", "nyc"], &["deploy", "server"]),
        ("Email bob@example.com the invoice for $2,500", &["bob", "2,500", "example"], &["email", "invoice"]),
        (
            "Open https://example.com/a?b=1 and summarize the page",
            &["example", "https"],
            &["summarize", "page"],
        ),
        (
            "Post the release notes to slack for Acme Corp",
            &["acme", "corp"],
            &["post", "release", "notes", "slack"],
        ),
        ("Resize photo.jpg to 800x600", &["photo", "800"], &["resize", "image"]),
        ("Translate /home/alice/My Documents/contract.docx", &["alice", "home"], &["translate", "document"]),
        ("remind me to call +49 170 1234567 at 5pm", &["170", "5pm", "+49"], &["remind", "call"]),
        ("Book a table in Paris on March 3rd for Maria", &["paris", "march", "maria", "3rd"], &["table"]),
    ]);
}

#[test]
fn names_in_every_position() {
    check(&[
        ("Alice needs the sales report", &["alice"], &["sales", "report"]),
        ("send the report to alice", &["alice"], &["send", "report"]),
        ("schedule a meeting with bob and carol", &["bob", "carol"], &["schedule", "meeting"]),
        ("forward the invoice from smith to the team", &["smith"], &["forward", "invoice", "team"]),
        ("Query Larry Page stock price", &["larry", "page"], &["query"]),
        ("call jimmy page about the report", &["jimmy", "page"], &["call", "report"]),
        ("message song about the budget", &["song"], &["message", "budget"]),
        ("Ask Dr. Price for the recipe", &["price"], &["ask", "recipe"]),
        ("Ask Mrs price for the recipe", &["price"], &["ask", "recipe"]),
        ("Send J. R. Page the agenda", &["page"], &["send", "agenda"]),
        (
            "Prepare the contract for Global Data Systems Inc.",
            &["global", "data", "systems"],
            &["prepare", "contract"],
        ),
        ("prepare the contract for sunrise data inc", &["sunrise", "data"], &["prepare", "contract"]),
        ("Data Systems AG sent an invoice", &["data", "systems"], &["send", "invoice"]),
        ("Compare the offers of Koch & Report", &["koch"], &["compare", "offer"]),
        (
            "Create a dashboard called budget tracker for finance",
            &["budget"],
            &["create", "dashboard", "finance"],
        ),
        ("Find the song \"Report Card\" and play it", &["card", "report"], &["song", "play"]),
        ("Search for 'sales report' in the wiki", &["sales", "report"], &["search", "wiki"]),
        ("Tell Mark, Bill and Grant about May", &["mark", "bill", "grant", "may"], &["tell"]),
    ]);
}

#[test]
fn codes_amounts_and_addresses() {
    check(&[
        ("Transfer 300 EUR to DE89 3704 0044 0532 0130 00", &["de89", "eur", "3704"], &["transfer"]),
        ("Pay €1.200,50 before 12/24/2026 10:30", &["1.200", "12/24", "10:30"], &["pay"]),
        ("Ping @bob in #general about the outage", &["bob", "general"], &["outage"]),
        ("Check out commit deadbeef and revert 3f2a9c1", &["deadbeef", "3f2a9c1"], &["check", "commit"]),
        ("Copy C:\\Users\\Alice Smith\\report.xlsx", &["alice", "smith", "users"], &["copy", "spreadsheet"]),
        ("mail alice at example dot com the minutes", &["alice", "example"], &["mail", "minutes"]),
        ("export API_KEY=abc123 to the config", &["api_key", "abc"], &["export", "config"]),
        ("ship to 221b baker street london", &["baker", "london", "221b", "street"], &["ship"]),
    ]);
}

#[test]
fn common_words_are_enough_for_a_task() {
    check(&[
        ("Will it rain in Lisbon tomorrow?", &["lisbon", "tomorrow"], &["rain"]),
        ("do I need an umbrella tomorrow", &["tomorrow"], &["umbrella"]),
        ("list outstanding to-dos", &[], &["list", "todos"]),
        ("Dim the TRADFRI bulbs", &["tradfri"], &["bulb"]),
        ("Ask Hunter whether Sierra knitted a scarf", &["hunter", "sierra"], &["knit", "scarf"]),
        ("which mortgage fits a teacher from Dayton", &["dayton"], &["mortgage", "fit", "teacher"]),
    ]);
}

#[test]
fn words_of_other_languages_are_not_taken_for_english() {
    check(&[
        ("Peux-tu chercher un cadeau pour ma mère", &[], &[]),
        ("ho bisogno di un treno per domani mattina", &[], &[]),
    ]);
}

#[test]
fn german() {
    check(&[
        ("Schicke Herrn Koch die Rechnung", &["koch", "herr"], &["schicken", "rechnung"]),
        (
            "Fasse den Quartalsbericht von Anna Müller zusammen",
            &["anna", "müller"],
            &["zusammenfassen", "bericht"],
        ),
        (
            "Erstelle für Siemens eine Präsentation über Berlin",
            &["siemens", "berlin"],
            &["erstellen", "präsentation"],
        ),
        (
            "Übersetze den Vertrag mit der Firma Stein GmbH bis 12. März",
            &["stein", "märz", "12"],
            &["übersetzen", "vertrag"],
        ),
        ("Suche Flüge von München nach Wien am Montag", &["münchen", "wien", "montag"], &["suchen", "flug"]),
        ("Erinnere Lena an den Termin um 15 Uhr", &["lena", "15", "uhr"], &["erinnern", "termin"]),
        (
            "Bitte die Müller-Rechnung an anna@firma.de senden",
            &["müller", "anna", "firma"],
            &["rechnung", "senden"],
        ),
        ("schick peter die verkaufszahlen", &["peter"], &["schicken", "verkaufszahlen"]),
        ("Konvertiere urlaub_foto.png in ein anderes Format", &["urlaub_foto"], &["konvertieren", "bild"]),
        ("Lade das Dokument „Geheimplan Adler“ hoch", &["geheimplan", "adler"], &["laden", "dokument"]),
    ]);
}

#[test]
fn spanish() {
    check(&[
        ("Envíale la factura a Juan Pérez", &["juan", "pérez"], &["enviar", "factura"]),
        ("Resume el informe de ventas de Telefónica", &["telefónica"], &["resumir", "informe", "ventas"]),
        ("Traduce el contrato de la señora Ruiz al inglés", &["ruiz"], &["traducir", "contrato"]),
        ("Busca vuelos de Madrid a Lima el 3 de mayo", &["madrid", "lima", "mayo"], &["buscar", "vuelo"]),
        ("Reserva una mesa para ana en Sevilla", &["ana", "sevilla"], &["reservar"]),
        (
            "Mándame el presupuesto de 1.500 € por correo",
            &["1.500", "€"],
            &["mandar", "presupuesto", "correo"],
        ),
        ("Recuérdame llamar al +34 600 123 456", &["600", "34"], &["recordar", "llamar"]),
        ("Convierte foto_boda.jpg a blanco y negro", &["foto_boda"], &["convertir", "imagen"]),
        (
            "Publica las notas del proyecto llamado Aurora Datos en Slack",
            &["aurora"],
            &["publicar", "nota", "proyecto", "slack"],
        ),
    ]);
}

#[test]
fn chinese() {
    check(&[
        ("查询张伟的第三季度销售报告", &["张伟", "第三", "季度"], &["查询", "销售", "报告"]),
        ("把发票发送给北京腾讯公司的李经理", &["腾讯", "北京", "李"], &["发票", "发送"]),
        ("给蓝图设计公司发送报价单", &["蓝图", "设计"], &["发送", "报价单"]),
        ("总结《三体》这本书的笔记", &["三体"], &["总结", "笔记"]),
        ("明天下午3点提醒我和王芳开会议", &["明天", "3", "王芳"], &["提醒", "会议"]),
        ("用 Slack 通知 Alice 服务器异常", &["alice"], &["slack", "通知", "服务器", "异常"]),
        ("翻译 report.pdf 并发送到 bob@example.com", &["bob", "report"], &["翻译", "document", "发送"]),
        ("转账500元到6222021234567890", &["500", "6222"], &["转账"]),
    ]);
}

#[test]
fn whole_texts_in_capitals_are_read_too() {
    check(&[("SEND THE REPORT TO ALICE", &["alice"], &["send", "report"])]);
}

#[test]
fn words_that_say_little_only_fill_up() {
    assert_eq!(signals("open the report"), ["open", "report"]);
    assert_eq!(signals("open the sales report"), ["sales", "report"]);
    assert!(signals("").is_empty());
}

#[test]
fn no_vocabulary_word_is_a_common_name() {
    let names = "alice bob carol mark bill grant frank rose may june april august grace hope faith joy dawn will jack rob \
                 sue pat chase dean drew miles art jenkins travis ruby julia swift pascal anna peter koch müller bauer \
                 schneider fischer weber richter klein wolf vogel kaiser stein maria rosa pilar luz ángel cruz mercedes \
                 dolores paz iris victoria london paris berlin madrid lima nice reading bath china java jordan chad apple \
                 amazon google oracle target visa shell gap ford mercedes siemens bosch orange meta alphabet";
    for name in names.split_whitespace() {
        assert!(!TOOLS.contains(name), "{name}");
        for text in
            [format!("report for {name}"), format!("Bericht für {name}"), format!("informe para {name}")]
        {
            assert!(!signals(&text).contains(&name.to_owned()), "{text}");
        }
    }
}

/// Everything that can come out.
fn is_in_vocabulary(word: &str) -> bool {
    let files = "image audio video spreadsheet presentation document archive code data bild tabelle präsentation dokument \
                 archiv daten imagen vídeo tabla presentación documento archivo código datos";
    TOOLS.contains(word)
        || files.split_whitespace().any(|file| file == word)
        || include_str!("chinese.txt").split_whitespace().any(|known| known == word)
        || LEXICONS.iter().any(|lexicon| {
            super::common::find(word).is_some_and(|entry| entry.word == word)
                || lexicon.phrases.iter().any(|(_, meant)| *meant == word)
                || lexicon.find(word).is_some_and(|entry| entry.word == word)
        })
}

proptest! {
    #[test]
    fn only_words_of_the_vocabulary_come_out(text in ".{0,60}", name in "[a-zäöüñ]{2,9}", task in 0..4_usize) {
        let task = ["Send the report to", "Schicke den Bericht an", "Envía el informe a", "发送报告给"][task];
        for text in [&text, &format!("{task} {name}"), &format!("{name} {task} {text}")] {
            let found = signals(text);
            prop_assert!(found.len() <= MAX_NEW_SIGNALS);
            for word in &found {
                prop_assert!(is_in_vocabulary(word), "{text:?}: {word}");
                prop_assert_eq!(&word.to_lowercase(), word);
            }
        }
    }
}
