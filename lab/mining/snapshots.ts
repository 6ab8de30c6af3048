/** The points in a repository's history that stand for its code at a time. */

import { listMainline } from '../../src/engine/lab.ts';

export interface Snapshot {
  /** 0 is the newest. */
  number: number;
  commit: string;
  /** Committer's time, seconds since 1970. */
  time: number;
}

/** How far back along the first parents each snapshot lies. */
const PLACES = [0, 0.25, 0.5];

/** A commit and those a quarter and half of the way back along its first parents; fewer when those are the same. */
export async function snapshotsOf(
  root: string,
  head: string,
  signal?: AbortSignal,
): Promise<Snapshot[]> {
  const mainline = await listMainline(root, head, signal);
  const places = [...new Set(PLACES.map((place) => Math.floor(place * mainline.length)))];
  return places.flatMap((place, number) => {
    const past = mainline[place];
    return past ? [{ number, ...past }] : [];
  });
}

/** The number of the snapshot nearest in time, of two as near the newer. */
export function nearestSnapshot(snapshots: readonly Snapshot[], time: number): number {
  const distance = (snapshot: Snapshot) => Math.abs(snapshot.time - time);
  return snapshots.reduce((a, b) => (distance(b) < distance(a) ? b : a)).number;
}
