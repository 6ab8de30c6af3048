import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges, findEdgesIn } from './support.ts';

test('resolves methods through self, cls, the class and super', async () => {
  assert.deepEqual(
    await findEdges({
      'base.py': `
class Base:
    def __init__(self): pass
    def shared(self): pass
    def only_base(self): pass
`,
      'use.py': `
from base import Base

class Child(Base):
    def __init__(self):
        super().__init__()
        super().shared()
    def shared(self):
        self.only_base()
        self.shared()
    @classmethod
    def build(cls):
        cls.shared(None)
        Base.shared(None)
        return cls()
`,
    }),
    [
      'use.py::Child > base.py::Base inherit',
      'use.py::Child.__init__ > base.py::Base.__init__',
      'use.py::Child.__init__ > base.py::Base.shared',
      'use.py::Child.build > base.py::Base.shared',
      'use.py::Child.build > use.py::Child construct',
      'use.py::Child.build > use.py::Child.shared',
      'use.py::Child.shared > base.py::Base.only_base',
      'use.py::Child.shared > use.py::Child.shared',
    ],
  );
});

test('searches several bases in method resolution order', async () => {
  // In a diamond, C comes before A although B, which comes first, derives from A.
  assert.deepEqual(
    await findEdgesIn(`
class A:
    def run(self): pass
class B(A): pass
class C(A):
    def run(self): pass
class D(B, C):
    def go(self):
        self.run()
        super().run()
`),
    ['B > A inherit', 'C > A inherit', 'D > B inherit', 'D > C inherit', 'D.go > C.run'],
  );
});

test('handles classes that derive from each other or from themselves', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class A(B):
    def f(self):
        self.g()
class B(A):
    def g(self):
        self.f()
        self.missing()
class C(C): pass
`),
    ['A > B inherit', 'A.f > B.g', 'B > A inherit', 'B.g > A.f', 'C > C inherit'],
  );
});

test('finds methods of bases in an inconsistent order', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class A:
    def f(self): pass
class B(A): pass
class C(A, B):
    def g(self):
        self.f()
`),
    ['B > A inherit', 'C > A inherit', 'C > B inherit', 'C.g > A.f'],
  );
});

test('resolves nested classes', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class Outer:
    class Inner:
        def f(self):
            self.g()
        def g(self): pass
    def h(self):
        self.Inner().f()
        Outer.Inner.g(None)
class Other(Outer.Inner):
    def k(self):
        self.g()
`),
    [
      'Other > Outer.Inner inherit',
      'Other.k > Outer.Inner.g',
      'Outer.Inner.f > Outer.Inner.g',
      'Outer.h > Outer.Inner construct',
      'Outer.h > Outer.Inner.f',
      'Outer.h > Outer.Inner.g',
    ],
  );
});

test('resolves a call of an overloaded method to its implementation', async () => {
  assert.deepEqual(
    await findEdgesIn(`
from typing import overload
class Foo:
    @overload
    def f(self, x: int): ...
    @overload
    def f(self, x: str): ...
    def f(self, x): pass
    def g(self):
        self.f(1)
`),
    ['Foo.g > Foo.f#3'],
  );
});

test('resolves the class of an object', async () => {
  assert.deepEqual(
    await findEdgesIn('class Foo:\n    def f(self):\n        return self.__class__()\n'),
    ['Foo.f > Foo construct'],
  );
});

test('does not guess a method that a base outside the repository may have', async () => {
  assert.deepEqual(
    await findEdgesIn(`
from library import View
class Mine(View):
    def f(self):
        self.g()
        self.dispatch_request()
    def g(self): pass
class Dispatcher:
    def dispatch_request(self): pass
`),
    ['Mine.f > Mine.g'],
  );
});
