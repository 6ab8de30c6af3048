"""Pages that show queues, jobs and how failing jobs will be tried again."""

import html
import json

from ..errors import HttpError
from .cookies import SetCookie
from .request import Request
from .router import Router

PAGE = "<!doctype html><title>tasklane</title><table>{rows}</table>"
REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed"}


def make_dashboard(app):
    """A WSGI application."""
    router = Router()

    @router.add("GET", "/")
    def overview(request):
        limit = request.number("limit", 50)
        rows = "".join(render_job(job) for job in app.storage.recent(limit))
        return 200, "text/html", PAGE.format(rows=rows)

    @router.add("GET", "/counts")
    def counts(request):
        return 200, "application/json", json.dumps(app.storage.counts())

    @router.add("GET", "/tasks/<name>/retries")
    def retries(request, name):
        task = app.tasks.get(name)
        if task is None:
            raise HttpError(404, f"no task named {name}")
        return 200, "application/json", json.dumps(task.retry.schedule())

    def dashboard(environ, start_response):
        request = Request(environ)
        try:
            function, arguments = router.match(request.method, request.path)
            status, kind, body = function(request, **arguments)
        except HttpError as error:
            status, kind, body = error.status, "text/plain", str(error)
        headers = [("Content-Type", f"{kind}; charset=utf-8")]
        if "seen" not in request.cookies:
            headers.append(("Set-Cookie", SetCookie("seen", "1", max_age=86400).header()))
        start_response(f"{status} {REASONS[status]}", headers)
        return [body.encode()]

    return dashboard


def render_job(job):
    cells = (job.task, job.queue, job.state, job.attempts, job.error or "")
    return "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>"
