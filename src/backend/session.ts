import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DamagedIndex, isDamage } from '../base/damage.ts';
import { ignoring, logFailure } from '../base/log.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { listLanguages, loadLanguagesIn } from '../engine/index.ts';
import { CheckFile } from '../services/check/check-file.ts';
import { ANSWERS_FILE, StoredAnswers } from '../services/check/stored-answers.ts';
import { StoredChecks } from '../services/check/stored-checks.ts';
import { findFleetLocation } from '../services/fleet/setup.ts';
import type { CommandLine } from '../services/investigate/tool-server.ts';
import { FollowedRepository } from '../services/keeper/followed-repository.ts';
import {
  Keeper,
  type KeeperEntry,
  makeEntryId,
  type RepositoryLocation,
} from '../services/keeper/keeper.ts';
import { Workspace, type WorkspaceMember } from '../services/keeper/workspace.ts';
import {
  getDataDirectory,
  getLanguageFolder,
  makeIndexFolderName,
  startLog,
} from '../services/locations.ts';
import { MachineLoad } from '../services/machine-load.ts';
import { isModelPath, listModelIds } from '../services/models.ts';
import { type OpenRepositoryOptions, openRepository } from '../services/open-repository.ts';
import { isOnBattery } from '../services/power.ts';
import { preparePublishing, publishRepository } from '../services/resident/publish.ts';
import { createSample, findSample } from '../services/sample.ts';
import { createTooManyError } from '../services/workspace/discover.ts';
import { nameRepositories } from '../services/workspace/names.ts';
import type { Device } from '../shared/devices.ts';
import { badInput, cancelled, isCancelled, LocusError } from '../shared/errors.ts';
import type { FleetLocation } from '../shared/fleet.ts';
import type { IndexingState, StoredIndex } from '../shared/indexing.ts';
import { MAX_REPOSITORIES } from '../shared/limits.ts';
import type { Repository } from '../shared/repository.ts';
import type { EngineWelcome, Events, Note } from '../shared/rpc/events.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { type EngineMethods, params } from '../shared/rpc/methods.ts';
import { type Handlers, type ServedChannel, serve } from '../shared/rpc/server.ts';
import type { Settings } from '../shared/settings.ts';
import { VERSION } from '../shared/version.ts';
import { decodeWorkspace, encodeWorkspace } from '../shared/workspace.ts';
import { type AppDatabase, openAppDatabase } from './app-database.ts';
import { ExportSearch } from './export-search.ts';
import { checkAbsolute, checkAllowed } from './folders.ts';
import { IssueStore, IssueTexts } from './issues.ts';
import type { LatestOnly } from './latest-only.ts';
import { MarkStore } from './marks.ts';
import { PostTickets } from './posts.ts';
import { RecentRepositories } from './recent.ts';
import { SettingsStore } from './settings.ts';
import { listStoredIndexes, removeStoredIndex } from './stored-indexes.ts';

/** Options for all windows, set by the host. Plain data, because it is sent to the engine's process. */
export interface SessionOptions {
  dataDir?: string;
  /** Repository that windows open first. */
  open?: { root: string; revision?: string };
  /** True if windows open the last repository first, without `open`. */
  reopensLast?: boolean;
  /** For tests: milliseconds of rest before background embedding, which then does not wait for an idle machine. */
  backgroundEmbeddingMs?: number | undefined;
  /** Overrides the setting of the same name, like `model` and `exclude`. */
  device?: OpenRepositoryOptions['device'];
  model?: string;
  exclude?: string[];
  /** Program and arguments that run the `locus` command. By default, it is looked for on the PATH. */
  commandLine?: CommandLine;
}

const wantsBackgroundEmbedding = ({ rerank, backgroundEmbedding }: Settings): boolean =>
  rerank && backgroundEmbedding;

/** Milliseconds that a repository without windows stays open, for windows that are reloaded. */
const LINGER_MS = 5 * 60_000;

/** Repository that a window has open, or had open within the last minutes. */
export type OpenedEntry = KeeperEntry<FollowedRepository, Connection>;

/** Workspace that a window has open. Its members are entries of their own. */
export interface WorkspaceEntry {
  id: string;
  /** Encoded folders of the members, see `encodeWorkspace`. */
  root: string;
  name: string;
  revision: undefined;
  live: Workspace;
  users: Set<Connection>;
  members: OpenedEntry[];
}

