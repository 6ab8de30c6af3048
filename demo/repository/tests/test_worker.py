from tasklane import Tasklane
from tasklane.clock import FrozenClock
from tasklane.config import Settings


def make_app():
    return Tasklane(Settings(database=":memory:"), FrozenClock(1000))


def test_a_job_is_run():
    app = make_app()
    seen = []
    app.task(seen.append).enqueue(7)
    assert app.worker().run_one().state == "done"
    assert seen == [7]


def test_a_failed_job_waits():
    app = make_app()

    @app.task(retry={"attempts": 2, "base": 30, "jitter": 0})
    def explode():
        raise RuntimeError("no")

    explode.enqueue()
    worker = app.worker()
    assert worker.run_one().state == "waiting"
    assert worker.run_one() is None
    app.clock.advance(30)
    assert worker.run_one().state == "failed"
