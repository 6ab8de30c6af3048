import datetime
import re

from ..money import Amount
from .base import Importer

TRANSACTION = re.compile(r"<STMTTRN>(.*?)</STMTTRN>", re.S)
FIELD = re.compile(r"<(\w+)>([^<\r\n]*)")


class OfxImporter(Importer):
    def rows(self, path):
        text = open(path, encoding="utf-8").read()
        commodity = re.search(r"<CURDEF>(\w+)", text).group(1)
        for block in TRANSACTION.findall(text):
            fields = dict(FIELD.findall(block))
            yield self.date(fields["DTPOSTED"]), fields["NAME"], Amount(fields["TRNAMT"], commodity)

    def date(self, text):
        return datetime.datetime.strptime(text[:8], "%Y%m%d").date()
