import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { createGraph, findEdges, findEdgesIn, parseGraphFiles } from './support.ts';

test('resolves functions and classes of the same file', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class Foo:
    pass

def helper():
    helper()

def run():
    helper()
    return Foo()

run()
`),
    ['<module> > run', 'helper > helper', 'run > Foo construct', 'run > helper'],
  );
});

test('creates one edge for each caller, callee and kind, with sorted call sites', async () => {
  const files = await parseGraphFiles({
    'a.py': 'def f(): pass\ndef g():\n    x = f(); f()\n    f()\n',
  });
  const found = runToEnd(createGraph(files).resolve('a.py')).edges;
  assert.equal(found.length, 1);
  assert.deepEqual(found[0]!.sites, [
    { line: 3, column: 8 },
    { line: 3, column: 13 },
    { line: 4, column: 4 },
  ]);
});

test('lets parameters, variables and nested functions hide names of the file', async () => {
  assert.deepEqual(
    await findEdgesIn(`
def helper(): pass
def other(): pass

def by_parameter(helper):
    helper()

def by_variable():
    helper = compute()
    helper()

def by_nested():
    def helper():
        other()
    helper()
`),
    ['by_nested > other'],
  );
});

test('resolves a name to its last definition', async () => {
  assert.deepEqual(
    await findEdgesIn(`
def f(): pass
def f(): pass
def g(): f()
`),
    ['g > f#2'],
  );
});

test('resolves names of a class only through the class', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class Foo:
    def make(): pass
    value = make()

    def use(self):
        make()
        self.make()
        Foo.make()
`),
    ['Foo > Foo.make', 'Foo.use > Foo.make'],
  );
});

test('creates no edges for built-in and undefined names', async () => {
  assert.deepEqual(await findEdgesIn('def f():\n    print(len([]))\n    undefined()\n'), []);
});

test('resolves aliases of functions and classes', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class Foo:
    def bar(self): pass
    baz = bar

Alias = Foo

def f():
    Alias().baz()
`),
    ['f > Foo construct', 'f > Foo.bar'],
  );
});

test('handles circular aliases', async () => {
  assert.deepEqual(await findEdgesIn('x = y\ny = x\ndef f():\n    x()\n    y.z()\n'), []);
});

test('adds edges of decorators and bases to the decorated or derived definition', async () => {
  assert.deepEqual(
    await findEdgesIn(`
def logged(f): return f
class Base: pass

@logged
class Foo(Base):
    def check(f): return f

    @check
    def run(self): pass
`),
    ['Foo > Base inherit', 'Foo > logged decorate', 'Foo.run > Foo.check decorate'],
  );
});

test('resolves a call of an object to its call method', async () => {
  assert.deepEqual(
    await findEdgesIn(`
class Adder:
    def __call__(self, x): pass

add = Adder()

def f():
    add(1)
`),
    ['<module> > Adder construct', 'f > Adder.__call__'],
  );
});

test('guesses only for an unknown receiver and a unique, uncommon name', async () => {
  assert.deepEqual(
    await findEdges({
      'a.py': `
import os

class Foo:
    def launch_rocket(self): pass
    def append(self, x): pass
    def twice_defined(self): pass

class Bar:
    def twice_defined(self): pass

def f(thing):
    thing.launch_rocket()
    thing.append(1)
    thing.twice_defined()
    os.launch_rocket()
    launch_rocket()
`,
    }),
    ['f > Foo.launch_rocket guess'],
  );
});

test('guesses calls from tests, but not calls from source to tests', async () => {
  assert.deepEqual(
    await findEdges({
      'a.py': 'def f(x):\n    x.check_it_all()\n',
      'tests/test_a.py': `
class Helper:
    def check_it_all(self): pass

def test_f(x):
    x.check_it_all()
`,
    }),
    ['tests/test_a.py::test_f > tests/test_a.py::Helper.check_it_all guess'],
  );
});

test('guesses the method that all others with its name override', async () => {
  const family = `
class Shape:
    def compute_area(self): pass
class Square(Shape):
    def compute_area(self): pass
class Tile(Square):
    def compute_area(self): pass

def f(thing):
    thing.compute_area()
`;
  const inherits = ['Square > Shape inherit', 'Tile > Square inherit'];
  assert.deepEqual(await findEdgesIn(family), [...inherits, 'f > Shape.compute_area guess']);
  const stranger = 'class Garden:\n    def compute_area(self): pass\n';
  assert.deepEqual(await findEdgesIn(family + stranger), inherits);
  const sameName = 'def compute_area(): pass\n';
  assert.deepEqual(await findEdgesIn(family + sameName), inherits);
});

test('does not guess a method for a call of the value of an attribute', async () => {
  assert.deepEqual(
    await findEdges({
      'a.py': `
import settings

class Task:
    def __init__(self, on_finish):
        self.on_finish = on_finish
    @property
    def on_start(self): pass
    def run(self):
        self.on_finish()
        self.on_start()
        settings.on_error()

class Screen:
    def on_finish(self): pass
    def on_error(self): pass

def f(task):
    task.on_start()
`,
      'settings.py': 'on_error = choose()\n',
    }),
    [],
  );
});
