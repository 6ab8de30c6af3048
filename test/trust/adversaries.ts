/**
 * Small repositories whose call graphs take unbounded work in a naive resolver. Each is a function of its size n, and its
 * bytes grow about linearly with n.
 */

/** Sources by path. */
export type Sources = Record<string, string>;

const count = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));
const lines = (n: number, make: (i: number) => string): string => count(n, make).join('\n');
const files = (n: number, make: (i: number) => [string, string]): Sources =>
  Object.fromEntries(count(n, make));

/** Adversaries by a description for test titles. */
export const ADVERSARIES: Record<string, (n: number) => Sources> = {
  'classes of one root and one that derives from all': (n) => ({
    'a.py': [
      'class Root:\n    def run(self): pass',
      lines(n, (i) => `class C${i}(Root): pass`),
      `class All(${count(n, (i) => `C${i}`).join(', ')}):\n    def go(self):\n        self.run()\n        self.fly()`,
    ].join('\n'),
  }),
  'a class of many bases that are nowhere': (n) => ({
    'a.py': `class A(${count(n, (i) => `B${i}`).join(', ')}):\n    def go(self):\n        self.run()\n`,
  }),
  'chained classes': (n) => ({
    'a.py': `class C0:\n    def run(self): pass\n${lines(n, (i) => `class C${i + 1}(C${i}):\n    def go${i}(self):\n        self.run()`)}\n`,
  }),
  'chained classes, each in a file': (n) => ({
    'c0.py': 'class C0:\n    def run(self): pass\n',
    ...files(n, (i) => [
      `c${i + 1}.py`,
      `from c${i} import C${i}\nclass C${i + 1}(C${i}):\n    def go${i}(self):\n        self.run()\n        self.fly()\n`,
    ]),
  }),
  'chained classes whose methods take more arguments than their calls have': (n) => ({
    'A.java': lines(
      n,
      (i) =>
        `class C${i}${i ? ` extends C${i - 1}` : ''} {\n  void run(int a) {}\n  void go() { run(); }\n}`,
    ),
  }),
  'classes that derive from each other in a circle': (n) => ({
    'a.py': lines(n, (i) => `class C${i}(C${(i + 1) % n}):\n    def go(self):\n        self.fly()`),
  }),
  'classes that derive from all before them': (n) => {
    const side = Math.ceil(Math.sqrt(20 * n));
    return {
      'a.py': lines(
        side,
        (i) =>
          `class C${i}${i ? `(${count(i, (j) => `C${i - 1 - j}`).join(', ')})` : ''}:\n    def go(self):\n        self.fly()`,
      ),
    };
  },
  'bases in an order that contradicts itself': (n) => ({
    'a.py': lines(n, (i) =>
      i < 2
        ? `class C${i}: pass`
        : `class C${i}(C${i % 2 ? `${i - 1}, C${i - 2}` : `${i - 2}, C${i - 1}`}):\n    def go(self):\n        self.fly()`,
    ),
  }),
  'modules star-imported by one that has many unknown names': (n) => ({
    ...files(n, (i) => [`m${i}.py`, `def f${i}(): pass\n`]),
    'a.py': `${lines(n, (i) => `from m${i} import *`)}\n${lines(30 * n, (i) => `u${i}()`)}\nf${n - 1}()\n`,
  }),
  'modules star-imported by one whose classes have unknown bases': (n) => ({
    ...files(n, (i) => [`m${i}.py`, `def f${i}(): pass\n`]),
    'a.py': `${lines(n, (i) => `from m${i} import *`)}\n${lines(n, (i) => `class C${i}(U${i}):\n    def go(self):\n        self.fly()`)}\n`,
  }),
  'chained star imports': (n) => ({
    'm0.py': 'def f(): pass\n',
    ...files(n, (i) => [`m${i + 1}.py`, `from m${i} import *\nf()\nu${i}()\n`]),
  }),
  'star imports in a circle': (n) =>
    files(n, (i) => [`m${i}.py`, `from m${(i + 1) % n} import *\ndef f${i}(): u${i}()\n`]),
  'modules that star-import all others': (n) => {
    const side = Math.ceil(Math.sqrt(2 * n));
    return files(side, (i) => [
      `m${i}.py`,
      `${lines(side, (j) => `from m${j} import *`)}\ndef f${i}():\n    u${i}()\n    f${(i + 7) % side}()\n`,
    ]);
  },
  're-exports in a circle': (n) =>
    files(n, (i) => [
      `m${i}.py`,
      `from m${(i + 1) % n} import x, y as z, z as y\nx()\ny.run()\nz.run()\n`,
    ]),
  'chained re-exports': (n) => ({
    'm0.py': 'def f(): pass\n',
    ...files(n, (i) => [`m${i + 1}.py`, `from m${i} import f\nf()\n`]),
  }),
  'modules of one name': (n) => ({
    ...files(n, (i) => [`d${i}/same.py`, `def f(): pass\n`]),
    ...files(n, (i) => [`d${i}/sub/use.py`, `import same\nfrom same import f\nf()\nsame.f()\n`]),
  }),
  'modules of one name without what is asked of them': (n) => ({
    ...files(n, (i) => [`d${i}/same.py`, `def f(): pass\n`]),
    ...files(n, (i) => [`e${i}/use.py`, `import same.deep.down\nfrom same.other import f\nf()\n`]),
  }),
  'packages in packages': (n) => {
    const depth = Math.ceil(Math.sqrt(20 * n));
    const folder = (i: number) => 'p/'.repeat(i);
    return {
      ...files(depth, (i) => [`${folder(i)}p.py`, 'def f(): pass\n']),
      ...files(depth, (i) => [
        `${folder(i)}use.py`,
        'from p import f\nfrom p.p import g\nf()\ng()\n',
      ]),
    };
  },
  'an import of a long path': (n) => ({
    'a.py': `from ${'a.'.repeat(n)}b import *\nimport ${'a.'.repeat(n)}b as c\n${lines(n, (i) => `u${i}()`)}\nc.d()\n`,
  }),
  'a long chain of attributes': (n) => ({
    'a.py': `class A:\n    def run(self): pass\na = A()\na.a = a\ndef f():\n    x = a${'.a'.repeat(n)}\n    a${'.a'.repeat(n)}.run()\n    x.run()\n`,
  }),
  'many redefinitions of one name': (n) => ({
    'a.py': `${lines(n, (i) => `class A${i}:\n    def run(self): pass\nx = A${i}()\ndef f(): x.run()`)}\nf()\nx.run()\n`,
  }),
  'assignments of each to the next': (n) => ({
    'a.py': `def f(): pass\nx0 = f\n${lines(n, (i) => `x${i + 1} = x${i}`)}\ndef g():\n${lines(n, (i) => `    x${n - i}()`)}\n`,
  }),
  'assignments of each to all': (n) => ({
    'a.py': `def f(): pass\n${lines(n, (i) => `x = y = z = f\nx = y.a${i}\ny = z.a${i}\nz = x.a${i}\nz.a${i} = x.y`)}\nx()\ny.z()\n`,
  }),
  'attributes of each assigned from the next': (n) => ({
    'a.py': lines(
      n,
      (i) =>
        `class A${i}:\n    def __init__(self):\n        self.x = A${(i + 1) % n}().x\n        self.y = self.x\n    def go(self):\n        self.x.run()\n        self.y.x.run()`,
    ),
  }),
  'properties that are of the type of another in a circle': (n) => ({
    'a.py': `${lines(n, (i) => `class A${i}:\n    @property\n    def p(self) -> A${(i + 1) % n}.p: pass`)}\ndef f(a: A0):\n    a.p.run()\n`,
  }),
  'properties of types that are looked up twice': (n) => ({
    'a.py': `import outside\n${lines(n, (i) => `class A${i}:\n    @property\n    def p(self) -> ${i + 1 < n ? `A${i + 1}().p` : 'outside.x'}: pass\n    @property\n    def q(self) -> ${i + 1 < n ? `A${i + 1}.q` : 'outside.x'}: pass`)}\ndef f(a: A0):\n    a.p.run()\n    A0.q.run()\n`,
  }),
  'objects that return themselves when called': (n) => ({
    'a.py': `class A:\n    def __call__(self) -> x0: pass\nx0 = A()\n${lines(n, (i) => `x${i + 1} = x${i}()`)}\ndef f():\n${lines(n, (i) => `    x${i}()()`)}\n`,
  }),
  'methods of one name': (n) => ({
    'root.py': 'class Root:\n    def frobnicate(self): pass\n',
    ...files(n, (i) => [
      `c${i}.py`,
      `from root import Root\nclass C${i}(Root):\n    def frobnicate(self): pass\ndef f(x):\n    x.frobnicate()\n`,
    ]),
  }),
  'calls without end': (n) => ({
    'a.py': `def f(): pass\ndef g():\n${lines(25 * n, (i) => `    f(); u${i % 7}.v()`)}\n`,
  }),
  'calls of one function from many': (n) => ({
    'a.py': `def f(): pass\n${lines(5 * n, (i) => `def g${i}(x): f(); x.go()`)}\n`,
  }),
  'a function of many returns': (n) => ({
    'a.py': `${lines(n, (i) => `class A${i}:\n    def run(self): pass\ndef f() -> A${i}: return A${i}()\nx = f() if c else A${i}()`)}\nf().run()\nx.run()\ndef g():\n    f().run().run()\n`,
  }),
  'imports of one name from everywhere': (n) => ({
    ...files(n, (i) => [`m${i}.py`, `class A:\n    def run(self): pass\n`]),
    'a.py': `${lines(n, (i) => `from m${i} import A`)}\ndef f():\n    A().run()\n    A.run()\n`,
  }),
  'classes in classes': (n) => {
    const depth = Math.ceil(Math.sqrt(2 * n));
    const indent = (i: number) => ' '.repeat(i);
    return {
      'a.py': `${lines(depth, (i) => `${indent(i)}class C${i}:\n${indent(i + 1)}def f(self): self.g()`)}\nC0${count(depth - 1, (i) => `.C${i + 1}`).join('')}().f()\n`,
    };
  },
  'classes inside of a function that call themselves': (n) => ({
    'a.py': `class A:\n  def f(self):\n${lines(n, (i) => `    class B${i}:\n      def g(self): self.h()`)}\n`,
  }),
};
