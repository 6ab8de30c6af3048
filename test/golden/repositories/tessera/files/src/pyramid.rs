use crate::{tile, Archive, Result, TileId};
use crate::codec::Codec;

/// What covers an area at a zoom level.
pub struct Area {
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
}

/// The tile that has a point, in Web Mercator.
pub fn tile_at(zoom: u8, longitude: f64, latitude: f64) -> TileId {
    let count = f64::from(1u32 << zoom);
    let x = (longitude + 180.0) / 360.0 * count;
    let radians = latitude.to_radians();
    let y = (1.0 - radians.tan().asinh() / std::f64::consts::PI) / 2.0 * count;
    tile!(zoom, x as u32, y as u32)
}

impl Area {
    pub fn tiles(&self, zoom: u8) -> Vec<TileId> {
        let TileId { x: left, y: bottom, .. } = tile_at(zoom, self.west, self.south);
        let TileId { x: right, y: top, .. } = tile_at(zoom, self.east, self.north);
        (left..=right).flat_map(|x| (top..=bottom).map(move |y| tile!(zoom, x, y))).collect()
    }
}

/// Looks a tile up, or the nearest one above it.
pub fn nearest<C: Codec>(archive: &Archive<C>, id: TileId) -> Result<Option<(TileId, Vec<u8>)>> {
    let mut at = Some(id);
    while let Some(current) = at {
        if let Some(bytes) = archive.get(current)? {
            return Ok(Some((current, bytes)));
        }
        at = current.parent();
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Raw;
    use crate::Builder;

    #[test]
    fn falls_back_to_the_parent() {
        let archive = Builder::new(Raw).push(TileId::ROOT, b"root").finish();
        let (found, _) = nearest(&archive, tile!(3, 5, 2)).unwrap().unwrap();
        assert_eq!(found, TileId::ROOT);
    }
}
