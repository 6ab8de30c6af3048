"""A request, from the WSGI environment."""

from functools import cached_property
from urllib.parse import parse_qs

from ..errors import HttpError
from .cookies import parse_cookies


class Request:
    def __init__(self, environ):
        self.environ = environ
        self.method = environ["REQUEST_METHOD"].upper()
        self.path = environ.get("PATH_INFO") or "/"

    @cached_property
    def query(self):
        return {name: values[-1] for name, values in parse_qs(self.environ.get("QUERY_STRING", "")).items()}

    @cached_property
    def cookies(self):
        return parse_cookies(self.environ.get("HTTP_COOKIE", ""))

    def number(self, name, default):
        """A query parameter that must be a positive number."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isdigit() or int(text) == 0:
            raise HttpError(400, f"{name} must be a positive number")
        return int(text)
