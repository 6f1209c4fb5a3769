//! The two ways a client speaks to [`Server`]: JSON lines of our own, and the Model Context Protocol on standard input
//! and output (JSON-RPC 2.0, one message a line; specification 2025-06-18).

use std::io::{self, Write as _};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::sync::mpsc;

use crate::agent::player::Stop;

use super::serve::{CALLS, Callable, Server};
use super::{until_interrupted, wait};

/// The longest message taken, in bytes.
const LONGEST: u64 = 10 << 20;

/// The versions of the Model Context Protocol that are spoken, the newest first.
const VERSIONS: &[&str] = &["2025-06-18", "2025-03-26", "2024-11-05"];

/// A message as it came in.
#[derive(Debug)]
enum Came {
    Line(Vec<u8>),
    /// A line that is longer than is taken; it was left out.
    TooLong,
    /// Standard input failed.
    Failed(io::Error),
}

/// Serves until standard input ends or the program is told to end.
///
/// # Errors
/// Standard input or output fails, or the system gives no threads.
pub fn run(server: &mut Server, mcp: bool) -> io::Result<()> {
    let mut served = Ok(());
    wait(1, async {
        let work = async { served = serve(server, mcp).await };
        until_interrupted(false, &Stop::default(), work).await;
    })?;
    served
}

/// Serves until standard input ends.
async fn serve(server: &mut Server, mcp: bool) -> io::Result<()> {
    let (to, mut lines) = mpsc::channel(4);
    let gone = server.gone();
    // Beside the calls: a client that has gone is noticed while one of them waits for a person.
    let reader = tokio::spawn(async move {
        let mut from = BufReader::new(tokio::io::stdin());
        while let Some(came) = line(&mut from).await.transpose() {
            if to.send(came.unwrap_or_else(Came::Failed)).await.is_err() {
                return;
            }
        }
        gone.send_replace(true);
    });
    let served = answers(server, mcp, &mut lines).await;
    reader.abort();
    server.end().await;
    served
}

async fn answers(
    server: &mut Server,
    mcp: bool,
    lines: &mut mpsc::Receiver<Came>,
) -> io::Result<()> {
    while let Some(came) = lines.recv().await {
        let unfit = |code, why: &str| Some(wrong(&Value::Null, mcp, code, why));
        let answer = match came {
            Came::Failed(e) => return Err(e),
            Came::TooLong => unfit(-32600, "the message is longer than 10 MiB"),
            Came::Line(line) if line.iter().all(u8::is_ascii_whitespace) => None,
            Came::Line(line) => match serde_json::from_slice::<Value>(&line) {
                Err(e) => unfit(-32700, &format!("not JSON: {e}")),
                Ok(message) if !message.is_object() => {
                    unfit(-32600, "a message is one JSON object; send each by itself")
                }
                Ok(message) if mcp => rpc(server, &message).await,
                Ok(message) => Some(plain(server, &message).await),
            },
        };
        if let Some(answer) = answer {
            let mut out = io::stdout().lock();
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
    Ok(())
}

/// The next line; `None` at the end.
async fn line(from: &mut BufReader<tokio::io::Stdin>) -> io::Result<Option<Came>> {
    let mut line = Vec::new();
    let read = (&mut *from)
        .take(LONGEST)
        .read_until(b'\n', &mut line)
        .await?;
    if read == 0 {
        return Ok(None);
    }
    if (read as u64) < LONGEST || line.last() == Some(&b'\n') {
        return Ok(Some(Came::Line(line)));
    }
    loop {
        line.clear();
        let read = (&mut *from)
            .take(LONGEST)
            .read_until(b'\n', &mut line)
            .await?;
        if read == 0 || line.last() == Some(&b'\n') {
            return Ok(Some(Came::TooLong));
        }
    }
}

fn wrong(id: &Value, mcp: bool, code: i32, why: &str) -> Value {
    if mcp {
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": why}})
    } else {
        json!({"id": id, "error": why})
    }
}

/// A line of our own: `{"id":1,"call":"act","action":"…"}`.
async fn plain(server: &mut Server, message: &Value) -> Value {
    let id = message.get("id").cloned().unwrap_or(Value::Null);
    let Some(name) = message.get("call").and_then(Value::as_str) else {
        return wrong(&id, false, 0, "the field \"call\" is missing");
    };
    match server.call(name, message).await {
        Ok(result) => json!({"id": id, "result": result}),
        Err(why) => wrong(&id, false, 0, &why),
    }
}

/// A message of the Model Context Protocol; `None` for what is not answered.
async fn rpc(server: &mut Server, message: &Value) -> Option<Value> {
    let method = message.get("method").and_then(Value::as_str);
    let Some(id) = message.get("id").cloned() else {
        // A notification.
        return None;
    };
    let params = message.get("params").cloned().unwrap_or(Value::Null);
    let answer = |result: Value| Some(json!({"jsonrpc": "2.0", "id": id, "result": result}));
    match method {
        Some("initialize") => {
            let asked = params.get("protocolVersion").and_then(Value::as_str);
            let version = VERSIONS
                .iter()
                .find(|v| Some(**v) == asked)
                .or(VERSIONS.first());
            answer(json!({
                "protocolVersion": version,
                "capabilities": {"tools": {"listChanged": false}},
                "serverInfo": {"name": "vesta", "version": env!("CARGO_PKG_VERSION")},
                "instructions": "Household tasks in a simulated home. Call list, then start, then act until the task is done; call done, or avoid if following the instruction would be dangerous.",
            }))
        }
        Some("ping") => answer(json!({})),
        Some("tools/list") => {
            let tools: Vec<Value> = CALLS.iter().map(tool).collect();
            answer(json!({"tools": tools}))
        }
        Some("tools/call") => {
            let name = params
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let none = json!({});
            let args = params.get("arguments").unwrap_or(&none);
            let (text, failed) = match server.call(name, args).await {
                Ok(value) => (value.to_string(), false),
                Err(why) => (why, true),
            };
            answer(json!({"content": [{"type": "text", "text": text}], "isError": failed}))
        }
        Some(other) => Some(wrong(
            &id,
            true,
            -32601,
            &format!("there is no method {other:?}"),
        )),
        None if message.get("result").is_some() || message.get("error").is_some() => None,
        None => Some(wrong(&id, true, -32600, "the field \"method\" is missing")),
    }
}

fn tool(call: &Callable) -> Value {
    let mut properties = serde_json::Map::new();
    for (name, what, _) in call.takes {
        properties.insert(
            (*name).to_owned(),
            json!({"type": "string", "description": what}),
        );
    }
    let required: Vec<&str> = call
        .takes
        .iter()
        .filter(|(.., must)| *must)
        .map(|(name, ..)| *name)
        .collect();
    json!({
        "name": call.name, "description": call.what,
        "inputSchema": {"type": "object", "properties": properties, "required": required},
    })
}
