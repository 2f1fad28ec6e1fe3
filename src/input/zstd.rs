//! Decoding zstd, block by block and within bounds.
//!
//! A compressed file says itself how much memory it needs (its window) and may unpack to 32,000
//! times its size. So windows above [`MAX_WINDOW`] are refused, which `zstd` itself does unless told
//! otherwise, and so is data that grows as only a bomb does. Whoever holds what was decoded has a
//! limit of its own besides.

use ruzstd::decoding::errors::{FrameDecoderError, FrameHeaderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, Read};

/// The largest compression window: that of `zstd --ultra -22`.
const MAX_WINDOW: u64 = 128 << 20;
/// Decoded bytes for each compressed one; game records and labels have 5 to 30.
const MAX_GROWTH: u64 = 1000;
/// Decoded bytes up to which growth does not matter: a small file may be very regular.
const FREE_GROWTH: u64 = 256 << 20;
/// Bytes decoded at once.
const PIECE: usize = 256 << 10;

/// Do these four bytes begin a data frame, or one of the sixteen kinds of skippable frames?
pub(super) fn is_magic(bytes: [u8; 4]) -> bool {
    let magic = u32::from_le_bytes(bytes);
    magic == 0xFD2F_B528 || (0x184D_2A50..=0x184D_2A5F).contains(&magic)
}

/// The decoded bytes of all frames of a zstd file.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// Compressed bytes of the frames before this one.
    read_before: u64,
    decoded: u64,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(source: R) -> Frames<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Frames { source, decoder, read_before: 0, decoded: 0 }
    }

    /// Begins the next data frame; false at the end of the file.
    fn begin_frame(&mut self) -> io::Result<bool> {
        self.read_before += self.decoder.bytes_read_from_source();
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
                Err(
                    FrameDecoderError::WindowSizeTooBig { requested: window, .. }
                    | FrameDecoderError::FrameHeaderError(FrameHeaderError::WindowTooBig {
                        got: window,
                    }),
                ) => return Err(too_wide(window)),
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

    fn check_growth(&self) -> io::Result<()> {
        let read = self.read_before + self.decoder.bytes_read_from_source();
        if self.decoded > FREE_GROWTH && self.decoded / MAX_GROWTH > read {
            return Err(refused(format!(
                "it unpacks to more than {MAX_GROWTH} times its size; unpack it first if that is \
                 meant"
            )));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.decoder.can_collect() > 0 {
                let given = self.decoder.read(buffer)?;
                self.decoded += given as u64;
                self.check_growth()?;
                return Ok(given);
            }
            if !self.decoder.is_finished() {
                // Not as much as the buffer holds: readers of whole files have large ones.
                let piece = BlockDecodingStrategy::UptoBytes(buffer.len().min(PIECE));
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

fn too_wide(window: u64) -> io::Error {
    let [window, limit] = [window, MAX_WINDOW].map(|bytes| bytes >> 20);
    refused(format!(
        "its compression window of {window} MB is above {limit} MB; compress it without --long"
    ))
}

fn broken(error: impl std::fmt::Display) -> io::Error {
    refused(format!("broken zstd data ({error})"))
}

fn refused(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

    /// A frame with this window descriptor whose blocks are 128 KB of one letter each.
    fn frame(window: u8, blocks: u32) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[0, window]].concat();
        for number in 1..=blocks {
            let header = (128 << 10) << 3 | 1 << 1 | u32::from(number == blocks);
            bytes.extend(&header.to_le_bytes()[..3]);
            bytes.push(b'\n');
        }
        bytes
    }

    fn decode(bytes: Vec<u8>) -> io::Result<u64> {
        io::copy(&mut Frames::new(io::Cursor::new(bytes)), &mut io::sink())
    }

    #[test]
    fn windows_above_the_limit_are_refused() {
        // The descriptor's upper five bits are the logarithm above 1 KB.
        assert_eq!(decode(frame(17 << 3, 3)).unwrap(), 3 << 17);
        for descriptor in [17 << 3 | 1, 18 << 3, 31 << 3, 0xFF] {
            let error = decode(frame(descriptor, 3)).unwrap_err().to_string();
            assert!(error.contains("compression window of"), "{error}");
        }
        // A frame without a window descriptor has its content's size as window.
        let single = [&MAGIC[..], &[0xE0], &(1u64 << 41).to_le_bytes()].concat();
        let error = decode(single).unwrap_err().to_string();
        assert_eq!(
            error,
            "its compression window of 2097152 MB is above 128 MB; compress it without --long"
        );
    }

    #[test]
    fn bombs_are_refused_and_regular_files_are_not() {
        let blocks = (FREE_GROWTH >> 17) as u32;
        assert_eq!(decode(frame(8 << 3, blocks)).unwrap(), FREE_GROWTH);
        for bomb in [frame(8 << 3, blocks + 100), frame(8 << 3, blocks / 2 + 50).repeat(2)] {
            let error = decode(bomb).unwrap_err().to_string();
            assert!(error.starts_with("it unpacks to more than 1000 times its size"), "{error}");
        }
    }
}
