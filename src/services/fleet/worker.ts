/** A worker: brings the rows of repositories up to date, as far as nobody else does. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pause, throwIfCancelled } from '../../base/cancel.ts';
import { ignoring } from '../../base/log.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Row } from '../../shared/fleet-row.ts';
import type { Entry } from './catalog.ts';
import { fetchCommit } from './clone.ts';
import { rowId } from './engine.ts';
import type { Fleet } from './fleet.ts';
import { Lease, SeenLeases } from './lease.ts';
import { indexCommit } from './local-index.ts';
import type { Authorization } from './remote-git.ts';

export interface WorkOptions {
  /** The repositories that are brought up to date, by key; by default all of the fleet. */
  entries?: ReadonlyMap<string, Entry> | undefined;
  /** Seconds that a lease is for: so long a repository waits whose worker was killed. */
  leaseSeconds?: number;
  /** What a repository's host is shown. */
  authorize?: (entry: Entry) => Promise<Authorization>;
  signal?: AbortSignal | undefined;
  onDone?: (done: Done) => void;
}

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
  for (const [key, entry] of shuffled(options.entries ?? (await catalog.entries(signal)))) {
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
      // Nothing is left of one that is taken out, as of one that is new.
      const isTakenOut = state.tag === null && !(await catalog.entries(signal)).has(key);
      if (removing || made > checks || isTakenOut) {
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
    if (lease.signal.aborted || error.code === 'busy') {
      lease.drop();
      return told({ failure: new LocusError('busy', error.message, error.remedy) });
    }
    const { indexed } = lease.state;
    await lease.end({ indexed, failure: error.code }).catch(ignoring('report-failure'));
    return told({ failure: error });
  }
}

async function bringUp(
  { engine, model, folder, dataDir }: Fleet,
  key: string,
  entry: Entry,
  lease: Lease,
  { authorize, signal: stop }: WorkOptions,
) {
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
  const { generation } = lease;
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
    const id = rowId(key, model, content);
    wanted.add(id);
    if (stored.has(id)) continue;
    batch.push({ ...content, id, repository: key, generation, commit });
    if (batch.length === BATCH) await send();
  }
  if (batch.length > 0) await send();
  const gone = [...stored.difference(wanted)];
  for (let at = 0; at < gone.length; at += BATCH) {
    lease.check();
    await engine.remove(key, gone.slice(at, at + BATCH));
  }
  lease.check();
  const at = new Date().toISOString();
  const indexed = { commit, generation, model, rows: wanted.size, files, at };
  return { indexed, added, removed: gone.length };
}

/** Workers that begin together begin at different repositories. */
const shuffled = <T>(items: Iterable<T>): T[] =>
  Array.from(items, (item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
