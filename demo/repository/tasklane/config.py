"""Settings, from a TOML file and the environment."""

import os
import tomllib
from dataclasses import dataclass, field

from .errors import ConfigError

ENV_PREFIX = "TASKLANE_"


@dataclass
class Settings:
    database: str = "tasklane.db"
    queues: list[str] = field(default_factory=lambda: ["default"])
    concurrency: int = 4
    poll_interval: float = 0.5
    lease_seconds: float = 300.0
    dashboard_port: int = 8808

    def validate(self):
        if self.concurrency < 1:
            raise ConfigError("concurrency must be at least 1")
        if self.poll_interval <= 0:
            raise ConfigError("poll_interval must be positive")
        if not self.queues:
            raise ConfigError("at least one queue is needed")
        return self


def load_settings(path, environ=os.environ):
    """Reads a TOML file; variables such as TASKLANE_CONCURRENCY win over it."""
    with open(path, "rb") as file:
        values = tomllib.load(file).get("tasklane", {})
    for name in Settings.__dataclass_fields__:
        text = environ.get(ENV_PREFIX + name.upper())
        if text is not None:
            values[name] = _convert(name, text)
    unknown = set(values) - set(Settings.__dataclass_fields__)
    if unknown:
        raise ConfigError(f"unknown settings: {', '.join(sorted(unknown))}")
    return Settings(**values).validate()


def _convert(name, text):
    kind = Settings.__dataclass_fields__[name].type
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            raise ConfigError(f"{ENV_PREFIX}{name.upper()} must be a number, not {text!r}") from None
    if name == "queues":
        return [part.strip() for part in text.split(",") if part.strip()]
    return text
