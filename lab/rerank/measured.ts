/** Results of `measure-reranked` for an issue: the ranks of its fix in each list, and the lists themselves. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../../src/base/write-file.ts';
import type { LevelRanks } from '../../src/services/evaluation/metrics.ts';

export interface MeasuredList {
  /** Model and ranker, with versions. */
  system: string;
  ranks: LevelRanks;
  /** How many results were read. */
  read: number;
  /** Of the search, and of these what the second step took. */
  milliseconds: { search: number; reading: number };
  confidence: number | null;
  /** Addresses, as many as a search gives. */
  order: string[];
  /** Of the first results, and of the edited ones wherever they stand. */
  rows: Row[];
}

export interface Row {
  rank: number;
  address: string;
  edited: boolean;
  read: boolean;
  score: number;
  /** By signal: as measured, what it adds to the score, and what it says of the chunk. */
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
  /** With all read that is ever read, however long it takes. */
  reranked: MeasuredList;
}

/**
 * Measures an issue and writes that into a folder, unless it is there: a command that was stopped goes on with what is
 * missing. An issue may be named after its repository, `owner/name`.
 * @returns what was measured; undefined where it was there
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
