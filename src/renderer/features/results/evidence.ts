/** Evidence for a chunk, summed by family. Each family has a color, see `--evidence-*` in the tokens. */
import { type Evidence, FAMILIES, FAMILY_TITLES, type Family } from '../../../shared/evidence.ts';

export interface FamilyShare {
  family: Family;
  /** Sum of its signals' contributions to the score; above 0. */
  contribution: number;
}

/**
 * Sums the positive contributions by family, in the fixed order of families. Leaves out negative contributions and the family
 * `kind`, which is independent of the issue.
 */
export function sumByFamily(evidence: Evidence): FamilyShare[] {
  const sums = new Map<Family, number>();
  for (const { family, contribution } of Object.values(evidence)) {
    if (contribution <= 0 || family === 'kind') continue;
    sums.set(family, (sums.get(family) ?? 0) + contribution);
  }
  return FAMILIES.flatMap((family) => {
    const contribution = sums.get(family);
    return contribution ? [{ family, contribution }] : [];
  });
}

export const sumShares = (shares: readonly FamilyShare[]): number =>
  shares.reduce((sum, { contribution }) => sum + contribution, 0);

/** Returns `Evidence: shared words 62%, named in the issue 38%`, the largest share first. */
export function describeShares(shares: readonly FamilyShare[]): string {
  if (shares.length === 0) return 'No evidence from the issue';
  const total = sumShares(shares);
  const parts = shares
    .toSorted((a, b) => b.contribution - a.contribution)
    .map(({ family, contribution }) => {
      const title = FAMILY_TITLES[family];
      const percent = Math.max(1, Math.round((100 * contribution) / total));
      return `${title.charAt(0).toLowerCase()}${title.slice(1)} ${percent}%`;
    });
  return `Evidence: ${parts.join(', ')}`;
}
