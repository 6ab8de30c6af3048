"""Which function answers which path."""

import re

from ..errors import HttpError


class Router:
    def __init__(self):
        self._routes = []

    def add(self, method, pattern):
        """Decorator: `/jobs/<id>` calls the function with `id`."""
        regex = re.compile("^" + re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", pattern) + "$")

        def register(function):
            self._routes.append((method, regex, function))
            return function

        return register

    def match(self, method, path):
        allowed = set()
        for route_method, regex, function in self._routes:
            found = regex.match(path)
            if found and route_method == method:
                return function, found.groupdict()
            if found:
                allowed.add(route_method)
        if allowed:
            raise HttpError(405, f"{path} answers {', '.join(sorted(allowed))} only")
        raise HttpError(404, f"nothing is at {path}")
