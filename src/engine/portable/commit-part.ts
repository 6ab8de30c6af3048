/** Commits of the history as a part: newest first, those that say nothing of the code by their ids alone. */
import { z } from 'zod';
import type { Commit } from '../history/types.ts';
import { parsePart, plainPath } from './part.ts';

const id = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const edit = z.tuple([plainPath, z.union([plainPath, z.null()]), z.array(z.string())]);
const commit = z.union([
  z.tuple([id, z.int(), z.string().max(10_000), z.array(edit).min(1)]),
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
  return parsePart(bytes, z.array(commit), 'commits').map(
    ([hash, time = 0, message = '', edits = []]) => ({
      hash,
      time,
      message,
      edits: edits.map(([path, from, definitions]) => ({ path, from, definitions })),
    }),
  );
}
