import argparse
import datetime
import sys

from .errors import LedgerError
from .importers import importer_for
from .journal import parse_journal
from .reports import balance_report, monthly, register_report


def main(argv=None):
    parser = argparse.ArgumentParser(prog="ledger")
    parser.add_argument("file")
    commands = parser.add_subparsers(dest="command", required=True)
    balance = commands.add_parser("balance")
    balance.add_argument("--depth", type=int)
    balance.add_argument("--until", type=datetime.date.fromisoformat)
    register = commands.add_parser("register")
    register.add_argument("account")
    month = commands.add_parser("monthly")
    month.add_argument("account")
    imported = commands.add_parser("import")
    imported.add_argument("statement")
    args = parser.parse_args(argv)
    try:
        run(args)
    except LedgerError as error:
        print(f"ledger: {error}", file=sys.stderr)
        return 1
    return 0


def run(args):
    with open(args.file, encoding="utf-8") as file:
        transactions = list(parse_journal(file))
    if args.command == "balance":
        print(*balance_report(transactions, args.depth, args.until), sep="\n")
    elif args.command == "register":
        print(*register_report(transactions, args.account), sep="\n")
    elif args.command == "monthly":
        for name, amount in sorted(monthly(transactions, args.account).items()):
            print(name, amount)
    else:
        importer = importer_for(args.statement)
        new = importer.without_duplicates(importer.transactions(args.statement), transactions)
        print(f"{len(new)} new transactions")
