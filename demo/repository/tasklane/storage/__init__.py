"""Where jobs are kept."""

from .memory import MemoryStorage
from .sqlite import SqliteStorage


def open_storage(url):
    """`:memory:` for tests, anything else is the path of an SQLite database."""
    return MemoryStorage() if url == ":memory:" else SqliteStorage(url)


__all__ = ["MemoryStorage", "SqliteStorage", "open_storage"]
