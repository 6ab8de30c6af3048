/** Filters the versions to choose from by the typed text. */
import type { Revision, Revisions } from '../../../shared/history.ts';

export interface VersionGroup {
  heading: string;
  revisions: readonly Revision[];
}

/** Maximum number of versions in each group. Others can be found by name. */
const MAX_SHOWN = 40;

/** Returns the non-empty groups of matching versions: each typed word occurs in the name, id or message. */
export function filterVersions(
  { branches, tags, commits, named }: Revisions,
  typed: string,
): VersionGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, commit, subject }: Revision) => {
    const text = `${name} ${commit} ${subject}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups: VersionGroup[] = [
    ['Branches', branches] as const,
    ['Tags', tags] as const,
    ['Commits', commits] as const,
  ].map(([heading, all]) => ({ heading, revisions: all.filter(matches).slice(0, MAX_SHOWN) }));
  const isShown = groups.some(({ revisions }) =>
    revisions.some(({ commit }) => commit === named?.commit),
  );
  if (named && !isShown) groups.push({ heading: 'Revision with this name', revisions: [named] });
  return groups.filter(({ revisions }) => revisions.length > 0);
}
