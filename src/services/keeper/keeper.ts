/** The repositories that a process keeps open, each once, for as long as somebody uses it and a while longer. */

import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { DamagedIndex } from '../../base/damage.ts';
import { ignoring } from '../../base/log.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { indexFolderName } from '../locations.ts';
import type { KeptRepository } from './kept-repository.ts';

/** A repository, or a commit of one, as somebody may see it. */
export interface KeptPlace {
  /** Folder of the repository, without links. */
  root: string;
  /** Commit, branch or tag; undefined for the files on disk. */
  revision: string | undefined;
  /** Folder outside of which nothing of it is read; null for one without such a limit. */
  within: string | null;
}

export interface KeptEntry<Kept extends KeptRepository, User> extends KeptPlace {
  /** The same for the same place, in every run. */
  id: string;
  name: string;
  live: Kept;
  users: Set<User>;
}

export class Keeper<Kept extends KeptRepository, User> {
  readonly #idleMs: number;
  readonly #entries = new Map<string, KeptEntry<Kept, User>>();
  /** Timers of entries without users. */
  readonly #idle = new Map<string, NodeJS.Timeout>();
  /** Recoveries at work, by the path of the damaged index. */
  readonly #recovering = new Map<string, Promise<void>>();

  /** @param idleMs milliseconds without a user after which a repository is closed, for its memory. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  get entries(): KeptEntry<Kept, User>[] {
    return [...this.#entries.values()];
  }

  get(id: string): KeptEntry<Kept, User> | undefined {
    return this.#entries.get(id);
  }

  /** Returns the entry of a place; creates a missing one. Add a user to it, or `discard` it. */
  acquire(
    { root, revision, within }: KeptPlace,
    make: (id: string) => Kept,
  ): KeptEntry<Kept, User> {
    const id = makeId([root, revision ?? '', ...(within === null ? [] : [within])]);
    clearTimeout(this.#idle.get(id));
    this.#idle.delete(id);
    return getOrAdd(this.#entries, id, () => {
      return { id, name: basename(root), root, revision, within, live: make(id), users: new Set() };
    });
  }

  /** Takes a user from an entry. The last one's leave starts the time after which the repository is closed. */
  release(entry: KeptEntry<Kept, User>, user: User): void {
    if (entry.users.delete(user) && entry.users.size === 0) this.#closeWhenIdle(entry);
  }

  discard(entry: KeptEntry<Kept, User>): void {
    if (entry.users.size > 0 || this.#entries.get(entry.id) !== entry) return;
    this.#entries.delete(entry.id);
    clearTimeout(this.#idle.get(entry.id));
    this.#idle.delete(entry.id);
    entry.live.close().catch(ignoring('close-repository'));
  }

  /**
   * Opens all repositories again that have a damaged index open, which was moved away. Calls for the same index share the work.
   * @param tell called with each of them, once
   */
  recover({ path }: DamagedIndex, tell: (entry: KeptEntry<Kept, User>) => void): Promise<void> {
    return getOrAdd(this.#recovering, path, () => {
      const entries = this.#withIndex(basename(dirname(path)));
      entries.forEach(tell);
      const reopened = entries.map(({ live }) => live.reopen());
      return Promise.allSettled(reopened).then(() => void this.#recovering.delete(path));
    });
  }

  /** Recoveries at work: what fails meanwhile may have failed for that. */
  get recovering(): Promise<void>[] {
    return [...this.#recovering.values()];
  }

  /**
   * Runs work once all repositories that have an index open, the working tree and commits, have closed it. They are opened again in
   * any case.
   * @param folder of the index, see `indexFolderName`
   * @throws what the work throws
   */
  async whileClosed(folder: string, work: () => Promise<void>): Promise<void> {
    const entries = this.#withIndex(folder);
    if (entries.length === 0) return work();
    const done = Promise.withResolvers<void>();
    let closed = 0;
    const reopened = entries.map(({ live }) =>
      live.reopen(async () => {
        if (++closed === entries.length) done.resolve(work());
        // The caller of this method is told.
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
    await Promise.allSettled(entries.map(({ live }) => live.close()));
  }

  #withIndex(folder: string): KeptEntry<Kept, User>[] {
    return this.entries.filter(({ root }) => indexFolderName(root) === folder);
  }

  #closeWhenIdle(entry: KeptEntry<Kept, User>): void {
    const timer = setTimeout(() => {
      if (entry.live.isBusy) this.#closeWhenIdle(entry);
      else this.discard(entry);
    }, this.#idleMs).unref();
    this.#idle.set(entry.id, timer);
  }
}

export function makeId(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('hex').slice(0, 16);
}
