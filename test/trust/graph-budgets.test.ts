import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { createCallResolver } from '../../src/engine/graph/repository-graph.ts';
import type { CallResolver, FileResolution, GraphFile } from '../../src/engine/graph/types.ts';
import { listEdges, parseGraphFile, parseGraphFiles } from '../graph/support.ts';
import { scaleRounds } from '../support/effort.ts';
import { ADVERSARIES, type Sources } from './adversaries.ts';

/** Size of the adversaries. Chains of twice this length would overflow the stack of a recursive resolver. */
const SIZE = Math.min(scaleRounds(1000), 8000);
/** Maximum number of steps for one file, and between two pauses (which includes the largest reference). */
const MAX_STEPS_PER_FILE = 2_100_000;
const MAX_STEPS_PER_TURN = 310_000;

/** Ordinary files that are added to every repository. */
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
  innocentEdges = listInnocentEdges(createResolver(files), files);
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
      assert.ok(steps < MAX_STEPS_PER_FILE, `${steps} steps for one file`);
      assert.ok(cut || steps < 2_000_000, 'a file that used all its steps is reported');
    }
    assert.ok(large.atOnce < MAX_STEPS_PER_TURN, `${large.atOnce} steps without a pause`);
  });

test('finding the effects of an edit among thousands of dependent files is interrupted by pauses', async () => {
  const files = await parseGraphFiles(ADVERSARIES['methods of one name']!(SIZE));
  const graph = createResolver(files);
  for (const path of files.keys()) runToEnd(graph.resolve(path));
  graph.put('root.py', await parseGraphFile('root.py', 'class Root: pass\n'));
  const work = graph.takeAffected();
  let pauses = 0;
  let next = work.next();
  for (; !next.done; next = work.next()) pauses++;
  assert.equal(pauses, files.size - 1);
  assert.equal(next.value.size, files.size);
});

test('after an edit, call graphs are cut short at the same points as by a new resolver', async () => {
  for (const name of [
    'chained classes, each in a file',
    'star imports in a circle',
    'chained re-exports',
  ]) {
    const files = await parseGraphFiles(ADVERSARIES[name]!(700));
    const graph = createResolver(files);
    const edges = new Map([...files.keys()].map((path) => [path, listEdges(graph, files, path)]));
    for (const [path, text] of Object.entries(ADVERSARIES[name]!(701)).slice(0, 9)) {
      const file = await parseGraphFile(path, `${text}\ndef added(): pass\n`);
      files.set(path, file);
      graph.put(path, file);
      for (const one of runToEnd(graph.takeAffected()))
        edges.set(one, listEdges(graph, files, one));
    }
    const fresh = createResolver(files);
    for (const path of files.keys())
      assert.deepEqual(edges.get(path), listEdges(fresh, files, path), `${name}: ${path}`);
  }
});

interface Outcome {
  resolutions: FileResolution[];
  steps: number;
  /** Maximum number of steps between two pauses. */
  atOnce: number;
  innocent: string[];
}

async function resolveAll(sources: Sources): Promise<Outcome> {
  const files = await parseGraphFiles({ ...sources, ...INNOCENT });
  const graph = createResolver(files);
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
  return { resolutions, steps, atOnce, innocent: listInnocentEdges(graph, files) };
}

function createResolver(files: ReadonlyMap<string, GraphFile>): CallResolver {
  const graph = createCallResolver();
  for (const [path, file] of files) graph.put(path, file);
  runToEnd(graph.takeAffected());
  return graph;
}

function listInnocentEdges(graph: CallResolver, files: ReadonlyMap<string, GraphFile>): string[] {
  return Object.keys(INNOCENT).flatMap((path) => listEdges(graph, files, path));
}
