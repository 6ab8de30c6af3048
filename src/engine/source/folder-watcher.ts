import { accessSync, constants, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { identifyPath } from './folder-fingerprint.ts';
import type { ChangeSink, TreeWatcher } from './tree-watcher.ts';

/** Number of folders after which other work of this thread gets a turn. */
const FOLDERS_PER_TURN = 50;
/** Number of folders compared with their stamps in one check. Enough for most repositories, in a few milliseconds. */
const FOLDERS_PER_CHECK = 2000;
/**
 * Linux queues 16,384 events (fs.inotify.max_queued_events) and drops any more, which Node does not report.
 * After half as many events without a pause, some may have been dropped.
 */
const MAX_BURST = 8000;
const BURST_PAUSE_MS = 500;

/**
 * Watches a tree on Linux, where the system can only watch single folders. Uses one watch for each folder that is not
 * pruned. (`@parcel/watcher`, which is used on other systems, misses new folders that already have subfolders on Linux, and
 * reports files of a renamed folder under its old name.)
 */
export class FolderWatcher implements TreeWatcher {
  readonly #root: string;
  readonly #sink: ChangeSink;
  readonly #watches = new Map<string, FSWatcher>();
  readonly #stamps = new Map<string, FolderStamp>();
  readonly #unreadable = new Set<string>();
  /** Folders that have not been checked yet in this round. */
  #unchecked: string[] = [];
  #closed = false;
  #burst = 0;
  #lastEventAt = 0;

  constructor(root: string, sink: ChangeSink) {
    this.#root = root;
    this.#sink = sink;
  }

  /** Rejects if the system has no watches left. */
  async start(): Promise<void> {
    await this.#add('');
  }

  /**
   * Compares folders with their state at the last check. This finds changes without events: a file system mounted over a
   * folder, changes on a network drive by other machines, and a system that no longer reports events.
   */
  async check(): Promise<void> {
    if (this.#unchecked.length === 0)
      this.#unchecked = [...this.#watches.keys(), ...this.#unreadable];
    const differing = this.#unchecked
      .splice(0, FOLDERS_PER_CHECK)
      .filter((folder) => !this.#isUnchanged(folder));
    // Queued events are delivered before this thread's next turn. They explain some of the differences.
    await nextTurn();
    for (const folder of differing) {
      const isKnown = this.#stamps.has(folder) || this.#unreadable.has(folder);
      if (isKnown && !this.#isUnchanged(folder)) await this.#renew(folder);
    }
  }

  /** Returns true if a folder has no change without an event, and then stores its current state. */
  #isUnchanged(folder: string): boolean {
    const before = this.#stamps.get(folder);
    const now = readStamp(join(this.#root, folder));
    if (!before || !isSame(before, now)) return false;
    this.#stamps.set(folder, now);
    return true;
  }

  listUnreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  async #renew(folder: string): Promise<void> {
    if (this.#closed) return;
    const wasUnreadable = this.#unreadable.has(folder);
    this.#unwatch(folder);
    await this.#add(folder);
    if (!wasUnreadable || !this.#unreadable.has(folder)) this.#sink.requestRescan();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  /** Watches a folder and all folders below it. Each is watched before it is read, so that no new entry is missed. */
  async #add(top: string): Promise<void> {
    const pending = [top];
    let added = 0;
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      if (++added % FOLDERS_PER_TURN === 0) await nextTurn();
      if (this.#closed) return;
      if (!this.#watch(folder)) continue;
      for (const name of listSubfolders(join(this.#root, folder))) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (!this.#sink.isPruned(path)) pending.push(path);
      }
    }
  }

  /** Watches one folder. Returns false if it no longer exists or is unreadable. */
  #watch(folder: string): boolean {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    this.#stamps.delete(folder);
    this.#unreadable.delete(folder);
    try {
      const path = join(this.#root, folder);
      accessSync(path, constants.R_OK | constants.X_OK);
      this.#stamps.set(folder, readStamp(path));
      const watcher = watch(path, { encoding: 'buffer' }, (event, name) =>
        this.#handleEvent(folder, event, name),
      );
      watcher.on('error', (error) => this.#sink.reportFailure(error));
      this.#watches.set(folder, watcher);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw error;
      if (code === 'EACCES') this.#unreadable.add(folder);
      return false;
    }
  }

  /** Handles an event. `rename`: an entry appeared or disappeared; `change`: its content or attributes changed. */
  #handleEvent(folder: string, event: string, name: Buffer | null): void {
    if (this.#closed) return;
    const stamp = this.#stamps.get(folder);
    if (stamp) stamp.changed = null;
    if (this.#isBurst()) {
      this.#sink.restartWatching();
      return;
    }
    if (name === null) {
      this.#sink.requestRescan();
      return;
    }
    const path = folder === '' ? name.toString() : `${folder}/${name}`;
    if (event === 'change') {
      this.#sink.reportFile(path);
      return;
    }
    if (folder === '') this.#sink.checkRoot();
    const knownFolder = this.#watches.has(path);
    if (knownFolder) this.#unwatch(path);
    if (isFolder(join(this.#root, path))) {
      if (this.#sink.isPruned(path)) return;
      // A new folder may already have content, for which there are no events.
      this.#add(path).then(
        () => this.#sink.requestRescan(),
        (error: Error) => this.#sink.reportFailure(error),
      );
    } else if (knownFolder) {
      this.#sink.requestRescan();
    } else {
      this.#sink.reportFile(path);
    }
  }

  #isBurst(): boolean {
    const now = performance.now();
    if (now - this.#lastEventAt > BURST_PAUSE_MS) this.#burst = 0;
    this.#lastEventAt = now;
    this.#burst += 1;
    return this.#burst >= MAX_BURST;
  }

  #unwatch(top: string): void {
    const isBelow = (folder: string) =>
      top === '' || folder === top || folder.startsWith(`${top}/`);
    for (const [folder, watcher] of this.#watches) {
      if (!isBelow(folder)) continue;
      watcher.close();
      this.#watches.delete(folder);
      this.#stamps.delete(folder);
    }
    for (const folder of this.#unreadable) if (isBelow(folder)) this.#unreadable.delete(folder);
  }
}

interface FolderStamp {
  /** Text that differs once a folder is replaced, mounted over or locked. */
  identity: string;
  /** Time when entries were last added, removed or renamed, in nanoseconds. Null after an event, until the next check. */
  changed: bigint | null;
}

function readStamp(path: string): FolderStamp {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return { identity: identifyPath(path), changed: stat?.mtimeNs ?? null };
}

function isSame(before: FolderStamp, now: FolderStamp): boolean {
  return (
    before.identity === now.identity && (before.changed === null || before.changed === now.changed)
  );
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // It is missing or unreadable.
    return false;
  }
}

function listSubfolders(folder: string): string[] {
  try {
    const children = readdirSync(folder, { withFileTypes: true });
    return children.filter((child) => child.isDirectory()).map((child) => child.name);
  } catch {
    // It is missing or unreadable.
    return [];
  }
}
