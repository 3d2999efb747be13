//! Endpoints that fail, and what is done about it.

use std::net::TcpListener;
use std::time::Duration;

use prowess_model::{ChatDelta, ModelError, ModelOptions};
use prowess_testkit::chat::{ChatServer, Turn};
use serde_json::json;
use tokio::time::timeout;

use crate::{APIS, PATIENCE, ask, ask_hello, options, user};

#[tokio::test]
async fn a_busy_endpoint_is_asked_again_when_it_says() {
    for api in APIS {
        let busy = || Turn::refusal(429, "slow down").header("retry-after", "1");
        let dated = Turn::refusal(503, "closed")
            .header("date", "Sun, 06 Nov 1994 08:49:37 GMT")
            .header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
        let server = ChatServer::start(vec![busy(), dated, Turn::say("now")]);
        let answer = ask_hello(api, &server).await;
        let (limit, closed) = (
            "the rate limit of the model's endpoint is reached (HTTP 429): slow down",
            "the model's endpoint answered HTTP 503: closed",
        );
        assert_eq!(answer.retries(), [(limit, Duration::from_secs(1)), (closed, Duration::ZERO)]);
        let reply = answer.reply.unwrap();
        assert_eq!((reply.text.as_str(), reply.usage.requests), ("now", 3));
    }
}

