from collections.abc import MutableMapping

from .errors import BadHeader


class Headers(MutableMapping):
    """Header fields; names compare without regard to case, and keep the case they were set with."""

    def __init__(self, *sources):
        self._fields = {}
        for source in sources:
            self.update(source)

    def __getitem__(self, name):
        return self._fields[name.lower()][1]

    def __setitem__(self, name, value):
        check_value(name, value)
        self._fields[name.lower()] = (name, value)

    def __delitem__(self, name):
        del self._fields[name.lower()]

    def __iter__(self):
        return (name for name, _ in self._fields.values())

    def __len__(self):
        return len(self._fields)


def check_value(name, value):
    if "\n" in value or "\r" in value:
        raise BadHeader(f"line break in the value of {name}")


def default_headers():
    return Headers({"User-Agent": "courier/2.1", "Accept": "*/*"})
