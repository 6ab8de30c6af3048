import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import {
  BrokenFile,
  prefetchSections,
  readSections,
  writeSections,
} from '../../src/engine/columns/section-file.ts';
import { uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'x.columns');
});
afterEach(() => removeFolder(folder));

const random = uniform();
const value = {
  name: 'a',
  regular: Uint32Array.from({ length: 50_000 }, (_, i) => i >> 4),
  even: Uint32Array.from({ length: 5_000 }, (_, i) => i & 14),
  nested: { random: Uint8Array.from({ length: 10_000 }, () => random() * 256) },
  small: Uint8Array.of(1, 2, 3),
  empty: new Float64Array(0),
};

test('columns are read as they were written, and only those that shrink are compressed', async () => {
  await writeSections(path, 'now', value);
  const { length } = readFileSync(path);
  const { regular, nested, even } = value;
  assert.ok(
    length < (regular.byteLength + even.byteLength) / 2 + nested.random.length + 1_000,
    `${length} bytes`,
  );
  assert.ok(length > nested.random.length, 'incompressible bytes are stored as they are');
  assert.deepEqual(readSections(path, 'now'), value);
  assert.deepEqual((await prefetchSections(path)).sections('now'), value);
  assert.equal(readSections(path, 'later'), null);
});

test('ascending numbers take less than half, up to the largest', async () => {
  let last = 2 ** 32 - 40_000 * 256;
  const ascending = Uint32Array.from({ length: 40_000 }, () => {
    last += Math.floor(random() * 256);
    return last;
  });
  const ends = Uint32Array.from({ length: 2_000 }, (_, i) => (i < 1_000 ? 0 : 2 ** 32 - 1));
  await writeSections(path, 'now', { ascending, ends });
  const { length } = readFileSync(path);
  assert.ok(length < ascending.byteLength / 2, `${length} bytes`);
  assert.deepEqual(readSections(path, 'now'), { ascending, ends });
  // The last number is smaller than the one before it, so there is no step to it.
  const broken = Uint32Array.from([...ascending, 0]);
  await writeSections(`${path}2`, 'now', { broken });
  assert.deepEqual(readSections(`${path}2`, 'now'), { broken });
});

test('a changed byte anywhere is found', async () => {
  await writeSections(path, 'now', value);
  const sound = readFileSync(path);
  for (let n = 0; n < 200; n++) {
    const bytes = Buffer.from(sound);
    const at = Math.floor(random() * bytes.length);
    bytes[at]! ^= 1 << Math.floor(random() * 8);
    writeFileSync(path, bytes);
    try {
      assert.deepEqual(readSections(path, 'now'), value, `byte ${at} is padding`);
    } catch (error) {
      assert.ok(error instanceof BrokenFile, `byte ${at}: ${error}`);
    }
  }
});

test('a listing that asks for more than a column holds is refused', async () => {
  await writeSections(path, 'now', { zeros: new Uint8Array(1 << 20) });
  const bytes = readFileSync(path);
  assert.ok(bytes.length < 4096);
  // Half a compressed column has no end.
  writeFileSync(path, bytes.subarray(0, bytes.length - 10));
  assert.throws(() => readSections(path, 'now'), BrokenFile);
});
