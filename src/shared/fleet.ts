/** All repositories of a company, as windows show them: what is set up, what became of each, and what was found. */
import type { RankedChunk, SearchResponse } from './search.ts';

/** Milvus' address, unless another one is said. */
export const DEFAULT_ENGINE = 'http://127.0.0.1:19530';

/** Where a fleet is. Nothing was reached to know it. */
export interface FleetPlaces {
  /** Where its list is: a folder, or `s3://…`. */
  objects: string;
  /** Milvus' address, which the words of an issue go to. */
  engine: string;
  isLocal: boolean;
}

/** What is set up. The token of the engine stays where it is. */
export interface FleetSetUp {
  /** Null for no fleet. */
  places: FleetPlaces | null;
  hasToken: boolean;
  /** The variables of the environment that are set, which go before what is stored; while one is, no window changes it. */
  variables: string[];
}

export interface FleetRepository {
  /** What it is called in results: `github.com/psf/requests`, or the path of a folder. */
  name: string;
  /** What is cloned: an address without user and password, or a folder. */
  url: string;
  /** A branch or tag; null for what the host has as HEAD. */
  ref: string | null;
  /** The commit that is stored whole; null before the first. `at`: ISO 8601, null where nobody noted it. */
  indexed: { commit: string; rows: number; files: number; at: string | null } | null;
  /** Whether a worker has it now, as far as its state says: one that was killed has it until its lease ends. */
  working: boolean;
  /** The code of what the last run failed with; null where it went well. */
  failure: string | null;
  removing: boolean;
}

/** What became of a fleet's repositories, as their list says. */
export interface FleetStatus {
  repositories: FleetRepository[];
  /** Repositories beyond those that were asked for: of them nothing is said. */
  more: number;
}

/** A result, in a repository at a commit. Its path and its address are those in its repository. */
export interface FleetResult extends RankedChunk {
  repository: string;
  /** The branch or tag that is indexed; null for what the host has as HEAD. */
  ref: string | null;
  /** At which its lines are as they are said to be. */
  commit: string;
  url: string;
  /** Its lines on the repository's host; null where that has no pages. */
  link: string | null;
}

export interface FleetResponse extends Omit<SearchResponse, 'repository'> {
  /** All that were searched; nobody counts their files. */
  repository: Omit<SearchResponse['repository'], 'files'>;
  results: FleetResult[];
  fleet: {
    /** Repositories that were searched, and those of the fleet that the caller may not read. */
    searched: number;
    hidden: number;
    /** What the engine found, and how long it took, in milliseconds. */
    found: number;
    engineMs: number;
  };
}

/** What a window gets: `here` has folders of repositories that are on this machine, by their names in the results. */
export interface FleetAnswer extends FleetResponse {
  here: Record<string, string>;
}

/** How far a clone is: objects, deltas or files; 0 of 0 while it is not known. */
export interface CloneProgress {
  /** In this order. */
  phase: 'asking' | 'receiving' | 'resolving' | 'writing';
  done: number;
  total: number;
}
