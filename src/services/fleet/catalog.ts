/**
 * The repositories of a fleet, in object storage: one list of them all, which a search reads, and an object for each with what became
 * of it, which workers take turns to write. Every write names the content that it replaces, so that none is lost.
 */

import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseBounded } from '../../base/json.ts';
import { retry } from '../../base/retry.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { FleetStatus } from '../../shared/fleet.ts';
import { FORGE_NAMES } from '../../shared/issue-link.ts';
import { type ObjectStore, objectFailure } from '../objects/objects.ts';

const entry = z.object({
  /** What it is called in results: `github.com/psf/requests`, or the path of a folder. */
  name: z.string().min(1).max(2_000),
  /** What is cloned: an address without user and password, or a folder. */
  url: z.string().min(1).max(2_000),
  /** A branch or tag; null for what the host has as HEAD. */
  ref: z.string().max(255).nullable(),
  /** What runs on its host, which is asked who may read it; null for a folder. */
  forge: z.enum(FORGE_NAMES).nullable(),
});
export type Entry = z.infer<typeof entry>;

const indexed = z.object({
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** The run that stored it. */
  generation: z.int().min(1),
  model: z.string().max(200),
  rows: z.int().min(0),
  files: z.int().min(0),
  /** When it was stored, by the clock of the worker; for people alone. Null where an earlier version did. */
  at: z.iso.datetime().nullable().default(null),
});

const state = z.object({
  indexed: indexed.nullable(),
  /** Runs that began. */
  generation: z.int().min(0),
  /** Runs that ended, well or not. */
  checks: z.int().min(0),
  /**
   * Who works on it. A lease is held as long as its holder writes it anew; it is over for whoever has seen the same one for so many
   * seconds, by a clock of his own.
   */
  lease: z
    .object({
      worker: z.string().max(100),
      seconds: z.number().min(1).max(3_600),
      commit: z.string().max(64).nullable(),
    })
    .nullable(),
  /** Why the last run failed: the code of the error, without words that may quote. */
  failure: z.string().max(100).nullable(),
  /** It is being taken out: nobody is to work on it any more. */
  removing: z.boolean(),
});
export type State = z.infer<typeof state>;

const catalog = z.object({
  format: z.literal(1),
  repositories: z.record(z.string().regex(/^[0-9a-f]{32}$/), entry),
});

/** What an object holds now, and its tag, by which it is replaced. */
export interface Tagged<T> {
  value: T;
  tag: string | null;
}

const CATALOG = 'fleet/catalog.json';
const statePath = (key: string): string => `fleet/repositories/${key}.json`;
/** Largest state in bytes; it has a few hundred. */
const MAX_STATE_BYTES = 64 * 2 ** 10;
/** Shape of the list: that of 200,000 repositories. */
const LIMITS = { maxDepth: 4, maxContainers: 200_000, maxValues: 2_000_000 };
const ATTEMPTS = 50;
const AT_ONCE = 8;

const NEW: State = {
  indexed: null,
  generation: 0,
  checks: 0,
  lease: null,
  failure: null,
  removing: false,
};

/** Returns the key of a repository: 128 bits, in hex. */
export function keyOf({ name, ref }: Pick<Entry, 'name' | 'ref'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, ref]))
    .digest('hex')
    .slice(0, 32);
}

export class Catalog {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Where it is, for people. */
  get name(): string {
    return this.#objects.name;
  }

