import { accessSync, constants, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { identify } from './footing.ts';
import type { ChangeSink, TreeWatcher } from './tree-watcher.ts';

/** Folders added between two chances for other work of this thread. */
const FOLDERS_PER_TURN = 50;
/** Folders compared with their stamps in one check: all of most repositories, in a few milliseconds. */
const FOLDERS_PER_CHECK = 2000;
/**
 * Linux queues 16,384 events (fs.inotify.max_queued_events) and drops what comes then; Node does not say so.
 * After half as many without a pause of BREATH milliseconds, some may have been dropped.
 */
const BURST = 8000;
const BREATH = 500;

/**
 * Watches a tree on Linux, where the system watches single folders only: one watch for each folder that is not
 * pruned. (`@parcel/watcher`, which serves the other systems, loses sight here of folders that come with
 * subfolders and reports files of a renamed folder under its old name.)
 */
export class FolderWatcher implements TreeWatcher {
  readonly #root: string;
  readonly #sink: ChangeSink;
  readonly #watches = new Map<string, FSWatcher>();
  readonly #stamps = new Map<string, FolderStamp>();
  readonly #unreadable = new Set<string>();
  /** Folders that are yet to be checked in this round. */
  #unchecked: string[] = [];
  #closed = false;
  #burst = 0;
  #lastEventAt = 0;

  constructor(root: string, sink: ChangeSink) {
    this.#root = root;
    this.#sink = sink;
  }

  /** Rejects when the system has no watches left. */
  async start(): Promise<void> {
    await this.#add('');
  }

  /**
   * Compares folders with what they were at the last check. Another file system that was mounted over one, changes by
   * other machines of a network drive, and a system that reports nothing more show as a difference without an event.
   */
  async check(): Promise<void> {
    if (this.#unchecked.length === 0)
      this.#unchecked = [...this.#watches.keys(), ...this.#unreadable];
    const differing = this.#unchecked
      .splice(0, FOLDERS_PER_CHECK)
      .filter((folder) => !this.#isAsBefore(folder));
    // Events that wait are delivered before this thread's next turn, and tell of new entries.
    await nextTurn();
    for (const folder of differing) {
      const isKnown = this.#stamps.has(folder) || this.#unreadable.has(folder);
      if (isKnown && !this.#isAsBefore(folder)) await this.#renew(folder);
    }
  }

  /** Returns true if no change of a folder is unaccounted for; then remembers what it is like now. */
  #isAsBefore(folder: string): boolean {
    const before = this.#stamps.get(folder);
    const now = readStamp(join(this.#root, folder));
    if (!before || !isSame(before, now)) return false;
    this.#stamps.set(folder, now);
    return true;
  }

  unreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  async #renew(folder: string): Promise<void> {
    if (this.#closed) return;
    const wasUnreadable = this.#unreadable.has(folder);
    this.#drop(folder);
    await this.#add(folder);
    if (!wasUnreadable || !this.#unreadable.has(folder)) this.#sink.rescan();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  /** Watches a folder and those below it. Each is watched before it is read, so nothing new in it is missed. */
  async #add(top: string): Promise<void> {
    const pending = [top];
    let added = 0;
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      if (++added % FOLDERS_PER_TURN === 0) await nextTurn();
      if (this.#closed) return;
      if (!this.#watch(folder)) continue;
      for (const name of subfoldersOf(join(this.#root, folder))) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (!this.#sink.prunes(path)) pending.push(path);
      }
    }
  }

  /** False when the folder is gone already, or may not be read. */
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
        this.#handle(folder, event, name),
      );
      watcher.on('error', (error) => this.#sink.failed(error));
      this.#watches.set(folder, watcher);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') throw error;
      if (code === 'EACCES') this.#unreadable.add(folder);
      return false;
    }
  }

  /** `rename`: something by this name appeared or disappeared; `change`: its content or its attributes changed. */
  #handle(folder: string, event: string, name: Buffer | null): void {
    if (this.#closed) return;
    const stamp = this.#stamps.get(folder);
    if (stamp) stamp.changed = null;
    if (this.#isBurst()) {
      this.#sink.lostTrack();
      return;
    }
    if (name === null) {
      this.#sink.rescan();
      return;
    }
    const path = folder === '' ? name.toString() : `${folder}/${name}`;
    if (event === 'change') {
      this.#sink.file(path);
      return;
    }
    if (folder === '') this.#sink.checkRoot();
    const knownFolder = this.#watches.has(path);
    if (knownFolder) this.#drop(path);
    if (isFolder(join(this.#root, path))) {
      if (this.#sink.prunes(path)) return;
      // A folder may arrive with content, which is reported by nobody.
      this.#add(path).then(
        () => this.#sink.rescan(),
        (error: Error) => this.#sink.failed(error),
      );
    } else if (knownFolder) {
      this.#sink.rescan();
    } else {
      this.#sink.file(path);
    }
  }

  #isBurst(): boolean {
    const now = performance.now();
    if (now - this.#lastEventAt > BREATH) this.#burst = 0;
    this.#lastEventAt = now;
    this.#burst += 1;
    return this.#burst >= BURST;
  }

  #drop(top: string): void {
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
  /** Differs once a folder is replaced, mounted over or locked. */
  identity: string;
  /** Nanoseconds; when entries were last added, removed or renamed. Null after an event, until the next check. */
  changed: bigint | null;
}

function readStamp(path: string): FolderStamp {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return { identity: identify(path), changed: stat?.mtimeNs ?? null };
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
    // It is gone or unreadable.
    return false;
  }
}

function subfoldersOf(folder: string): string[] {
  try {
    const children = readdirSync(folder, { withFileTypes: true });
    return children.filter((child) => child.isDirectory()).map((child) => child.name);
  } catch {
    // It is gone or unreadable.
    return [];
  }
}
