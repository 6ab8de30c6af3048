import { IdleTimer } from '../../base/idle-timer.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { EncoderPart } from '../../shared/detail.ts';
import type { Device } from '../../shared/devices.ts';
import { cancelled, LocusError } from '../../shared/errors.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { EncodeThread, type EncodeThreadOptions, MAX_STEP_SECONDS } from './encode-thread.ts';
import { loadManifest, type ModelManifest } from './manifest.ts';
import type { Encoder, EncoderDocument, PairScorer, PreparedDocuments } from './types.ts';

/** Milliseconds without work after which a model is unloaded. */
export const DEFAULT_IDLE_MS = 5 * 60_000;
/** Number of documents that are sent to the thread at once. */
export const DOCUMENTS_PER_SLICE = 512;
/**
 * Number of slices in progress: one runs, one waits, and one is being read or stored. With two, both sides would wait for
 * each other.
 */
export const MAX_ACTIVE_SLICES = 3;

const DEFAULT_HEAP = 2048;

/**
 * Loads a model in a thread of its own. If the thread dies, pending calls reject with `device`, and the next call starts a
 * new thread. The thread ends after `idleMs` (five minutes by default) without a call.
 * @param options.manifest manifest of the folder, if it is already loaded; the thread then starts to load at once
 * @param options.device device to use; `auto` by default, which is the fastest for this model
 * @param options.maxHeap maximum heap of the thread in megabytes, 2,048 by default
 * @param options.maxStepSeconds maximum seconds for loading the model and for each batch, two minutes by default
 * @throws LocusError `bad-model` if the folder has no usable model
 */
export async function createEncoder(options: {
  modelFolder: string;
  manifest?: ModelManifest;
  device?: Device;
  maxHeap?: number;
  idleMs?: number;
  maxStepSeconds?: number;
}): Promise<Encoder & PairScorer> {
  const {
    modelFolder,
    device = 'auto',
    maxHeap = DEFAULT_HEAP,
    idleMs = DEFAULT_IDLE_MS,
  } = options;
  const { maxStepSeconds = MAX_STEP_SECONDS } = options;
  const manifest = options.manifest ?? (await loadManifest(modelFolder));
  const start = { modelFolder, manifest, device, maxHeap };
  const encoder = new ThreadedEncoder(manifest, start, { idleMs, maxStepSeconds });
  await encoder.load().catch((error) => {
    if (!isEncoderLost(error)) throw error;
  });
  return encoder;
}

/** Returns true if the thread or the device failed, so that a retry may succeed. */
export function isEncoderLost(error: unknown): error is LocusError {
  return error instanceof LocusError && error.code === 'device';
}

interface ThreadLimits {
  idleMs: number;
  maxStepSeconds: number;
}

class ThreadedEncoder implements Encoder, PairScorer {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly #options: EncodeThreadOptions;
  readonly #maxStepSeconds: number;
  readonly #idleTimer: IdleTimer;
  #thread: Promise<EncodeThread> | null = null;
  #useCount = 0;
  device = '';
  fallback: string | null = null;
  #isClosed = false;
  readonly #slices = new Semaphore(MAX_ACTIVE_SLICES);

  constructor(manifest: ModelManifest, options: EncodeThreadOptions, limits: ThreadLimits) {
    this.modelId = manifest.id;
    this.modelVersion = manifest.version;
    this.dimensions = manifest.dimensions;
    this.#options = options;
    this.#maxStepSeconds = limits.maxStepSeconds;
    this.#idleTimer = new IdleTimer(limits.idleMs, () => void this.unload());
  }

  async load(): Promise<void> {
    using _use = await this.#acquire();
  }

