import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../src/engine/event-loop/stepwise.ts';
import { RepositoryGraph } from '../../src/engine/graph/repository-graph.ts';
import type { GraphFile } from '../../src/engine/graph/types.ts';
import { moduleText, PATHS } from '../support/random-module.ts';
import { createGraph, listEdges, parseGraphFile, parseGraphFiles } from './support.ts';

/** A repository that is edited; after each change, only the affected files are resolved again. */
class EditedRepository {
  readonly files = new Map<string, GraphFile>();
  readonly graph = new RepositoryGraph();
  readonly edges = new Map<string, string[]>();
  /** Paths resolved after the last change. */
  resolved: string[] = [];

  async change(sources: Record<string, string | null>): Promise<void> {
    for (const [path, text] of Object.entries(sources)) {
      const file = text === null ? null : await parseGraphFile(path, text);
      this.graph.put(path, file);
      if (file) this.files.set(path, file);
      else this.files.delete(path);
    }
    const affected = runToEnd(this.graph.takeAffected());
    this.resolved = [...affected].sort();
    const raw = new Map(
      [...affected].map((path) => [path, listEdges(this.graph, this.files, path)]),
    );
    for (const [path, edges] of raw) this.edges.set(path, edges);
  }

  /** Compares with a new resolver that has seen only the current files. */
  assertLikeFresh(message: string): void {
    const fresh = createGraph(this.files);
    for (const path of [...this.files.keys()].sort())
      assert.deepEqual(
        this.edges.get(path),
        listEdges(fresh, this.files, path),
        `${path}: ${message}`,
      );
  }
}

test('resolves only the file and its callers after an edit of a body', async () => {
  const edited = new EditedRepository();
  await edited.change({
    'lib.py': 'def f(): pass\n',
    'caller.py': 'import lib\ndef g(): lib.f()\n',
    'reader.py': 'import lib\ndef g(): lib.other()\n',
    'stranger.py': 'def h(): pass\n',
  });
  await edited.change({ 'lib.py': 'def f():\n    return 1\n' });
  assert.deepEqual(edited.resolved, ['caller.py', 'lib.py']);
  edited.assertLikeFresh('after the edit');
});

test('resolves files that looked up the name of a new definition', async () => {
  const edited = new EditedRepository();
  await edited.change({
    'lib.py': 'def f(): pass\n',
    'reader.py': 'import lib\ndef g(): lib.other()\n',
    'stranger.py': 'import lib\n',
  });
  await edited.change({ 'lib.py': 'def f(): pass\ndef other(): pass\n' });
  assert.deepEqual(edited.resolved, ['lib.py', 'reader.py']);
  assert.deepEqual(edited.edges.get('reader.py'), ['reader.py::g > lib.py::other']);
});

test('follows a file that is added, removed and added again', async () => {
  const edited = new EditedRepository();
  await edited.change({ 'use.py': 'from lib import f\ndef g(): f()\n' });
  assert.deepEqual(edited.edges.get('use.py'), []);
  await edited.change({ 'lib.py': 'def f(): pass\n' });
  assert.deepEqual(edited.edges.get('use.py'), ['use.py::g > lib.py::f']);
  await edited.change({ 'lib.py': null });
  assert.deepEqual(edited.edges.get('use.py'), []);
  assert.deepEqual(runToEnd(edited.graph.resolve('lib.py')).edges, []);
  await edited.change({ 'lib.py': 'def f(): pass\n' });
  assert.deepEqual(edited.edges.get('use.py'), ['use.py::g > lib.py::f']);
});

test('removes a guess after a second definition of the name', async () => {
  const edited = new EditedRepository();
  await edited.change({
    'one.py': 'class A:\n    def unusual(self): pass\n',
    'use.py': 'def f(x): x.unusual()\n',
  });
  assert.deepEqual(edited.edges.get('use.py'), ['use.py::f > one.py::A.unusual guess']);
  await edited.change({ 'two.py': 'class B:\n    def unusual(self): pass\n' });
  assert.deepEqual(edited.edges.get('use.py'), []);
  await edited.change({ 'one.py': null });
  assert.deepEqual(edited.edges.get('use.py'), ['use.py::f > two.py::B.unusual guess']);
});

const DISTANT = {
  'top.py': 'class Top:\n    def run(self): pass\nclass Else:\n    def run(self): pass\n',
  'middle.py': `
import top
class Middle(top.Top): pass
class Holder:
    def __init__(self):
        self.held = top.Top()
def make() -> top.Top: pass
made = top.Top()
`,
  'low.py': 'from middle import *\nclass Low(Middle): pass\n',
};

for (const [what, use, before, after] of [
  ['base', 'low.Low().run()', 'class Middle(top.Top)', 'class Middle(top.Else)'],
  ['annotation', 'low.make().run()', '-> top.Top', '-> top.Else'],
  ['attribute', 'low.Holder().held.run()', 'held = top.Top', 'held = top.Else'],
  ['variable', 'low.made.run()', 'made = top.Top', 'made = top.Else'],
] as const)
  test(`updates edges through other files after a changed ${what}`, async () => {
    const edited = new EditedRepository();
    await edited.change({ ...DISTANT, 'use.py': `import low\ndef f():\n    ${use}\n` });
    assert.ok(edited.edges.get('use.py')!.includes('use.py::f > top.py::Top.run'));
    await edited.change({ 'middle.py': DISTANT['middle.py'].replace(before, after) });
    edited.assertLikeFresh('after the edit');
    assert.ok(edited.edges.get('use.py')!.includes('use.py::f > top.py::Else.run'));
  });

test('skips files in unknown languages', async () => {
  const graph = new RepositoryGraph();
  const [file] = (await parseGraphFiles({ 'a.py': 'def f(): f()\n' })).values();
  graph.put('notes.txt', { ...file!, path: 'notes.txt' });
  assert.deepEqual([...runToEnd(graph.takeAffected())], ['notes.txt']);
  assert.deepEqual(runToEnd(graph.resolve('notes.txt')).edges, []);
});

for (const seed of [1, 2, 3, 4]) {
  test(`any sequence of edits gives the edges of a new resolver (${seed})`, async () => {
    const random = createGenerator(seed);
    const edited = new EditedRepository();
    const start: Record<string, string> = {};
    for (const path of PATHS) if (random(4) > 0) start[path] = moduleText(random);
    await edited.change(start);
    for (let step = 1; step <= 60; step++) {
      const changes: Record<string, string | null> = {};
      for (let left = 1 + random(2); left > 0; left--) {
        const path = PATHS[random(PATHS.length)]!;
        const isThere = edited.files.has(path);
        changes[path] = isThere && random(4) === 0 ? null : moduleText(random);
      }
      await edited.change(changes);
      edited.assertLikeFresh(`after step ${step}, ${Object.keys(changes).join(' and ')}`);
    }
  });
}

/** Creates a generator of pseudo-random integers below a limit (mulberry32), the same for the same seed. */
function createGenerator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
