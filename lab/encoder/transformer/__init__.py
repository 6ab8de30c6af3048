"""The transformer encoder: python3 lab/encoder/transformer --help."""
