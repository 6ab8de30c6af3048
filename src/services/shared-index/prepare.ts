/** Takes a shared index when a repository is opened, before it is indexed. */

import { PhaseMeter } from '../../base/progress.ts';
import type { IndexRunOptions, PrepareIndex, UnpreparedIndex } from '../../engine/index.ts';
import { formatFailure, isCancelled, LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import type { LastPull, PullReport } from '../../shared/shared-index.ts';
import { openObjects } from '../objects/open.ts';
import { findOwnKey } from './keys.ts';
import type { NearestIndex } from './pull.ts';
import {
  isSharedIndexSetUp,
  readSharedSource,
  type SharedIndexSource,
  writeLastPull,
} from './setup.ts';

// Limits of an automatic pull: it must not cost more than it saves.

/**
 * Milliseconds to find out what is published: a few requests, which take a second or two on a slow server. The user's first search
 * waits for it.
 */
const FIND_MS = 15_000;

/**
 * Milliseconds for the pull itself, and more for each byte of sources. On a laptop with the smallest model, indexing reads about 0.5 MB of
 * sources a second (lab/notes/2026-11-28-speed-and-memory.md). A pull may take twice as long, since it also brings history and saves processor time.
 */
const TAKE_MS = 15_000;
const TAKE_MS_PER_BYTE = 4 / 1000;

/** Bytes that may arrive, and more for each byte of sources. A compressed index is about four times as large as its sources. */
const MAX_BYTES = 32 * 2 ** 20;
const MAX_BYTES_PER_SOURCE_BYTE = 16;

/** Time and bytes of one pull, from the first request to the last part. Its signal aborts when either is used up. */
class PullBudget {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #factor: number;
  #timer: NodeJS.Timeout;
  #bytesLeft: number;

  /** @param factor scales all limits; 1 by default. */
  constructor(factor = 1) {
    this.#factor = factor;
    this.signal = this.#controller.signal;
    this.#bytesLeft = factor * MAX_BYTES;
    this.#timer = this.#abortAfter(FIND_MS);
  }

  spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#controller.abort();
  }

  /** Raises the limits once an index was found. @param sources size of the repository's sources in bytes */
  grant(sources: number): void {
    this.#bytesLeft += this.#factor * MAX_BYTES_PER_SOURCE_BYTE * sources;
    clearTimeout(this.#timer);
    this.#timer = this.#abortAfter(TAKE_MS + TAKE_MS_PER_BYTE * sources);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(), this.#factor * ms);
  }
}

export interface SharedIndexOptions extends SharedIndexSource {
  /** Name of the repository there; by default from its remote `origin`. */
  name?: string | undefined;
  /** True if the folder may be missing, because the first publisher creates it. */
  mayBeNew?: boolean;
  /** Called with the result of a pull that the user requested; null if nothing near is published. Makes a failed pull an error. */
  onPull?: (report: PullReport | null) => void;
  /** Scales the limits of an automatic pull, see `PullBudget`. */
  budgetFactor?: number;
}

/**
 * Returns the step to run before the first indexing; undefined if no shared index is set up. An automatic pull only happens without an
 * index, also of another working tree, and a failure becomes a note. A pull that the user requested always happens, and a failure is thrown.
 */
export function createPrepare(
  dataDirectory: string,
  given: SharedIndexOptions | undefined,
): PrepareIndex | undefined {
  if (!given && !isSharedIndexSetUp(dataDirectory)) return undefined;
  return async (place, options) => {
    if (given?.onPull) {
      given.onPull(await takeAndRecord(place, given, dataDirectory, options, undefined));
      return [];
    }
    if (place.wasIndexed || place.isCopy) return [];
    const budget = new PullBudget(given?.budgetFactor);
    try {
      const source = given ?? readSharedSource(dataDirectory);
      const report = source && (await takeAndRecord(place, source, dataDirectory, options, budget));
      return report
        ? [`Used the shared index of ${describeCommit(report)} from ${report.from}.`]
        : [];
    } catch (error) {
      if (!(error instanceof LocusError) || options.signal?.aborted) throw error;
      return [
        `The shared index was not used, so everything is indexed here. ${formatFailure(error)}`,
      ];
    } finally {
      budget.end();
    }
  };
}

/** Takes the nearest published index, and records the outcome. */
async function takeAndRecord(
  place: UnpreparedIndex,
  ...others: [
    source: SharedIndexOptions,
    dataDirectory: string,
    options: IndexRunOptions,
    budget: PullBudget | undefined,
  ]
): Promise<PullReport | null> {
  const { root, head } = place;
  if (head === null) return null;
  const [, dataDirectory] = others;
  const record = (what: Pick<LastPull, 'taken' | 'failure'>) =>
    writeLastPull(dataDirectory, { at: new Date().toISOString(), root, ...what });
  try {
    const taken = await takeNearest({ ...place, head }, ...others);
    record({ taken, failure: null });
    return taken;
  } catch (error) {
    if (error instanceof LocusError && !isCancelled(error)) {
      const { message, remedy } = error;
      record({ taken: null, failure: { message, remedy } });
    }
    throw error;
  }
}

async function takeNearest(
  place: UnpreparedIndex & { head: string },
  { from, keys, name, mayBeNew = false }: SharedIndexOptions,
  dataDirectory: string,
  { signal, onProgress = () => {}, onWait }: IndexRunOptions,
  budget: PullBudget | undefined,
): Promise<PullReport | null> {
  // Shows from here on what the user is waiting for.
  onProgress({ phase: 'download', done: 0, total: 0, rate: 0, secondsLeft: null });
  const own = findOwnKey(dataDirectory, process.env);
  const trusted = new Set([...keys, ...(own ? [own] : [])]);
  const { findNearestIndex, pullIndex } = await import('./pull.ts');
  const objects = await openObjects(from, { expected: !mayBeNew });
  try {
    const options = {
      objects,
      keys: trusted,
      name,
      signal: AbortSignal.any([signal, budget?.signal].filter((one) => one !== undefined)),
      onBytes: (bytes: number) => budget?.spend(bytes),
    };
    const nearest = await findNearestIndex(place, options);
    if (!nearest) return null;
    budget?.grant(await place.countSourceBytes(options.signal));
    const meter = new PhaseMeter('download', countSteps(nearest), onProgress);
    const report = await pullIndex(place, nearest, {
      ...options,
      onWait,
      onPart: () => meter.advance(),
    });
    meter.finish();
    return report;
  } catch (error) {
    if (budget?.signal.aborted && !signal?.aborted && isCancelled(error))
      throw createTooSlowError(objects.name);
    throw error;
  } finally {
    objects.close();
  }
}

/** Returns an error that says why the pull was cancelled. */
const createTooSlowError = (name: string) =>
  new LocusError(
    'bad-objects',
    `Loading the index from ${name} would take longer than indexing here.`,
    'Check the network, or run locus pull to load it without a time limit.',
  );

/** Counts the parts to fetch; an upper bound, since embeddings of other models are not fetched. */
const countSteps = ({ manifest: { groups, commits } }: NearestIndex) =>
  3 * groups.length + commits.length;

/** Describes a commit: `commit 4f1c2ab904, 3 commits behind`. */
export function describeCommit({ commit, behind }: Pick<PullReport, 'commit' | 'behind'>): string {
  const id = commit.slice(0, 10);
  if (behind === 0) return `commit ${id}`;
  return `commit ${id}, ${behind === 1 ? '1 commit' : `${formatCount(behind)} commits`} behind`;
}
