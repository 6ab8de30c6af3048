"""A small queue for background work."""

from .app import Tasklane
from .errors import TasklaneError
from .retry import RetryPolicy

__all__ = ["RetryPolicy", "Tasklane", "TasklaneError"]
__version__ = "0.4.1"