  /** All repositories by key. @throws LocusError `bad-objects`, as everything here. */
  async entries(signal?: AbortSignal): Promise<Map<string, Entry>> {
    return new Map(Object.entries((await this.#read(signal)).value));
  }

  /** Adds repositories, or says anew where they are; returns how many were not there before. */
  async add(entries: readonly Entry[], signal?: AbortSignal): Promise<number> {
    let added = 0;
    await this.#change((all) => {
      added = entries.filter((one) => !(keyOf(one) in all)).length;
      return { ...all, ...Object.fromEntries(entries.map((one) => [keyOf(one), one])) };
    }, signal);
    return added;
  }

  async forget(key: string, signal?: AbortSignal): Promise<void> {
    await this.#change(({ [key]: _, ...others }) => others, signal);
    await this.#objects.delete(statePath(key), signal);
  }

  /** What became of a repository; a new one for what was never worked on. */
  async state(key: string, signal?: AbortSignal): Promise<Tagged<State>> {
    const path = statePath(key);
    const found = await this.#objects.get(path, { maxBytes: MAX_STATE_BYTES, signal });
    if (!found) return { value: NEW, tag: null };
    return { value: this.#parsed(state, path, found.bytes), tag: found.tag };
  }

  /** Replaces a state, unless somebody did meanwhile: then null. */
  async write(
    key: string,
    value: State,
    tag: string | null,
    signal?: AbortSignal,
  ): Promise<string | null> {
    return this.#objects.put(statePath(key), bytesOf(value), tag, signal);
  }

  async update(key: string, change: (value: State) => State, signal?: AbortSignal): Promise<State> {
    return this.#untilWritten(async () => {
      const { value, tag } = await this.state(key, signal);
      const changed = change(value);
      return (await this.write(key, changed, tag, signal)) === null ? null : changed;
    }, signal);
  }

  /**
   * Returns the states of the repositories, without asking the engine.
   * @param most repositories that are looked at, in the order of their names
   */
  async status({
    most,
    signal,
  }: {
    most?: number;
    signal?: AbortSignal;
  } = {}): Promise<FleetStatus> {
    const entries = [...(await this.entries(signal))].sort(([, a], [, b]) =>
      a.name < b.name ? -1 : Number(a.name > b.name),
    );
    const looked = entries.slice(0, most);
    const turns = new Semaphore(AT_ONCE);
    const told = looked.map(([key, { name, url, ref }]) =>
      turns.run(signal, 'Reading the fleet', async () => {
        const { indexed, lease, failure, removing } = (await this.state(key, signal)).value;
        return { name, url, ref, indexed, working: lease !== null, failure, removing };
      }),
    );
    return { repositories: await Promise.all(told), more: entries.length - looked.length };
  }

  [Symbol.dispose](): void {
    this.#objects.close();
  }

  async #read(signal?: AbortSignal): Promise<Tagged<Record<string, Entry>>> {
    const found = await this.#objects.get(CATALOG, { signal });
    if (!found) return { value: {}, tag: null };
    const { repositories } = this.#parsed(catalog, CATALOG, found.bytes);
    return { value: repositories, tag: found.tag };
  }

  async #change(
    change: (all: Record<string, Entry>) => Record<string, Entry>,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#untilWritten(async () => {
      const { value, tag } = await this.#read(signal);
      const bytes = bytesOf({ format: 1, repositories: change(value) });
      return this.#objects.put(CATALOG, bytes, tag, signal);
    }, signal);
  }

  /** Repeats an attempt to write while it returns null, as it does if somebody else was faster. */
  #untilWritten<T>(attempt: () => Promise<T | null>, signal?: AbortSignal): Promise<T> {
    const conflict = objectFailure(
      `Other workers keep writing to ${this.name}.`,
      'Try again in a minute.',
    );
    const write = async () => {
      const written = await attempt();
      if (written === null) throw conflict;
      return written;
    };
    return retry(write, {
      attempts: ATTEMPTS,
      delays: () => 0,
      signal,
      name: 'Writing to the fleet',
      shouldRetry: (error) => error === conflict,
    });
  }

  #parsed<T>(schema: z.ZodType<T>, path: string, bytes: Buffer): T {
    const parsed = schema.safeParse(parseBounded(bytes, LIMITS));
    if (parsed.success) return parsed.data;
    throw objectFailure(
      `${path} in ${this.name} is nothing that this version of Locus wrote`,
      'use the same version everywhere; or remove it, and add the repositories again',
    );
  }
}

/** Equal contents could have equal tags, and a state that comes back would be taken for one that never changed. */
function bytesOf(value: object): Uint8Array {
  return Buffer.from(JSON.stringify({ ...value, nonce: randomBytes(8).toString('hex') }));
}
