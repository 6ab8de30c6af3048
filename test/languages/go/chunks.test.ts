import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, chunkOf, outline } from '../../parse/helpers.ts';
import { assertMutationsSound, fixture, parserFor } from '../helpers.ts';

const parse = await parserFor('go');
const AWKWARD = fixture('go', 'awkward.go');
const DOCS = /^\/[/*]/;

test('go: every definition of an awkward file is a chunk, and nothing else', () => {
  const source = parse(AWKWARD);
  assertSound(source, DOCS);
  assert.equal(source.errors, 0);
  assert.deepEqual(outline(source), [
    'class Shape 12-20',
    'method Shape.Area 17-18',
    'method Shape.Draw 19-19',
    'class Point 23-24',
    'class Pair 26-30',
    'class ID 31-31',
    'class Option 32-32',
    'class Alias 35-35',
    'class Canvas 37-45',
    'function NewCanvas 47-54',
    'method Canvas.Add 56-58',
    'method Canvas.Size 60-61',
    'method Pair.Swap 63-74',
    'method ID.String 76-76',
    'function Map 78-84',
    'function assembly 86-86',
    'function oneOf 88-88',
    'function handler 90-92',
    'function named 98-98',
    'function init 101-103',
    'function init#2 105-105',
    'function a 107-107',
    'function b 107-107',
  ]);
});

test('go: a comment above a definition is its docstring', () => {
  const source = parse(AWKWARD);
  const docOf = (name: string) => {
    const { text, doc } = chunkOf(source, name);
    return doc && text.slice(...doc);
  };
  assert.equal(docOf('Shape'), '// Shape has an area.\n//\n// It may be drawn.');
  assert.equal(docOf('NewCanvas'), '// NewCanvas makes one.\n/* It is\nempty. */');
  assert.equal(docOf('Point'), '// Point is small.');
  assert.equal(docOf('Canvas.Add'), null);
});

test('go: the text of an interface has its methods, that of a struct its fields', () => {
  const source = parse(AWKWARD);
  assert.equal(
    chunkOf(source, 'Shape').text,
    [
      'type Shape interface {',
      '// Shape has an area.',
      '//',
      '// It may be drawn.',
      '    fmt.Stringer',
      '    Area() float64',
      '    Draw(c *Canvas, options ...func(*Canvas)) error',
    ].join('\n'),
  );
  assert.match(chunkOf(source, 'Canvas').text, /\*Point\n {4}shapes \[\]Shape\n.*depth int/s);
});

test('go: text with syntax errors keeps its definitions', () => {
  const source = parse(`package torn

func sound() int {
	return 1
}

func torn(a int {
	if a > {
}

type Whole struct {
	a int
}

func (w *Whole) Method() {
	w.a = 1
}
`);
  assertSound(source, DOCS);
  assert.ok(source.errors > 0);
  const lines = outline(source);
  for (const expected of ['function sound 3-5', 'class Whole 11-13', 'method Whole.Method 15-17'])
    assert.ok(lines.includes(expected), lines.join(', '));
});

test('go: mutated sources stay valid', () => assertMutationsSound(parse, AWKWARD, DOCS));
