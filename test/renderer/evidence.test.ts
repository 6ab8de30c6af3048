import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sumByFamily, sumShares } from '../../src/renderer/features/results/evidence.ts';
import type { Family } from '../../src/shared/evidence.ts';
import { evidence } from '../exchange/sample.ts';

const of = (family: Family, contribution: number) =>
  evidence(family, 'Title', { value: 1, contribution });

describe('evidence for a chunk', () => {
  it('is summed by family, in the order of the families', () => {
    const shares = sumByFamily({
      bm25: of('words', 0.5),
      dense: of('meaning', 1),
      title: of('words', 0.25),
      name: of('names', 0.5),
    });
    assert.deepEqual(shares, [
      { family: 'meaning', contribution: 1 },
      { family: 'words', contribution: 0.75 },
      { family: 'names', contribution: 0.5 },
    ]);
    assert.equal(sumShares(shares), 2.25);
  });

  it('leaves out negative contributions and the kind of the chunk', () => {
    assert.deepEqual(
      sumByFamily({
        dense: of('meaning', -1),
        length: of('kind', 2),
        class: of('kind', 1),
        frame: of('location', 0.5),
      }),
      [{ family: 'location', contribution: 0.5 }],
    );
    assert.equal(sumShares(sumByFamily({})), 0);
  });
});
