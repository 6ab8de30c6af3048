import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindings, dedent, parse, references } from './helpers.ts';

test('facts: every form of import', () => {
  const { facts } = parse(dedent`
    import a
    import a.b
    import a.b as c, d
    from e import f, g as h
    from e.f import (
        i,  # why
        j,
    )
    from . import k
    from .. import l as m
    from ..n.o import p
    from q import *
    from __future__ import annotations
  `);
  assert.deepEqual(
    facts.imports.map(({ level, module, member, local }) => [level, module, member, local]),
    [
      [0, 'a', null, 'a'],
      [0, 'a.b', null, 'a'],
      [0, 'a.b', null, 'c'],
      [0, 'd', null, 'd'],
      [0, 'e', 'f', 'f'],
      [0, 'e', 'g', 'h'],
      [0, 'e.f', 'i', 'i'],
      [0, 'e.f', 'j', 'j'],
      [1, '', 'k', 'k'],
      [2, '', 'l', 'm'],
      [2, 'n.o', 'p', 'p'],
      [0, 'q', '*', '*'],
    ],
  );
});

test('facts: an import belongs to the chunk that contains it', () => {
  const { facts } = parse(dedent`
    try:
        import a
    except ImportError:
        import b as a
    if TYPE_CHECKING:
        from c import d
    def f():
        from e import g
    class A:
        from h import i
        def m(self):
            import j
  `);
  assert.deepEqual(
    facts.imports.map(({ local, scope }) => [local, scope]),
    [
      ['a', 0],
      ['a', 0],
      ['d', 0],
      ['g', 1],
      ['i', 2],
      ['j', 3],
    ],
  );
});

test('facts: calls as chains of names', () => {
  const source = parse(dedent`
    f()
    a.b.c(x, y=g(z))
    (a
      .d)()
    super().e()
    h().i()
    a.j(1).k()
    l[0].m()
    (n or o).p()
    ", ".join(q)
    [1].sort()
    r()()
    await s.t()
    Foo[int](u)
    (v).w()
    (await x()).y()
    [*z(), *self.a.b()]
  `);
  assert.deepEqual(references(source), [
    'call f',
    'call a.b.c',
    'call g',
    'call super',
    'call super().e',
    'call h',
    'call h().i',
    'call a.j',
    'call a.j().k',
    'call ?.m',
    'call ?.p',
    'call r',
    'call s.t',
    'call v.w',
    'call x',
    'call x().y',
    'call z',
    'call self.a.b',
  ]);
});

test('facts: a chain over several lines points at its last name', () => {
  const { facts } = parse('x = (a\n    .b()\n    .c())\n');
  assert.deepEqual(facts.references, [
    { scope: 0, chain: ['a', 'b'], kind: 'call', line: 2, column: 5 },
    { scope: 0, chain: ['a', 'b()', 'c'], kind: 'call', line: 3, column: 5 },
  ]);
});

test('facts: columns are UTF-16 units', () => {
  const { facts } = parse('x = "😀é"; f()\n');
  assert.deepEqual(facts.references, [
    { scope: 0, chain: ['f'], kind: 'call', line: 1, column: 11 },
  ]);
});

test('facts: calls belong to the innermost chunk', () => {
  const source = parse(dedent`
    class A:
        x = a()
        def f(self, y=b()):
            def inner():
                return c()
            return map(lambda z: d(z), e)
  `);
  assert.deepEqual(references(source, 'A'), ['call a']);
  assert.deepEqual(references(source, 'A.f'), ['call b', 'call c', 'call map', 'call d']);
});

test('facts: decorators and bases belong to the chunk that they modify', () => {
  const source = parse(dedent`
    @a.b(c())
    class A(B, d.C, Generic[T], e.F[U], metaclass=M, key=g()):
        @property
        @h.i
        def p(self): pass
    @j
    def f():
        @k
        def inner(): pass
        class Inner(L): pass
  `);
  assert.deepEqual(references(source, 'A'), [
    'decorate a.b',
    'call c',
    'inherit B',
    'inherit d.C',
    'inherit Generic',
    'inherit e.F',
    'call M',
    'call g',
  ]);
  assert.deepEqual(references(source, 'A.p'), ['decorate property', 'decorate h.i']);
  assert.deepEqual(references(source, 'f'), ['decorate j', 'call k']);
});

