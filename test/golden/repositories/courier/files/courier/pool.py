import http.client

PER_HOST = 4


class ConnectionPool:
    """Open connections by host, the latest used first."""

    def __init__(self, per_host=PER_HOST):
        self.per_host = per_host
        self._idle = {}

    def take(self, scheme, host, port, timeout):
        key = (scheme, host, port)
        idle = self._idle.get(key, [])
        if idle:
            connection = idle.pop()
            connection.timeout = timeout
            return connection
        return self.connect(key, timeout)

    def connect(self, key, timeout):
        scheme, host, port = key
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        connection = kind(host, port, timeout=timeout)
        connection.pool_key = key
        return connection

    def give_back(self, connection):
        idle = self._idle.setdefault(connection.pool_key, [])
        if len(idle) < self.per_host:
            idle.append(connection)
        else:
            connection.close()

    def clear(self):
        for idle in self._idle.values():
            for connection in idle:
                connection.close()
        self._idle = {}
