//! An endpoint of our own: it does what a script says, byte by byte and millisecond by millisecond.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What is done after the head of a reply was sent.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Sends bytes as one chunk.
    Send(Vec<u8>),
    /// Does nothing for so many milliseconds.
    Wait(u64),
    /// Closes the connection in the middle of the body.
    Cut,
    /// Waits until the client closes, and notes when.
    Hold,
}

/// A reply.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) acts: Vec<Act>,
    /// Waited before the head, in milliseconds.
    pub(crate) before: u64,
}

impl Script {
    /// A stream of events, sent as one chunk.
    pub(crate) fn events(text: &str) -> Self {
        Self::of(200, "text/event-stream", text)
    }

    /// A reply of a status and a type with this body.
    pub(crate) fn of(status: u16, kind: &str, text: &str) -> Self {
        Self {
            status,
            headers: vec![("content-type", kind.to_owned())],
            acts: vec![Act::Send(text.as_bytes().to_vec())],
            before: 0,
        }
    }

    /// The same reply with another header.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same reply with these acts after the others.
    pub(crate) fn then(mut self, acts: &[Act]) -> Self {
        self.acts.extend_from_slice(acts);
        self
    }

    /// The same body in pieces of `size` bytes, `wait` milliseconds apart.
    pub(crate) fn in_pieces(mut self, size: usize, wait: u64) -> Self {
        let mut acts = Vec::new();
        for act in self.acts {
            match act {
                Act::Send(bytes) => {
                    for piece in bytes.chunks(size) {
                        acts.push(Act::Send(piece.to_vec()));
                        acts.extend((wait > 0).then_some(Act::Wait(wait)));
                    }
                }
                other => acts.push(other),
            }
        }
        self.acts = acts;
        self
    }
}

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Got {
    /// Its first line.
    pub(crate) line: String,
    /// Its head in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
    pub(crate) at: Instant,
}

/// A running endpoint. It ends with the runtime it was started in.
pub(crate) struct Server {
    pub(crate) base: String,
    got: Arc<Mutex<Vec<Got>>>,
    closed: mpsc::UnboundedReceiver<Instant>,
}

impl Server {
    /// Starts an endpoint: the first request gets the first script, and so on; the last one is used again.
    pub(crate) async fn start(scripts: Vec<Script>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let got = Arc::new(Mutex::new(Vec::new()));
        let (close, closed) = mpsc::unbounded_channel();
        let seen = Arc::clone(&got);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (seen, scripts, close) = (Arc::clone(&seen), scripts.clone(), close.clone());
                tokio::spawn(async move {
                    let Some(request) = read(&mut stream).await else {
                        return;
                    };
                    let nth = {
                        let mut seen = seen.lock().unwrap();
                        seen.push(request);
                        seen.len() - 1
                    };
                    let script = &scripts[nth.min(scripts.len() - 1)];
                    // A client that has gone needs no reply.
                    let _ = play(&mut stream, script, &close).await;
                });
            }
        });
        Self { base, got, closed }
    }

    /// The requests so far.
    pub(crate) fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// When a client closed its end of a held reply.
    pub(crate) async fn closed(&mut self) -> Instant {
        let limit = Duration::from_secs(20);
        tokio::time::timeout(limit, self.closed.recv())
            .await
            .expect("the client never closed")
            .unwrap()
    }
}

async fn read(stream: &mut TcpStream) -> Option<Got> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        let n = stream.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    };
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let head = text.to_lowercase();
    let length: usize = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |n| n.trim().parse().unwrap());
    while bytes.len() < end + length {
        let n = stream.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        bytes.extend_from_slice(&buffer[..n]);
    }
    Some(Got {
        line: text.lines().next().unwrap_or_default().to_owned(),
        head,
        body: String::from_utf8_lossy(&bytes[end..]).into_owned(),
        at: Instant::now(),
    })
}

async fn play(
    stream: &mut TcpStream,
    script: &Script,
    close: &mpsc::UnboundedSender<Instant>,
) -> std::io::Result<()> {
    if script.before > 0 {
        tokio::time::sleep(Duration::from_millis(script.before)).await;
    }
    let mut head = format!(
        "HTTP/1.1 {} X\r\ntransfer-encoding: chunked\r\nconnection: close\r\n",
        script.status
    );
    for (name, value) in &script.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    stream.write_all((head + "\r\n").as_bytes()).await?;
    for act in &script.acts {
        match act {
            Act::Send(bytes) => {
                let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                chunk.extend_from_slice(bytes);
                chunk.extend_from_slice(b"\r\n");
                stream.write_all(&chunk).await?;
            }
            Act::Wait(ms) => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Act::Cut => return Ok(()),
            Act::Hold => {
                let mut buffer = [0; 64];
                while matches!(stream.read(&mut buffer).await, Ok(n) if n > 0) {}
                let _ = close.send(Instant::now());
                return Ok(());
            }
        }
    }
    stream.write_all(b"0\r\n\r\n").await?;
    stream.shutdown().await
}
