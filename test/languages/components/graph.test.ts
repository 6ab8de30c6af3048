/** Resolution of calls from and to components. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FileModules } from '../../../src/engine/languages/javascript/modules.ts';
import { findEdges } from '../../graph/support.ts';

const read = (name: string) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
const PLAIN = '<template>\n<p />\n</template>\n';

/** Returns the edges from some file of these. */
async function edgesFrom(path: string, sources: Record<string, string>): Promise<string[]> {
  const found = await findEdges(sources);
  return found
    .filter((edge) => edge.startsWith(`${path}::`))
    .map((edge) => edge.slice(path.length + 2));
}

test('a template calls the methods, the computed properties and those of base components', async () => {
  const edges = await edgesFrom('src/Tree.vue', {
    'src/Tree.vue': read('awkward.vue'),
    'src/TreeFoot.vue': PLAIN,
    'src/nodes/tree-node.vue': PLAIN,
    'src/Base.vue':
      '<script>\nexport default {\n  methods: {\n    currency() {},\n  },\n};\n</script>\n',
    'src/others.js': 'export function row() {}\nexport class Currency { currency() {} }\n',
  });
  assert.deepEqual(edges, [
    '<template> > src/Base.vue::default.methods.currency',
    '<template> > src/Tree.vue::default.computed.nodes',
    '<template> > src/Tree.vue::default.computed.total',
    '<template> > src/Tree.vue::default.methods.close',
    '<template> > src/Tree.vue::default.methods.format',
    '<template> > src/Tree.vue::default.methods.isActive',
    '<template> > src/Tree.vue::default.methods.onToggle',
    '<template> > src/Tree.vue::default.methods.save',
    '<template> > src/TreeFoot.vue::<template>',
    '<template> > src/nodes/tree-node.vue::<template>',
    'default > src/Base.vue::default inherit',
    'default.methods.onToggle > src/Tree.vue::default.methods.save',
    'default.methods.save > src/Tree.vue::default.methods.close',
  ]);
});

test('a template calls the functions of its script, except for names that it binds', async () => {
  assert.deepEqual(
    await edgesFrom('Setup.vue', { 'Setup.vue': read('awkward-setup.vue'), 'TreeFoot.vue': PLAIN }),
    [
      '<template> > Setup.vue::close',
      '<template> > Setup.vue::save',
      '<template> > Setup.vue::total',
      '<template> > TreeFoot.vue::<template>',
    ],
  );
  assert.deepEqual(
    await edgesFrom('Row.svelte', {
      'Row.svelte': read('awkward.svelte'),
      'Foo.svelte': '<p>1</p>\n',
    }),
    [
      '<module> > Row.svelte::sum',
      '<template> > Foo.svelte::<template>',
      '<template> > Row.svelte::row',
      '<template> > Row.svelte::save',
      '<template> > Row.svelte::sum',
      '<template> > Row.svelte::total',
      'row > Row.svelte::save',
      'total > Row.svelte::sum',
    ],
  );
  assert.deepEqual(
    await edgesFrom('Page.astro', {
      'Page.astro': read('awkward.astro'),
      'Card.astro': '<b>1</b>\n',
    }),
    [
      '<module> > Page.astro::load',
      '<template> > Card.astro::<template>',
      '<template> > Page.astro::format',
    ],
  );
});

test('a template calls the setup that contains a function', async () => {
  const text = `<template>
  <p @click="save">{{ total }}</p>
</template>
<script>
export default {
  setup() {
    const total = computed(() => 1);
    function save() {}
    return { total, save };
  },
  mounted() {
    this.save();
  },
};
</script>
`;
  assert.deepEqual(await edgesFrom('Tree.vue', { 'Tree.vue': text }), [
    '<template> > Tree.vue::default.setup',
    'default.mounted > Tree.vue::default.setup',
  ]);
});

test('scripts import components, and functions from them', async () => {
  const sources = {
    'src/Tree.vue': '<script>\nexport default {\n  mounted() {},\n};\n</script>\n',
    'src/Leaf.svelte': `<script module>\nexport function grow() {}\n</script>\n<p>{grow()}</p>\n`,
    'src/main.ts': [
      "import Tree from './Tree.vue';",
      "import Other from './Tree';",
      "import Leaf, { grow } from './Leaf.svelte';",
      "import Alias from '@/Leaf.svelte';",
      'function a() { mount(Tree); new Tree(); }',
      'function b() { Other(); }',
      'function c() { new Leaf(); grow(); }',
      'function d() { new Alias(); }',
    ].join('\n'),
  };
  assert.deepEqual(await edgesFrom('src/main.ts', sources), [
    'a > src/Tree.vue::default construct',
    'b > src/Tree.vue::default construct',
    'c > src/Leaf.svelte::<template>',
    'c > src/Leaf.svelte::grow',
    'd > src/Leaf.svelte::<template>',
  ]);
});

test('components that are not imported are found by their names, the nearest first', () => {
  const modules = new FileModules(() => false);
  const touched = new Set<string>();
  const paths = [
    'app/a/tree-node.vue',
    'app/b/TreeNode.vue',
    'app/base/Button.vue',
    'app/menu/index.vue',
    'app/Map.client.vue',
  ];
  for (const path of paths) modules.add(path, touched);
  const resolve = (importer: string, name: string) => {
    const fact = { module: `<${name}>`, level: 0, member: 'default', local: name, scope: 0 };
    return modules.resolveImport(importer, fact).module?.file ?? null;
  };
  assert.equal(resolve('app/b/Tree.vue', 'TreeNode'), 'app/b/TreeNode.vue');
  assert.equal(resolve('app/a/Tree.vue', 'TreeNode'), 'app/a/tree-node.vue');
  assert.equal(resolve('app/Tree.vue', 'TreeNode'), null);
  assert.equal(resolve('app/Tree.vue', 'BaseButton'), 'app/base/Button.vue');
  assert.equal(resolve('app/Tree.vue', 'Menu'), 'app/menu/index.vue');
  assert.equal(resolve('app/Tree.vue', 'Map'), 'app/Map.client.vue');
  assert.ok(touched.has('<TreeNode>'));
  modules.remove('app/b/TreeNode.vue', touched);
  assert.equal(resolve('app/Tree.vue', 'TreeNode'), 'app/a/tree-node.vue');
});
