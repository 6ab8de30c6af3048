/** Receiver of a watcher's reports. Paths are relative to the root, with forward slashes. */
export interface ChangeSink {
  accepts(path: string): boolean;
  /** Returns true if no file in a folder can matter. */
  isPruned(folder: string): boolean;
  reportFile(path: string): void;
  requestRescan(): void;
  /** Called if changes may have been missed, new folders among them. */
  restartWatching(): void;
  /** Called if the root itself changed; it may no longer exist. */
  checkRoot(): void;
  reportFailure(error: Error): void;
}

export interface TreeWatcher {
  start(): Promise<void>;
  /** Looks for changes without events, and reports them to the sink. Called every few seconds. */
  check(): Promise<void>;
  /** Returns folders, relative to the root, that are unreadable, so that their changes are not noticed. */
  listUnreadable(): readonly string[];
  close(): Promise<void>;
}

export type WatcherMaker = (root: string, sink: ChangeSink) => TreeWatcher;
