from datetime import datetime

import pytest

from tasklane.cron import CronExpression, parse_field
from tasklane.errors import CronError


def test_fields():
    assert parse_field("minute", "*/15") == {0, 15, 30, 45}
    assert parse_field("weekday", "mon-fri") == {1, 2, 3, 4, 5}


def test_bad_fields():
    for text in ("61", "5-1", "*/0", "x"):
        with pytest.raises(CronError):
            parse_field("minute", text)


def test_next_after():
    expression = CronExpression.parse("30 6 * * mon")
    assert expression.next_after(datetime(2024, 5, 1, 12, 0)) == datetime(2024, 5, 6, 6, 30)
