"""Time, in one place so that tests can stop it."""

import time
from datetime import datetime, timezone


class Clock:
    """The real one."""

    def now(self):
        """Seconds since the epoch, in UTC."""
        return time.time()

    def today(self):
        return datetime.fromtimestamp(self.now(), tz=timezone.utc)

    def sleep(self, seconds):
        if seconds > 0:
            time.sleep(seconds)


class FrozenClock(Clock):
    """One that moves only when told to."""

    def __init__(self, start=0.0):
        self._now = start

    def now(self):
        return self._now

    def sleep(self, seconds):
        self.advance(seconds)

    def advance(self, seconds):
        self._now += max(0.0, seconds)
