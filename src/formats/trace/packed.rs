//! Members of a zip archive of others, without trust: nothing is unpacked to a place, and what a member becomes is bounded.

use std::io::{Cursor, Read as _};

use ruzstd::decoding::StreamingDecoder;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::base::diag::Diagnostic;
use crate::formats::json;

/// The most bytes a member may become.
const LARGEST: u64 = 1 << 30;

/// The most bytes all that is read may become.
const MOST: u64 = 4 << 30;

/// From this size on a member may be no more than [`RATIO`] times what is packed.
const SUSPECT: u64 = 64 << 20;

/// See [`SUSPECT`].
const RATIO: u64 = 4_000;

/// Method 93 of the archive's format: Zstandard.
const ZSTD: u16 = 93;

/// An archive in memory.
pub(super) struct Packed<'b> {
    name: String,
    archive: ZipArchive<Cursor<&'b [u8]>>,
    /// What was unpacked so far.
    total: u64,
}

impl<'b> Packed<'b> {
    /// Opens an archive and looks at the names of its members.
    pub(super) fn open(name: &str, bytes: &'b [u8]) -> Result<Self, Diagnostic> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| fault(&e).in_file(name))?;
        if let Some(odd) = archive.file_names().flatten().find(|member| climbs(member)) {
            let message = format!("the member {} climbs out of the archive", json::quote(&odd));
            return Err(Diagnostic::error("", message)
                .help("do not use this file: it was made to write where it must not")
                .in_file(name));
        }
        Ok(Self {
            name: name.to_owned(),
            archive,
            total: 0,
        })
    }

    /// The names of the members, in the order of the archive.
    pub(super) fn names(&self) -> Vec<String> {
        self.archive
            .file_names()
            .flatten()
            .map(std::borrow::Cow::into_owned)
            .collect()
    }

    /// The bytes of a member; `None` where there is none of that name.
    pub(super) fn read(&mut self, member: &str) -> Result<Option<Vec<u8>>, Diagnostic> {
        let place = format!("{}/{member}", self.name);
        let Some(index) = self.archive.index_for_name(member) else {
            return Ok(None);
        };
        let wrong = |message: String, help: &str| {
            Err(Diagnostic::error("", message).help(help).in_file(&place))
        };
        let mut file = self
            .archive
            .by_index_raw(index)
            .map_err(|e| fault(&e).in_file(&place))?;
        if file.encrypted() {
            return wrong(
                "the member is encrypted".to_owned(),
                "write the log without encryption",
            );
        }
        let (packed, size, crc) = (file.compressed_size(), file.size(), file.crc32());
        let explodes = |size: u64| size > LARGEST || (size > SUSPECT && size / RATIO > packed);
        let too_large = format!("the member becomes more than {} MiB", LARGEST >> 20);
        if explodes(size) || self.total.saturating_add(size) > MOST {
            return wrong(
                too_large,
                "it is no log of this kind, or one too large to be read at once",
            );
        }
        #[expect(
            deprecated,
            reason = "the only name the library has for a method it does not decode itself"
        )]
        let method = match file.compression() {
            CompressionMethod::Unsupported(n) => Some(n),
            _ => None,
        };
        let bytes = match method {
            None => {
                drop(file);
                let mut file = self
                    .archive
                    .by_index(index)
                    .map_err(|e| fault(&e).in_file(&place))?;
                bounded(&mut file, size)
            }
            Some(ZSTD) => {
                let mut raw = Vec::new();
                file.read_to_end(&mut raw).and_then(|_| unpack(&raw, size))
            }
            Some(n) => {
                let message = format!("the member is packed by method {n}, which is not known");
                return wrong(message, "write the log with deflate or Zstandard");
            }
        };
        let bytes = match bytes {
            Ok(bytes) if bytes.len() as u64 <= LARGEST => bytes,
            Ok(_) => return wrong(too_large, "it is no log of this kind"),
            Err(e) => {
                return wrong(
                    format!("the member cannot be unpacked: {e}"),
                    "copy the file again",
                );
            }
        };
        if bytes.len() as u64 != size || crc32fast::hash(&bytes) != crc {
            return wrong(
                "the member is damaged: its checksum differs".to_owned(),
                "copy the file again",
            );
        }
        self.total += size;
        Ok(Some(bytes))
    }
}

fn bounded(source: &mut impl std::io::Read, size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One more than announced shows a member that lies.
    source
        .take(size.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// All frames of a Zstandard stream.
fn unpack(raw: &[u8], size: u64) -> std::io::Result<Vec<u8>> {
    let (mut rest, mut bytes) = (raw, Vec::new());
    while !rest.is_empty() && bytes.len() as u64 <= size {
        let mut frame = StreamingDecoder::new(&mut rest).map_err(std::io::Error::other)?;
        let left = size - bytes.len() as u64;
        bytes.append(&mut bounded(&mut frame, left)?);
    }
    Ok(bytes)
}

/// Whether a name leads out of the folder it would be unpacked in.
fn climbs(member: &str) -> bool {
    let drive = member.as_bytes().get(1) == Some(&b':');
    member.starts_with(['/', '\\']) || drive || member.split(['/', '\\']).any(|part| part == "..")
}

fn fault(e: &ZipError) -> Diagnostic {
    Diagnostic::error("", format!("the archive cannot be read: {e}"))
        .help("it seems cut off or damaged: copy it again")
}
