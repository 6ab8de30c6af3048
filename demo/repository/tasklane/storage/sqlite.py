"""Jobs in an SQLite database, shared by any number of workers on one machine."""

import sqlite3
from contextlib import contextmanager

from .. import serialize
from ..job import RUNNING, WAITING, Job

SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, task TEXT NOT NULL, payload TEXT NOT NULL, queue TEXT NOT NULL,
    run_at REAL NOT NULL, priority INTEGER NOT NULL, attempts INTEGER NOT NULL,
    state TEXT NOT NULL, error TEXT, lease_until REAL
);
CREATE INDEX IF NOT EXISTS due ON jobs (state, queue, run_at);
"""

COLUMNS = "id, task, payload, queue, run_at, priority, attempts, state, error"


class SqliteStorage:
    def __init__(self, path):
        self.path = path
        with self._connect() as connection:
            connection.executescript(SCHEMA)

    @contextmanager
    def _connect(self):
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()

    def put(self, job):
        self.save(job)

    def take(self, queues, now, lease_seconds):
        """Claims the due job of highest priority, oldest first; None when nothing is due."""
        marks = ", ".join("?" for _ in queues)
        with self._connect() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "UPDATE jobs SET state = ?, error = 'the worker went away' WHERE state = ? AND lease_until <= ?",
                (WAITING, RUNNING, now),
            )
            row = connection.execute(
                f"SELECT {COLUMNS} FROM jobs WHERE state = ? AND queue IN ({marks}) AND run_at <= ?"
                " ORDER BY priority DESC, run_at LIMIT 1",
                (WAITING, *queues, now),
            ).fetchone()
            job = row and _job_from(row)
            if job:
                job.start()
                connection.execute(
                    "UPDATE jobs SET state = ?, attempts = ?, lease_until = ? WHERE id = ?",
                    (job.state, job.attempts, now + lease_seconds, job.id),
                )
            connection.execute("COMMIT")
            return job

    def save(self, job):
        payload = serialize.dumps(job.args, job.kwargs)
        with self._connect() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO jobs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (job.id, job.task, payload, job.queue, job.run_at, job.priority, job.attempts, job.state, job.error),
            )

    def counts(self):
        with self._connect() as connection:
            return dict(connection.execute("SELECT state, count(*) FROM jobs GROUP BY state"))

    def recent(self, limit=50):
        with self._connect() as connection:
            rows = connection.execute(f"SELECT {COLUMNS} FROM jobs ORDER BY run_at DESC LIMIT ?", (limit,))
            return [_job_from(row) for row in rows]


def _job_from(row):
    id_, task, payload, queue, run_at, priority, attempts, state, error = row
    args, kwargs = serialize.loads(payload)
    return Job(task, args, kwargs, queue, run_at, priority, attempts, state, error, id_)
