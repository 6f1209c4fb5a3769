//! Folders and archives give the same members, and bad archives a sentence.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn on_disk(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.whl");
    std::fs::write(&path, bytes).unwrap();
    (dir, path)
}

#[test]
fn a_folder_and_an_archive_give_the_same() {
    let members: [(&str, &[u8]); 4] = [
        ("p/a.txt", b"one"),
        ("p/b/c.txt", b"two"),
        ("p-q/d", b""),
        ("e", b"three"),
    ];
    let (dir, path) = on_disk(&archive(&members));
    for (name, bytes) in members {
        let file = dir.path().join("f").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    let sources: [Box<dyn Source>; 2] = [
        Box::new(Zip::open(&path).unwrap()),
        Box::new(Dir(dir.path().join("f"))),
    ];
    for source in sources {
        assert_eq!(source.list("").unwrap(), ["e", "p", "p-q"]);
        assert_eq!(source.list("p").unwrap(), ["a.txt", "b"]);
        assert_eq!(source.list("none").unwrap(), [""; 0]);
        for (name, bytes) in members {
            assert_eq!(source.read(name).unwrap(), bytes);
        }
        let said = source.read("p/none").unwrap_err().to_string();
        assert!(said.contains("p/none: not "), "{said}");
    }
}

#[test]
fn a_member_beyond_the_limit_is_refused() {
    let zeros = vec![0; files::LARGEST as usize + 1];
    let bytes = archive(&[("bomb", &zeros), ("small", b"x")]);
    assert!(bytes.len() < 1 << 20);
    let lying = {
        // The announced size is only a hint: this one claims a single byte.
        let mut lying = bytes.clone();
        let size = (zeros.len() as u32).to_le_bytes();
        let places: Vec<usize> = (0..lying.len() - 4)
            .filter(|&i| lying[i..i + 4] == size)
            .collect();
        for at in places {
            lying[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
        }
        lying
    };
    for bytes in [bytes, lying] {
        let (_dir, path) = on_disk(&bytes);
        let zip = Zip::open(&path).unwrap();
        let said = zip.read("bomb").unwrap_err().to_string();
        assert!(said.contains("x.whl/bomb: "), "{said}");
        assert_eq!(zip.read("small").unwrap(), b"x");
    }
}

#[test]
fn what_is_no_archive_is_said() {
    let whole = archive(&[("a", b"one"), ("b", b"two")]);
    for bytes in [
        b"".as_slice(),
        b"PK\x03\x04",
        b"no zip",
        &whole[..whole.len() / 2],
    ] {
        let (_dir, path) = on_disk(bytes);
        let said = Zip::open(&path).unwrap_err().to_string();
        assert!(said.contains("x.whl: not a usable zip file: "), "{said}");
        assert!(said.ends_with("; download it again"), "{said}");
    }
    let mut damaged = whole;
    let at = damaged.windows(3).position(|w| w == b"one").unwrap_or(35);
    damaged[at] ^= 0xff;
    let (_dir, path) = on_disk(&damaged);
    let zip = Zip::open(&path).unwrap();
    assert!(zip.read("a").is_err());
    assert_eq!(zip.read("b").unwrap(), b"two");
}

proptest::proptest! {
    #[test]
    fn damaged_archives_never_panic(at in 0_usize..300, byte in proptest::prelude::any::<u8>()) {
        let mut bytes = archive(&[("a", b"one"), ("b/c", b"two two two two")]);
        if let Some(b) = bytes.get_mut(at) {
            *b = byte;
        }
        let (_dir, path) = on_disk(&bytes);
        if let Ok(zip) = Zip::open(&path) {
            for name in zip.list("").unwrap() {
                let _ = zip.read(&name);
            }
        }
    }
}
