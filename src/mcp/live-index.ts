/** A repository's index, open for as long as it is asked, and brought up to date before every answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DamagedIndex } from '../engine/store/damage.ts';
import { LocusError } from '../shared/errors.ts';
import type { IndexProgress, RepositoryStatus } from '../shared/indexing.ts';
import type { Repository } from '../shared/repository.ts';
import { IndexRun } from './index-run.ts';

/** Without a question for so long, an index is closed: its memory is for others. */
const IDLE_MS = 15 * 60_000;

/** How far the index is that an answer is made from. */
export interface Freshness {
  /** Why what is on disk may differ from what answers; null when it does not. */
  behind: string | null;
  /** Of the run under way, where there is one. */
  progress: IndexProgress | null;
  notes: string[];
}

const CURRENT: Freshness = { behind: null, progress: null, notes: [] };

export interface Question {
  signal: AbortSignal;
  /** Milliseconds to wait for the index; then what there is answers, and indexing goes on. */
  waitMs: number;
  onProgress?: (progress: IndexProgress) => void;
}

type Answer<T> = (repository: Repository, freshness: Freshness) => Promise<T>;

export class LiveIndex {
  readonly #open: (readOnly: boolean) => Promise<Repository>;
  readonly #fixed: boolean;
  /** Whether nothing is missing in it; of a commit that stays so. */
  #whole = false;
  #repository: Promise<Repository> | null = null;
  /** A run that was asked for and has not looked at a file yet: who comes now shares it. */
  #next: IndexRun | null = null;
  /** All that have not ended. */
  readonly #runs = new Set<IndexRun>();
  #progress: IndexProgress | null = null;
  readonly #listeners = new Set<(progress: IndexProgress) => void>();
  #questions = 0;
  #idle: NodeJS.Timeout | undefined;
  /** Ends what runs when the server does. */
  readonly #closing = new AbortController();

  /** @param fixed whether it is of a commit, which never changes: once it is whole it stays so. */
  constructor(open: (readOnly: boolean) => Promise<Repository>, fixed = false) {
    this.#open = open;
    this.#fixed = fixed;
  }

  /** Of the run under way; null when there is none. */
  get progress(): IndexProgress | null {
    return this.#progress;
  }

  /**
   * Answers from the index as it is after every file that was written before the question, where that takes no longer
   * than `waitMs`, else as far as it is.
   * @throws LocusError `cancelled` when the question's signal aborts, and as `answer` and opening do.
   */
  async ask<T>(question: Question, answer: Answer<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#questions++;
    const { onProgress } = question;
    if (onProgress) this.#listeners.add(onProgress);
    try {
      return await this.#ask(question, answer);
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error;
      // It was set aside: what is made anew answers.
      await this.#release();
      return await this.#ask(question, answer);
    } finally {
      if (onProgress) this.#listeners.delete(onProgress);
      if (--this.#questions === 0) this.#closeWhenIdle();
    }
  }

  /** Answers from what is stored, without bringing anything up to date or making an index where there is none. */
  async peek<T>(answer: (repository: Repository) => Promise<T>): Promise<T> {
    if (this.#repository) return answer(await this.#repository);
    return this.#once(answer);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const run of this.#runs) run.end();
    await this.#release();
  }

  async #ask<T>({ signal, waitMs }: Question, answer: Answer<T>): Promise<T> {
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    const repository = await this.#opened();
    if (this.#fixed) {
      this.#whole ||= isWhole(await repository.status());
      if (this.#whole) return answer(repository, CURRENT);
    }
    const run = this.#nextRun(repository);
    const freshness = await this.#wait(repository, run, waitMs, ending);
    if (ending.aborted) throw cancelled();
    // Another process writes: what it has stored so far is not in this one's memory.
    if (freshness.behind !== null && !run.started && this.#progress === null)
      return this.#once((stored) => answer(stored, freshness));
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
      return { behind: this.#reason(run), progress: this.#progress, notes: [] };
    } catch (error) {
      if (!(error instanceof LocusError) || !['read-only', 'device', 'busy'].includes(error.code))
        throw error;
      if ((await repository.status()).state === 'empty') throw error;
      return { behind: error.message, progress: null, notes: [] };
    } finally {
      enough.abort();
    }
  }

  #reason(run: IndexRun): string {
    if (run.started || this.#progress) return 'files are still being read';
    return 'indexing has not begun; another Locus process may be writing the index';
  }

  #nextRun(repository: Repository): IndexRun {
    if (this.#next && !this.#next.started) return this.#next;
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

  #opened(): Promise<Repository> {
    if (this.#closing.signal.aborted) throw cancelled();
    if (this.#repository) return this.#repository;
    const opening = this.#open(false);
    this.#repository = opening;
    opening.catch(() => {
      if (this.#repository === opening) this.#repository = null;
    });
    return opening;
  }

  async #once<T>(answer: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = await this.#open(true);
    try {
      return await answer(repository);
    } finally {
      await repository.close();
    }
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      // A long run goes on for who will ask again.
      if (this.#runs.size > 0) this.#closeWhenIdle();
      else this.#release().catch(() => {});
    }, IDLE_MS).unref();
  }

  async #release(): Promise<void> {
    clearTimeout(this.#idle);
    const repository = this.#repository;
    this.#repository = null;
    this.#next = null;
    this.#whole = false;
    await repository?.then((opened) => opened.close()).catch(() => {});
  }
}

function isWhole({ state, chunks, embedded }: RepositoryStatus): boolean {
  return state === 'complete' && embedded === chunks;
}

function cancelled(): LocusError {
  return new LocusError('cancelled', 'the call was cancelled', 'call again to go on');
}
