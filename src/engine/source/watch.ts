import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { realFolder } from '../../base/folders.ts';
import { GitFailure, gitLine } from '../../base/git/git.ts';
import { ignoring } from '../../base/log.ts';
import { getParent } from '../../shared/address.ts';
import { LocusError } from '../../shared/errors.ts';
import type { FollowingHealth } from '../../shared/indexing.ts';
import { isAttributeFile } from './attributes.ts';
import { type ChangeBatch, ChangeBatcher } from './change-batch.ts';
import { FolderWatcher } from './folder-watcher.ts';
import { findRootFailure, gone, identify, isEmptyFolder, isInGit, readFooting } from './footing.ts';
import { type Exclusion, excluding } from './gitignore.ts';
import { IGNORE_FILE, IgnoreRules } from './ignore-rules.ts';
import { trackedIgnoredFolders } from './list-index.ts';
import { describeLostGit } from './open.ts';
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
  /** Called when something begins or ends to keep changes from being seen, or from being seen at once. */
  onHealth(health: FollowingHealth): void;
  /** Called once, when no later change can be missed. List the tree after that, not before. */
  onReady?(): void;
  /** Milliseconds between two looks at what is watched; 2000 by default. */
  beatMs?: number | undefined;
  signal: AbortSignal;
}

function nativeWatcher(root: string, sink: ChangeSink): TreeWatcher {
  return process.platform === 'linux'
    ? new FolderWatcher(root, sink)
    : new RecursiveWatcher(root, sink);
}

const BEAT_MS = 2000;
/** Beats after which watching is tried again where the system cannot watch. */
const BEATS_PER_TRIAL = 15;
const NAMED = 3;

