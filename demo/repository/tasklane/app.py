"""The application: its tasks, its storage, its schedule."""

from .clock import Clock
from .config import Settings, load_settings
from .job import Job
from .retry import policy_from
from .scheduler import Scheduler
from .storage import open_storage
from .worker import Worker


class Task:
    """A function that can be run later."""

    def __init__(self, app, function, queue, priority, retry):
        self.app = app
        self.function = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.queue = queue
        self.priority = priority
        self.retry = policy_from(retry)

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def enqueue(self, *args, **kwargs):
        return self.enqueue_in(0, *args, **kwargs)

    def enqueue_in(self, delay, /, *args, **kwargs):
        """Runs the task in `delay` seconds."""
        run_at = self.app.clock.now() + delay
        job = Job(self.name, args, kwargs, queue=self.queue, run_at=run_at, priority=self.priority)
        self.app.storage.put(job)
        return job


class Tasklane:
    def __init__(self, settings=None, clock=None):
        self.settings = settings or Settings()
        self.clock = clock or Clock()
        self.storage = open_storage(self.settings.database)
        self.scheduler = Scheduler(self.clock)
        self.tasks = {}

    @classmethod
    def from_file(cls, path):
        return cls(load_settings(path))

    def task(self, function=None, *, queue="default", priority=0, retry=None, cron=None):
        """Registers a function as a task; with `cron`, runs it at those times."""

        def register(function):
            task = Task(self, function, queue, priority, retry)
            self.tasks[task.name] = task
            if cron:
                self.scheduler.add(task, cron)
            return task

        return register(function) if function else register

    def worker(self):
        return Worker(self)
