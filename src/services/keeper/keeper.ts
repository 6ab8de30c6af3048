/** Keeps the repositories of a process open: each once, as long as it has users, and for a while after that. */

import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { DamagedIndex } from '../../base/damage.ts';
import { ignoring } from '../../base/log.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { makeIndexFolderName } from '../locations.ts';
import type { ManagedRepository } from './managed-repository.ts';

/** A repository or one of its commits, and the part of it that may be read. */
export interface RepositoryLocation {
  /** Folder of the repository, without links. */
  root: string;
  /** Commit, branch or tag; undefined for the files on disk. */
  revision: string | undefined;
  /** Folder outside of which nothing is read; null for no such limit. */
  within: string | null;
}

export interface KeeperEntry<Kept extends ManagedRepository, User> extends RepositoryLocation {
  /** Id that is the same for the same location in every run. */
  id: string;
  name: string;
  live: Kept;
  users: Set<User>;
}

/** Lets other processes use a repository as long as it is kept. */
export type Publish<Kept> = (location: RepositoryLocation, live: Kept) => { close(): void };

/** Milliseconds without a user after which a repository is closed that another process has open. */
const BORROWED_MS = 1_000;

export class Keeper<Kept extends ManagedRepository, User> {
  readonly #idleMs: number;
  readonly #publish: Publish<Kept> | undefined;
  readonly #published = new Map<string, { close(): void }>();
  readonly #entries = new Map<string, KeeperEntry<Kept, User>>();
  /** Timers of entries without users. */
  readonly #idle = new Map<string, NodeJS.Timeout>();
  /** Recoveries in progress, by the path of the damaged index. */
  readonly #recovering = new Map<string, Promise<void>>();

  /** @param idleMs milliseconds without a user after which a repository is closed, to free its memory */
  constructor(idleMs: number, publish?: Publish<Kept>) {
    this.#idleMs = idleMs;
    this.#publish = publish;
  }

  get entries(): KeeperEntry<Kept, User>[] {
    return [...this.#entries.values()];
  }

  get(id: string): KeeperEntry<Kept, User> | undefined {
    return this.#entries.get(id);
  }

  /** Returns the entry of a location, and creates it if it is missing. Add a user to it, or `discard` it. */
  acquire(location: RepositoryLocation, make: (id: string) => Kept): KeeperEntry<Kept, User> {
    const { root, revision, within } = location;
    const id = makeEntryId([root, revision ?? '', ...(within === null ? [] : [within])]);
    clearTimeout(this.#idle.get(id));
    this.#idle.delete(id);
    return getOrAdd(this.#entries, id, () => {
      const live = make(id);
      if (this.#publish) this.#published.set(id, this.#publish(location, live));
      return { id, name: basename(root), root, revision, within, live, users: new Set() };
    });
  }

  /** Closes a repository without users when it has been idle for long enough from now on. */
  closeWhenIdle(entry: KeeperEntry<Kept, User>): void {
    if (entry.users.size > 0 || this.#entries.get(entry.id) !== entry) return;
    clearTimeout(this.#idle.get(entry.id));
    const ms = entry.live.isBorrowed ? BORROWED_MS : this.#idleMs;
    const timer = setTimeout(() => {
      if (entry.live.isBusy) this.closeWhenIdle(entry);
      else this.discard(entry);
    }, ms).unref();
    this.#idle.set(entry.id, timer);
  }

  /** Removes a user from an entry. After the last one, the repository is closed when it has been idle for long enough. */
  release(entry: KeeperEntry<Kept, User>, user: User): void {
    if (entry.users.delete(user)) this.closeWhenIdle(entry);
  }

  /** Closes a repository that has no users. */
  discard(entry: KeeperEntry<Kept, User>): void {
    if (entry.users.size > 0 || this.#entries.get(entry.id) !== entry) return;
    this.#entries.delete(entry.id);
    clearTimeout(this.#idle.get(entry.id));
    this.#idle.delete(entry.id);
    this.#published.get(entry.id)?.close();
    this.#published.delete(entry.id);
    entry.live.close().catch(ignoring('close-repository'));
  }

  /**
   * Opens all repositories again that use a damaged index, which was quarantined. Concurrent calls for the same index share the work.
   * @param tell called once with each entry
   */
  recover({ path }: DamagedIndex, tell: (entry: KeeperEntry<Kept, User>) => void): Promise<void> {
    return getOrAdd(this.#recovering, path, () => {
      const entries = this.#withIndex(basename(dirname(path)));
      entries.forEach(tell);
      const reopened = entries.map(({ live }) => live.reopen());
      return Promise.allSettled(reopened).then(() => void this.#recovering.delete(path));
    });
  }

  /** Recoveries in progress. Other failures at that time may be due to the damage. */
  get recovering(): Promise<void>[] {
    return [...this.#recovering.values()];
  }

  /**
   * Runs a task while an index is not open: the working tree and commits that use it are closed, and opened again in any case.
   * @param folder name of the index folder, see `makeIndexFolderName`
   * @throws the task's error
   */
  async whileClosed(folder: string, task: () => Promise<void>): Promise<void> {
    const entries = this.#withIndex(folder);
    if (entries.length === 0) return task();
    const done = Promise.withResolvers<void>();
    let closed = 0;
    const reopened = entries.map(({ live }) =>
      live.reopen(async () => {
        if (++closed === entries.length) done.resolve(task());
        // The caller of this method gets the error.
        await done.promise.catch(() => {});
      }),
    );
    await Promise.all(reopened);
    await done.promise;
  }

  async close(): Promise<void> {
    const entries = this.entries;
    this.#entries.clear();
    for (const timer of this.#idle.values()) clearTimeout(timer);
    for (const published of this.#published.values()) published.close();
    this.#published.clear();
    await Promise.allSettled(entries.map(({ live }) => live.close()));
  }

  #withIndex(folder: string): KeeperEntry<Kept, User>[] {
    return this.entries.filter(({ root }) => makeIndexFolderName(root) === folder);
  }
}

export function makeEntryId(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('hex').slice(0, 16);
}
