"""Double-entry bookkeeping in plain text."""
__version__ = "0.9"
