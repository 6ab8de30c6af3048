//! Archives of many small tiles.

pub mod archive;
pub mod codec;
mod error;
pub mod legend;
pub mod pyramid;

pub use archive::{Archive, Builder};
pub use error::{Error, Result};

/// Where a tile is: zoom level, column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileId {
    pub zoom: u8,
    pub x: u32,
    pub y: u32,
}

impl TileId {
    pub const ROOT: TileId = TileId { zoom: 0, x: 0, y: 0 };

    pub fn new(zoom: u8, x: u32, y: u32) -> Self {
        Self { zoom, x, y }
    }

    /// The tile one level up that covers this one.
    pub fn parent(self) -> Option<Self> {
        self.zoom.checked_sub(1).map(|zoom| Self::new(zoom, self.x / 2, self.y / 2))
    }
}

impl std::str::FromStr for TileId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split('/').map(str::parse::<u32>);
        let mut next = || parts.next().and_then(|part| part.ok()).ok_or_else(|| Error::BadId(text.into()));
        Ok(Self::new(next()? as u8, next()?, next()?))
    }
}

macro_rules! tile {
    ($zoom:expr, $x:expr, $y:expr) => {
        $crate::TileId::new($zoom, $x, $y)
    };
}

pub(crate) use tile;
