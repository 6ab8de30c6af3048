from ledger.importers.csv_bank import CsvImporter


def test_german_numbers():
    assert CsvImporter().parse_number("1.234,50") == "1234.50"
