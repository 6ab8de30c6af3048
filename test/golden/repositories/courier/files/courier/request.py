from urllib.parse import urlsplit

from .errors import CourierError


class Request:
    def __init__(self, method, url, headers, body=b""):
        self.method = method.upper()
        self.url = self.check_url(url)
        self.headers = headers
        self.body = body
        if body:
            headers.setdefault("Content-Length", str(len(body)))

    @staticmethod
    def check_url(url):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            raise CourierError(f"cannot fetch {url}: unknown scheme {parts.scheme!r}")
        if not parts.hostname:
            raise CourierError(f"cannot fetch {url}: no host")
        return url

    @property
    def target(self):
        parts = urlsplit(self.url)
        path = parts.path or "/"
        return f"{path}?{parts.query}" if parts.query else path


class Response:
    def __init__(self, url, status, headers, body):
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def is_redirect(self):
        return self.status in (301, 302, 303, 307, 308) and "Location" in self.headers

    @property
    def encoding(self):
        content_type = self.headers.get("Content-Type", "")
        _, _, charset = content_type.partition("charset=")
        return charset.strip('"') or "utf-8"

    def text(self):
        return self.body.decode(self.encoding)

    def json(self):
        import json

        return json.loads(self.text())
