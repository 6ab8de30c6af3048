import type { EncoderPart } from '../../shared/detail.ts';
import type { Device } from '../../shared/devices.ts';
import { LocusError } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { EncodeThread } from './encode-thread.ts';
import { loadManifest, type Manifest } from './manifest.ts';
import type { WorkerStart } from './messages.ts';
import { IDLE_MS } from './on-demand.ts';
import type { Encoder, EncoderDocument, PreparedDocuments } from './types.ts';

/** Documents that are sent to the worker at once. */
export const SLICE = 512;
/**
 * Slices that may be under way: one that the worker works on, one that waits for it, and one that is read or stored by who asks.
 * With two, both sides wait for each other.
 */
export const SLICES_UNDER_WAY = 3;

const DEFAULT_HEAP = 2048;

/**
 * Loads a model in a thread of its own. When the thread dies, at the start or later, what is asked of it rejects with
 * `device`, and the next question starts a new one; so it does when the thread was let go, as it is after minutes without a
 * question: its weights are a good part of what a process holds.
 * @param options.manifest the folder's, where it is read already: the thread then begins to load at once, whatever keeps the caller's thread busy
 * @param options.device `auto` by default: the fastest for this model
 * @param options.maxHeap megabytes of heap for the thread, 2,048 by default
 * @param options.idleMs milliseconds without a question, five minutes by default
 * @throws LocusError `bad-model` when the folder holds no usable model
 */
export async function createEncoder(options: {
  modelFolder: string;
  manifest?: Manifest;
  device?: Device;
  maxHeap?: number;
  idleMs?: number;
}): Promise<Encoder> {
  const { modelFolder, device = 'auto', maxHeap = DEFAULT_HEAP, idleMs = IDLE_MS } = options;
  const manifest = options.manifest ?? (await loadManifest(modelFolder));
  const encoder = new ThreadedEncoder(manifest, { modelFolder, device, maxHeap }, idleMs);
  await encoder.load().catch((error) => {
    if (!isLoss(error)) throw error;
  });
  return encoder;
}

/** Whether it is the thread that failed, or the device: another try may do better. */
export function isLoss(error: unknown): error is LocusError {
  return error instanceof LocusError && error.code === 'device';
}

class ThreadedEncoder implements Encoder {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly #options: WorkerStart;
  readonly #idleMs: number;
  #thread: Promise<EncodeThread> | null = null;
  /** Of the thread, which stays while there are any. */
  #uses = 0;
  #idle: NodeJS.Timeout | undefined;
  #device = '';
  #fallback: string | null = null;
  #closed = false;
  /** Slices under way, and those that wait for their turn. */
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(manifest: Manifest, options: WorkerStart, idleMs: number) {
    this.modelId = manifest.id;
    this.modelVersion = manifest.version;
    this.dimensions = manifest.dimensions;
    this.#options = options;
    this.#idleMs = idleMs;
  }

  get device(): string {
    return this.#device;
  }

  get fallback(): string | null {
    return this.#fallback;
  }

  async load(): Promise<void> {
    await this.#using(async () => {});
  }

  /** Works with the thread; a new one when there is none, or the last one died. */
  async #using<T>(work: (thread: EncodeThread) => Promise<T>): Promise<T> {
    const thread = await this.#borrow();
    try {
      return await work(thread);
    } finally {
      this.#giveBack();
    }
  }

  async #borrow(): Promise<EncodeThread> {
    if (this.#closed) throw closed();
    clearTimeout(this.#idle);
    this.#uses++;
    try {
      this.#thread ??= this.#startThread();
      return await this.#thread;
    } catch (error) {
      this.#giveBack();
      throw error;
    }
  }

  #giveBack(): void {
    if (--this.#uses > 0 || this.#closed) return;
    this.#idle = setTimeout(() => void this.rest(), this.#idleMs).unref();
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
      slices.map((slice) => this.#inTurn(() => this.#encodeSlice(slice, cached, vectors))),
    );
    return { keys: keys.flat(), vectors };
  }

  async prepare(documents: EncoderDocument[]): Promise<PreparedDocuments> {
    const thread = await this.#borrow();
    const { id, answer } = thread.send({ type: 'prepare', documents });
    const keys = await answer.catch((error) => {
      this.#giveBack();
      throw error;
    });
    const { dimensions } = this;
    let released = false;
    return {
      keys,
      async embed(places) {
        const wanted = [...places];
        const all = await thread.ask({ type: 'run', prepared: id, wanted });
        return wanted.map((_, i) => all.subarray(i * dimensions, (i + 1) * dimensions));
      },
      release: () => {
        if (released) return;
        released = true;
        thread.forget(id);
        this.#giveBack();
      },
    };
  }

  async encodeQuery(issue: EncoderQuery): Promise<Float32Array> {
    return this.#using((thread) => thread.ask({ type: 'query', issue }));
  }

  async explain(document: EncoderDocument): Promise<EncoderPart[]> {
    return this.#using((thread) => thread.ask({ type: 'explain', document }));
  }

  /** Stops the work under way, whose promises are rejected with `cancelled`, and ends the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    for (const turn of this.#waiting.splice(0)) turn();
    const thread = await this.#thread?.catch(() => null);
    await thread?.close(closed());
  }

  #startThread(): Promise<EncodeThread> {
    const starting: Promise<EncodeThread> = EncodeThread.start(this.#options, () => forget()).then(
      (thread) => {
        this.#device = thread.device;
        this.#fallback = thread.fallback;
        return thread;
      },
    );
    // Not another one that has taken its place.
    const forget = () => {
      if (this.#thread === starting) this.#thread = null;
    };
    starting.catch(forget);
    return starting;
  }

  /** Makes the keys of a slice, embeds what is not cached and adds it to `vectors`. */
  async #encodeSlice(
    documents: EncoderDocument[],
    cached: (keys: string[]) => boolean[],
    vectors: Map<string, Float32Array>,
  ): Promise<string[]> {
    const prepared = await this.prepare(documents);
    const { keys } = prepared;
    try {
      const wanted = missing(keys, cached);
      const made = await prepared.embed(wanted);
      for (const [i, place] of wanted.entries()) {
        const key = present(keys[place], 'the key of a document');
        vectors.set(key, present(made[i], 'the vector of a document'));
      }
    } finally {
      prepared.release();
    }
    return keys;
  }

  /** Runs `work` when fewer than `SLICES_UNDER_WAY` others are under way, in the order of the calls. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay >= SLICES_UNDER_WAY) {
      await new Promise<void>((turn) => this.#waiting.push(turn));
    } else {
      this.#underWay++;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay--;
    }
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
  return new LocusError('cancelled', 'The encoder was closed', 'Open the repository again.');
}
