"""What can go wrong, as exceptions."""


class TasklaneError(Exception):
    """Base of all errors of this library."""


class ConfigError(TasklaneError):
    """A setting is missing or makes no sense."""


class UnknownTask(TasklaneError):
    """A job names a task that no worker has registered."""

    def __init__(self, name):
        super().__init__(f"no task named {name!r} is registered")
        self.name = name


class CronError(TasklaneError, ValueError):
    """A cron expression cannot be read."""


class HttpError(TasklaneError):
    """A request that is answered with an error status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
