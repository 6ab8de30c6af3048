/** Other names of a function, such as the inner one of a wrapped function, from its file to a search. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { findByName } from '../../src/engine/inspect/find.ts';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getIssueSyntaxes, getParserVersion } from '../../src/engine/languages/index.ts';
import { packFile, unpackFile } from '../../src/engine/parse/packed-file.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';
import { decodeFiles, encodeFiles } from '../../src/engine/portable/file-part.ts';
import { resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { nameChunk } from '../../src/engine/search/rank/signals/wording.ts';
import { findChunk, summarizeChunk } from '../../src/engine/snapshot/address.ts';
import { ChunkTable } from '../../src/engine/snapshot/chunk-table.ts';
import { FileVersions } from '../../src/engine/store/file-versions.ts';
import { SCHEMA } from '../../src/engine/store/schema.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { TermDictionary } from '../../src/engine/store/terms.ts';
import { createNameMatcher, parseNameQuery } from '../../src/shared/name-match.ts';
import { MemoryIndex } from '../search/support.ts';

const PATH = 'src/rows.tsx';
const SOURCE = `export const Row = memo(function OrderRow({ id }) {
  return <td>{id}</td>;
});
const save = debounce(function save() {});
const total = function addUp(list) {
  return list.reduce(function add(a, b) { return a + b; }, 0);
};
exports.load = function loadAll() {};
Table.prototype.draw = function drawTable() {};
const table = { resize: throttle(function onResize() {}) };
class View {
  close = once(function closeView() {});
}
export default forwardRef(function Field() {});
function outer() {
  on('data', function read() {});
}
`;
const ALIASES = [
  ['Row', 'OrderRow'],
  ['total', 'addUp'],
  ['load', 'loadAll'],
  ['Table.draw', 'drawTable'],
  ['table.resize', 'onResize'],
  ['View.close', 'closeView'],
];

type Named = { qualifiedName: string; alias?: string | undefined };
const listAliases = (chunks: Iterable<Named | null>) =>
  Array.from(chunks).flatMap((one) => (one?.alias ? [[one.qualifiedName, one.alias]] : []));

test('the inner name of a function is an alias, and is stored, shared and loaded', async () => {
  const parsed = await parseFile(PATH, SOURCE);
  assert.equal(parsed.errors, 0);
  assert.deepEqual(listAliases(parsed.chunks), ALIASES);

  // A cell takes the same way.
  for (const chunk of parsed.chunks.slice(1, 2)) chunk.cell = 7;
  const packed = packFile({ ...parsed, content: SOURCE });
  assert.deepEqual(listAliases(unpackFile(packed).chunks), ALIASES);

  const database = new Sqlite(':memory:');
  database.exec(SCHEMA);
  const terms = new TermDictionary(database);
  const versions = new FileVersions(database, terms);
  const identity = { path: PATH, hash: '0'.repeat(40), parser: getParserVersion(PATH) };
  const { id, chunks } = versions.add({ ...packed, ...identity });
  const [shared] = decodeFiles(encodeFiles({ versions, terms } as Store, [id]));
  assert.deepEqual(shared && unpackFile(shared).chunks, unpackFile(packed).chunks);
  database.close();

  const file = { path: PATH, language: 'tsx', role: 'source' as const };
  const table = new ChunkTable();
  table.add(file, chunks);
  const slots = Uint32Array.from(chunks.keys());
  const loaded = new ChunkTable(table.toColumns(slots, slots));
  loaded.adoptFile(file, chunks.length);
  assert.deepEqual(listAliases(loaded), ALIASES);
  const [row = -1] = loaded.getSlotsByAlias('OrderRow');
  assert.equal(loaded.at(row)?.name, 'Row');
  assert.deepEqual(
    Array.from(loaded).flatMap((chunk) => (chunk?.cell ? [[chunk.name, chunk.cell]] : [])),
    [['Row', 7]],
  );
  loaded.remove(row);
  assert.deepEqual(loaded.getSlotsByAlias('OrderRow'), []);
  assert.deepEqual(loaded.getSlotsByAlias('Row'), []);
});

test('an alias is found by a typed name, in an issue and in a traceback', () => {
  const index = new MemoryIndex({
    [PATH]: [
      { name: 'Row', alias: 'OrderRow', lines: [1, 3] },
      { name: 'load', alias: 'loadAll', lines: [5, 9] },
      { name: 'total', alias: 'addUp', lines: [10, 12] },
    ],
    'src/other.ts': [{ name: 'loadAll' }],
  });
  const nameOf = (slot: number) => index.getChunk(slot).qualifiedName;
  assert.equal(nameOf(findChunk(index, 'OrderRow')), 'Row');
  assert.equal(nameOf(findChunk(index, `${PATH}::OrderRow`)), 'Row');
  // A name comes before an alias.
  assert.equal(nameOf(findChunk(index, 'loadAll')), 'loadAll');
  assert.deepEqual(
    findByName(index, 'orderrow', 5).map((one) => one.qualifiedName),
    ['Row'],
  );
  const text = '`OrderRow` is slow:\n\nTypeError: x\n    at addUp (src/rows.tsx:2:5)\n';
  const issue = resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index);
  assert.deepEqual(
    issue.names.filter(({ name }) => name === 'OrderRow').flatMap(({ slots }) => slots.map(nameOf)),
    ['Row'],
  );
  assert.deepEqual(
    issue.frames.map(({ slot }) => nameOf(slot)),
    ['total'],
  );
});

const OPTIONS = '<script>\nexport default {\n  methods: {\n    save() {},\n  },\n};\n</script>\n';
const PLAIN = '<template>\n  <p />\n</template>\n';

test('what a file exports without a name has the name of the file', async () => {
  const aliasesIn = async (path: string, text: string) =>
    listAliases((await parseFile(path, text)).chunks).map((pair) => pair.join(' '));
  assert.deepEqual(await aliasesIn('src/Tree.vue', OPTIONS + PLAIN), ['default Tree']);
  assert.deepEqual(await aliasesIn('src/tree-node.client.vue', OPTIONS), ['default TreeNode']);
  assert.deepEqual(await aliasesIn('src/tree/index.vue', PLAIN), ['<template> Tree']);
  assert.deepEqual(await aliasesIn('src/Tree.svelte', '<p>1</p>\n'), ['<template> Tree']);
  const anonymous = 'export default class {\n  save() {}\n}\n';
  assert.deepEqual(await aliasesIn('src/store.js', anonymous), ['default store']);
  assert.deepEqual(await aliasesIn('shop/src/index.ts', anonymous), ['default shop']);
  assert.deepEqual(await aliasesIn('index.ts', anonymous), []);
  assert.deepEqual(await aliasesIn('src/a.js', 'export default function save() {}\n'), []);
});

test('a component is shown and found by the name of its file', () => {
  const index = new MemoryIndex({
    'src/Tree.vue': [
      { name: 'default', alias: 'Tree', kind: 'class', lines: [1, 9] },
      { name: 'default.methods.save', lines: [3, 5] },
    ],
    'src/default.py': [{ name: 'default.save' }],
  });
  const shown = (text: string) => {
    const { address, shownName } = summarizeChunk(index.getChunk(findChunk(index, text)));
    return [address, shownName];
  };
  const tree = ['src/Tree.vue::default', 'Tree'];
  const save = ['src/Tree.vue::default.methods.save', 'Tree.methods.save'];
  for (const text of ['Tree', 'src/Tree.vue::default', 'Tree.vue::Tree'])
    assert.deepEqual(shown(text), tree);
  for (const text of ['Tree.methods.save', 'src/Tree.vue::Tree.methods.save'])
    assert.deepEqual(shown(text), save);
  assert.deepEqual(shown('src/default.py::default.save')[1], undefined);
  assert.equal(nameChunk(index.getChunk(findChunk(index, 'Tree'))), '`Tree`');

  const [found] = findByName(index, 'tree', 1);
  assert.equal(found?.shownName, 'Tree');
  const match = createNameMatcher(parseNameQuery('tree'))(found ?? assert.fail());
  assert.deepEqual(match?.name, [0, 1, 2, 3]);
  const issue = resolveIssue(
    readIssue('`Tree` loses its state', getIssueSyntaxes(index.getLanguages())),
    index,
  );
  assert.deepEqual(
    issue.names.flatMap(({ slots }) => slots.map((slot) => index.getChunk(slot).path)),
    ['src/Tree.vue'],
  );
});
