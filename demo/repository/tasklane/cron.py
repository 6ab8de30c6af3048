"""Cron expressions: `minute hour day month weekday`."""

from dataclasses import dataclass
from datetime import timedelta

from .errors import CronError

RANGES = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 6)}
WEEKDAYS = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}


def parse_field(name, text):
    """The set of numbers that one field allows: `*`, `*/15`, `1-5`, `0,30`, `mon-fri`."""
    low, high = RANGES[name]
    allowed = set()
    for part in text.lower().split(","):
        span, _, step = part.partition("/")
        first, last = _span(name, span, low, high)
        if step and (not step.isdigit() or int(step) == 0):
            raise CronError(f"{name}: bad step in {part!r}")
        allowed.update(range(first, last + 1, int(step or 1)))
    return frozenset(allowed)


def _span(name, text, low, high):
    if text == "*":
        return low, high
    start, dash, end = text.partition("-")
    first = _number(name, start)
    last = _number(name, end) if dash else first
    if not low <= first <= last <= high:
        raise CronError(f"{name}: {text!r} is not within {low}-{high}")
    return first, last


def _number(name, text):
    if name == "weekday" and text in WEEKDAYS:
        return WEEKDAYS[text]
    if not text.isdigit():
        raise CronError(f"{name}: {text!r} is not a number")
    return int(text)


@dataclass(frozen=True)
class CronExpression:
    minute: frozenset
    hour: frozenset
    day: frozenset
    month: frozenset
    weekday: frozenset

    @classmethod
    def parse(cls, text):
        fields = text.split()
        if len(fields) != len(RANGES):
            raise CronError(f"{text!r} has {len(fields)} fields, not {len(RANGES)}")
        return cls(*(parse_field(name, field) for name, field in zip(RANGES, fields)))

    def matches(self, moment):
        return (
            moment.minute in self.minute
            and moment.hour in self.hour
            and moment.day in self.day
            and moment.month in self.month
            and moment.isoweekday() % 7 in self.weekday
        )

    def next_after(self, moment):
        """The first matching minute after `moment`, within four years."""
        candidate = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        limit = candidate + timedelta(days=4 * 366)
        while candidate < limit:
            if candidate.month not in self.month or candidate.day not in self.day:
                candidate = candidate.replace(hour=0, minute=0) + timedelta(days=1)
            elif self.matches(candidate):
                return candidate
            else:
                candidate += timedelta(minutes=1)
        raise CronError("this expression never matches")
