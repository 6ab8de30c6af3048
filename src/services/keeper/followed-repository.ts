import { DamagedIndex } from '../../base/damage.ts';
import { doublingDelays, RetryTimer } from '../../base/retry.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { toWire } from '../../shared/errors.ts';
import type {
  FollowingHealth,
  IndexingState,
  IndexProgress,
  IndexReport,
  WatchUpdate,
} from '../../shared/indexing.ts';
import type { IndexOptions, Repository, WatchOptions } from '../../shared/repository.ts';
import { KeptRepository, type OpenKept } from './kept-repository.ts';
import { ReadingAhead, type ReadingAheadParts } from './reading-ahead.ts';

/** Milliseconds until opening or indexing is tried again after a failure, at first and at most. */
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 15_000;
interface FollowedEvents {
  onState: (state: IndexingState) => void;
  /** Called when files have changed in the index; twice for what takes long to be complete. */
  onUpdate: (update: WatchUpdate) => void;
  /** Called when the index was moved away: this repository waits for `reopen`. */
  onDamage: (damage: DamagedIndex) => void;
  /** Called with each note of an indexing run. */
  onNote: (text: string) => void;
}

export interface FollowedOptions {
  open: OpenKept;
  /** True for a commit, which never changes: it is indexed and not followed. */
  isFixed: boolean;
  events: FollowedEvents;
  /**
   * Queue of the repositories that it was opened together with: they are indexed in turn, and not prepared for edits, which
   * would hold the facts of all of them in memory. Null for one that is alone.
   */
  queue: SerialQueue | null;
  /** Conditions under which functions are read in advance, see `ReadingAhead`. */
  ahead: Pick<ReadingAheadParts, 'isWanted' | 'isFree' | 'restMs'>;
}

/** A repository that is opened at once and kept current by itself: indexed, then, for a working tree, following its files. */
export class FollowedRepository extends KeptRepository {
  state: IndexingState = {
    phase: 'opening',
    progress: null,
    report: null,
    failure: null,
    warning: null,
  };
  readonly #options: FollowedOptions;
  readonly #ahead: ReadingAhead;
  #controller = new AbortController();
  readonly #runs = new SerialQueue();
  readonly #retry = new RetryTimer(doublingDelays(RETRY_MS, MAX_RETRY_MS));

  constructor(options: FollowedOptions) {
    super(options.open);
    this.#options = options;
    this.#ahead = new ReadingAhead({
      ...options.ahead,
      repository: () => this.repository,
      onProgress: (progress) => {
        if (this.state.phase === 'current') this.#enter({ progress });
      },
    });
    this.repository.catch((error) => this.#fail(error));
  }

  /**
   * Brings the index up to date and keeps it so, from where it stopped; after a failure, of the folder as it is now.
   * Does nothing while that is under way.
   */
  resume(): void {
    const { phase } = this.state;
    if (this.isClosed || phase === 'indexing' || phase === 'current') return;
    this.#enter({ phase: 'indexing', progress: null, failure: null, warning: null });
    this.#begin();
  }

  #begin(): void {
    this.#retry.stop();
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    void this.#runs.add(() => this.#keepCurrent(signal));
  }

  pause(): void {
    if (this.state.phase !== 'indexing' && this.state.phase !== 'current') return;
    this.#controller.abort();
    this.#ahead.stop();
    this.#enter({ phase: 'paused', progress: null, warning: null });
  }

  /** Puts off what is to be read in advance: somebody searches. */
  readLater(): void {
    this.#ahead.later();
  }

  /** Begins to read in advance, some time from now, or ends it. */
  readAhead(isWanted: boolean): void {
    if (isWanted) this.#ahead.wake();
    else this.#ahead.stop();
  }

  /** Reopens it, and goes on unless it was paused. */
  override async reopen(between?: () => Promise<unknown>): Promise<Repository> {
    const { phase } = this.state;
    const reopening = super.reopen(between);
    reopening.catch((error) => this.#fail(error));
    this.#enter({ phase: 'opening', progress: null, failure: null, warning: null });
    const repository = await reopening;
    if (phase === 'paused') this.#enter({ phase });
    else this.resume();
    return repository;
  }

  protected override async stop(): Promise<void> {
    this.#retry.stop();
    this.#controller.abort();
    await this.#ahead.stop();
    await this.#runs.idle();
  }

  async #keepCurrent(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const repository = await this.repository;
      const options: IndexOptions = {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted && this.#isNews(progress)) {
            this.#enter({ phase: 'indexing', progress, failure: null });
          }
        },
      };
      if (!this.#options.isFixed) await this.#follow(repository, { ...options, signal });
      else this.#tellIndexed(await this.#inTurn(() => repository.index(options)), signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** False for the first steps of a retry: until it comes further than before, the failure is what there is to know. */
  #isNews({ phase }: IndexProgress): boolean {
    return this.state.phase !== 'failed' || phase !== 'scan';
  }

  #tellIndexed(report: IndexReport, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#retry.reset();
    this.#enter({ phase: 'current', progress: null, report, failure: null });
    this.#ahead.wake();
    for (const note of report.notes) this.#options.events.onNote(note);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { queue } = this.#options;
    return queue ? queue.add(work) : work();
  }

  /** @throws as `Repository.watch` */
  async #follow(repository: Repository, options: WatchOptions): Promise<void> {
    const { signal } = options;
    await repository.watch({
      ...options,
      prepare: this.#options.queue === null,
      inTurn: (work) => this.#inTurn(work),
      onIndexed: (report) => this.#tellIndexed(report, signal),
      onUpdate: (update) => {
        this.#ahead.wake();
        this.#options.events.onUpdate(update);
      },
      onSearchable: this.#options.events.onUpdate,
      onHealth: (health) => {
        if (!signal.aborted) this.#tellHealth(health);
      },
    });
  }

  #tellHealth({ failure, warning }: FollowingHealth): void {
    if (failure) this.#ahead.stop();
    else this.#ahead.wake();
    this.#enter({
      phase: failure ? 'failed' : 'current',
      progress: null,
      failure: failure && toWire(failure),
      warning: warning && toWire(warning),
    });
  }

  #fail(error: unknown): void {
    this.#enter({ phase: 'failed', progress: null, failure: toWire(error), warning: null });
    // The damaged index was moved away, and the keeper opens the repository again.
    if (error instanceof DamagedIndex) this.#options.events.onDamage(error);
    // Space may be freed, a drive connected again, a permission given back.
    else if (!this.isClosed) this.#retry.schedule(() => this.#begin()).unref();
  }

  #enter(change: Partial<IndexingState>): void {
    this.state = { ...this.state, ...change };
    if (!this.isClosed) this.#options.events.onState(this.state);
  }
}
