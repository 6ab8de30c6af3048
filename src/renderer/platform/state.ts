/** State that all views share: the connection, the settings, the open repository, and notes of the engine. */
import { create } from 'zustand';
import type { LanguageInfo } from '../../shared/chunk.ts';
import { type Failure, isCancelled } from '../../shared/errors.ts';
import type { FleetPlaces } from '../../shared/fleet.ts';
import type { IndexingState, RepositoryStatus } from '../../shared/indexing.ts';
import type { OpenedRepository } from '../../shared/repository.ts';
import type { ConnectionState } from '../../shared/rpc/client.ts';
import type { Note, Welcome } from '../../shared/rpc/events.ts';
import type { Settings } from '../../shared/settings.ts';
import type { MemberRepository } from '../../shared/several.ts';
import { applyTheme } from '../ui/theme.ts';
import { engine, openPlaces } from './client.ts';
import { listen, type Stop, stopAll } from './lifetime.ts';
import { type Place, placeInAddress, showPlace, type Version } from './navigation.ts';
import { closeOverlay } from './overlays.ts';

interface AppState {
  connection: ConnectionState;
  /** Null until the engine has said welcome for the first time. */
  welcome: Welcome | null;
  settings: Settings | null;
  repository: OpenedRepository | null;
  /** The commit that is searched; null for the files as they are. */
  version: Version | null;
  /** The branch that the files are of; null where there is none. */
  branch: string | null;
  /** Repositories of an open workspace, each with its progress. */
  members: readonly MemberRepository[] | null;
  status: RepositoryStatus | null;
  indexing: IndexingState | null;
  /** The folder that is being opened, and why the last one could not be. */
  opening: string | null;
  openFailure: Failure | null;
  /** The latest last. */
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

/** Calls back when the window shows another repository, or none. */
export function onRepositoryChange(listener: () => void): Stop {
  return useApp.subscribe(({ repository }, { repository: before }) => {
    if (repository?.id !== before?.id) listener();
  });
}

const NOTES_KEPT = 200;

/** Place that was asked for last. An earlier one that takes longer must not replace it. */
let wanted: Place | null = null;
/** Repositories that came when another one was wanted. */
let passed: OpenedRepository[] = [];

/**
 * Opens a folder, or one version of a repository, in place of what this window has open. `fromAddress`: because the window's
 * address names it.
 */
export async function openRepository(
  root: string,
  version: Version | null = null,
  { fromAddress = false } = {},
): Promise<void> {
  const mine = { root, version };
  wanted = mine;
  useApp.setState({ opening: root, openFailure: null });
  try {
    const place = { root, ...(version && { revision: version.revision }) };
    const repository = await engine.call('repository.open', place);
    if (wanted !== mine) return pass(repository);
    const before = useApp.getState().repository;
    openPlaces.set(repository.id, place);
    showPlace({ root: repository.root, version }, { instead: fromAddress });
    useApp.setState({
      repository,
      version,
      branch: null,
      members: repository.members ?? null,
      status: repository.status,
      indexing: repository.indexing,
      opening: null,
    });
    // Last: what the views have to store of it, they store while it is open.
    if (before && before.id !== repository.id) release(before);
    releasePassed();
    refreshBranch();
  } catch (error) {
    if (wanted !== mine) return;
    const failure = error as Failure;
    useApp.setState({ opening: null, openFailure: failure });
    const { repository: still, version: shown } = useApp.getState();
    // The welcome screen shows it itself.
    if (still) {
      if (fromAddress) showPlace({ root: still.root, version: shown }, { instead: true });
      addNote({ level: 'error', text: failure.message, remedy: failure.remedy });
    }
    releasePassed();
  }
}

export function closeRepository(): void {
  const { repository } = useApp.getState();
  wanted = null;
  useApp.setState({
    repository: null,
    version: null,
    members: null,
    status: null,
    indexing: null,
    opening: null,
  });
  if (repository) release(repository);
  showPlace(null);
}

export async function changeSettings(change: Partial<Settings>): Promise<void> {
  applySettings(await engine.call('settings.set', change));
}

/** Something to tell the user that did not come from the engine. */
export function addNote(note: Pick<Note, 'level' | 'text' | 'remedy'>): void {
  const at = new Date().toISOString();
  receiveNote({ repository: useApp.getState().repository?.id ?? null, at, ...note });
}

export const clearNotes = (): void => useApp.setState({ notes: [] });

/** Lets go of it, but not while something is being opened, which may turn out to be the same. */
function pass(repository: OpenedRepository): void {
  passed.push(repository);
  if (useApp.getState().opening === null) releasePassed();
}

function releasePassed(): void {
  for (const repository of passed) if (!openPlaces.has(repository.id)) release(repository);
  passed = [];
}

function release(repository: OpenedRepository): void {
  openPlaces.delete(repository.id);
  // The engine closes what a window leaves.
  engine.call('repository.close', { repository: repository.id }).catch(() => {});
}

function applySettings(settings: Settings): void {
  useApp.setState({ settings });
  applyTheme(settings);
}

function receiveNote(note: Note): void {
  useApp.setState(({ notes }) => ({ notes: [...notes, note].slice(-NOTES_KEPT) }));
}

/** The engine can do nothing. The welcome screen says why, or a note over what is shown already. */
function refused({ message, remedy, code }: Failure): void {
  const then = `${remedy}, then reload this window`;
  useApp.setState({ openFailure: { code, message, remedy: then } });
  if (useApp.getState().repository) addNote({ level: 'error', text: message, remedy: then });
}

let statusAsked = Number.NEGATIVE_INFINITY;
/** Counts of the index; asked for at most once a second while indexing. */
async function refreshStatus(patience: number): Promise<void> {
  const { repository } = useApp.getState();
  if (!repository || performance.now() - statusAsked < patience) return;
  statusAsked = performance.now();
  try {
    const status = await engine.call('status', { repository: repository.id, request: {} });
    if (useApp.getState().repository?.id === repository.id) useApp.setState({ status });
  } catch {
    // It was closed meanwhile, or is being opened anew; the next event asks again.
  }
}

function placeGiven(open: Welcome['open']): Place | null {
  const { root, revision } = open ?? {};
  return root === undefined
    ? null
    : { root, version: revision ? { revision, name: revision } : null };
}

/** Asks for changes of the repository that were missed while the connection was lost. */
async function refreshRepository(): Promise<void> {
  const { repository } = useApp.getState();
  const place = repository && openPlaces.get(repository.id);
  if (!place) return;
  const { id, status, indexing, members } = await engine.call('repository.open', place);
  if (useApp.getState().repository?.id !== id) return;
  useApp.setState({ status, indexing, members: members ?? null });
  refreshBranch();
}

/** Other tools may check out another branch at any time. */
async function refreshBranch(): Promise<void> {
  const { repository, version } = useApp.getState();
  if (!repository || version) return;
  const branch = await engine
    .call('repository.branch', { repository: repository.id })
    .catch(() => null);
  if (useApp.getState().repository?.id === repository.id) useApp.setState({ branch });
}

/** Takes over which fleet is set up. */
export function knowFleet(fleet: FleetPlaces | null): void {
  useApp.setState(({ welcome }) => ({ welcome: welcome && { ...welcome, fleet } }));
}

/** Follows the engine, the window and its address. */
export const followEngine = (): Stop =>
  stopAll(
    engine.onState((connection) => useApp.setState({ connection })),
    engine.on('welcome', async (welcome) => {
      const first = useApp.getState().welcome === null;
      useApp.setState({ welcome });
      if (welcome.failure) return refused(welcome.failure);
      applySettings(await engine.call('settings.get', {}));
      const fromAddress = placeInAddress() !== null;
      const place = placeInAddress() ?? placeGiven(welcome.open);
      if (!first) await refreshRepository();
      else if (place) await openRepository(place.root, place.version, { fromAddress });
    }),
    engine.on('settings', applySettings),
    engine.on('fleet', knowFleet),
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
      const place = placeInAddress();
      // The subject of a dialog may be gone. Text being written, such as a note, is saved when it loses the focus.
      closeOverlay();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      if (place) openRepository(place.root, place.version, { fromAddress: true });
      else closeRepository();
    }),
  );

/** Returns what the engine reported about the language of a chunk or a file; null before it has. */
export function getLanguage({ language }: { language: string }): LanguageInfo | null {
  const { welcome } = useApp.getState();
  return welcome?.languages.find(({ name }) => name === language) ?? null;
}
