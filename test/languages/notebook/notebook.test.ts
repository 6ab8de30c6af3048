/** Jupyter notebooks: their cells are one module of Python. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNotebook } from '../../../src/engine/languages/python/notebook.ts';
import { inferRole } from '../../../src/engine/source/role.ts';
import { findEdges } from '../../graph/support.ts';
import { assertSound, chunkOf, outline, references } from '../../parse/helpers.ts';
import { scaleRounds, uniform } from '../../support/effort.ts';
import { findSuperlinearGrowth } from '../../support/growth.ts';
import { assertMutationsSound, fixture, parserFor } from '../helpers.ts';

const parse = await parserFor('notebook');
const DOC = /^(?:#|"""|'''|["'])/;
const NOTEBOOK = fixture('notebook', 'awkward.ipynb');

test('functions of all cells of code are chunks, at their rows in the file', () => {
  const source = parse(NOTEBOOK);
  assertSound(source, DOC);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'function total 28-30',
    'class Shop 37-39',
    'method Shop.open 38-39',
  ]);
  assert.equal(
    chunkOf(source, 'total').text,
    [
      'def total(cart):',
      '    """Adds üp."""',
      '    return sum(price("\\n", line) for line in cart)',
    ].join('\n'),
  );
  assert.deepEqual(references(source, 'total'), ['call sum', 'call price']);
  const { text } = chunkOf(source, '<module>');
  const lines = text.split('\n').map((line) => line.trim());
  assert.deepEqual(lines.filter(Boolean), [
    '# Cell 1',
    '## How to total "carts"',
    '#def no():',
    '# Cell 2',
    '#matplotlib inline',
    '#pip install shop',
    'from shop import Cart',
    '# Cell 3',
    '#%time',
    '# Cell 4',
    '#%%bash',
    '#def no() {',
    '# Cell 5',
    'total(Shop())',
  ]);
});

test('a definition knows the number of its cell, which counts cells without text', () => {
  const cellsOf = (text: string) => parse(text).chunks.map(({ name, cell }) => [name, cell]);
  const cells = [
    ['<module>', undefined],
    ['total', 2],
    ['Shop', 3],
    ['open', 3],
  ];
  assert.deepEqual(cellsOf(NOTEBOOK), cells);
  const code = (source: string) => ({ cell_type: 'code', source });
  const text = { cells: [code('a = 1'), {}, code('def f(): pass')] };
  assert.deepEqual(cellsOf(JSON.stringify(text, null, 1)), [
    ['<module>', undefined],
    ['f', 3],
  ]);
});

test('a notebook calls modules, and no module is a notebook', async () => {
  const edges = await findEdges({
    'docs/guide.ipynb': NOTEBOOK,
    'shop.py': 'class Cart:\n    pass\n',
    'use.py': 'from docs.guide import total\nimport guide\ntotal()\nguide.total()\n',
  });
  assert.deepEqual(edges, [
    'docs/guide.ipynb::<module> > docs/guide.ipynb::Shop construct',
    'docs/guide.ipynb::<module> > docs/guide.ipynb::total',
    'docs/guide.ipynb::Shop > shop.py::Cart inherit',
    'docs/guide.ipynb::Shop.open > docs/guide.ipynb::total',
  ]);
});

test('notebooks in other languages, and others than notebooks, have no functions', () => {
  for (const text of [
    NOTEBOOK.replace('"language": "python"', '"language": "R"'),
    '{"cells": {"a": {"cell_type": "code", "source": ["def f(): pass"]}}}',
    '{"worksheets": [{"cells": [{"cell_type": "code", "input": ["def f(): pass"]}]}]}',
    '"def f(): pass"',
    '',
    'def f(): pass',
  ])
    assert.deepEqual(outline(parse(text)), [], text);
});

test('notebooks are examples, wherever they are', () => {
  assert.equal(inferRole('src/guide.ipynb'), 'example');
  assert.equal(inferRole('src/guide.py'), 'source');
});

test('mutations and prefixes are read', () => {
  assertMutationsSound(parse, NOTEBOOK, DOC);
  for (let end = 0; end < NOTEBOOK.length; end += 7)
    assertSound(parse(NOTEBOOK.slice(0, end)), DOC);
});

const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\r\n', ' ', '🦊', '"\\n"', '"x = 1"'],
  ...['"cells":', '[{', '"cell_type":', '"code"', '"source":', '"def f():\\n",\n'],
];

test('the code keeps its length and its rows, whatever the text', () => {
  const next = uniform();
  for (let round = 0; round < scaleRounds(2000); round++) {
    const pieces = Array.from({ length: 30 }, () => PIECES[Math.floor(next() * PIECES.length)]);
    const text = (round % 2 === 0 ? '{"cells": [{' : '') + pieces.join('');
    const { code } = readNotebook(text);
    assert.equal(code.length, text.length, JSON.stringify(text));
    assert.equal(code.replace(/[^\n]/g, ''), text.replace(/[^\n]/g, ''), JSON.stringify(text));
  }
});

test('reading takes linear time', () => {
  const attacks: ((size: number) => string)[] = [
    (size) => '['.repeat(size),
    (size) => '{"a":'.repeat(size),
    (size) => '"\\'.repeat(size),
    (size) => `{"cells": [${'{"source": ["a",'.repeat(size)}`,
    (size) => `{"cells": [{"source": [${'"a",'.repeat(size)}`,
    (size) => `{"cells": [{"source": [${'"%%",\n'.repeat(size)}`,
  ];
  for (const write of attacks)
    assert.equal(
      findSuperlinearGrowth(write, (text) => readNotebook(text).code.length),
      null,
      write(3),
    );
});
