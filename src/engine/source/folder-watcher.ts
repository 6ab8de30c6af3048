import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChangeSink, TreeWatcher } from './tree-watcher.ts';

/** Folders added between two chances for other work of this thread. */
const FOLDERS_PER_TURN = 50;
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

  /** False when the folder is gone already. */
  #watch(folder: string): boolean {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    try {
      const watcher = watch(join(this.#root, folder), { encoding: 'buffer' }, (event, name) =>
        this.#handle(folder, event, name),
      );
      watcher.on('error', (error) => this.#sink.failed(error));
      this.#watches.set(folder, watcher);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
      throw error;
    }
  }

  /** `rename`: something by this name appeared or disappeared; `change`: its content or its attributes changed. */
  #handle(folder: string, event: string, name: Buffer | null): void {
    if (this.#closed) return;
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
    for (const [folder, watcher] of this.#watches) {
      if (folder !== top && !folder.startsWith(`${top}/`)) continue;
      watcher.close();
      this.#watches.delete(folder);
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function subfoldersOf(folder: string): string[] {
  try {
    const children = readdirSync(folder, { withFileTypes: true });
    return children.filter((child) => child.isDirectory()).map((child) => child.name);
  } catch {
    return [];
  }
}
