import random
import time

from .errors import TimedOut

RETRIED = {429, 502, 503, 504}


class RetryPolicy:
    """Tries again after timeouts and busy servers, waiting longer each time."""

    def __init__(self, attempts=3, base=0.5, limit=30, sleep=time.sleep):
        self.attempts = attempts
        self.base = base
        self.limit = limit
        self.sleep = sleep

    def delay(self, attempt):
        return min(self.limit, self.base * 2**attempt) * (0.5 + random.random() / 2)

    def wait_for(self, response, attempt):
        """Seconds until the next attempt; the server's Retry-After goes before our own idea."""
        after = response.headers.get("Retry-After")
        return int(after) if after else self.delay(attempt)

    def run(self, send):
        for attempt in range(self.attempts):
            last = attempt == self.attempts - 1
            try:
                response = send()
            except TimedOut:
                if last:
                    raise
                self.sleep(self.delay(attempt))
                continue
            if response.status not in RETRIED or last:
                return response
            self.sleep(self.wait_for(response, attempt))
