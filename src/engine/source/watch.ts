import { existsSync, type FSWatcher, lstatSync, watch } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import { parentOf } from '../../shared/parent-of.ts';
import { isAttributeFile } from './attributes.ts';
import { type ChangeBatch, ChangeBatcher } from './change-batch.ts';
import { type Exclusion, excluding } from './exclusion.ts';
import { FolderWatcher } from './folder-watcher.ts';
import { GitFailure, git } from './git.ts';
import { IGNORE_FILE, IgnoreRules } from './ignore-rules.ts';
import { trackedIgnoredFolders } from './list-index.ts';
import { realFolder } from './open.ts';
import { RecursiveWatcher } from './recursive-watcher.ts';
import type { ChangeSink, TreeWatcher, WatcherMaker } from './tree-watcher.ts';

export type { ChangeBatch } from './change-batch.ts';

export interface WatchOptions {
  /** As given to `openTree`. */
  exclude?: string[];
  accepts(path: string): boolean;
  /**
   * Called when changes pause for 50 ms, and every 500 ms while they do not. A file in `paths` may be ignored,
   * half-written or gone by then: `SourceTree.list` with these paths tells. A file that is still being written
   * is reported again after its last write.
   */
  onChange(batch: ChangeBatch): void;
  /** Told about the fallback to polling. */
  onError(error: Error): void;
  /** Called once, when no later change can be missed. List the tree after that, not before. */
  onReady?(): void;
  signal: AbortSignal;
}

function nativeWatcher(root: string, sink: ChangeSink): TreeWatcher {
  return process.platform === 'linux'
    ? new FolderWatcher(root, sink)
    : new RecursiveWatcher(root, sink);
}

/** Milliseconds between rescans where the system cannot watch. */
const POLL = 2000;

/**
 * Follows the changes of a folder, a git working tree or not, until the signal aborts; resolves then. Changes of `.git/HEAD`
 * or the index (a branch switch, a commit), of ignore files and of attributes ask for a rescan. Rejects with `LocusError` when the root is not a folder, or is gone.
 */
export async function watchTree(
  root: string,
  options: WatchOptions,
  makeWatcher: WatcherMaker = nativeWatcher,
): Promise<void> {
  const watching = new Watching(realFolder(root), options, makeWatcher);
  await watching.run();
}

class Watching implements ChangeSink {
  readonly #root: string;
  readonly #options: WatchOptions;
  readonly #makeWatcher: WatcherMaker;
  readonly #excludes: Exclusion;
  readonly #batcher: ChangeBatcher;
  /** Tells a root that was deleted and made anew from the one that is watched. */
  readonly #identity: string;
  readonly #stop: () => void;
  readonly #stopped: Promise<void>;
  #rules: IgnoreRules;
  /** Folders with tracked files that the ignore rules name; null outside git. */
  #tracked: ReadonlySet<string> | null = null;
  #watcher: TreeWatcher | null = null;
  #gitWatches: FSWatcher[] = [];
  #polling: NodeJS.Timeout | undefined;
  #ended = false;
  #gone: LocusError | null = null;

  constructor(root: string, options: WatchOptions, makeWatcher: WatcherMaker) {
    this.#root = root;
    this.#options = options;
    this.#makeWatcher = makeWatcher;
    this.#excludes = excluding(options.exclude);
    this.#rules = new IgnoreRules(root);
    this.#identity = identityOf(root);
    this.#batcher = new ChangeBatcher((batch) => this.#deliver(batch));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stopped = promise;
    this.#stop = resolve;
  }

