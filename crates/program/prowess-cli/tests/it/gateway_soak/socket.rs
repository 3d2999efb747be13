//! As much of a WebSocket as it takes to ask and to be answered, so that a thousand of them cost little.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// A client that was let in.
pub(super) struct Socket {
    stream: BufReader<TcpStream>,
    last_id: u64,
}

impl Socket {
    pub(super) async fn open(address: &str, token: &str) -> Self {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        let request = format!(
            "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("a request is taken");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("an answer"));
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
        let mut socket = Self { stream: BufReader::new(stream), last_id: 0 };
        let client = json!({ "id": "cli", "version": "1", "platform": "linux", "mode": "cli" });
        let auth = json!({ "token": token });
        let hello = json!({ "minProtocol": 4, "maxProtocol": 4, "client": client, "auth": auth });
        socket.call("connect", &hello).await;
        socket
    }

    /// A call that works: its answer as it was sent.
    pub(super) async fn call(&mut self, method: &str, params: &Value) -> String {
        self.last_id += 1;
        let id = self.last_id.to_string();
        let request = json!({ "type": "req", "id": id, "method": method, "params": params });
        self.send(request.to_string().as_bytes()).await;
        let beginning = format!(r#"{{"type":"res","id":"{id}","ok":true,"#);
        loop {
            let text = self.text().await;
            if text.starts_with(r#"{"type":"res""#) {
                assert!(text.starts_with(&beginning), "{text}");
                return text;
            }
        }
    }

    /// A frame must be masked, though a mask of zeros is one too.
    async fn send(&mut self, text: &[u8]) {
        let length = u16::try_from(text.len()).expect("a short request").to_be_bytes();
        let head = [0x81, 0x80 | 0x7e, length[0], length[1], 0, 0, 0, 0];
        self.stream.get_mut().write_all(&[&head, text].concat()).await.expect("a frame is taken");
    }

    /// The next text.
    async fn text(&mut self) -> String {
        loop {
            let (kind, length) = (self.byte().await & 15, self.byte().await);
            let length = match length {
                126 => u64::from(self.stream.read_u16().await.expect("a length")),
                127 => self.stream.read_u64().await.expect("a length"),
                short => u64::from(short),
            };
            let mut payload = vec![0; usize::try_from(length).expect("a length")];
            self.stream.read_exact(&mut payload).await.expect("a whole frame");
            assert_ne!(kind, 8, "closed: {}", String::from_utf8_lossy(&payload));
            if kind == 1 {
                return String::from_utf8(payload).expect("a text");
            }
        }
    }

    async fn byte(&mut self) -> u8 {
        self.stream.read_u8().await.expect("the connection stays")
    }
}
