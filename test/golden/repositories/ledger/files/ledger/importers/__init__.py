from .csv_bank import CsvImporter
from .ofx import OfxImporter

IMPORTERS = {"csv": CsvImporter, "ofx": OfxImporter}


def importer_for(path):
    extension = path.rsplit(".", 1)[-1]
    return IMPORTERS[extension]()
