from .accounts import Chart


def balance_report(transactions, depth=None, until=None):
    """Lines of accounts with what is in them, indented as a tree."""
    chart = Chart()
    for transaction in transactions:
        if until is None or transaction.date <= until:
            chart.post(transaction)
    for account in chart.root.walk():
        level = account.full_name().count(":")
        if account.name and (depth is None or level < depth):
            for amount in account.totals.values():
                if not amount.is_zero():
                    yield f"{amount:>20}  {'  ' * level}{account.name}"


def register_report(transactions, account):
    """Every posting to an account with the running total."""
    total = None
    for transaction in sorted(transactions, key=lambda t: t.date):
        for posting in transaction.postings:
            if posting.account.startswith(account):
                total = posting.amount if total is None else total + posting.amount
                yield f"{transaction.date}  {transaction.payee:<30.30} {posting.amount:>15} {total:>15}"


def monthly(transactions, account):
    """Totals of an account by month."""
    months = {}
    for transaction in transactions:
        month = transaction.date.strftime("%Y-%m")
        for posting in transaction.postings:
            if posting.account == account:
                known = months.get(month)
                months[month] = posting.amount if known is None else known + posting.amount
    return months