  /** Acquires the thread until the returned use is disposed of. Starts one if none is running. */
  async #acquire(): Promise<{ thread: EncodeThread } & Disposable> {
    if (this.#isClosed) throw createClosedError();
    this.#idleTimer.stop();
    this.#useCount++;
    try {
      this.#thread ??= this.#startThread();
      return { thread: await this.#thread, [Symbol.dispose]: () => this.#release() };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    if (--this.#useCount > 0 || this.#isClosed) return;
    this.#idleTimer.restart();
  }

  async unload(): Promise<void> {
    const thread = await this.#thread?.catch(() => null);
    // A call may have come in the meantime.
    if (this.#useCount > 0) return;
    this.#thread = null;
    await thread?.close(createClosedError());
  }

  async encode(
    documents: EncoderDocument[],
    cached: (keys: string[]) => boolean[],
  ): Promise<{ keys: string[]; vectors: Map<string, Float32Array> }> {
    const slices: EncoderDocument[][] = [];
    for (let at = 0; at < documents.length; at += DOCUMENTS_PER_SLICE)
      slices.push(documents.slice(at, at + DOCUMENTS_PER_SLICE));
    const vectors = new Map<string, Float32Array>();
    const keys = await Promise.all(
      slices.map((slice) =>
        this.#slices.run(undefined, 'Encoding', () => this.#encodeSlice(slice, cached, vectors)),
      ),
    );
    return { keys: keys.flat(), vectors };
  }

  async prepare(documents: EncoderDocument[]): Promise<PreparedDocuments> {
    const use = await this.#acquire();
    const { thread } = use;
    const { id, keys } = await thread.prepare(documents).catch((error) => {
      use[Symbol.dispose]();
      throw error;
    });
    const { dimensions } = this;
    let isDisposed = false;
    return {
      keys,
      async embed(indices) {
        const wanted = [...indices];
        const all = await thread.run(id, wanted);
        return wanted.map((_, i) => all.subarray(i * dimensions, (i + 1) * dimensions));
      },
      [Symbol.dispose]: () => {
        if (isDisposed) return;
        isDisposed = true;
        thread.release(id);
        use[Symbol.dispose]();
      },
    };
  }

  async encodeQuery(issue: EncoderQuery): Promise<Float32Array> {
    using use = await this.#acquire();
    return await use.thread.query(issue);
  }

  async score(issue: EncoderQuery, document: EncoderDocument): Promise<number> {
    using use = await this.#acquire();
    return await use.thread.score(issue, document);
  }

  async explain(document: EncoderDocument): Promise<EncoderPart[]> {
    using use = await this.#acquire();
    return await use.thread.explain(document);
  }

  /** Rejects pending calls with `cancelled`, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idleTimer.stop();
    const thread = await this.#thread?.catch(() => null);
    await thread?.close(createClosedError());
  }

  #startThread(): Promise<EncodeThread> {
    const starting: Promise<EncodeThread> = EncodeThread.start(
      this.#options,
      this.#maxStepSeconds,
      () => forget(),
    ).then((thread) => {
      this.device = thread.device;
      this.fallback = thread.fallback;
      return thread;
    });
    // A newer thread may have taken its place; that one stays.
    const forget = () => {
      if (this.#thread === starting) this.#thread = null;
    };
    starting.catch(forget);
    return starting;
  }

  async #encodeSlice(
    documents: EncoderDocument[],
    cached: (keys: string[]) => boolean[],
    vectors: Map<string, Float32Array>,
  ): Promise<string[]> {
    using prepared = await this.prepare(documents);
    const { keys } = prepared;
    const wanted = findUncached(keys, cached);
    const embedded = await prepared.embed(wanted);
    for (const [i, index] of wanted.entries()) {
      const key = assertPresent(keys[index], 'the key of a document');
      vectors.set(key, assertPresent(embedded[i], 'the vector of a document'));
    }
    return keys;
  }
}

/** Returns the index of the first document of each key that is not cached. */
function findUncached(keys: string[], cached: (keys: string[]) => boolean[]): number[] {
  const isCached = cached(keys);
  const seen = new Set<string>();
  const wanted: number[] = [];
  for (const [index, key] of keys.entries()) {
    if (isCached[index] || seen.has(key)) continue;
    seen.add(key);
    wanted.push(index);
  }
  return wanted;
}

function createClosedError(): LocusError {
  return cancelled('Encoding', 'Open the repository again.');
}
