/** Shared indexes: their configured source and the last download, as the settings show them. */
import { LocusError } from './errors.ts';

/** Size of the largest part of a shared index in bytes, before it is compressed. */
export const MAX_PART_BYTES = 64 * 2 ** 20;

/** Returns an error about a shared index that was rejected. @param why reason, a clause without a period. */
export function sharedIndexError(
  why: string,
  remedy = 'Publish it again with the same version of Locus.',
): LocusError {
  return new LocusError('bad-objects', `The shared index was rejected: ${why}.`, remedy);
}

export interface PullReport {
  /** Commit of the downloaded index. */
  commit: string;
  /** Number of commits from it to the checked-out one. */
  behind: number;
  from: string;
  files: number;
  chunks: number;
  parts: number;
  bytes: number;
  /** True if it contains embeddings of the model in use. */
  embeddings: boolean;
}

/** The last attempt to download an index. */
export interface LastPull {
  /** ISO 8601. */
  at: string;
  /** Folder of its repository. */
  root: string;
  /** Null if no index of a recent commit is published, or the download failed. */
  taken: PullReport | null;
  failure: { message: string; remedy: string } | null;
}

export interface SharedIndexState {
  /** A folder, `s3://bucket/prefix` or `https://host/path`; null if none is configured. */
  from: string | null;
  /** Public keys of trusted publishers: `ed25519:` and the key itself, which is as short as a fingerprint. */
  keys: string[];
  /** Public key of this machine's own publisher, which is trusted too; null if none exists. */
  ownKey: string | null;
  lastPull: LastPull | null;
}
