import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, chunkOf, dedent, outline, parse } from './helpers.ts';

/** Title, source, and chunks besides the module's. */
const TABLE: [string, string, string[]][] = [
  ['functions', 'def f():\n    pass\n\ndef g(): return 1\n', ['function f 1-2', 'function g 4-4']],
  ['async functions', 'async def f():\n    await g()\n', ['function f 1-2']],
  [
    'classes and methods',
    'class A:\n    x = 1\n    def f(self):\n        pass\n    def g(self): pass\n',
    ['class A 1-5', 'method A.f 3-4', 'method A.g 5-5'],
  ],
  [
    'decorators belong to what they decorate',
    '@a\n@b(\n  1)\ndef f(): pass\n@c\nclass A:\n    @property\n    def p(self): pass\n',
    ['function f 1-4', 'class A 5-8', 'method A.p 7-8'],
  ],
  [
    'nested functions and classes belong to the outer function',
    'def f():\n    def g():\n        pass\n    class A:\n        def m(self): pass\n    return g\n',
    ['function f 1-6'],
  ],
  [
    'classes in classes',
    'class A:\n    class B:\n        class C:\n            def f(self): pass\n    def g(self): pass\n',
    ['class A 1-5', 'class A.B 2-4', 'class A.B.C 3-4', 'method A.B.C.f 4-4', 'method A.g 5-5'],
  ],
  [
    'redefinitions count up',
    'def f(): pass\ndef f(): pass\nclass A:\n    def f(self): pass\nclass A:\n    def f(self): pass\n',
    [
      'function f 1-1',
      'function f#2 2-2',
      'class A 3-4',
      'method A.f 4-4',
      'class A#2 5-6',
      'method A.f#2 6-6',
    ],
  ],
  [
    'overloads',
    'class A:\n    @overload\n    def f(self, x: int): ...\n    @overload\n    def f(self, x: str): ...\n    def f(self, x): pass\n',
    ['class A 1-6', 'method A.f 2-3', 'method A.f#2 4-5', 'method A.f#3 6-6'],
  ],
  [
    'a property with its setter',
    'class A:\n    @property\n    def p(self): pass\n    @p.setter\n    def p(self, v): pass\n',
    ['class A 1-5', 'method A.p 2-3', 'method A.p#2 4-5'],
  ],
  [
    'definitions under if, else, try, except, with, for, while and match',
    [
      'if a:',
      '    def f(): pass',
      'else:',
      '    def f(): pass',
      'try:',
      '    class A:',
      '        def m(self): pass',
      'except E:',
      '    class A: pass',
      'with b:',
      '    def g(): pass',
      'for x in y:',
      '    def h(): pass',
      'while z:',
      '    def i(): pass',
      'match c:',
      '    case 1:',
      '        def j(): pass',
      '',
    ].join('\n'),
    [
      'function f 2-2',
      'function f#2 4-4',
      'class A 6-7',
      'method A.m 7-7',
      'class A#2 9-9',
      'function g 11-11',
      'function h 13-13',
      'function i 15-15',
      'function j 18-18',
    ],
  ],
  [
    'methods under if in a class',
    'class A:\n    if x:\n        def f(self): pass\n    else:\n        def f(self): pass\n',
    ['class A 1-5', 'method A.f 3-3', 'method A.f#2 5-5'],
  ],
  [
    'type parameters',
    'def f[T: int](x: T) -> T: pass\nclass A[T](B[T]):\n    def g[*U, **P](self): pass\ntype X[T] = list[T]\n',
    ['function f 1-1', 'class A 2-3', 'method A.g 3-3'],
  ],
  ['lambdas are nothing', 'f = lambda x: x\nclass A:\n    g = lambda self: 1\n', ['class A 2-3']],
  [
    'several lines of header',
    'class A(\n    B,\n    C,\n):\n    def f(\n        self,\n    ) -> int:\n        return 1\n',
    ['class A 1-8', 'method A.f 5-8'],
  ],
  [
    'comments at the end of a body belong to it, comments between definitions do not',
    'def f():\n    pass\n    # end\n\n# about g\ndef g(): pass\n',
    ['function f 1-3', 'function g 6-6'],
  ],
  [
    'names of any script',
    'def größe(): pass\nclass Ключ: pass\n',
    ['function größe 1-1', 'class Ключ 2-2'],
  ],
  [
    'line breaks of Windows',
    'class A:\r\n    def f(self):\r\n        pass\r\n',
    ['class A 1-3', 'method A.f 2-3'],
  ],
  ['tabs', 'class A:\n\tdef f(self):\n\t\tpass\n', ['class A 1-3', 'method A.f 2-3']],
  ['a byte order mark', '\ufeffdef f(): pass\n', ['function f 1-1']],
  ['no line break at the end', 'def f():\n    pass', ['function f 1-2']],
  [
    'stubs',
    'def f(x: int) -> str: ...\nclass A:\n    x: int\n    def g(self): ...\n',
    ['function f 1-1', 'class A 2-4', 'method A.g 4-4'],
  ],
  ['an empty file', '', []],
  ['a file of comments', '# a\n\n# b\n', []],
];

