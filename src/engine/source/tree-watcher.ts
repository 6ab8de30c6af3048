/** What a watcher of one of the systems reports; paths are relative to the root, with forward slashes. */
export interface ChangeSink {
  accepts(path: string): boolean;
  /** Whether nothing in a folder can matter. */
  prunes(folder: string): boolean;
  file(path: string): void;
  rescan(): void;
  /** Changes, new folders among them, may have gone unreported. */
  lostTrack(): void;
  /** Something happened to the root itself, perhaps its end. */
  checkRoot(): void;
  failed(error: Error): void;
}

export interface TreeWatcher {
  start(): Promise<void>;
  /** Looks for changes that no event told of, and reports them to the sink. Called every few seconds. */
  check(): Promise<void>;
  /** Returns folders, relative to the root, whose changes cannot be seen, since they may not be read. */
  unreadable(): readonly string[];
  close(): Promise<void>;
}

export type WatcherMaker = (root: string, sink: ChangeSink) => TreeWatcher;
