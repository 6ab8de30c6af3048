import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { BAG_1, bagManifest, folderWith } from './model-folder.ts';
import { sampleDocuments } from './sample-documents.ts';
import { SEQUENCE_MODEL } from './sequence-model.ts';

const nothingCached = (keys: string[]) => keys.map(() => false);

async function openEncoder(t: TestContext) {
  const encoder = await createEncoder({ modelFolder: BAG_1 });
  t.after(() => encoder.close());
  return encoder;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

test('documents become vectors of length 1, by key', async (t) => {
  const encoder = await openEncoder(t);
  const documents = await sampleDocuments();
  const { keys, vectors } = await encoder.encode(documents, nothingCached);
  assert.equal(keys.length, documents.length);
  assert.equal(vectors.size, new Set(keys).size);
  for (const key of keys) {
    assert.match(key, /^[0-9a-f]{40}$/);
    const vector = vectors.get(key)!;
    assert.equal(vector.length, encoder.dimensions);
    assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-4);
  }
});

test('an idle thread ends, and the next call starts another', async (t) => {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const documents = (await sampleDocuments()).slice(0, 2);
  const issue = createTextQuery('cookies are cut short');
  const encoder = await createEncoder({ modelFolder: BAG_1, idleMs: 50 });
  t.after(() => encoder.close());
  const asked = await encoder.encodeQuery(issue);
  // Prepared documents keep their thread, however long it takes.
  const prepared = await encoder.prepare(documents);
  const started = threads.length;
  const thread = threads.at(-1);
  assert.ok(thread);
  const ended = once(thread, 'exit');
  await encoder.unload();
  await setTimeout(200);
  assert.equal((await prepared.embed([1])).length, 1);
  assert.equal(threads.length, started);
  prepared[Symbol.dispose]();
  await ended;
  assert.deepEqual(await encoder.encodeQuery(issue), asked);
  assert.equal(threads.length, started + 1);
});

test('a document has the same vector alone and among others', async (t) => {
  const encoder = await openEncoder(t);
  const documents = await sampleDocuments();
  const together = await encoder.encode(documents, nothingCached);
  for (const index of [0, 7, documents.length - 1]) {
    const alone = await encoder.encode([documents[index]], nothingCached);
    assert.equal(alone.keys[0], together.keys[index]);
    const vectors = [alone, together].map((from) => from.vectors.get(alone.keys[0])!);
    assert.ok(cosine(vectors[0], vectors[1]) > 1 - 1e-6);
  }
});

test('cached documents do not run; equal documents run once', async (t) => {
  const encoder = await openEncoder(t);
  const [first, second] = await sampleDocuments();
  const { keys } = await encoder.encode([first], nothingCached);
  const again = await encoder.encode([first, second, second], (asked) =>
    asked.map((key) => key === keys[0]),
  );
  assert.equal(again.keys[0], keys[0]);
  assert.deepEqual([...again.vectors.keys()], [again.keys[1]]);
  assert.deepEqual(await encoder.encode([], nothingCached), { keys: [], vectors: new Map() });
});

test('a key changes with the text and with the callees', async (t) => {
  const encoder = await openEncoder(t);
  const [document] = await sampleDocuments();
  const { keys } = await encoder.encode(
    [
      document,
      { ...document, text: `${document.text} more` },
      { ...document, callees: [{ path: 'x', text: 'other' }] },
    ],
    nothingCached,
  );
  assert.equal(new Set(keys).size, 3);
});

test('an issue finds the text it is about', async (t) => {
  const encoder = await openEncoder(t);
  const about = (path: string, text: string) => ({
    path,
    text,
    signatureEnd: text.indexOf(':') + 1,
    doc: null,
    callees: [],
  });
  const { keys, vectors } = await encoder.encode(
    [
      about('http/cookies.py', 'def set_cookie(self, name, value): self.cookies[name] = value'),
      about('db/migrations.py', 'def apply_migration(self, schema_editor): self.migrate(schema)'),
    ],
    nothingCached,
  );
  const issue = await encoder.encodeQuery(
    createTextQuery('Cookie value is lost\n\nSetting a cookie twice fails.'),
  );
  const [cookie, migration] = keys.map((key) => cosine(issue, vectors.get(key)!));
  assert.ok(cookie > migration);
});

test('an issue without words has a similarity of 0 to everything', async (t) => {
  const encoder = await openEncoder(t);
  assert.ok((await encoder.encodeQuery(createTextQuery('???'))).every((value) => value === 0));
});

