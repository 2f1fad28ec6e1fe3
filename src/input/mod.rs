//! Opening input: a plain file, a zstd-compressed one, a pipe, or standard input.
//!
//! Every tool reads its games, labels and records through here, so that "plain or `.zst`" and `-`
//! for standard input hold everywhere. Compression is recognised by its magic number, not by the
//! name, so pipes work too. Compressed files are decoded block by block and never held as a whole:
//! besides the compression window (8 MB for files made with `zstd -19`) nothing grows with the file.
//!
//! Files of several frames (`cat a.zst b.zst`, `pzstd`) and skippable frames are read to their end,
//! and the checksum of each frame is verified.
//!
//! No input may hang or fill the process. A name on the command line may be a file or a pipe
//! (`<(zstdcat games.zst)`), and every reader says how much it is ready for; waiting for a pipe ends
//! with Ctrl-C as anything does. A name that came through GTP must be a regular file
//! ([`read_regular`]): there, a pipe would block the session, and standard input is the conversation
//! itself. Directories and devices are refused before they are opened.

mod line;
mod suggest;
mod zstd;

pub use line::{Found, MAX_LINE, read_line};
pub use suggest::nearest;

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A buffered reader of uncompressed bytes that may move to another thread.
pub type Input = Box<dyn BufRead + Send>;

