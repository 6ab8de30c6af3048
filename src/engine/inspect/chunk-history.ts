import type { ChunkHistory } from '../../shared/history.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import type { SearchIndex } from '../snapshot/types.ts';

/** Lists the past commits that changed a chunk, newest first. @param limit maximum number of commits */
export function getChunkHistory(index: SearchIndex, slot: number, limit: number): ChunkHistory {
  const { history } = index;
  const chunk = index.getChunk(slot);
  const of = summarizeChunk(chunk);
  if (history === null) return { of, commits: [], hidden: 0, hasHistory: false };
  const definition = history.findDefinition(chunk);
  const commits = definition === undefined ? [] : history.getDefinitionCommits(definition);
  return {
    of,
    commits: commits.slice(0, limit).map((commit) => {
      const { hash, subject, time } = history.getCommit(commit);
      return { commit: hash, subject, time };
    }),
    hidden: Math.max(0, commits.length - limit),
    hasHistory: true,
  };
}
