/** Finds the functions that an agent named beyond the candidates, in this index alone. */
import type { RankedChunk } from '../../shared/search.ts';
import type { Answer } from '../check/answer.ts';
import type { Candidate, CheckableRanking } from '../check/candidates.ts';
import { MAX_MORE } from '../check/look-again.ts';

/**
 * Adds the chunks that the agent gave as missing, by their path and name or by their qualified name. The checked order has them
 * right behind the candidates to edit, and they get the same verdict.
 */
export async function addNamedChunks(
  { search }: Pick<CheckableRanking, 'search'>,
  candidates: readonly Candidate[],
  answer: Answer,
): Promise<{ candidates: readonly Candidate[]; answer: Answer }> {
  if (answer.missing.length === 0) return { candidates, answer };
  const known = new Set(candidates.map(({ chunk }) => chunk.address));
  const found = await search(answer.missing.join('\n'), known.size + MAX_MORE.found);
  const named = found.filter(
    (chunk) => !known.has(chunk.address) && answer.missing.some((text) => isNamedBy(chunk, text)),
  );
  const indexes = named.map((_, at) => candidates.length + at);
  const edits = new Map([...answer.edits, ...indexes.map((index) => [index, ''] as const)]);
  return {
    candidates: [
      ...candidates,
      ...named.map((chunk) => ({ chunk, excerpt: '', calls: [], overrides: [] })),
    ],
    answer: {
      ...answer,
      edits,
      order: [...new Set([...answer.edits.keys(), ...indexes, ...answer.order])],
    },
  };
}

/** Returns true if a text is the qualified name of a chunk, or its path and its name, in either order. */
function isNamedBy({ path, name, qualifiedName }: RankedChunk, text: string): boolean {
  const words = new Set(text.split(/::|[\s,:()`'"]+/).filter((word) => word !== ''));
  if (words.has(qualifiedName) && qualifiedName !== name) return true;
  return words.has(path) && (words.has(name) || words.has(qualifiedName));
}
