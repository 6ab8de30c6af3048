/** The repositories of a server for agents. All servers and windows together have each of them open once. */
import type { Repository } from '../../shared/repository.ts';
import { Keeper, type KeeperEntry, type RepositoryLocation } from '../keeper/keeper.ts';
import { OnDemandRepository } from '../keeper/on-demand-repository.ts';
import { openOrIndexTemporarily } from '../keeper/temporary-index.ts';
import type { OpenRepositoryOptions } from '../open-repository.ts';
import { areEnginesAllowed } from './allowed.ts';
import type { RepositoryHost } from './answering.ts';
import { refuse } from './protocol.ts';
import { preparePublishing } from './publish.ts';
import { SharedOpener } from './shared-opener.ts';

export interface SharedRepositoriesOptions {
  dataDirectory: string;
  /** Milliseconds without a call after which a repository is closed to free memory. */
  idleMs: number;
  /** False if other processes would open repositories with other options, or the user forbids sharing. */
  canShare: boolean;
  openHere(location: RepositoryLocation, options: OpeningOptions): Promise<Repository>;
}

type OpeningOptions = Pick<OpenRepositoryOptions, 'readOnly' | 'indexesFolder'>;

type Entry = KeeperEntry<OnDemandRepository, object>;

export class SharedRepositories {
  readonly #options: SharedRepositoriesOptions;
  readonly #keeper: Keeper<OnDemandRepository, object>;

  constructor(options: SharedRepositoriesOptions) {
    this.#options = options;
    this.#keeper = new Keeper(options.idleMs);
    preparePublishing();
  }

  /** Runs a task with a repository, which another process may have open. */
  use<T>(location: RepositoryLocation, run: (live: OnDemandRepository) => Promise<T>): Promise<T> {
    const { canShare } = this.#options;
    const { revision, within } = location;
    const isDefault = canShare && revision === undefined && within === null;
    const entry = this.#keeper.acquire(location, (id) =>
      isDefault && areEnginesAllowed(process.env)
        ? this.#share(id, location)
        : new OnDemandRepository(
            (readOnly) => this.#openHere(location, readOnly),
            revision !== undefined,
          ),
    );
    return this.#run(entry, run);
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  #openHere(location: RepositoryLocation, readOnly: boolean): Promise<Repository> {
    const { dataDirectory, openHere } = this.#options;
    if (readOnly) return openHere(location, { readOnly });
    return openOrIndexTemporarily(dataDirectory, location.root, (indexesFolder) =>
      openHere(location, { ...(indexesFolder !== undefined && { indexesFolder }) }),
    );
  }

  async #run<T>(entry: Entry, run: (live: OnDemandRepository) => Promise<T>): Promise<T> {
    const user = {};
    entry.users.add(user);
    try {
      return await run(entry.live);
    } finally {
      this.#keeper.release(entry, user);
    }
  }

  #share(id: string, location: RepositoryLocation): SharedRepository {
    const { dataDirectory } = this.#options;
    const { root } = location;
    const getEntry = (): Entry => {
      const entry = this.#keeper.get(id);
      if (entry?.live !== live) throw refuse('it has closed the repository');
      return entry;
    };
    const host: RepositoryHost = {
      dataDirectory,
      use: async (asked, task) => {
        if (asked !== root) throw refuse('it has another repository open');
        return this.#run(getEntry(), () => live.withRepository(task));
      },
      update: (options) => live.update(options),
      getProgress: () => live.progress,
      handOver: (asked) => {
        if (asked !== root) return false;
        opener.handOver();
        this.#keeper.closeWhenIdle(getEntry());
        return true;
      },
      listRoots: () => [root],
      stop: () => false,
    };
    const opener = new SharedOpener({
      dataDirectory,
      root,
      openHere: () => this.#openHere(location, false),
      host,
    });
    const live = new SharedRepository(opener, (readOnly) =>
      readOnly ? this.#openHere(location, true) : opener.open(),
    );
    return live;
  }
}

class SharedRepository extends OnDemandRepository {
  readonly #opener: SharedOpener;

  constructor(opener: SharedOpener, open: (readOnly: boolean) => Promise<Repository>) {
    super(open, false);
    this.#opener = opener;
  }

  override get isBorrowed(): boolean {
    return this.#opener.isBorrowing;
  }

  override async withStoredIndex<T>(task: (repository: Repository) => Promise<T>): Promise<T> {
    if (await this.#opener.isOpenElsewhere()) return task(await this.repository);
    return super.withStoredIndex(task);
  }

  override async close(): Promise<void> {
    this.#opener.close();
    await super.close();
    // It may have started to listen meanwhile.
    this.#opener.close();
  }
}
