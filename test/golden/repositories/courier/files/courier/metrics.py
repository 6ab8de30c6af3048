import contextlib
import time


class Metrics:
    """Tells a collector how long requests take."""

    def __init__(self, collector):
        self.collector = collector

    @contextlib.contextmanager
    def timed(self, request):
        begun = time.monotonic()
        try:
            yield request
        finally:
            self.collector.push_timing(request.url, time.monotonic() - begun)
