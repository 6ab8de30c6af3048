/** Resolution of calls in JavaScript and TypeScript. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileModules } from '../../../src/engine/languages/javascript/modules.ts';
import { readTypeName } from '../../../src/engine/languages/javascript/type-names.ts';
import { findEdges } from '../../graph/support.ts';

const LIBRARY = `export function helper() {}
export class Foo { bar() {} }
export default function main() {}
`;

/** Returns the edges from `f` in `src/use.ts`, which has these imports and this body. */
const fromUse = async (
  head: string,
  body: string,
  others: Record<string, string> = { 'src/lib.ts': LIBRARY },
  path = 'src/use.ts',
) => {
  const found = await findEdges({ ...others, [path]: `${head}\nfunction f() {\n  ${body}\n}\n` });
  const start = `${path}::f > `;
  return found.filter((edge) => edge.startsWith(start)).map((edge) => edge.slice(start.length));
};

test('the forms of import', async () => {
  for (const [head, body, callee] of [
    ["import { helper } from './lib';", 'helper();', 'helper'],
    ["import { helper } from './lib.js';", 'helper();', 'helper'],
    ["import { helper } from '../src/lib.ts';", 'helper();', 'helper'],
    ["import { helper as h } from './lib';", 'h();', 'helper'],
    ["import * as lib from './lib';", 'lib.helper();', 'helper'],
    ["import main from './lib';", 'main();', 'main'],
    ["import m, { helper } from './lib';", 'm();', 'main'],
    ["import lib = require('./lib');", 'lib.helper();', 'helper'],
    ["const lib = require('./lib');", 'lib.helper();', 'helper'],
    ["const { helper } = require('./lib');", 'helper();', 'helper'],
    ["const { helper: h } = require('./lib');", 'h();', 'helper'],
    ["const h = require('./lib').helper;", 'h();', 'helper'],
    ["const lib = await import('./lib');", 'lib.helper();', 'helper'],
    ['', "const { helper } = require('./lib'); helper();", 'helper'],
    ["import { helper } from '@/lib';", 'helper();', 'helper'],
    ["import { helper } from '~/src/lib';", 'helper();', 'helper'],
    ["import { helper } from 'src/lib';", 'helper();', 'helper'],
  ] as const)
    assert.deepEqual(await fromUse(head, body), [`src/lib.ts::${callee}`], head || body);
});

test('external names are never guessed', async () => {
  for (const head of [
    "import { helper } from 'lib';",
    "import { helper } from 'node:lib';",
    "import { helper } from './other';",
    "const { helper } = require('@scope/lib');",
  ])
    assert.deepEqual(await fromUse(head, 'helper(); helper().bar();'), [], head);
});

test('re-exports', async () => {
  for (const [index, head, body] of [
    ["export * from './lib';", "import { helper } from '.';", 'helper();'],
    ["export { helper as h } from './lib';", "import { h } from './index.js';", 'h();'],
    ["export * as ns from './lib';", "import { ns } from '../src';", 'ns.helper();'],
    ["import { helper } from './lib'; export { helper as h };", "import { h } from '.';", 'h();'],
    ["import { helper } from './lib'; export default helper;", "import h from '.';", 'h();'],
    ["export { helper as default } from './lib';", "import h from './index';", 'h();'],
    ["module.exports = require('./lib');", "const lib = require('.');", 'lib.helper();'],
    ["exports.h = require('./lib').helper;", "const { h } = require('.');", 'h();'],
    [
      "const { helper } = require('./lib'); module.exports = { helper, h: helper };",
      "const { h } = require('.');",
      'h();',
    ],
  ] as const) {
    const others = { 'src/lib.ts': LIBRARY, 'src/index.ts': index };
    assert.deepEqual(await fromUse(head, body, others), ['src/lib.ts::helper'], index);
  }
});

test('CommonJS', async () => {
  for (const [library, head, body, callee] of [
    ['exports.go = function () {};', "const lib = require('./lib');", 'lib.go();', 'go'],
    ['module.exports.go = () => {};', "const { go } = require('./lib');", 'go();', 'go'],
    ['module.exports = function () {};', "const go = require('./lib');", 'go();', 'exports'],
    ['module.exports = function go() {};', "const x = require('./lib');", 'x();', 'go'],
    ['function go() {}\nmodule.exports = go;', "const x = require('./lib');", 'x();', 'go'],
    ['function go() {}\nmodule.exports = go;', "import x from './lib';", 'x();', 'go'],
    ['function go() {}\nexports = module.exports = go;', "var x = require('./lib');", 'x();', 'go'],
    ['module.exports = { go() {} };', "const lib = require('./lib');", 'lib.go();', 'go'],
    ['module.exports = { go: (x) => x };', "const { go } = require('./lib');", 'go();', 'go'],
    ['function a() {}\nexports.go = a;', "const { go } = require('./lib');", 'go();', 'a'],
    [
      'class A { m() {} }\nmodule.exports = { A };',
      "const { A } = require('./lib');",
      'new A().m();',
      'A.m',
    ],
    [
      'class A { m() {} }\nmodule.exports = new A();',
      "const a = require('./lib');",
      'a.m();',
      'A.m',
    ],
  ] as const) {
    const found = await fromUse(head, body, { 'src/lib.js': library }, 'src/use.js');
    assert.ok(found.includes(`src/lib.js::${callee}`), `${library} gives ${found}`);
  }
});

