use super::{Codec, Raw};
use crate::error::Result;

/// Pairs of a count and a byte.
pub struct RunLength {
    longest: u8,
}

impl RunLength {
    pub fn with_longest(longest: u8) -> Self {
        Self { longest }
    }

    fn runs<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = (u8, u8)> + 'a {
        let mut rest = bytes;
        std::iter::from_fn(move || {
            let first = *rest.first()?;
            let count = rest.iter().take_while(|byte| **byte == first).take(self.longest.into()).count();
            rest = &rest[count..];
            Some((count as u8, first))
        })
    }
}

impl Default for RunLength {
    fn default() -> Self {
        Self::with_longest(u8::MAX)
    }
}

impl Codec for RunLength {
    const CODE: u8 = 1;

    fn pack(&self, bytes: &[u8]) -> Vec<u8> {
        self.runs(bytes).flat_map(|(count, byte)| [count, byte]).collect()
    }

    fn unpack(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        if bytes.len() == 1 {
            return Raw.unpack(bytes);
        }
        Ok(bytes.chunks(2).flat_map(|pair| vec![pair[1]; pair[0].into()]).collect())
    }
}
