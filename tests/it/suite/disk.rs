//! A full disk leaves the run whole and the program usable; writing goes on when there is room.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::played::{Live, only, play, verify};

/// A small file system of its own, gone with the test.
struct Small {
    at: tempfile::TempDir,
}

impl Small {
    /// `None`, with the reason printed, where mounting is not permitted.
    fn mount(kib: u32) -> Option<Self> {
        let at = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "tmpfs"])
            .arg(at.path())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self { at }),
            Ok(output) => skip(&String::from_utf8_lossy(&output.stderr)),
            Err(e) => skip(&e.to_string()),
        }
    }

    fn path(&self) -> &Path {
        self.at.path()
    }

    /// Fills the disk up to `left` KiB; the file to remove for room.
    fn fill(&self, left: usize) -> PathBuf {
        let path = self.path().join("ballast");
        let mut size = 1 << 20;
        let mut file = std::fs::File::create(&path).unwrap();
        while size > 0 {
            if std::io::Write::write(&mut file, &vec![0; size]).is_err() {
                size /= 2;
            }
        }
        let full = file.metadata().unwrap().len();
        file.set_len(full - (left as u64) * 1024).unwrap();
        path
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.at.path()).status();
    }
}

#[expect(clippy::print_stderr, reason = "a skipped test must say why")]
fn skip<T>(why: &str) -> Option<T> {
    eprintln!("skipped: no small disk can be mounted here: {}", why.trim());
    None
}

/// The largest number of an event told as saved.
fn saved(row: &Value) -> Option<u64> {
    row["saved"].as_bool().filter(|s| *s)?;
    row["seq"].as_u64()
}

#[test]
fn a_disk_that_fills_up_and_empties_again() {
    let Some(disk) = Small::mount(1024) else {
        return;
    };
    let mut live = Live::start("V022", disk.path());
    let mut last = saved(&live.say("walk microwave")).unwrap();
    let ballast = disk.fill(4);
    let run = only(disk.path());
    let mut failed = None;
    for n in 0..200 {
        let row = live.say(["walk table", "undo", "lookat odd", "redo", "undo"][n % 5]);
        let Some(seq) = saved(&row) else {
            failed = Some(row);
            break;
        };
        last = seq;
    }
    let failed = failed.expect("the disk never filled up");
    let why = failed["unsaved"].as_str().unwrap();
    assert!(
        why.contains("not saved: ")
            && why.contains("1 event waits; make room: writing goes on by itself"),
        "{why}"
    );
    // What was told as saved is there and whole while the program runs on; nothing torn follows it.
    let (verified, code) = verify(&run);
    assert_eq!(
        (&verified["events"], code),
        (&(last + 1).into(), Some(0)),
        "{verified}"
    );
    let row = live.say("goto s0");
    assert!(
        row["unsaved"].as_str().unwrap().contains("2 events wait"),
        "{row}"
    );
    assert_eq!(row["pos"], 0, "it plays on");
    std::fs::remove_file(ballast).unwrap();
    let row = live.say("walk fridge");
    let seq = saved(&row).expect("there is room again");
    let (end, _) = live.end();
    assert_eq!(end["saved"], true);
    let (verified, code) = verify(&run);
    assert_eq!(
        (&verified["events"], code),
        (&(seq + 1).into(), Some(0)),
        "{verified}"
    );
}

/// However little room there is: a run is begun whole or not at all, and what was told as saved is there.
#[test]
fn any_amount_of_room() {
    let Some(disk) = Small::mount(1024) else {
        return;
    };
    let mut begun = 0;
    for left in [0, 4, 8, 16, 20, 24, 28, 32, 36, 40, 48, 64, 96] {
        let ballast = disk.fill(left);
        let runs = disk.path().join("runs");
        std::fs::create_dir_all(&runs).ok();
        let script = "walk microwave\nwalk table\nundo\n".repeat(40);
        let output = play("V022", &runs, &script, &["--json"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|l| saved(&serde_json::from_str(l).unwrap()))
            .max();
        let folders: Vec<PathBuf> = match std::fs::read_dir(&runs) {
            Ok(all) => all.map(|e| e.unwrap().path()).collect(),
            Err(_) => Vec::new(),
        };
        match folders.as_slice() {
            [] => {
                assert_eq!((told, output.status.code()), (None, Some(2)), "{said}");
                assert!(said.contains("the run cannot be begun"), "{said}");
                assert_eq!(said.lines().count(), 1, "{said}");
            }
            [run] => {
                begun += 1;
                let (verified, code) = verify(run);
                assert_eq!(code, Some(0), "{left} KiB: {verified}");
                assert_eq!(verified["events"].as_u64(), Some(told.map_or(1, |t| t + 1)));
            }
            more => panic!("{more:?}"),
        }
        std::fs::remove_dir_all(&runs).ok();
        std::fs::remove_file(ballast).unwrap();
    }
    assert!(begun > 0 && begun < 13, "{begun} of 13 were begun");
}
