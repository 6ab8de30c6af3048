import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dequantize, quantize, SCALE_BYTES } from '../../src/engine/vectors/quantized.ts';
import { RowMemory } from '../../src/engine/vectors/row-memory.ts';
import { ABSENT, VectorTable } from '../../src/engine/vectors/vector-table.ts';
import { dot, unitVectors } from './unit-vectors.ts';

test('similarities are the dot products by slot, for any number of dimensions', () => {
  for (const dimensions of [1, 8, 31, 320]) {
    const vectors = unitVectors(50, dimensions);
    const table = new VectorTable(dimensions);
    vectors.forEach((vector, slot) => {
      table.set(slot, vector);
    });
    const similarities = table.getSimilarities(vectors[3]);
    assert.equal(similarities.length, 50);
    vectors.forEach((vector, slot) => {
      assert.ok(Math.abs(similarities[slot] - dot(vector, vectors[3])) < 6e-3);
    });
  }
});

test('similarities of 512 numbers are within 0.002 of those between floats, and 1 for a vector and itself', () => {
  const vectors = unitVectors(400, 512);
  const table = new VectorTable(512);
  vectors.forEach((vector, slot) => {
    table.set(slot, vector);
  });
  const similarities = table.getSimilarities(vectors[7]);
  const worst = Math.max(
    ...vectors.map((vector, slot) => Math.abs(similarities[slot] - dot(vector, vectors[7]))),
  );
  assert.ok(worst < 2e-3, `${worst}`);
  const own = table.getVector(7)!;
  assert.ok(Math.abs(table.getSimilarities(own)[7] - 1) < 1e-4);
});

test('the largest similarity is that of the nearest slot, and absent without embeddings', () => {
  const table = new VectorTable(31);
  const vectors = unitVectors(40, 31);
  assert.equal(table.getLargestSimilarity(vectors[0]), ABSENT);
  vectors.forEach((vector, slot) => {
    table.set(2 * slot, vector);
  });
  for (const vector of vectors) {
    const similarities = table.getSimilarities(vector);
    assert.equal(table.getLargestSimilarity(vector), Math.max(...similarities));
  }
  table.remove(6);
  assert.equal(
    table.getLargestSimilarity(vectors[3]),
    Math.max(...table.getSimilarities(vectors[3])),
  );
  assert.ok(table.getLargestSimilarity(vectors[3]) < 0.9);
});

test('the largest and smallest similarities do not overflow', () => {
  const dimensions = 4096;
  const flat = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const axis = new Float32Array(dimensions);
  axis[0] = -1;
  const table = new VectorTable(dimensions);
  [flat, flat.map((value) => -value), axis].forEach((vector, slot) => {
    table.set(slot, vector);
  });
  const close = (values: Float32Array, wanted: number[]) =>
    wanted.forEach((value, i) => {
      assert.ok(Math.abs(values[i] - value) < 1e-3, `${values}`);
    });
  close(table.getSimilarities(flat), [1, -1, -1 / 64]);
  close(table.getSimilarities(axis), [-1 / 64, 1 / 64, 1]);
});

test('a vector is returned as it was set, rounded to eight bits', () => {
  const [a, b] = unitVectors(2, 31);
  const table = new VectorTable(31);
  table.set(4, a);
  const read = table.getVector(4)!;
  assert.equal(read.length, 31);
  assert.ok(read.every((value, i) => Math.abs(value - a[i]) < 4e-3));
  assert.equal(table.getVector(3), null);
  // The mean of unit vectors is shorter than 1; its products are the means of the similarities.
  const mean = a.map((value, i) => (value + b[i]) / 2);
  assert.ok(Math.abs(table.getSimilarities(mean)[4] - (1 + dot(a, b)) / 2) < 1e-3);
});

test('slots without an embedding are absent until it is set', () => {
  const [a, b] = unitVectors(2, 16);
  const table = new VectorTable(16);
  assert.deepEqual([...table.getSimilarities(a)], []);
  table.set(3, a);
  table.set(1, b);
  table.set(1, b);
  assert.equal(table.size, 2);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((slot) => table.has(slot)),
    [false, true, false, true, false],
  );
  assert.deepEqual(
    Array.from(table.getSimilarities(a), (value) => value === ABSENT),
    [true, false, true, false],
  );
  table.remove(3);
  table.remove(3);
  table.remove(100);
  assert.equal(table.size, 1);
  assert.equal(table.getSimilarities(a)[3], ABSENT);
  table.set(3, b);
  assert.ok(Math.abs(table.getSimilarities(b)[3] - 1) < 1e-4);
});

test('vectors stay the same while the table grows', () => {
  const vectors = unitVectors(3000, 24);
  const table = new VectorTable(24);
  vectors.forEach((vector, slot) => {
    table.set(slot, vector);
  });
  const similarities = table.getSimilarities(vectors[5]);
  for (const slot of [0, 5, 1023, 1024, 2999]) {
    assert.ok(Math.abs(similarities[slot] - dot(vectors[slot], vectors[5])) < 6e-3);
  }
});

