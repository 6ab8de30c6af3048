import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphLanguage } from '../../src/engine/graph/language.ts';
import { LanguageGraph } from '../../src/engine/graph/language-graph.ts';
import type { GraphFile } from '../../src/engine/graph/types.ts';
import type { FileFacts } from '../../src/engine/parse/types.ts';
import { edgesIn, edgesOf } from './support.ts';

/** A language that shares no word with Python. */
const INVENTED: GraphLanguage = {
  extensions: ['.inv'],
  packageFile: 'index',
  instanceNames: ['this'],
  classNames: ['type'],
  superCall: 'base',
  sourceRoots: ['source'],
  classAttribute: 'constructor',
  callMethod: 'invoke',
  rootClasses: ['Any'],
  propertyDecorators: ['getter'],
  selfTypes: ['This'],
  privatePrefix: '#',
  standardModules: new Set(['io']),
  commonNames: new Set(['size']),
};

type Chunk = GraphFile['chunks'][number];

const MODULE: Chunk = {
  qualifiedName: '<module>',
  ordinal: 0,
  name: '<module>',
  kind: 'module',
  parent: -1,
};

/** Chunks by qualified name; a name with a dot is a method of the class of the name before it. */
function chunksOf(names: string[]): Chunk[] {
  const chunks = [MODULE];
  for (const qualifiedName of names) {
    const [owner, member] = qualifiedName.split('.');
    const parent = member ? chunks.findIndex((chunk) => chunk.qualifiedName === owner) : -1;
    const isClass = !member && /^[A-Z]/.test(qualifiedName);
    const kind = member ? 'method' : isClass ? 'class' : 'function';
    chunks.push({ qualifiedName, ordinal: 0, name: member ?? qualifiedName, kind, parent });
  }
  return chunks;
}

test('the words of a language are data', () => {
  let nextId = 1;
  const file = (path: string, names: string[], facts: Partial<FileFacts>): GraphFile => {
    const chunks = chunksOf(names);
    const empty = { imports: [], bindings: [], references: [] };
    return { path, chunks, chunkIds: chunks.map(() => nextId++), facts: { ...empty, ...facts } };
  };
  const call = (scope: number, ...chain: string[]) =>
    ({ scope, chain, kind: 'call', line: 1, column: chain.join('.').length }) as const;

  const files = new Map(
    [
      file('source/shapes/index.inv', ['Shape', 'Shape.draw', 'Shape.invoke'], {
        references: [{ scope: 1, chain: ['Any'], kind: 'inherit', line: 1, column: 0 }],
      }),
      file('app.inv', ['Square', 'Square.draw', 'Square.again', 'run'], {
        imports: [{ module: 'shapes', level: 0, member: 'Shape', local: 'Shape', scope: 0 }],
        bindings: [
          { scope: 3, target: '', value: 'This', how: 'return' },
          { scope: 4, target: 'x', value: 'Square', how: 'call' },
        ],
        references: [
          { scope: 1, chain: ['Shape'], kind: 'inherit', line: 1, column: 0 },
          call(2, 'base()', 'draw'),
          call(2, 'this', 'again'),
          call(3, 'this', 'constructor'),
          call(4, 'x'),
          call(4, 'x', 'again()', 'draw'),
        ],
      }),
    ].map((one) => [one.path, one]),
  );
  const graph = new LanguageGraph(INVENTED, () => false);
  for (const [path, file] of files) graph.put(path, file);
  assert.deepEqual(edgesOf(graph, files, 'app.inv'), [
    'app.inv::Square > source/shapes/index.inv::Shape inherit',
    'app.inv::Square.again > app.inv::Square construct',
    'app.inv::Square.draw > app.inv::Square.again',
    'app.inv::Square.draw > source/shapes/index.inv::Shape.draw',
    'app.inv::run > app.inv::Square.draw',
    'app.inv::run > source/shapes/index.inv::Shape.invoke',
  ]);
});

test('long chains in generated code are no trouble', async () => {
  const count = 5000;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const aliases = numbers.map((i) => `x${i} = x${i - 1}`).join('\n');
  assert.deepEqual(
    await edgesIn(
      `def target(): pass\nx0 = target\n${aliases}\ndef f():\n    x${count}()\n    x3()\n`,
    ),
    ['f > target'],
  );
});

test('deep hierarchies are no trouble', async () => {
  const depth = 500;
  const classes = Array.from({ length: depth }, (_, i) => `class C${i + 1}(C${i}): pass`).join(
    '\n',
  );
  const found = await edgesIn(
    `class C0:\n    def m(self): pass\n${classes}\ndef f():\n    C${depth}().m()\n`,
  );
  assert.equal(found.length, depth + 2);
  assert.ok(found.includes('f > C0.m'));
});
