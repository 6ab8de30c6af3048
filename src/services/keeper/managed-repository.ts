import { DamagedIndex } from '../../base/damage.ts';
import { ignoring } from '../../base/log.ts';
import { cancelled, type LocusError } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';

/** Opens a repository. With `readOnly`, nothing is written, not even a missing index. */
export type RepositoryOpener = (readOnly: boolean) => Promise<Repository>;

/**
 * A repository that is opened when it is first needed, and again after a failure, after damage or on request. All parts of Locus hold
 * repositories in this way: commands use it as it is, windows follow its files, and agents get it updated before each answer.
 */
export class ManagedRepository {
  readonly #open: RepositoryOpener;
  #opening: Promise<Repository> | null = null;
  #isClosed = false;

  constructor(open: RepositoryOpener) {
    this.#open = open;
  }

  /** The open repository. Rejects while it cannot be opened; each access then tries again. */
  get repository(): Promise<Repository> {
    if (this.#isClosed) return Promise.reject(createClosedError());
    return this.#opening ?? this.#setOpening(this.#open(false));
  }

  /**
   * Runs a task with the open repository. If the index is damaged, opens the repository with a new index and runs the task again.
   * @param onDamage called before it is opened again
   */
  async withRepository<T>(
    task: (repository: Repository) => Promise<T>,
    onDamage: (damage: DamagedIndex) => void = () => {},
  ): Promise<T> {
    const opening = this.repository;
    try {
      return await task(await opening);
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error;
      onDamage(error);
      // Another task that met the same damage may have reopened it already.
      if (this.#opening === opening) await this.reopen();
      return task(await this.repository);
    }
  }

  /** Runs a task with the stored index, without creating a missing one. */
  async withStoredIndex<T>(task: (repository: Repository) => Promise<T>): Promise<T> {
    return this.#opening ? task(await this.#opening) : this.withReadOnly(task);
  }

  /**
   * Stops all work on the repository, closes it and opens it again.
   * @param between called while it is closed
   */
  reopen(between: () => Promise<unknown> = async () => {}): Promise<Repository> {
    const before = this.#opening;
    const stopped = this.stop();
    const reopening = stopped.then(async () => {
      // Closing a damaged or failed repository may fail, which does not matter: it is not used again.
      await before?.then((repository) => repository.close()).catch(ignoring('close-repository'));
      await between();
      if (this.#isClosed) throw createClosedError();
      return this.#open(false);
    });
    return this.#setOpening(reopening);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
    const repository = await this.#opening?.catch(() => null);
    await repository?.close();
  }

  /** True while background work continues. The repository is then not closed for lack of users. */
  get isBusy(): boolean {
    return false;
  }

  /** True if another process has it open, or is about to. It is then closed soon after its last use. */
  get isBorrowed(): boolean {
    return false;
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Stops work that continues by itself, before the repository is closed. Also called after it was opened again. */
  protected async stop(): Promise<void> {}

  /** Runs a task with a separate read-only opening, which sees what other processes have stored. */
  protected async withReadOnly<T>(task: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = await this.#open(true);
    try {
      return await task(repository);
    } finally {
      await repository.close();
    }
  }

  #setOpening(opening: Promise<Repository>): Promise<Repository> {
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }
}

function createClosedError(): LocusError {
  return cancelled('Opening the repository', 'Open it again.');
}
