/** Simulates a user who marks chunks of an issue. */
import { MARK_SIGNALS, type MarkedSlots, NO_MARKS } from '../../src/engine/lab.ts';
import { computeScores, listWeights, type Weights } from './linear.ts';
import { makeSample, type Sample, type Snapshot } from './samples.ts';

export const SCENARIOS = ['found one', 'ruled one out', 'both'] as const;
type Scenario = (typeof SCENARIOS)[number];

/** One use of marks: the same search without them and with them. */
export interface Trial {
  scenario: Scenario;
  before: Sample;
  after: Sample;
}

const MARKED_IN_TURN = 3;
/** Returns the weights of the ranker without its mark signals. */
export function clearMarkWeights(byName: Record<string, number>): Weights {
  const ofMarks = new Set<string>(MARK_SIGNALS.map(({ name }) => name));
  return listWeights(
    Object.fromEntries(Object.entries(byName).filter(([name]) => !ofMarks.has(name))),
  );
}

/** Returns the trials of all scenarios for an issue. `weights` rank the candidates, to find what to mark `irrelevant`. */
export function makeTrials(snapshot: Snapshot, weights: Weights): Trial[] {
  const plain = makeSample(snapshot, NO_MARKS);
  const wrong = plain ? findBestUnedited(plain, weights) : undefined;
  if (wrong === undefined) return [];
  const { edited } = snapshot;
  const found = edited.length > 1 ? edited.slice(0, MARKED_IN_TURN) : [];
  const uses: [Scenario, MarkedSlots][] = [
    ['ruled one out', { ...NO_MARKS, irrelevant: [wrong] }],
    ...found.flatMap((slot): [Scenario, MarkedSlots][] => [
      ['found one', { ...NO_MARKS, edit: [slot] }],
      ['both', { ...NO_MARKS, edit: [slot], irrelevant: [wrong] }],
    ]),
  ];
  return uses.flatMap(([scenario, marks]) => {
    const marked = [...marks.edit, ...marks.irrelevant];
    const before = makeSample(snapshot, NO_MARKS, marked);
    const after = makeSample(snapshot, marks, marked);
    return before && after ? [{ scenario, before, after }] : [];
  });
}

/** Returns the slot of the best-ranked chunk that is not edited. */
function findBestUnedited(sample: Sample, weights: Weights): number | undefined {
  const scores = Array.from(computeScores(sample, weights), (score, i) => ({ score, i }));
  const wrong = scores.filter(({ i }) => sample.labels[i] === 0 && sample.places[i]);
  // A stable sort: the first of equal scores wins.
  const [best] = wrong.sort((a, b) => b.score - a.score);
  return best && sample.slots[best.i];
}
