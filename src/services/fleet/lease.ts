/**
 * Leases on repositories. Milvus has none, so they are in the objects that say what became of each repository, written under the
 * condition that nobody wrote meanwhile. No two machines' clocks are compared: a lease is over for whoever has seen the same one
 * for as long as it is for.
 */
import { LocusError } from '../../shared/errors.ts';
import type { Catalog, State, Tagged } from './catalog.ts';

/** What a worker has seen of others' leases: since when each is as it is, by this machine's clock in milliseconds. */
export class SeenLeases {
  readonly #seen = new Map<string, { tag: string; since: number }>();

  /** Whether a repository may be taken now. */
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
  /** Until when it surely lasts, by this machine's clock. */
  #until: number;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(catalog: Catalog, key: string, state: State, tag: string, from: number) {
    this.#catalog = catalog;
    this.#key = key;
    this.#state = state;
    this.#tag = tag;
    this.generation = state.generation;
    this.#until = from + this.#milliseconds;
    this.#timer = setInterval(() => {
      this.#renew().catch(() => {});
    }, this.#milliseconds / 4);
    this.#timer.unref();
  }

  /** Takes a repository that is free; null where somebody else was first. */
  static async take(
    catalog: Catalog,
    key: string,
    { value, tag }: Tagged<State>,
    { worker, seconds }: { worker: string; seconds: number },
  ): Promise<Lease | null> {
    const from = performance.now();
    const state = {
      ...value,
      generation: value.generation + 1,
      lease: { worker, seconds, commit: null },
    };
    const taken = await catalog.write(key, state, tag);
    return taken === null ? null : new Lease(catalog, key, state, taken, from);
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
    if (this.#lost.signal.aborted || performance.now() > this.#until) throw lost();
  }

  /** Says which commit is being stored. */
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

  #renew(): Promise<void> {
    return this.#write(this.#state);
  }

  /** One write after the other: each names the one before. */
  #write(state: State): Promise<void> {
    const written = this.#writing.then(async () => {
      if (this.#lost.signal.aborted) throw lost();
      const from = performance.now();
      const tag = await this.#catalog.write(this.#key, state, this.#tag);
      if (tag === null) {
        this.drop();
        throw lost();
      }
      this.#tag = tag;
      this.#state = state;
      this.#until = from + this.#milliseconds;
    });
    this.#writing = written.catch(() => {});
    return written;
  }
}

const lost = () =>
  new LocusError(
    'busy',
    'another worker has the repository now',
    'nothing is to be done: that one goes on',
  );
