import type { IndexPhase } from '../../../shared/indexing.ts';

export const PHASES: Record<IndexPhase, string> = {
  download: 'Taking the shared index',
  scan: 'Listing files',
  parse: 'Reading files',
  graph: 'Following calls',
  encode: 'Embedding functions',
  read: 'Reading functions in advance',
  history: 'Reading history',
};

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}
