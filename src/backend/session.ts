import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { DamagedIndex, isDamage } from '../base/damage.ts';
import { ignoring, logFailure } from '../base/log.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { listLanguages } from '../engine/index.ts';
import { fleetPlaces } from '../services/fleet/setup.ts';
import { FollowedRepository } from '../services/keeper/followed-repository.ts';
import { Keeper, type KeptEntry, type KeptPlace, makeId } from '../services/keeper/keeper.ts';
import { Workspace, type WorkspaceMember } from '../services/keeper/workspace.ts';
import { dataDirectory, indexFolderName, startLog } from '../services/locations.ts';
import { isPath, modelIds } from '../services/models.ts';
import { type OpenOptions, openRepository } from '../services/open-repository.ts';
import { onBattery } from '../services/power.ts';
import { provideSample, sampleIn } from '../services/sample.ts';
import { tooMany } from '../services/several/discover.ts';
import { namesOf } from '../services/several/names.ts';
import { VerifierFile } from '../services/verify/verifier-file.ts';
import type { Device } from '../shared/devices.ts';
import { badInput, cancelled, isCancelled, LocusError } from '../shared/errors.ts';
import type { FleetPlaces } from '../shared/fleet.ts';
import type { IndexingState, StoredIndex } from '../shared/indexing.ts';
import { MOST_REPOSITORIES } from '../shared/limits.ts';
import type { Events, Note, Welcome } from '../shared/rpc/events.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { type EngineMethods, params } from '../shared/rpc/methods.ts';
import { type Handlers, type Served, serve } from '../shared/rpc/server.ts';
import type { Settings } from '../shared/settings.ts';
import { placeOf, rootsIn } from '../shared/several.ts';
import { VERSION } from '../shared/version.ts';
import { type AppDatabase, openAppDatabase } from './app-database.ts';
import { checkAllowed, checkWhole } from './folders.ts';
import { Issues, IssueTexts } from './issues.ts';
import type { LatestOnly } from './latest-only.ts';
import { Marks } from './marks.ts';
import { Posts } from './posts.ts';
import { RecentRepositories } from './recent.ts';
import { SettingsStore } from './settings.ts';
import { listStoredIndexes, removeStoredIndex } from './stored-indexes.ts';

/** What the host decided, for all its windows. Plain data: it travels to the engine's process. */
export interface SessionOptions {
  dataDir?: string;
  /** What windows open first. */
  open?: { root: string; revision?: string };
  /** Milliseconds without a search or an edit before functions are read in advance; half a minute when left out. */
  readAheadMs?: number | undefined;
  /** Override the settings of the same name. */
  device?: OpenOptions['device'];
  model?: string;
  exclude?: string[];
}

const readsAhead = ({ refine, readAhead }: Settings): boolean => refine && readAhead;

/** A repository without windows stays open this long: a window that is reloaded finds it as it was. */
const LINGER_MS = 5 * 60_000;

/** A repository that at least one window has open, or had a moment ago. */
export type OpenedEntry = KeptEntry<FollowedRepository, Connection>;

/** Several repositories that a window has open together; its members are entries of their own. */
export interface SeveralEntry {
  id: string;
  /** Their place, see `placeOf`. */
  root: string;
  name: string;
  revision: undefined;
  live: Workspace;
  users: Set<Connection>;
  members: OpenedEntry[];
}

export interface Connection {
  allowedRoot: string | null;
  served: Served<Events>;
  /** Searches by repository: a newer one supersedes. */
  searches: Map<string, LatestOnly>;
  issues: IssueTexts;
}

type Opened = Pick<OpenedEntry, 'id' | 'root' | 'name'>;

export type HandlersFor = (
  session: EngineSession,
  connection: Connection,
) => Handlers<typeof params, EngineMethods>;

/** The engine as the app sees it: repositories kept open and current for any number of windows. */
export class EngineSession {
  readonly settings: SettingsStore;
  readonly recent: RecentRepositories;
  readonly issues: Issues;
  readonly marks: Marks;
  readonly posts = new Posts(process.env);
  readonly verifierFile: VerifierFile;
  readonly #options: SessionOptions;
  readonly #handlersFor: HandlersFor;
  /** Where indexes and `app.db` are. */
  readonly dataDirectory: string;
  readonly #database: AppDatabase;
  /** What no window was told yet. */
  readonly #untold: string[];
  readonly #id = randomUUID();
  readonly #keeper = new Keeper<FollowedRepository, Connection>(LINGER_MS);
  readonly #several = new Map<string, SeveralEntry>();
  /** Of all repositories that were opened together with others. */
  readonly #queue = new SerialQueue();
  readonly #connections = new Set<Connection>();
  /** Number of repairs of damaged files. Work that ran during a repair may have failed because of it. */
  mended = 0;

