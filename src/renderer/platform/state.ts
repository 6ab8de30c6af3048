/** State that all views share: the connection, the settings, the open repository, and notes of the engine. */
import { create } from 'zustand';
import type { LanguageInfo } from '../../shared/chunk.ts';
import { type Failure, isCancelled } from '../../shared/errors.ts';
import type { FleetLocation } from '../../shared/fleet.ts';
import type { IndexingState, RepositoryStatus } from '../../shared/indexing.ts';
import type { OpenedRepository } from '../../shared/repository.ts';
import type { ConnectionState } from '../../shared/rpc/client.ts';
import type { EngineWelcome, Note } from '../../shared/rpc/events.ts';
import type { Settings } from '../../shared/settings.ts';
import type { MemberRepository } from '../../shared/workspace.ts';
import { applyTheme } from '../ui/theme.ts';
import { engine, openRepositories } from './client.ts';
import { listen, type Stop, stopAll } from './lifetime.ts';
import {
  isClosed,
  readWindowLocation,
  type Version,
  type WindowLocation,
  writeWindowLocation,
} from './navigation.ts';
import { closeOverlay } from './overlays.ts';

interface AppState {
  connection: ConnectionState;
  /** Null until the engine's first welcome. */
  welcome: EngineWelcome | null;
  settings: Settings | null;
  repository: OpenedRepository | null;
  /** Commit that is searched; null for the working tree. */
  version: Version | null;
  /** Checked-out branch; null if none exists. */
  branch: string | null;
  /** Repositories of an open workspace, each with its indexing state; null for a single repository. */
  members: readonly MemberRepository[] | null;
  status: RepositoryStatus | null;
  indexing: IndexingState | null;
  /** Folder that is being opened; null for none. */
  opening: string | null;
  /** Failure to open the last folder; null if there was none. */
  openFailure: Failure | null;
  /** Notes of all repositories, latest last. `selectNotes` has those to show. */
  notes: Note[];
}

export const useApp = create<AppState>(() => ({
  connection: 'connecting',
  welcome: null,
  settings: null,
  repository: null,
  version: null,
  branch: null,
  members: null,
  status: null,
  indexing: null,
  opening: null,
  openFailure: null,
  notes: [],
}));

/** Calls `listener` when another repository is opened, or the repository is closed. */
export function onRepositoryChange(listener: () => void): Stop {
  return useApp.subscribe(({ repository }, { repository: before }) => {
    if (repository?.id !== before?.id) listener();
  });
}

const MAX_NOTES = 200;

/** Latest request to open a repository. An earlier one that takes longer must not replace it. */
let latestRequest: WindowLocation | null = null;
/** Repositories whose opening was superseded by a later request. */
let superseded: OpenedRepository[] = [];

/**
 * Opens a folder, or one version of a repository, instead of the open repository. `fromAddress`: true if the window's URL
 * requests it.
 */
export async function openRepository(
  root: string,
  version: Version | null = null,
  { fromAddress = false } = {},
): Promise<void> {
  const request = { root, version };
  latestRequest = request;
  useApp.setState({ opening: root, openFailure: null });
  try {
    const params = { root, ...(version && { revision: version.revision }) };
    const repository = await engine.call('repository.open', params);
    if (latestRequest !== request) return closeSuperseded(repository);
    const before = useApp.getState().repository;
    openRepositories.set(repository.id, params);
    writeWindowLocation({ root: repository.root, version }, { instead: fromAddress });
    useApp.setState({
      repository,
      version,
      branch: null,
      members: repository.members ?? null,
      status: repository.status,
      indexing: repository.indexing,
      opening: null,
    });
    // Last, so that views can still save data of the previous repository.
    if (before && before.id !== repository.id) release(before);
    releaseSuperseded();
    refreshBranch();
  } catch (error) {
    if (latestRequest !== request) return;
    const failure = error as Failure;
    useApp.setState({ opening: null, openFailure: failure });
    const { repository: current, version: shown } = useApp.getState();
    // Without an open repository, the welcome screen shows the failure.
    if (current) {
      if (fromAddress)
        writeWindowLocation({ root: current.root, version: shown }, { instead: true });
      addNote({ level: 'error', text: failure.message, remedy: failure.remedy });
    }
    releaseSuperseded();
  }
}

export function closeRepository(): void {
  const { repository } = useApp.getState();
  latestRequest = null;
  useApp.setState({
    repository: null,
    version: null,
    members: null,
    status: null,
    indexing: null,
    opening: null,
  });
  if (repository) release(repository);
  writeWindowLocation(null);
}

export async function changeSettings(change: Partial<Settings>): Promise<void> {
  applySettings(await engine.call('settings.set', change));
}

let lastEdit: Promise<void> = Promise.resolve();

/** Changes settings that are lists, one change after another: each starts from the list that the previous one saved. */
export function editSettings(edit: (saved: Settings) => Partial<Settings>): Promise<void> {
  const edited = lastEdit.then(async () => {
    const { settings } = useApp.getState();
    if (settings) await changeSettings(edit(settings));
  });
  // The caller gets the error. The next edit starts anyway.
  lastEdit = edited.catch(() => {});
  return edited;
}

/** Adds a note of the window's own: about the open repository, unless it names another one, or null for none. */
export function addNote(
  note: Pick<Note, 'level' | 'text' | 'remedy'> & Partial<Pick<Note, 'repository'>>,
): void {
  const at = new Date().toISOString();
  receiveNote({ repository: useApp.getState().repository?.id ?? null, at, ...note });
}

/** Returns true for notes about the open repository, about a member of the workspace, or about Locus itself. */
const isShown = ({ repository, members }: AppState, { repository: about }: Note): boolean =>
  about === null || about === repository?.id || !!members?.some(({ id }) => id === about);

