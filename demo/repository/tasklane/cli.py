"""`tasklane worker`, `tasklane dashboard`."""

import argparse
import importlib
import signal
import sys
from wsgiref.simple_server import make_server

from .errors import TasklaneError
from .http import make_dashboard


def load_app(target):
    """`package.module:name`."""
    module, _, name = target.partition(":")
    sys.path.insert(0, "")
    return getattr(importlib.import_module(module), name or "lane")


def build_parser():
    parser = argparse.ArgumentParser(prog="tasklane")
    parser.add_argument("--app", required=True, help="where the application is: package.module:name")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("worker", help="run jobs until interrupted")
    commands.add_parser("dashboard", help="serve the dashboard")
    return parser


def main(argv=None):
    options = build_parser().parse_args(argv)
    try:
        app = load_app(options.app)
        if options.command == "worker":
            worker = app.worker()
            signal.signal(signal.SIGTERM, lambda *_: worker.stop())
            worker.run()
        else:
            make_server("127.0.0.1", app.settings.dashboard_port, make_dashboard(app)).serve_forever()
    except TasklaneError as error:
        print(f"tasklane: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
