import pytest

from ledger.errors import Unbalanced
from ledger.journal import parse_journal

JOURNAL = """
2026-01-05 Baker
  Expenses:Food  3.20 EUR
  Assets:Cash
""".splitlines()


def test_missing_amount_is_filled_in():
    (transaction,) = parse_journal(JOURNAL)
    assert transaction.postings[1].amount.number == -transaction.postings[0].amount.number


def test_unbalanced():
    with pytest.raises(Unbalanced):
        list(parse_journal(["2026-01-05 X", "  A  1 EUR", "  B  1 EUR"]))
