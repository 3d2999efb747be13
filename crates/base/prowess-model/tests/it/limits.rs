//! Every answer ends: by its size, by silence, or because nobody waits for it any more.

use std::sync::Arc;
use std::time::Duration;

use prowess_model::{ChatDelta, ChatModel as _, ModelEndpoint, ModelError, Request};
use prowess_testkit::chat::{ChatServer, Turn};
use tokio::sync::Notify;

use crate::{APIS, PATIENCE, ask, options, user};

fn server(script: Vec<Turn>) -> Arc<ChatServer> {
    Arc::new(ChatServer::start(script))
}

/// Whether the server sees the client go. Connections are closed by a task, so the runtime must not be blocked.
async fn hung_up(server: &Arc<ChatServer>) -> bool {
    let server = Arc::clone(server);
    tokio::task::spawn_blocking(move || server.wait_for_hang_up(PATIENCE)).await.unwrap()
}

#[tokio::test]
async fn an_endless_answer_ends_by_its_size() {
    for api in APIS {
        let server = server(vec![Turn::endless()]);
        let mut options = options(&server);
        options.max_reply_bytes = 10_000;
        let answer = ask(api, options, &[user("hello")]).await;
        assert!(matches!(answer.reply, Err(ModelError::TooLong(10_000))), "{:?}", answer.reply);
        assert!(hung_up(&server).await);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn silence_ends_by_its_length() {
    for api in APIS {
        for turn in [Turn::silent(), Turn::say("I was about to").stalled_after(2)] {
            let server = server(vec![turn]);
            let mut options = options(&server);
            options.idle_timeout = Duration::from_secs(1);
            let answer = ask(api, options, &[user("hello")]).await;
            assert!(matches!(answer.reply, Err(ModelError::Silent(_))), "{:?}", answer.reply);
            assert!(hung_up(&server).await);
            assert_eq!(server.requests().len(), 1);
        }
    }
}

#[tokio::test]
async fn silence_after_the_end_does_no_harm() {
    let words = r#"data: {"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}"#;
    // The length promises more than comes.
    let stream = Turn::verbatim(&format!("{words}\n\n")).header("content-length", "9999");
    let server = server(vec![stream]);
    let answer = ask(APIS[0], options(&server), &[user("hello")]).await;
    assert_eq!(answer.reply.unwrap().text, "Done.");
}

#[tokio::test]
async fn dropping_the_question_closes_the_connection() {
    for api in APIS {
        let server = server(vec![Turn::say("I was about to").stalled_after(3)]);
        let model = ModelEndpoint::new(api, options(&server)).unwrap();
        let heard = Notify::new();
        let messages = [user("hello")];
        let request = Request { system: "", messages: &messages, tools: &[] };
        let mut on = |delta| {
            if matches!(delta, ChatDelta::Text(_)) {
                heard.notify_one();
            }
        };
        tokio::select! {
            reply = model.reply(request, &mut on) => panic!("{reply:?}"),
            () = heard.notified() => {}
        }
        assert!(hung_up(&server).await);
    }
}

#[tokio::test]
async fn dropping_the_question_before_the_first_word_does_too() {
    for api in APIS {
        let server = server(vec![Turn::silent()]);
        let model = ModelEndpoint::new(api, options(&server)).unwrap();
        let messages = [user("hello")];
        let request = Request { system: "", messages: &messages, tools: &[] };
        let arrived = {
            let server = Arc::clone(&server);
            tokio::task::spawn_blocking(move || server.wait_for_requests(1, PATIENCE))
        };
        let mut on = |_| {};
        tokio::select! {
            reply = model.reply(request, &mut on) => panic!("{reply:?}"),
            arrived = arrived => assert!(arrived.unwrap()),
        }
        assert!(hung_up(&server).await);
    }
}
