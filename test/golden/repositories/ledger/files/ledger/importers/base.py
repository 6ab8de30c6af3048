from ..journal import Posting, Transaction


class Importer:
    """Turns a bank's statement into transactions against an account."""

    account = "Assets:Bank"
    other = "Expenses:Unknown"

    def transactions(self, path):
        for row in self.rows(path):
            yield self.transaction(row)

    def transaction(self, row):
        date, payee, amount = row
        postings = [Posting(self.account, amount), Posting(self.other, -amount)]
        return Transaction(date, payee, postings, 0)

    def rows(self, path):
        raise NotImplementedError

    def without_duplicates(self, transactions, known):
        seen = {(t.date, t.payee, str(t.postings[0].amount)) for t in known}
        return [t for t in transactions if (t.date, t.payee, str(t.postings[0].amount)) not in seen]
