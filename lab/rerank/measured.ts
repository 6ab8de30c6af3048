/** Results of `measure-reranked` for an issue: the ranks of its fix in each list, and the lists themselves. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../../src/base/write-file.ts';
import type { LevelRanks } from '../../src/services/evaluation/metrics.ts';

export interface MeasuredList {
  /** Model and ranker, with versions. */
  system: string;
  ranks: LevelRanks;
  /** Number of reranked results. */
  read: number;
  /** Time of the whole search, and the part of it that reranking took. */
  milliseconds: { search: number; reading: number };
  confidence: number | null;
  /** Addresses of all results, in order. */
  order: string[];
  /** Rows of the first results, and of the edited ones at any rank. */
  rows: Row[];
}

export interface Row {
  rank: number;
  address: string;
  edited: boolean;
  read: boolean;
  score: number;
  /** Evidence by signal: its value, its contribution to the score, and a sentence about the chunk. */
  evidence: Record<string, { value: number; contribution: number; sentence: string | null }>;
}

export interface Measured {
  instance: string;
  repo: string;
  /** Size of the candidate set. */
  chunks: number;
  /** Addresses of the edited chunks. */
  edited: string[];
  seconds: { index: number };
  first: MeasuredList;
  /** Reranked list without a time budget. */
  reranked: MeasuredList;
}

/**
 * Measures an issue and writes the result into a folder, unless the file exists. A stopped command can so continue later.
 * An issue may be named after its repository, `owner/name`.
 * @returns the result, or undefined if the file exists
 */
export async function measureOnce<Made extends Measured | null>(
  folder: string,
  instance: string,
  measure: () => Promise<Made>,
): Promise<Made | undefined> {
  const file = join(folder, `${instance.replaceAll('/', '__')}.json`);
  if (existsSync(file)) return undefined;
  const measured = await measure();
  await writeFileAtomically(file, JSON.stringify(measured));
  return measured;
}
