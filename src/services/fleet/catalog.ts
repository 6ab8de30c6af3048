/**
 * Stores the repositories of a fleet in object storage: one catalog of all repositories, which a search reads, and one state object
 * for each repository, which workers write. Every write names the content that it replaces, so that no change is lost.
 */

import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseBounded } from '../../base/json.ts';
import { retry } from '../../base/retry.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { FleetStatus } from '../../shared/fleet.ts';
import { CODE_HOST_KINDS } from '../../shared/issue-url.ts';
import { createObjectError, type ObjectStore } from '../objects/objects.ts';

const entry = z.object({
  /** Name in results: `github.com/psf/requests`, or the path of a folder. */
  name: z.string().min(1).max(2_000),
  /** Address to clone, without user and password, or a folder. */
  url: z.string().min(1).max(2_000),
  /** Branch or tag; null for the host's HEAD. */
  ref: z.string().max(255).nullable(),
  /** Kind of code host, which is asked who may read the repository; null for a folder. */
  forge: z.enum(CODE_HOST_KINDS).nullable(),
});
export type FleetEntry = z.infer<typeof entry>;

const indexed = z.object({
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** Number of the run that stored it. */
  generation: z.int().min(1),
  model: z.string().max(200),
  rows: z.int().min(0),
  files: z.int().min(0),
  /** Time at which it was stored, by the worker's clock; only for people. Null if an earlier version stored it. */
  at: z.iso.datetime().nullable().default(null),
});

const state = z.object({
  indexed: indexed.nullable(),
  /** Number of runs that started. */
  generation: z.int().min(0),
  /** Number of runs that ended, successfully or not. */
  checks: z.int().min(0),
  /**
   * Lease of the current worker. The holder rewrites it regularly. It expires for another worker that has seen the same lease for
   * that many seconds by its own clock.
   */
  lease: z
    .object({
      worker: z.string().max(100),
      seconds: z.number().min(1).max(3_600),
      commit: z.string().max(64).nullable(),
    })
    .nullable(),
  /** Error code of the last run if it failed. The message is omitted, since it may quote the repository. */
  failure: z.string().max(100).nullable(),
  /** True while the repository is being removed: no worker may index it any more. */
  removing: z.boolean(),
});
export type RepositoryState = z.infer<typeof state>;

const catalog = z.object({
  format: z.literal(1),
  repositories: z.record(z.string().regex(/^[0-9a-f]{32}$/), entry),
});

/** Content of an object, and the tag that a write has to name to replace it. */
export interface TaggedValue<T> {
  value: T;
  tag: string | null;
}

const CATALOG = 'fleet/catalog.json';
const getStatePath = (key: string): string => `fleet/repositories/${key}.json`;
/** Largest state in bytes; it has a few hundred. */
const MAX_STATE_BYTES = 64 * 2 ** 10;
/** Limits on the shape of the catalog: enough for 200,000 repositories. */
const LIMITS = { maxDepth: 4, maxContainers: 200_000, maxValues: 2_000_000 };
const MAX_ATTEMPTS = 50;
const MAX_AT_ONCE = 8;

const NEW: RepositoryState = {
  indexed: null,
  generation: 0,
  checks: 0,
  lease: null,
  failure: null,
  removing: false,
};

/** Returns the key of a repository: 128 bits of a hash, in hex. */
export function makeRepositoryKey({ name, ref }: Pick<FleetEntry, 'name' | 'ref'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, ref]))
    .digest('hex')
    .slice(0, 32);
}

export class FleetCatalog {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Name of the object storage, for people. */
  get name(): string {
    return this.#objects.name;
  }

