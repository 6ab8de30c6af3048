import time
from urllib.parse import urlsplit


class Cookie:
    def __init__(self, name, value, domain, path="/", expires=None, secure=False):
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expires = expires
        self.secure = secure

    def is_expired(self, now=None):
        return self.expires is not None and self.expires <= (now or time.time())

    def matches(self, url):
        parts = urlsplit(url)
        if self.secure and parts.scheme != "https":
            return False
        host = parts.hostname or ""
        on_domain = host == self.domain or host.endswith("." + self.domain)
        return on_domain and parts.path.startswith(self.path)


def parse_set_cookie(text, host):
    """One cookie of a Set-Cookie header."""
    pair, *attributes = text.split(";")
    name, _, value = pair.strip().partition("=")
    cookie = Cookie(name, value.strip('"'), host)
    for attribute in attributes:
        key, _, argument = attribute.strip().partition("=")
        if key.lower() == "domain":
            cookie.domain = argument.lstrip(".").lower()
        elif key.lower() == "path":
            cookie.path = argument or "/"
        elif key.lower() == "max-age":
            cookie.expires = time.time() + int(argument)
        elif key.lower() == "secure":
            cookie.secure = True
    return cookie


class CookieJar:
    def __init__(self):
        self._cookies = {}

    def store(self, response):
        text = response.headers.get("Set-Cookie")
        if text:
            cookie = parse_set_cookie(text, urlsplit(response.url).hostname)
            self._cookies[cookie.domain, cookie.path, cookie.name] = cookie

    def header_for(self, url):
        found = [c for c in self._cookies.values() if c.matches(url) and not c.is_expired()]
        return "; ".join(f"{c.name}={c.value}" for c in found)

    def clear_expired(self):
        for key, cookie in list(self._cookies.items()):
            if cookie.is_expired():
                del self._cookies[key]
