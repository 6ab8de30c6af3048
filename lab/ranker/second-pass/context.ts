/**
 * What the first ranking says of a candidate's surroundings: evidence for the second pass, which sees the candidates
 * together. All values come from the first pass's scores; these are log-odds of being edited, as the ranker is fitted
 * by likelihood, so their softmax is a share of the probability.
 */
import { shares } from '../../../src/engine/search/confidence.ts';
import { at } from '../at.ts';
import type { Surroundings } from './surroundings.ts';

export const CONTEXT_NAMES = [
  'first',
  'firstShare',
  'aboveIt',
  'inFile',
  'fileShare',
  'fileRest',
  'fileBest',
  'folderShare',
  'classShare',
  'classBest',
  'enclosing',
  'members',
  'callers',
  'callersShare',
  'callees',
  'calleesShare',
  'sameName',
  'sameNames',
] as const;
export type ContextName = (typeof CONTEXT_NAMES)[number];

/** Columns by candidate; scores are relative to the best one, NaN where a candidate has no such neighbour. */
export function contextOf(
  surroundings: Surroundings,
  scores: Float64Array,
): Record<ContextName, Float64Array> {
  const { file, folder, name, parent, calls } = surroundings;
  const classes = surroundings.class;
  const n = scores.length;
  const best = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const first = scores.map((score) => score - best);
  const share = shares(first);
  const order = Array.from(first.keys()).sort((a, b) => at(first, b) - at(first, a) || a - b);
  const inFile = grouped(file, first, share, order);
  const inFolder = grouped(folder, first, share, order);
  const inClass = grouped(classes, first, share, order);
  const named = grouped(name, first, share, order);
  const rank = new Float64Array(n);
  for (const [place, i] of order.entries()) rank[i] = place;

  const missing = () => new Float64Array(n).fill(Number.NaN);
  const members = missing();
  const enclosing = missing();
  for (const [i, p] of parent.entries()) {
    if (p < 0) continue;
    enclosing[i] = at(first, p);
    members[p] = larger(at(members, p), at(first, i));
  }
  const callers = missing();
  const callees = missing();
  const callersShare = new Float64Array(n);
  const calleesShare = new Float64Array(n);
  for (let c = 0; c < calls.length; c += 2) {
    const [from, to] = [at(calls, c), at(calls, c + 1)];
    callers[to] = larger(at(callers, to), at(first, from));
    callees[from] = larger(at(callees, from), at(first, to));
    callersShare[to] = at(callersShare, to) + at(share, from);
    calleesShare[from] = at(calleesShare, from) + at(share, to);
  }
  return {
    first,
    firstShare: share,
    aboveIt: rank.map((place) => Math.log(1 + place)),
    inFile: inFile.above,
    fileShare: inFile.share,
    fileRest: inFile.share.map((of, i) => of - at(share, i)),
    fileBest: inFile.best,
    folderShare: inFolder.share,
    classShare: inClass.share,
    classBest: inClass.best,
    enclosing,
    members,
    callers,
    callersShare,
    callees,
    calleesShare,
    sameName: named.best,
    sameNames: named.size,
  };
}

function larger(a: number, b: number): number {
  return a >= b ? a : b;
}

/**
 * By candidate, of the group it is in: the share of the whole group, the best score of the others (NaN without any),
 * how many of the group stand above it, and the group's size.
 */
function grouped(
  group: Int32Array,
  scores: Float64Array,
  share: Float64Array,
  order: readonly number[],
) {
  const n = scores.length;
  const sums = new Float64Array(n);
  const sizes = new Int32Array(n);
  const bests = new Int32Array(n).fill(-1);
  const seconds = new Int32Array(n).fill(-1);
  const above = new Float64Array(n);
  for (const i of order) {
    const g = at(group, i);
    const size = at(sizes, g);
    above[i] = size;
    if (size === 0) bests[g] = i;
    else if (size === 1) seconds[g] = i;
    sizes[g] = size + 1;
    sums[g] = at(sums, g) + at(share, i);
  }
  return {
    above,
    share: Float64Array.from(group, (g) => at(sums, g)),
    size: Float64Array.from(group, (g) => at(sizes, g)),
    best: Float64Array.from(group, (g, i) => {
      const other = at(bests[g] === i ? seconds : bests, g);
      return other < 0 ? Number.NaN : at(scores, other);
    }),
  };
}
