import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { AsyncSubscription, BackendType, Event } from '@parcel/watcher';
import type { ChangeSink, TreeWatcher } from './tree-watcher.ts';

/** The system's own way to watch. Left to choose, the watcher starts Watchman, a server that stays, where there is one. */
const BACKENDS: Partial<Record<NodeJS.Platform, BackendType>> = {
  darwin: 'fs-events',
  linux: 'inotify',
  win32: 'windows',
};
const INSIDE_GIT = /(^|\/)\.git(\/|$)/;

/** Watches a tree where the system itself watches whole trees (macOS, Windows), through `@parcel/watcher`. */
export class RecursiveWatcher implements TreeWatcher {
  readonly #root: string;
  readonly #sink: ChangeSink;
  #subscription: AsyncSubscription | null = null;
  #closed = false;

  constructor(root: string, sink: ChangeSink) {
    this.#root = root;
    this.#sink = sink;
  }

  /** Rejects when the native watcher is missing or cannot start. */
  async start(): Promise<void> {
    const { default: watcher } = await import('@parcel/watcher');
    this.#subscription = await watcher.subscribe(
      this.#root,
      (error, events) => {
        if (this.#closed) return;
        // The system dropped events: what changed is not known, but watching goes on.
        if (error) this.#sink.rescan();
        else for (const event of events) this.#handle(event);
      },
      { ignore: [join(this.#root, '.git')], backend: BACKENDS[process.platform] },
    );
    if (this.#closed) await this.close();
  }

  /** Does nothing: the system watches the tree as a whole. */
  async check(): Promise<void> {}

  unreadable(): readonly string[] {
    return [];
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#subscription?.unsubscribe();
    this.#subscription = null;
  }

  #handle(event: Event): void {
    const path = relative(this.#root, event.path).replaceAll(sep, '/');
    if (INSIDE_GIT.test(path)) return;
    if (path === '' || event.type === 'update') {
      if (path === '') this.#sink.checkRoot();
      else this.#sink.file(path);
      return;
    }
    const stat = lstatSync(event.path, { throwIfNoEntry: false });
    // Folders come and go without word of what is in them, and nothing tells that a path that is gone was one.
    const mayBeFolder = stat ? stat.isDirectory() : !this.#sink.accepts(path);
    if (!mayBeFolder) this.#sink.file(path);
    else if (!this.#sink.prunes(path)) this.#sink.rescan();
  }
}
