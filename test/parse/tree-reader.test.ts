import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TreeCursor } from 'web-tree-sitter';
import { getLanguages } from '../../src/engine/languages/index.ts';
import type { SyntaxTree } from '../../src/engine/parse/syntax-tree.ts';
import { HAS_ERROR, MISSING, NAMED } from '../../src/engine/parse/tree-columns.ts';
import { listSources, loadParser } from './tree-sitter.ts';

for (const language of getLanguages()) {
  test(`tree reader: trees of ${language.title} are those that the parser reports`, async () => {
    const { parse } = await loadParser(language);
    for (const source of listSources(language)) {
      const { expected, tree } = parse(source);
      const cursor = expected.walk();
      assert.deepEqual(listNodes(tree), listReported(cursor));
      cursor.delete();
      expected.delete();
    }
  });
}

test('tree reader: a source may be nested more deeply than the stack of the program', async () => {
  const [python] = getLanguages();
  const { parse } = await loadParser(python!);
  const depth = 20_000;
  const { expected, tree } = parse('('.repeat(depth) + ')'.repeat(depth));
  assert.equal(tree.columns.count > 2 * depth, true);
  expected.delete();
});

test('tree reader: a tree that needs more memory than the one before is read from the grown memory', async () => {
  const [python] = getLanguages();
  const { parse } = await loadParser(python!);
  for (const lines of [1, 40_000]) {
    const { expected, tree } = parse('value = call(1, name)\n'.repeat(lines));
    assert.equal(tree.rootNode.children.length, lines);
    assert.equal(tree.rootNode.hasError, false);
    expected.delete();
  }
});

test('syntax tree: positions, children and parts of a node', async () => {
  const [python] = getLanguages();
  const { parse } = await loadParser(python!);
  const { expected, tree } = parse('x = 1\n\n# ä\n  \nself.name(a, b)\n');
  const call = tree.findNodeAt({ row: 4, column: 9 }).parent!.parent!;
  assert.equal(call.type, 'call');
  assert.deepEqual(call.startPosition, { row: 4, column: 0 });
  assert.deepEqual(call.endPosition, { row: 4, column: 15 });
  assert.equal(call.getPart('function')?.text, 'self.name');
  assert.equal(call.getPart('arguments')?.getPart(-1)?.text, 'b');
  assert.equal(call.getPart('arguments')?.getPart(2), null);
  assert.equal(call.getPart('body'), null);
  assert.deepEqual(
    call.getPart(1)?.children.map(({ text }) => text),
    ['(', 'a', ',', 'b', ')'],
  );
  // A blank row belongs to the node around it.
  assert.equal(tree.findNodeAt({ row: 3, column: -1 }).type, 'module');
  expected.delete();
});

type NodeRow = [
  type: string,
  start: number,
  end: number,
  field: string | null,
  parent: number,
  flags: number,
];

function listNodes({ columns, names }: SyntaxTree): NodeRow[] {
  return Array.from({ length: columns.count }, (_, i): NodeRow => {
    const { kinds, starts, ends, fields, parents, flags } = columns;
    return [
      names.types[kinds[i]!]!,
      starts[i]!,
      ends[i]!,
      names.fields[fields[i]!] ?? null,
      parents[i]!,
      flags[i]!,
    ];
  });
}

function listReported(cursor: TreeCursor): NodeRow[] {
  const rows: NodeRow[] = [];
  const visit = (parent: number) => {
    const { currentNode: node, currentFieldName: field } = cursor;
    const flags =
      (node.isNamed ? NAMED : 0) | (node.isMissing ? MISSING : 0) | (node.hasError ? HAS_ERROR : 0);
    const own = rows.push([node.type, node.startIndex, node.endIndex, field, parent, flags]) - 1;
    if (!cursor.gotoFirstChild()) return;
    do visit(own);
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  visit(-1);
  return rows;
}
