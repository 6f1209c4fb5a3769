//! An endpoint of this program's own that answers chat completions by what was said before: the same request gets the
//! same reply, whoever asks and however often.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

/// What it answers, by how much it has said already; the last one for ever. It does badly, then well enough to end.
const REPLIES: &[&str] = &[
    "[WALK] <microwave> (156)",
    "I open it.\n{\"action\": \"OPEN\", \"object\": \"microwave\"}",
    "hm",
    "[SWITCHON] <microwave> (156)",
    "Done",
    "The microwave was left open. It never closed the microwave.",
    "[CLOSE] <microwave> (156)",
    "[SWITCHON] <microwave> (156)",
    "Done",
];

/// Starts it; it ends with the program. Its address.
///
/// # Errors
/// The system gives no port.
pub(super) fn start() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let base = format!("http://{}/v1", listener.local_addr()?);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Who has gone needs no answer.
            thread::spawn(move || drop(answer(&stream)));
        }
    });
    Ok(base)
}

fn answer(mut stream: &TcpStream) -> io::Result<()> {
    let mut from = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(n) = line.strip_prefix("content-length:") {
            length = n.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    let asked: Value = serde_json::from_slice(&body)?;
    let said = asked
        .get("messages")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|m| m.get("role").and_then(Value::as_str) == Some("assistant"))
        .count();
    let text = REPLIES
        .get(said)
        .or(REPLIES.last())
        .copied()
        .unwrap_or_default();
    let reply = json!({
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5},
    })
    .to_string();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
        reply.len()
    )
}
