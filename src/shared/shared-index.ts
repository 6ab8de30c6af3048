/** From where published indexes are taken, as the settings show it. */
import { LocusError } from './errors.ts';

/** Size of the largest part of a shared index in bytes, before it is compressed. */
export const MAX_PART_BYTES = 64 * 2 ** 20;

/** Returns the error for a shared index that is refused, and says why. */
export function refusal(
  what: string,
  remedy = 'publish it again, with the same version of Locus',
): LocusError {
  return new LocusError('bad-objects', `the shared index is refused: ${what}`, remedy);
}

export interface PullReport {
  /** The one that was taken; commits between it and what is checked out. */
  commit: string;
  behind: number;
  from: string;
  files: number;
  chunks: number;
  parts: number;
  bytes: number;
  /** Whether it has embeddings of the model that is used here. */
  embeddings: boolean;
}

/** The last time that an index was looked for. */
export interface LastPull {
  /** ISO 8601. */
  at: string;
  /** The repository that it was for. */
  root: string;
  /** Null where nothing near was published, or it failed. */
  taken: PullReport | null;
  failure: { message: string; remedy: string } | null;
}

export interface SharedIndexState {
  /** A folder, `s3://bucket/prefix` or `https://host/path`; null while none is set up. */
  from: string | null;
  /** Of the publishers that are trusted: `ed25519:` and the key itself, which is no longer than a fingerprint. */
  keys: string[];
  /** Of who publishes from this machine, which is trusted too; null where nobody does. */
  own: string | null;
  last: LastPull | null;
}
