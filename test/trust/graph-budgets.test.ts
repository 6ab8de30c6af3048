import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { createCallResolver } from '../../src/engine/graph/repository-graph.ts';
import type { CallResolver, FileResolution, GraphFile } from '../../src/engine/graph/types.ts';
import { listEdges, parseGraphFile, parseGraphFiles } from '../graph/support.ts';
import { rounds } from '../support/effort.ts';
import { ADVERSARIES, type Sources } from './adversaries.ts';

/** Twice this long, chains are longer than a stack is deep for those who follow them by recursion. */
const SIZE = Math.min(rounds(1000), 8000);
/** What the references of a file may take, and what is between two pauses: the pause itself, and the largest reference. */
const MAX_OF_A_FILE = 2_100_000;
const MAX_AT_ONCE = 310_000;

/** Files that do nothing wrong, in every repository. */
const INNOCENT: Sources = {
  'innocent/__init__.py': '',
  'innocent/shop.py':
    'class Cart:\n    def total_price(self):\n        return self.tax_rate()\n    def tax_rate(self): pass\n',
  'innocent/till.py':
    'from innocent.shop import Cart\nclass Till(Cart):\n    def pay(self):\n        return self.total_price()\ndef buy(x):\n    Till().pay()\n    x.total_price()\n',
};
let innocentEdges: string[];

before(async () => {
  const files = await parseGraphFiles(INNOCENT);
  innocentEdges = innocentEdgesOf(resolverOf(files), files);
  assert.equal(innocentEdges.length, 6);
});

for (const [name, make] of Object.entries(ADVERSARIES))
  test(`bounded work: ${name}`, async () => {
    const small = await resolveAll(make(SIZE));
    const large = await resolveAll(make(2 * SIZE));
    assert.deepEqual(large.innocent, innocentEdges);
    const ratio = large.steps / small.steps;
    assert.ok(ratio < 3, `twice the size takes ${ratio} times the steps`);
    for (const { steps, cut } of large.resolutions) {
      assert.ok(steps < MAX_OF_A_FILE, `${steps} steps for one file`);
      assert.ok(cut || steps < 2_000_000, 'a file that spent all steps says so');
    }
    assert.ok(large.atOnce < MAX_AT_ONCE, `${large.atOnce} steps without a pause`);
  });

test('an edit of one file of thousands that depend on each other is found out in pauses', async () => {
  const files = await parseGraphFiles(ADVERSARIES['methods of one name']!(SIZE));
  const graph = resolverOf(files);
  for (const path of files.keys()) runToEnd(graph.resolve(path));
  graph.put('root.py', await parseGraphFile('root.py', 'class Root: pass\n'));
  const work = graph.takeAffected();
  let pauses = 0;
  let next = work.next();
  for (; !next.done; next = work.next()) pauses++;
  assert.equal(pauses, files.size - 1);
  assert.equal(next.value.size, files.size);
});

test('what is cut is cut again after an edit, as by a resolver that starts afresh', async () => {
  for (const name of [
    'chained classes, each in a file',
    'star imports in a circle',
    'chained re-exports',
  ]) {
    const files = await parseGraphFiles(ADVERSARIES[name]!(700));
    const graph = resolverOf(files);
    const edges = new Map([...files.keys()].map((path) => [path, listEdges(graph, files, path)]));
    for (const [path, text] of Object.entries(ADVERSARIES[name]!(701)).slice(0, 9)) {
      const file = await parseGraphFile(path, `${text}\ndef added(): pass\n`);
      files.set(path, file);
      graph.put(path, file);
      for (const one of runToEnd(graph.takeAffected()))
        edges.set(one, listEdges(graph, files, one));
    }
    const fresh = resolverOf(files);
    for (const path of files.keys())
      assert.deepEqual(edges.get(path), listEdges(fresh, files, path), `${name}: ${path}`);
  }
});

interface Outcome {
  resolutions: FileResolution[];
  steps: number;
  /** The most steps between two pauses. */
  atOnce: number;
  innocent: string[];
}

async function resolveAll(sources: Sources): Promise<Outcome> {
  const files = await parseGraphFiles({ ...sources, ...INNOCENT });
  const graph = resolverOf(files);
  const resolutions: FileResolution[] = [];
  let atOnce = 0;
  for (const path of files.keys()) {
    const work = graph.resolve(path);
    let next = work.next();
    let paused = 0;
    for (; !next.done; next = work.next()) {
      atOnce = Math.max(atOnce, next.value);
      paused += next.value;
    }
    resolutions.push(next.value);
    atOnce = Math.max(atOnce, next.value.steps - paused);
  }
  const steps = resolutions.reduce((sum, resolution) => sum + resolution.steps, 0);
  return { resolutions, steps, atOnce, innocent: innocentEdgesOf(graph, files) };
}

function resolverOf(files: ReadonlyMap<string, GraphFile>): CallResolver {
  const graph = createCallResolver();
  for (const [path, file] of files) graph.put(path, file);
  runToEnd(graph.takeAffected());
  return graph;
}

function innocentEdgesOf(graph: CallResolver, files: ReadonlyMap<string, GraphFile>): string[] {
  return Object.keys(INNOCENT).flatMap((path) => listEdges(graph, files, path));
}
