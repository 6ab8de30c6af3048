/** Versions to choose from, by what was typed. */
import type { Revision, Revisions } from '../../../shared/history.ts';

export interface VersionGroup {
  heading: string;
  revisions: readonly Revision[];
}

/** Versions listed in each group. Others are found by their names. */
const SHOWN = 40;

/** The groups with anything in them: every word that was typed stands in the name, the id or the message. */
export function versionsFor(
  { branches, tags, commits, named }: Revisions,
  typed: string,
): VersionGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name, commit, subject }: Revision) => {
    const text = `${name} ${commit} ${subject}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups: VersionGroup[] = [
    ['Branches', branches] as const,
    ['Tags', tags] as const,
    ['Commits', commits] as const,
  ].map(([heading, all]) => ({ heading, revisions: all.filter(fits).slice(0, SHOWN) }));
  const shown = groups.some(({ revisions }) =>
    revisions.some(({ commit }) => commit === named?.commit),
  );
  if (named && !shown) groups.push({ heading: 'By this name', revisions: [named] });
  return groups.filter(({ revisions }) => revisions.length > 0);
}