test('packages of a workspace', async () => {
  const others = {
    'packages/core/src/index.ts': LIBRARY,
    'packages/core/index.js': "module.exports = require('./dist/core.cjs');",
    'packages/core/src/deep/part.ts': 'export function deep() {}',
    'packages/ui/src/index.ts': '',
  };
  const use = (head: string, body: string) => fromUse(head, body, others, 'packages/ui/src/use.ts');
  assert.deepEqual(await use("import { helper } from '@shop/core';", 'helper();'), [
    'packages/core/src/index.ts::helper',
  ]);
  assert.deepEqual(await use("import { helper } from 'core';", 'helper();'), [
    'packages/core/src/index.ts::helper',
  ]);
  assert.deepEqual(await use("import { deep } from '@shop/core/deep/part';", 'deep();'), [
    'packages/core/src/deep/part.ts::deep',
  ]);
  // A package in another scope with the same name as the importer's own.
  assert.deepEqual(
    await fromUse(
      "import { helper } from '@other/core';",
      'helper();',
      others,
      'packages/core/src/use.ts',
    ),
    [],
  );
});

test('types of parameters, fields, results and variables', async () => {
  for (const [head, body] of [
    ['', 'const foo = new Foo(); foo.bar();'],
    ['', '(new Foo()).bar();'],
    ['function make(): Foo { return null!; }', 'make().bar();'],
    ['const make = (): Foo | null => null;', 'make()?.bar();'],
    ['async function make(): Promise<Foo> {}', '(await make()).bar();'],
    ['async function make(): Promise<Foo> {}', 'const foo = await make(); foo.bar();'],
    ['let foo: Foo | undefined;', 'foo!.bar();'],
    ['interface Has { foo: Readonly<Foo> }\nlet has: Has;', 'has.foo.bar();'],
    ['interface Has { foo: Foo }\nlet has: Has;', 'const { foo: mine } = has; mine.bar();'],
    ['type Alias = Foo;\nlet foo: Alias;', 'foo.bar();'],
    ['const foo = {} as Foo;', 'foo.bar();'],
  ] as const) {
    const found = await fromUse(`import { Foo } from './lib';\n${head}`, body);
    assert.ok(found.includes('src/lib.ts::Foo.bar'), `${head} ${body} gives ${found}`);
  }
});

test('classes', async () => {
  const found = await findEdges({
    'a.ts': `
class Base {
  run() {}
  static make(): Base { return new Base(); }
}
class Part { lift() {} get other(): Part { return this; } }
interface Task { start(): void }
class Child extends Base implements Task {
  part: Part = new Part();
  #own = new Part();
  handler = () => {
    this.run();
  };
  constructor(private given: Part, readonly task: Task) {
    super();
    this.given.lift();
  }
  go() {
    super.run();
    this.part.lift();
    this.#own.lift();
    this.given.other.lift();
    this.task.start();
    Child.make().run();
    this.#hide();
  }
  #hide() {}
  start() {}
}
`,
  });
  assert.deepEqual(
    found.sort(),
    [
      'Base.make > Base construct',
      'Child > Base inherit',
      'Child > Part construct',
      'Child > Task inherit',
      'Child.constructor > Part.lift',
      'Child.go > Base.make',
      'Child.go > Base.run',
      'Child.go > Child.#hide',
      'Child.go > Part.lift',
      'Child.go > Task.start',
      'Child.handler > Base.run',
    ]
      .map((edge) => edge.replaceAll(/(?<= > |^)/g, 'a.ts::'))
      .sort(),
  );
});

test('a type and a function of one name', async () => {
  const found = await findEdges({
    'a.ts': `
interface Foo { bar(): void }
const Foo = make((self) => self);
interface Sub extends Foo {}
function f(foo: Foo) {
  foo.bar();
  new Foo().bar();
}
`,
  });
  assert.deepEqual(
    found.map((edge) => edge.replaceAll('a.ts::', '')),
    ['Sub > Foo inherit', 'f > Foo#2', 'f > Foo.bar'],
  );
});

