/** What speaks for a chunk, summed up by family; one colour each, see `--evidence-*` in the tokens. */
import { type Evidence, FAMILIES, type Family } from '../../../shared/evidence.ts';

export interface FamilyShare {
  family: Family;
  /** What its signals add to the score, together; above 0. */
  contribution: number;
}

/**
 * What speaks for a chunk, by family in their fixed order. What speaks against it, and what it merely is, is in the
 * numbers, not here.
 */
export function sharesOf(evidence: Evidence): FamilyShare[] {
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

export const totalOf = (shares: readonly FamilyShare[]): number =>
  shares.reduce((sum, { contribution }) => sum + contribution, 0);
