/** Signals by what kind of evidence they are; one colour each, see `--evidence-*` in the tokens. */
import type { Evidence } from '../../../shared/types.ts';

export const FAMILIES = ['meaning', 'words', 'names', 'place', 'calls', 'other'] as const;
export type Family = (typeof FAMILIES)[number];

const FAMILY_OF: Record<string, Family> = {
  dense: 'meaning',
  bm25: 'words',
  title: 'words',
  name: 'names',
  className: 'names',
  path: 'place',
  baseName: 'place',
  frame: 'place',
  file: 'place',
  called: 'calls',
};

export const FAMILY_TITLES: Record<Family, string> = {
  meaning: 'Similar in meaning',
  words: 'Shared words',
  names: 'Named in the issue',
  place: 'Its file or path',
  calls: 'Call graph',
  other: 'Other',
};

export const familyOf = (signal: string): Family => FAMILY_OF[signal] ?? 'other';

export interface FamilyShare {
  family: Family;
  /** What its signals add to the score, together; above 0. */
  contribution: number;
}

/** Signals that say what a chunk is, not why it fits this issue. */
export const SILENT: ReadonlySet<string> = new Set(['length', 'class', 'module', 'role']);

/** What speaks for a chunk, by family in their fixed order. What speaks against it is in the numbers, not here. */
export function sharesOf(evidence: Evidence): FamilyShare[] {
  const sums = new Map<Family, number>();
  for (const [signal, { contribution }] of Object.entries(evidence)) {
    if (contribution <= 0 || SILENT.has(signal)) continue;
    const family = familyOf(signal);
    sums.set(family, (sums.get(family) ?? 0) + contribution);
  }
  return FAMILIES.flatMap((family) => {
    const contribution = sums.get(family);
    return contribution ? [{ family, contribution }] : [];
  });
}

export const totalOf = (shares: readonly FamilyShare[]): number =>
  shares.reduce((sum, { contribution }) => sum + contribution, 0);
