import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CountReader,
  getCountBytes,
  MAX_COUNT_BYTES,
  packEntries,
  unpackEntries,
  writeCount,
} from '../../src/engine/lexical/packed-counts.ts';
import { MAX_TERMS } from '../../src/engine/lexical/tokenize.ts';
import { SEED, scaleRounds } from '../support/effort.ts';

type Count = [key: number, field: number, count: number];

/** Packs counts of ascending keys, and checks the size of each. */
function pack(counts: readonly Count[]): Uint8Array {
  const bytes = new Uint8Array(counts.length * MAX_COUNT_BYTES);
  let [at, last] = [0, 0];
  for (const [key, field, count] of counts) {
    const end = writeCount(bytes, at, key - last, field, count);
    assert.equal(end - at, getCountBytes(key - last, count), `${key - last} ${field} ${count}`);
    [at, last] = [end, key];
  }
  return bytes.subarray(0, at);
}

function unpack(bytes: Uint8Array, at = 0, end = bytes.length): Count[] {
  const counts: Count[] = [];
  for (const reader = new CountReader(bytes, at, end); reader.next(); )
    counts.push([reader.key, reader.field, reader.count]);
  return counts;
}

test('packs and unpacks the largest and smallest counts', () => {
  const steps = [0, 1, 3, 4, 511, 512, 65_535, 65_536, 2 ** 23 - 1, 2 ** 23, 2 ** 24, 2 ** 27 - 1];
  const all = steps.flatMap((key) =>
    [0, 4, 7].flatMap((field) => [1, 3, 4, 31, 255].map((count): Count => [key, field, count])),
  );
  for (const one of all) assert.deepEqual(unpack(pack([one])), [one]);
  assert.deepEqual(unpack(pack([])), []);
  assert.equal(pack([[3, 7, 3]]).length, 1);
  assert.equal(pack([[2 ** 27 - 1, 7, 255]]).length, MAX_COUNT_BYTES);
});

test('packs and unpacks random counts, also inside other bytes', () => {
  const step = fc.oneof(...[1, 4, 9, 16].map((bits) => fc.nat(2 ** bits)));
  const count = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 255 }));
  const steps = fc.array(fc.tuple(step, fc.nat(7), count), { maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(steps, (drawn) => {
      let key = 0;
      const counts = drawn.map(([by, field, count]): Count => {
        key += by;
        return [key, field, count];
      });
      const bytes = pack(counts);
      assert.deepEqual(unpack(bytes), counts);
      const among = new Uint8Array(bytes.length + 20).fill(255);
      among.set(bytes, 10);
      assert.deepEqual(unpack(among, 10, 10 + bytes.length), counts);
    }),
    { seed: SEED, numRuns: scaleRounds(200) },
  );
});

test('packs the entries of a chunk in order of term and field', () => {
  const entry = (term: number, field: number, count: number) => (term << 11) | (field << 8) | count;
  const terms = [MAX_TERMS - 1, 7, 0, 7];
  const entries = Uint32Array.from(terms, (term, i) => entry(term, 4 - i, 255 - i));
  const packed = packEntries(entries);
  assert.deepEqual(unpackEntries(packed), entries.toSorted());
  assert.ok(packed.buffer.byteLength === packed.length, 'keeps no larger memory');
  assert.deepEqual(unpackEntries(packEntries(new Uint32Array())), new Uint32Array());
});
