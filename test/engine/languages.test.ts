/** The call graph of an indexed repository matches its files, in every language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dumpIndex } from '../support/dump.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, SmallProcess } from '../support/small-index.ts';

/** Returns the edges of an index of these files: `caller#ordinal > callee#ordinal`. */
async function indexedEdges(sources: Record<string, string>): Promise<string[]> {
  const dataDir = temporaryFolder();
  const tree = new MemoryTree();
  for (const [path, text] of Object.entries(sources)) tree.files.set(path, text);
  const process = new SmallProcess(`${dataDir}/repositories/one`, tree, Math.random);
  try {
    await process.run();
    return dumpIndex(dataDir).edges.map((edge) => edge.split(' | ').slice(0, 2).join(' > '));
  } finally {
    await process.close();
    removeFolder(dataDir);
  }
}

test('methods of other files and names of the package', async () => {
  const edges = await indexedEdges({
    'server/type.go': 'package server\n\ntype Server struct{}\n',
    'server/method.go': 'package server\n\nfunc (s *Server) start() {}\n',
    'server/use.go': 'package server\n\nfunc run(s *Server) {\n\ts.start()\n}\n',
  });
  assert.deepEqual(edges, ['server/use.go::run#0 > server/method.go::Server.start#0']);
});

test('overloads by number of arguments', async () => {
  const edges = await indexedEdges({
    'a/A.java': 'package a;\nclass A {\n  void f(int x) {}\n  void f(int x, int y) {}\n}\n',
    'a/B.java': 'package a;\nclass B { void g(A a) { a.f(1, 2); } }\n',
  });
  assert.deepEqual(edges, ['a/B.java::B.g#0 > a/A.java::A.f#1']);
});

test('properties are read, not called', async () => {
  const edges = await indexedEdges({
    'a.ts': 'export class A { get inner(): B { return new B(); } }\nexport class B { run() {} }\n',
    'b.ts': "import { A } from './a';\nfunction f(a: A) { a.inner.run(); }\n",
  });
  assert.ok(edges.includes('b.ts::f#0 > a.ts::B.run#0'), edges.join());
});

test('templates of components call their scripts, and scripts call components', async () => {
  const edges = await indexedEdges({
    'Tree.vue':
      '<template>\n  <Leaf @click="save" />\n</template>\n<script setup>\nimport { open } from "./open";\nfunction save() { open(); }\n</script>\n',
    'Leaf.svelte': '<b>{1}</b>\n',
    'Leaf.vue': '<template><b /></template>\n',
    'open.ts': "import Leaf from './Leaf.svelte';\nexport function open() { new Leaf(); }\n",
  });
  assert.deepEqual(edges.toSorted(), [
    'Tree.vue::<template>#0 > Leaf.vue::<template>#0',
    'Tree.vue::<template>#0 > Tree.vue::save#0',
    'Tree.vue::save#0 > open.ts::open#0',
    'open.ts::open#0 > Leaf.svelte::<template>#0',
  ]);
});