test('objects, components, decorators, overloads', async () => {
  const found = await findEdges({
    'a.tsx': `
const api = {
  get() { return this.send(); },
  send: () => 1,
  nested: { deep() {} },
};
function Button() { return <button />; }
export const Page = memo(() => <Layout.Main><Button /></Layout.Main>);
function log() { return (x: any) => x; }
function over(a: string): void;
function over(a: number): void;
function over(a: any) { api.get(); }
@log()
class A {
  @log()
  m() { over(1); }
}
`,
  });
  const at = (edge: string) => edge.replaceAll('a.tsx::', '');
  assert.deepEqual(
    found.map(at),
    [
      'A > log decorate',
      'A.m > log decorate',
      'A.m > over#3',
      'Page > Button',
      'api.get > api.send',
      'over#3 > api.get',
    ].sort(),
  );
});

test('JavaScript and TypeScript call each other', async () => {
  assert.deepEqual(
    await findEdges({
      'a.js': "import { b } from './b';\nexport function a() { b(); }\n",
      'b.tsx': "import { a } from './a.js';\nexport const b = () => { a(); };\n",
    }),
    ['a.js::a > b.tsx::b', 'b.tsx::b > a.js::a'],
  );
});

test("parameters and variables of a function hide the module's names", async () => {
  for (const body of [
    'const helper = 1; helper();',
    '[].map((helper) => helper());',
    '[].map(helper => helper());',
    'const { helper } = x(); helper();',
    'for (const helper of x()) helper();',
    'try {} catch (helper) { helper(); }',
    'function helper() {} helper();',
  ])
    assert.deepEqual(await fromUse("import { helper } from './lib';", body), [], body);
});

test('types are reduced to a name', () => {
  const names: Record<string, string | null> = {
    ': Foo': 'Foo',
    ': a.Foo<Bar>': 'a.Foo',
    ': Foo | null': 'Foo',
    ': undefined | Foo': 'Foo',
    ': | Foo | Bar': 'Foo',
    ': Promise<Foo[]>': 'Array',
    ': Readonly<Partial<Foo>>': 'Foo',
    ': readonly Foo[]': 'Array',
    ': Foo & { a: 1 }': 'Foo',
    ': typeof Foo': 'Foo',
    ': (a: Foo) => Bar': null,
    ': { a: Foo }': null,
    ": 'a' | 'b'": null,
    ': Foo["a"]': null,
    ': any': null,
    ': keyof Foo': null,
    ': Map<string, (a: Foo) => Bar> | Foo': 'Map',
  };
  for (const [annotation, expected] of Object.entries(names))
    assert.equal(readTypeName(annotation)?.name ?? null, expected, annotation);
  assert.equal(readTypeName(': typeof Foo')?.isClass, true);
  assert.equal(readTypeName(`: ${'Promise<'.repeat(1000)}A${'>'.repeat(1000)}`), null);
});

test('added and removed files are reported by the names that look them up', () => {
  const modules = new FileModules(() => false);
  const fact = (module: string) => ({ module, level: 0, member: 'a', local: 'a', scope: 0 });
  const at = (importer: string, module: string) => {
    const { module: found, names } = modules.resolveImport(importer, fact(module));
    return { file: found?.file ?? null, names };
  };
  const cases: [string, string, string][] = [
    ['src/use.ts', './lib', 'src/lib.ts'],
    ['src/use.ts', './lib.js', 'src/lib.tsx'],
    ['src/use.ts', './lib', 'src/lib/index.mts'],
    ['src/use.ts', '.', 'src/index.ts'],
    ['use.js', './', 'index.js'],
    ['src/use.ts', '..', 'index.ts'],
    ['src/use.ts', './types', 'src/types.d.ts'],
    ['a/use.ts', '@shop/core', 'packages/core/src/index.ts'],
    ['a/use.ts', '@shop/core/part', 'packages/core/src/part.ts'],
    ['a/use.ts', '@/deep/part', 'web/deep/part/index.tsx'],
    ['a/use.ts', '#part', 'web/part.js'],
  ];
  for (const [importer, module, path] of cases) {
    const before = at(importer, module);
    assert.equal(before.file, null, module);
    for (const change of ['add', 'remove'] as const) {
      const touched = new Set<string>();
      modules[change](path, touched);
      assert.equal(at(importer, module).file, change === 'add' ? path : null, module);
      assert.ok(
        before.names.some((name) => touched.has(name)),
        `${module} in ${[...touched]}`,
      );
    }
  }
});

test('an import means the nearest of several files, and none if that is ambiguous', () => {
  const modules = new FileModules(() => false);
  for (const path of ['a/src/util.ts', 'b/src/util.ts', 'c/src/x.ts']) modules.add(path, new Set());
  const file = (importer: string) =>
    modules.resolveImport(importer, {
      module: '@/util',
      level: 0,
      member: 'a',
      local: 'a',
      scope: 0,
    }).module?.file ?? null;
  assert.equal(file('a/src/deep/use.ts'), 'a/src/util.ts');
  assert.equal(file('b/use.ts'), 'b/src/util.ts');
  assert.equal(file('c/use.ts'), null);
});