/**
 * Follows the changes of a folder, a git working tree or not, until the signal aborts; resolves then. Changes of `.git/HEAD`
 * or the index (a branch switch, a commit), of ignore files and of attributes ask for a rescan.
 *
 * A heartbeat looks at what events do not tell: whether the folder and its git repository are still the ones that are
 * watched, and can be read. A folder that is gone is waited for; another one in its place, or another repository around it, is
 * watched instead. Where the system cannot watch, each beat asks for a rescan.
 * @throws LocusError `bad-repository` if the root is not a folder at the start.
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
  readonly #wasInGit: boolean;
  #identity = '';
  /** Footing of the folder and its git repository as they are watched; empty to watch them again. */
  #footing = '';
  #rules: IgnoreRules;
  /** Folders with tracked files that the ignore rules name; null outside git. */
  #tracked: ReadonlySet<string> | null = null;
  #watcher: TreeWatcher | null = null;
  #gitWatches: FSWatcher[] = [];
  /** Why the system cannot watch the tree; null while it does. */
  #limit: LocusError | null = null;
  #failure: LocusError | null = null;
  #told: FollowingHealth = { failure: null, warning: null };
  #beats = 0;
  #beating: Promise<void> | null = null;
  #ended = false;

  constructor(root: string, options: WatchOptions, makeWatcher: WatcherMaker) {
    this.#root = root;
    this.#options = options;
    this.#makeWatcher = makeWatcher;
    this.#excludes = excluding(options.exclude);
    this.#rules = new IgnoreRules(root);
    this.#wasInGit = isInGit(root);
    this.#batcher = new ChangeBatcher((batch) => this.#deliver(batch));
  }

  async run(): Promise<void> {
    const { signal, onReady, beatMs = BEAT_MS } = this.#options;
    if (signal.aborted) return;
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => stop(), { once: true });
    await this.#watchAnew();
    const beats = setInterval(() => this.checkRoot(), beatMs);
    if (!signal.aborted) onReady?.();
    this.#tell();
    await stopped;
    clearInterval(beats);
    this.#ended = true;
    this.#batcher.clear();
    await this.#beating;
    await this.#close();
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
    if (this.#ignores(getParent(path))) return;
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
    if (this.#ended) return;
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
    });
  }

  failed(error: Error): void {
    if (this.#ended || this.#limit || this.#options.signal.aborted) return;
    this.#limit = describeLimit(this.#root, error);
    this.#closeWatcher();
    this.#tell();
  }

  /** Starts watching again, with the current ignore rules. */
  lostTrack(): void {
    if (this.#ended || this.#failure || this.#limit) return;
    this.#closeWatcher();
    this.#watchFiles().then(() => this.rescan());
  }

  async #beat(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.failed(error as Error);
    }
    this.#tell();
  }

  /** Compares what is watched with what is there now. */
  async #look(): Promise<void> {
    this.#failure = this.#findFailure();
    if (this.#failure) {
      // A folder that comes back, or takes its place, is watched from the start.
      this.#footing = '';
      this.#batcher.clear();
      return;
    }
    const isTrial = this.#limit !== null && ++this.#beats % BEATS_PER_TRIAL === 0;
    if (isTrial || readFooting(this.#root) !== this.#footing) {
      await this.#watchAnew();
      this.rescan();
    } else if (this.#limit) this.rescan();
    else await this.#watcher?.check();
  }

  /** Returns why the folder cannot be followed; null if it can. */
  #findFailure(): LocusError | null {
    const failure = findRootFailure(this.#root);
    if (failure || identify(this.#root) === this.#identity) return failure;
    // The place of a drive that was taken away is an empty folder: not all of the files were deleted.
    return isEmptyFolder(this.#root) ? gone(this.#root) : null;
  }

  /** Tells how well the folder is followed, if that differs from what was told last. */
  #tell(): void {
    if (this.#ended || this.#options.signal.aborted) return;
    const health = { failure: this.#failure, warning: this.#findWarning() };
    const isNews = (['failure', 'warning'] as const).some(
      (kind) => health[kind]?.message !== this.#told[kind]?.message,
    );
    if (!isNews) return;
    this.#told = health;
    this.#options.onHealth(health);
  }

  #findWarning(): LocusError | null {
    if (this.#limit) return this.#limit;
    const unreadable = this.#watcher?.unreadable() ?? [];
    if (unreadable.length > 0) return describeUnreadable(this.#root, unreadable);
    return this.#wasInGit && !isInGit(this.#root) ? lostGit(this.#root) : null;
  }

  #deliver(batch: ChangeBatch): void {
    if (!this.#ended && !this.#options.signal.aborted) this.#options.onChange(batch);
  }

  /** Watches the folder that is at the root now, and the git repository that is around it now. */
  async #watchAnew(): Promise<void> {
    await this.#close();
    this.#limit = null;
    this.#identity = identify(this.#root);
    this.#footing = readFooting(this.#root);
    await this.#watchGit();
    await this.#watchFiles();
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
    this.#watcher?.close().catch(ignoring('close-watcher'));
    this.#watcher = null;
  }

  /** HEAD and the index may lie outside the root (a worktree, a subfolder of a repository). */
  async #watchGit(): Promise<void> {
    const { signal } = this.#options;
    try {
      const folderOf = async (name: string) => {
        const path = await gitLine(this.#root, ['rev-parse', '--git-path', name], { signal });
        return resolve(this.#root, path, '..');
      };
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
    watcher.on('error', () => {
      watcher.close();
      this.#footing = '';
    });
    this.#gitWatches.push(watcher);
  }

  async #close(): Promise<void> {
    for (const watcher of this.#gitWatches.splice(0)) watcher.close();
    const watcher = this.#watcher;
    this.#watcher = null;
    await watcher?.close().catch(ignoring('close-watcher'));
  }
}

function describeLimit(root: string, error: Error): LocusError {
  const isLimit = /ENOSPC|EMFILE|inotify/.test(
    `${(error as NodeJS.ErrnoException).code} ${error.message}`,
  );
  const remedy =
    error instanceof LocusError
      ? error.remedy
      : isLimit
        ? 'Raise the limits fs.inotify.max_user_watches and max_user_instances with sysctl, or exclude large folders.'
        : 'Searching works as before. Changes appear a little later.';
  const text = `Changes in ${root} cannot be watched (${error.message}). It is listed every few seconds instead.`;
  return new LocusError('bad-repository', text, remedy, { cause: error });
}

function describeUnreadable(root: string, folders: readonly string[]): LocusError {
  const more = folders.length - NAMED;
  const named = folders.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return new LocusError(
    'bad-repository',
    `Folders in ${root} cannot be read, so their files are not indexed: ${named}.`,
    'Check their permissions, or exclude them.',
  );
}

function lostGit(root: string): LocusError {
  return new LocusError(
    'bad-repository',
    describeLostGit(root),
    'Restore its .git, or open the folder again to go on without it.',
  );
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
