"""The dashboard: a small WSGI application over the storage."""

from .dashboard import make_dashboard

__all__ = ["make_dashboard"]
