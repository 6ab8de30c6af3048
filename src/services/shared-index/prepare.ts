/** What opening a repository does with the shared index, before it indexes. */

import { PhaseMeter } from '../../base/progress.ts';
import type { IndexRunOptions, Prepare, Unprepared } from '../../engine/index.ts';
import { inSentences, isCancelled, LocusError } from '../../shared/errors.ts';
import { grouped } from '../../shared/grouped.ts';
import type { LastPull, PullReport } from '../../shared/shared-index.ts';
import { openObjects } from '../objects/open.ts';
import { ownKey } from './keys.ts';
import type { Nearest } from './pull.ts';
import { isSetUp, noteLastPull, type SharedSource, sharedSource } from './setup.ts';

/** Bounds of a pull that nobody asked for: it may cost no more than what it saves. */

/**
 * Milliseconds for finding out what is published: a few answers, which take a second or two from a slow server. It is what somebody
 * waits before their own first search begins.
 */
const FIND_MS = 15_000;

/**
 * Milliseconds for the rest, and by byte of the repository's sources. Indexing reads about 0.5 MB of sources a second on a laptop with the
 * smallest model (docs/measurements.md); a pull may take twice as long, since it also brings history and spares the processor.
 */
const TAKE_MS = 15_000;
const TAKE_MS_PER_BYTE = 4 / 1000;

/** Bytes that may arrive, and by byte of sources. An index, compressed, has about four times as many bytes as its sources. */
const BYTES = 32 * 2 ** 20;
const BYTES_PER_SOURCE_BYTE = 16;

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
    this.#bytesLeft = factor * BYTES;
    this.#timer = this.#abortAfter(FIND_MS);
  }

  spend(bytes: number): void {
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) this.#controller.abort();
  }

  /** Grants what taking an index may cost, now that one was found. @param sources bytes of the repository's sources. */
  grant(sources: number): void {
    this.#bytesLeft += this.#factor * BYTES_PER_SOURCE_BYTE * sources;
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

export interface SharedIndex extends SharedSource {
  /** Of the repository there; by default as its remote `origin` says. */
  name?: string | undefined;
  /** Whether its folder may not be there yet: whoever publishes makes it. */
  mayBeNew?: boolean;
  /** Where somebody asked for it: told what was taken, null where nothing near is published. */
  onPull?: (report: PullReport | null) => void;
  /** Scales the limits of a pull that nobody asked for, see `PullBudget`. */
  budgetFactor?: number;
}

/**
 * What to do before the first run. Where nobody asked, an index is taken where there is none yet, and a failure costs nothing but
 * a note; where somebody did, it is taken whatever there is, and a failure is one. Undefined where there is nothing to do.
 */
export function preparing(
  dataDirectory: string,
  given: SharedIndex | undefined,
): Prepare | undefined {
  if (!given && !isSetUp(dataDirectory)) return undefined;
  return async (place, options) => {
    if (given?.onPull) {
      given.onPull(await take(place, given, dataDirectory, options, undefined));
      return [];
    }
    if (place.indexed) return [];
    const budget = new PullBudget(given?.budgetFactor);
    try {
      const source = given ?? sharedSource(dataDirectory);
      const report = source && (await take(place, source, dataDirectory, options, budget));
      return report ? [`Taken from ${report.from}: the index of ${aCommit(report)}.`] : [];
    } catch (error) {
      if (!(error instanceof LocusError) || options.signal?.aborted) throw error;
      return [`The shared index was not taken, and all is indexed here: ${inSentences(error)}`];
    } finally {
      budget.end();
    }
  };
}

/** Takes what is published nearest, and notes what came of it. */
async function take(
  place: Unprepared,
  ...others: [
    source: SharedIndex,
    dataDirectory: string,
    options: IndexRunOptions,
    budget: PullBudget | undefined,
  ]
): Promise<PullReport | null> {
  const { root, head } = place;
  if (head === null) return null;
  const [, dataDirectory] = others;
  const note = (what: Pick<LastPull, 'taken' | 'failure'>) =>
    noteLastPull(dataDirectory, { at: new Date().toISOString(), root, ...what });
  try {
    const taken = await takeNearest({ ...place, head }, ...others);
    note({ taken, failure: null });
    return taken;
  } catch (error) {
    if (error instanceof LocusError && !isCancelled(error)) {
      const { message, remedy } = error;
      note({ taken: null, failure: { message, remedy } });
    }
    throw error;
  }
}

async function takeNearest(
  place: Unprepared & { head: string },
  { from, keys, name, mayBeNew = false }: SharedIndex,
  dataDirectory: string,
  { signal, onProgress = () => {}, onWait }: IndexRunOptions,
  budget: PullBudget | undefined,
): Promise<PullReport | null> {
  // From here on, whoever waits is told for what.
  onProgress({ phase: 'download', done: 0, total: 0, rate: 0, secondsLeft: null });
  const own = ownKey(dataDirectory, process.env);
  const trusted = new Set([...keys, ...(own ? [own] : [])]);
  const { findNearest, pull } = await import('./pull.ts');
  const objects = await openObjects(from, { expected: !mayBeNew });
  try {
    const options = {
      objects,
      keys: trusted,
      name,
      signal: AbortSignal.any([signal, budget?.signal].filter((one) => one !== undefined)),
      onBytes: (bytes: number) => budget?.spend(bytes),
    };
    const nearest = await findNearest(place, options);
    if (!nearest) return null;
    budget?.grant(await place.sourceBytes(options.signal));
    const meter = new PhaseMeter('download', stepsOf(nearest), onProgress);
    const report = await pull(place, nearest, {
      ...options,
      onWait,
      onPart: () => meter.advance(),
    });
    meter.finish();
    return report;
  } catch (error) {
    if (budget?.signal.aborted && !signal?.aborted && isCancelled(error))
      throw tooSlow(objects.name);
    throw error;
  } finally {
    objects.close();
  }
}

/** The cancellation itself does not say why. */
const tooSlow = (place: string) =>
  new LocusError(
    'bad-objects',
    `Taking the index from ${place} would have cost more than indexing here.`,
    'Check the network, or run locus pull to wait for it.',
  );

/** At most: embeddings of other models are not fetched. */
const stepsOf = ({ manifest: { groups, commits } }: Nearest) => 3 * groups.length + commits.length;

/** `4f1c2ab904, 3 commits behind`. */
export function aCommit({ commit, behind }: Pick<PullReport, 'commit' | 'behind'>): string {
  const id = commit.slice(0, 10);
  if (behind === 0) return `commit ${id}`;
  return `commit ${id}, ${behind === 1 ? '1 commit' : `${grouped(behind)} commits`} behind`;
}
