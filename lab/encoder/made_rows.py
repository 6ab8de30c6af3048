"""Rows of vectors that a rule makes, so that no model file has to hold them: those of the buckets, which are random and
learn nothing. `src/engine/encode/made-rows.ts` makes the same."""

import numpy as np

# Numbers of a row that one hash decides about.
BITS = 32


def made_rows(count, dimensions):
    """int8 [count, dimensions], each 1 or -1: by the bits, lowest first, of a hash of its place.

    The hash is lowbias32 (Wellons, Prospecting for Hash Functions, 2018). dimensions: a multiple of 32.
    """
    blocks = dimensions // BITS
    x = np.arange(1, count * blocks + 1, dtype=np.uint32)
    x = (x ^ x >> 16) * np.uint32(0x7FEB352D)
    x = (x ^ x >> 15) * np.uint32(0x846CA68B)
    x ^= x >> 16
    bits = np.unpackbits(x.astype("<u4").view(np.uint8), bitorder="little")
    return (bits.astype(np.int8) * 2 - 1).reshape(count, dimensions)
