"""Puts periodic jobs into the queue when their time comes."""

import logging
from dataclasses import dataclass

from .clock import Clock
from .cron import CronExpression

log = logging.getLogger(__name__)


@dataclass
class Entry:
    task: object
    expression: CronExpression
    due: object


class Scheduler:
    def __init__(self, clock=None):
        self.clock = clock or Clock()
        self.entries = []

    def add(self, task, cron):
        """Runs a task at the times a cron expression names."""
        expression = CronExpression.parse(cron)
        entry = Entry(task, expression, expression.next_after(self.clock.today()))
        self.entries.append(entry)
        return entry

    def tick(self):
        """Enqueues what is due; returns how many jobs that were."""
        now = self.clock.today()
        started = 0
        for entry in self.entries:
            if entry.due > now:
                continue
            entry.task.enqueue()
            entry.due = entry.expression.next_after(now)
            log.info("periodic %s enqueued, next at %s", entry.task.name, entry.due)
            started += 1
        return started

    def seconds_until_next(self):
        if not self.entries:
            return None
        earliest = min(entry.due for entry in self.entries)
        return max(0.0, (earliest - self.clock.today()).total_seconds())
