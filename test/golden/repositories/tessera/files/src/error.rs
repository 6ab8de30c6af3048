use std::fmt;
use std::io;

use crate::TileId;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
pub enum Error {
    Io(io::Error),
    BadMagic([u8; 4]),
    BadId(String),
    Corrupt { id: TileId, expected: u32, found: u32 },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => write!(f, "cannot read the archive: {error}"),
            Error::BadMagic(magic) => write!(f, "not an archive: {magic:02x?}"),
            Error::BadId(text) => write!(f, "not a tile: {text}"),
            Error::Corrupt { id, expected, found } => {
                write!(f, "tile {id:?} is damaged: {expected:08x} is {found:08x}")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}
