from .money import Amount


class Account:
    def __init__(self, name, parent=None):
        self.name = name
        self.parent = parent
        self.children = {}
        self.totals = {}

    def child(self, name):
        if name not in self.children:
            self.children[name] = Account(name, self)
        return self.children[name]

    def add(self, amount):
        zero = Amount(0, amount.commodity)
        self.totals[amount.commodity] = self.totals.get(amount.commodity, zero) + amount
        if self.parent:
            self.parent.add(amount)

    def full_name(self):
        if self.parent is None or self.parent.name == "":
            return self.name
        return f"{self.parent.full_name()}:{self.name}"

    def walk(self):
        yield self
        for name in sorted(self.children):
            yield from self.children[name].walk()


class Chart:
    """All accounts as a tree; `Assets:Bank` is a child of `Assets`."""

    def __init__(self):
        self.root = Account("")

    def account(self, path):
        node = self.root
        for part in path.split(":"):
            node = node.child(part)
        return node

    def post(self, transaction):
        for posting in transaction.postings:
            self.account(posting.account).add(posting.amount)
