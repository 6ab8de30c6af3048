"""Reports of a run, written after every phase, so that a stopped run has one too."""

import contextlib
import json
import os
import platform
import signal
import time
import traceback


class Report:
    """Values by phase, in report.json, and readable in report.md. A phase that fails or exceeds its time does not stop the others."""

    def __init__(self, folder, name):
        self.folder, self.name, self.started = folder, name, time.time()
        os.makedirs(folder, exist_ok=True)
        self.phases = {}
        self.add("machine", {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()})

    @contextlib.contextmanager
    def phase(self, name, seconds):
        """Times a phase. Yields a dict for its values. After `seconds`, the phase ends with TimeoutError."""
        values, since = {}, time.time()
        self.phases[name] = values
        previous = signal.signal(signal.SIGALRM, end_phase)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield values
        except (Exception, SystemExit) as error:
            values["failed"] = f"{type(error).__name__}: {error}"[:2000]
            values["where"] = traceback.format_exc()[-1500:]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
            self.add(name, {"seconds": round(time.time() - since, 1), **values})

    def failed(self, name):
        """Returns true if a phase failed or did not run."""
        return "failed" in self.phases.get(name, {"failed": "did not run"})

    def add(self, name, values):
        self.phases[name] = values
        print(name, json.dumps(values), flush=True)
        self.write()

    def write(self):
        made = {"name": self.name, "seconds": round(time.time() - self.started, 1), "phases": self.phases}
        with open(os.path.join(self.folder, f"{self.name}.json"), "w") as stream:
            json.dump(made, stream, indent=1)
        lines = [f"# {self.name}: {made['seconds']} s", ""]
        for name, values in self.phases.items():
            lines += [f"## {name}", "", *lines_of(values), ""]
        with open(os.path.join(self.folder, f"{self.name}.md"), "w") as stream:
            stream.write("\n".join(lines))


def end_phase(*_):
    raise TimeoutError("the time of this phase is over")


def lines_of(values):
    """Returns Markdown lines of the values: a table for each dict of dicts with the same keys, an item for everything else."""
    lines = []
    for name, value in values.items():
        rows = value if isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()) else None
        if rows is None:
            lines.append(f"- {name}: {value}")
            continue
        columns = list(dict.fromkeys(column for row in rows.values() for column in row))
        lines += ["", f"| {name} | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
        lines += [f"| {of} | " + " | ".join(cell(row.get(column, "")) for column in columns) + " |" for of, row in rows.items()]
        lines.append("")
    return lines


def cell(value):
    return str(value).replace("|", "\\|").replace("\n", " ")
