/** The rankings that confidence is about: of the first list, and of the list that a model has read. */
import {
  encodeIssue,
  encoderDocument,
  find,
  firstSlots,
  gather,
  issueSyntaxes,
  type LinearModel,
  LinearRanker,
  type Ranking,
  type RerankStep,
  rank,
  readIssue,
} from '../../src/engine/lab.ts';
import { MOST_READ } from '../../src/shared/limits.ts';
import type { Snapshot } from './samples.ts';

/** What a search needs of a snapshot. */
export type Searchable = Pick<Snapshot, 'index' | 'encoder' | 'store'>;

/** Null when there is nothing to search with, or nothing to put in order again. */
export type Search = (snapshot: Searchable, text: string) => Promise<Ranking | null>;

/** The first list, by this ranker, before a second look. */
export function firstList(model: LinearModel): Search {
  return async ({ index, encoder }, text) => {
    const { read, vectors } = await issueFor({ index, encoder }, text);
    const { candidates } = gather(index, read, vectors, { issue: text });
    return candidates && rank(candidates, new LinearRanker(model));
  };
}

/**
 * The refined list, all of its first results read.
 * @throws Error when the models fail
 */
export function refinedList(step: RerankStep): Search {
  return async ({ index, encoder, store }, text) => {
    const { read, vectors } = await issueFor({ index, encoder }, text);
    const found = find(index, vectors, { issue: text }, { read });
    const slots = found.ranking ? firstSlots(found.ranking, MOST_READ) : [];
    if (slots.length < 2) return null;
    const heads = new Map<number, string>();
    const documents = slots.map((slot) => encoderDocument(store, index, slot, heads));
    const budget = { read: MOST_READ, milliseconds: Number.POSITIVE_INFINITY };
    const { outcome, refinement } = await step.run(found, documents, budget);
    if (refinement.state !== 'refined')
      throw new Error(`the list was not read: ${refinement.note ?? refinement.state}`);
    return outcome.ranking;
  };
}

async function issueFor({ index, encoder }: Pick<Searchable, 'index' | 'encoder'>, text: string) {
  const read = readIssue(text, issueSyntaxes(index.languages()));
  return { read, vectors: await encodeIssue(encoder, read) };
}
