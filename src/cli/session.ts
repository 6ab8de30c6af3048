/** A running command: prints, opens repositories and shows the progress of indexing. */

import type { DoctorOptions, DoctorReport } from '../services/doctor.ts';
import type { EngineDescription } from '../services/resident/protocol.ts';
import { formatFailure, LocusError, type LocusErrorCode } from '../shared/errors.ts';
import type {
  BackgroundEmbeddingReport,
  IndexProgress,
  IndexReport,
  RepositoryStatus,
} from '../shared/indexing.ts';
import { escapeHidden, stringifySafely } from '../shared/quote.ts';
import type { IndexOptions, QueryTarget, Repository, WatchOptions } from '../shared/repository.ts';
import type { SearchRequest, SearchResponse } from '../shared/search.ts';
import type { OpenOptions } from './engine.ts';
import type { ExitCode } from './exit-codes.ts';
import { type Colors, getColors, getWidth, ProgressLine, type TerminalOutput } from './terminal.ts';

/** States in which an index can still be searched if updating it failed, by error code. */
const USABLE_STATES: Partial<Record<LocusErrorCode, readonly RepositoryStatus['state'][]>> = {
  'read-only': ['partial', 'complete'],
  device: ['partial', 'complete'],
  busy: ['complete'],
};

export class Session {
  readonly host: CliHost;
  /** True to print JSON instead of text. */
  readonly json: boolean;
  /** Colors of standard output. Standard error has its own, since only one of them may be a terminal. */
  readonly colors: Colors;
  readonly #noteColors: Colors;

  constructor(host: CliHost, json: boolean) {
    this.host = host;
    this.json = json;
    this.colors = getColors(host.stdout, host.env);
    this.#noteColors = getColors(host.stderr, host.env);
  }

  get columns(): number {
    return getWidth(this.host.stdout);
  }

  /** True if a person reads standard output on a terminal. */
  get isInteractive(): boolean {
    return this.host.stdout.isTTY === true && !this.json;
  }

  print(...lines: string[]): void {
    this.host.stdout.write(`${lines.join('\n')}\n`);
  }

  printJson(value: unknown): void {
    this.print(stringifySafely(value));
  }

  /** Prints a value as JSON, or lines of text without `--json`. */
  printResult(value: unknown, lines: () => string[]): void {
    if (this.json) this.printJson(value);
    else this.print(...lines());
  }

  /** Prints a JSON value on one line, for streams. */
  printJsonLine(value: unknown): void {
    this.print(stringifySafely(value, 0));
  }

  /** Prints a note, which is not part of the result, to standard error. */
  note(text: string): void {
    this.host.stderr.write(`${this.#noteColors.dim(escapeHidden(text))}\n`);
  }

  /**
   * Opens a repository, or a commit of one, while `use` runs. If the index is damaged, prints a note and runs `use` once
   * more on a new index.
   */
  async withRepository<T>(
    root: string,
    options: OpenOptions,
    use: (repository: Repository) => Promise<T>,
  ): Promise<T> {
    const { signal } = this.host;
    const { ManagedRepository } = await import('../services/keeper/managed-repository.ts');
    const keeper = new ManagedRepository(() =>
      this.host.openRepository(root, { ...options, signal }),
    );
    try {
      return await keeper.withRepository(use, ({ message }) => this.note(`locus: ${message}`));
    } finally {
      await keeper.close();
    }
  }

  /**
   * Updates the index before a query. If that fails because the index is read-only or the encoder does not work, or because
   * another process writes a complete index, prints a note and the query uses the index as it is.
   * @param options.history see `IndexOptions`
   * @throws LocusError `read-only` or `device` if the index is empty, `busy` if it is not complete
   */
  async refresh(
    repository: Repository,
    options: Pick<IndexOptions, 'history'> = {},
  ): Promise<void> {
    try {
      await this.index(repository, options, repository);
    } catch (error) {
      if (!(error instanceof LocusError)) throw error;
      const usable = USABLE_STATES[error.code];
      if (!usable?.includes((await repository.status()).state)) throw error;
      const remedy = 'The existing index is used.';
      this.note(`locus: ${formatFailure({ message: error.message, remedy })}`);
    }
  }

