"""Digests of the bodies of functions, by which copies of what is evaluated on (vendored code) are left out of training."""

import hashlib

# What is compared of a function: the first lines of its body, without indentation, comments and empty lines, where
# they are so many characters.
LINES, CHARACTERS = 12, 100


def digest(body):
    """Of the lines after a function's header; None where they are too few to tell functions apart."""
    lines = [line.strip() for line in body]
    text = "\n".join([line for line in lines if line and not line.startswith("#")][:LINES])
    if len(text) < CHARACTERS:
        return None
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
