"""Stand-ins for the network."""


class FakeConnection:
    def __init__(self, answers):
        self.answers = list(answers)
        self.closed = False

    def request(self, method, path, body=None, headers=None):
        self.last = (method, path)

    def getresponse(self):
        return self.answers.pop(0)

    def close(self):
        self.closed = True


class FakeCollector:
    def __init__(self):
        self.timings = {}

    def push_timing(self, url, seconds):
        self.timings[url] = seconds