export interface Connection {
  allowedRoot: string | null;
  served: ServedChannel<Events>;
  /** Queues of searches by repository. A newer search supersedes earlier ones. */
  searches: Map<string, LatestOnly>;
  exportSearch: ExportSearch;
  issues: IssueTexts;
}

type Opened = Pick<OpenedEntry, 'id' | 'root' | 'name'>;

export type CreateHandlers = (
  session: EngineSession,
  connection: Connection,
) => Handlers<typeof params, EngineMethods>;

/** Engine of the app: keeps repositories open and up to date for any number of windows. */
export class EngineSession {
  readonly settings: SettingsStore;
  readonly recent: RecentRepositories;
  /** Repository that was last open when this session started; null for none, or if it is not to be opened again. */
  readonly #lastRoot: string | null;
  readonly issues: IssueStore;
  readonly marks: MarkStore;
  readonly posts = new PostTickets(process.env);
  readonly checkFile: CheckFile;
  /** Answers of language models to checks in windows and commands. */
  readonly checkAnswers: StoredAnswers;
  readonly checks: StoredChecks;
  readonly #options: SessionOptions;
  readonly #handlersFor: CreateHandlers;
  /** Folder of the indexes and of `app.db`. */
  readonly dataDirectory: string;
  readonly #database: AppDatabase;
  /** Notes that no window has received yet. */
  readonly #pendingNotes: string[];
  readonly #id = randomUUID();
  readonly #keeper = new Keeper<FollowedRepository, Connection>(LINGER_MS, (location, live) =>
    publishRepository(this.dataDirectory, location.root, {
      open: () => (this.#hasDefaults(location) ? live.repository : null),
      isReady: () => live.state.phase === 'current' || live.state.phase === 'paused',
      getProgress: () => live.state.progress,
    }),
  );
  readonly #workspaces = new Map<string, WorkspaceEntry>();
  /** Queue for indexing the members of workspaces, one after another. */
  readonly #queue = new SerialQueue();
  /** Queue for tasks with the sample, which is closed after each. */
  readonly #samples = new SerialQueue();
  readonly #connections = new Set<Connection>();
  /** Number of repairs of damaged files. Work that ran during a repair may have failed because of it. */
  repairs = 0;

  /** Opens the app's database. @throws LocusError `bad-store` if the data directory cannot be used */
  constructor(handlersFor: CreateHandlers, options: SessionOptions = {}) {
    this.#handlersFor = handlersFor;
    this.#options = options;
    this.dataDirectory = getDataDirectory(options.dataDir);
    startLog(this.dataDirectory);
    preparePublishing();
    const database = openAppDatabase(this.dataDirectory);
    this.#database = database;
    this.settings = new SettingsStore(database);
    this.#pendingNotes = [
      ...database.notes,
      ...this.settings.listInvalid().map(describeInvalidSetting),
    ];
    this.recent = new RecentRepositories(database);
    this.#lastRoot = options.reopensLast ? this.recent.getLast() : null;
    this.issues = new IssueStore(database);
    this.marks = new MarkStore(database);
    this.checkAnswers = new StoredAnswers(join(this.dataDirectory, ANSWERS_FILE));
    this.checks = new StoredChecks(this.dataDirectory);
    this.checkFile = new CheckFile(this.dataDirectory, process.env, (note) => this.#noteAll(note));
  }

