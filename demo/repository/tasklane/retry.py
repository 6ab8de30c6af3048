"""When a failed job is tried again."""

import random
from dataclasses import dataclass

from .errors import ConfigError


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential backoff: the wait doubles with every attempt, up to a limit, and is spread at random."""

    attempts: int = 5
    base: float = 1.0
    factor: float = 2.0
    max_delay: float = 300.0
    jitter: float = 0.1

    def __post_init__(self):
        if self.attempts < 1:
            raise ConfigError("a job needs at least one attempt")
        if not 0 <= self.jitter <= 1:
            raise ConfigError("jitter is a fraction from 0 to 1")

    def allows(self, attempt):
        """Whether another attempt may follow this one (the first is 1)."""
        return attempt < self.attempts

    def backoff(self, attempt, rng=random):
        """Seconds to wait after this attempt failed."""
        seconds = min(self.base * self.factor ** (attempt - 1), self.max_delay)
        return seconds * (1 + rng.uniform(0, self.jitter))

    def schedule(self, rng=random):
        """All the waits of a job that never succeeds, for the dashboard."""
        return [self.backoff(attempt, rng) for attempt in range(1, self.attempts)]


def policy_from(value):
    """A policy, from one, from a mapping of its fields, from a number of attempts, or from nothing."""
    if value is None:
        return RetryPolicy()
    if isinstance(value, RetryPolicy):
        return value
    if isinstance(value, int):
        return RetryPolicy(attempts=value)
    try:
        return RetryPolicy(**value)
    except TypeError as error:
        raise ConfigError(f"bad retry settings: {error}") from None
