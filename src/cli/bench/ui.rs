//! `vesta bench ui`: what a person at a terminal waits for, measured in a pseudo terminal, beside `cat` and `less`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cli::Exit;
use crate::cli::bench::pty::{SIZE, Session};
use crate::cli::bench::sim::replicate;
use crate::cli::out::Out;
use crate::formats::scene::{self, SceneFile};
use crate::store::library::Library;

/// Flags of `vesta bench ui`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Nodes of the scenes to measure; each is filled with whole copies of the shipped flat
    #[arg(long, value_delimiter = ',', default_values_t = [300, 5000])]
    nodes: Vec<usize>,
    /// Keys to press a scene
    #[arg(long, default_value_t = 400)]
    keys: usize,
    /// Seconds to watch it do nothing
    #[arg(long, default_value_t = 5.0)]
    idle: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was measured at one scene size. Times in milliseconds of wall clock.
#[derive(Clone, Debug, Default)]
struct Figures {
    nodes: usize,
    /// Start of the process to the last byte of Home, median.
    first_frame: f64,
    /// Start of the process to the last byte of the opened scene, median.
    scene_frame: f64,
    key_p50: f64,
    key_p99: f64,
    key_max: f64,
    bytes_per_key: f64,
    idle_bytes: usize,
    idle_wakeups: Option<u64>,
    resident_kib: Option<u64>,
}

/// The end of every frame.
const FRAME_END: &[u8] = b"\x1b[?2026l";
const PATIENCE: Duration = Duration::from_secs(20);
/// Keys a person presses in Play: up and down the actions, into the filter and out, through the panes.
const KEYS: &[&[u8]] = &[
    b"j", b"j", b"j", b"k", b"\t", b"j", b"j", b"k", b"l", b"\t", b"j", b"\t", b"\x1b[B", b"\x1b[A",
];

/// Measures all sizes and prints.
///
/// # Errors
/// The program cannot be started in a pseudo terminal.
pub fn run(args: &Args, out: &mut Out) -> Result<Exit> {
    let me = std::env::current_exe().context("this program's own file is not known")?;
    let dir = Scratch::new()?;
    let mut all = Vec::new();
    for &nodes in &args.nodes {
        let file = dir.scene(nodes)?;
        all.push(measure(&me, &dir.0, &file, args).with_context(|| format!("with {nodes} nodes"))?);
    }
    let floor = floor(Path::new("cat"), &[], &dir.0).ok();
    let less = floor_of_less(&dir);
    if args.json {
        let first = all.first().cloned().unwrap_or_default();
        let sizes: Vec<_> = all.iter().map(json).collect();
        let mut json = json(&first);
        json["sizes"] = sizes.into();
        json["cat_key_p50_ms"] = floor.into();
        json["less_key_p50_ms"] = less.into();
        json["terminal"] = format!("{}x{}", SIZE.0, SIZE.1).into();
        out.json(&json)?;
        return Ok(Exit::Fine);
    }
    for f in &all {
        out.line(&format!(
            "{:>6} nodes   first frame {:.1} ms   scene {:.1} ms   key p50 {:.2}  p99 {:.2}  max {:.2} ms   {:.0} bytes a key",
            f.nodes, f.first_frame, f.scene_frame, f.key_p50, f.key_p99, f.key_max, f.bytes_per_key
        ))?;
        let count = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
        out.line(&format!(
            "{:>12}   idle {} s: {} bytes, {} wakeups   {} KiB resident",
            "",
            args.idle,
            f.idle_bytes,
            count(f.idle_wakeups),
            count(f.resident_kib)
        ))?;
    }
    let told = |f: Option<f64>| f.map_or("not here".to_owned(), |ms| format!("{ms:.2} ms"));
    out.line(&format!(
        "beside, key p50: cat {}, less {}",
        told(floor),
        told(less)
    ))?;
    Ok(Exit::Fine)
}

fn json(f: &Figures) -> serde_json::Value {
    serde_json::json!({
        "nodes": f.nodes, "first_frame_ms": f.first_frame, "scene_frame_ms": f.scene_frame,
        "key_p50_ms": f.key_p50, "key_p99_ms": f.key_p99, "key_max_ms": f.key_max,
        "bytes_per_key": f.bytes_per_key, "idle_bytes": f.idle_bytes, "idle_wakeups": f.idle_wakeups,
        "resident_kib": f.resident_kib,
    })
}

