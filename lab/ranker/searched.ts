/** Searches whose confidence is fitted: the initial ranking and the reranked list. */
import {
  buildEncoderDocument,
  encodeIssue,
  gather,
  getIssueSyntaxes,
  type LinearModel,
  LinearRanker,
  listFirstSlots,
  type Ranking,
  type RerankStep,
  rank,
  rankChunks,
  readIssue,
} from '../../src/engine/lab.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import type { Snapshot } from './samples.ts';

/** Parts of a snapshot that a search needs. */
export type Searchable = Pick<Snapshot, 'index' | 'encoder' | 'store'>;

/** Ranks a snapshot for a text. Returns null if there is nothing to search for or nothing to rerank. */
export type Search = (snapshot: Searchable, text: string) => Promise<Ranking | null>;

/** Returns a search that stops at the initial ranking by this ranker. */
export function makeInitialSearch(model: LinearModel): Search {
  return async ({ index, encoder }, text) => {
    const { read, vectors } = await prepareIssue({ index, encoder }, text);
    const { candidates } = gather(index, read, vectors, { issue: text });
    return candidates && rank(candidates, new LinearRanker(model));
  };
}

/**
 * Returns a search that reranks all first results.
 * @throws Error if the models fail
 */
export function makeRerankSearch(step: RerankStep): Search {
  return async ({ index, encoder, store }, text) => {
    const { read, vectors } = await prepareIssue({ index, encoder }, text);
    const found = rankChunks(index, vectors, { issue: text }, { read });
    const slots = found.ranking ? listFirstSlots(found.ranking, MAX_RERANKED) : [];
    if (slots.length < 2) return null;
    const heads = new Map<number, string>();
    const documents = slots.map((slot) => buildEncoderDocument(store, index, slot, heads));
    const { outcome, reranking } = await step.run(found, documents, { deadlineMs: null });
    if (reranking.state !== 'reranked')
      throw new Error(`The list was not reranked: ${reranking.note ?? reranking.state}`);
    return outcome.ranking;
  };
}

async function prepareIssue(
  { index, encoder }: Pick<Searchable, 'index' | 'encoder'>,
  text: string,
) {
  const read = readIssue(text, getIssueSyntaxes(index.getLanguages()));
  return { read, vectors: await encodeIssue(encoder, read) };
}
