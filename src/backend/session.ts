import { createHash, randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { languageInfos } from '../engine/languages/index.ts';
import { DamagedIndex, isDamage } from '../engine/store/damage.ts';
import { fleetPlaces } from '../services/fleet/setup.ts';
import { dataDirectory, indexFolderName } from '../services/locations.ts';
import { isPath, modelIds } from '../services/models.ts';
import { type OpenOptions, openRepository } from '../services/open-repository.ts';
import { onBattery } from '../services/power.ts';
import { provideSample, sampleIn } from '../services/sample.ts';
import { tooMany } from '../services/several/discover.ts';
import { namesOf } from '../services/several/names.ts';
import { VerifierFile } from '../services/verify/verifier-file.ts';
import type { Device } from '../shared/devices.ts';
import { LocusError } from '../shared/errors.ts';
import type { FleetPlaces } from '../shared/fleet.ts';
import type { StoredIndex } from '../shared/indexing.ts';
import { MOST_REPOSITORIES } from '../shared/limits.ts';
import type { Events, Welcome } from '../shared/rpc/events.ts';
import type { Channel } from '../shared/rpc/messages.ts';
import { type EngineMethods, params } from '../shared/rpc/methods.ts';
import { type Handlers, type Served, serve } from '../shared/rpc/server.ts';
import type { Settings } from '../shared/settings.ts';
import { placeOf, rootsIn } from '../shared/several.ts';
import { VERSION } from '../shared/version.ts';
import { type AppDatabase, openAppDatabase } from './app-database.ts';
import { checkAllowed, checkWhole } from './folders.ts';
import { IssueTexts } from './issue-texts.ts';
import { Issues } from './issues.ts';
import type { LatestOnly } from './latest-only.ts';
import { LiveRepository } from './live-repository.ts';
import { type LiveMember, LiveSeveral } from './live-several.ts';
import { Marks } from './marks.ts';
import { Posts } from './posts.ts';
import { RecentRepositories } from './recent.ts';
import { SettingsStore } from './settings.ts';
import { listStoredIndexes, removeStoredIndex } from './stored-indexes.ts';
import { Turns } from './turns.ts';

/** What the host decided, for all its windows. Plain data: it travels to the engine's process. */
export interface SessionOptions {
  /** Where indexes and `app.db` live; see `dataDirectory`. */
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
export interface Entry {
  id: string;
  root: string;
  name: string;
  revision: string | undefined;
  /** The folder outside of which nothing of it is read; null for what the host itself offers. */
  within: string | null;
  live: LiveRepository;
  users: Set<Connection>;
  lingering: NodeJS.Timeout | null;
}

/** One that is added. */
interface NewEntry extends Pick<Entry, 'id' | 'root' | 'revision' | 'within'> {
  /** Null for one that was opened alone. */
  turns: Turns | null;
}

/** Several repositories that a window has open together; its members are entries of their own. */
export interface SeveralEntry {
  id: string;
  /** Their place, see `placeOf`. */
  root: string;
  name: string;
  revision: undefined;
  live: LiveSeveral;
  users: Set<Connection>;
  members: Entry[];
}

/** One window. */
export interface Connection {
  allowedRoot: string | null;
  served: Served;
  /** Searches by repository: a newer one supersedes. */
  searches: Map<string, LatestOnly>;
  /** As this window knows them. */
  issues: IssueTexts;
}

type Opened = Pick<Entry, 'id' | 'root' | 'name'>;

/** The answers to what one window asks. */
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
  readonly #dataDir: string;
  readonly #database: AppDatabase;
  /** What no window was told yet. */
  readonly #untold: string[];
  readonly #id = randomUUID();
  readonly #entries = new Map<string, Entry>();
  /** Several together, by id. */
  readonly #several = new Map<string, SeveralEntry>();
  /** Of all repositories that were opened together with others. */
  readonly #turns = new Turns();
  readonly #connections = new Set<Connection>();
  /** Indexes that are being made anew, by the path of the damaged one. */
  readonly #remaking = new Map<string, Promise<void>>();
  #mended = 0;

  /** @throws LocusError `bad-store` when the data directory cannot be used. */
  /** @param handlersFor what answers the requests of a window. */
  constructor(handlersFor: HandlersFor, options: SessionOptions = {}) {
    this.#handlersFor = handlersFor;
    this.#options = options;
    this.#dataDir = dataDirectory(options.dataDir);
    const database = openAppDatabase(this.#dataDir);
    this.#database = database;
    this.settings = new SettingsStore(database);
    this.#untold = [...database.notes, ...this.settings.unreadable().map(unreadableNote)];
    this.recent = new RecentRepositories(database);
    this.issues = new Issues(database);
    this.marks = new Marks(database);
    this.verifierFile = new VerifierFile(this.#dataDir, process.env, (note) => this.#tellAll(note));
  }

  /** Serves a window until its channel closes. */
  connect(channel: Channel, { allowedRoot = null }: { allowedRoot?: string | null } = {}): void {
    const issues = new IssueTexts(this.issues);
    const connection = { allowedRoot, searches: new Map(), issues } as Omit<
      Connection,
      'served'
    > as Connection;
    connection.served = serve<typeof params, EngineMethods>(
      channel,
      params,
      this.#handlersFor(this, connection),
      (error, method) => console.error(`locus: ${method} failed:`, error),
    );
    this.#connections.add(connection);
    channel.onClose(() => {
      this.#connections.delete(connection);
      for (const entry of this.#several.values()) this.#releaseSeveral(entry, connection);
      for (const entry of this.#entries.values()) this.#release(entry, connection);
    });
    this.#emitTo(connection, 'welcome', {
      engine: this.#id,
      version: VERSION,
      dataDirectory: this.#dataDir,
      platform: process.platform,
      models: modelIds({ dataDir: this.#dataDir }),
      languages: languageInfos(),
      sample: sampleIn(this.#dataDir),
      fleet: this.#fleet(),
      open: this.#firstPlace(),
      allowedRoot,
      failure: null,
    });
    for (const text of this.#untold.splice(0)) this.#note(connection, null, 'warning', text, null);
  }

  /** Opens a repository for a window, or several; the same place has the same id, in every run of the engine. */
  async open(
    connection: Connection,
    root: string,
    revision: string | undefined,
  ): Promise<Entry | SeveralEntry> {
    const roots = rootsIn(root);
    if (roots) return this.#openSeveral(connection, roots);
    const entry = await this.#openOne(connection, root, revision);
    await this.#rememberOpened(connection, entry);
    return entry;
  }

  /**
   * Opens each of several for a window. One that cannot be opened keeps no other from it.
   * @throws LocusError what the first failed with, if all did; `bad-input` for too many.
   */
  async #openSeveral(connection: Connection, roots: readonly string[]): Promise<SeveralEntry> {
    if (roots.length > MOST_REPOSITORIES) throw tooMany(roots.length);
    for (const root of roots) checkWhole(root);
    const places = [...new Set(roots.map(realFolder))].sort();
    const place = placeOf(places);
    const id = idOf([place, ...(connection.allowedRoot === null ? [] : [connection.allowedRoot])]);
    const names = namesOf(places);
    const members = await Promise.all(
      places.map(async (root, i): Promise<LiveMember & { entry: Entry | null }> => {
        const member = { name: names[i] ?? root, root };
        try {
          const entry = await this.#openOne(connection, root, undefined, this.#turns);
          return { ...member, id: entry.id, live: entry.live, failure: null, entry };
        } catch (error) {
          if (!(error instanceof LocusError) || error.code === 'cancelled') throw error;
          return { ...member, id: null, live: null, failure: error, entry: null };
        }
      }),
    );
    const opened = members.flatMap((member) => member.entry ?? []);
    const [first] = members;
    if (opened.length === 0 && first?.failure) throw first.failure;
    const before = this.#several.get(id);
    const live = new LiveSeveral(members);
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

  async #openOne(
    connection: Connection,
    root: string,
    revision: string | undefined,
    turns: Turns | null = null,
  ): Promise<Entry> {
    checkWhole(root);
    const sample = sampleIn(this.#dataDir);
    if (root === sample?.root) await provideSample(root);
    const place = realFolder(root);
    // What the host itself offers need not lie in the folder that windows may choose from.
    const offered = [sample && realFolder(sample.root), this.#firstPlace()?.root];
    const within = offered.includes(place) ? null : connection.allowedRoot;
    await checkAllowed(place, within, root);
    const id = idOf([place, revision ?? '', ...(within === null ? [] : [within])]);
    const entry = this.#entries.get(id) ?? this.#add({ id, root: place, revision, within, turns });
    try {
      await entry.live.repository;
    } catch (error) {
      if (this.#entries.get(id) === entry && entry.users.size === 0) {
        this.#entries.delete(id);
        entry.live.close();
      }
      throw error;
    }
    if (entry.lingering) clearTimeout(entry.lingering);
    entry.lingering = null;
    entry.users.add(connection);
    if (!this.#connections.has(connection)) {
      // The window went while it was opening, and would never let go of it.
      this.#release(entry, connection);
      throw new LocusError('cancelled', 'the window was closed', 'open it again');
    }
    const { phase } = entry.live.state;
    if (phase === 'opening' || phase === 'failed') entry.live.resume();
    return entry;
  }

  async #rememberOpened(connection: Connection, { id, root, name }: Opened): Promise<void> {
    await this.recent.opened(root, name).catch((error) => {
      if (!(error instanceof LocusError)) throw error;
      this.#note(connection, id, 'warning', error.message, error.remedy);
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
    if ([...this.#entries.values()].some(({ root, users }) => root === from && users.size > 0)) {
      const text = `${from} is open in another window`;
      throw new LocusError('bad-input', text, 'close it there and locate it again');
    }
    if (place !== from) this.recent.moved(from, place, basename(place));
    return place;
  }

  /** @throws LocusError `not-found` when this window has not opened it. */
  entry(connection: Connection, id: string): Entry | SeveralEntry {
    const entry = this.#entries.get(id) ?? this.#several.get(id);
    if (entry?.users.has(connection)) return entry;
    throw new LocusError('not-found', 'this repository is not open', 'open it again');
  }

  release(connection: Connection, id: string): void {
    const entry = this.entry(connection, id);
    if ('members' in entry) this.#releaseSeveral(entry, connection);
    else this.#release(entry, connection);
  }

  /**
   * Stores settings, tells all windows, and opens repositories anew when it takes that.
   * @throws LocusError `bad-input` for a model's folder by a relative path.
   */
  changeSettings(change: Partial<Settings>): Settings {
    if (change.model && isPath(change.model)) checkWhole(change.model);
    const before = this.settings.get();
    const after = this.settings.set(change);
    for (const connection of this.#connections) this.#emitTo(connection, 'settings', after);
    if (readsAhead(before) !== readsAhead(after)) {
      for (const { live } of this.#entries.values()) live.readAhead(readsAhead(after));
    }
    const matters = (settings: Settings) =>
      JSON.stringify([settings.device, settings.model, settings.exclude]);
    if (matters(before) !== matters(after)) {
      for (const entry of this.#entries.values()) {
        entry.live.reopen(() => this.#openRepository(entry)).catch(() => {});
      }
    }
    return after;
  }

  /** Tells all windows which fleet is set up. */
  tellFleet(): void {
    const fleet = this.#fleet();
    for (const connection of this.#connections) this.#emitTo(connection, 'fleet', fleet);
  }

  #fleet(): FleetPlaces | null {
    return fleetPlaces({ dataDir: this.#dataDir }, process.env);
  }

  /** Where indexes and `app.db` are. */
  get dataDirectory(): string {
    return this.#dataDir;
  }

  /** What models run on: what the host decided, else the setting. */
  get device(): Device {
    return this.#options.device ?? this.settings.get().device;
  }

  storedIndexes(): Promise<StoredIndex[]> {
    return listStoredIndexes(this.#dataDir, this.#knownRoots());
  }

  /**
   * Removes an index. Who has its repository open goes on with a new one, which is made at once.
   * @throws LocusError `busy` when another process is writing it; then it stays.
   */
  async clearIndex(id: string): Promise<void> {
    const entries = [...this.#entries.values()].filter(({ root }) => indexFolderName(root) === id);
    const root = this.#knownRoots().find((known) => indexFolderName(known) === id);
    if (entries.length === 0) await removeStoredIndex(this.#dataDir, id);
    else await this.#clearOpened(id, entries);
    if (root) this.recent.cleared(root);
  }

  /**
   * The index is removed once all that have it open, the working tree and commits, have closed it. They are opened
   * again in any case.
   */
  async #clearOpened(id: string, entries: readonly Entry[]): Promise<void> {
    const removed = Promise.withResolvers<void>();
    let closed = 0;
    const reopened = entries.map((entry) =>
      entry.live.reopen(async () => {
        if (++closed === entries.length) removed.resolve(removeStoredIndex(this.#dataDir, id));
        await removed.promise.catch(() => {});
        return this.#openRepository(entry);
      }),
    );
    await Promise.all(reopened);
    await removed.promise;
  }

  #knownRoots(): string[] {
    const opened = Array.from(this.#entries.values(), ({ root }) => root);
    return [...new Set([...opened, ...this.recent.roots()])];
  }

  /** How often something damaged was mended. Who was at work meanwhile may have failed for that. */
  get mended(): number {
    return this.#mended;
  }

  /**
   * Mends what a failure says is damaged, and tells the windows. An index is indexed again by all who have it open; of
   * `app.db` is kept what can be read.
   * @returns whether it is worth trying again what failed.
   */
  async mend(error: unknown): Promise<boolean> {
    if (error instanceof DamagedIndex) await this.#remake(error);
    // Failures of indexes are told as above.
    else if (isDamage(error)) this.#reopenDatabase();
    // What was closed meanwhile to be made anew fails in any way.
    else if (!(error instanceof LocusError) && this.#remaking.size > 0)
      await Promise.all(this.#remaking.values());
    else return false;
    this.#mended++;
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
    for (const connection of this.#connections) this.#note(connection, null, 'warning', text, null);
  }

  #remake(damage: DamagedIndex): Promise<void> {
    const under = this.#remaking.get(damage.path);
    if (under) return under;
    const folder = basename(dirname(damage.path));
    const entries = [...this.#entries.values()].filter(
      ({ root }) => indexFolderName(root) === folder,
    );
    for (const { id, users } of entries)
      for (const user of users) this.#note(user, id, 'warning', damage.message, null);
    const reopened = entries.map((entry) => entry.live.reopen(() => this.#openRepository(entry)));
    const remaking = Promise.allSettled(reopened).then(() => {
      this.#remaking.delete(damage.path);
    });
    this.#remaking.set(damage.path, remaking);
    return remaking;
  }

  /** Tells all windows of a repository's folder that its issues or marks are different now. */
  changed(root: string, what: 'issues' | 'marks'): void {
    for (const entry of [...this.#entries.values(), ...this.#several.values()]) {
      if (entry.root === root) this.#emit(entry, 'changed', { repository: entry.id, what });
    }
  }

  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { lingering } of entries) if (lingering) clearTimeout(lingering);
    await Promise.all(entries.map(({ live }) => live.close()));
    for (const { served } of this.#connections) served.close();
    this.#database.close();
  }

  #firstPlace(): Welcome['open'] {
    const { open } = this.#options;
    return open ? { root: realFolder(open.root), revision: open.revision ?? null } : null;
  }

  #add({ id, root, revision, within, turns }: NewEntry): Entry {
    const entry: Entry = {
      id,
      root,
      name: basename(root),
      revision,
      within,
      users: new Set(),
      lingering: null,
      live: new LiveRepository(
        () => this.#openRepository({ root, revision, within }),
        revision === undefined ? root : null,
        {
          onState: (state) => {
            this.#emit(entry, 'indexing', { repository: id, state });
            this.#emitOfSeveral(entry);
            if (state.phase === 'current' && !state.progress) this.#remember(entry);
          },
          onUpdate: (update) => {
            this.#emit(entry, 'updated', { repository: id, update });
            this.#remember(entry);
          },
          onDamage: (damage) => this.mend(damage),
          onNote: (level, text, remedy) => {
            for (const user of entry.users) this.#note(user, id, level, text, remedy);
          },
        },
        turns,
        {
          isWanted: () => readsAhead(this.settings.get()),
          isFree: async () => !this.#isReading() && !(await onBattery()),
          restMs: this.#options.readAheadMs,
        },
      ),
    };
    this.#entries.set(id, entry);
    return entry;
  }

  #openRepository({ root, revision, within }: Pick<Entry, 'root' | 'revision' | 'within'>) {
    const { device, model, exclude } = { ...this.settings.get(), ...defined(this.#options) };
    const dataDir = this.#dataDir;
    return openRepository(root, { revision, within, dataDir, device, model, exclude });
  }

  /** Whether the functions of a repository are being read in advance: of one at a time. */
  #isReading(): boolean {
    return this.#entries.values().some(({ live }) => live.state.progress?.phase === 'read');
  }

  /** Keeps the size of the index for the list of recent repositories. */
  #remember(entry: Entry | SeveralEntry): void {
    if (entry.revision !== undefined) return;
    entry.live.repository
      .then((repository) => repository.status())
      .then((status) => this.recent.indexed({ ...status, root: entry.root }))
      .catch(() => {}); // It was closed meanwhile.
  }

  #release(entry: Entry, connection: Connection): void {
    if (!entry.users.delete(connection) || entry.users.size > 0) return;
    entry.lingering = setTimeout(() => {
      this.#entries.delete(entry.id);
      entry.live.close();
    }, LINGER_MS).unref();
  }

  #note(
    connection: Connection,
    repository: string | null,
    level: 'info' | 'warning' | 'error',
    text: string,
    remedy: string | null,
  ): void {
    const at = new Date().toISOString();
    this.#emitTo(connection, 'note', { repository, level, text, remedy, at });
  }

  /** What several come to, when one of them came further. */
  #emitOfSeveral(member: Entry): void {
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
        this.#release(member, connection);
    }
    if (entry.users.size === 0) this.#several.delete(entry.id);
  }

  #emit<Name extends keyof Events>(
    entry: Entry | SeveralEntry,
    event: Name,
    data: Events[Name],
  ): void {
    for (const user of entry.users) this.#emitTo(user, event, data);
  }

  #emitTo<Name extends keyof Events>(to: Connection, event: Name, data: Events[Name]): void {
    to.served.emit(event, data);
  }
}

/** The same for the same place, in every run of the engine. */
function idOf(parts: readonly string[]): string {
  return createHash('sha1').update(parts.join('\0')).digest('hex').slice(0, 16);
}

function unreadableNote(key: string): string {
  return `the setting “${key}” has a value that this version of Locus does not understand; the default is used until it is set anew`;
}

/** The folder itself, whatever link led to it; a missing one is reported when it is opened. */
function realFolder(root: string): string {
  try {
    return realpathSync(resolve(root));
  } catch {
    return resolve(root);
  }
}

function defined({ device, model, exclude }: SessionOptions): Partial<SessionOptions> {
  return { ...(device && { device }), ...(model && { model }), ...(exclude && { exclude }) };
}
