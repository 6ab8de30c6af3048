"""The transformer encoder: python3 training/encoder/transformer --help."""
