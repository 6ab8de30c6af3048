import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { LanguageGraph } from '../../src/engine/graph/language-graph.ts';
import type { GraphFile } from '../../src/engine/graph/types.ts';
import type { FileFacts } from '../../src/engine/languages/facts.ts';
import type { GraphRules } from '../../src/engine/languages/language.ts';
import { NamespaceModules } from '../../src/engine/languages/namespace-modules.ts';
import { findSuperlinearGrowth } from '../support/growth.ts';
import { listEdges } from './support.ts';

const RULES: GraphRules = {
  instanceNames: ['this'],
  classNames: [],
  superNames: ['super'],
  classAttribute: 'class',
  callMethod: 'invoke',
  rootClasses: [],
  propertyDecorators: [],
  selfTypes: [],
  isHidden: () => false,
  commonNames: new Set(),
  namespace: { of: (_, declared) => declared ?? null, sharesNames: true, partialTypes: false },
  implicitReceiver: true,
  createResolver: (_, hasNamespace) => new NamespaceModules(hasNamespace),
};

type Chunk = GraphFile['chunks'][number];

let nextId = 1;

/** Creates a file with chunks. `Name` is a class, `Name.x` a method in it, `Name~x` a method declared outside it. */
function file(path: string, names: string[], facts: Partial<FileFacts>): GraphFile {
  const chunks: Chunk[] = [
    { qualifiedName: '<module>', ordinal: 0, name: '<module>', kind: 'module', parent: -1 },
  ];
  const owners: FileFacts['owners'] = [];
  for (const written of names) {
    const [owner, apart] = written.split('~');
    const qualifiedName = written.replace('~', '.');
    const [class_, member] = qualifiedName.split('.');
    const parent = apart || !member ? -1 : chunks.findIndex((one) => one.qualifiedName === class_);
    const kind = member ? 'method' : /^[A-Z]/.test(written) ? 'class' : 'function';
    if (apart && owner) owners.push({ scope: chunks.length, type: owner });
    chunks.push({ qualifiedName, ordinal: 0, name: member ?? written, kind, parent });
  }
  const empty = { imports: [], bindings: [], references: [] };
  return {
    path,
    chunks,
    chunkIds: chunks.map(() => nextId++),
    facts: { ...empty, owners, ...facts },
  };
}

const call = (scope: number, ...chain: string[]) =>
  ({ scope, chain, kind: 'call', line: scope, column: chain.join('.').length }) as const;
const inherit = (scope: number, name: string) => ({
  scope,
  chain: [name],
  kind: 'inherit' as const,
  line: scope,
  column: 0,
});

function graphOf(...files: GraphFile[]) {
  const graph = new LanguageGraph(RULES, () => false);
  const byPath = new Map(files.map((one) => [one.path, one]));
  for (const [path, one] of byPath) graph.put(path, one);
  return { graph, edges: (path: string) => listEdges(graph, byPath, path), byPath };
}

test('resolves names within a namespace, and imports from other namespaces', () => {
  const { edges } = graphOf(
    file('a/one.x', ['run'], { namespace: 'a', references: [call(1, 'help'), call(1, 'far')] }),
    file('a/two.x', ['help'], { namespace: 'a' }),
    file('b/far.x', ['far', 'Outer', 'Outer.make'], { namespace: 'b' }),
    file('c/use.x', ['go'], {
      namespace: 'c',
      imports: [
        { module: 'b', level: 0, member: 'far', local: 'far', scope: 0 },
        { module: 'b.Outer', level: 0, member: 'make', local: 'make', scope: 0 },
        { module: 'a', level: 0, member: '*', local: '*', scope: 0 },
      ],
      references: [call(1, 'far'), call(1, 'make'), call(1, 'help')],
    }),
  );
  assert.deepEqual(edges('a/one.x'), ['a/one.x::run > a/two.x::help']);
  assert.deepEqual(edges('c/use.x'), [
    'c/use.x::go > a/two.x::help',
    'c/use.x::go > b/far.x::Outer.make',
    'c/use.x::go > b/far.x::far',
  ]);
});

test('resolves methods that are declared outside their type, even in other files', () => {
  const { edges } = graphOf(
    file('shape.x', ['Shape', 'Round', 'Shape.area'], {
      namespace: 'n',
      references: [inherit(2, 'Shape')],
    }),
    file('draw.x', ['Round~draw', 'Round~fill'], {
      namespace: 'n',
      references: [call(1, 'this', 'fill'), call(1, 'area'), call(1, 'super', 'area')],
    }),
    file('app.x', ['main'], {
      namespace: 'n',
      bindings: [{ scope: 1, target: 'r', value: 'Round', how: 'type' }],
      references: [call(1, 'r', 'draw'), call(1, 'r', 'area')],
    }),
  );
  assert.deepEqual(edges('draw.x'), [
    'draw.x::Round.draw > draw.x::Round.fill',
    'draw.x::Round.draw > shape.x::Shape.area',
  ]);
  assert.deepEqual(edges('app.x'), [
    'app.x::main > draw.x::Round.draw',
    'app.x::main > shape.x::Shape.area',
  ]);
});

test('resolves files of a namespace again if an edit changes names that they use', () => {
  const one = file('one.x', ['run'], { namespace: 'a', references: [call(1, 'help')] });
  const bystander = file('by.x', ['stand'], { namespace: 'a', references: [call(1, 'run')] });
  const { graph, edges, byPath } = graphOf(one, bystander);
  assert.deepEqual(edges('one.x'), []);
  assert.deepEqual(edges('by.x'), ['by.x::stand > one.x::run']);
  for (const _ of graph.takeAffected());
  const two = file('two.x', ['help'], { namespace: 'a' });
  byPath.set('two.x', two);
  graph.put('two.x', two);
  const affected = graph.takeAffected();
  let step = affected.next();
  while (!step.done) step = affected.next();
  assert.deepEqual([...step.value].sort(), ['one.x', 'two.x']);
  assert.deepEqual(edges('one.x'), ['one.x::run > two.x::help']);
  byPath.delete('two.x');
  graph.put('two.x', null);
  assert.deepEqual(edges('one.x'), []);
});

test('resolves a type of many parts in linear time', () => {
  const rules = { ...RULES, namespace: { of: () => 'n', sharesNames: true, partialTypes: true } };
  const growth = findSuperlinearGrowth(
    (size) => {
      const graph = new LanguageGraph(rules, () => false);
      const parts = Array.from({ length: size / 10 }, (_, i) => `part${i}.x`);
      for (const [i, path] of parts.entries()) {
        const references = [inherit(1, 'Base'), call(2, 'this', `f${i + 1}`), call(2, 'inherited')];
        graph.put(path, file(path, ['Type', `Type.f${i}`], { references }));
      }
      graph.put('base.x', file('base.x', ['Base', 'Base.inherited'], {}));
      const [first = ''] = parts;
      assert.equal(runToEnd(graph.resolve(first)).edges.length, 3);
      return { graph, parts };
    },
    ({ graph, parts }) => parts.map((path) => runToEnd(graph.resolve(path))),
  );
  assert.equal(growth, null);
});