  /** @throws LocusError `bad-store` when the data directory cannot be used. */
  constructor(handlersFor: HandlersFor, options: SessionOptions = {}) {
    this.#handlersFor = handlersFor;
    this.#options = options;
    this.dataDirectory = dataDirectory(options.dataDir);
    startLog(this.dataDirectory);
    const database = openAppDatabase(this.dataDirectory);
    this.#database = database;
    this.settings = new SettingsStore(database);
    this.#untold = [...database.notes, ...this.settings.unreadable().map(unreadableNote)];
    this.recent = new RecentRepositories(database);
    this.issues = new Issues(database);
    this.marks = new Marks(database);
    this.verifierFile = new VerifierFile(this.dataDirectory, process.env, (note) =>
      this.#tellAll(note),
    );
  }

  connect(channel: Channel, { allowedRoot = null }: { allowedRoot?: string | null } = {}): void {
    const issues = new IssueTexts(this.issues);
    const connection = { allowedRoot, searches: new Map(), issues } as Omit<
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
      for (const entry of this.#several.values()) this.#releaseSeveral(entry, connection);
      for (const entry of this.#keeper.entries) this.#keeper.release(entry, connection);
    });
    void this.#welcome(connection);
  }

  /** Tells a window what it needs to start, and what no window was told yet. */
  async #welcome(connection: Connection): Promise<void> {
    const languages = await listLanguages();
    connection.served.emit('welcome', {
      engine: this.#id,
      version: VERSION,
      dataDirectory: this.dataDirectory,
      platform: process.platform,
      models: modelIds({ dataDir: this.dataDirectory }),
      languages,
      sample: sampleIn(this.dataDirectory),
      fleet: this.#fleet(),
      open: this.#firstPlace(),
      allowedRoot: connection.allowedRoot,
      failure: null,
    });
    for (const text of this.#untold.splice(0)) this.#note(connection, null, text);
  }

  /** Opens a repository for a window, or several; the same place has the same id, in every run of the engine. */
  async open(
    connection: Connection,
    root: string,
    revision: string | undefined,
  ): Promise<OpenedEntry | SeveralEntry> {
    const roots = rootsIn(root);
    if (roots) return this.#openSeveral(connection, roots);
    const { entry, failure } = await this.#openOne(connection, root, revision);
    if (failure) throw failure;
    await this.#rememberOpened(connection, entry);
    return entry;
  }

  /**
   * Opens each of several for a window. One that cannot be opened keeps no other from it, and is tried again by itself.
   * @throws LocusError what the first failed with, if all did; `bad-input` for too many.
   */
  async #openSeveral(connection: Connection, roots: readonly string[]): Promise<SeveralEntry> {
    if (roots.length > MOST_REPOSITORIES) throw tooMany(roots.length);
    for (const root of roots) checkWhole(root);
    const places = [...new Set(roots.map(realFolder))].sort();
    const place = placeOf(places);
    const id = makeId([
      place,
      ...(connection.allowedRoot === null ? [] : [connection.allowedRoot]),
    ]);
    const names = namesOf(places);
    const members = await Promise.all(
      places.map(async (root, i): Promise<WorkspaceMember & { entry: OpenedEntry | null }> => {
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
    const before = this.#several.get(id);
    const live = new Workspace(members);
    const users = new Set([...(before?.users ?? []), connection]);
    const entry = {
      id,
      root: place,
      name: live.title,
      revision: undefined,
      live,
      users,
      members: opened,
    };
    this.#several.set(id, entry);
    await this.#rememberOpened(connection, entry);
    return entry;
  }

  /**
   * Opens one repository for a window, alone or, with `queue`, together with others. One of several stays open though it cannot be
   * opened now, and is tried again by itself.
   */
  async #openOne(
    connection: Connection,
    root: string,
    revision: string | undefined,
    queue: SerialQueue | null = null,
  ): Promise<{ entry: OpenedEntry; failure: LocusError | null }> {
    checkWhole(root);
    const sample = sampleIn(this.dataDirectory);
    if (root === sample?.root) await provideSample(root);
    const place = realFolder(root);
    // What the host itself offers need not lie in the folder that windows may choose from.
    const offered = [sample && realFolder(sample.root), this.#firstPlace()?.root];
    const within = offered.includes(place) ? null : connection.allowedRoot;
    await checkAllowed(place, within, root);
    const kept = { root: place, revision, within };
    const entry = this.#keeper.acquire(kept, (id) => this.#follow(id, kept, queue));
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
      // The window went while it was opening, and would never let go of it.
      this.#keeper.release(entry, connection);
      throw cancelled('Opening the repository', 'Open the window again.');
    }
    const { phase } = entry.live.state;
    // One that could not be opened is tried again by itself.
    if (!failure && (phase === 'opening' || phase === 'failed')) entry.live.resume();
    return { entry, failure };
  }

  async #rememberOpened(connection: Connection, { id, root, name }: Opened): Promise<void> {
    await this.recent.opened(root, name).catch((error) => {
      if (!(error instanceof LocusError)) throw error;
      this.#note(connection, id, error.message, { remedy: error.remedy });
    });
  }

