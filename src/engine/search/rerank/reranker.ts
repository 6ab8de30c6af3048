import { throwIfCancelled } from '../../../base/cancel.ts';
import { assertPresent } from '../../../shared/assert-present.ts';
import type { EncoderDocument } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import type { ExplainedSignal } from '../rank/signals/signal.ts';

/**
 * A model that scores the first results of a list. Its score is one more signal when they are ranked again. A new
 * reranker must implement the first four members and be listed in `rerank.ts`.
 */
export interface Reranker {
  readonly signal: ExplainedSignal;
  /** Id and version of the model: `coret-1 1.0.0`. */
  readonly model: string;
  /**
   * Scores documents in their order, batch by batch. The caller may stop between two batches.
   * @throws LocusError `bad-model` or `device`
   */
  score(issue: Issue, documents: readonly EncoderDocument[]): AsyncIterator<readonly number[]>;
  close(): Promise<void>;
  /**
   * Loads the model, so that the time budget of a request is spent only on scoring.
   * @throws LocusError `bad-model` or `device`
   */
  load?(): Promise<void>;
  /** Sets the folder of the index in which `prepare` stores its results. */
  storeIn?(directory: string, readOnly: boolean): void;
  /**
   * Encodes documents in advance, batch by batch, and stores the results.
   * @param areAll true if these are all documents; results for others may then be removed
   * @param onBatch called after each batch with its number of documents, and how many of these had to be encoded
   * @returns false if another process is already doing it, or the index is read-only
   * @throws LocusError `bad-model`, `device`, `bad-store`; errors of `batches`
   */
  prepare?(
    batches: AsyncIterable<readonly EncoderDocument[]>,
    areAll: boolean,
    onBatch: (documents: number, encoded: number) => void,
  ): Promise<boolean>;
}

interface RerankScores {
  /** Number of documents, from the first, that every reranker has scored. */
  count: number;
  /** Scores of these documents, by reranker. */
  values: number[][];
}

export interface ScoringOptions {
  /** Milliseconds, counted after the models are loaded; null for no deadline. A batch that began in time is finished. */
  deadlineMs: number | null;
  signal?: AbortSignal | undefined;
  /** Called after each batch with the number of documents that every reranker has scored since the last call. */
  onScored?: ((added: number) => void) | undefined;
}

/**
 * Scores documents in their order until all are scored or the deadline is over. With several rerankers, the one that is
 * furthest behind continues, so that all of them score about as many documents.
 * @throws LocusError `cancelled` if the signal aborts, between two batches; errors of the rerankers
 */
export async function scoreInOrder(
  rerankers: readonly Reranker[],
  issue: Issue,
  documents: readonly EncoderDocument[],
  { deadlineMs, signal, onScored }: ScoringOptions,
): Promise<RerankScores> {
  await Promise.all(rerankers.map((reranker) => reranker.load?.()));
  const end = deadlineMs === null ? Number.POSITIVE_INFINITY : performance.now() + deadlineMs;
  const runs = rerankers.map((reranker) => ({
    batches: reranker.score(issue, documents),
    values: [] as number[],
  }));
  const countScored = () => Math.min(...runs.map(({ values }) => values.length));
  try {
    while (countScored() < documents.length && performance.now() < end) {
      throwIfCancelled(signal, 'The search');
      const [behind] = runs.toSorted((a, b) => a.values.length - b.values.length);
      const next = await assertPresent(
        behind,
        'the reranker that is furthest behind',
      ).batches.next();
      if (next.done) break;
      const before = countScored();
      behind?.values.push(...next.value);
      onScored?.(countScored() - before);
    }
    throwIfCancelled(signal, 'The search');
  } finally {
    await Promise.all(runs.map(({ batches }) => batches.return?.()));
  }
  const count = countScored();
  return { count, values: runs.map(({ values }) => values.slice(0, count)) };
}
