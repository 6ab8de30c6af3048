"""An HTTP client for people who read their own logs."""
from .errors import CourierError, RedirectLoop, TimedOut
from .session import Session

__all__ = ["CourierError", "RedirectLoop", "Session", "TimedOut", "get", "post"]


def get(url, **options):
    with Session() as session:
        return session.request("GET", url, **options)


def post(url, **options):
    with Session() as session:
        return session.request("POST", url, **options)
