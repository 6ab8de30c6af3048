/** A worker of a fleet: updates the rows of repositories that no other worker is indexing. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pause, throwIfCancelled } from '../../base/cancel.ts';
import { ignoring } from '../../base/log.ts';
import { LocusError } from '../../shared/errors.ts';
import type { FleetRow } from '../../shared/fleet-row.ts';
import type { FleetEntry } from './catalog.ts';
import { fetchCommit } from './clone.ts';
import { makeRowId } from './engine.ts';
import type { Fleet } from './fleet.ts';
import { Lease, SeenLeases } from './lease.ts';
import { indexCommit } from './local-index.ts';
import type { Authorization } from './remote-git.ts';

export interface WorkerOptions {
  /** Repositories to update, by key; by default all of the fleet. */
  entries?: ReadonlyMap<string, FleetEntry> | undefined;
  /** Seconds until a lease expires: if a worker is killed, its repository waits that long. */
  leaseSeconds?: number;
  /** Returns the credential for a repository's host. */
  authorize?: (entry: FleetEntry) => Promise<Authorization>;
  signal?: AbortSignal | undefined;
  onDone?: (done: WorkResult) => void;
}

export interface WorkResult {
  name: string;
  /** Null if indexing failed, or another worker took over. */
  commit: string | null;
  rows: number;
  added: number;
  removed: number;
  seconds: number;
  failure: LocusError | null;
}

const DEFAULT_LEASE_SECONDS = 60;
/** Milliseconds between checks of other workers' leases. */
const POLL_MS = 1_000;
/** Rows that are stored at a time. The lease is checked before each batch. */
const BATCH = 500;

/**
 * Runs until every repository of the fleet was updated to its newest commit since this call began, by any worker. Waits for
 * repositories that other workers are indexing, and takes over from workers that are gone.
 * @returns what this worker did, in order
 */
export async function runWorker(fleet: Fleet, options: WorkerOptions = {}): Promise<WorkResult[]> {
  const { signal, leaseSeconds: seconds = DEFAULT_LEASE_SECONDS } = options;
  const { catalog } = fleet;
  const worker = randomUUID();
  const seen = new SeenLeases();
  const done: WorkResult[] = [];
  const due = new Map<string, { entry: FleetEntry; checks: number }>();
  for (const [key, entry] of shuffle(options.entries ?? (await catalog.listEntries(signal)))) {
    const { checks, lease } = (await catalog.readState(key, signal)).value;
    // A run in progress may have fetched before the push that this call is for, so it does not count.
    due.set(key, { entry, checks: lease ? checks + 1 : checks });
  }
  while (due.size > 0) {
    let progress = false;
    for (const [key, { entry, checks }] of due) {
      throwIfCancelled(signal, 'Indexing');
      const state = await catalog.readState(key, signal);
      const { removing, checks: made } = state.value;
      // A removed repository has no state, just like a new one; only the catalog tells them apart.
      const isRemoved = state.tag === null && !(await catalog.listEntries(signal)).has(key);
      if (removing || made > checks || isRemoved) {
        due.delete(key);
        progress = true;
        continue;
      }
      if (!seen.isFree(key, state)) continue;
      const lease = await Lease.take(catalog, key, state, { worker, seconds });
      if (!lease) continue;
      progress = true;
      const result = await indexOne(fleet, key, entry, lease, options);
      if (result.failure?.code !== 'busy') due.delete(key);
      done.push(result);
      options.onDone?.(result);
    }
    if (!progress) await pause(POLL_MS, signal, 'Indexing');
  }
  return done;
}

async function indexOne(
  fleet: Fleet,
  key: string,
  entry: FleetEntry,
  lease: Lease,
  options: WorkerOptions,
): Promise<WorkResult> {
  const start = performance.now();
  const report = (outcome: Partial<WorkResult>): WorkResult => ({
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
    const { indexed, ...changes } = await updateRows(fleet, key, entry, lease, options);
    await lease.finish({ indexed, failure: null });
    return report({ commit: indexed.commit, rows: indexed.rows, ...changes });
  } catch (error) {
    // After an interrupt, the same repository may be started again at once, so the lease is left to expire.
    if (options.signal?.aborted || !(error instanceof LocusError)) {
      lease.drop();
      throw error;
    }
    if (lease.signal.aborted || error.code === 'busy') {
      lease.drop();
      return report({ failure: new LocusError('busy', error.message, error.remedy) });
    }
    const { indexed } = lease.state;
    await lease.finish({ indexed, failure: error.code }).catch(ignoring('report-failure'));
    return report({ failure: error });
  }
}

async function updateRows(
  { engine, model, folder, dataDir }: Fleet,
  key: string,
  entry: FleetEntry,
  lease: Lease,
  { authorize, signal: stop }: WorkerOptions,
) {
  const signal = stop ? AbortSignal.any([stop, lease.signal]) : lease.signal;
  const clone = join(folder, 'clones', key);
  const commit = await fetchCommit(clone, entry, (await authorize?.(entry)) ?? null, signal);
  const before = lease.state.indexed;
  if (before?.commit === commit && before.model === model)
    return { indexed: before, added: 0, removed: 0 };
  await lease.announce(commit);
  const { files, contents } = await indexCommit(clone, commit, { dataDir, folder, signal });
  const stored = await engine.listIds(key);
  const wanted = new Set<string>();
  const { generation } = lease;
  let batch: FleetRow[] = [];
  let added = 0;
  const send = async () => {
    lease.assertHeld();
    await engine.put(batch);
    added += batch.length;
    batch = [];
  };
  // New rows are stored before old ones are removed: meanwhile a search finds both, and uses the newer.
  for (const content of contents) {
    const id = makeRowId(key, model, content);
    wanted.add(id);
    if (stored.has(id)) continue;
    batch.push({ ...content, id, repository: key, generation, commit });
    if (batch.length === BATCH) await send();
  }
  if (batch.length > 0) await send();
  const gone = [...stored.difference(wanted)];
  for (let at = 0; at < gone.length; at += BATCH) {
    lease.assertHeld();
    await engine.remove(key, gone.slice(at, at + BATCH));
  }
  lease.assertHeld();
  const at = new Date().toISOString();
  const indexed = { commit, generation, model, rows: wanted.size, files, at };
  return { indexed, added, removed: gone.length };
}

/** Shuffles items, so that workers that start together begin with different repositories. */
const shuffle = <T>(items: Iterable<T>): T[] =>
  Array.from(items, (item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
