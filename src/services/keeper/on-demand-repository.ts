/** A repository that is brought up to date before each answer. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DamagedIndex } from '../../base/damage.ts';
import { cancelled, formatFailure, LocusError } from '../../shared/errors.ts';
import type { IndexProgress, IndexReport, RepositoryStatus } from '../../shared/indexing.ts';
import type { IndexOptions, Repository } from '../../shared/repository.ts';
import { ManagedRepository, type RepositoryOpener } from './managed-repository.ts';

export interface Freshness {
  /** Reason why the answer may not reflect the files on disk; null if it does. */
  behind: string | null;
  /** Progress of the indexing run in progress; null if none exists. */
  progress: IndexProgress | null;
  notes: string[];
}

const CURRENT: Freshness = { behind: null, progress: null, notes: [] };

interface Question {
  signal: AbortSignal;
  /** Milliseconds to wait for the index. After that, the current index answers while indexing continues. */
  waitMs: number;
  /** Text of an issue: the files that it is likely about are indexed first. */
  about?: string | undefined;
  onProgress?: (progress: IndexProgress) => void;
}

export type AnswerFunction<T> = (repository: Repository, freshness: Freshness) => Promise<T>;

export class OnDemandRepository extends ManagedRepository {
  readonly #isFixed: boolean;
  /** The open index of a commit if nothing is missing in it: it never changes again. */
  #complete: Repository | null = null;
  /** A run that has not looked at any file yet, so that later questions can share it. */
  #pendingRun: IndexRun | null = null;
  /** Runs that have not ended. */
  readonly #runs = new Set<IndexRun>();
  #progress: IndexProgress | null = null;
  readonly #listeners = new Set<(progress: IndexProgress) => void>();
  /** Aborts runs when the repository is closed. */
  readonly #closing = new AbortController();

  /** @param isFixed true for a commit, which never changes. */
  constructor(open: RepositoryOpener, isFixed: boolean) {
    super(open);
    this.#isFixed = isFixed;
  }

  get progress(): IndexProgress | null {
    return this.#progress;
  }

  /** True while a run is in progress. It continues even if nobody waits for it. */
  override get isBusy(): boolean {
    return this.#runs.size > 0;
  }

  /**
   * Answers from an index that includes every file written before the question, if that takes at most `waitMs`. Otherwise answers
   * from what is indexed so far.
   * @throws LocusError `cancelled` if the question's signal aborts; also as `answer` and opening do
   */
  async ask<T>(question: Question, answer: AnswerFunction<T>): Promise<T> {
    const { onProgress } = question;
    if (onProgress) this.#listeners.add(onProgress);
    try {
      return await this.withRepository((repository) => this.#answer(repository, question, answer));
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
    }
  }

  /** Updates the index for another process, in a run that questions may share. */
  update({
    signal,
    onProgress = () => {},
  }: Pick<IndexOptions, 'signal' | 'onProgress'>): Promise<IndexReport> {
    return this.withRepository(async (repository) => {
      const run = this.#nextRun(repository);
      const listener = (progress: IndexProgress) => {
        if (run.started) onProgress(progress);
      };
      this.#listeners.add(listener);
      try {
        return await run.join(signal ?? this.#closing.signal);
      } finally {
        this.#listeners.delete(listener);
      }
    });
  }

  override async close(): Promise<void> {
    this.#closing.abort();
    for (const run of this.#runs) run.end();
    await super.close();
  }

  async #answer<T>(
    repository: Repository,
    { signal, waitMs, about }: Question,
    answer: AnswerFunction<T>,
  ): Promise<T> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    if (this.#isFixed && this.#complete !== repository && isComplete(await repository.status()))
      this.#complete = repository;
    if (this.#complete === repository) return answer(repository, CURRENT);
    const run = this.#nextRun(repository, about);
    const freshness = await this.#wait(repository, run, waitMs, ending);
    if (ending.aborted) throw cancelled('The call', 'Call again to continue.');
    // Another process is writing: the memory of this process lacks what that one has stored so far.
    if (freshness.behind !== null && !run.started && this.#progress === null)
      return this.withReadOnly((stored) => answer(stored, freshness));
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
          ? 'indexing is in progress'
          : 'indexing has not started: another Locus process may be writing the index';
      return { behind, progress: this.#progress, notes: [] };
    } catch (error) {
      if (!isStoredIndexUseful(error)) throw error;
      const { state, root } = await repository.status();
      // If the folder is gone, its stored index would look as if it still existed.
      if (state === 'empty' || !existsSync(root)) throw error;
      return { behind: formatFailure(error).replace(/\.$/, ''), progress: null, notes: [] };
    } finally {
      enough.abort();
    }
  }

  #nextRun(repository: Repository, about?: string): IndexRun {
    if (this.#pendingRun?.isOpenFor(repository)) return this.#pendingRun;
    const onProgress = (progress: IndexProgress) => {
      this.#progress = progress;
      for (const listener of this.#listeners) listener(progress);
    };
    const run = new IndexRun(repository, onProgress, about);
    this.#pendingRun = run;
    const onEnd = () => {
      this.#progress = null;
      this.#runs.delete(run);
      if (this.#pendingRun === run) this.#pendingRun = null;
    };
    this.#runs.add(run);
    run.ended.then(onEnd, onEnd);
    return run;
  }
}

/** One run that updates an index, shared by all questions that arrive before it looks at the first file. */
class IndexRun {
  /** Report of the run when it ends. Rejects like `Repository.index`. */
  readonly ended: Promise<IndexReport>;
  /** True once it looks at files: later edits may not be included. */
  started = false;
  readonly #repository: Repository;
  readonly #ending = new AbortController();
  #wanted = 0;

  constructor(
    repository: Repository,
    onProgress: (progress: IndexProgress) => void,
    about: string | undefined,
  ) {
    this.#repository = repository;
    this.ended = repository.index({
      about,
      signal: this.#ending.signal,
      onProgress: (progress) => {
        this.started = true;
        onProgress(progress);
      },
      onQueued: onProgress,
    });
    this.ended.catch(() => {}); // Callers of `join` get the error. Callers that cancelled don't need it.
  }

  /** Returns true if a question can join: no file was looked at yet, and the run was not aborted. */
  isOpenFor(repository: Repository): boolean {
    return this.#repository === repository && !this.started && !this.#ending.signal.aborted;
  }

  end(): void {
    this.#ending.abort();
  }

  /**
   * Resolves when the run has ended. If all callers cancel, the run is aborted.
   * @throws LocusError `cancelled` if the signal aborts; also as `Repository.index`
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

/** Returns true for indexing failures after which the stored index can still answer. */
function isStoredIndexUseful(error: unknown): error is LocusError {
  if (!(error instanceof LocusError) || error instanceof DamagedIndex) return false;
  return ['read-only', 'device', 'busy', 'bad-repository', 'bad-store'].includes(error.code);
}

function isComplete({ state, chunks, embedded }: RepositoryStatus): boolean {
  return state === 'complete' && embedded === chunks;
}