  /** Reads all repositories by key. @throws LocusError `bad-objects`, as all methods here */
  async listEntries(signal?: AbortSignal): Promise<Map<string, FleetEntry>> {
    return new Map(Object.entries((await this.#read(signal)).value));
  }

  /** Adds repositories, or updates their addresses. Returns the number of new ones. */
  async add(entries: readonly FleetEntry[], signal?: AbortSignal): Promise<number> {
    let added = 0;
    await this.#change((all) => {
      added = entries.filter((one) => !(makeRepositoryKey(one) in all)).length;
      return { ...all, ...Object.fromEntries(entries.map((one) => [makeRepositoryKey(one), one])) };
    }, signal);
    return added;
  }

  async remove(key: string, signal?: AbortSignal): Promise<void> {
    await this.#change(({ [key]: _, ...others }) => others, signal);
    await this.#objects.delete(getStatePath(key), signal);
  }

  /** Reads the state of a repository; a repository that was never indexed gets an initial state. */
  async readState(key: string, signal?: AbortSignal): Promise<TaggedValue<RepositoryState>> {
    const path = getStatePath(key);
    const found = await this.#objects.get(path, { maxBytes: MAX_STATE_BYTES, signal });
    if (!found) return { value: NEW, tag: null };
    return { value: this.#parse(state, path, found.bytes), tag: found.tag };
  }

  /** Replaces a state. Returns its new tag; null if somebody else has changed it meanwhile. */
  async writeState(
    key: string,
    value: RepositoryState,
    tag: string | null,
    signal?: AbortSignal,
  ): Promise<string | null> {
    return this.#objects.put(getStatePath(key), encode(value), tag, signal);
  }

  async updateState(
    key: string,
    change: (value: RepositoryState) => RepositoryState,
    signal?: AbortSignal,
  ): Promise<RepositoryState> {
    return this.#writeUntilDone(async () => {
      const { value, tag } = await this.readState(key, signal);
      const changed = change(value);
      return (await this.writeState(key, changed, tag, signal)) === null ? null : changed;
    }, signal);
  }

  /**
   * Reads the states of the repositories, without asking the engine.
   * @param most maximum number of repositories to read, in the order of their names
   */
  async readStatus({
    most,
    signal,
  }: {
    most?: number;
    signal?: AbortSignal;
  } = {}): Promise<FleetStatus> {
    const entries = [...(await this.listEntries(signal))].sort(([, a], [, b]) =>
      a.name < b.name ? -1 : Number(a.name > b.name),
    );
    const looked = entries.slice(0, most);
    const slots = new Semaphore(MAX_AT_ONCE);
    const states = looked.map(([key, { name, url, ref }]) =>
      slots.run(signal, 'Reading the fleet', async () => {
        const { indexed, lease, failure, removing } = (await this.readState(key, signal)).value;
        return { name, url, ref, indexed, working: lease !== null, failure, removing };
      }),
    );
    return { repositories: await Promise.all(states), more: entries.length - looked.length };
  }

  [Symbol.dispose](): void {
    this.#objects.close();
  }

  async #read(signal?: AbortSignal): Promise<TaggedValue<Record<string, FleetEntry>>> {
    const found = await this.#objects.get(CATALOG, { signal });
    if (!found) return { value: {}, tag: null };
    const { repositories } = this.#parse(catalog, CATALOG, found.bytes);
    return { value: repositories, tag: found.tag };
  }

  async #change(
    change: (all: Record<string, FleetEntry>) => Record<string, FleetEntry>,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#writeUntilDone(async () => {
      const { value, tag } = await this.#read(signal);
      const bytes = encode({ format: 1, repositories: change(value) });
      return this.#objects.put(CATALOG, bytes, tag, signal);
    }, signal);
  }

  /** Repeats an attempt to write as long as it returns null, because somebody else has written meanwhile. */
  #writeUntilDone<T>(attempt: () => Promise<T | null>, signal?: AbortSignal): Promise<T> {
    const conflict = createObjectError(
      `Other workers keep writing to ${this.name}, so the change could not be stored.`,
      'Try again in a minute.',
    );
    const write = async () => {
      const written = await attempt();
      if (written === null) throw conflict;
      return written;
    };
    return retry(write, {
      attempts: MAX_ATTEMPTS,
      delays: () => 0,
      signal,
      name: 'Writing to the fleet',
      shouldRetry: (error) => error === conflict,
    });
  }

  #parse<T>(schema: z.ZodType<T>, path: string, bytes: Buffer): T {
    const parsed = schema.safeParse(parseBounded(bytes, LIMITS));
    if (parsed.success) return parsed.data;
    throw createObjectError(
      `${path} in ${this.name} was not written by this version of Locus.`,
      'Use the same version everywhere. Otherwise remove the object and add the repositories again.',
    );
  }
}

/** Adds a random value: equal contents could have equal tags, and a state that returns to an old value would look unchanged. */
function encode(value: object): Uint8Array {
  return Buffer.from(JSON.stringify({ ...value, nonce: randomBytes(8).toString('hex') }));
}