/// A folder that is removed at the end, with a `saved_runs` of its own so that nothing of the user's is touched.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let dir = std::env::temp_dir().join(format!("vesta-bench-{}", std::process::id()));
        fs_err::create_dir_all(dir.join("saved_runs"))?;
        Ok(Self(dir))
    }

    /// A scene of at least that many nodes, less one copy.
    fn scene(&self, nodes: usize) -> Result<std::path::PathBuf> {
        let library = Library::open(None);
        let row = library
            .rows()
            .iter()
            .find(|r| r.error.is_none())
            .context("no task is shipped")?;
        let setup = library
            .load(&row.id)
            .map_err(|d| anyhow::anyhow!("{d:?}"))?;
        let one = setup.scene.len();
        let copies = u32::try_from((nodes + one / 2) / one)
            .unwrap_or(u32::MAX)
            .max(1);
        let scene = replicate(&setup.scene, copies)?;
        let file = SceneFile {
            scene,
            extra: Vec::new(),
            edge_extra: std::collections::BTreeMap::new(),
        };
        let path = self.0.join(format!("bench{nodes}.json"));
        fs_err::write(&path, scene::write(&file))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover in the temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn measure(me: &Path, dir: &Path, file: &Path, args: &Args) -> Result<Figures> {
    let name = file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let file_text = file.display().to_string();
    let open = format!("play {name}");
    let nodes = scene_nodes(file)?;
    let first_frame = median(20, || first_frame(me, &[], dir, FRAME_END))?;
    let opened = ["--from", &file_text, "--screen", &open];
    let scene_frame = median(10, || first_frame_with(me, &opened, dir))?;
    let mut session = Session::start(me, &opened, dir)?;
    session.wait(b"kitchen", PATIENCE)?;
    session.listen(Duration::from_millis(400));
    let (mut times, mut bytes) = (Vec::new(), 0);
    for i in 0..args.keys {
        let at = session.press(KEYS[i % KEYS.len()])?;
        // A key that changes nothing sends nothing, which is as it should be and no time at all.
        if let Ok((end, seen)) = session.wait(FRAME_END, Duration::from_millis(250)) {
            times.push((end - at).as_secs_f64() * 1e3);
            bytes += seen.len();
        }
    }
    session.listen(Duration::from_millis(500));
    let before = session.wakeups();
    let idle_bytes = session.listen(Duration::from_secs_f64(args.idle));
    let idle_wakeups = session
        .wakeups()
        .zip(before)
        .map(|(now, then)| now.saturating_sub(then));
    times.sort_by(f64::total_cmp);
    let at = |per_cent: usize| {
        let last = times.len().saturating_sub(1);
        times
            .get(last * per_cent / 100)
            .copied()
            .unwrap_or(f64::NAN)
    };
    Ok(Figures {
        nodes,
        first_frame,
        scene_frame,
        key_p50: at(50),
        key_p99: at(99),
        key_max: at(100),
        bytes_per_key: bytes as f64 / times.len().max(1) as f64,
        idle_bytes,
        idle_wakeups,
        resident_kib: session.resident(),
    })
}

fn scene_nodes(file: &Path) -> Result<usize> {
    let bytes = fs_err::read(file)?;
    let name = file.display().to_string();
    let (read, _) = scene::read(
        &crate::sim::virtualhome::DIALECT,
        &name,
        &bytes,
        scene::Which::Initial,
    )?;
    Ok(read.scene.len())
}

/// Milliseconds from start to the end of the first frame.
fn first_frame(program: &Path, args: &[&str], dir: &Path, mark: &[u8]) -> Result<f64> {
    let session = Session::start(program, args, dir)?;
    let (at, _) = session.wait(mark, PATIENCE)?;
    Ok((at - session.started()).as_secs_f64() * 1e3)
}

/// Milliseconds from start to the end of the frame that shows the scene's rooms.
fn first_frame_with(program: &Path, args: &[&str], dir: &Path) -> Result<f64> {
    first_frame(program, args, dir, b"kitchen")
}

fn median(n: usize, mut one: impl FnMut() -> Result<f64>) -> Result<f64> {
    let mut all = (0..n).map(|_| one()).collect::<Result<Vec<_>>>()?;
    all.sort_by(f64::total_cmp);
    Ok(all.get(n / 2).copied().unwrap_or(f64::NAN))
}

/// Key to byte of a program that echoes at once: the terminal's own share, in milliseconds.
fn floor(program: &Path, args: &[&str], dir: &Path) -> Result<f64> {
    let mut session = Session::start(program, args, dir)?;
    session.listen(Duration::from_millis(300));
    let mut times = Vec::new();
    for _ in 0..200 {
        let at = session.press(b"j")?;
        let (end, _) = session.wait(b"", PATIENCE)?;
        times.push((end - at).as_secs_f64() * 1e3);
        session.listen(Duration::from_millis(2));
    }
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied().unwrap_or(f64::NAN))
}

fn floor_of_less(dir: &Scratch) -> Option<f64> {
    let text = "one of many lines of a file that is long enough to scroll in\n".repeat(20_000);
    let path = dir.0.join("lines.txt");
    fs_err::write(&path, text).ok()?;
    floor(Path::new("less"), &[&path.display().to_string()], &dir.0).ok()
}
