/** A repository that is brought up to date before every answer. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DamagedIndex } from '../../base/damage.ts';
import { cancelled, inSentences, LocusError } from '../../shared/errors.ts';
import type { IndexProgress, IndexReport, RepositoryStatus } from '../../shared/indexing.ts';
import type { Repository } from '../../shared/repository.ts';
import { KeptRepository, type OpenKept } from './kept-repository.ts';

export interface Freshness {
  /** Why what is on disk may differ from what answers; null when it does not. */
  behind: string | null;
  /** Of the run under way, where there is one. */
  progress: IndexProgress | null;
  notes: string[];
}

const CURRENT: Freshness = { behind: null, progress: null, notes: [] };

interface Question {
  signal: AbortSignal;
  /** Milliseconds to wait for the index; then what there is answers, and indexing goes on. */
  waitMs: number;
  onProgress?: (progress: IndexProgress) => void;
}

export type Answer<T> = (repository: Repository, freshness: Freshness) => Promise<T>;

export class AskedRepository extends KeptRepository {
  readonly #isFixed: boolean;
  /** The opening of a commit's index in which nothing is missing: it stays so. */
  #whole: Repository | null = null;
  /** A run that was asked for and has not looked at a file yet: later questions share it. */
  #next: IndexRun | null = null;
  /** Runs that have not ended. */
  readonly #runs = new Set<IndexRun>();
  #progress: IndexProgress | null = null;
  readonly #listeners = new Set<(progress: IndexProgress) => void>();
  /** Stops what runs when the server stops. */
  readonly #closing = new AbortController();

  /** @param isFixed true for a commit, which never changes. */
  constructor(open: OpenKept, isFixed: boolean) {
    super(open);
    this.#isFixed = isFixed;
  }

  get progress(): IndexProgress | null {
    return this.#progress;
  }

  /** True while a run is at work, which goes on though nobody waits for it. */
  override get isBusy(): boolean {
    return this.#runs.size > 0;
  }

  /**
   * Answers from the index as it is after every file that was written before the question, if that takes no longer
   * than `waitMs`, else from what is indexed so far.
   * @throws LocusError `cancelled` when the question's signal aborts, and as `answer` and opening do.
   */
  async ask<T>(question: Question, answer: Answer<T>): Promise<T> {
    const { onProgress } = question;
    if (onProgress) this.#listeners.add(onProgress);
    try {
      return await this.use((repository) => this.#answer(repository, question, answer));
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  override async close(): Promise<void> {
    this.#closing.abort();
    for (const run of this.#runs) run.end();
    await super.close();
  }

  async #answer<T>(
    repository: Repository,
    { signal, waitMs }: Question,
    answer: Answer<T>,
  ): Promise<T> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    if (this.#isFixed && this.#whole !== repository && isWhole(await repository.status()))
      this.#whole = repository;
    if (this.#whole === repository) return answer(repository, CURRENT);
    const run = this.#nextRun(repository);
    const freshness = await this.#wait(repository, run, waitMs, ending);
    if (ending.aborted) throw cancelled('The call', 'Call again to continue.');
    // Another process writes: what it has stored so far is not in the memory of this one.
    if (freshness.behind !== null && !run.started && this.#progress === null)
      return this.askStored((stored) => answer(stored, freshness));
    return answer(repository, freshness);
  }

  async #wait(
    repository: Repository,
    run: IndexRun,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Freshness> {
    const enough = new AbortController();
    try {
      const report = await Promise.race([
        run.join(signal),
        sleep(waitMs, null, { signal: enough.signal }),
      ]);
      if (report) return { ...CURRENT, notes: report.notes };
      const behind =
        run.started || this.#progress
          ? 'files are still being read'
          : 'indexing has not begun; another Locus process may be writing the index';
      return { behind, progress: this.#progress, notes: [] };
    } catch (error) {
      if (!isStoredIndexUseful(error)) throw error;
      const { state, root } = await repository.status();
      // What is stored of a folder that is gone would look as if it were there.
      if (state === 'empty' || !existsSync(root)) throw error;
      return { behind: inSentences(error).replace(/\.$/, ''), progress: null, notes: [] };
    } finally {
      enough.abort();
    }
  }

  #nextRun(repository: Repository): IndexRun {
    if (this.#next?.isOpenFor(repository)) return this.#next;
    const run = new IndexRun(repository, (progress) => {
      this.#progress = progress;
      for (const listener of this.#listeners) listener(progress);
    });
    this.#next = run;
    const onEnd = () => {
      this.#progress = null;
      this.#runs.delete(run);
      if (this.#next === run) this.#next = null;
    };
    this.#runs.add(run);
    run.ended.then(onEnd, onEnd);
    return run;
  }
}

/** One run that brings an index up to date, for all who asked before it looked at the first file. */
class IndexRun {
  /** Report of the run, once it ends; rejects as `Repository.index`. */
  readonly ended: Promise<IndexReport>;
  /** True once it has begun to look at files: a later edit may not be included. */
  started = false;
  readonly #repository: Repository;
  readonly #ending = new AbortController();
  #wanted = 0;

  constructor(repository: Repository, onProgress: (progress: IndexProgress) => void) {
    this.#repository = repository;
    this.ended = repository.index({
      signal: this.#ending.signal,
      onProgress: (progress) => {
        this.started = true;
        onProgress(progress);
      },
    });
    this.ended.catch(() => {}); // Who joins is told; who gave up waiting need not listen.
  }

  /** True if a question can join: the run looks at every file that was written before, and nobody has ended it. */
  isOpenFor(repository: Repository): boolean {
    return this.#repository === repository && !this.started && !this.#ending.signal.aborted;
  }

  end(): void {
    this.#ending.abort();
  }

  /**
   * Resolves when the run has ended. Once all who joined have cancelled, it is ended.
   * @throws LocusError `cancelled` when the signal aborts, and as `Repository.index`.
   */
  join(signal: AbortSignal): Promise<IndexReport> {
    this.#wanted++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--this.#wanted === 0) this.end();
        reject(cancelled('The call', 'Call again to continue.'));
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.ended.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}

/** Returns true for failures of bringing an index up to date that keep nobody from reading what is stored. */
function isStoredIndexUseful(error: unknown): error is LocusError {
  if (!(error instanceof LocusError) || error instanceof DamagedIndex) return false;
  return ['read-only', 'device', 'busy', 'bad-repository', 'bad-store'].includes(error.code);
}

function isWhole({ state, chunks, embedded }: RepositoryStatus): boolean {
  return state === 'complete' && embedded === chunks;
}
