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
import {
  createMissingFolderError,
  findRootFailure,
  identifyPath,
  isEmptyFolder,
  isInGit,
  readFingerprint,
} from './folder-fingerprint.ts';
import { FolderWatcher } from './folder-watcher.ts';
import { createExclusion, type ExclusionFilter } from './gitignore.ts';
import { IGNORE_FILE, IgnoreRules } from './ignore-rules.ts';
import { listTrackedIgnoredFolders } from './list-index.ts';
import { describeLostGit } from './open.ts';
import { RecursiveWatcher } from './recursive-watcher.ts';
import { type FileSelection, isSelectionFile, readSelection } from './selection.ts';
import type { ChangeSink, TreeWatcher, WatcherMaker } from './tree-watcher.ts';

export type { ChangeBatch } from './change-batch.ts';

export interface WatchTreeOptions {
  /** Patterns in `.gitignore` syntax, as for `openTree`. */
  exclude?: string[];
  accepts(path: string): boolean;
  /**
   * Called when changes pause for 30 ms, and every 500 ms while they do not. A file in `paths` may be ignored,
   * incomplete or removed by then, which `SourceTree.list` with these paths tells. A file that is still being written is
   * reported again after its last write.
   */
  onChange(batch: ChangeBatch): void;
  /** Called if following starts or stops being impossible or delayed. */
  onHealth(health: FollowingHealth): void;
  /** Called once, when no later change can be missed. List the tree after that. */
  onReady?(): void;
  /** Time between two checks of the watched folder, in milliseconds; default 2000. */
  beatMs?: number | undefined;
  signal: AbortSignal;
}

function nativeWatcher(root: string, sink: ChangeSink): TreeWatcher {
  return process.platform === 'linux'
    ? new FolderWatcher(root, sink)
    : new RecursiveWatcher(root, sink);
}

const DEFAULT_BEAT_MS = 2000;
/** Number of beats after which watching is tried again if the system cannot watch. */
const BEATS_PER_TRIAL = 15;
const MAX_NAMED_FOLDERS = 3;

/**
 * Follows the changes of a folder, in a git working tree or not, until the signal aborts, and then resolves. Changes of
 * `.git/HEAD` or the index (a branch switch, a commit), of ignore files and of attributes request a rescan.
 *
 * A heartbeat checks what events do not report: whether the folder and its git repository were replaced, and can be read. If
 * the folder is missing, it waits. A new folder or repository at the same path is watched instead. If the system cannot watch,
 * each beat requests a rescan.
 * @throws LocusError `bad-repository` if the root is not a folder at the start
 */
export async function watchTree(
  root: string,
  options: WatchTreeOptions,
  makeWatcher: WatcherMaker = nativeWatcher,
): Promise<void> {
  const watching = new Watching(realFolder(root), options, makeWatcher);
  await watching.run();
}

class Watching implements ChangeSink {
  readonly #root: string;
  readonly #options: WatchTreeOptions;
  readonly #makeWatcher: WatcherMaker;
  readonly #excludes: ExclusionFilter;
  #selection: FileSelection;
  readonly #batcher: ChangeBatcher;
  readonly #wasInGit: boolean;
  #identity = '';
  /** Fingerprint of the watched folder and its git repository; empty to watch them again. */
  #fingerprint = '';
  #rules: IgnoreRules;
  /** Ignored folders that contain tracked files; null outside git. */
  #tracked: ReadonlySet<string> | null = null;
  #watcher: TreeWatcher | null = null;
  #gitWatches: FSWatcher[] = [];
  /** Error because of which the system cannot watch the tree; null while it does. */
  #watchError: LocusError | null = null;
  #failure: LocusError | null = null;
  #reportedHealth: FollowingHealth = { failure: null, warning: null };
  #beatCount = 0;
  #runningBeat: Promise<void> | null = null;
  #ended = false;

