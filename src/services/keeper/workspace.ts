/** The repositories of a workspace: each is kept open and current by itself, and they answer together. */
import { type Failure, LocusError } from '../../shared/errors.ts';
import type { IndexingState, IndexProgress, IndexReport } from '../../shared/indexing.ts';
import type { QueryTarget } from '../../shared/repository.ts';
import type { MemberRepository } from '../../shared/workspace.ts';
import { joinRepositories, type WorkspaceRepository } from '../workspace/join-repositories.ts';
import type { FollowedRepository } from './followed-repository.ts';

/** A repository of a workspace. `live` is null if it could not be opened. */
export interface WorkspaceMember {
  name: string;
  root: string;
  id: string | null;
  live: FollowedRepository | null;
  failure: LocusError | null;
}

export class Workspace {
  readonly #members: readonly WorkspaceMember[];
  readonly #joined: WorkspaceRepository;

  constructor(members: readonly WorkspaceMember[]) {
    this.#members = members;
    this.#joined = joinRepositories(
      members.map((member) => ({
        name: member.name,
        root: member.root,
        staysOpen: true,
        use: async (run) => run(await requireOpen(member)),
      })),
    );
  }

  get title(): string {
    return this.#joined.title;
  }

  get repository(): Promise<QueryTarget> {
    return Promise.resolve(this.#joined);
  }

  get state(): IndexingState {
    return combineStates(this.members.map(({ indexing }) => indexing));
  }

  get members(): MemberRepository[] {
    return this.#members.map(({ name, root, id, live, failure }) => ({
      name,
      root,
      id,
      indexing: live?.state ?? createFailedState(failure),
    }));
  }

  locate(path: string): { root: string; path: string } {
    const member = this.#members.find(({ name }) => path.startsWith(`${name}/`));
    if (member) return { root: member.root, path: path.slice(member.name.length + 1) };
    throw new LocusError(
      'not-found',
      `${path} is not in any repository of the workspace.`,
      'Choose a file from the list.',
    );
  }

  pause(): void {
    for (const { live } of this.#members) live?.pause();
  }

  resume(): void {
    for (const { live } of this.#members) live?.resume();
  }

  postponeEmbedding(): void {
    for (const { live } of this.#members) live?.postponeEmbedding();
  }
}

/** Returns a member's repository. One that is still opening makes nobody wait: its results follow later. */
async function requireOpen({ name, live, failure }: WorkspaceMember): Promise<QueryTarget> {
  if (!live) throw failure ?? new LocusError('not-found', `${name} is not open.`, 'Open it again.');
  if (live.state.phase === 'opening')
    throw new LocusError('busy', `${name} is still being opened.`, 'Wait a moment.');
  return live.repository;
}

function createFailedState(error: LocusError | null): IndexingState {
  const { code = 'not-found', message = '', remedy = '' } = error ?? {};
  const failure = { code, message, remedy };
  return { phase: 'failed', progress: null, report: null, failure, warning: null };
}

/**
 * Combines the states of several repositories. Indexing if one is, with the stage of the first one; failed only if all are, since the
 * others can be searched.
 */
export function combineStates(states: readonly IndexingState[]): IndexingState {
  const reports = states.flatMap(({ report }) => report ?? []);
  const combine = (state: Partial<IndexingState>): IndexingState => ({
    phase: 'current',
    progress: null,
    report: reports.length > 0 ? reports.reduce(addReports) : null,
    failure: null,
    warning: findProblem(states),
    ...state,
  });
  const inPhase = (phase: IndexingState['phase']) =>
    states.filter((state) => state.phase === phase);
  const indexing = inPhase('indexing');
  if (indexing.length > 0) {
    const started = indexing.flatMap(({ progress }) => progress ?? []);
    const phase = started[0]?.phase;
    const same = started.filter((progress) => progress.phase === phase);
    return combine({
      phase: 'indexing',
      progress: same.length > 0 ? same.reduce(addProgress) : null,
    });
  }
  if (inPhase('opening').length > 0) return combine({ phase: 'opening' });
  if (inPhase('failed').length === states.length)
    return combine({ phase: 'failed', failure: states[0]?.failure ?? null, warning: null });
  return combine({ phase: inPhase('paused').length > 0 ? 'paused' : 'current' });
}

function findProblem(states: readonly IndexingState[]): Failure | null {
  const troubled = states.find(({ failure }) => failure) ?? states.find(({ warning }) => warning);
  return troubled?.failure ?? troubled?.warning ?? null;
}

function addProgress(a: IndexProgress, b: IndexProgress): IndexProgress {
  const left = [a.secondsLeft, b.secondsLeft].filter((seconds) => seconds !== null);
  return {
    phase: a.phase,
    done: a.done + b.done,
    total: a.total + b.total,
    rate: a.rate + b.rate,
    secondsLeft: left.length === 2 ? Math.max(...left) : null,
  };
}

function addReports(a: IndexReport, b: IndexReport): IndexReport {
  return {
    files: a.files + b.files,
    chunks: a.chunks + b.chunks,
    edges: a.edges + b.edges,
    filesParsed: a.filesParsed + b.filesParsed,
    filesRemoved: a.filesRemoved + b.filesRemoved,
    chunksEncoded: a.chunksEncoded + b.chunksEncoded,
    skipped: a.skipped + b.skipped,
    submodules: a.submodules.concat(b.submodules),
    seconds: {
      firstSearch: Math.max(a.seconds.firstSearch, b.seconds.firstSearch),
      total: Math.max(a.seconds.total, b.seconds.total),
      phases: {},
    },
    device: a.device,
    notes: a.notes.concat(b.notes),
  };
}
