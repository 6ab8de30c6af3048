/**
 * Leases on repositories. Milvus has none, so they are stored in the repositories' state objects, by conditional writes. Clocks of
 * different machines are never compared: a lease expires for another worker that has seen it unchanged for as long as it lasts.
 */
import { ignoring } from '../../base/log.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { LocusError } from '../../shared/errors.ts';
import type { FleetCatalog, RepositoryState, TaggedValue } from './catalog.ts';

/** Other workers' leases, and since when each is unchanged, by this machine's clock in milliseconds. */
export class SeenLeases {
  readonly #seen = new Map<string, { tag: string; since: number }>();

  isFree(
    key: string,
    { value: { lease }, tag }: TaggedValue<RepositoryState>,
    now = performance.now(),
  ): boolean {
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
export interface LeaseClocks {
  /** Monotonic clock: never jumps, but stops while the machine sleeps. */
  steady(): number;
  /** Wall clock: continues while the machine sleeps, but may be set. */
  wall(): number;
}

const CLOCKS: LeaseClocks = { steady: () => performance.now(), wall: () => Date.now() };

/** A lease that this worker holds. It is renewed until it is ended, dropped or lost. */
export class Lease {
  /** Number of the run, higher than any before. */
  readonly generation: number;
  readonly #catalog: FleetCatalog;
  readonly #key: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #state: RepositoryState;
  #tag: string;
  readonly #clocks: LeaseClocks;
  /** Time of the last write, by both clocks. */
  #written: Moment;
  readonly #writes = new SerialQueue();

  private constructor(
    catalog: FleetCatalog,
    key: string,
    state: RepositoryState,
    tag: string,
    clocks: LeaseClocks,
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

  /** Takes a free repository; null if another worker was faster. */
  static async take(
    catalog: FleetCatalog,
    key: string,
    { value, tag }: TaggedValue<RepositoryState>,
    { worker, seconds, clocks = CLOCKS }: LeaseOptions,
  ): Promise<Lease | null> {
    const from = readClocks(clocks);
    const state = {
      ...value,
      generation: value.generation + 1,
      lease: { worker, seconds, commit: null },
    };
    const taken = await catalog.writeState(key, state, tag);
    return taken === null ? null : new Lease(catalog, key, state, taken, clocks, from);
  }

  /** Aborts when the lease is lost: nothing may be written any more. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** State of the repository when the lease was taken, or last written. */
  get state(): RepositoryState {
    return this.#state;
  }

  /** Must be called before each write. @throws LocusError `busy` if the lease is lost, or may be */
  assertHeld(): void {
    const now = readClocks(this.#clocks);
    // After a sleep, the lease may have expired. After a jump of the wall clock, it has to be renewed first.
    const elapsed = Math.max(now.steady - this.#written.steady, now.wall - this.#written.wall);
    if (this.#lost.signal.aborted || elapsed > this.#milliseconds) throw createLostError();
  }

  async announce(commit: string): Promise<void> {
    const { lease } = this.#state;
    if (lease) await this.#write({ ...this.#state, lease: { ...lease, commit } });
  }

  /** Ends the lease and stores the outcome. @throws LocusError `busy` if the lease was lost */
  async finish(outcome: Pick<RepositoryState, 'indexed' | 'failure'>): Promise<void> {
    clearInterval(this.#timer);
    const { checks } = this.#state;
    await this.#write({ ...this.#state, ...outcome, checks: checks + 1, lease: null });
  }

  /** Drops the lease without a write. Other workers can take it when it expires. */
  drop(): void {
    clearInterval(this.#timer);
    this.#lost.abort();
  }

  get #milliseconds(): number {
    return 1000 * (this.#state.lease?.seconds ?? 0);
  }

  /** Writes one after another, because each write names the tag of the one before. */
  #write(state: RepositoryState): Promise<void> {
    return this.#writes.add(async () => {
      if (this.#lost.signal.aborted) throw createLostError();
      const from = readClocks(this.#clocks);
      const tag = await this.#catalog.writeState(this.#key, state, this.#tag);
      if (tag === null) {
        this.drop();
        throw createLostError();
      }
      this.#tag = tag;
      this.#state = state;
      this.#written = from;
    });
  }
}

interface LeaseOptions {
  worker: string;
  /** Seconds until the lease expires unless it is renewed. */
  seconds: number;
  clocks?: LeaseClocks;
}

interface Moment {
  steady: number;
  wall: number;
}

const readClocks = ({ steady, wall }: LeaseClocks): Moment => ({ steady: steady(), wall: wall() });

const createLostError = () =>
  new LocusError(
    'busy',
    'Another worker is already indexing this repository.',
    'Nothing to do: the other worker continues.',
  );