test('facts: bindings by assignment', () => {
  const source = parse(dedent`
    a = Foo()
    b = m.Foo(1)
    c = a
    d = a.b
    e: Foo = g()
    f: "m.Foo"
    h = i = Foo()
    j = x or Foo()
    k = Foo() if x else Bar()
    l = await fetch()
    (n := Foo())
    o = super().make()
    p = a.q().r()
    s = x[0]
    t, u = Foo(), Bar()
    v = 1
  `);
  assert.deepEqual(bindings(source), [
    'a call Foo',
    'b call m.Foo',
    'c alias a',
    'd alias a.b',
    'e type Foo',
    'e call g',
    'f type m.Foo',
    'h call Foo',
    'i call Foo',
    'j alias x',
    'j call Foo',
    'k call Foo',
    'k call Bar',
    'l call fetch',
    'n call Foo',
    'o call super().make',
    'p call a.q().r',
  ]);
});

test('facts: bindings of functions, methods and classes', () => {
  const source = parse(dedent`
    class A:
        manager = Manager()
        field: Field
        def f(self, a: Foo, *rest: int, b: "Bar" = None, c=1, **more: str) -> Optional[Baz]:
            self.x = Foo()
            self.y = a
            self.z: List[int] = []
            with open(a) as g, Lock() as self.lock:
                pass
            try:
                pass
            except E as e:
                pass
            def inner(h: Qux) -> int: pass
  `);
  assert.deepEqual(bindings(source, 'A'), ['manager call Manager', 'field type Field']);
  assert.deepEqual(bindings(source, 'A.f'), [
    ' return Baz',
    'a type Foo',
    'b type Bar',
    'self.x call Foo',
    'self.y alias a',
    'self.z type List',
    'g call open',
    'self.lock call Lock',
    'e type E',
    'h type Qux',
  ]);
});

test('facts: annotations reduce to one name', () => {
  const cases: Record<string, string | null> = {
    Foo: 'type Foo',
    '"Foo"': 'type Foo',
    'm.n.Foo': 'type m.n.Foo',
    'Optional[Foo]': 'type Foo',
    'typing.Optional["Foo"]': 'type Foo',
    'Foo | None': 'type Foo',
    'None | m.Foo': 'type m.Foo',
    '"Foo | None"': 'type Foo',
    'Union[None, Foo, Bar]': 'type Foo',
    'Annotated[Foo, "[x", 1]': 'type Foo',
    'ClassVar[Optional[Foo]]': 'type Foo',
    'list[Foo]': 'type list',
    'type[Foo]': 'alias Foo',
    'Callable[[int], Foo]': 'type Callable',
    None: null,
    '"not a name"': null,
  };
  for (const [annotation, expected] of Object.entries(cases)) {
    const found = bindings(parse(`def f(x: ${annotation}): pass\n`), 'f');
    assert.deepEqual(found, expected === null ? [] : [`x ${expected}`], annotation);
  }
});

test('facts: locals that hide names of the file', () => {
  const { chunks, facts } = parse(dedent`
    def f(a, b=1, *c, d: int, e: int = 2, **g):
        global u
        h = 1
        for i, (j, *k) in l: pass
        with m as n: pass
        def inner(o): pass
        class Inner: pass
        [p for p in q]
        lambda r: s
        u = t = v = 1
        a(), b(), c(), d(), e(), g(), h(), i(), j(), k(), n(), inner(), o(), Inner(), p(), r()
        l(), m(), q(), s(), t.x(), u(), outside()
    class A:
        f = 1
        def m(self, x):
            unused = 1
            return f(x.y())
  `);
  const locals = facts.locals!.map(({ scope, names }) => [
    chunks[scope]!.name,
    names.sort().join(),
  ]);
  assert.deepEqual(locals, [
    ['f', 'Inner,a,b,c,d,e,g,h,i,inner,j,k,n,o,p,r,t'],
    ['m', 'x'],
  ]);
});

test('facts: self in a class inside a method is not the object of that method', () => {
  const source = parse(dedent`
    class A:
        def f(self):
            class B:
                def g(self):
                    self.x = Foo()
                    self.h()
            self.i()
  `);
  assert.deepEqual(references(source, 'A.f'), ['call Foo', 'call ?.h', 'call self.i']);
  assert.deepEqual(bindings(source, 'A.f'), []);
});

test('facts: a chain of thousands of calls', () => {
  const { facts } = parse(`x = a${'.b()'.repeat(2000)}\n`);
  assert.equal(facts.references.length, 2000);
  assert.deepEqual(facts.references[2]!.chain, ['a', 'b()', 'b()', 'b']);
  assert.deepEqual(facts.references.at(-1)!.chain, ['?', 'b']);
});
