use std::collections::BTreeMap;
use std::io::{Read, Write};

use crate::codec::{checksum, Codec, RunLength};
use crate::{Error, Result, TileId};

const MAGIC: &[u8; 4] = b"TSR1";

struct Entry {
    packed: Vec<u8>,
    sum: u32,
}

/// Tiles by their ids, packed.
pub struct Archive<C: Codec = RunLength> {
    entries: BTreeMap<TileId, Entry>,
    codec: C,
}

impl<C: Codec> Archive<C> {
    pub fn open<R: Read>(mut source: R, codec: C) -> Result<Self> {
        let mut magic = [0; 4];
        source.read_exact(&mut magic)?;
        if &magic != MAGIC {
            return Err(Error::BadMagic(magic));
        }
        let mut builder = Builder::new(codec);
        while let Some((id, packed)) = read_entry(&mut source)? {
            builder.push_packed(id, packed);
        }
        Ok(builder.finish())
    }

    /// A tile's bytes; none where it is missing.
    pub fn get(&self, id: TileId) -> Result<Option<Vec<u8>>> {
        let Some(entry) = self.entries.get(&id) else {
            return Ok(None);
        };
        let bytes = self.codec.unpack(&entry.packed)?;
        verify(id, entry, &bytes)?;
        Ok(Some(bytes))
    }

    pub fn ids(&self) -> impl Iterator<Item = &TileId> {
        self.entries.keys()
    }

    pub fn write<W: Write>(&self, mut target: W) -> Result<()> {
        target.write_all(MAGIC)?;
        for (id, entry) in &self.entries {
            target.write_all(&[id.zoom])?;
            target.write_all(&id.x.to_le_bytes())?;
            target.write_all(&id.y.to_le_bytes())?;
            target.write_all(&(entry.packed.len() as u16).to_le_bytes())?;
            target.write_all(&entry.packed)?;
        }
        Ok(())
    }
}

fn read_entry(source: &mut impl Read) -> Result<Option<(TileId, Vec<u8>)>> {
    let mut head = [0; 11];
    if source.read(&mut head)? == 0 {
        return Ok(None);
    }
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let mut packed = vec![0; usize::from(u16::from_le_bytes([head[9], head[10]]))];
    source.read_exact(&mut packed)?;
    Ok(Some((TileId::new(head[0], word(1), word(5)), packed)))
}

#[cfg(feature = "checksum")]
fn verify(id: TileId, entry: &Entry, bytes: &[u8]) -> Result<()> {
    let found = checksum(bytes);
    if entry.sum != found {
        return Err(Error::Corrupt { id, expected: entry.sum, found });
    }
    Ok(())
}

#[cfg(not(feature = "checksum"))]
fn verify(_: TileId, _: &Entry, _: &[u8]) -> Result<()> {
    Ok(())
}

/// Collects tiles for an archive.
pub struct Builder<C: Codec> {
    entries: BTreeMap<TileId, Entry>,
    codec: C,
}

impl<C: Codec> Builder<C> {
    pub fn new(codec: C) -> Self {
        Self { entries: BTreeMap::new(), codec }
    }

    pub fn push(mut self, id: TileId, bytes: &[u8]) -> Self {
        let entry = Entry { packed: self.codec.pack(bytes), sum: checksum(bytes) };
        self.entries.insert(id, entry);
        self
    }

    fn push_packed(&mut self, id: TileId, packed: Vec<u8>) {
        let sum = self.codec.unpack(&packed).map(|bytes| checksum(&bytes)).unwrap_or(0);
        self.entries.insert(id, Entry { packed, sum });
    }

    pub fn finish(self) -> Archive<C> {
        Archive { entries: self.entries, codec: self.codec }
    }
}
