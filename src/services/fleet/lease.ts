/**
 * Leases on repositories. Milvus has none, so they are in the objects that say what became of each repository, written under the
 * condition that nobody wrote meanwhile. No two machines' clocks are compared: a lease is over for whoever has seen the same one
 * for as long as it is for.
 */
import { ignoring } from '../../base/log.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Catalog, State, Tagged } from './catalog.ts';

/** What a worker has seen of others' leases: since when each is as it is, by this machine's clock in milliseconds. */
export class SeenLeases {
  readonly #seen = new Map<string, { tag: string; since: number }>();

  isFree(key: string, { value: { lease }, tag }: Tagged<State>, now = performance.now()): boolean {
    if (!lease || tag === null) return true;
    const before = this.#seen.get(key);
    if (before?.tag !== tag) {
      this.#seen.set(key, { tag, since: now });
      return false;
    }
    return now - before.since > 1000 * lease.seconds;
  }
}

/** Two clocks, in milliseconds. */
export interface Clocks {
  /** Never jumps, but stops while the machine sleeps. */
  steady(): number;
  /** Goes on while the machine sleeps, but may be set. */
  wall(): number;
}

const CLOCKS: Clocks = { steady: () => performance.now(), wall: () => Date.now() };

/** A repository that this worker has. It is kept until it is ended, or somebody else takes it. */
export class Lease {
  /** The run: higher than that of any before. */
  readonly generation: number;
  readonly #catalog: Catalog;
  readonly #key: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #state: State;
  #tag: string;
  readonly #clocks: Clocks;
  /** When it was last written, by both clocks. */
  #written: Moment;
  readonly #writes = new SerialQueue();

  private constructor(
    catalog: Catalog,
    key: string,
    state: State,
    tag: string,
    clocks: Clocks,
    written: Moment,
  ) {
    this.#catalog = catalog;
    this.#key = key;
    this.#state = state;
    this.#tag = tag;
    this.generation = state.generation;
    this.#clocks = clocks;
    this.#written = written;
    const renew = () => void this.#write(this.#state).catch(ignoring('renew-lease'));
    this.#timer = setInterval(renew, this.#milliseconds / 4).unref();
  }

  /** Takes a repository that is free; null where somebody else was first. */
  static async take(
    catalog: Catalog,
    key: string,
    { value, tag }: Tagged<State>,
    { worker, seconds, clocks = CLOCKS }: LeaseOptions,
  ): Promise<Lease | null> {
    const from = readClocks(clocks);
    const state = {
      ...value,
      generation: value.generation + 1,
      lease: { worker, seconds, commit: null },
    };
    const taken = await catalog.write(key, state, tag);
    return taken === null ? null : new Lease(catalog, key, state, taken, clocks, from);
  }

  /** Aborted when it is lost: nothing may be written any more. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** What the repository's state was when it was taken. */
  get state(): State {
    return this.#state;
  }

  /** To be asked before each write. @throws LocusError `busy` when it is lost, or may be. */
  check(): void {
    const now = readClocks(this.#clocks);
    // A machine that slept may have lost it; one whose clock was set forward writes it again before it goes on.
    const elapsed = Math.max(now.steady - this.#written.steady, now.wall - this.#written.wall);
    if (this.#lost.signal.aborted || elapsed > this.#milliseconds) throw lost();
  }

  async announce(commit: string): Promise<void> {
    const { lease } = this.#state;
    if (lease) await this.#write({ ...this.#state, lease: { ...lease, commit } });
  }

  /** Gives the repository back, with what became of it. @throws LocusError `busy` when it was lost. */
  async end(outcome: Pick<State, 'indexed' | 'failure'>): Promise<void> {
    clearInterval(this.#timer);
    const { checks } = this.#state;
    await this.#write({ ...this.#state, ...outcome, checks: checks + 1, lease: null });
  }

  /** Lets go of it, as a worker that ends does: others take it when its time is over. */
  drop(): void {
    clearInterval(this.#timer);
    this.#lost.abort();
  }

  get #milliseconds(): number {
    return 1000 * (this.#state.lease?.seconds ?? 0);
  }

  /** One write after the other: each names the one before. */
  #write(state: State): Promise<void> {
    return this.#writes.add(async () => {
      if (this.#lost.signal.aborted) throw lost();
      const from = readClocks(this.#clocks);
      const tag = await this.#catalog.write(this.#key, state, this.#tag);
      if (tag === null) {
        this.drop();
        throw lost();
      }
      this.#tag = tag;
      this.#state = state;
      this.#written = from;
    });
  }
}

interface LeaseOptions {
  worker: string;
  /** Time that the lease is for. */
  seconds: number;
  clocks?: Clocks;
}

interface Moment {
  steady: number;
  wall: number;
}

const readClocks = ({ steady, wall }: Clocks): Moment => ({ steady: steady(), wall: wall() });

const lost = () =>
  new LocusError(
    'busy',
    'another worker has the repository now',
    'nothing is to be done: that one goes on',
  );
