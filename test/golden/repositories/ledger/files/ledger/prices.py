import bisect

from .errors import LedgerError
from .money import Amount


class PriceBook:
    """What one unit of a commodity cost in another, by day."""

    def __init__(self):
        self._prices = {}

    def add(self, date, commodity, price):
        days = self._prices.setdefault((commodity, price.commodity), [])
        bisect.insort(days, (date, price.number))

    def rate(self, commodity, into, date):
        days = self._prices.get((commodity, into), [])
        at = bisect.bisect_right(days, (date, float("inf"))) - 1
        if at < 0:
            raise LedgerError(f"no price of {commodity} in {into} on {date}")
        return days[at][1]

    def convert(self, amount, into, date):
        if amount.commodity == into:
            return amount
        return Amount(amount.number * self.rate(amount.commodity, into, date), into)