test('a query overtakes documents', async (t) => {
  const encoder = await openEncoder(t);
  const sample = await sampleDocuments();
  const documents = Array.from({ length: 4000 }, (_, i) => ({
    ...sample[i % sample.length],
    path: `copy${i}.py`,
  }));
  const finished: string[] = [];
  await Promise.all([
    encoder.encode(documents, nothingCached).then(() => finished.push('documents')),
    encoder.encodeQuery(createTextQuery('overtake')).then(() => finished.push('query')),
  ]);
  assert.deepEqual(finished, ['query', 'documents']);
});

test('explains the input of the model', async (t) => {
  const encoder = await openEncoder(t);
  const parts = await encoder.explain({
    path: 'a/b.py',
    text: 'def f(x):\n  return x',
    signatureEnd: 9,
    doc: null,
    callees: [{ path: 'c.py', text: 'def g(): pass' }],
  });
  assert.deepEqual(
    parts.map((part) => [part.role, part.tokens]),
    [
      ['path', 3],
      ['signature', 3],
      ['body', 2],
      ['callee', 3],
    ],
  );
});

test('an error in a callback reaches the caller, and the encoder continues', async (t) => {
  const encoder = await openEncoder(t);
  const documents = await sampleDocuments();
  const failing = () => {
    throw new Error('the store is closed');
  };
  await assert.rejects(encoder.encode(documents, failing), /the store is closed/);
  assert.equal((await encoder.encode(documents, nothingCached)).keys.length, documents.length);
});

test('closing rejects pending and later calls, and can be repeated', async (t) => {
  const encoder = await openEncoder(t);
  const sample = await sampleDocuments();
  const documents = Array.from({ length: 3000 }, (_, i) => sample[i % sample.length]);
  const underWay = assert.rejects(encoder.encode(documents, nothingCached), { code: 'cancelled' });
  await Promise.all([underWay, encoder.close()]);
  await assert.rejects(encoder.encodeQuery(createTextQuery('late')), { code: 'cancelled' });
  await encoder.close();
});

test('if the thread dies, pending calls are rejected and the next call starts a new thread', async (t) => {
  const threads: Worker[] = [];
  const listen = (thread: Worker) => threads.push(thread);
  process.on('worker', listen);
  t.after(() => process.off('worker', listen));

  const encoder = await openEncoder(t);
  const documents = await sampleDocuments();
  const before = await encoder.encodeQuery(createTextQuery('the same'));
  const underWay = encoder.encode(documents, (keys) => {
    void threads[0].terminate();
    return nothingCached(keys);
  });
  await assert.rejects(underWay, { code: 'device', message: /^The encoder failed: / });
  assert.deepEqual(await encoder.encodeQuery(createTextQuery('the same')), before);
  assert.equal(threads.length, 2);
});

test('a device that does not work here is replaced by the CPU, with the reason', async (t) => {
  // No platform has both devices.
  for (const device of ['dml', 'coreml'] as const) {
    const encoder = await createEncoder({ modelFolder: BAG_1, device });
    t.after(() => encoder.close());
    if (encoder.device === device) continue;
    assert.equal(encoder.device, 'cpu');
    assert.match(encoder.fallback!, new RegExp(`^${device} does not work here: .`));
    return;
  }
  assert.fail('both DirectML and Core ML worked');
});

test('a model for which the CPU is fastest runs there without a note', async (t) => {
  const encoder = await openEncoder(t);
  assert.equal(encoder.device, 'cpu');
  assert.equal(encoder.fallback, null);
});

test('a damaged model is reported, whenever it is loaded', async (t) => {
  const modelFolder = await folderWith(t, {
    'model.json': bagManifest(),
    'vocab.txt': 'a\n',
    'model.onnx': 'no model',
  });
  await assert.rejects(createEncoder({ modelFolder }), {
    code: 'bad-model',
    message: /model\.onnx cannot be used: it is not an ONNX file/,
  });
});

test('a model whose output differs from its manifest is refused', async (t) => {
  const manifest = { ...SEQUENCE_MODEL['model.json'], dimensions: 64 };
  const modelFolder = await folderWith(t, { ...SEQUENCE_MODEL, 'model.json': manifest });
  await assert.rejects(createEncoder({ modelFolder }), {
    code: 'bad-model',
    message: /model\.onnx produces 3 dimensions, but its manifest says 64\./,
  });
});
