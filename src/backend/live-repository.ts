import { existsSync } from 'node:fs';
import { DamagedIndex } from '../engine/store/damage.ts';
import { LocusError } from '../shared/errors.ts';
import type { IndexingState, WatchUpdate } from '../shared/indexing.ts';
import type { Repository } from '../shared/repository.ts';
import { describe } from '../shared/rpc/server.ts';
import { ReadingAhead, type ReadingAheadParts } from './reading-ahead.ts';
import type { Turns } from './turns.ts';

/** Milliseconds after which it is tried again when the store failed: there may be space again. */
const RETRY_MS = 15_000;

export interface LiveEvents {
  onState: (state: IndexingState) => void;
  /** Files have changed in the index; told twice of what takes long to be complete. */
  onUpdate: (update: WatchUpdate) => void;
  /** The index was set aside: it has to be opened again with `reopen`. */
  onDamage: (damage: DamagedIndex) => void;
  onNote: (level: 'info' | 'error', text: string, remedy: string | null) => void;
}

/** A repository that is kept open and current: indexed, then, for a working tree, following its files. */
export class LiveRepository {
  /** The folder or commit, open. Rejects while it cannot be opened. */
  repository: Promise<Repository>;
  state: IndexingState = { phase: 'opening', progress: null, report: null, failure: null };
  readonly #open: () => Promise<Repository>;
  readonly #folder: string | null;
  readonly #events: LiveEvents;
  readonly #turns: Turns | null;
  readonly #ahead: ReadingAhead;
  #controller = new AbortController();
  /** The run at work, or the last one; never rejects. */
  #run: Promise<void> = Promise.resolve();
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  /** Whether it failed since it was opened: the folder may be something else by now. */
  #failed = false;

  /**
   * @param folder where its files are; null for a commit, which never changes.
   * @param turns of those that it was opened together with: they are indexed in turn, and not prepared for edits, which
   * would hold the facts of all of them in memory; null where it is alone.
   * @param ahead whether and when functions are read in advance, see `ReadingAhead`
   */
  constructor(
    open: () => Promise<Repository>,
    folder: string | null,
    events: LiveEvents,
    turns: Turns | null,
    ahead: Pick<ReadingAheadParts, 'isWanted' | 'isFree' | 'restMs'>,
  ) {
    this.#turns = turns;
    this.#open = open;
    this.#folder = folder;
    this.#events = events;
    this.#ahead = new ReadingAhead({
      ...ahead,
      repository: () => this.repository,
      onProgress: (progress) => {
        if (this.state.phase === 'current') this.#enter({ progress });
      },
    });
    this.repository = open();
    this.repository.catch((error) => this.#fail(error));
  }

  /**
   * Brings the index up to date and keeps it so, from where it stopped; after a failure, of the folder as it is now.
   * Does nothing while that is under way.
   */
  resume(): void {
    const { phase } = this.state;
    if (this.#closed || phase === 'indexing' || phase === 'current') return;
    clearTimeout(this.#retry);
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#enter({ phase: 'indexing', progress: null, failure: null });
    this.#run = this.#run.then(() => this.#keepCurrent(signal));
  }

  /** Stops indexing and watching; what is indexed stays and search goes on. */
  pause(): void {
    if (this.state.phase !== 'indexing' && this.state.phase !== 'current') return;
    this.#controller.abort();
    this.#ahead.stop();
    this.#enter({ phase: 'paused', progress: null });
  }

  /** Somebody searches: what is to be read in advance is read some time from now. */
  readLater(): void {
    this.#ahead.later();
  }

  /** Begins to read in advance, some time from now, or ends it. */
  readAhead(isWanted: boolean): void {
    if (isWanted) this.#ahead.wake();
    else this.#ahead.stop();
  }

  /** Closes it and opens it again, as after a change of model or device. */
  async reopen(open: () => Promise<Repository>): Promise<void> {
    const { phase } = this.state;
    clearTimeout(this.#retry);
    this.#controller.abort();
    const before = this.repository;
    this.repository = this.#run.then(async () => {
      await this.#ahead.stop();
      await before.then((repository) => repository.close()).catch(() => {});
      return open();
    });
    this.repository.catch((error) => this.#fail(error));
    this.#enter({ phase: 'opening', progress: null, failure: null });
    await this.repository;
    this.#failed = false;
    if (phase === 'paused') this.#enter({ phase });
    else this.resume();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#controller.abort();
    await this.#ahead.stop();
    await this.#run;
    await this.repository.then((repository) => repository.close()).catch(() => {});
  }

  async #keepCurrent(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const repository = await (this.#failed ? this.#openAnew(signal) : this.repository);
      const index = () =>
        repository.index({
          signal,
          follow: this.#folder !== null && this.#turns === null,
          onProgress: (progress) => {
            if (!signal.aborted) this.#enter({ progress });
          },
        });
      const report = await (this.#turns ? this.#turns.take(index) : index());
      if (signal.aborted) return;
      this.#enter({ phase: 'current', progress: null, report });
      this.#ahead.wake();
      for (const note of report.notes) this.#events.onNote('info', note, null);
      if (this.#folder) await this.#follow(this.#folder, repository, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** The folder as what it is now. While it cannot be opened, what was open before can be searched. */
  async #openAnew(signal: AbortSignal): Promise<Repository> {
    const before = this.repository;
    const opened = await this.#open();
    if (signal.aborted) {
      await opened.close();
      return before;
    }
    this.repository = Promise.resolve(opened);
    this.#failed = false;
    before.then((repository) => repository.close()).catch(() => {});
    return opened;
  }

  /** @throws LocusError `not-found` or `bad-repository` when the folder, or its repository, goes while it is followed. */
  async #follow(folder: string, repository: Repository, signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const watching = repository.watch({
      signal: AbortSignal.any([signal, ending.signal]),
      prepare: this.#turns === null,
      onUpdate: (update) => {
        this.#ahead.wake();
        this.#events.onUpdate(update);
      },
      onSearchable: this.#events.onUpdate,
      onError: (error) => {
        const { code, remedy = null } = error as Partial<LocusError>;
        // What changed meanwhile is not in the index: it is indexed again from the beginning.
        if (code === 'bad-repository' || code === 'bad-store') ending.abort(error);
        else this.#events.onNote('error', error.message, remedy);
      },
    });
    await watching.catch((error) => ending.abort(error));
    if (signal.aborted) return;
    if (existsSync(folder)) ending.signal.throwIfAborted();
    throw new LocusError(
      'not-found',
      'the folder was deleted or moved',
      'put it back, and indexing goes on by itself; or open it where it is now',
    );
  }

  #fail(error: unknown): void {
    this.#failed = true;
    const failure = describe(error);
    this.#enter({ phase: 'failed', progress: null, failure });
    // A damaged index was set aside: whoever keeps this opens the repository anew.
    if (error instanceof DamagedIndex) {
      this.#events.onDamage(error);
      return;
    }
    if (this.#closed) return;
    if (this.#folder && !existsSync(this.#folder)) this.#awaitFolder(this.#folder);
    else if (failure.code === 'bad-store') {
      this.#retry = setTimeout(() => this.resume(), RETRY_MS).unref();
    }
  }

  /** A folder that was moved away may come back, and a drive be connected again. */
  #awaitFolder(folder: string): void {
    this.#retry = setTimeout(() => {
      if (existsSync(folder)) this.resume();
      else this.#awaitFolder(folder);
    }, RETRY_MS / 5).unref();
  }

  #enter(change: Partial<IndexingState>): void {
    this.state = { ...this.state, ...change };
    if (!this.#closed) this.#events.onState(this.state);
  }
}