/// An input that cannot be opened or read.
#[derive(Debug, Error)]
pub enum InputError {
    /// It does not exist or may not be read.
    #[error("cannot open '{}': {source}", path.display())]
    Open {
        /// The name as given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is something else than a file.
    #[error("'{}' is {kind}; give a file", path.display())]
    Kind {
        /// The name as given.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// Reading or decompressing failed.
    #[error("cannot read '{}': {source}", path.display())]
    Read {
        /// The name as given.
        path: PathBuf,
        /// What the system or the decompressor said.
        source: io::Error,
    },
    /// More bytes than the caller is ready to hold.
    #[error("'{}' is larger than {} MB; give a smaller file", path.display(), limit >> 20)]
    TooLarge {
        /// The name as given.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
}

/// Bytes per read of the file.
const BUFFER: usize = 256 << 10;

/// Opens a plain or zstd-compressed file or pipe, or standard input when the path is `-`. Reading
/// more than `limit` uncompressed bytes is an error.
pub fn open(path: &Path, limit: u64) -> Result<Input, InputError> {
    Ok(Box::new(Limited { inner: open_named(path, true)?, limit, left: limit }))
}

/// All uncompressed bytes of a file or pipe, or of standard input when the path is `-`; an error if
/// there are more than `limit`.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    read_all(open_named(path, true)?, path, limit)
}

/// The same as text.
pub fn read_text(path: &Path, limit: u64) -> Result<String, InputError> {
    String::from_utf8(read_bytes(path, limit)?)
        .map_err(|error| read_error(path, io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// All uncompressed bytes of a regular file: for names that come from a client.
pub fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    read_all(open_named(path, false)?, path, limit)
}

/// May this name be written to for a client? It may be new, or a regular file.
pub fn check_writable(path: &Path) -> Result<(), InputError> {
    match fs::metadata(path) {
        Ok(metadata) => check_kind(path, &metadata, false),
        Err(_) => Ok(()), // writing will say what is wrong
    }
}

/// Does this name stand for standard input?
pub fn is_standard_input(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

fn open_named(path: &Path, pipes: bool) -> Result<Input, InputError> {
    if pipes && path == Path::new("-") {
        return decompressed(io::stdin()).map_err(|source| read_error(path, source));
    }
    if !pipes && is_standard_input(path) {
        return Err(InputError::Kind { path: path.to_owned(), kind: "standard input" });
    }
    let failed = |source| InputError::Open { path: path.to_owned(), source };
    check_kind(path, &fs::metadata(path).map_err(failed)?, pipes)?;
    let file = File::open(path).map_err(failed)?;
    decompressed(file).map_err(|source| read_error(path, source))
}

/// To open a pipe without a writer blocks, and so does it to read a terminal; so this is asked first.
fn check_kind(path: &Path, metadata: &Metadata, pipes: bool) -> Result<(), InputError> {
    let kind = match metadata.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a directory",
        kind if is_pipe(kind) && pipes => return Ok(()),
        kind if is_pipe(kind) => "a pipe",
        _ => "a device",
    };
    Err(InputError::Kind { path: path.to_owned(), kind })
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    false
}

fn read_all(input: Input, path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes).map_err(|source| read_error(path, source))?;
    if bytes.len() as u64 > limit {
        return Err(InputError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

/// The bytes behind a reader: decompressed if they begin like a zstd file, as they are otherwise.
pub fn decompressed(mut source: impl Read + Send + 'static) -> io::Result<Input> {
    let mut head = Vec::with_capacity(4);
    source.by_ref().take(4).read_to_end(&mut head)?;
    let compressed = <[u8; 4]>::try_from(&head[..]).is_ok_and(zstd::is_magic);
    let whole = Cursor::new(head).chain(BufReader::with_capacity(BUFFER, source));
    Ok(if compressed {
        Box::new(BufReader::with_capacity(BUFFER, zstd::Frames::new(whole)))
    } else {
        Box::new(whole)
    })
}

fn read_error(path: &Path, source: io::Error) -> InputError {
    InputError::Read { path: path.to_owned(), source }
}

/// A reader that fails after so many bytes.
struct Limited {
    inner: Input,
    limit: u64,
    left: u64,
}

impl BufRead for Limited {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.inner.fill_buf()?;
        if self.left == 0 && !bytes.is_empty() {
            let message = format!("it is larger than {} MB", self.limit >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        let length = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        Ok(&bytes[..length])
    }

    fn consume(&mut self, count: usize) {
        self.left -= count as u64;
        self.inner.consume(count);
    }
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rng;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn compress(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    fn read(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        decompressed(Cursor::new(bytes))?.read_to_end(&mut out)?;
        Ok(out)
    }

    fn text(length: usize) -> Vec<u8> {
        let mut rng = Rng::new(5);
        (0..length).map(|_| b"abcdefgh;[]\n"[rng.below(12) as usize]).collect()
    }

    #[test]
    fn plain_bytes_come_through_unchanged() {
        for length in [0, 1, 3, 4, 5, 1_000_000] {
            assert_eq!(read(text(length)).unwrap(), text(length));
        }
    }

    #[test]
    fn compressed_bytes_are_decoded_over_all_frames() {
        let original = text(1_000_000);
        assert_eq!(read(compress(&original)).unwrap(), original);
        let skippable = [0x184D_2A53u32.to_le_bytes(), 5u32.to_le_bytes()].concat();
        let several =
            [&skippable, &b"12345"[..], &compress(b"one "), &compress(b""), &skippable].concat();
        let several = [several, b"abcde".to_vec(), compress(b"two")].concat();
        assert_eq!(read(several).unwrap(), b"one two");
    }

    #[test]
    fn broken_compressed_files_are_errors_and_never_panics() {
        let whole = compress(&text(5000));
        assert!(read(whole[..whole.len() - 7].to_vec()).is_err());
        assert!(read([&whole[..], b"trailing text"].concat()).is_err());
        let mut rng = Rng::new(6);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut mutant = whole.clone();
            for _ in 0..1 + rng.below(3) {
                let at = 4 + rng.below(mutant.len() as u32 - 4) as usize;
                mutant[at] = rng.bits() as u8;
            }
            match read(mutant) {
                Ok(bytes) => assert!(bytes.len() < 100_000_000),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 1000, "{refused}");
    }

    #[test]
    fn errors_name_the_file_and_the_limit_holds() {
        let missing = open(Path::new("no/such/file.sgf"), 1).err().unwrap().to_string();
        assert!(missing.starts_with("cannot open 'no/such/file.sgf': "), "{missing}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sgf");
        std::fs::write(&path, compress(&[b'x'; 100])).unwrap();
        assert_eq!(read_bytes(&path, 100).unwrap(), [b'x'; 100]);
        assert!(matches!(read_bytes(&path, 99), Err(InputError::TooLarge { limit: 99, .. })));
        assert!(read_bytes(folder.path(), 100).is_err());
    }

    #[test]
    fn text_must_be_text_and_streams_end_at_their_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.txt");
        std::fs::write(&path, "gr\u{fc}n\n".repeat(2)).unwrap();
        assert_eq!(read_text(&path, 100).unwrap(), "gr\u{fc}n\ngr\u{fc}n\n");
        let read = |limit| {
            let mut bytes = Vec::new();
            open(&path, limit).unwrap().read_to_end(&mut bytes).map(|_| bytes.len())
        };
        assert_eq!(read(12).unwrap(), 12);
        assert_eq!(read(11).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&path, b"gr\xfcn").unwrap();
        assert!(read_text(&path, 100).is_err());
        assert_eq!(read_bytes(&path, 100).unwrap(), b"gr\xfcn");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_for_the_command_line_and_devices_for_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let kind = |path: &Path| match read_regular(path, 100) {
            Err(InputError::Kind { kind, .. }) => kind,
            other => panic!("{}: {other:?}", path.display()),
        };
        assert_eq!(kind(&pipe), "a pipe");
        assert_eq!(kind(folder.path()), "a directory");
        assert_eq!(kind(Path::new("/dev/zero")), "a device");
        for name in ["-", "/dev/stdin", "/dev/fd/0"] {
            assert_eq!(kind(Path::new(name)), "standard input");
        }
        assert!(matches!(open(Path::new("/dev/zero"), 100), Err(InputError::Kind { .. })));
        assert!(matches!(read_bytes(folder.path(), 100), Err(InputError::Kind { .. })));
        assert!(matches!(check_writable(&pipe), Err(InputError::Kind { .. })));
        assert!(check_writable(&folder.path().join("new")).is_ok());
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::write(pipe, compress(b"through a pipe"))
        });
        assert_eq!(read_bytes(&pipe, 100).unwrap(), b"through a pipe");
        writer.join().unwrap().unwrap();
    }
}
