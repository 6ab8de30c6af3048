from .auth import auth_for
from .cookies import CookieJar
from .errors import RedirectLoop
from .headers import Headers, default_headers
from .redirects import next_request, strip_secrets
from .request import Request
from .retry import RetryPolicy
from .transport import Transport

MAX_REDIRECTS = 20


class Session:
    """Keeps cookies, headers and connections between requests."""

    def __init__(self, transport=None, retry=None, max_redirects=MAX_REDIRECTS):
        self.headers = default_headers()
        self.cookies = CookieJar()
        self.transport = transport or Transport()
        self.retry = retry or RetryPolicy()
        self.max_redirects = max_redirects
        self.auth = None

    def request(self, method, url, headers=None, body=b"", auth=None, timeout=10):
        request = Request(method, url, Headers(self.headers, headers or {}), body)
        request = self.prepare(request, auth)
        response = self.send(request, timeout)
        hops = 0
        while response.is_redirect:
            hops += 1
            if hops > self.max_redirects:
                raise RedirectLoop(f"more than {self.max_redirects} redirects from {url}")
            request = next_request(request, response)
            request = strip_secrets(request, response.url)
            response = self.send(request, timeout)
        return response

    def prepare(self, request, auth=None):
        """Adds cookies and credentials to a request."""
        cookie = self.cookies.header_for(request.url)
        if cookie:
            request.headers["Cookie"] = cookie
        handler = auth_for(auth or self.auth, request.url)
        return handler(request) if handler else request

    def send(self, request, timeout):
        response = self.retry.run(lambda: self.transport.send(request, timeout))
        self.cookies.store(response)
        return response

    def close(self):
        self.transport.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
