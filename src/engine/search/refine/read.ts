import { present } from '../../../shared/present.ts';
import type { EncoderDocument } from '../../encode/types.ts';
import { throwIfSearchCancelled } from '../../event-loop/pacer.ts';
import type { Issue } from '../../issue/issue.ts';
import type { Scorer } from './scorer.ts';

/** What was read of a list. */
export interface Reading {
  /** So many of the first documents have a value by every scorer. */
  read: number;
  /** By scorer, the values of these. */
  values: number[][];
}

/**
 * Has documents read in their order until all are, or the time is over. With several scorers, the one that is furthest
 * behind goes on, so that all of them come equally far.
 * @param budget milliseconds, from when the models are loaded; a batch that began in time is finished.
 * @throws LocusError `cancelled` when the signal aborts, between two batches; what scorers throw
 */
export async function readInOrder(
  scorers: readonly Scorer[],
  issue: Issue,
  documents: readonly EncoderDocument[],
  { milliseconds, signal }: { milliseconds: number; signal?: AbortSignal },
): Promise<Reading> {
  await Promise.all(scorers.map((scorer) => scorer.load()));
  const end = performance.now() + milliseconds;
  const readers = scorers.map((scorer) => ({
    batches: scorer.read(issue, documents),
    values: [] as number[],
  }));
  const read = () => Math.min(...readers.map(({ values }) => values.length));
  try {
    while (read() < documents.length && performance.now() < end) {
      throwIfSearchCancelled(signal);
      const behind = present(
        readers.find(({ values }) => values.length === read()),
        'the reader that is furthest behind',
      );
      const next = await behind.batches.next();
      if (next.done) break;
      behind.values.push(...next.value);
    }
    throwIfSearchCancelled(signal);
  } finally {
    await Promise.all(readers.map(({ batches }) => batches.return?.()));
  }
  return { read: read(), values: readers.map(({ values }) => values.slice(0, read())) };
}