  /** Options of the host that decide how the `locus` command is run, and which index it reads. */
  get commandOptions(): Pick<SessionOptions, 'commandLine' | 'device' | 'model' | 'exclude'> {
    const { commandLine } = this.#options;
    return { ...pickOverrides(this.#options), ...(commandLine && { commandLine }) };
  }

  connect(channel: Channel, { allowedRoot = null }: { allowedRoot?: string | null } = {}): void {
    const issues = new IssueTexts(this.issues);
    const exportSearch = new ExportSearch();
    const connection = { allowedRoot, searches: new Map(), exportSearch, issues } as Omit<
      Connection,
      'served'
    > as Connection;
    connection.served = serve<typeof params, EngineMethods, Events>(
      channel,
      params,
      this.#handlersFor(this, connection),
      (error, method) => {
        logFailure(error);
        if (!(error instanceof LocusError)) console.error(`locus: ${method} failed:`, error);
      },
    );
    this.#connections.add(connection);
    channel.onClose(() => {
      this.#connections.delete(connection);
      for (const entry of this.#workspaces.values()) this.#releaseWorkspace(entry, connection);
      for (const entry of this.#keeper.entries) this.#keeper.release(entry, connection);
    });
    void this.#welcome(connection);
  }

  /** Sends a window the data it needs to start, and all pending notes. */
  async #welcome(connection: Connection): Promise<void> {
    await loadLanguagesIn(getLanguageFolder(this.dataDirectory));
    const languages = await listLanguages();
    connection.served.emit('welcome', {
      engine: this.#id,
      version: VERSION,
      dataDirectory: this.dataDirectory,
      platform: process.platform,
      models: listModelIds({ dataDir: this.dataDirectory }, 'encode'),
      rerankers: listModelIds({ dataDir: this.dataDirectory }, 'rerank'),
      languages,
      sample: findSample(this.dataDirectory),
      fleet: this.#getFleet(),
      open: this.#getFirstRepository() ?? this.#getLastRepository(),
      allowedRoot: connection.allowedRoot,
      failure: null,
    });
    for (const text of this.#pendingNotes.splice(0)) this.#note(connection, null, text);
  }

  /** Opens a repository or a workspace for a window. Its id is the same in every run of the engine. */
  async open(
    connection: Connection,
    root: string,
    revision: string | undefined,
  ): Promise<OpenedEntry | WorkspaceEntry> {
    const roots = decodeWorkspace(root);
    if (roots) return this.#openWorkspace(connection, roots);
    const { entry, failure } = await this.#openOne(connection, root, revision);
    if (failure) throw failure;
    await this.#rememberOpened(connection, entry);
    return entry;
  }

  /**
   * Runs a task with the sample, which is created and indexed first.
   * @throws LocusError `bad-input` if it is not part of this installation; also as opening and indexing do
   */
  withSample<T>(
    task: (sample: { repository: Repository; root: string; issue: string }) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return this.#samples.add(async () => {
      const sample = findSample(this.dataDirectory);
      if (!sample) throw badInput('This installation has no sample.', 'Install Locus again.');
      await createSample(sample.root);
      const root = realFolder(sample.root);
      const location = { root, revision: undefined, within: null };
      const entry = this.#keeper.acquire(location, (id) => this.#follow(id, location, null));
      try {
        const repository = await entry.live.repository;
        if (entry.users.size === 0) await repository.index({ signal });
        return await task({ repository, root, issue: sample.issue });
      } finally {
        // Unless a window has opened it.
        this.#keeper.discard(entry);
      }
    });
  }

  /**
   * Opens a workspace for a window. A member that cannot be opened is retried and does not affect the others.
   * @throws LocusError the error of the first member, if all failed; `bad-input` for too many members
   */
  async #openWorkspace(connection: Connection, roots: readonly string[]): Promise<WorkspaceEntry> {
    if (roots.length > MAX_REPOSITORIES) throw createTooManyError(roots.length);
    for (const root of roots) checkAbsolute(root);
    const folders = [...new Set(roots.map(realFolder))].sort();
    const encoded = encodeWorkspace(folders);
    const id = makeEntryId([
      encoded,
      ...(connection.allowedRoot === null ? [] : [connection.allowedRoot]),
    ]);
    const names = nameRepositories(folders);
    const members = await Promise.all(
      folders.map(async (root, i): Promise<WorkspaceMember & { entry: OpenedEntry | null }> => {
        const member = { name: names[i] ?? root, root };
        try {
          const { entry, failure } = await this.#openOne(connection, root, undefined, this.#queue);
          return { ...member, id: entry.id, live: entry.live, failure, entry };
        } catch (error) {
          if (!(error instanceof LocusError) || isCancelled(error)) throw error;
          return { ...member, id: null, live: null, failure: error, entry: null };
        }
      }),
    );
    const opened = members.flatMap((member) => member.entry ?? []);
    const [first] = members;
    if (first?.failure && members.every(({ failure }) => failure !== null)) {
      for (const entry of opened) this.#keeper.release(entry, connection);
      throw first.failure;
    }
    const before = this.#workspaces.get(id);
    const live = new Workspace(members);
    const users = new Set([...(before?.users ?? []), connection]);
    const entry = {
      id,
      root: encoded,
      name: live.title,
      revision: undefined,
      live,
      users,
      members: opened,
    };
    this.#workspaces.set(id, entry);
    await this.#rememberOpened(connection, entry);
    return entry;
  }

  /**
   * Opens one repository for a window, alone or, with `queue`, as a member of a workspace. If a member cannot be opened, its
   * entry stays and opening is retried.
   */
  async #openOne(
    connection: Connection,
    root: string,
    revision: string | undefined,
    queue: SerialQueue | null = null,
  ): Promise<{ entry: OpenedEntry; failure: LocusError | null }> {
    checkAbsolute(root);
    const sample = findSample(this.dataDirectory);
    if (root === sample?.root) await createSample(root);
    const folder = realFolder(root);
    // The sample, and the repository that the host opens, may be outside of the allowed folder.
    const exempt = [sample && realFolder(sample.root), this.#getFirstRepository()?.root];
    const within = exempt.includes(folder) ? null : connection.allowedRoot;
    await checkAllowed(folder, within);
    const location = { root: folder, revision, within };
    const entry = this.#keeper.acquire(location, (id) => this.#follow(id, location, queue));
    const failure = await findFailure(entry).catch((error) => {
      this.#keeper.discard(entry);
      throw error;
    });
    if (failure && queue === null) {
      this.#keeper.discard(entry);
      return { entry, failure };
    }
    entry.users.add(connection);
    if (!this.#connections.has(connection)) {
      // The window closed while it was opening, so it would never release the repository.
      this.#keeper.release(entry, connection);
      throw cancelled('Opening the repository', 'Open the window again.');
    }
    const { phase } = entry.live.state;
    // A member that failed to open is retried by itself.
    if (!failure && (phase === 'opening' || phase === 'failed')) entry.live.resume();
    return { entry, failure };
  }

  async #rememberOpened(connection: Connection, { id, root, name }: Opened): Promise<void> {
    await this.recent.recordOpened(root, name).catch((error) => {
      if (!(error instanceof LocusError)) throw error;
      this.#note(connection, id, error.message, { remedy: error.remedy });
    });
  }

