import { throwIfCancelled } from '../../../base/cancel.ts';
import { present } from '../../../shared/present.ts';
import type { EncoderDocument } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import type { ExplainedSignal } from '../rank/signals/signal.ts';

/**
 * A model that reads the first results of a list and scores each: one more signal by which they are ranked again. A new
 * one implements the first four members; `rerank.ts` lists it.
 */
export interface Reranker {
  readonly signal: ExplainedSignal;
  /** The model's id and version: `coret-1 1.0.0`. */
  readonly model: string;
  /**
   * Scores documents in their order, batch by batch: the reader may stop between two.
   * @throws LocusError `bad-model` or `device`
   */
  score(issue: Issue, documents: readonly EncoderDocument[]): AsyncIterator<readonly number[]>;
  close(): Promise<void>;
  /**
   * Loads the model, so that all of the time of a request is spent on scoring.
   * @throws LocusError `bad-model` or `device`
   */
  load?(): Promise<void>;
  /** Sets the folder of an index for what `prepare` makes; nothing is written there if it is read only. */
  storeIn?(directory: string, readOnly: boolean): void;
  /**
   * Encodes documents in advance, batch by batch, and stores the result.
   * @param areAll true if there are no other documents; what was stored for others may then be removed
   * @param onBatch called after each batch with its number of documents, and how many of these had to be encoded
   * @returns false where another process is doing so, or nothing may be written
   * @throws LocusError `bad-model`, `device`, `bad-store`; what the batches throw
   */
  prepare?(
    batches: AsyncIterable<readonly EncoderDocument[]>,
    areAll: boolean,
    onBatch: (documents: number, read: number) => void,
  ): Promise<boolean>;
}

interface ReadScores {
  /** Number of first documents that every reranker has scored. */
  read: number;
  values: number[][];
}

/**
 * Scores documents in their order until all are, or the time is over. With several rerankers, the one that is furthest
 * behind goes on, so that all of them come equally far.
 * @param budget milliseconds after the models are loaded; a batch that began in time is finished
 * @throws LocusError `cancelled` when the signal aborts, between two batches; what rerankers throw
 */
export async function scoreInOrder(
  rerankers: readonly Reranker[],
  issue: Issue,
  documents: readonly EncoderDocument[],
  { milliseconds, signal }: { milliseconds: number; signal?: AbortSignal },
): Promise<ReadScores> {
  await Promise.all(rerankers.map((reranker) => reranker.load?.()));
  const end = performance.now() + milliseconds;
  const readers = rerankers.map((reranker) => ({
    batches: reranker.score(issue, documents),
    values: [] as number[],
  }));
  const read = () => Math.min(...readers.map(({ values }) => values.length));
  try {
    while (read() < documents.length && performance.now() < end) {
      throwIfCancelled(signal, 'The search');
      const [behind] = readers.toSorted((a, b) => a.values.length - b.values.length);
      const next = await present(behind, 'the reader that is furthest behind').batches.next();
      if (next.done) break;
      behind?.values.push(...next.value);
    }
    throwIfCancelled(signal, 'The search');
  } finally {
    await Promise.all(readers.map(({ batches }) => batches.return?.()));
  }
  return { read: read(), values: readers.map(({ values }) => values.slice(0, read())) };
}
