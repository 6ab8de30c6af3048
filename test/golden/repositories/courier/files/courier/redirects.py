"""What happens to a request when the server answers with another address."""
from urllib.parse import urljoin, urlsplit

from .headers import Headers
from .request import Request

KEEP_METHOD = {307, 308}


def next_request(request, response):
    """The request that follows a redirect: a GET, unless the status says to keep the method."""
    url = urljoin(response.url, response.headers["Location"])
    headers = Headers(request.headers)
    if response.status in KEEP_METHOD:
        return Request(request.method, url, headers, request.body)
    headers.pop("Content-Length", None)
    headers.pop("Content-Type", None)
    return Request("GET", url, headers, b"")


def same_host(one, other):
    first, second = urlsplit(one), urlsplit(other)
    return first.hostname == second.hostname and first.port == second.port


def strip_secrets(request, came_from):
    """Credentials do not travel to another host."""
    if not same_host(request.url, came_from):
        request.headers.pop("Authorization", None)
    return request