  constructor(root: string, options: WatchTreeOptions, makeWatcher: WatcherMaker) {
    this.#root = root;
    this.#options = options;
    this.#makeWatcher = makeWatcher;
    this.#excludes = createExclusion(options.exclude);
    this.#selection = readSelection(root, this.#excludes);
    this.#rules = new IgnoreRules(root);
    this.#wasInGit = isInGit(root);
    this.#batcher = new ChangeBatcher((batch) => this.#deliver(batch));
  }

  async run(): Promise<void> {
    const { signal, onReady, beatMs = DEFAULT_BEAT_MS } = this.#options;
    if (signal.aborted) return;
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => stop(), { once: true });
    await this.#restart();
    const beats = setInterval(() => this.checkRoot(), beatMs);
    if (!signal.aborted) onReady?.();
    this.#reportHealth();
    await stopped;
    clearInterval(beats);
    this.#ended = true;
    this.#batcher.clear();
    await this.#runningBeat;
    await this.#close();
  }

  accepts(path: string): boolean {
    return this.#options.accepts(path) && !this.#selection.excludes(path);
  }

  isPruned(folder: string): boolean {
    if (basename(folder) === '.git' || this.#selection.excludes(`${folder}/`)) return true;
    // Submodules and other repositories inside this one are not part of it.
    if (this.#tracked && existsSync(join(this.#root, folder, '.git'))) return true;
    return this.#ignores(folder);
  }

  #ignores(folder: string): boolean {
    return (
      this.#rules.ignores(folder, true) &&
      !this.#tracked?.has(folder) &&
      !this.#selection.entersIgnored(folder)
    );
  }

  reportFile(path: string): void {
    if (this.#ignores(getParent(path))) return;
    // With other ignore rules, other folders have to be watched.
    if (basename(path) === IGNORE_FILE || isSelectionFile(path)) this.restartWatching();
    // With other attributes, any file may have another role.
    else if (isAttributeFile(path)) this.requestRescan();
    else if (this.accepts(path)) this.#batcher.addFile(path);
  }

  requestRescan(): void {
    this.#batcher.requestRescan();
  }

  checkRoot(): void {
    if (this.#ended) return;
    this.#runningBeat ??= this.#beat().finally(() => {
      this.#runningBeat = null;
    });
  }

  reportFailure(error: Error): void {
    if (this.#ended || this.#watchError || this.#options.signal.aborted) return;
    this.#watchError = describeLimit(this.#root, error);
    this.#closeWatcher();
    this.#reportHealth();
  }

  /** Starts watching again, with the current ignore rules. */
  restartWatching(): void {
    if (this.#ended || this.#failure || this.#watchError) return;
    this.#closeWatcher();
    this.#watchFiles().then(() => this.requestRescan());
  }

  async #beat(): Promise<void> {
    try {
      await this.#checkState();
    } catch (error) {
      this.reportFailure(error as Error);
    }
    this.#reportHealth();
  }

  /** Compares the watched folder and repository with the current ones. */
  async #checkState(): Promise<void> {
    this.#failure = this.#findFailure();
    if (this.#failure) {
      // With an empty fingerprint, the folder is watched again when it returns or is replaced.
      this.#fingerprint = '';
      this.#batcher.clear();
      return;
    }
    const isTrial = this.#watchError !== null && ++this.#beatCount % BEATS_PER_TRIAL === 0;
    if (isTrial || readFingerprint(this.#root) !== this.#fingerprint) {
      await this.#restart();
      this.requestRescan();
    } else if (this.#watchError) this.requestRescan();
    else await this.#watcher?.check();
  }

  /** Returns the error that keeps the folder from being followed; null if none exists. */
  #findFailure(): LocusError | null {
    const failure = findRootFailure(this.#root);
    if (failure || identifyPath(this.#root) === this.#identity) return failure;
    // The mount point of a removed drive is an empty folder. Its files were not deleted.
    return isEmptyFolder(this.#root) ? createMissingFolderError(this.#root) : null;
  }

  /** Reports how well the folder is followed, if that has changed. */
  #reportHealth(): void {
    if (this.#ended || this.#options.signal.aborted) return;
    const health = { failure: this.#failure, warning: this.#findWarning() };
    const hasChanged = (['failure', 'warning'] as const).some(
      (kind) => health[kind]?.message !== this.#reportedHealth[kind]?.message,
    );
    if (!hasChanged) return;
    this.#reportedHealth = health;
    this.#options.onHealth(health);
  }

  #findWarning(): LocusError | null {
    if (this.#watchError) return this.#watchError;
    const unreadable = this.#watcher?.listUnreadable() ?? [];
    if (unreadable.length > 0) return describeUnreadable(this.#root, unreadable);
    return this.#wasInGit && !isInGit(this.#root) ? createLostGitError(this.#root) : null;
  }

  #deliver(batch: ChangeBatch): void {
    if (!this.#ended && !this.#options.signal.aborted) this.#options.onChange(batch);
  }

  /** Watches the folder that is now at the root, and the git repository that is now around it. */
  async #restart(): Promise<void> {
    await this.#close();
    this.#watchError = null;
    this.#identity = identifyPath(this.#root);
    this.#fingerprint = readFingerprint(this.#root);
    await this.#watchGit();
    await this.#watchFiles();
  }

  async #watchFiles(): Promise<void> {
    this.#selection = readSelection(this.#root, this.#excludes);
    this.#rules = new IgnoreRules(this.#root);
    const watcher = this.#makeWatcher(this.#root, this);
    this.#watcher = watcher;
    try {
      this.#tracked = await listTrackedFolders(this.#root, this.#options.signal);
      await watcher.start();
    } catch (error) {
      if (this.#watcher === watcher) this.reportFailure(error as Error);
    }
  }

  #closeWatcher(): void {
    this.#watcher?.close().catch(ignoring('close-watcher'));
    this.#watcher = null;
  }

  /** Watches HEAD, the index and `info/exclude`, which may be outside the root (in a worktree or a subfolder). */
  async #watchGit(): Promise<void> {
    const { signal } = this.#options;
    try {
      const findFolder = async (name: string) => {
        const path = await gitLine(this.#root, ['rev-parse', '--git-path', name], { signal });
        return resolve(this.#root, path, '..');
      };
      this.#watchNames(await findFolder('HEAD'), ['HEAD', 'index'], () => this.requestRescan());
      this.#watchNames(await findFolder('info/exclude'), ['exclude'], () => this.restartWatching());
    } catch (error) {
      if (!isGitMissing(error)) this.reportFailure(error as Error);
    }
  }

  #watchNames(folder: string, names: readonly string[], onChange: () => void): void {
    if (!existsSync(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      if (name === null || names.includes(name)) onChange();
    });
    watcher.on('error', () => {
      watcher.close();
      this.#fingerprint = '';
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
        : 'No action is needed. Changes appear with a short delay.';
  const text = `Changes in ${root} cannot be watched (${error.message}). Locus checks it every few seconds instead.`;
  return new LocusError('bad-repository', text, remedy, { cause: error });
}

function describeUnreadable(root: string, folders: readonly string[]): LocusError {
  const more = folders.length - MAX_NAMED_FOLDERS;
  const named =
    folders.slice(0, MAX_NAMED_FOLDERS).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return new LocusError(
    'bad-repository',
    `Folders in ${root} are unreadable, so their files are not indexed: ${named}.`,
    'Check their permissions, or exclude them.',
  );
}

function createLostGitError(root: string): LocusError {
  return new LocusError(
    'bad-repository',
    describeLostGit(root),
    'Restore its .git folder, or open the folder again to continue without git.',
  );
}

async function listTrackedFolders(root: string, signal: AbortSignal): Promise<Set<string> | null> {
  try {
    return await listTrackedIgnoredFolders(root, signal);
  } catch (error) {
    if (isGitMissing(error)) return null;
    throw error;
  }
}

/** Returns true if git is not installed, or the folder is not in a repository. */
function isGitMissing(error: unknown): boolean {
  return error instanceof GitFailure && (error.exitCode === null || error.gitRefused);
}
