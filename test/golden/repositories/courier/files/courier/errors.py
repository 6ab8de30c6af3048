class CourierError(Exception):
    """Anything that went wrong while talking to a server."""


class TimedOut(CourierError):
    def __init__(self, url, seconds):
        super().__init__(f"no answer from {url} within {seconds} seconds")
        self.url = url
        self.seconds = seconds


class RedirectLoop(CourierError):
    """A server sent us round in circles."""


class BadHeader(CourierError, ValueError):
    pass
