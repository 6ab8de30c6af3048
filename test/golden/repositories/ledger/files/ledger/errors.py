class LedgerError(Exception):
    """What a user can do something about."""


class JournalError(LedgerError):
    def __init__(self, line, problem):
        super().__init__(f"line {line}: {problem}")
        self.line = line


class Unbalanced(JournalError):
    def __init__(self, transaction, problem):
        super().__init__(transaction.line, f"{transaction.payee}: {problem}")
