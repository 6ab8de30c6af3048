import { accessSync, constants, type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SEARCH_PRIORITY } from '../../base/priority-gate.ts';
import { identifyPath } from './folder-fingerprint.ts';
import type { ChangeSink, TreeWatcher } from './tree-watcher.ts';

/** Number of folders after which other work of this thread gets a turn, and after which a search is waited for. */
const FOLDERS_PER_TURN = 50;
/** Maximum number of folders in one check, which takes a few milliseconds. Most repositories have fewer. */
const FOLDERS_PER_CHECK = 2000;
/**
 * Linux queues 16,384 events (fs.inotify.max_queued_events) and drops any more, which Node does not report.
 * After half as many events without a pause, some may have been dropped.
 */
const MAX_BURST_EVENTS = 8000;
/** Milliseconds without an event after which a burst is over. */
const BURST_PAUSE_MS = 500;

/**
 * Watches a folder with its subfolders on Linux, where one watch covers only one folder. It has a watch for each folder that
 * `ChangeSink.isPruned` does not exclude. (`@parcel/watcher`, which is used on other systems, misses new folders that already
 * have subfolders on Linux, and reports files of a renamed folder under its old name.)
 */
export class FolderWatcher implements TreeWatcher {
  readonly #root: string;
  readonly #sink: ChangeSink;
  readonly #watches = new Map<string, FSWatcher>();
  /** State of each watched folder when it was last checked, or first watched. */
  readonly #stamps = new Map<string, FolderStamp>();
  readonly #unreadable = new Set<string>();
  /** Folders that have not been checked yet in this round. */
  #unchecked: string[] = [];
  #isClosed = false;
  /** Number of events without a pause so far. */
  #burstEvents = 0;
  #lastEventAt = 0;

  constructor(root: string, sink: ChangeSink) {
    this.#root = root;
    this.#sink = sink;
  }

  /** Watches the root and all folders below it. Rejects if the system has no watches left. */
  async start(): Promise<void> {
    await this.#watchTree('');
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
      .filter((folder) => !this.#checkStamp(folder));
    // Queued events are delivered before this thread's next turn. A folder with an event then matches its stamp.
    await nextTurn();
    for (const folder of differing) {
      const isStillPresent = this.#stamps.has(folder) || this.#unreadable.has(folder);
      if (isStillPresent && !this.#checkStamp(folder)) await this.#rewatch(folder);
    }
  }

  /** Compares a folder with its stamp. If they match, updates the stamp and returns true. */
  #checkStamp(folder: string): boolean {
    const before = this.#stamps.get(folder);
    const now = readStamp(join(this.#root, folder));
    if (!before || !matches(before, now)) return false;
    this.#stamps.set(folder, now);
    return true;
  }

  listUnreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  /** Watches a folder again after a change without an event. Requests a rescan, except if it was unreadable and still is. */
  async #rewatch(folder: string): Promise<void> {
    if (this.#isClosed) return;
    const wasUnreadable = this.#unreadable.has(folder);
    this.#unwatchTree(folder);
    await this.#watchTree(folder);
    if (!wasUnreadable || !this.#unreadable.has(folder)) this.#sink.requestRescan();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  /** Watches a folder and all folders below it. Each is watched before it is read, so that no new entry is missed. */
  async #watchTree(top: string): Promise<void> {
    const pending = [top];
    let added = 0;
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      if (++added % FOLDERS_PER_TURN === 0) {
        await nextTurn();
        await SEARCH_PRIORITY.waitUntilFree();
      }
      if (this.#isClosed) return;
      if (!this.#watchFolder(folder)) continue;
      for (const name of listSubfolders(join(this.#root, folder))) {
        const path = folder === '' ? name : `${folder}/${name}`;
        if (!this.#sink.isPruned(path)) pending.push(path);
      }
    }
  }

  /** Watches one folder. Returns false if it no longer exists or is unreadable. */
  #watchFolder(folder: string): boolean {
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

  /** Handles an event. `rename`: an entry appeared or disappeared; `change`: the content or attributes of one changed. */
  #handleEvent(folder: string, event: string, name: Buffer | null): void {
    if (this.#isClosed) return;
    const stamp = this.#stamps.get(folder);
    if (stamp) stamp.modifiedNs = null;
    if (this.#countEvent()) {
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
    const wasFolder = this.#watches.has(path);
    if (wasFolder) this.#unwatchTree(path);
    if (isFolder(join(this.#root, path))) {
      if (this.#sink.isPruned(path)) return;
      // A new folder may already have content, for which there are no events.
      this.#watchTree(path).then(
        () => this.#sink.requestRescan(),
        (error: Error) => this.#sink.reportFailure(error),
      );
    } else if (wasFolder) {
      this.#sink.requestRescan();
    } else {
      this.#sink.reportFile(path);
    }
  }

  /** Counts an event. Returns true if so many came without a pause that some may have been dropped. */
  #countEvent(): boolean {
    const now = performance.now();
    if (now - this.#lastEventAt > BURST_PAUSE_MS) this.#burstEvents = 0;
    this.#lastEventAt = now;
    this.#burstEvents += 1;
    return this.#burstEvents >= MAX_BURST_EVENTS;
  }

  /** Stops watching a folder and all folders below it. */
  #unwatchTree(top: string): void {
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
  /** Text from `identifyPath`, which differs after a folder is replaced or mounted over, or its permissions change. */
  identity: string;
  /**
   * Time when entries were last added, removed or renamed, in nanoseconds since 1970. Null after an event, until the next check:
   * then any time matches.
   */
  modifiedNs: bigint | null;
}

function readStamp(path: string): FolderStamp {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return { identity: identifyPath(path), modifiedNs: stat?.mtimeNs ?? null };
}

/** Returns true if a folder has not changed, apart from changes with an event. */
function matches(before: FolderStamp, now: FolderStamp): boolean {
  const hasSameTime = before.modifiedNs === null || before.modifiedNs === now.modifiedNs;
  return before.identity === now.identity && hasSameTime;
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
