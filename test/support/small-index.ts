import { createHash } from 'node:crypto';
import type { Encoder, EncoderDocument } from '../../src/engine/encode/types.ts';
import { createCallResolver } from '../../src/engine/graph/repository-graph.ts';
import { getParserVersion, isIndexedPath } from '../../src/engine/languages/index.ts';
import { packFile } from '../../src/engine/parse/packed-file.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';
import type { PooledFile, SourceFile } from '../../src/engine/parse/pool.ts';
import { ChangeFollower } from '../../src/engine/pipeline/change-follower.ts';
import { Indexer } from '../../src/engine/pipeline/indexer.ts';
import { LiveSnapshot } from '../../src/engine/snapshot/live-snapshot.ts';
import type { SourceEntry, SourceTree } from '../../src/engine/source/types.ts';
import { Store } from '../../src/engine/store/store.ts';

const DIMENSIONS = 20;

/** Source tree in memory, shared by all `SmallProcess`es. */
export class MemoryTree implements SourceTree {
  readonly root = '/';
  readonly revision = null;
  readonly files = new Map<string, string>();

  async getHead(): Promise<null> {
    return null;
  }

  async list(accepted: (path: string) => boolean, only?: ReadonlySet<string>) {
    const paths = [...this.files.keys()].filter(
      (path) => accepted(path) && (!only || only.has(path)),
    );
    const entries = paths.sort().map((path) => ({ path, ...describeText(this.files.get(path)!) }));
    return { entries, skipped: [], submodules: [], unsupported: {}, attributes: [] };
  }

  async *read(entries: readonly SourceEntry[]) {
    for (const { path } of entries) {
      const text = this.files.get(path);
      if (text === undefined) {
        const skipped = { path, reason: 'unreadable' as const, detail: 'it is gone' };
        yield { path, skipped };
      } else yield { path, text, ...describeText(text) };
    }
  }

  async close(): Promise<void> {}
}

function describeText(text: string): { hash: string; size: number } {
  return { hash: sha1(text), size: text.length };
}

/** Parses each text once in this thread, and yields the files in a random order, as threads do. */
export class QuickParser {
  readonly size = 1;
  readonly #uniform: () => number;
  static readonly #parsed = new Map<string, Awaited<ReturnType<typeof parseFile>>>();

  constructor(uniform: () => number) {
    this.#uniform = uniform;
  }

  startThread(): void {}

  async warmUp(): Promise<void> {}

  async stopIdleThreads(): Promise<void> {}

  async *parse(
    lists: readonly (AsyncIterable<SourceFile> | Iterable<SourceFile>)[],
  ): AsyncGenerator<PooledFile> {
    const all: SourceFile[] = [];
    for (const list of lists) for await (const file of list) all.push(file);
    while (all.length > 0) {
      const [{ path, hash, text }] = all.splice(Math.floor(this.#uniform() * all.length), 1);
      const key = `${path}:${hash}`;
      const parsed = QuickParser.#parsed.get(key) ?? (await parseFile(path, text));
      QuickParser.#parsed.set(key, parsed);
      yield { ...packFile({ ...parsed, content: text }), path, hash, failure: null };
    }
  }
}

/** Encoder whose keys are hashes of the documents, and whose vectors identify their keys. */
export const quickEncoder: Encoder = {
  modelId: 'quick',
  modelVersion: '1',
  dimensions: DIMENSIONS,
  device: 'cpu',
  fallback: null,
  async encode(documents, cached) {
    const keys = documents.map((document) => makeKey(document));
    const isCached = cached(keys);
    const missing = keys.filter((_, i) => !isCached[i]);
    return { keys, vectors: new Map(missing.map((key) => [key, makeVector(key)])) };
  },
  async prepare(documents) {
    const keys = documents.map((document) => makeKey(document));
    return {
      keys,
      embed: async (positions) => positions.map((position) => makeVector(keys[position])),
      [Symbol.dispose]() {},
    };
  },
  encodeQuery: async ({ text }) => makeVector(sha1(text)),
  unload: async () => {},
  explain: async () => [],
  close: async () => {},
};

function makeKey(document: EncoderDocument): string {
  return sha1(JSON.stringify(document));
}

/** Returns the vector for a key in hex. */
export function makeVector(key: string): Float32Array {
  const bytes = Float32Array.from(Buffer.from(key, 'hex'), (byte) => byte + 1);
  const norm = Math.hypot(...bytes);
  return bytes.map((byte) => byte / norm);
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** Index of a tree as one process opens it: like `openRepository`, without threads and models. */
export class SmallProcess {
  readonly store: Store;
  readonly snapshot: LiveSnapshot;
  readonly indexer: Indexer;
  readonly abort = new AbortController();
  readonly following: ChangeFollower;

  constructor(
    directory: string,
    tree: SourceTree,
    uniform: () => number,
    encoder: Encoder = quickEncoder,
    readyChunks?: number,
  ) {
    this.store = new Store(directory);
    this.snapshot = new LiveSnapshot(this.store, tree.revision, {
      key: 'quick@1',
      dimensions: DIMENSIONS,
    });
    this.indexer = new Indexer({
      store: this.store,
      tree,
      accepts: isIndexedPath,
      parserOf: getParserVersion,
      pool: new QuickParser(uniform),
      encoder: Promise.resolve(encoder),
      newResolver: createCallResolver,
      batchFiles: 2,
      readyChunks,
    });
    this.following = new ChangeFollower(this.snapshot, this.indexer, this.abort.signal);
  }

  async run(signal?: AbortSignal, follow = false): Promise<void> {
    await this.snapshot.runExclusive(signal, (index) =>
      this.indexer.run(index, { signal, follow }),
    );
  }

  async close(): Promise<void> {
    this.abort.abort();
    await this.snapshot.waitUntilIdle();
    this.store.close();
  }
}
