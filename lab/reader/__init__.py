"""The match-aware reader: a model that reads a candidate together with the issue."""
