/** Long runs of comments, which the grammar of Python would read again at each of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Parser, Language as TreeSitterLanguage } from 'web-tree-sitter';
import { python } from '../../../src/engine/languages/python/index.ts';
import { prepare } from '../../../src/engine/languages/python/prepare.ts';
import { resolveGrammarFile } from '../../../src/engine/parse/grammar-file.ts';
import { chunkOf, outline } from '../../parse/helpers.ts';
import { parserFor } from '../helpers.ts';

const parse = await parserFor('python');

const FUNCTION = 'def f():\n    return 1\n';
const comments = (count: number, line = '# x = 1\n') => line.repeat(count);

/** Returns how often the parser asks for text. It asks again wherever it goes back. */
async function countReads(text: string): Promise<number> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await TreeSitterLanguage.load(readFileSync(resolveGrammarFile(python))));
  let reads = 0;
  const read = (index: number) => {
    reads++;
    return text.slice(index, index + 80);
  };
  parser.parse(read)?.delete();
  parser.delete();
  return reads;
}

test('the parser reads a run of comments about once, however long it is', async () => {
  for (const line of ['# x = 1\n', '    # x = 1\n', '\n  # x = 1\n']) {
    const [short, long] = [1_000, 4_000].map((count) => FUNCTION + comments(count, line));
    const extra =
      (await countReads(prepare(long ?? ''))) - (await countReads(prepare(short ?? '')));
    // Each line is read a few times for each comment that is kept.
    assert.ok(extra < 3_000 * 40, `${extra} more reads for 3,000 lines`);
  }
  const [whole, prepared] = [FUNCTION + comments(1_000), prepare(FUNCTION + comments(1_000))];
  assert.ok((await countReads(whole)) > 5 * (await countReads(prepared)));
});

test('only the middle of a long run is blanked out', () => {
  assert.equal(prepare(comments(128)), comments(128));
  for (const text of [comments(128) + FUNCTION, FUNCTION, '', '#', '\n', '  \r\n'])
    assert.equal(prepare(text), text);
  const long = `${comments(100)}\n${comments(100)}`;
  const blank = ' '.repeat('# x = 1'.length);
  const middle = `${`${blank}\n`.repeat(68)}\n${`${blank}\n`.repeat(68)}`;
  assert.equal(
    prepare(FUNCTION + long + FUNCTION + comments(3)),
    FUNCTION + comments(32) + middle + comments(32) + FUNCTION + comments(3),
  );
});

test('chunks around a long run have the same lines and texts as around a short one', () => {
  const source = (count: number) =>
    `class A:\n    def f(self):\n        return 1\n${comments(count, '        # in f\n')}        g()\n${comments(count)}def h():\n    """Doc."""\n`;
  const chunks = outline(parse(source(3)));
  assert.deepEqual(chunks, ['class A 1-7', 'method A.f 2-7', 'function h 11-12']);
  const long = parse(source(500));
  assert.deepEqual(outline(long), ['class A 1-504', 'method A.f 2-504', 'function h 1005-1006']);
  assert.equal(chunkOf(long, 'A.f').text.match(/# in f/g)?.length, 500);
  assert.equal(long.errors, 0);
});