  async run(): Promise<void> {
    const { signal, onReady } = this.#options;
    if (signal.aborted) return;
    signal.addEventListener('abort', this.#stop, { once: true });
    await this.#watchGit();
    await this.#watchFiles();
    if (!signal.aborted) onReady?.();
    await this.#stopped;
    signal.removeEventListener('abort', this.#stop);
    await this.#end();
    if (this.#gone) throw this.#gone;
  }

  accepts(path: string): boolean {
    return this.#options.accepts(path) && !this.#excludes(path);
  }

  prunes(folder: string): boolean {
    if (basename(folder) === '.git' || this.#excludes(`${folder}/`)) return true;
    // Submodules and other repositories inside this one are not part of it.
    if (this.#tracked && existsSync(join(this.#root, folder, '.git'))) return true;
    return this.#ignores(folder);
  }

  #ignores(folder: string): boolean {
    return this.#rules.ignores(folder, true) && !this.#tracked?.has(folder);
  }

  file(path: string): void {
    if (this.#ignores(parentOf(path))) return;
    // Other folders may matter now.
    if (basename(path) === IGNORE_FILE) this.lostTrack();
    // Any file may have another role now.
    else if (isAttributeFile(path)) this.rescan();
    else if (this.accepts(path)) this.#batcher.file(path);
  }

  rescan(): void {
    this.#batcher.rescan();
  }

  checkRoot(): void {
    if (this.#ended || identityOf(this.#root) === this.#identity) return;
    this.#ended = true;
    this.#batcher.clear();
    this.#gone = new LocusError(
      'bad-repository',
      `${this.#root} was deleted or moved while it was watched`,
      'open the folder again where it is now',
    );
    this.#stop();
  }

  failed(error: Error): void {
    if (this.#ended || this.#polling || this.#options.signal.aborted) return;
    const limit = /ENOSPC|EMFILE|inotify/.test(
      `${(error as NodeJS.ErrnoException).code} ${error.message}`,
    );
    this.#options.onError(
      new LocusError(
        'bad-repository',
        `Changes in ${this.#root} cannot be watched (${error.message}); it is listed every ${POLL / 1000} seconds instead`,
        error instanceof LocusError
          ? error.remedy
          : limit
            ? 'Raise the limits fs.inotify.max_user_watches and max_user_instances with sysctl, or exclude large folders.'
            : 'Searching works as before; new changes appear a little later.',
        { cause: error },
      ),
    );
    this.#closeWatcher();
    this.#polling = setInterval(() => {
      this.checkRoot();
      if (!this.#ended) this.rescan();
    }, POLL);
  }

  #deliver(batch: ChangeBatch): void {
    if (this.#ended || this.#options.signal.aborted) return;
    try {
      this.#options.onChange(batch);
    } catch (error) {
      this.#options.onError(error as Error);
    }
  }

  async #watchFiles(): Promise<void> {
    this.#rules = new IgnoreRules(this.#root);
    const watcher = this.#makeWatcher(this.#root, this);
    this.#watcher = watcher;
    try {
      this.#tracked = await trackedFolders(this.#root, this.#options.signal);
      await watcher.start();
    } catch (error) {
      if (this.#watcher === watcher) this.failed(error as Error);
    }
  }

  #closeWatcher(): void {
    this.#watcher?.close().catch(() => {});
    this.#watcher = null;
  }

  /** Watches anew, with the ignore rules as they are now. */
  lostTrack(): void {
    if (this.#ended || this.#polling) return;
    this.#closeWatcher();
    this.#watchFiles().then(() => this.rescan());
  }

  /** HEAD and the index may lie outside the root (a worktree, a subfolder of a repository). */
  async #watchGit(): Promise<void> {
    const { signal } = this.#options;
    try {
      const folderOf = async (name: string) =>
        resolve(
          this.#root,
          (await git(this.#root, ['rev-parse', '--git-path', name], { signal }))
            .toString('utf8')
            .slice(0, -1),
          '..',
        );
      this.#watchNames(await folderOf('HEAD'), ['HEAD', 'index'], () => this.rescan());
      this.#watchNames(await folderOf('info/exclude'), ['exclude'], () => this.lostTrack());
    } catch (error) {
      if (!isWithoutGit(error)) this.failed(error as Error);
    }
  }

  #watchNames(folder: string, names: readonly string[], onChange: () => void): void {
    if (!existsSync(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      if (name === null || names.includes(name)) onChange();
    });
    watcher.on('error', () => watcher.close());
    this.#gitWatches.push(watcher);
  }

  async #end(): Promise<void> {
    this.#ended = true;
    this.#batcher.clear();
    clearInterval(this.#polling);
    for (const watcher of this.#gitWatches) watcher.close();
    await this.#watcher?.close().catch(() => {});
  }
}

async function trackedFolders(root: string, signal: AbortSignal): Promise<Set<string> | null> {
  try {
    return await trackedIgnoredFolders(root, signal);
  } catch (error) {
    if (isWithoutGit(error)) return null;
    throw error;
  }
}

/** Git is missing, or it has nothing to say of this folder. */
function isWithoutGit(error: unknown): boolean {
  return error instanceof GitFailure && (error.exitCode === null || error.gitRefused);
}

function identityOf(folder: string): string {
  const stat = lstatSync(folder, { throwIfNoEntry: false, bigint: true });
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : 'gone';
}
