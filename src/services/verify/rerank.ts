/**
 * Listwise reranking in overlapping windows from the bottom of the list to its top, as in RankGPT (Sun et al., "Is ChatGPT Good at
 * Search?", EMNLP 2023), with a verdict on each chunk. As long as no chunk is to be edited, the next window of the pool is judged, as
 * in the verify-and-refine loop of ReflectCode.
 */
import { assertPresent } from '../../shared/assert-present.ts';
import type { Verdict, VerifiedChunk } from '../../shared/verifier.ts';
import type { Judgment } from './answer.ts';

export const WINDOW_SIZE = 10;
const STEP = 5;

/** Lists where the windows over `count` chunks start, in the order in which they are judged. */
export function listWindowStarts(count: number): number[] {
  const starts: number[] = [];
  for (let start = count - WINDOW_SIZE; start > 0; start -= STEP) starts.push(start);
  return [...starts, 0];
}

/** Returns the maximum number of chunks that a number of windows covers. */
export const countCovered = (windows: number): number => WINDOW_SIZE + STEP * (windows - 1);

type Ranked = Pick<VerifiedChunk, 'address'> & { rank: number };
type Judged<Chunk> = { chunk: Chunk; verdict: Verdict | null; reason: string };

export interface VerifierReranking<Chunk> {
  /** All judged chunks in the new order; in the old order if the first pass failed. */
  judged: Judged<Chunk>[];
  error: unknown;
}

/**
 * Reranks the first chunks of a ranking.
 *
 * @param first best chunks, which are all judged
 * @param judge asks the model about one window
 * @param more returns the next chunks after a number of judged ones; empty if there are none, or no budget is left for them
 */
export async function rerankWindows<Chunk extends Ranked>(
  first: readonly Chunk[],
  judge: (window: readonly Chunk[]) => Promise<Judgment[]>,
  more: (after: number) => Promise<readonly Chunk[]>,
): Promise<VerifierReranking<Chunk>> {
  let order: Judged<Chunk>[] = first.map((chunk) => ({ chunk, verdict: null, reason: '' }));
  const judgeWindow = async (window: readonly Judged<Chunk>[]) =>
    arrange(window, await judge(window.map(({ chunk }) => chunk)));
  let error: unknown = null;
  try {
    for (const start of listWindowStarts(order.length)) {
      order.splice(
        start,
        WINDOW_SIZE,
        ...(await judgeWindow(order.slice(start, start + WINDOW_SIZE))),
      );
    }
  } catch (thrown) {
    // Windows higher up were not judged, and judgments further down do not apply to them.
    order.sort((a, b) => a.chunk.rank - b.chunk.rank);
    return { judged: order, error: thrown };
  }
  try {
    while (!order.some(({ verdict }) => verdict === 'edit')) {
      const next = await more(order.length);
      if (next.length === 0) break;
      const window = next.map((chunk) => ({ chunk, verdict: null, reason: '' }));
      order = [...order, ...(await judgeWindow(window))];
    }
  } catch (thrown) {
    error = thrown;
  }
  return { judged: byVerdict(order), error };
}

/** Orders a window by an answer. Chunks that the answer omits keep their order, after those to edit or read. */
function arrange<Chunk>(
  window: readonly Judged<Chunk>[],
  judgements: readonly Judgment[],
): Judged<Chunk>[] {
  const mentioned = judgements.map(({ index, verdict, reason }) => {
    return { ...assertPresent(window[index], `chunk ${index} of a window`), verdict, reason };
  });
  const places = new Set(judgements.map(({ index }) => index));
  return byVerdict([...mentioned, ...window.filter((_, place) => !places.has(place))]);
}

const byVerdict = <Chunk>(judged: readonly Judged<Chunk>[]) =>
  judged.toSorted((a, b) => weight(a.verdict) - weight(b.verdict));

const weight = (verdict: Verdict | null) =>
  verdict === 'edit' ? 0 : verdict === 'context' ? 1 : verdict === null ? 2 : 3;
