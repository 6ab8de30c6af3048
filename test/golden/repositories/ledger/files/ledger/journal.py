import datetime

from .errors import JournalError, Unbalanced
from .money import parse_amount


class Posting:
    def __init__(self, account, amount=None, line=0):
        self.account = account
        self.amount = amount
        self.line = line


class Transaction:
    def __init__(self, date, payee, postings, line):
        self.date = date
        self.payee = payee
        self.postings = postings
        self.line = line

    def balance(self):
        """Fills in the one amount that may be left out, and checks that the rest adds up to nothing."""
        totals = {}
        missing = [posting for posting in self.postings if posting.amount is None]
        for posting in self.postings:
            if posting.amount is not None:
                known = totals.get(posting.amount.commodity)
                totals[posting.amount.commodity] = known + posting.amount if known else posting.amount
        if len(missing) > 1:
            raise Unbalanced(self, "more than one posting without an amount")
        if missing:
            (only,) = totals.values()
            missing[0].amount = -only
            return
        for total in totals.values():
            if not total.is_zero():
                raise Unbalanced(self, f"off by {total}")


def parse_journal(lines):
    """Transactions from the lines of a journal file."""
    current = None
    for number, line in enumerate(lines, 1):
        text = line.split(";")[0].rstrip()
        if not text:
            continue
        if text[0].isspace():
            if current is None:
                raise JournalError(number, "a posting without a transaction")
            current.postings.append(parse_posting(text, number))
        else:
            if current:
                yield finished(current)
            current = parse_header(text, number)
    if current:
        yield finished(current)


def finished(transaction):
    transaction.balance()
    return transaction


def parse_header(text, line):
    date, _, payee = text.partition(" ")
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise JournalError(line, f"{date!r} is no date") from None
    return Transaction(day, payee.strip(), [], line)


def parse_posting(text, line):
    account, _, amount = text.strip().partition("  ")
    return Posting(account, parse_amount(amount) if amount.strip() else None, line)
