"""Jobs in a dictionary: for tests, and for work that may be lost."""

import threading

from ..job import RUNNING


class MemoryStorage:
    def __init__(self):
        self._jobs = {}
        self._leases = {}
        self._lock = threading.Lock()

    def put(self, job):
        with self._lock:
            self._jobs[job.id] = job

    def take(self, queues, now, lease_seconds):
        """Claims the due job of highest priority, oldest first; None when nothing is due."""
        with self._lock:
            self._release_expired(now)
            due = [job for job in self._jobs.values() if job.queue in queues and job.is_due(now)]
            if not due:
                return None
            job = min(due, key=lambda job: (-job.priority, job.run_at))
            job.start()
            self._leases[job.id] = now + lease_seconds
            return job

    def save(self, job):
        with self._lock:
            self._jobs[job.id] = job
            if job.state != RUNNING:
                self._leases.pop(job.id, None)

    def _release_expired(self, now):
        for job_id, until in list(self._leases.items()):
            if until <= now:
                del self._leases[job_id]
                job = self._jobs[job_id]
                job.postpone(now, "the worker went away")

    def counts(self):
        totals = {}
        with self._lock:
            for job in self._jobs.values():
                totals[job.state] = totals.get(job.state, 0) + 1
        return totals

    def recent(self, limit=50):
        with self._lock:
            return sorted(self._jobs.values(), key=lambda job: job.run_at, reverse=True)[:limit]
