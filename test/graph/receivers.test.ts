import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges, findEdgesIn } from './support.ts';

// Two classes share each method name, so no edge here is a guess.
const CLASSES = `
class Foo:
    def bar(self): pass
    def itself(self) -> "Foo": pass
    @classmethod
    def create(cls) -> "Foo": pass
class Other:
    def bar(self): pass
    def itself(self): pass
    def create(self): pass
`;

/** Returns the methods above that the given code calls. */
async function findCallees(text: string): Promise<string[]> {
  const found = await findEdgesIn(CLASSES + text);
  return [...new Set(found.map((edge) => edge.split(' > ')[1]!))].filter((name) =>
    /\.(bar|itself|create)/.test(name),
  );
}

test('resolves methods of variables', async () => {
  assert.deepEqual(await findCallees('def f():\n    x = Foo()\n    x.bar()\n'), ['Foo.bar']);
  assert.deepEqual(await findCallees('x = Foo()\ndef f():\n    x.bar()\n'), ['Foo.bar']);
  assert.deepEqual(await findCallees('def f():\n    with Foo() as x:\n        x.bar()\n'), [
    'Foo.bar',
  ]);
  assert.deepEqual(await findCallees('def f():\n    x = unknown()\n    x.bar()\n'), []);
});

test('resolves methods of both classes that a variable may have', async () => {
  assert.deepEqual(
    await findCallees('def f(c):\n    x = Foo()\n    if c:\n        x = Other()\n    x.bar()\n'),
    ['Foo.bar', 'Other.bar'],
  );
});

test('resolves methods by annotations', async () => {
  assert.deepEqual(await findCallees('def f(x: Foo):\n    x.bar()\n'), ['Foo.bar']);
  assert.deepEqual(await findCallees('def f(x: "Foo | None" = None):\n    x.bar()\n'), ['Foo.bar']);
  assert.deepEqual(await findCallees('def f():\n    x: Foo = unknown()\n    x.bar()\n'), [
    'Foo.bar',
  ]);
  assert.deepEqual(await findCallees('def f(x: type[Foo]):\n    x().bar()\n'), ['Foo.bar']);
  assert.deepEqual(await findCallees('def f(x: dict):\n    x.bar()\n'), []);
});

test('resolves methods of results', async () => {
  assert.deepEqual(await findCallees('def f():\n    Foo().bar()\n'), ['Foo.bar']);
  assert.deepEqual(await findCallees('def make() -> Foo: pass\ndef f():\n    make().bar()\n'), [
    'Foo.bar',
  ]);
  assert.deepEqual(
    await findCallees('def make() -> Foo: pass\ndef f():\n    x = make()\n    x.bar()\n'),
    ['Foo.bar'],
  );
  assert.deepEqual(await findCallees('def f():\n    Foo.create().itself().bar()\n'), [
    'Foo.bar',
    'Foo.create',
    'Foo.itself',
  ]);
  assert.deepEqual(await findCallees('def f():\n    Other().itself().bar()\n'), ['Other.itself']);
});

test('treats Self as the class of the receiver', async () => {
  assert.deepEqual(
    await findEdgesIn(`
from typing import Self
class Base:
    def configure(self) -> Self: pass
    def go(self): pass
class Child(Base):
    def go(self): pass
def f():
    Child().configure().go()
`),
    ['Child > Base inherit', 'f > Base.configure', 'f > Child construct', 'f > Child.go'],
  );
});

test('resolves attributes that any method of the class or its bases sets', async () => {
  const holder = `
class Holder:
    typed: Foo
    shared = Foo()
    def __init__(self, given: Foo, other):
        self.made = Foo()
        self.given = given
        self.other = other
class Child(Holder):
    def f(self):
        self.ATTRIBUTE.bar()
`;
  for (const attribute of ['made', 'given', 'typed', 'shared'])
    assert.deepEqual(
      await findCallees(holder.replace('ATTRIBUTE', attribute)),
      ['Foo.bar'],
      attribute,
    );
  assert.deepEqual(await findCallees(holder.replace('ATTRIBUTE', 'other')), []);
});

test('resolves methods of properties', async () => {
  assert.deepEqual(
    await findCallees(`
class Holder:
    @property
    def foo(self) -> Foo: pass
    @foo.setter
    def foo(self, value): pass
def f():
    Holder().foo.bar()
`),
    ['Foo.bar'],
  );
});

test('resolves methods of objects in another module', async () => {
  assert.deepEqual(
    await findEdges({
      'app.py': 'class App:\n    def route(self): pass\n\napp = App()\n',
      'views.py': `
from app import app
import app as application

@app.route("/")
def index():
    application.app.route()
`,
    }),
    [
      'app.py::<module> > app.py::App construct',
      'views.py::index > app.py::App.route',
      'views.py::index > app.py::App.route decorate',
      'views.py::index > views.py::index register',
    ].sort(),
  );
});

test('guesses a method that the class lacks only if its name is unique', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class Mixin:
    def f(self):
        self.provided_by_host()
class Host(Mixin):
    def provided_by_host(self): pass
`),
    ['Host > Mixin inherit', 'Mixin.f > Host.provided_by_host guess'],
  );
});
