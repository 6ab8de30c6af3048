/** One running command: where it prints, how it opens a repository and shows indexing. */

import { DamagedIndex } from '../engine/store/damage.ts';
import type { OpenOptions } from '../services/open-repository.ts';
import { LocusError, type LocusErrorCode } from '../shared/errors.ts';
import type {
  IndexProgress,
  IndexReport,
  ReadingReport,
  RepositoryStatus,
} from '../shared/indexing.ts';
import type { Repository } from '../shared/repository.ts';
import { safeJson, visible } from '../shared/visible.ts';
import type { Host } from './host.ts';
import { type Colors, colorsFor, ProgressLine, widthOf } from './terminal.ts';

/** States of an index that answers though it could not be brought up to date, by why it could not. */
const ANSWERING: Partial<Record<LocusErrorCode, readonly RepositoryStatus['state'][]>> = {
  'read-only': ['partial', 'complete'],
  device: ['partial', 'complete'],
  busy: ['complete'],
};

export class Session {
  readonly host: Host;
  /** Print JSON for programs, not text for people. */
  readonly json: boolean;
  /** For standard output; it and standard error may differ in being a terminal. */
  readonly colors: Colors;
  readonly #noteColors: Colors;

  constructor(host: Host, json: boolean) {
    this.host = host;
    this.json = json;
    this.colors = colorsFor(host.stdout, host.env);
    this.#noteColors = colorsFor(host.stderr, host.env);
  }

  /** Columns of standard output. */
  get columns(): number {
    return widthOf(this.host.stdout);
  }

  /** Whether a person reads standard output on a terminal. */
  get interactive(): boolean {
    return this.host.stdout.isTTY === true && !this.json;
  }

  print(...lines: string[]): void {
    this.host.stdout.write(`${lines.join('\n')}\n`);
  }

  printJson(value: unknown): void {
    this.print(safeJson(value));
  }

  /** One JSON value on a line of its own, for streams. */
  printJsonLine(value: unknown): void {
    this.print(safeJson(value, 0));
  }

  /** Something to know that is not the result: goes to standard error. */
  note(text: string): void {
    this.host.stderr.write(`${this.#noteColors.dim(visible(text))}\n`);
  }

  /**
   * Opens a repository, or a commit of one, for as long as `use` runs. An index that turns out to be damaged meanwhile
   * is left to be made anew, and `use` runs once more.
   */
  async withRepository<T>(
    root: string,
    options: OpenOptions,
    use: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#using(root, options, use);
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error;
      this.note(`locus: ${error.message}`);
      return this.#using(root, options, use);
    }
  }

  async #using<T>(
    root: string,
    options: OpenOptions,
    use: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    const { signal } = this.host;
    const repository = await this.host.openRepository(root, { ...options, signal });
    try {
      return await use(repository);
    } finally {
      await repository.close();
    }
  }

  /**
   * Brings the index up to date for a question to it. One that may only be read, or that the encoder was lost for,
   * answers as it is, with a note; so does one that is complete, and that another process does not let go of.
   * @throws LocusError `read-only` or `device` when there is nothing in it, `busy` when it is not complete.
   */
  async refresh(repository: Repository): Promise<void> {
    try {
      await this.index(repository);
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      const answering = ANSWERING[error.code];
      if (!answering?.includes((await repository.status()).state)) throw error;
      this.note(`locus: ${error.message}; what is indexed answers`);
    }
  }

  /** Has all functions read in advance, with a line of progress on a terminal. */
  readAll(repository: Repository): Promise<ReadingReport> {
    const { signal } = this.host;
    return this.#showing((onProgress) => repository.readAll({ signal, onProgress }));
  }

  /** Brings the index up to date, with a line of progress on a terminal; prints the engine's notes. */
  async index(repository: Repository, follow = false): Promise<IndexReport> {
    const { signal } = this.host;
    const onWait = () =>
      this.note(
        'locus: another Locus process is writing this index; waiting for it, ten minutes at most',
      );
    const report = await this.#showing((onProgress) =>
      repository.index({ signal, follow, onProgress, onWait }),
    );
    for (const text of report.notes) this.note(`locus: ${text}`);
    return report;
  }

  /** Shows the progress of work on a line that is taken away at its end. */
  async #showing<T>(
    work: (onProgress: (progress: IndexProgress) => void) => Promise<T>,
  ): Promise<T> {
    const line = new ProgressLine(this.host.stderr, this.#noteColors);
    try {
      return await work((progress) => line.show(progress));
    } finally {
      line.clear();
    }
  }
}
