"""Takes jobs from the queue and runs them."""

import logging
import threading
import traceback

from .errors import UnknownTask

log = logging.getLogger(__name__)


class Worker:
    def __init__(self, app):
        self.app = app
        self.stopping = threading.Event()

    def run(self):
        """Works until `stop` is called, in as many threads as the settings say."""
        threads = [
            threading.Thread(target=self._loop, name=f"tasklane-{number}", daemon=True)
            for number in range(self.app.settings.concurrency)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def stop(self):
        self.stopping.set()

    def _loop(self):
        while not self.stopping.is_set():
            self.app.scheduler.tick()
            if not self.run_one():
                self.stopping.wait(self.app.settings.poll_interval)

    def run_one(self):
        """Runs one due job, if there is one; returns it."""
        settings = self.app.settings
        job = self.app.storage.take(settings.queues, self.app.clock.now(), settings.lease_seconds)
        if job is None:
            return None
        try:
            self.execute(job)
        except Exception:
            self.handle_failure(job, traceback.format_exc())
        else:
            job.finish()
        self.app.storage.save(job)
        return job

    def execute(self, job):
        task = self.app.tasks.get(job.task)
        if task is None:
            raise UnknownTask(job.task)
        return task.function(*job.args, **job.kwargs)

    def handle_failure(self, job, error):
        """Puts a failed job back to be tried later, or gives it up."""
        task = self.app.tasks.get(job.task)
        if task is None or not task.retry.allows(job.attempts):
            log.error("job %s (%s) failed for good after %d attempts", job.id, job.task, job.attempts)
            job.fail(error)
            return
        wait = task.retry.backoff(job.attempts)
        log.warning("job %s (%s) failed, attempt %d follows in %.0f s", job.id, job.task, job.attempts + 1, wait)
        job.postpone(self.app.clock.now() + wait, error)
