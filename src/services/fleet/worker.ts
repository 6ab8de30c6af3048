/** A worker: brings the rows of repositories up to date, as far as nobody else does. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pause, throwIfCancelled } from '../../base/cancel.ts';
import { ignoring } from '../../base/log.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Content, Row } from '../../shared/fleet-row.ts';
import { present } from '../../shared/present.ts';
import type { Catalog, Entry, State, Tagged } from './catalog.ts';
import { fetchCommit } from './clone.ts';
import { rowId } from './engine.ts';
import type { Fleet } from './fleet.ts';
import { Lease, SeenLeases } from './lease.ts';
import { indexCommit } from './local-index.ts';
import type { Authorization } from './remote-git.ts';

export interface WorkOptions {
  /** The repositories that are brought up to date, by key: all of the fleet, unless it is said. Of others nothing is read. */
  entries?: ReadonlyMap<string, Entry> | undefined;
  /** Seconds that a lease is for: so long a repository waits whose worker was killed. */
  leaseSeconds?: number;
  /** What a repository's host is shown. */
  authorize?: (entry: Entry) => Promise<Authorization>;
  signal?: AbortSignal | undefined;
  onDone?: (done: Done) => void;
}

/** What became of a repository. */
export interface Done {
  name: string;
  /** Null where it failed, or another worker took it. */
  commit: string | null;
  rows: number;
  added: number;
  removed: number;
  seconds: number;
  failure: LocusError | null;
}

const LEASE_SECONDS = 60;
/** Between looks at what others work on. */
const LOOK_MS = 1_000;
/** Rows that are stored at a time: the lease is asked for before each. */
const BATCH = 500;

/**
 * Works until each repository of the fleet was brought to its newest commit since this began, by whomever. What another worker has
 * is waited for, and taken where that one is gone.
 * @returns what this worker did, in order
 */
export async function work(fleet: Fleet, options: WorkOptions = {}): Promise<Done[]> {
  const { signal, leaseSeconds: seconds = LEASE_SECONDS } = options;
  const { catalog } = fleet;
  const worker = randomUUID();
  const seen = new SeenLeases();
  const done: Done[] = [];
  const due = new Map<string, { entry: Entry; checks: number }>();
  for (const [key, entry] of shuffled([...(options.entries ?? (await catalog.entries(signal)))])) {
    const { checks, lease } = (await catalog.state(key, signal)).value;
    // A run that is under way may have fetched before the push that this one is for.
    due.set(key, { entry, checks: lease ? checks + 1 : checks });
  }
  while (due.size > 0) {
    let progress = false;
    for (const [key, { entry, checks }] of due) {
      throwIfCancelled(signal, 'Indexing');
      const state = await catalog.state(key, signal);
      const { removing, checks: made } = state.value;
      if (removing || made > checks || (await isTakenOut(catalog, key, state, signal))) {
        due.delete(key);
        progress = true;
        continue;
      }
      if (!seen.isFree(key, state)) continue;
      const lease = await Lease.take(catalog, key, state, { worker, seconds });
      if (!lease) continue;
      progress = true;
      const one = await workOn(fleet, key, entry, lease, options);
      if (one.failure?.code !== 'busy') due.delete(key);
      done.push(one);
      options.onDone?.(one);
    }
    if (!progress) await pause(LOOK_MS, signal, 'Indexing');
  }
  return done;
}

/** Whether the list lost a repository since this began: of one that is taken out nothing is left that says so, as of one that is new. */
async function isTakenOut(
  catalog: Catalog,
  key: string,
  { tag }: Tagged<State>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return tag === null && !(await catalog.entries(signal)).has(key);
}

async function workOn(
  fleet: Fleet,
  key: string,
  entry: Entry,
  lease: Lease,
  options: WorkOptions,
): Promise<Done> {
  const start = performance.now();
  const told = (outcome: Partial<Done>): Done => ({
    name: entry.name,
    commit: null,
    rows: 0,
    added: 0,
    removed: 0,
    failure: null,
    ...outcome,
    seconds: (performance.now() - start) / 1000,
  });
  try {
    const { indexed, ...changes } = await bringUp(fleet, key, entry, lease, options);
    await lease.end({ indexed, failure: null });
    return told({ commit: indexed.commit, rows: indexed.rows, ...changes });
  } catch (error) {
    // Whoever interrupts may be about to start again: the lease is over by itself.
    if (options.signal?.aborted || !(error instanceof LocusError)) {
      lease.drop();
      throw error;
    }
    const failure = lease.signal.aborted ? takenBy(error) : error;
    if (failure.code !== 'busy') {
      const { indexed } = lease.state;
      await lease.end({ indexed, failure: failure.code }).catch(ignoring('report-failure'));
    } else lease.drop();
    return told({ failure });
  }
}

const takenBy = (error: LocusError): LocusError =>
  error.code === 'busy' ? error : new LocusError('busy', error.message, error.remedy);

interface BroughtUp {
  indexed: NonNullable<State['indexed']>;
  added: number;
  removed: number;
}

async function bringUp(
  { engine, model, folder, dataDir }: Fleet,
  key: string,
  entry: Entry,
  lease: Lease,
  { authorize, signal: stop }: WorkOptions,
): Promise<BroughtUp> {
  const signal = stop ? AbortSignal.any([stop, lease.signal]) : lease.signal;
  const clone = join(folder, 'clones', key);
  const commit = await fetchCommit(clone, entry, (await authorize?.(entry)) ?? null, signal);
  const before = lease.state.indexed;
  if (before?.commit === commit && before.model === model)
    return { indexed: before, added: 0, removed: 0 };
  await lease.announce(commit);
  const { files, contents } = await indexCommit(clone, commit, { dataDir, folder, signal });
  const stored = await engine.ids(key);
  const wanted = new Set<string>();
  const rowOf = (content: Content): Row => ({
    ...content,
    id: rowId(key, model, content),
    repository: key,
    generation: lease.generation,
    commit,
  });
  let batch: Row[] = [];
  let added = 0;
  const send = async () => {
    lease.check();
    await engine.put(batch);
    added += batch.length;
    batch = [];
  };
  // What is new comes before what is gone goes: meanwhile a search finds both, and takes the newer.
  for (const content of contents) {
    const row = rowOf(content);
    wanted.add(row.id);
    if (stored.has(row.id)) continue;
    batch.push(row);
    if (batch.length === BATCH) await send();
  }
  if (batch.length > 0) await send();
  const gone = [...stored].filter((id) => !wanted.has(id));
  for (let at = 0; at < gone.length; at += BATCH) {
    lease.check();
    await engine.remove(key, gone.slice(at, at + BATCH));
  }
  lease.check();
  const { generation } = lease;
  const at = new Date().toISOString();
  const indexed = { commit, generation, model, rows: wanted.size, files, at };
  return { indexed, added, removed: gone.length };
}

/** Workers that begin together begin at different repositories. */
function shuffled<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    const [a, b] = [present(items[i], 'an item'), present(items[j], 'an item')];
    items[i] = b;
    items[j] = a;
  }
  return items;
}
