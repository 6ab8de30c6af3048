import random

import pytest

from tasklane.errors import ConfigError
from tasklane.retry import RetryPolicy, policy_from


def test_backoff_doubles():
    policy = RetryPolicy(base=2, jitter=0)
    assert [policy.backoff(n) for n in (1, 2, 3)] == [2, 4, 8]


def test_backoff_is_spread():
    policy = RetryPolicy(base=10, jitter=0.5)
    waits = {policy.backoff(1, random.Random(seed)) for seed in range(20)}
    assert len(waits) > 10
    assert all(10 <= wait <= 15 for wait in waits)


def test_policy_from_mapping():
    assert policy_from({"attempts": 3}).attempts == 3
    with pytest.raises(ConfigError):
        policy_from({"tries": 3})