/** Returns the notes to show. Those of other repositories wait until theirs is opened again. */
export const selectNotes = (state: AppState): Note[] =>
  state.notes.filter((note) => isShown(state, note));

/** Removes the notes that are shown. */
export const clearNotes = (): void =>
  useApp.setState((state) => ({ notes: state.notes.filter((note) => !isShown(state, note)) }));

/** Closes a superseded repository, but not while another is being opened, which may be the same one. */
function closeSuperseded(repository: OpenedRepository): void {
  superseded.push(repository);
  if (useApp.getState().opening === null) releaseSuperseded();
}

function releaseSuperseded(): void {
  for (const repository of superseded)
    if (!openRepositories.has(repository.id)) release(repository);
  superseded = [];
}

function release(repository: OpenedRepository): void {
  openRepositories.delete(repository.id);
  // A failure does not matter: the engine closes repositories without a window.
  engine.call('repository.close', { repository: repository.id }).catch(() => {});
}

function applySettings(settings: Settings): void {
  useApp.setState({ settings });
  applyTheme(settings);
}

function receiveNote(note: Note): void {
  useApp.setState(({ notes }) => ({ notes: [...notes, note].slice(-MAX_NOTES) }));
}

/** Shows why the engine cannot serve this window: on the welcome screen, or in a note if a repository is shown. */
function showEngineFailure({ message, remedy, code }: Failure): void {
  const withReload = `${remedy.replace(/\.$/, '')}, then reload this window.`;
  useApp.setState({ openFailure: { code, message, remedy: withReload } });
  if (useApp.getState().repository)
    addNote({ level: 'error', text: message, remedy: withReload, repository: null });
}

let statusRequestedAt = Number.NEGATIVE_INFINITY;
/** Requests the status of the index, unless it was requested less than `intervalMs` ago. */
async function refreshStatus(intervalMs: number): Promise<void> {
  const { repository } = useApp.getState();
  if (!repository || performance.now() - statusRequestedAt < intervalMs) return;
  statusRequestedAt = performance.now();
  try {
    const status = await engine.call('status', { repository: repository.id, request: {} });
    if (useApp.getState().repository?.id === repository.id) useApp.setState({ status });
  } catch {
    // The repository was closed or is being reopened. The next event requests it again.
  }
}

function toPlace(open: EngineWelcome['open']): WindowLocation | null {
  const { root, revision } = open ?? {};
  return root === undefined
    ? null
    : { root, version: revision ? { revision, name: revision } : null };
}

/** Updates the state of the repository after a lost connection. */
async function refreshRepository(): Promise<void> {
  const { repository } = useApp.getState();
  const params = repository && openRepositories.get(repository.id);
  if (!params) return;
  const { id, status, indexing, members } = await engine.call('repository.open', params);
  if (useApp.getState().repository?.id !== id) return;
  useApp.setState({ status, indexing, members: members ?? null });
  refreshBranch();
}

/** Updates the branch, since other tools may check out another one at any time. */
async function refreshBranch(): Promise<void> {
  const { repository, version } = useApp.getState();
  if (!repository || version) return;
  const branch = await engine
    .call('repository.branch', { repository: repository.id })
    .catch(() => null);
  if (useApp.getState().repository?.id === repository.id) useApp.setState({ branch });
}

/** Stores the configured fleet. */
export function setFleet(fleet: FleetLocation | null): void {
  useApp.setState(({ welcome }) => ({ welcome: welcome && { ...welcome, fleet } }));
}

/** Follows the engine's events, the window and its URL. */
export const followEngine = (): Stop =>
  stopAll(
    engine.onState((connection) => useApp.setState({ connection })),
    engine.on('welcome', async (welcome) => {
      const first = useApp.getState().welcome === null;
      useApp.setState({ welcome });
      if (welcome.failure) return showEngineFailure(welcome.failure);
      applySettings(await engine.call('settings.get', {}));
      const fromAddress = readWindowLocation() !== null;
      const place = readWindowLocation() ?? (isClosed() ? null : toPlace(welcome.open));
      if (!first) await refreshRepository();
      else if (place) await openRepository(place.root, place.version, { fromAddress });
    }),
    engine.on('settings', applySettings),
    engine.on('fleet', setFleet),
    engine.on('note', receiveNote),
    engine.on('indexing', ({ repository, state, members }) => {
      const open = useApp.getState().repository;
      if (!open || repository !== open.id) return;
      useApp.setState({ indexing: state, ...(members && { members }) });
      refreshStatus(state.phase === 'indexing' ? 1000 : 0);
    }),
    engine.on('updated', ({ repository }) => {
      if (repository !== useApp.getState().repository?.id) return;
      refreshStatus(0);
      refreshBranch();
    }),
    listen('focus', refreshBranch),
    listen('unhandledrejection', ({ reason }) => {
      if (isCancelled(reason)) return;
      const { message = String(reason), remedy = null } = (reason ?? {}) as Partial<Failure>;
      addNote({ level: 'error', text: message, remedy });
    }),
    listen('popstate', () => {
      const place = readWindowLocation();
      // A dialog may be about the previous repository. A note that is being edited is saved when it loses the focus.
      closeOverlay();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      if (place) openRepository(place.root, place.version, { fromAddress: true });
      else closeRepository();
    }),
  );

/** Returns information on the language of a chunk or file; null before the engine's welcome. */
export function getLanguage({ language }: { language: string }): LanguageInfo | null {
  const { welcome } = useApp.getState();
  return welcome?.languages.find(({ name }) => name === language) ?? null;
}
