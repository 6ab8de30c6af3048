import http.client
import socket
from urllib.parse import urlsplit

from .errors import CourierError, TimedOut
from .headers import Headers
from .pool import ConnectionPool
from .request import Response


class Transport:
    def __init__(self, pool=None):
        self.pool = pool or ConnectionPool()

    def send(self, request, timeout):
        parts = urlsplit(request.url)
        connection = self.pool.take(parts.scheme, parts.hostname, parts.port, timeout)
        try:
            connection.request(request.method, request.target, request.body, dict(request.headers))
            answer = connection.getresponse()
            body = answer.read()
        except socket.timeout as error:
            connection.close()
            raise TimedOut(request.url, timeout) from error
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise CourierError(f"{request.url}: {error}") from error
        self.pool.give_back(connection)
        return Response(request.url, answer.status, Headers(dict(answer.getheaders())), body)

    def close(self):
        self.pool.clear()
