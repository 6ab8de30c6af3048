import csv
import datetime

from ..money import Amount
from .base import Importer


class CsvImporter(Importer):
    delimiter = ";"
    date_format = "%d.%m.%Y"
    commodity = "EUR"

    def rows(self, path):
        with open(path, newline="", encoding="latin-1") as file:
            for record in csv.DictReader(file, delimiter=self.delimiter):
                yield self.parse_record(record)

    def parse_record(self, record):
        date = datetime.datetime.strptime(record["Date"], self.date_format).date()
        return date, record["Payee"].strip(), Amount(self.parse_number(record["Amount"]), self.commodity)

    def parse_number(self, text):
        """German numbers: a dot between thousands, a comma before the cents."""
        return text.replace(".", "").replace(",", ".")
