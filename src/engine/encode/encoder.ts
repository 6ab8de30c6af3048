import { Semaphore } from '../../base/semaphore.ts';
import type { EncoderPart } from '../../shared/detail.ts';
import type { Device } from '../../shared/devices.ts';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { EncodeThread, type EncodeThreadOptions, MAX_STEP_SECONDS } from './encode-thread.ts';
import { loadManifest, type Manifest } from './manifest.ts';
import type { Encoder, EncoderDocument, PreparedDocuments } from './types.ts';

/** Milliseconds without work after which a model leaves memory. */
export const IDLE_MS = 5 * 60_000;
/** Documents that are sent to the worker at once. */
export const SLICE = 512;
/** Slices under way: one at work, one that waits, one that is read or stored. With two, both sides wait for each other. */
export const SLICES_UNDER_WAY = 3;

const DEFAULT_HEAP = 2048;

/**
 * Loads a model in a thread of its own. When the thread dies, what is asked of it rejects with `device`, and the next question
 * starts a new one. The thread ends after `idleMs` (five minutes) without a question.
 * @param options.manifest the folder's, if it is read already: the thread then begins to load at once
 * @param options.device `auto` by default: the fastest for this model
 * @param options.maxHeap megabytes of heap for the thread, 2,048 by default
 * @param options.maxStepSeconds seconds for loading the model and for each batch, two minutes by default
 * @throws LocusError `bad-model` when the folder holds no usable model
 */
export async function createEncoder(options: {
  modelFolder: string;
  manifest?: Manifest;
  device?: Device;
  maxHeap?: number;
  idleMs?: number;
  maxStepSeconds?: number;
}): Promise<Encoder> {
  const { modelFolder, device = 'auto', maxHeap = DEFAULT_HEAP, idleMs = IDLE_MS } = options;
  const { maxStepSeconds = MAX_STEP_SECONDS } = options;
  const manifest = options.manifest ?? (await loadManifest(modelFolder));
  const start = { modelFolder, device, maxHeap };
  const encoder = new ThreadedEncoder(manifest, start, { idleMs, maxStepSeconds });
  await encoder.load().catch((error) => {
    if (!isLoss(error)) throw error;
  });
  return encoder;
}

/** True if the thread or the device failed, so that another try may do better. */
export function isLoss(error: unknown): error is LocusError {
  return error instanceof LocusError && error.code === 'device';
}

interface ThreadLimits {
  idleMs: number;
  maxStepSeconds: number;
}

class ThreadedEncoder implements Encoder {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly #options: EncodeThreadOptions;
  readonly #limits: ThreadLimits;
  #thread: Promise<EncodeThread> | null = null;
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;
  device = '';
  fallback: string | null = null;
  #closed = false;
  readonly #slices = new Semaphore(SLICES_UNDER_WAY);

  constructor(manifest: Manifest, options: EncodeThreadOptions, limits: ThreadLimits) {
    this.modelId = manifest.id;
    this.modelVersion = manifest.version;
    this.dimensions = manifest.dimensions;
    this.#options = options;
    this.#limits = limits;
  }

  async load(): Promise<void> {
    using _use = await this.#acquire();
  }

  /** Acquires the thread until the returned use is disposed of. Starts one if none is running. */
  async #acquire(): Promise<{ thread: EncodeThread } & Disposable> {
    if (this.#closed) throw closed();
    clearTimeout(this.#idle);
    this.#uses++;
    try {
      this.#thread ??= this.#startThread();
      return { thread: await this.#thread, [Symbol.dispose]: () => this.#release() };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #release(): void {
    if (--this.#uses > 0 || this.#closed) return;
    this.#idle = setTimeout(() => void this.rest(), this.#limits.idleMs).unref();
  }

  async rest(): Promise<void> {
    const thread = await this.#thread?.catch(() => null);
    // A question may have come meanwhile.
    if (this.#uses > 0) return;
    this.#thread = null;
    await thread?.close(closed());
  }

  async encode(
    documents: EncoderDocument[],
    cached: (keys: string[]) => boolean[],
  ): Promise<{ keys: string[]; vectors: Map<string, Float32Array> }> {
    const slices: EncoderDocument[][] = [];
    for (let at = 0; at < documents.length; at += SLICE)
      slices.push(documents.slice(at, at + SLICE));
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
      async embed(places) {
        const wanted = [...places];
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

  async explain(document: EncoderDocument): Promise<EncoderPart[]> {
    using use = await this.#acquire();
    return await use.thread.explain(document);
  }

  /** Stops the work under way, whose promises are rejected with `cancelled`, and ends the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const thread = await this.#thread?.catch(() => null);
    await thread?.close(closed());
  }

  #startThread(): Promise<EncodeThread> {
    const { maxStepSeconds } = this.#limits;
    const starting: Promise<EncodeThread> = EncodeThread.start(this.#options, maxStepSeconds, () =>
      forget(),
    ).then((thread) => {
      this.device = thread.device;
      this.fallback = thread.fallback;
      return thread;
    });
    // Not another one that has taken its place.
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
    const wanted = missing(keys, cached);
    const made = await prepared.embed(wanted);
    for (const [i, place] of wanted.entries()) {
      const key = present(keys[place], 'the key of a document');
      vectors.set(key, present(made[i], 'the vector of a document'));
    }
    return keys;
  }
}

/** The index of the first document of each key that is not cached. */
function missing(keys: string[], cached: (keys: string[]) => boolean[]): number[] {
  const known = cached(keys);
  const seen = new Set<string>();
  const wanted: number[] = [];
  for (const [index, key] of keys.entries()) {
    if (known[index] || seen.has(key)) continue;
    seen.add(key);
    wanted.push(index);
  }
  return wanted;
}

function closed(): LocusError {
  return cancelled('Encoding', 'Open the repository again.');
}