  /**
   * Transfers the data of a repository to the folder to which it moved.
   * @throws LocusError `bad-repository` if that is not a folder, `bad-input` if the window may not open it, or if the
   * repository is open
   */
  async relocate(connection: Connection, from: string, to: string): Promise<string> {
    checkAbsolute(to);
    const folder = realFolder(to);
    await checkAllowed(folder, connection.allowedRoot);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new LocusError(
        'bad-repository',
        `${to} is not a folder.`,
        'Choose the new folder of the repository.',
      );
    }
    if (this.#keeper.entries.some(({ root, users }) => root === from && users.size > 0)) {
      throw badInput(`${from} is open in another window.`, 'Close it there and try again.');
    }
    if (folder !== from) {
      this.recent.recordMoved(from, folder, basename(folder));
      this.checks.move(from, folder);
    }
    return folder;
  }

  /** Returns the entry of a repository or workspace. @throws LocusError `not-found` if this window has not opened it */
  getEntry(connection: Connection, id: string): OpenedEntry | WorkspaceEntry {
    const entry = this.#keeper.get(id) ?? this.#workspaces.get(id);
    if (entry?.users.has(connection)) return entry;
    throw new LocusError('not-found', 'This repository is not open.', 'Open it again.');
  }

  release(connection: Connection, id: string): void {
    const entry = this.getEntry(connection, id);
    if ('members' in entry) this.#releaseWorkspace(entry, connection);
    else this.#keeper.release(entry, connection);
  }

  /**
   * Stores settings, notifies all windows, and reopens repositories if necessary.
   * @throws LocusError `bad-input` for a model folder with a relative path
   */
  changeSettings(change: Partial<Settings>): Settings {
    for (const model of [change.model, change.reranker])
      if (model && isModelPath(model)) checkAbsolute(model);
    const before = this.settings.get();
    const after = this.settings.set(change);
    for (const connection of this.#connections) connection.served.emit('settings', after);
    if (wantsBackgroundEmbedding(before) !== wantsBackgroundEmbedding(after)) {
      for (const { live } of this.#keeper.entries)
        live.setBackgroundEmbedding(wantsBackgroundEmbedding(after));
    }
    const toEngineSettings = ({ device, model, reranker, exclude }: Settings) =>
      JSON.stringify([device, model, reranker, exclude]);
    if (toEngineSettings(before) !== toEngineSettings(after)) {
      for (const { live } of this.#keeper.entries)
        live.reopen().catch(ignoring('reopen-repository'));
    }
    return after;
  }

  emitFleet(): void {
    const fleet = this.#getFleet();
    for (const connection of this.#connections) connection.served.emit('fleet', fleet);
  }

  #getFleet(): FleetLocation | null {
    return findFleetLocation({ dataDir: this.dataDirectory }, process.env);
  }

  /** Device of the models: the host's option, else the setting. */
  get device(): Device {
    return this.#options.device ?? this.settings.get().device;
  }

  storedIndexes(): Promise<StoredIndex[]> {
    return listStoredIndexes(this.dataDirectory, this.#listRoots());
  }

  /**
   * Removes an index. If its repository is open, a new index is built at once.
   * @throws LocusError `busy` if another process is writing the index, which then stays
   */
  async clearIndex(id: string): Promise<void> {
    const root = this.#listRoots().find((one) => makeIndexFolderName(one) === id);
    await this.#keeper.whileClosed(id, () => removeStoredIndex(this.dataDirectory, id));
    if (root) this.recent.recordCleared(root);
  }

  #listRoots(): string[] {
    const opened = this.#keeper.entries.map(({ root }) => root);
    return [...new Set([...opened, ...this.recent.listRoots()])];
  }

  /**
   * Repairs the damage that caused a failure, and notifies the windows. A damaged index is rebuilt; from a damaged `app.db`,
   * all readable rows are recovered.
   * @returns true if the failed work can be retried
   */
  async repair(error: unknown): Promise<boolean> {
    if (error instanceof DamagedIndex)
      await this.#keeper.recover(error, ({ id, users }) => {
        for (const user of users) this.#note(user, id, error.message);
      });
    // Damaged indexes are handled above.
    else if (isDamage(error)) this.#reopenDatabase();
    // Work on an index that is closed for a rebuild can fail in any way.
    else if (!(error instanceof LocusError) && this.#keeper.recovering.length > 0)
      await Promise.all(this.#keeper.recovering);
    else return false;
    this.repairs++;
    return true;
  }

  /** Reopens `app.db` if another process has repaired and replaced it. */
  reopenReplacedDatabase(): void {
    if (this.#database.isReplaced) this.#reopenDatabase();
  }

  #reopenDatabase(): void {
    for (const text of this.#database.reopen()) this.#noteAll(text);
  }

  #noteAll(text: string): void {
    for (const connection of this.#connections) this.#note(connection, null, text);
  }

  /** Notifies all windows of a repository that its issues or marks changed. */
  notifyChanged(root: string, what: 'issues' | 'marks'): void {
    for (const entry of [...this.#keeper.entries, ...this.#workspaces.values()]) {
      if (entry.root === root) this.#emit(entry, 'changed', { repository: entry.id, what });
    }
  }

  async close(): Promise<void> {
    await this.#keeper.close();
    for (const { served } of this.#connections) served.close();
    this.#database[Symbol.dispose]();
  }

  #getFirstRepository(): EngineWelcome['open'] {
    const { open } = this.#options;
    return open ? { root: realFolder(open.root), revision: open.revision ?? null } : null;
  }

  /** Returns the last repository. Unlike one that the host opens, it has to be in the allowed folder. */
  #getLastRepository(): EngineWelcome['open'] {
    return this.#lastRoot === null ? null : { root: this.#lastRoot, revision: null };
  }

  #follow(id: string, location: RepositoryLocation, queue: SerialQueue | null): FollowedRepository {
    const { device } = { ...this.settings.get(), ...pickOverrides(this.#options) };
    const { backgroundEmbeddingMs } = this.#options;
    // Builds and other programs rarely need the GPU.
    const waitsForIdle =
      backgroundEmbeddingMs === undefined && (device === 'auto' || device === 'cpu');
    const load = new MachineLoad();
    return new FollowedRepository({
      open: () => this.#openRepository(location),
      isFixed: location.revision !== undefined,
      queue,
      events: {
        onState: (state) => {
          const entry = this.#keeper.get(id);
          if (entry) this.#emitState(entry, state);
        },
        onUpdate: (update) => {
          const entry = this.#keeper.get(id);
          if (!entry) return;
          for (const user of entry.users) user.exportSearch.forget();
          this.#emit(entry, 'updated', { repository: id, update });
          this.#storeSize(entry);
        },
        onDamage: (damage) => this.repair(damage),
        onNote: (text) => {
          for (const user of this.#keeper.get(id)?.users ?? [])
            this.#note(user, id, text, { level: 'info' });
        },
      },
      backgroundEmbedding: {
        isWanted: () => wantsBackgroundEmbedding(this.settings.get()),
        isFree: async () => !this.#isEmbedding() && !(await isOnBattery()),
        waitUntilIdle: waitsForIdle ? (signal) => load.waitUntilIdle(signal) : undefined,
        restMs: waitsForIdle ? undefined : (backgroundEmbeddingMs ?? 0),
      },
    });
  }

  #openRepository({ root, revision, within }: RepositoryLocation) {
    const { device, model, exclude } = { ...this.settings.get(), ...pickOverrides(this.#options) };
    const dataDir = this.dataDirectory;
    return openRepository(root, { revision, within, dataDir, device, model, exclude });
  }

  /** True if commands would open a repository with the same options. */
  #hasDefaults({ revision, within }: RepositoryLocation) {
    const { device, exclude } = { ...this.settings.get(), ...pickOverrides(this.#options) };
    const isDefault = device === 'auto' && exclude.length === 0;
    return isDefault && revision === undefined && within === null;
  }

  /** True if background embedding is running. It runs for one repository at a time. */
  #isEmbedding(): boolean {
    return this.#keeper.entries.some(({ live }) => live.state.progress?.phase === 'embed');
  }

  /** Stores the size of the index for the list of recent repositories. */
  #storeSize(entry: OpenedEntry | WorkspaceEntry): void {
    if (entry.revision !== undefined) return;
    entry.live.repository
      .then((repository) => repository.status())
      .then((status) => this.recent.recordIndexed({ ...status, root: entry.root }))
      .catch(() => {}); // It was closed in the meantime.
  }

  #emitState(entry: OpenedEntry, state: IndexingState): void {
    // Background embedding, the only progress of a current index, changes no list.
    if (!state.progress || state.phase !== 'current')
      for (const user of entry.users) user.exportSearch.forget();
    this.#emit(entry, 'indexing', { repository: entry.id, state });
    this.#emitWorkspaces(entry);
    if (state.phase === 'current' && !state.progress) this.#storeSize(entry);
  }

  /** Sends a note to a window. `more` overrides the defaults: a warning without a remedy. */
  #note(to: Connection, repository: string | null, text: string, more: Partial<Note> = {}): void {
    const at = new Date().toISOString();
    to.served.emit('note', { repository, level: 'warning', text, remedy: null, at, ...more });
  }

  /** Sends the state of all workspaces that contain a member. */
  #emitWorkspaces(member: OpenedEntry): void {
    for (const entry of this.#workspaces.values()) {
      if (!entry.members.includes(member)) continue;
      const { id, live } = entry;
      const { state, members } = live;
      this.#emit(entry, 'indexing', { repository: id, state, members });
      if (state.phase === 'current') this.#storeSize(entry);
    }
  }

  #releaseWorkspace(entry: WorkspaceEntry, connection: Connection): void {
    if (!entry.users.delete(connection)) return;
    const others = [...this.#workspaces.values()].filter(({ users }) => users.has(connection));
    for (const member of entry.members) {
      if (!others.some(({ members }) => members.includes(member)))
        this.#keeper.release(member, connection);
    }
    if (entry.users.size === 0) this.#workspaces.delete(entry.id);
  }

  #emit<Name extends keyof Events>(
    entry: OpenedEntry | WorkspaceEntry,
    event: Name,
    data: Events[Name],
  ): void {
    for (const user of entry.users) user.served.emit(event, data);
  }
}

/** Returns why a repository cannot be opened; null if it was opened. */
function findFailure({ live }: OpenedEntry): Promise<LocusError | null> {
  return live.repository.then(
    () => null,
    (error) => {
      if (error instanceof LocusError) return error;
      throw error;
    },
  );
}

function describeInvalidSetting(key: string): string {
  return `The setting “${key}” has a value that this version of Locus does not understand. The default is used until you change it.`;
}

/** Resolves the links in the path of a folder. A missing folder is reported when it is opened. */
function realFolder(root: string): string {
  try {
    return realpathSync(resolve(root));
  } catch {
    // The folder is missing.
    return resolve(root);
  }
}

function pickOverrides({ device, model, exclude }: SessionOptions): Partial<SessionOptions> {
  return { ...(device && { device }), ...(model && { model }), ...(exclude && { exclude }) };
}
