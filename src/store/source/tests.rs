//! Folders and archives give the same members, and bad archives a sentence.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
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

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = ::tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = ::tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
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
    let (_plain, plain) = on_disk(&tar(&members));
    let (_packed, packed) = on_disk(&gzip(&tar(&members)));
    for (name, bytes) in members {
        let file = dir.path().join("f").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    for path in [path, plain, packed, dir.path().join("f")] {
        let source = open(&path).unwrap();
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

#[test]
fn a_tar_archive_keeps_long_names_and_only_files() {
    let long = format!("{}/x.bddl", "deep/".repeat(40));
    let mut header = ::tar::Header::new_gnu();
    header.set_size(0);
    header.set_entry_type(::tar::EntryType::Symlink);
    let mut builder = ::tar::Builder::new(tar(&[(&long, b"one"), ("./a", b"old"), ("a", b"new")]));
    builder
        .append_link(&mut header, "secret", "/etc/passwd")
        .unwrap();
    // The two blocks of zeros that end the first archive hide what comes after them.
    let (_dir, path) = on_disk(&gzip(&builder.into_inner().unwrap()));
    let tar = Tar::open(&path).unwrap();
    assert_eq!(tar.list("").unwrap(), ["a", "deep"]);
    assert_eq!(tar.read(&long).unwrap(), b"one");
    assert_eq!(tar.read("a").unwrap(), b"new");
    let mut builder = ::tar::Builder::new(Vec::new());
    builder
        .append_link(&mut header, "secret", "/etc/passwd")
        .unwrap();
    let (_dir, path) = on_disk(&builder.into_inner().unwrap());
    let tar = Tar::open(&path).unwrap();
    assert_eq!(tar.list("").unwrap(), [""; 0]);
    let said = tar.read("secret").unwrap_err().to_string();
    assert!(
        said.ends_with("x.whl/secret: not in the archive; download it again"),
        "{said}"
    );
}

#[test]
fn a_tar_archive_that_holds_too_much_is_refused() {
    let zeros = vec![0; files::LARGEST as usize + 1];
    let one = gzip(&tar(&[("bomb", &zeros), ("small", b"x")]));
    assert!(one.len() < 1 << 20);
    let (_dir, path) = on_disk(&one);
    let source = open(&path).unwrap();
    let said = source.read("bomb").unwrap_err().to_string();
    assert!(
        said.contains("x.whl/bomb: it is larger than 64 MiB"),
        "{said}"
    );
    assert_eq!(source.read("small").unwrap(), b"x");

    let three = gzip(&tar(&[("a", &zeros), ("b", &zeros), ("c", b"x")]));
    let (_dir, path) = on_disk(&three);
    let said = open(&path).unwrap_err().to_string();
    assert!(said.contains("x.whl: it holds more than 128 MiB"), "{said}");
}

#[test]
fn what_is_no_tar_archive_is_said() {
    let whole = tar(&[("a", &[7; 2000]), ("b", b"two")]);
    let packed = gzip(&whole);
    let mut damaged = whole.clone();
    damaged[3] ^= 0xff;
    for bytes in [
        b"\x1f\x8b".as_slice(),
        &packed[..packed.len() / 2],
        &whole[..1500],
        &damaged,
        &gzip(&damaged),
        &gzip(&[b'x'; 2000]),
    ] {
        let (_dir, path) = on_disk(bytes);
        let said = open(&path).unwrap_err().to_string();
        assert!(said.contains("x.whl: not a usable tar archive: "), "{said}");
        assert!(said.ends_with("; download it again"), "{said}");
        assert!(!said.contains('\n'), "{said}");
    }
    for bytes in [b"".as_slice(), b"no archive"] {
        let (_dir, path) = on_disk(bytes);
        let said = open(&path).unwrap_err().to_string();
        assert!(
            said.contains("x.whl: neither a folder, a zip file nor a tar archive"),
            "{said}"
        );
    }
    let said = open(Path::new("nowhere.tar.gz")).unwrap_err().to_string();
    assert!(said.starts_with("nowhere.tar.gz: not found"), "{said}");
    // A shorter file in its place is noticed.
    let (_dir, path) = on_disk(&packed);
    let source = open(&path).unwrap();
    std::fs::write(&path, gzip(&whole[..700])).unwrap();
    let said = source.read("a").unwrap_err().to_string();
    assert!(said.contains("not a usable tar archive"), "{said}");
}

proptest::proptest! {
    #[test]
    fn damaged_tar_archives_never_panic(at in 0_usize..1600, byte in proptest::prelude::any::<u8>()) {
        let mut bytes = tar(&[("a", b"one"), ("b/c", b"two two two two")]);
        if let Some(b) = bytes.get_mut(at) {
            *b = byte;
        }
        let (_dir, path) = on_disk(&bytes);
        if let Ok(tar) = Tar::open(&path) {
            for name in tar.list("").unwrap() {
                let _ = tar.read(&name);
            }
        }
    }

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