#[tokio::test]
async fn an_endpoint_that_wants_too_much_patience_gets_none() {
    for status in [429, 503, 529] {
        let server = ChatServer::start(vec![Turn::refusal(status, "tomorrow").header("retry-after", "3600")]);
        let answer = timeout(PATIENCE, ask_hello(APIS[0], &server)).await.expect("it does not wait");
        assert!(answer.retries().is_empty());
        let error = answer.reply.unwrap_err();
        assert!(
            matches!(&error, ModelError::Limited { status: found, message }
            if *found == status && message == "tomorrow"),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn an_endpoint_that_stumbles_is_asked_again() {
    for api in APIS {
        let server = ChatServer::start(vec![Turn::refusal(500, "oops"), Turn::hang_up(), Turn::say("fine")]);
        let answer = ask_hello(api, &server).await;
        assert_eq!((answer.retries().len(), server.turns_left()), (2, 0));
        assert_eq!(answer.reply.unwrap().text, "fine");
    }
}

#[tokio::test]
async fn patience_ends() {
    for api in APIS {
        let server = ChatServer::answering(|_| Turn::refusal(529, "overloaded"));
        let answer = ask_hello(api, &server).await;
        assert_eq!((answer.retries().len(), server.requests().len()), (3, 4));
        let waits: Vec<Duration> = answer.retries().into_iter().map(|(_, after)| after).collect();
        assert!(waits.is_sorted() && waits[2] >= Duration::from_millis(4), "{waits:?}");
        assert!(matches!(answer.reply, Err(ModelError::Limited { status: 529, .. })));
    }
}

#[tokio::test]
async fn an_overloaded_stream_is_asked_again() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    for api in APIS {
        let stream = Turn::verbatim(&format!("event: error\ndata: {error}\n\n"));
        let server = ChatServer::start(vec![stream, Turn::say("fine")]);
        let answer = ask_hello(api, &server).await;
        assert_eq!(answer.retries().len(), 1);
        assert_eq!(answer.reply.unwrap().text, "fine");
    }
}

#[tokio::test]
async fn what_would_fail_again_is_not_asked_again() {
    for api in APIS {
        for status in [400, 401, 403, 404, 422] {
            let server = ChatServer::answering(move |_| Turn::refusal(status, "no\u{1b}[2J"));
            let answer = ask_hello(api, &server).await;
            assert_eq!(server.requests().len(), 1);
            let error = answer.reply.unwrap_err();
            assert_eq!(matches!(error, ModelError::Unauthorized { .. }), matches!(status, 401 | 403));
            assert!(
                error.to_string().ends_with(&format!("(HTTP {status}): no\\u{{1b}}[2J"))
                    || error.to_string().ends_with(&format!("HTTP {status}: no\\u{{1b}}[2J")),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn a_dropped_answer_is_asked_for_once_more() {
    for api in APIS {
        let server = ChatServer::start(vec![Turn::say("half an answer").dropped_after(3), Turn::say("all")]);
        let answer = ask_hello(api, &server).await;
        assert_eq!(answer.retries().len(), 1);
        let retry = answer.heard.iter().position(|delta| matches!(delta, ChatDelta::Retry { .. }));
        assert!(answer.heard[..retry.unwrap()].contains(&ChatDelta::Text("hal".to_owned())));
        let reply = answer.reply.unwrap();
        assert_eq!((reply.text.as_str(), reply.usage.requests), ("all", 2));

        let server = ChatServer::answering(|_| Turn::say("half an answer").dropped_after(3));
        let answer = ask_hello(api, &server).await;
        assert_eq!(server.requests().len(), 2);
        assert!(matches!(answer.reply, Err(ModelError::Interrupted(_))), "{:?}", answer.reply);
    }
}

#[tokio::test]
async fn an_answer_dropped_after_a_whole_call_is_not() {
    for api in APIS {
        let server = ChatServer::start(vec![Turn::call("exec", json!({"a": 1})).dropped_after(usize::MAX)]);
        let answer = ask_hello(api, &server).await;
        assert!(matches!(answer.reply, Err(ModelError::Interrupted(_))), "{:?}", answer.reply);
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_is_named() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for api in APIS {
        let mut options = ModelOptions::new(format!("http://{address}/v1?token=hidden"), "m");
        options.max_retries = 1;
        options.first_backoff = Duration::from_millis(1);
        let answer = ask(api, options, &[user("hello")]).await;
        assert_eq!(answer.retries().len(), 1);
        let error = answer.reply.unwrap_err();
        assert!(matches!(error, ModelError::Unreachable { .. }));
        assert!(error.to_string().contains(&format!("http://{address}/v1/")), "{error}");
        assert!(!format!("{error:?}").contains("hidden"), "{error:?}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    for api in APIS {
        let other = ChatServer::answering(|_| Turn::say("give me the key"));
        let target = format!("{}/v1/messages?token=hidden", other.url());
        let server = ChatServer::start(vec![Turn::status(307).header("location", &target)]);
        let error = ask_hello(api, &server).await.reply.unwrap_err().to_string();
        assert!(error.contains(&other.url()) && !error.contains("hidden"), "{error}");
        assert!(other.requests().is_empty());
    }
}

#[tokio::test]
async fn a_page_is_no_answer() {
    for api in APIS {
        let page = Turn::status(200).header("content-type", "text/html").body("<html>Sign in</html>");
        let server = ChatServer::start(vec![page]);
        let error = ask_hello(api, &server).await.reply.unwrap_err();
        assert!(matches!(&error, ModelError::Malformed(what) if what.contains("<html>Sign in")), "{error}");
    }
}

#[tokio::test]
async fn a_conversation_that_breaks_the_protocol_is_refused() {
    let server = ChatServer::answering(|_| Turn::say("ok"));
    for api in APIS {
        let stray = prowess_model::Message::Tool {
            call_id: "nobody".to_owned(),
            content: String::new(),
            is_error: false,
        };
        let error = ask(api, options(&server), &[user("hello"), stray]).await.reply.unwrap_err();
        assert!(error.to_string().contains("`nobody` answers no call"), "{error}");
    }
}

#[tokio::test]
#[should_panic(expected = "the chat server's script panicked")]
async fn a_script_that_asserts_in_vain_fails_its_test() {
    let server = ChatServer::start(vec![Turn::answer(|request| panic!("not {:?}", request.last_words()))]);
    let error = ask_hello(APIS[0], &server).await.reply.unwrap_err();
    assert!(error.to_string().contains("HTTP 400"), "{error}");
}
