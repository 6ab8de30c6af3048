/** One running command: where it prints, how it opens a repository and shows indexing. */

import type { DoctorOptions, DoctorReport } from '../services/doctor.ts';
import { KeptRepository } from '../services/keeper/kept-repository.ts';
import type { OpenOptions } from '../services/open-repository.ts';
import { LocusError, type LocusErrorCode } from '../shared/errors.ts';
import type {
  IndexProgress,
  IndexReport,
  ReadingReport,
  RepositoryStatus,
} from '../shared/indexing.ts';
import { safeJson, visible } from '../shared/quoted.ts';
import type { Repository, WatchOptions } from '../shared/repository.ts';
import type { ExitCode } from './exit-codes.ts';
import { type Colors, colorsFor, type Output, ProgressLine, widthOf } from './terminal.ts';

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

  /** Prints a value for programs, or lines for people. */
  tell(value: unknown, lines: () => string[]): void {
    if (this.json) this.printJson(value);
    else this.print(...lines());
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
   * Opens a repository, or a commit of one, for as long as `use` runs. If the index turns out to be damaged, says so and runs `use` once
   * more, on a new one.
   */
  async withRepository<T>(
    root: string,
    options: OpenOptions,
    use: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    const { signal } = this.host;
    const kept = new KeptRepository(() => this.host.openRepository(root, { ...options, signal }));
    try {
      return await kept.use(use, ({ message }) => this.note(`locus: ${message}`));
    } finally {
      await kept.close();
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

  readAll(repository: Repository): Promise<ReadingReport> {
    const { signal } = this.host;
    return this.#showing((onProgress) => repository.readAll({ signal, onProgress }));
  }

  /** Brings the index up to date, with a line of progress on a terminal; prints the engine's notes. */
  async index(repository: Repository): Promise<IndexReport> {
    const { signal } = this.host;
    const report = await this.#showing((onProgress) =>
      repository.index({ signal, onProgress, onWait: this.#noteWaiting }),
    );
    this.#noteAll(report);
    return report;
  }

  /** Follows the files of a repository until the command is interrupted, showing the first indexing as `index` does. */
  async watch(
    repository: Repository,
    { onIndexed, ...events }: Pick<WatchOptions, 'onIndexed' | 'onUpdate' | 'onHealth'>,
  ): Promise<void> {
    const { signal } = this.host;
    await this.#showing((onProgress, hide) =>
      repository.watch({
        ...events,
        signal,
        onProgress,
        onWait: this.#noteWaiting,
        onIndexed: (report) => {
          hide();
          this.#noteAll(report);
          onIndexed?.(report);
        },
      }),
    );
  }

  readonly #noteWaiting = () =>
    this.note(
      'locus: another Locus process is writing this index; waiting for it, ten minutes at most',
    );

  #noteAll({ notes }: IndexReport): void {
    for (const text of notes) this.note(`locus: ${text}`);
  }

  /** Shows the progress of work on a line that is hidden at its end, or when the work says so. */
  async #showing<T>(
    work: (onProgress: (progress: IndexProgress) => void, hide: () => void) => Promise<T>,
  ): Promise<T> {
    using line = new ProgressLine(this.host.stderr, this.#noteColors);
    const hide = () => line[Symbol.dispose]();
    return await work((progress) => line.show(progress), hide);
  }
}

/** Runs a command's action in a session and keeps its exit code. */
export type Run = (action: (session: Session) => Promise<ExitCode>) => Promise<void>;

export interface Host {
  stdout: Output;
  stderr: Output;
  /** Standard input as text; `isTTY` when a person sits there. `unref` lets the process end while nobody types. */
  stdin: AsyncIterable<Uint8Array> & { isTTY?: boolean; ref?(): unknown; unref?(): unknown };
  /** Command that runs this program, for command lines to paste: `locus` where it is installed. */
  program?: string;
  env: Record<string, string | undefined>;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Rejects when the command has not ended, and nothing is left that it could be waiting for. */
  stuck?: Promise<never>;
  openRepository(root: string, options: OpenOptions): Promise<Repository>;
  diagnose(options: DoctorOptions): Promise<DoctorReport>;
}
