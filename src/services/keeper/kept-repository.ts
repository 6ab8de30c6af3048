import { DamagedIndex } from '../../base/damage.ts';
import { ignoring } from '../../base/log.ts';
import { cancelled, type LocusError } from '../../shared/errors.ts';
import type { Repository } from '../../shared/repository.ts';

/** Opens a repository; with `readOnly` nothing is written, not even a missing index. */
export type OpenKept = (readOnly: boolean) => Promise<Repository>;

/**
 * A repository that is opened when it is first needed, and again after a failure, after damage or when asked to. It is the one way to
 * hold a repository: a command uses it as it is, a window follows its files, and answers to agents bring it up to date first.
 */
export class KeptRepository {
  readonly #open: OpenKept;
  #opening: Promise<Repository> | null = null;
  #isClosed = false;

  constructor(open: OpenKept) {
    this.#open = open;
  }

  /** The open repository. Rejects while it cannot be opened; each access tries again then. */
  get repository(): Promise<Repository> {
    if (this.#isClosed) return Promise.reject(closed());
    return this.#opening ?? this.#keep(this.#open(false));
  }

  /**
   * Runs work. If the index turns out to be damaged, opens the repository again, with a new index, and runs the work once more.
   * @param onDamage called before that
   */
  async use<T>(
    work: (repository: Repository) => Promise<T>,
    onDamage: (damage: DamagedIndex) => void = () => {},
  ): Promise<T> {
    const opening = this.repository;
    try {
      return await work(await opening);
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error;
      onDamage(error);
      // Other work that met the same damage may have opened it again already.
      if (this.#opening === opening) await this.reopen();
      return work(await this.repository);
    }
  }

  /** Runs work on the stored index, without creating a missing one. */
  async peek<T>(work: (repository: Repository) => Promise<T>): Promise<T> {
    return this.#opening ? work(await this.#opening) : this.askStored(work);
  }

  /**
   * Stops the work on the repository, closes it and opens it again.
   * @param between runs while it is closed
   */
  reopen(between: () => Promise<unknown> = async () => {}): Promise<Repository> {
    const before = this.#opening;
    const stopped = this.stop();
    const reopening = stopped.then(async () => {
      // A damaged or failed repository may not close well, and is not used again.
      await before?.then((repository) => repository.close()).catch(ignoring('close-repository'));
      await between();
      if (this.#isClosed) throw closed();
      return this.#open(false);
    });
    return this.#keep(reopening);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
    const repository = await this.#opening?.catch(() => null);
    await repository?.close();
  }

  /** True while work is under way for whoever asks next: it is not closed for want of users then. */
  get isBusy(): boolean {
    return false;
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Stops work that goes on by itself, before the repository is closed. Called again for the next opening. */
  protected async stop(): Promise<void> {}

  /** Runs work on an opening of its own that only reads: it sees what other processes stored. */
  protected async askStored<T>(work: (repository: Repository) => Promise<T>): Promise<T> {
    const repository = await this.#open(true);
    try {
      return await work(repository);
    } finally {
      await repository.close();
    }
  }

  #keep(opening: Promise<Repository>): Promise<Repository> {
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }
}

function closed(): LocusError {
  return cancelled('Opening the repository', 'Open it again.');
}
