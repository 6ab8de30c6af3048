/*
 * Tests the rows of tokens for training encoders, and their sources.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeIssue } from '../../lab/encoder/made-issues.ts';
import { Random } from '../../lab/encoder/random.ts';
import { findRuntime, makeTrace } from '../../lab/encoder/runtimes.ts';
import { computeDigest, readMined } from '../../lab/encoder/sources.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { mined, writeMined, writeRows } from './toy-data.ts';

/** Returns the metadata and the arrays of a file of rows. */
async function readTensors(file: string) {
  const content = await readFile(file);
  const start = 8 + Number(content.readBigUInt64LE());
  const { __metadata__: about, ...arrays } = JSON.parse(content.toString('utf8', 8, start));
  const numbersOf = (name: string): number[] => {
    const { dtype, data_offsets: offsets } = arrays[name];
    const [from, to] = offsets.map((offset: number) => start + offset);
    const bytes = Uint8Array.from(content.subarray(from, to)).buffer;
    const Numbers = { U8: Uint8Array, U16: Uint16Array, I32: Int32Array }[dtype as 'U8'];
    return [...new Numbers(bytes)];
  };
  return { about, numbersOf };
}

test('rows have the chunks, the messages and made issues of a repository', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const at = (name: string) => join(folder, name);
  await writeMined(at('data'));
  await mkdir(at('copies'));
  const options = ['--data', at('data'), '--copies', at('copies'), '--words', '120'];
  await writeRows(...options, '--variants', '3', '--out', at('rows'));
  const { about, numbersOf } = await readTensors(join(at('rows'), 'a+one.safetensors'));
  assert.deepEqual(about, { name: 'a+one', part: 'train', variants: '4', instances: '[]' });
  const [documents, queries] = [numbersOf('documents_sizes'), numbersOf('queries_sizes')];
  assert.equal(documents.length / 4, 32 + numbersOf('docstrings').length);
  assert.equal(queries.length / 4, 4 * 32 + numbersOf('docstrings').length);
  const total = documents.reduce((sum, size) => sum + size, 0);
  assert.equal(numbersOf('documents_ids').length, total);
  assert.deepEqual(numbersOf('pos'), [...Array(32).keys()]);
  assert.ok(numbersOf('neg').length > 0);
  const tuned = await readTensors(join(at('rows'), 'pallets+click.safetensors'));
  assert.equal(tuned.about.part, 'tune');
  const words = (await readFile(join(at('rows'), 'vocab.txt'), 'utf8')).split('\n');
  assert.ok(words.includes('palette') && words.includes('wrong'));

  await writeFile(join(at('data'), 'psf+requests.zst'), mined('psf+requests', 0));
  await assert.rejects(
    writeRows(...options, '--out', at('refused')),
    /forbids training on psf\+requests \(never\)/,
  );
});

test('copies of evaluation data are not used for training', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const file = join(folder, 'a+one.zst');
  await writeFile(file, mined('a+one', 0));
  const whole = await readMined(file, new Set(), 1);
  assert.equal(whole.commits.length, 32);
  const body = 'x'.repeat(120);
  const copied = mined('a+one', 0, body);
  await writeFile(file, copied);
  const digest = computeDigest({ text: `def f():\n    ${body}`, signatureEnd: 8 });
  const left = await readMined(file, new Set([digest!]), 1);
  assert.equal(left.commits.length, 31);
  assert.equal(left.snapshots[0], 0);
  assert.ok(left.commits.every(({ pos, neg }) => ![...pos, ...neg].includes(0)));
  assert.ok(whole.documents[1].callees.length > 0);
  assert.deepEqual(left.documents[1].callees, []);
});

test('the first lines identify a function, with any indentation', () => {
  const body = [
    'total = sum(item.price for item in items if item.counts)',
    'rate = rates[country]  # of today',
    'return total * rate + fees',
  ];
  const head = 'class Shop:\n    # 🛒\n    def total(self, items,\n              rates):';
  const text = `${head}\n        # Cents.\n\n${body.map((line) => `        ${line}\n`).join('')}`;
  const other = ['def f():', '   # Cents.', '', ...body].join('\n');
  const digest = computeDigest({ text, signatureEnd: head.length });
  assert.ok(digest);
  assert.equal(digest, computeDigest({ text: other, signatureEnd: 8 }));
  assert.equal(computeDigest({ text: body[2], signatureEnd: 0 }), null);
});

test('issues made from a commit are the same each time', () => {
  const commit = {
    m: 'fix: Wrong total (#12)\n\nThe total of a cart is wrong.\nSigned-off-by: A <a@b.c>',
    ...{ t: ['assert total(cart) == 3'], pos: [0], sib: [1], snap: 0 },
  };
  const around = {
    frameOf: (chunk: number) => ({ path: 'shop/cart.py', qualifiedName: `Cart.f${chunk}` }),
    linesOf: (chunk: number) => [`return self.items[${chunk}]`],
    callersOf: (chunk: number) => (chunk < 3 ? [chunk + 1] : []),
  };
  const make = () => {
    const random = new Random('a+one');
    return Array.from({ length: 200 }, () => makeIssue(commit, around, random).fields);
  };
  const made = make();
  assert.deepEqual(made, make());
  assert.ok(made.every(({ title, text }) => title === 'Wrong total' && !/Signed|#12/.test(text)));
  const traces = made.filter(({ trace }) => trace !== '');
  assert.ok(traces.length > 40 && traces.length < 100, `${traces.length} with a traceback`);
  assert.ok(traces.some(({ trace }) => /cart\.py", line \d+, in f\d\n {4}return self/.test(trace)));
  assert.ok(made.some(({ code }) => code.includes('assert total(cart)')));
  const real = { ...commit, issue: true, m: 'Crash\n```\nx = 1\n```' };
  const { title, code } = makeIssue(real, around, new Random('')).fields;
  assert.deepEqual([title, code], ['Crash', 'x = 1']);
});

/** Files in each language, with the names that runtimes print for them. */
const FAILING = {
  'core/src/main/java/shop/Cart.java': 'Cart.java',
  'core/src/main/kotlin/shop/Cart.kt': 'Cart.kt',
  'src/cart.ts': 'src/cart.ts',
  'cart/cart.go': 'cart/cart.go',
  'src/cart.rs': 'src/cart.rs',
  'Shop/Cart.cs': 'Shop/Cart.cs',
  'lib/cart.rb': 'lib/cart.rb',
  'src/Cart.php': 'src/Cart.php',
  'src/cart.c': 'src/cart.c',
};

test('a search finds the frames of synthetic traces', () => {
  assert.equal(findRuntime('cart.py'), undefined);
  assert.equal(findRuntime('README'), undefined);
  const random = new Random('runtimes');
  for (const [path, known] of Object.entries(FAILING)) {
    const frame = { path, qualifiedName: 'Cart.total' };
    const text = makeTrace(findRuntime(path)!, [frame, frame], random).join('\n');
    const frames = getIssueSyntaxes().flatMap((syntax) =>
      syntax.frames.flatMap((form) =>
        Array.from(
          text.matchAll(form),
          ({ groups = {} }) => syntax.readFrame?.(groups)?.path ?? groups.path ?? '',
        ),
      ),
    );
    assert.ok(frames.filter((found) => found.endsWith(known)).length >= 2, `${path}: ${text}`);
  }
});
