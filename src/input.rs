//! Opening input: a plain file, a zstd-compressed one, or standard input.
//!
//! Every tool reads its games, labels and records through here, so that "plain or `.zst`" and `-`
//! for standard input hold everywhere. Compression is recognised by its magic number, not by the
//! name, so pipes work too. Compressed files are decoded block by block and never held as a whole:
//! besides the compression window (8 MB for files made with `zstd -19`) nothing grows with the file.
//!
//! Files of several frames (`cat a.zst b.zst`, `pzstd`) and skippable frames are read to their end,
//! and the checksum of each frame is verified.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
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

/// Bytes per read of the file and per decoded piece.
const BUFFER: usize = 256 << 10;

/// Opens a plain or zstd-compressed file, or standard input when the path is `-`.
pub fn open(path: &Path) -> Result<Input, InputError> {
    if path == Path::new("-") {
        return decompressed(io::stdin()).map_err(|source| read_error(path, source));
    }
    let file =
        File::open(path).map_err(|source| InputError::Open { path: path.to_owned(), source })?;
    decompressed(file).map_err(|source| read_error(path, source))
}

/// The whole input as bytes, or an error if there are more than `limit` of them.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    open(path)?
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| read_error(path, source))?;
    if bytes.len() as u64 > limit {
        return Err(InputError::TooLarge { path: path.to_owned(), limit });
    }
    Ok(bytes)
}

/// The bytes behind a reader: decompressed if they begin like a zstd file, as they are otherwise.
pub fn decompressed(mut source: impl Read + Send + 'static) -> io::Result<Input> {
    let mut head = Vec::with_capacity(4);
    source.by_ref().take(4).read_to_end(&mut head)?;
    let compressed =
        <[u8; 4]>::try_from(&head[..]).is_ok_and(|magic| is_zstd_magic(u32::from_le_bytes(magic)));
    let whole = Cursor::new(head).chain(BufReader::with_capacity(BUFFER, source));
    Ok(if compressed {
        Box::new(BufReader::with_capacity(BUFFER, Frames::new(whole)))
    } else {
        Box::new(whole)
    })
}

/// A data frame, or one of the sixteen kinds of skippable frames.
fn is_zstd_magic(magic: u32) -> bool {
    magic == 0xFD2F_B528 || (0x184D_2A50..=0x184D_2A5F).contains(&magic)
}

fn read_error(path: &Path, source: io::Error) -> InputError {
    InputError::Read { path: path.to_owned(), source }
}

/// The decoded bytes of all frames of a zstd file.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Frames<R> {
        Frames { source, decoder: FrameDecoder::new() }
    }

    /// Begins the next data frame; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = self.source.by_ref().take(length);
                    if io::copy(&mut { skipped }, &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(broken(error)),
            }
        }
        Ok(false)
    }

    /// The checksum can be compared once every byte of the frame was handed out.
    fn verify_frame(&self) -> io::Result<()> {
        match self.decoder.get_checksum_from_data() {
            Some(stored) if self.decoder.get_calculated_checksum() != Some(stored) => {
                Err(broken("checksum mismatch"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if !self.decoder.is_finished() {
                let piece = BlockDecodingStrategy::UptoBytes(buffer.len());
                self.decoder.decode_blocks(&mut self.source, piece).map_err(broken)?;
                continue;
            }
            self.verify_frame()?;
            if !self.begin_frame()? {
                return Ok(0);
            }
        }
    }
}

fn broken(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("broken zstd data ({error})"))
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
        let missing = open(Path::new("no/such/file.sgf")).err().unwrap().to_string();
        assert!(missing.starts_with("cannot open 'no/such/file.sgf': "), "{missing}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sgf");
        std::fs::write(&path, compress(&[b'x'; 100])).unwrap();
        assert_eq!(read_bytes(&path, 100).unwrap(), [b'x'; 100]);
        assert!(matches!(read_bytes(&path, 99), Err(InputError::TooLarge { limit: 99, .. })));
        assert!(read_bytes(folder.path(), 100).is_err());
    }
}
