import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeExcerpt } from '../../src/services/check/excerpt.ts';
import type { FileDetail, OutlinedChunk } from '../../src/shared/detail.ts';
import type { RankedChunk } from '../../src/shared/search.ts';

const CODE = `class Cart:
    @cached
    def total(
        self,
        items,
    ):
        log.info("start")
        tax = 0

        for item in items:
            tax += item.tax
        rounded = round(tax, 2)
        return rounded`;

const CHUNK = { startLine: 2, headerLine: 3, endLine: 13, kind: 'method' } as OutlinedChunk;
const FILE = { path: 'cart.py', text: CODE, chunks: [CHUNK] } as unknown as FileDetail;

const sharing = (words: Record<string, number>, mentioned: number[] = []) => {
  const listed = Object.entries(words).map(([word, score]) => ({ word, score }));
  const evidence = { lexical: { words: listed } } as unknown as RankedChunk['evidence'];
  return { evidence, mentioned };
};

describe('the lines of a function that a model sees', () => {
  it('are the header and what shares words with the issue, in order', async () => {
    const text = await writeExcerpt(FILE, CHUNK, sharing({ round: 2, tax: 1 }), 85);
    assert.equal(
      text,
      ['def total(', '    self,', '    items,', '):', '…', '    rounded = round(tax, 2)', '…'].join(
        '\n',
      ),
    );
  });

  it('cover different words before the same word again', async () => {
    const text = await writeExcerpt(FILE, CHUNK, sharing({ tax: 2, log: 1.5 }), 125);
    assert.match(text, /log\.info/);
    assert.match(text, /tax/);
  });

  it('continue after the header while there is room', async () => {
    const whole = await writeExcerpt(FILE, CHUNK, sharing({}), 1_000);
    assert.match(whole, /^def total\([\s\S]*return rounded$/);
    assert.equal(await writeExcerpt(FILE, CHUNK, sharing({}), 12), 'def total(\n…');
  });

  it('leave out the methods of a class, which are candidates of their own', async () => {
    const text = 'class A:\n    size = 1\n\n    def run(self):\n        go()\n\n    last = 2';
    const outer = { startLine: 1, headerLine: 1, endLine: 7, kind: 'class' } as OutlinedChunk;
    const inner = { startLine: 4, headerLine: 4, endLine: 5, kind: 'method' } as OutlinedChunk;
    const file = { path: 'a.py', text, chunks: [outer, inner] } as unknown as FileDetail;
    assert.equal(
      await writeExcerpt(file, outer, sharing({}), 1_000),
      'class A:\n    size = 1\n    last = 2',
    );
  });

  it('are those of a traceback before all others', async () => {
    const text = await writeExcerpt(FILE, CHUNK, sharing({ round: 2 }, [8, 99]), 70);
    assert.match(text, /tax = 0/);
    assert.doesNotMatch(text, /round/);
  });

  it('are code rather than comments, and no line twice', async () => {
    const body = ['# the tax of the cart', 'a = tax', 'a = tax', 'b = tax + 1'];
    const text = ['def f():', ...body.map((line) => `    ${line}`)].join('\n');
    const chunk = { startLine: 1, headerLine: 1, endLine: 5, kind: 'function' } as OutlinedChunk;
    const file = { path: 'a.py', text, chunks: [chunk] } as unknown as FileDetail;
    assert.equal(
      await writeExcerpt(file, chunk, sharing({ tax: 1 }), 46),
      'def f():\n…\n    a = tax\n…\n    b = tax + 1',
    );
  });
});
