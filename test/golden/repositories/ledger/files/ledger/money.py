from decimal import ROUND_HALF_EVEN, Decimal

PLACES = {"JPY": 0, "EUR": 2, "USD": 2, "BTC": 8}


class Amount:
    """A number of some commodity. Amounts of different commodities do not add up."""

    __slots__ = ("number", "commodity")

    def __init__(self, number, commodity):
        self.number = Decimal(number)
        self.commodity = commodity

    def __add__(self, other):
        self._check(other)
        return Amount(self.number + other.number, self.commodity)

    def __sub__(self, other):
        self._check(other)
        return Amount(self.number - other.number, self.commodity)

    def __neg__(self):
        return Amount(-self.number, self.commodity)

    def __eq__(self, other):
        return (self.number, self.commodity) == (other.number, other.commodity)

    def _check(self, other):
        if self.commodity != other.commodity:
            raise ValueError(f"cannot add {self.commodity} and {other.commodity}")

    def rounded(self):
        places = Decimal(1).scaleb(-PLACES.get(self.commodity, 2))
        return Amount(self.number.quantize(places, ROUND_HALF_EVEN), self.commodity)

    def is_zero(self):
        return self.rounded().number == 0

    def __format__(self, spec):
        return f"{self.rounded().number:,} {self.commodity}"


def parse_amount(text):
    """`1,234.50 EUR` or `EUR 1,234.50`."""
    parts = text.replace(",", "").split()
    if len(parts) != 2:
        raise ValueError(f"not an amount: {text!r}")
    first, second = parts
    return Amount(second, first) if first.isalpha() else Amount(first, second)
