//! A tar archive, plain or gzipped. Such an archive has no table of contents and cannot be entered in the middle: it is
//! read through once when it is opened, to learn where its members are, and up to the member whenever one is asked for.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use tar::Archive;

use crate::base::diag::Diagnostic;
use crate::store::files;
use crate::store::source::{GZIP, Source, children, prefix};

/// How much an archive may hold, in bytes. The `bddl` packages stay below 40 MiB; a bomb is above.
const UNPACKED: u64 = 128 << 20;

/// A tar archive and the places of its members.
#[derive(Debug)]
pub struct Tar {
    path: PathBuf,
    members: BTreeMap<String, Place>,
}

/// Where the bytes of a member are in the unpacked archive.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: u64,
    size: u64,
}

impl Tar {
    /// Opens an archive and reads it through once.
    ///
    /// # Errors
    /// The file cannot be read, is no tar archive or holds too much.
    pub fn open(path: &Path) -> Result<Self, Diagnostic> {
        let name = path.display().to_string();
        let members = members(path).map_err(|e| failed(&e).in_file(&name))?;
        Ok(Self {
            path: path.to_owned(),
            members,
        })
    }

    fn bytes(&self, place: Place) -> io::Result<Vec<u8>> {
        let mut unpacked = unpacked(&self.path)?;
        let before = io::copy(&mut (&mut unpacked).take(place.at), &mut io::sink())?;
        let bytes = files::bounded(unpacked.take(place.size), place.size)?;
        // Another file may have taken its place since it was opened.
        if before < place.at || (bytes.len() as u64) < place.size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }
}

impl Tar {
    /// Goes through the archive once and keeps the members at these places; `order` sorts them.
    fn walk(
        &self,
        places: &[Option<Place>],
        order: &[usize],
        found: &mut [Option<Vec<u8>>],
    ) -> io::Result<()> {
        let mut unpacked = unpacked(&self.path)?;
        let mut at = 0;
        for &i in order {
            let Some(place) = places[i] else { continue };
            // A member that is asked for twice is read alone the second time.
            let Some(skip) = place.at.checked_sub(at) else {
                continue;
            };
            let before = io::copy(&mut (&mut unpacked).take(skip), &mut io::sink())?;
            let bytes = files::bounded((&mut unpacked).take(place.size), place.size)?;
            if before < skip || (bytes.len() as u64) < place.size {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            at = place.at + place.size;
            found[i] = Some(bytes);
        }
        Ok(())
    }
}

impl Source for Tar {
    fn list(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let prefix = prefix(folder);
        let members = self.members.range(prefix.clone()..).map(|(name, _)| name);
        Ok(children(members, &prefix))
    }

    fn read(&self, member: &str) -> Result<Vec<u8>, Diagnostic> {
        let name = || format!("{}/{member}", self.path.display());
        let place = self.members.get(member).ok_or_else(|| {
            Diagnostic::error("", "not in the archive")
                .help("download it again")
                .in_file(&name())
        })?;
        self.bytes(*place).map_err(|e| failed(&e).in_file(&name()))
    }

    fn read_all(&self, members: &[&str]) -> Vec<Result<Vec<u8>, Diagnostic>> {
        let places: Vec<Option<Place>> = members
            .iter()
            .map(|m| self.members.get(*m).copied())
            .collect();
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|&i| places[i].map(|p| p.at));
        let mut found: Vec<Option<Vec<u8>>> = vec![None; members.len()];
        // What goes wrong on the way is told by reading the member alone.
        let _ = self.walk(&places, &order, &mut found);
        let alone =
            |(bytes, member): (Option<Vec<u8>>, &&str)| bytes.map_or_else(|| self.read(member), Ok);
        found.into_iter().zip(members).map(alone).collect()
    }
}

/// The archive as a stream that ends in an error where it is too long.
fn unpacked(path: &Path) -> io::Result<Box<dyn Read>> {
    let packed = files::head(path, GZIP.len())? == GZIP;
    let file = BufReader::new(File::open(path)?);
    Ok(if packed {
        Box::new(Bounded::new(GzDecoder::new(file)))
    } else {
        Box::new(Bounded::new(file))
    })
}

fn members(path: &Path) -> io::Result<BTreeMap<String, Place>> {
    let mut members = BTreeMap::new();
    for entry in Archive::new(unpacked(path)?).entries()? {
        let entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let bytes = entry.path_bytes();
        let Ok(name) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let name = name.strip_prefix("./").unwrap_or(name).to_owned();
        let place = Place {
            at: entry.raw_file_position(),
            size: entry.size(),
        };
        // Of two members of a name the later counts, as when unpacking.
        members.insert(name, place);
    }
    Ok(members)
}

fn failed(e: &io::Error) -> Diagnostic {
    match e.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::FileTooLarge => {
            files::failed(e)
        }
        _ => Diagnostic::error("", format!("not a usable tar archive: {e}"))
            .help("download it again"),
    }
}

/// A stream that fails beyond [`UNPACKED`] bytes.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    const fn new(inner: R) -> Self {
        Self {
            inner,
            left: UNPACKED,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        let Some(left) = self.left.checked_sub(count as u64) else {
            let message = format!("it holds more than {} MiB", UNPACKED >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        };
        self.left = left;
        Ok(count)
    }
}
