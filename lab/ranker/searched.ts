/** The rankings that confidence is about: of the first list, and of the list that a model has read. */
import { readIssue } from '../../src/engine/issue/issue.ts';
import { issueSyntaxes } from '../../src/engine/issue/syntaxes.ts';
import { NO_MARKS } from '../../src/engine/search/feedback.ts';
import { resolveIssue } from '../../src/engine/search/issue.ts';
import { encodeIssue } from '../../src/engine/search/query-vectors.ts';
import type { Ranker } from '../../src/engine/search/rank.ts';
import type { Ranking } from '../../src/engine/search/ranking.ts';
import { firstSlots } from '../../src/engine/search/refine/refined.ts';
import type { SecondStep } from '../../src/engine/search/refine/second-step.ts';
import { candidatesFor, find, rank } from '../../src/engine/search/search.ts';
import { encoderDocument } from '../../src/engine/snapshot/encoder-document.ts';
import { MOST_READ } from '../../src/shared/limits.ts';
import type { Snapshot } from './samples.ts';

/** What a search needs of a snapshot. */
export type Searchable = Pick<Snapshot, 'index' | 'encoder' | 'store'>;

/** Null when there is nothing to search with, or nothing to put in order again. */
export type Search = (snapshot: Searchable, text: string) => Promise<Ranking | null>;

/** The first list, by this ranker, before a second look. */
export function firstList(ranker: Ranker): Search {
  return async ({ index, encoder }, text) => {
    const { read, vectors } = await issueFor({ index, encoder }, text);
    const request = { issue: text };
    const candidates = candidatesFor(resolveIssue(read, index), index, vectors, request, NO_MARKS);
    return candidates && rank(candidates, ranker, request);
  };
}

/**
 * The refined list, all of its first results read.
 * @throws Error when the models fail
 */
export function refinedList(step: SecondStep): Search {
  return async ({ index, encoder, store }, text) => {
    const { read, vectors } = await issueFor({ index, encoder }, text);
    const found = find(index, vectors, { issue: text }, { read });
    const slots = firstSlots(found, MOST_READ);
    if (slots.length < 2) return null;
    const heads = new Map<number, string>();
    const documents = slots.map((slot) => encoderDocument(store, index, slot, heads));
    const budget = { read: MOST_READ, milliseconds: Number.POSITIVE_INFINITY };
    const { found: again, refinement } = await step.refine(found, documents, budget);
    if (refinement.state !== 'refined')
      throw new Error(`the list was not read: ${refinement.note ?? refinement.state}`);
    return again.ranking;
  };
}

async function issueFor({ index, encoder }: Pick<Searchable, 'index' | 'encoder'>, text: string) {
  const read = readIssue(text, issueSyntaxes(index.languages()));
  return { read, vectors: await encodeIssue(encoder, read) };
}
