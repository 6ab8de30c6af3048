import type { IndexPhase } from '../../../shared/indexing.ts';

/** What indexing does, for people. */
export const PHASES: Record<IndexPhase, string> = {
  download: 'Taking the shared index',
  scan: 'Listing files',
  parse: 'Reading files',
  graph: 'Following calls',
  encode: 'Embedding functions',
  read: 'Reading functions in advance',
  history: 'Reading history',
};
