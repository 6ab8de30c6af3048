/** Counts the work of a script that does not vary between machines, in all of its threads: bytes between threads, and uses of zstd. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeFolder, temporaryFolder, writeFiles } from './repository.ts';

/** Makes each thread write its messages of the worker protocol, and its calls of zstd, to a file. */
const RECORDER = `
  import { appendFileSync } from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { serialize } from 'node:v8';
  import { MessagePort } from 'node:worker_threads';
  import zlib from 'node:zlib';

  const record = (line) => appendFileSync(process.env.TEST_COUNTED, JSON.stringify(line) + '\\n');
  const PARTS = ['params', 'part', 'result', 'failure', 'notice'];
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message, transfers) {
    if (PARTS.some((part) => Object.hasOwn(Object(message), part))) {
      const moved = Array.isArray(transfers) ? transfers : [];
      const transferred = moved.reduce((sum, { byteLength }) => sum + byteLength, 0);
      record({ transferred, copied: serialize(message).length - transferred });
    }
    return postMessage.call(this, message, transfers);
  };
  for (const [name, kind] of [['zstdCompressSync', 'compressions'], ['zstdDecompressSync', 'decompressions']]) {
    const run = zlib[name];
    zlib[name] = (...args) => {
      record({ [kind]: 1 });
      return run(...args);
    };
  }
  syncBuiltinESMExports();
`;

export interface CountedWork {
  /** Bytes that messages between threads copied. */
  copied: number;
  /** Bytes that messages between threads moved without copying them. */
  transferred: number;
  compressions: number;
  decompressions: number;
}

/** Runs a script with Node and returns what it did. @throws AssertionError if it fails */
export function countWork(script: string, ...args: string[]): CountedWork {
  const folder = temporaryFolder();
  try {
    writeFiles(folder, { 'recorder.mjs': RECORDER, counted: '' });
    const recorder = pathToFileURL(join(folder, 'recorder.mjs')).href;
    const counted = join(folder, 'counted');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', recorder, script, ...args],
      { encoding: 'utf8', env: { ...process.env, TEST_COUNTED: counted } },
    );
    assert.equal(status, 0, stderr);
    const work = { copied: 0, transferred: 0, compressions: 0, decompressions: 0 };
    for (const line of readFileSync(counted, 'utf8').trim().split('\n')) {
      const event = JSON.parse(line) as Partial<CountedWork>;
      for (const name of Object.keys(event) as (keyof CountedWork)[])
        work[name] += event[name] ?? 0;
    }
    return work;
  } finally {
    removeFolder(folder);
  }
}