test('the nearest slots have the largest similarities, best first', () => {
  const vectors = unitVectors(500, 32);
  const table = new VectorTable(32);
  vectors.forEach((vector, slot) => {
    table.set(slot, vector);
  });
  for (let slot = 0; slot < 500; slot += 3) table.remove(slot);
  const query = unitVectors(501, 32)[500];
  const all = table.getSimilarities(query);
  const wanted = [...all.keys()].filter((slot) => table.has(slot)).sort((a, b) => all[b] - all[a]);
  for (const k of [1, 10, 333, 1000]) {
    const { slots, similarities } = table.findNearest(query, k);
    assert.deepEqual([...slots], wanted.slice(0, k));
    assert.deepEqual(
      [...similarities],
      Array.from(slots, (slot) => all[slot]),
    );
  }
  assert.deepEqual([...table.findNearest(query, 0).slots], []);
  assert.deepEqual([...new VectorTable(32).findNearest(query, 5).slots], []);
});

test('a zero vector has a similarity of 0; others must have length 1', () => {
  const table = new VectorTable(8);
  table.set(0, new Float32Array(8));
  assert.deepEqual([...table.getSimilarities(unitVectors(1, 8)[0])], [0]);
  assert.throws(() => table.set(1, new Float32Array(7)), /8 dimensions/);
  assert.throws(() => table.set(1, new Float32Array(8).fill(1)), /length 1/);
  assert.throws(() => table.set(1, new Float32Array(8).fill(Number.NaN)), /length 1/);
  assert.equal(table.has(1), false);
});

for (const dimensions of [31, 512])
  test(`rows of a file are compared in place, shared or not, and stay if a slot gets another vector (${dimensions})`, () => {
    const vectors = unitVectors(40, dimensions);
    const head = 7;
    const shape = { bytes: head + SCALE_BYTES + dimensions + 3, numbersAt: head + SCALE_BYTES };
    const memory = new RowMemory(dimensions, 40, shape);
    memory.getBytes(0, 40).fill(0x5a);
    for (const [row, vector] of vectors.entries()) {
      const { scale, numbers } = quantize(vector);
      memory.setNumbers(row, numbers);
      Buffer.from(memory.getBytes(row, 1).buffer, memory.getBytes(row, 1).byteOffset).writeFloatLE(
        scale,
        head,
      );
    }
    const alike = (table: VectorTable, of: ReadonlyMap<number, Float32Array>) => {
      assert.equal(table.size, of.size);
      for (const query of vectors.slice(0, 5)) {
        const similarities = table.getSimilarities(query);
        for (const [slot, similarity] of similarities.entries()) {
          const vector = of.get(slot);
          const wanted = vector ? dot(dequantize(quantize(vector)), query) : ABSENT;
          assert.ok(Math.abs(similarity - wanted) < 1e-3, `slot ${slot}: ${similarity}, ${wanted}`);
          assert.equal(table.getSimilaritiesOf(query, [slot])[0], similarity);
        }
      }
    };
    // No slot has row 3, and two slots have row 0.
    const rows = Uint32Array.from([0, 0, ...vectors.keys().filter((row) => row > 0 && row !== 3)]);
    const slots = Uint32Array.from(rows, (_, place) => rows.length - place);
    const of = new Map(Array.from(slots, (slot, place) => [slot, vectors[rows[place]]] as const));
    const table = new VectorTable(dimensions);
    const adopt = () => {
      table.adoptRows(memory, 40);
      for (const [place, slot] of slots.entries()) table.assignRow(slot, rows[place]);
    };
    adopt();
    alike(table, of);

    const put = (slot: number, vector: Float32Array) => {
      table.set(slot, vector);
      of.set(slot, vector);
    };
    const remove = (slot: number) => {
      table.remove(slot);
      of.delete(slot);
    };
    put(slots[0], vectors[3]); // Its row is another slot's, too.
    put(200, vectors[9]);
    put(200, vectors[8]);
    remove(200);
    remove(slots[5]);
    put(201, vectors[7]);
    put(slots[5], vectors[6]);
    for (let slot = 300; slot < 1500; slot++) put(slot, vectors[slot % 40]);
    alike(table, of);

    const adopted = () => {
      adopt();
      for (const [slot, vector] of of) if (slot >= 200) table.set(slot, vector);
      table.set(slots[0], vectors[3]);
    };
    table.unload(adopted);
    remove(301);
    remove(slots[7]);
    table.getSimilarities(vectors[0]);
    // The reload leaves out the slot whose row is missing from the file.
    of.set(slots[5], vectors[rows[5]]);
    alike(table, of);
    put(301, vectors[1]);
    put(slots[7], vectors[2]);
    alike(table, of);
  });
