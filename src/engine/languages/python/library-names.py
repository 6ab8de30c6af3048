"""Writes the two word lists of this folder, from the Python that runs it.

standard-modules.txt: the top-level modules of the standard library.
common-names.txt: public and special method names of its classes. A call of such a name on an object of
unknown type is more likely a call of the library than of the one definition in a repository.

Run in this folder: python3 library-names.py
"""

import builtins
import importlib
import inspect
import sys
import textwrap
import types
import warnings

MODULES = """
abc argparse array ast asyncio base64 bz2 calendar code codecs collections collections.abc
concurrent.futures configparser contextlib contextvars copy csv ctypes datetime decimal difflib
email.message email.parser enum fractions ftplib functools graphlib gzip hashlib hmac html.parser
http.client http.cookies http.cookiejar http.server importlib.abc inspect io ipaddress itertools
json logging logging.handlers lzma mmap multiprocessing multiprocessing.pool multiprocessing.queues
numbers operator optparse os pathlib platform pprint queue random re sched select selectors shelve
shlex shutil smtplib socket socketserver sqlite3 ssl statistics string struct subprocess tarfile
tempfile textwrap threading time timeit tokenize trace traceback types typing unittest unittest.mock
urllib.parse urllib.request urllib.robotparser uuid weakref wsgiref.headers xml.dom.minidom
xml.etree.ElementTree xml.sax.handler xmlrpc.client zipfile zlib
""".split()

LIVE_OBJECTS = [
    (x for x in ()), (lambda: None), "".join, __import__("hashlib").md5(),
    __import__("re").compile(""), __import__("re").match("", ""), __import__("zlib").compressobj(),
    __import__("sqlite3").connect(":memory:"), __import__("sqlite3").connect(":memory:").cursor(),
    __import__("threading").Lock(), __import__("csv").writer(sys.stdout), sys.stdout,
]  # fmt: skip


def main():
    warnings.simplefilter("ignore")
    classes = {value for value in vars(builtins).values() if inspect.isclass(value)}
    classes |= {type(value) for value in LIVE_OBJECTS}
    classes |= {value for value in vars(types).values() if inspect.isclass(value)}
    for name in MODULES:
        module = importlib.import_module(name)
        classes |= {value for value in vars(module).values() if inspect.isclass(value)}
    names = set()
    for cls in classes:
        for name in dir(cls):
            special = name.startswith("__") and name.endswith("__")
            if (special or not name.startswith("_")) and callable(getattr(cls, name, None)):
                names.add(name)
    write("common-names.txt", names)
    write("standard-modules.txt", {n for n in sys.stdlib_module_names if not n.startswith("_")})


def write(path, words):
    with open(path, "w", encoding="utf-8") as file:
        file.write(textwrap.fill(" ".join(sorted(words)), 100, break_on_hyphens=False) + "\n")


main()
