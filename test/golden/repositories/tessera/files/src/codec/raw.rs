use super::Codec;
use crate::Result;

/// As they are.
#[derive(Default)]
pub struct Raw;

impl Codec for Raw {
    const CODE: u8 = 0;

    fn pack(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        Ok(bytes.to_vec())
    }
}
