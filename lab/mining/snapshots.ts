/** Chooses the commits of a repository's history whose code is read completely. */

import { listMainline } from '../../src/engine/lab.ts';

export interface Snapshot {
  /** Number of the snapshot; 0 is the newest. */
  number: number;
  commit: string;
  /** Commit time in seconds since 1970. */
  time: number;
}

/** Position of each snapshot, as a share of the way back along the first parents. */
const PLACES = [0, 0.25, 0.5];

/** Returns a commit and those a quarter and half of the way back along its first parents, without duplicates. */
export async function findSnapshots(
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

/** Returns the number of the snapshot nearest in time; if two are equally near, the newer one. */
export function findNearestSnapshot(snapshots: readonly Snapshot[], time: number): number {
  const distance = (snapshot: Snapshot) => Math.abs(snapshot.time - time);
  return snapshots.reduce((a, b) => (distance(b) < distance(a) ? b : a)).number;
}
