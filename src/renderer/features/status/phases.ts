import type { IndexPhase } from '../../../shared/indexing.ts';

export const INDEX_PHASE_LABELS: Record<IndexPhase, string> = {
  download: 'Downloading shared index',
  scan: 'Listing files',
  parse: 'Parsing files',
  graph: 'Resolving calls',
  encode: 'Embedding functions',
  history: 'Reading history',
  embed: 'Embedding functions in the background',
  rerank: 'Reranking',
};

/** Returns a duration such as `40 s` or `3 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}
