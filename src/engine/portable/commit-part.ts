/** Encodes commits of the history as a part: newest first, those that edit no indexed code as ids only. */
import { z } from 'zod';
import { boundedList, wellFormed } from '../../base/bounded-json.ts';
import type { Commit } from '../history/types.ts';
import { MAX_FILE_BYTES } from '../source/limits.ts';
import { parsePart, plainPath } from './part.ts';

/** Maximum number of commits in a part, edits in a commit and chunks in an edit. History keeps fewer of each. */
const MAX_ITEMS = 100_000;
/** Maximum number of seconds before or after 1970 that a `Date` can represent. */
const MAX_SECONDS = 8.64e12;

const id = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const edit = z.tuple([
  plainPath,
  z.union([plainPath, z.null()]),
  boundedList(wellFormed(MAX_FILE_BYTES), MAX_ITEMS),
]);
const commit = z.union([
  z.tuple([
    id,
    z.int().min(-MAX_SECONDS).max(MAX_SECONDS),
    wellFormed(10_000),
    boundedList(edit, MAX_ITEMS).refine((edits) => edits.length > 0),
  ]),
  z.tuple([id]),
]);

type PackedCommit = z.infer<typeof commit>;

export function encodeCommits(commits: readonly Commit[]): Buffer {
  const packed = commits.map(
    ({ hash, time, message, edits }): PackedCommit =>
      edits.length === 0
        ? [hash]
        : [
            hash,
            time,
            message,
            edits.map(({ path, from, definitions }) => [path, from, definitions]),
          ],
  );
  return Buffer.from(JSON.stringify(packed));
}

/** @throws LocusError `bad-objects` */
export function decodeCommits(bytes: Buffer): Commit[] {
  return parsePart(bytes, boundedList(commit, MAX_ITEMS), 'commits').map(
    ([hash, time = 0, message = '', edits = []]) => ({
      hash,
      time,
      message,
      edits: edits.map(([path, from, definitions]) => ({ path, from, definitions })),
    }),
  );
}
