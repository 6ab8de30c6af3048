from courier.retry import RetryPolicy


def test_delay_is_limited():
    assert RetryPolicy(base=1, limit=10).delay(20) <= 10
