import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from './support.ts';

const LIBRARY =
  'class Foo:\n    def bar(self): pass\n\ndef helper(): pass\n\ndef _private(): pass\n';

test('resolves all forms of imports', async () => {
  const callers = {
    'import pkg.lib': 'pkg.lib.helper()',
    'import pkg.lib as short': 'short.helper()',
    'from pkg import lib': 'lib.helper()',
    'from pkg.lib import helper': 'helper()',
    'from pkg.lib import helper as h': 'h()',
    'from pkg.lib import *': 'helper()',
    'from . import lib': 'lib.helper()',
    'from .lib import helper': 'helper()',
    'from ..pkg.lib import helper': 'helper()',
  };
  for (const [statement, call] of Object.entries(callers)) {
    const found = await findEdges({
      'pkg/__init__.py': '',
      'pkg/lib.py': LIBRARY,
      'pkg/use.py': `${statement}\ndef f():\n    ${call}\n`,
    });
    assert.deepEqual(found, ['pkg/use.py::f > pkg/lib.py::helper'], statement);
  }
});

test('limits an import inside a function to that function', async () => {
  assert.deepEqual(
    await findEdges({
      'lib.py': LIBRARY,
      'use.py': 'def f():\n    from lib import helper\n    helper()\n\ndef g():\n    helper()\n',
    }),
    ['use.py::f > lib.py::helper'],
  );
});

test('imports only public names with a star', async () => {
  assert.deepEqual(
    await findEdges({
      'lib.py': LIBRARY,
      'use.py': 'from lib import *\ndef f():\n    _private()\n    Foo().bar()\n',
    }),
    ['use.py::f > lib.py::Foo construct', 'use.py::f > lib.py::Foo.bar'],
  );
});

test('resolves names that packages re-export', async () => {
  assert.deepEqual(
    await findEdges({
      'pkg/__init__.py': 'from .inner import *\nfrom .inner import helper as renamed\n',
      'pkg/inner/__init__.py': 'from .core import Foo, helper\n',
      'pkg/inner/core.py': LIBRARY,
      'use.py': 'import pkg\nfrom pkg import Foo\ndef f():\n    pkg.renamed()\n    Foo()\n',
    }),
    ['use.py::f > pkg/inner/core.py::Foo construct', 'use.py::f > pkg/inner/core.py::helper'],
  );
});

test('resolves names in circular imports', async () => {
  assert.deepEqual(
    await findEdges({
      'one.py': 'from two import *\nfrom two import ghost\ndef f():\n    g()\n    ghost()\n',
      'two.py': 'from one import *\nfrom one import ghost\ndef g():\n    f()\n',
    }),
    ['one.py::f > two.py::g', 'two.py::g > one.py::f'],
  );
});

test('resolves a submodule that its package imports by name', async () => {
  assert.deepEqual(
    await findEdges({
      'pkg/__init__.py': 'from . import lib\n',
      'pkg/lib.py': LIBRARY,
      'use.py': 'import pkg\ndef f():\n    pkg.lib.helper()\n',
    }),
    ['use.py::f > pkg/lib.py::helper'],
  );
});

test('prefers a name of a package to a submodule with that name', async () => {
  assert.deepEqual(
    await findEdges({
      'pkg/__init__.py': 'from .helper import helper\n',
      'pkg/helper.py': LIBRARY,
      'use.py': 'from pkg import helper\ndef f():\n    helper()\n',
    }),
    ['use.py::f > pkg/helper.py::helper'],
  );
});

test('finds source roots: src, and folders without a package file, the nearest first', async () => {
  assert.deepEqual(
    await findEdges({
      'src/pkg/__init__.py': '',
      'src/pkg/lib.py': LIBRARY,
      'tests/pkg_test.py': 'from pkg.lib import helper\ndef f():\n    helper()\n',
      'other/common.py': 'def who(): pass\n',
      'other/use.py': 'from common import who\ndef f():\n    who()\n',
      'third/common.py': 'def who(): pass\n',
      'third/deep/use.py': 'from common import who\ndef f():\n    who()\n',
    }),
    [
      'tests/pkg_test.py::f > src/pkg/lib.py::helper',
      'other/use.py::f > other/common.py::who',
      'third/deep/use.py::f > third/common.py::who',
    ],
  );
});

test('treats folders without a package file as packages', async () => {
  assert.deepEqual(
    await findEdges({
      'space/inner/lib.py': LIBRARY,
      'use.py': 'import space.inner.lib\ndef f():\n    space.inner.lib.helper()\n',
    }),
    ['use.py::f > space/inner/lib.py::helper'],
  );
});

test('resolves no import of the standard library to a module inside a package', async () => {
  assert.deepEqual(
    await findEdges({
      'pkg/__init__.py': '',
      'pkg/json.py': 'def loads(text): pass\n',
      'pkg/use.py': 'import json\ndef f():\n    json.loads("")\n',
      'tools/logging.py': 'def getLogger(): pass\n',
      'use.py': 'import logging\ndef f():\n    logging.getLogger()\n',
    }),
    [],
  );
});

test('creates no edges for objects from outside the repository', async () => {
  assert.deepEqual(
    await findEdges({
      'use.py': `
import numpy as np
from flask import Flask

class Solver:
    def unusual_method(self): pass

app = Flask()

def f():
    np.unusual_method()
    app.unusual_method()
    np.array().unusual_method()

class Mine(Flask):
    def g(self):
        self.unusual_method()
        super().unusual_method()
`,
    }),
    [],
  );
});

test('resolves the fallback for a missing module', async () => {
  assert.deepEqual(
    await findEdges({
      'compat.py': 'def helper(): pass\n',
      'use.py': `
try:
    from fast_library import helper
except ImportError:
    from compat import helper

def f():
    helper()
`,
    }),
    ['use.py::f > compat.py::helper'],
  );
});
