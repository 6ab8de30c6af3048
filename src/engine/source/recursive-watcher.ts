import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { AsyncSubscription, BackendType, Event } from '@parcel/watcher';
import type { ChangeSink, TreeWatcher } from './tree-watcher.ts';

/** Backend of each system. By default, the watcher would start Watchman, a permanent server, if it is installed. */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = {
  darwin: 'fs-events',
  linux: 'inotify',
  win32: 'windows',
};
const INSIDE_GIT = /(^|\/)\.git(\/|$)/;

/** Watches a tree on systems that can watch whole trees (macOS, Windows), through `@parcel/watcher`. */
export class RecursiveWatcher implements TreeWatcher {
  readonly #root: string;
  readonly #sink: ChangeSink;
  #subscription: AsyncSubscription | null = null;
  #closed = false;

  constructor(root: string, sink: ChangeSink) {
    this.#root = root;
    this.#sink = sink;
  }

  /** Rejects if the native watcher is missing or cannot start. */
  async start(): Promise<void> {
    const { default: watcher } = await import('@parcel/watcher');
    this.#subscription = await watcher.subscribe(
      this.#root,
      (error, events) => {
        if (this.#closed) return;
        // The system dropped events, so any file may have changed. Watching continues.
        if (error) this.#sink.requestRescan();
        else for (const event of events) this.#handleEvent(event);
      },
      { ignore: [join(this.#root, '.git')], backend: BACKENDS[process.platform] },
    );
    if (this.#closed) await this.close();
  }

  /** Does nothing, because the system watches the whole tree. */
  async check(): Promise<void> {}

  listUnreadable(): readonly string[] {
    return [];
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#subscription?.unsubscribe();
    this.#subscription = null;
  }

  #handleEvent(event: Event): void {
    const path = relative(this.#root, event.path).replaceAll(sep, '/');
    if (INSIDE_GIT.test(path)) return;
    if (path === '' || event.type === 'update') {
      if (path === '') this.#sink.checkRoot();
      else this.#sink.reportFile(path);
      return;
    }
    const stat = lstatSync(event.path, { throwIfNoEntry: false });
    // Events for a folder do not mention its files. A path that no longer exists may have been a folder.
    const mayBeFolder = stat ? stat.isDirectory() : !this.#sink.accepts(path);
    if (!mayBeFolder) this.#sink.reportFile(path);
    else if (!this.#sink.isPruned(path)) this.#sink.requestRescan();
  }
}
