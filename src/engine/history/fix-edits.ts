/** Reads what one fix edits, and the names of the definitions that it touches. */
import type { FixCandidate } from './fix-candidates.ts';
import { type FixPatch, readFixPatches } from './fix-patches.ts';
import { readCommits } from './read-commits.ts';

export interface FixEdits extends Pick<FixPatch, 'edits' | 'formattingOnly'> {
  /** Last parts of the names of all definitions with added or removed lines, those in new files and tests included. */
  names: string[];
}

/** Reads a fix; null if its patch is too large. Rejects with `GitFailure` and LocusError `cancelled`. */
export async function readFixEdits(
  root: string,
  candidate: FixCandidate,
  signal?: AbortSignal,
): Promise<FixEdits | null> {
  const { commit } = candidate;
  const patch = (await readFixPatches(root, [candidate], signal)).get(commit);
  if (!patch) return null;
  const names = new Set<string>();
  for await (const commits of readCommits(root, [commit], signal)) {
    const definitions = commits.flatMap(({ edits }) => edits.flatMap((edit) => edit.definitions));
    for (const name of definitions) names.add(name.split(/[.:#]/).at(-1) ?? name);
  }
  const { edits, formattingOnly } = patch;
  return { edits, formattingOnly, names: [...names] };
}
