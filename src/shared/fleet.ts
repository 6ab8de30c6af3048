/** The fleet, all repositories of an organization: its configuration, the state of each repository, and search results. */
import type { RankedChunk, SearchResponse } from './search.ts';

/** Default address of Milvus. */
export const DEFAULT_MILVUS_ADDRESS = 'http://127.0.0.1:19530';

/** Configured location of a fleet. It was not contacted. */
export interface FleetLocation {
  /** Object storage with its list of repositories: a folder, or `s3://…`. */
  objects: string;
  /** Address of Milvus. The words of an issue are sent there. */
  engine: string;
  isLocal: boolean;
}

/** Configuration of the fleet. The engine's token is not part of it. */
export interface FleetConfiguration {
  /** Null if no fleet is configured. */
  location: FleetLocation | null;
  hasToken: boolean;
  /** Environment variables that override the stored configuration. While one is set, windows cannot change it. */
  variables: string[];
}

export interface FleetRepository {
  /** Name in results: `github.com/psf/requests`, or the path of a folder. */
  name: string;
  /** Source of the clone: a URL without user and password, or a folder. */
  url: string;
  /** Indexed branch or tag; null for the host's HEAD. */
  ref: string | null;
  /** Last commit that was indexed completely; null if none was. `at`: ISO 8601, null if unknown. */
  indexed: { commit: string; rows: number; files: number; at: string | null } | null;
  /** True if a worker is indexing it. A worker that was killed counts until its lease ends. */
  working: boolean;
  /** Error code of the last run; null if it succeeded. */
  failure: string | null;
  removing: boolean;
}

/** State of a fleet's repositories, from their list. */
export interface FleetStatus {
  repositories: FleetRepository[];
  /** Number of repositories beyond the requested limit. */
  more: number;
}

/** A result in a repository at a commit. Its path and address are relative to that repository. */
export interface FleetResult extends RankedChunk {
  repository: string;
  /** Indexed branch or tag; null for the host's HEAD. */
  ref: string | null;
  /** Commit that the line numbers refer to. */
  commit: string;
  url: string;
  /** Permalink to its lines; null if the host has no web pages. */
  link: string | null;
}

export interface FleetResponse extends Omit<SearchResponse, 'repository'> {
  /** Totals of the searched repositories; their files are not counted. */
  repository: Omit<SearchResponse['repository'], 'files'>;
  results: FleetResult[];
  fleet: {
    /** Number of repositories that were searched, and of repositories that the caller may not read. */
    searched: number;
    hidden: number;
    /** Number of chunks that the engine found. */
    found: number;
    /** Time of the engine's search, in milliseconds. */
    engineMs: number;
  };
}

/** Answer to a window. `here`: folders of repositories on this machine, by their names in the results. */
export interface FleetAnswer extends FleetResponse {
  localFolders: Record<string, string>;
}

/** Progress of a clone in objects, deltas or files; 0 of 0 while unknown. */
export interface CloneProgress {
  /** Phases in their order. */
  phase: 'asking' | 'receiving' | 'resolving' | 'writing';
  done: number;
  total: number;
}
