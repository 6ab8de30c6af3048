import { existsSync } from 'node:fs';
import { DamagedIndex } from '../../base/damage.ts';
import { LocusError } from '../../shared/errors.ts';
import type { IndexReport } from '../../shared/indexing.ts';
import type { Repository } from '../../shared/repository.ts';
import { Keeper, type KeeperEntry } from '../keeper/keeper.ts';
import { ManagedRepository } from '../keeper/managed-repository.ts';
import { getIndexFolder } from '../locations.ts';
import { openRepository } from '../open-repository.ts';
import { refuse } from './protocol.ts';

/** Repositories that are open at a time. The one that was used least recently is closed first. */
const MAX_OPEN = 4;

type Entry = KeeperEntry<ManagedRepository, object>;

/** The repositories that a daemon has open for commands. */
export class OpenRepositories {
  readonly #dataDir: string;
  readonly #keeper: Keeper<ManagedRepository, object>;
  /** Entries to close after their last request, so that the next one starts from what is stored. */
  readonly #outdated = new Set<Entry>();
  /** Notes of the last update, by root. */
  readonly #notes = new Map<string, string>();
  #running = 0;
  #lastMs = performance.now();

  /** @param idleMs milliseconds without a request after which a repository is closed */
  constructor(dataDir: string, idleMs: number) {
    this.#dataDir = dataDir;
    this.#keeper = new Keeper(idleMs);
  }

  get roots(): string[] {
    return this.#keeper.entries.map(({ root }) => root);
  }

  /** Milliseconds since the last request; 0 while one is answered. */
  get idleMs(): number {
    return this.#running > 0 ? 0 : performance.now() - this.#lastMs;
  }

  /** Runs a task with an open repository. @throws LocusError `busy` if it was never indexed; also as the task */
  async use<T>(root: string, task: (repository: Repository) => Promise<T>): Promise<T> {
    // The first indexing is left to commands, which can fetch a shared index.
    if (!existsSync(getIndexFolder(this.#dataDir, root))) throw refuse('nothing is indexed');
    const entry = this.#acquire(root);
    const user = {};
    entry.users.add(user);
    this.#running++;
    try {
      return await task(await entry.live.repository);
    } catch (error) {
      if (!(error instanceof LocusError) || error instanceof DamagedIndex)
        this.#outdated.add(entry);
      throw error;
    } finally {
      this.#running--;
      this.#lastMs = performance.now();
      this.#keeper.release(entry, user);
      if (this.#outdated.has(entry)) this.#close(entry);
    }
  }

  /** Closes a repository after its last request. Returns true, since it is opened again when it is needed. */
  handOver(root: string): boolean {
    const entry = this.#keeper.entries.find((one) => one.root === root);
    if (entry) {
      this.#outdated.add(entry);
      this.#close(entry);
    }
    return true;
  }

  /** Closes a repository after an update with new notes: some are about its opening, and a later command must not print them again. */
  noteReport(root: string, { notes }: IndexReport): void {
    const text = notes.join('\n');
    const entry = this.#keeper.entries.find((one) => one.root === root);
    if (entry && text !== (this.#notes.get(root) ?? '')) this.#outdated.add(entry);
    this.#notes.set(root, text);
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  #acquire(root: string): Entry {
    const entry = this.#keeper.acquire({ root, revision: undefined, within: null }, () => {
      const open = () => openRepository(root, { dataDir: this.#dataDir });
      return new ManagedRepository(open);
    });
    const idle = this.#keeper.entries.filter((one) => one !== entry && one.users.size === 0);
    // Entries are in the order of their first use.
    const [oldest] = idle;
    if (oldest && this.#keeper.entries.length > MAX_OPEN) this.#close(oldest);
    return entry;
  }

  #close(entry: Entry): void {
    this.#keeper.discard(entry);
    if (entry.users.size === 0) this.#outdated.delete(entry);
  }
}