for (const [name, text, expected] of TABLE) {
  test(`chunks: ${name}`, () => {
    const source = parse(text);
    assert.deepEqual(outline(source), expected);
    assert.equal(source.errors, 0);
    assertSound(source);
  });
}

test('chunks: the module comes first and spans the file', () => {
  const [module] = parse('import a\n\ndef f(): pass\n\nx = 1\n').chunks;
  assert.deepEqual(
    [module!.kind, module!.qualifiedName, module!.startLine, module!.endLine, module!.parent],
    ['module', '<module>', 1, 5, -1],
  );
});

test('chunks: the parent of a method is its class', () => {
  const { chunks } = parse('class A:\n    class B:\n        def f(self): pass\ndef g(): pass\n');
  assert.deepEqual(
    chunks.map((chunk) => [chunk.name, chunk.parent]),
    [
      ['<module>', -1],
      ['A', -1],
      ['B', 1],
      ['f', 2],
      ['g', -1],
    ],
  );
});

test('chunks: Python 2 sources', () => {
  const source = parse(dedent`
    class A:
        def f(self, (a, b), c):
            print >>sys.stderr, "x %s" % a,
            try:
                raise ValueError, "bad"
            except ValueError, e:
                print ${'`e`'}
            exec code in ns
            return 0777L
        def g(self):
            if a <> b: return ur"x"

    def h():
        print "hello"
  `);
  assert.deepEqual(outline(source), [
    'class A 1-11',
    'method A.f 2-9',
    'method A.g 10-11',
    'function h 13-14',
  ]);
  assertSound(source);
});

test('chunks: definitions around an error are kept', () => {
  const source = parse(dedent`
    def before():
        return 1

    class A(B):
        def broken(self):
            x = foo(1,
            return x

        def after(self):
            return 2

    def last(:
        pass
  `);
  assert.ok(source.errors > 0);
  assert.deepEqual(outline(source), [
    'function before 1-2',
    'class A 4-10',
    'method A.broken 5-7',
    'method A.after 9-10',
    'function last 12-13',
  ]);
  assertSound(source);
});

test('chunks: an open bracket at the top does not swallow the file', () => {
  const source = parse(dedent`
    settings = {
        "a": 1,

    def f(a):
        return 1

    class C(D):
        def m(self):
            return 2

        async def n(self):
            return 3
  `);
  assert.ok(source.errors > 0);
  assert.deepEqual(outline(source), [
    'function f 4-5',
    'class C 7-12',
    'method C.m 8-9',
    'method C.n 11-12',
  ]);
  assertSound(source);
});

test('chunks: code in a docstring is not a definition, even next to an error', () => {
  const source = parse('def f():\n    """\n    def g():\n        pass\n    """\n    return $ 1\n');
  assert.ok(source.errors > 0);
  assert.deepEqual(outline(source), ['function f 1-6']);
  assert.equal(chunkOf(source, 'f').doc !== null, true);
});
