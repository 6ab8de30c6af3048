//! How tiles are packed.

mod raw;
mod run_length;

pub use raw::Raw;
pub use run_length::RunLength;

use crate::Result;

/// Packs and unpacks bytes.
pub trait Codec {
    const CODE: u8;

    fn pack(&self, bytes: &[u8]) -> Vec<u8>;

    fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>>;

    fn ratio(&self, bytes: &[u8]) -> f64 {
        self.pack(bytes).len() as f64 / bytes.len() as f64
    }
}

/// FNV-1a of 32 bits.
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
