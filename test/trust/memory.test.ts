/** Threads that really run out of memory: their task fails with a message, and all other work continues. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import type { EncoderDocument } from '../../src/engine/encode/types.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { unpackFile } from '../../src/engine/parse/packed-file.ts';
import {
  ParserPool,
  type ParserPoolOptions,
  type UnparsedFile,
} from '../../src/engine/parse/pool.ts';
import { MODELS_FOLDER } from '../../src/services/models-folder.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe('a parser thread that runs out of memory', () => {
  /** Parses texts. Returns, by path, the number of chunks and why a file was taken as plain text. */
  async function parsed(options: ParserPoolOptions, texts: Record<string, string>) {
    const pool = new ParserPool({ size: 2, fileTimeout: 120_000, ...options });
    closing.push(() => pool.close());
    const unread: UnparsedFile[] = [];
    const files = Object.entries(texts).map(([path, text]) => ({ path, hash: path, text }));
    const found: Record<string, [number, string | null]> = {};
    const all = pool.parse([files], (file) => unread.push(file));
    for await (const file of all) {
      const { path, chunks, failure } = unpackFile(file);
      found[path] = [chunks.length, failure];
    }
    return { found, unread };
  }
  const small = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`small_${i}.py`, 'def f(): pass\n']),
  );
  const smallParsed = Object.fromEntries(Object.keys(small).map((path) => [path, [2, null]]));

  it('in its parser takes the file as plain text and parses the others', async () => {
    const texts = { 'a.py': 'def f(): pass\n', 'huge.py': 'f(x)\n'.repeat(200_000), ...small };
    const { found, unread } = await parsed({ maxMemory: 40 }, texts);
    assert.deepEqual(unread, []);
    assert.deepEqual(found, {
      'a.py': [2, null],
      'huge.py': [1, 'parsing ran out of memory'],
      ...smallParsed,
    });
  });

  it('in its heap takes the file as plain text and parses the others', async () => {
    const texts = { 'huge.py': 'f(x)\n'.repeat(200_000), ...small };
    const { found } = await parsed({ maxHeap: 48 }, texts);
    assert.deepEqual(found, { 'huge.py': [1, 'parsing ran out of memory'], ...smallParsed });
  });

  it('even for plain text reports the file and parses the others', async () => {
    const texts = { 'lines.py': 'x\n'.repeat(2_000_000), ...small };
    const { found, unread } = await parsed({ maxHeap: 19, maxMemory: 33 }, texts);
    assert.deepEqual(unread, [{ path: 'lines.py', cause: 'parsing ran out of memory' }]);
    assert.deepEqual(found, smallParsed);
  });

  it('at its start blames no file', async () => {
    await assert.rejects(parsed({ maxHeap: 8 }, small), {
      name: 'LocusError',
      code: 'device',
      message: /^No parser thread could be started: .*memory/,
    });
  });
});

describe('an encoding thread that runs out of memory', () => {
  const document = (text: string): EncoderDocument => ({
    path: 'a.py',
    text,
    signatureEnd: 0,
    doc: null,
    callees: [],
  });

  it('rejects its request, and a new thread answers the next one', async () => {
    const encoder = await createEncoder({
      modelFolder: join(MODELS_FOLDER, 'bag-1'),
      device: 'cpu',
      maxHeap: 64,
    });
    closing.push(() => encoder.close());
    const before = await encoder.encodeQuery(createTextQuery('where is a cookie parsed'));
    const huge = Array.from({ length: 512 }, (_, i) => document(`word${i} `.repeat(60_000)));
    await assert.rejects(
      encoder.encode(huge, (keys) => keys.map(() => false)),
      { name: 'LocusError', code: 'device', message: /not enough memory for the encoder/ },
    );
    assert.deepEqual(
      await encoder.encodeQuery(createTextQuery('where is a cookie parsed')),
      before,
    );
  });
});
