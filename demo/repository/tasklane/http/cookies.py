"""Cookies, as RFC 6265 has them."""

from dataclasses import dataclass


def parse_cookies(header):
    """Names and values of a `Cookie` header; of a name given twice the first counts."""
    cookies = {}
    for part in header.split(";"):
        name, found, value = part.strip().partition("=")
        if found and name and name not in cookies:
            cookies[name] = unquote(value.strip())
    return cookies


def unquote(value):
    if len(value) >= 2 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return value


@dataclass
class SetCookie:
    name: str
    value: str
    max_age: int | None = None
    path: str = "/"
    http_only: bool = True

    def header(self):
        parts = [f"{self.name}={self.value}", f"Path={self.path}"]
        if self.max_age is not None:
            parts.append(f"Max-Age={self.max_age}")
        if self.http_only:
            parts.append("HttpOnly")
        return "; ".join(parts)
