/** What `measure:refined` keeps of an issue: where its fix stands in each list, and what the lists are. */
import { join } from 'node:path';
import type { Ranks } from '../../src/services/evaluation/metrics.ts';

export interface MeasuredList {
  /** Model and ranker, with versions. */
  system: string;
  ranks: Ranks;
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
  refined: MeasuredList;
}

/** The file of an issue in a folder. Its name may have its repository's, `owner/name`, in it. */
export const measuredFile = (folder: string, instance: string): string =>
  join(folder, `${instance.replaceAll('/', '__')}.json`);
