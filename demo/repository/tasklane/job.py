"""A job: one call of a task, waiting, running or done."""

import uuid
from dataclasses import dataclass, field

WAITING = "waiting"
RUNNING = "running"
DONE = "done"
FAILED = "failed"


@dataclass
class Job:
    task: str
    args: tuple = ()
    kwargs: dict = field(default_factory=dict)
    queue: str = "default"
    run_at: float = 0.0
    priority: int = 0
    attempts: int = 0
    state: str = WAITING
    error: str | None = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    def is_due(self, now):
        return self.state == WAITING and self.run_at <= now

    def start(self):
        self.state = RUNNING
        self.attempts += 1

    def finish(self):
        self.state = DONE
        self.error = None

    def postpone(self, run_at, error):
        """Back to the queue, to be tried again at `run_at`."""
        self.state = WAITING
        self.run_at = run_at
        self.error = error

    def fail(self, error):
        """No further attempt will be made."""
        self.state = FAILED
        self.error = error
