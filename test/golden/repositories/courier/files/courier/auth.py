import base64
import netrc
from urllib.parse import unquote, urlsplit


class BasicAuth:
    def __init__(self, user, password):
        self.user = user
        self.password = password

    def __call__(self, request):
        pair = f"{self.user}:{self.password}".encode("latin-1")
        request.headers["Authorization"] = "Basic " + base64.b64encode(pair).decode()
        return request


class BearerAuth:
    def __init__(self, token):
        self.token = token

    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {self.token}"
        return request


def auth_for(given, url):
    """What was given, or else what the address or the user's netrc file says."""
    if isinstance(given, tuple):
        return BasicAuth(*given)
    if given:
        return given
    parts = urlsplit(url)
    if parts.username:
        return BasicAuth(unquote(parts.username), unquote(parts.password or ""))
    return netrc_auth(parts.hostname)


def netrc_auth(host):
    try:
        found = netrc.netrc().authenticators(host)
    except (FileNotFoundError, netrc.NetrcParseError):
        return None
    return BasicAuth(found[0], found[2]) if found else None
