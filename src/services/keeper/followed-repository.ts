import { DamagedIndex } from '../../base/damage.ts';
import { doublingDelays, RetryTimer } from '../../base/retry.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { toFailure } from '../../shared/errors.ts';
import type {
  FollowingHealth,
  IndexingState,
  IndexProgress,
  IndexReport,
  WatchUpdate,
} from '../../shared/indexing.ts';
import type { IndexOptions, Repository, WatchOptions } from '../../shared/repository.ts';
import { BackgroundEmbedding, type BackgroundEmbeddingOptions } from './background-embedding.ts';
import { ManagedRepository, type RepositoryOpener } from './managed-repository.ts';

/** Initial and maximum milliseconds until opening or indexing is retried after a failure. */
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 15_000;
interface FollowedEvents {
  onState: (state: IndexingState) => void;
  /** Called when the index includes changed files; twice if completing the index takes long. */
  onUpdate: (update: WatchUpdate) => void;
  /** Called when a damaged index was quarantined. This repository waits for `reopen`. */
  onDamage: (damage: DamagedIndex) => void;
  /** Called with each note of an indexing run. */
  onNote: (text: string) => void;
}

export interface FollowedOptions {
  open: RepositoryOpener;
  /** True for a commit, which never changes: it is indexed but not followed. */
  isFixed: boolean;
  events: FollowedEvents;
  /**
   * Queue of the workspace's repositories: they are indexed one after another, and not prepared for edits, which would hold the facts
   * of all of them in memory. Null for a single repository.
   */
  queue: SerialQueue | null;
  /** Conditions for background embedding. See `BackgroundEmbedding`. */
  backgroundEmbedding: Pick<
    BackgroundEmbeddingOptions,
    'isWanted' | 'isFree' | 'waitUntilIdle' | 'restMs'
  >;
}

/** A repository that is opened at once and kept current: indexed, and, for a working tree, following its files. */
export class FollowedRepository extends ManagedRepository {
  state: IndexingState = {
    phase: 'opening',
    progress: null,
    report: null,
    failure: null,
    warning: null,
  };
  readonly #options: FollowedOptions;
  readonly #embedding: BackgroundEmbedding;
  #controller = new AbortController();
  readonly #runs = new SerialQueue();
  readonly #retry = new RetryTimer(doublingDelays(RETRY_MS, MAX_RETRY_MS));

  constructor(options: FollowedOptions) {
    super(options.open);
    this.#options = options;
    this.#embedding = new BackgroundEmbedding({
      ...options.backgroundEmbedding,
      repository: () => this.repository,
      onProgress: (progress) => {
        if (this.state.phase === 'current') this.#setState({ progress });
      },
    });
    this.repository.catch((error) => this.#fail(error));
  }

  /**
   * Updates the index and keeps it current, continuing where it stopped. After a failure, starts from the current state of the folder.
   * Does nothing if that is already in progress.
   */
  resume(): void {
    const { phase } = this.state;
    if (this.isClosed || phase === 'indexing' || phase === 'current') return;
    this.#setState({ phase: 'indexing', progress: null, failure: null, warning: null });
    this.#start();
  }

  #start(): void {
    this.#retry.stop();
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    void this.#runs.add(() => this.#keepCurrent(signal));
  }

  pause(): void {
    if (this.state.phase !== 'indexing' && this.state.phase !== 'current') return;
    this.#controller.abort();
    this.#embedding.stop();
    this.#setState({ phase: 'paused', progress: null, warning: null });
  }

  /** Postpones background embedding because of a search. */
  postponeEmbedding(): void {
    this.#embedding.postpone();
  }

  /** Schedules or stops background embedding. */
  setBackgroundEmbedding(isWanted: boolean): void {
    if (isWanted) this.#embedding.wake();
    else this.#embedding.stop();
  }

  /** Opens the repository again, and continues unless it was paused. */
  override async reopen(between?: () => Promise<unknown>): Promise<Repository> {
    const { phase } = this.state;
    const reopening = super.reopen(between);
    reopening.catch((error) => this.#fail(error));
    this.#setState({ phase: 'opening', progress: null, failure: null, warning: null });
    const repository = await reopening;
    if (phase === 'paused') this.#setState({ phase });
    else this.resume();
    return repository;
  }

  protected override async stop(): Promise<void> {
    this.#retry.stop();
    this.#controller.abort();
    await this.#embedding.stop();
    await this.#runs.waitUntilIdle();
  }

  async #keepCurrent(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const repository = await this.repository;
      const options: IndexOptions = {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted && this.#isNewProgress(progress)) {
            this.#setState({ phase: 'indexing', progress, failure: null });
          }
        },
      };
      if (!this.#options.isFixed) await this.#follow(repository, { ...options, signal });
      else this.#reportIndexed(await this.#enqueue(() => repository.index(options)), signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Returns false for the first steps of a retry: until it gets further, the failure is more important. */
  #isNewProgress({ phase }: IndexProgress): boolean {
    return this.state.phase !== 'failed' || phase !== 'scan';
  }

  #reportIndexed(report: IndexReport, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#retry.reset();
    this.#setState({ phase: 'current', progress: null, report, failure: null });
    this.#embedding.wake();
    for (const note of report.notes) this.#options.events.onNote(note);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const { queue } = this.#options;
    return queue ? queue.add(work) : work();
  }

  /** @throws as `Repository.watch` */
  async #follow(repository: Repository, options: WatchOptions): Promise<void> {
    const { signal } = options;
    await repository.watch({
      ...options,
      prepareGraph: this.#options.queue === null,
      enqueue: (work) => this.#enqueue(work),
      onIndexed: (report) => this.#reportIndexed(report, signal),
      onUpdate: (update) => {
        this.#embedding.wake();
        this.#options.events.onUpdate(update);
      },
      onSearchable: this.#options.events.onUpdate,
      onHealth: (health) => {
        if (!signal.aborted) this.#reportHealth(health);
      },
    });
  }

  #reportHealth({ failure, warning }: FollowingHealth): void {
    if (failure) this.#embedding.stop();
    else this.#embedding.wake();
    this.#setState({
      phase: failure ? 'failed' : 'current',
      progress: null,
      failure: failure && toFailure(failure),
      warning: warning && toFailure(warning),
    });
  }

  #fail(error: unknown): void {
    this.#setState({ phase: 'failed', progress: null, failure: toFailure(error), warning: null });
    // The damaged index was quarantined. The keeper opens the repository again.
    if (error instanceof DamagedIndex) this.#options.events.onDamage(error);
    // The cause may go away: space is freed, a drive is connected, a permission is granted.
    else if (!this.isClosed) this.#retry.schedule(() => this.#start()).unref();
  }

  #setState(change: Partial<IndexingState>): void {
    this.state = { ...this.state, ...change };
    if (!this.isClosed) this.#options.events.onState(this.state);
  }
}
