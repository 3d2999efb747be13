use super::*;

/// The skill that the turn before had in use.
const LOADED: &[&str] = &["weather"];

fn rule(message: &str) -> FollowUpRule {
    FollowUpRule::of(message, LOADED, &PlainChoice::default())
}

fn sure_of(best: &str, confidence: f32) -> PlainChoice<'_> {
    PlainChoice { best: Some(best), confidence, is_loaded: true, is_suggested: true, is_certain: false }
}

#[track_caller]
fn assert_kept(messages: &[&str]) {
    for message in messages {
        assert!(matches!(rule(message), FollowUpRule::Keep(_)), "{message}: {:?}", rule(message));
    }
}

#[track_caller]
fn assert_all(messages: &[&str], expected: FollowUpRule) {
    for message in messages {
        assert_eq!(rule(message), expected, "{message}");
    }
}

#[test]
fn a_follow_up_keeps_the_skill() {
    assert_kept(&[
        "no, the second one",
        "do it again for May",
        "and now in German",
        "And for Zurich?",
        "same for Bruno",
        "what about Sunday?",
        "louder",
        "make it shorter please",
        "could you do that one as well?",
        "is it up yet?",
        "2",
        "?",
        "yes",
        "yes please",
        "ok, and in Fahrenheit?",
        "great. now send it to Ben too",
        "and for May. Thanks!",
    ]);
}

#[test]
fn a_follow_up_is_known_in_other_languages() {
    assert_kept(&[
        "nein, die zweite",
        "und jetzt auf Deutsch",
        "nochmal für Mai",
        "non, la deuxième",
        "et maintenant en anglais",
        "no, la segunda",
        "y ahora en inglés",
        "otra vez para mayo",
        "no, il secondo",
        "e adesso in inglese",
        "não, a segunda",
        "e agora em inglês",
        "нет, второй",
        "а теперь на английском",
        "hayır, ikincisi",
        "şimdi de İngilizce",
        "いや、二番目の方",
        "今度は英語で",
        "もう一度お願いします",
        "不，第二个",
        "现在用英语再来一次",
        "那苏黎世呢？",
        "아니, 두 번째 거",
        "이번에는 영어로",
        "다시 해 줘",
    ]);
}

#[test]
fn thanks_greetings_and_praise_load_nothing() {
    assert_all(
        &[
            "thanks!",
            "Thank you very much, that's great",
            "perfect, thanks",
            "ok",
            "got it",
            "bye",
            "good night!",
            "👍",
            "lovely, you're a star",
            "Danke!",
            "vielen Dank, das war super",
            "merci beaucoup",
            "gracias",
            "grazie mille",
            "obrigado!",
            "спасибо большое",
            "teşekkürler",
            "ありがとうございます",
            "了解です",
            "谢谢你",
            "好的",
            "감사합니다",
            "고마워요!",
        ],
        FollowUpRule::Drop,
    );
}

#[test]
fn something_new_is_left_to_the_plain_choice() {
    assert_all(
        &[
            "thanks. who painted The Snail?",
            "perfect, can you write a thank you mail to our compliance officer Joan",
            "how long does ham keep once it's thawed",
            "by the way, what does APR mean",
            "great. who made ruby again",
            "write a limerick about the history of leases in Scotland",
            "danke. wer hat die Schnecke gemalt?",
            "übrigens, was heißt Tilgung auf Englisch?",
            "ところで、フランスの首都はどこですか",
            "谢谢。法国的首都是哪里？",
            "кстати, кто написал эту песню",
        ],
        FollowUpRule::Plain(PlainReason::NewTopic),
    );
}

#[test]
fn nothing_is_kept_where_nothing_was_loaded() {
    let rule = FollowUpRule::of("and on Sunday?", &[], &PlainChoice::default());
    assert_eq!(rule, FollowUpRule::Plain(PlainReason::NothingLoaded));
}

#[test]
fn a_sure_choice_of_another_skill_wins() {
    let other = FollowUpRule::Plain(PlainReason::OtherSkill);
    assert_eq!(FollowUpRule::of("and text Ben about it", LOADED, &sure_of("imsg", 0.95)), other);
    assert_eq!(FollowUpRule::of("text Ben that dinner is ready", LOADED, &sure_of("imsg", 0.6)), other);
    // A likely one does not, where the message reads like a follow-up.
    let kept = FollowUpRule::of("and on Sunday?", LOADED, &sure_of("calendar", 0.6));
    assert_eq!(kept, FollowUpRule::Keep(KeepReason::Continues));
    let called = PlainChoice { is_certain: true, ..sure_of("imsg", 1.0) };
    assert_eq!(FollowUpRule::of("thanks, /imsg", LOADED, &called), other);
}

#[test]
fn the_same_skill_is_kept_where_it_would_be_suggested() {
    let same = PlainChoice { is_loaded: false, confidence: 0.4, ..sure_of("weather", 0.4) };
    let message = "will the roads around Bern freeze tonight";
    assert_eq!(FollowUpRule::of(message, LOADED, &same), FollowUpRule::Keep(KeepReason::SameSkill));
    let loaded = FollowUpRule::of(message, LOADED, &sure_of("weather", 0.7));
    assert_eq!(loaded, FollowUpRule::Plain(PlainReason::SameSkill));
    let ended = "thanks. how are weather stations built";
    assert_eq!(
        FollowUpRule::of(ended, LOADED, &same),
        FollowUpRule::Plain(PlainReason::NewTopic),
        "a word that ends the turn comes first"
    );
}

#[test]
fn reasons_are_plain_words() {
    insta::assert_snapshot!(rule("and on Sunday?"), @"the message continues the one before");
    insta::assert_snapshot!(rule("no, the second one"), @"the message continues the one before");
    insta::assert_snapshot!(rule("is that one open"), @"the message points back to the one before");
    insta::assert_snapshot!(rule("thanks"), @"the message only thanks, greets or confirms");
    insta::assert_snapshot!(rule("by the way, who was Homer"), @"the message begins something new");
}

proptest::proptest! {
    #[test]
    fn any_text_has_an_answer(message in ".{0,80}") {
        let _ = rule(&message);
    }
}