  /**
   * Takes what belongs to a repository along to the folder where it lies now.
   * @throws LocusError `bad-repository` when that is no folder, `bad-input` when the window may not open it, or the
   * old place is open.
   */
  async relocate(connection: Connection, from: string, to: string): Promise<string> {
    checkWhole(to);
    const place = realFolder(to);
    await checkAllowed(place, connection.allowedRoot, to);
    if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) {
      throw new LocusError('bad-repository', `${to} is not a folder`, 'choose where it lies now');
    }
    if (this.#keeper.entries.some(({ root, users }) => root === from && users.size > 0)) {
      const text = `${from} is open in another window`;
      throw badInput(text, 'close it there and locate it again');
    }
    if (place !== from) this.recent.moved(from, place, basename(place));
    return place;
  }

  /** @throws LocusError `not-found` when this window has not opened it. */
  entry(connection: Connection, id: string): OpenedEntry | SeveralEntry {
    const entry = this.#keeper.get(id) ?? this.#several.get(id);
    if (entry?.users.has(connection)) return entry;
    throw new LocusError('not-found', 'this repository is not open', 'open it again');
  }

  release(connection: Connection, id: string): void {
    const entry = this.entry(connection, id);
    if ('members' in entry) this.#releaseSeveral(entry, connection);
    else this.#keeper.release(entry, connection);
  }

  /**
   * Stores settings, tells all windows, and opens repositories anew when it takes that.
   * @throws LocusError `bad-input` for a model's folder by a relative path.
   */
  changeSettings(change: Partial<Settings>): Settings {
    if (change.model && isPath(change.model)) checkWhole(change.model);
    const before = this.settings.get();
    const after = this.settings.set(change);
    for (const connection of this.#connections) connection.served.emit('settings', after);
    if (readsAhead(before) !== readsAhead(after)) {
      for (const { live } of this.#keeper.entries) live.readAhead(readsAhead(after));
    }
    const matters = (settings: Settings) =>
      JSON.stringify([settings.device, settings.model, settings.exclude]);
    if (matters(before) !== matters(after)) {
      for (const { live } of this.#keeper.entries)
        live.reopen().catch(ignoring('reopen-repository'));
    }
    return after;
  }

  tellFleet(): void {
    const fleet = this.#fleet();
    for (const connection of this.#connections) connection.served.emit('fleet', fleet);
  }

  #fleet(): FleetPlaces | null {
    return fleetPlaces({ dataDir: this.dataDirectory }, process.env);
  }

  /** What models run on: what the host decided, else the setting. */
  get device(): Device {
    return this.#options.device ?? this.settings.get().device;
  }

  storedIndexes(): Promise<StoredIndex[]> {
    return listStoredIndexes(this.dataDirectory, this.#knownRoots());
  }

  /**
   * Removes an index. Who has its repository open goes on with a new one, which is made at once.
   * @throws LocusError `busy` when another process is writing it; then it stays.
   */
  async clearIndex(id: string): Promise<void> {
    const root = this.#knownRoots().find((known) => indexFolderName(known) === id);
    await this.#keeper.whileClosed(id, () => removeStoredIndex(this.dataDirectory, id));
    if (root) this.recent.cleared(root);
  }

  #knownRoots(): string[] {
    const opened = this.#keeper.entries.map(({ root }) => root);
    return [...new Set([...opened, ...this.recent.roots()])];
  }

  /**
   * Mends what a failure says is damaged, and tells the windows. An index is indexed again by all who have it open; of
   * `app.db` is kept what can be read.
   * @returns whether it is worth trying again what failed.
   */
  async mend(error: unknown): Promise<boolean> {
    if (error instanceof DamagedIndex)
      await this.#keeper.recover(error, ({ id, users }) => {
        for (const user of users) this.#note(user, id, error.message);
      });
    // Failures of indexes are told as above.
    else if (isDamage(error)) this.#reopenDatabase();
    // What was closed meanwhile to be made anew fails in any way.
    else if (!(error instanceof LocusError) && this.#keeper.recovering.length > 0)
      await Promise.all(this.#keeper.recovering);
    else return false;
    this.mended++;
    return true;
  }

  /** Another process may have mended `app.db` and put a new file in its place. */
  followDatabase(): void {
    if (this.#database.isReplaced) this.#reopenDatabase();
  }

  #reopenDatabase(): void {
    for (const text of this.#database.reopen()) this.#tellAll(text);
  }

  #tellAll(text: string): void {
    for (const connection of this.#connections) this.#note(connection, null, text);
  }

  /** Tells all windows of a repository's folder that its issues or marks are different now. */
  changed(root: string, what: 'issues' | 'marks'): void {
    for (const entry of [...this.#keeper.entries, ...this.#several.values()]) {
      if (entry.root === root) this.#emit(entry, 'changed', { repository: entry.id, what });
    }
  }

  async close(): Promise<void> {
    await this.#keeper.close();
    for (const { served } of this.#connections) served.close();
    this.#database[Symbol.dispose]();
  }

  #firstPlace(): Welcome['open'] {
    const { open } = this.#options;
    return open ? { root: realFolder(open.root), revision: open.revision ?? null } : null;
  }

  #follow(id: string, place: KeptPlace, queue: SerialQueue | null): FollowedRepository {
    return new FollowedRepository({
      open: () => this.#openRepository(place),
      isFixed: place.revision !== undefined,
      queue,
      events: {
        onState: (state) => {
          const entry = this.#keeper.get(id);
          if (entry) this.#tellState(entry, state);
        },
        onUpdate: (update) => {
          const entry = this.#keeper.get(id);
          if (!entry) return;
          this.#emit(entry, 'updated', { repository: id, update });
          this.#remember(entry);
        },
        onDamage: (damage) => this.mend(damage),
        onNote: (text) => {
          for (const user of this.#keeper.get(id)?.users ?? [])
            this.#note(user, id, text, { level: 'info' });
        },
      },
      ahead: {
        isWanted: () => readsAhead(this.settings.get()),
        isFree: async () => !this.#isReading() && !(await onBattery()),
        restMs: this.#options.readAheadMs,
      },
    });
  }

  #openRepository({ root, revision, within }: KeptPlace) {
    const { device, model, exclude } = { ...this.settings.get(), ...defined(this.#options) };
    const dataDir = this.dataDirectory;
    return openRepository(root, { revision, within, dataDir, device, model, exclude });
  }

  /** Whether the functions of a repository are being read in advance: of one at a time. */
  #isReading(): boolean {
    return this.#keeper.entries.some(({ live }) => live.state.progress?.phase === 'read');
  }

  /** Keeps the size of the index for the list of recent repositories. */
  #remember(entry: OpenedEntry | SeveralEntry): void {
    if (entry.revision !== undefined) return;
    entry.live.repository
      .then((repository) => repository.status())
      .then((status) => this.recent.indexed({ ...status, root: entry.root }))
      .catch(() => {}); // It was closed meanwhile.
  }

  #tellState(entry: OpenedEntry, state: IndexingState): void {
    this.#emit(entry, 'indexing', { repository: entry.id, state });
    this.#emitOfSeveral(entry);
    if (state.phase === 'current' && !state.progress) this.#remember(entry);
  }

  /** Tells a window something; a warning without a remedy unless `more` says otherwise. */
  #note(to: Connection, repository: string | null, text: string, more: Partial<Note> = {}): void {
    const at = new Date().toISOString();
    to.served.emit('note', { repository, level: 'warning', text, remedy: null, at, ...more });
  }

  /** What several come to, when one of them came further. */
  #emitOfSeveral(member: OpenedEntry): void {
    for (const entry of this.#several.values()) {
      if (!entry.members.includes(member)) continue;
      const { id, live } = entry;
      const { state, members } = live;
      this.#emit(entry, 'indexing', { repository: id, state, members });
      if (state.phase === 'current') this.#remember(entry);
    }
  }

  #releaseSeveral(entry: SeveralEntry, connection: Connection): void {
    if (!entry.users.delete(connection)) return;
    const others = [...this.#several.values()].filter(({ users }) => users.has(connection));
    for (const member of entry.members) {
      if (!others.some(({ members }) => members.includes(member)))
        this.#keeper.release(member, connection);
    }
    if (entry.users.size === 0) this.#several.delete(entry.id);
  }

  #emit<Name extends keyof Events>(
    entry: OpenedEntry | SeveralEntry,
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

function unreadableNote(key: string): string {
  return `the setting “${key}” has a value that this version of Locus does not understand; the default is used until it is set anew`;
}

/** The folder itself, whatever link led to it; a missing one is reported when it is opened. */
function realFolder(root: string): string {
  try {
    return realpathSync(resolve(root));
  } catch {
    // It is missing. Opening it says so.
    return resolve(root);
  }
}

function defined({ device, model, exclude }: SessionOptions): Partial<SessionOptions> {
  return { ...(device && { device }), ...(model && { model }), ...(exclude && { exclude }) };
}