  /** Searches, and shows the progress of reranking on a terminal. */
  search(repository: QueryTarget, request: SearchRequest): Promise<SearchResponse> {
    const { signal } = this.host;
    return this.#showProgress((onProgress) => repository.search(request, { signal, onProgress }));
  }

  embedForReranking(repository: Repository): Promise<BackgroundEmbeddingReport> {
    const { signal } = this.host;
    return this.#showProgress((onProgress) => repository.embedForReranking({ signal, onProgress }));
  }

  /**
   * Updates the index, shows the progress on a terminal, and prints the engine's notes.
   * @param fallback see `#noteWaiting`
   */
  async index(
    repository: Repository,
    options: Pick<IndexOptions, 'history'> = {},
    fallback: Repository | null = null,
  ): Promise<IndexReport> {
    const { signal } = this.host;
    const report = await this.#showProgress((onProgress) =>
      repository.index({ ...options, signal, onProgress, onWait: this.#noteWaiting(fallback) }),
    );
    this.#noteAll(report);
    return report;
  }

  /** Follows the files of a repository until the command is interrupted. Shows the first indexing as `index` does. */
  async watch(
    repository: Repository,
    { onIndexed, ...events }: Pick<WatchOptions, 'onIndexed' | 'onUpdate' | 'onHealth'>,
  ): Promise<void> {
    const { signal } = this.host;
    await this.#showProgress((onProgress, hide) =>
      repository.watch({
        ...events,
        signal,
        onProgress,
        onWait: this.#noteWaiting(null),
        onIndexed: (report) => {
          hide();
          this.#noteAll(report);
          onIndexed?.(report);
        },
      }),
    );
  }

  /**
   * Returns a function that says which process writes the index, and how the wait for it ends.
   * @param fallback repository whose index the command uses as it is, if it is complete, when the wait was in vain
   */
  readonly #noteWaiting = (fallback: Repository | null) => async (writer: number | null) => {
    const name = writer === null ? 'Another Locus process' : `Another Locus process, ${writer},`;
    // The wait itself reports a damaged index.
    const status = await fallback?.status().catch(() => null);
    const then = status?.state === 'complete' ? ', then using the index as it is' : '';
    this.note(
      `locus: ${name} is writing this index. Waiting for it, at most ten minutes${then}. If it is suspended, resume it or end it.`,
    );
  };

  #noteAll({ notes }: IndexReport): void {
    for (const text of notes) this.note(`locus: ${text}`);
  }

  /** Shows a text of which only numbers change on one line of a terminal while `run` runs. */
  async showText<T>(run: (show: (text: string) => void) => Promise<T>): Promise<T> {
    using line = new ProgressLine(this.host.stderr, this.#noteColors);
    return await run((text) => line.showText(text));
  }

  /** Shows progress on one line while `run` runs. The line is hidden when it ends or calls `hide`. */
  async #showProgress<T>(
    run: (onProgress: (progress: IndexProgress) => void, hide: () => void) => Promise<T>,
  ): Promise<T> {
    using line = new ProgressLine(this.host.stderr, this.#noteColors);
    const hide = () => line[Symbol.dispose]();
    return await run((progress) => line.show(progress), hide);
  }
}

/** Runs the action of a command in a session and stores its exit code. */
export type RunAction = (action: (session: Session) => Promise<ExitCode>) => Promise<void>;

export interface CliHost {
  stdout: TerminalOutput;
  stderr: TerminalOutput;
  /** Standard input. `isTTY` is true at a terminal; `unref` lets the process end while no input arrives. */
  stdin: AsyncIterable<Uint8Array> & { isTTY?: boolean; ref?(): unknown; unref?(): unknown };
  /** Command that runs this program, for suggested command lines: `locus` if it is installed. */
  program?: string;
  env: Record<string, string | undefined>;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Rejects if the command has not ended and the event loop is empty. */
  deadlock?: Promise<never>;
  openRepository(root: string, options: OpenOptions): Promise<Repository>;
  /** Describes the daemon; null if none is running. */
  describeDaemon?(dataDir: string | undefined): Promise<EngineDescription | null>;
  /** Answers other commands about a repository until the result is closed. */
  publish?(root: string, options: OpenOptions, repository: Repository): { close(): void };
  /** Starts a process that keeps the repository open for later commands, if no engine answered. */
  startDaemon?(): Promise<void>;
  diagnose(options: DoctorOptions): Promise<DoctorReport>;
}
