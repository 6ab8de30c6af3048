import { getOrAdd } from '../../../../shared/get-or-add.ts';
import { quoteText } from '../../../../shared/quote.ts';
import type { IssueLines } from '../../../issue/mentions/paths.ts';
import { getTestedStem } from '../../../source/role.ts';
import { getScore } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { PathMention } from '../../gather/locations.ts';
import { FILE_COVERAGE, FOLDER_COVERAGE } from './coverage.ts';
import { type ExplainedValue, measureEach, measureSlots, withFamily } from './signal.ts';
import { formatCount, formatDecimals, quoteFirst } from './wording.ts';

export const LOCATION_SIGNALS = withFamily('place', [
  /** Mean combined score (similarity and BM25F) of the best three chunks in the chunk's file. */
  {
    name: 'file',
    title: 'Other matches in its file',
    measure(candidates) {
      const means = new Map<string, number>();
      const computeMean = (path: string) => {
        const best = findBestInFile(path, candidates);
        return (
          best.reduce((sum, slot) => sum + getScore(slot, candidates.combinedScores), 0) /
          best.length
        );
      };
      return measureEach(candidates, ({ path }) => getOrAdd(means, path, () => computeMean(path)));
    },
    format: formatDecimals(2),
    explain({ slot, candidates }) {
      const { index } = candidates;
      const { path, qualifiedName } = index.getChunk(slot);
      const best = findBestInFile(path, candidates);
      const others = new Set(best.map((other) => index.getChunk(other).qualifiedName));
      others.delete(qualifiedName);
      if (others.size === 0) return { sentence: 'its whole file matches' };
      const names = [...others].map((name) => quoteText(name));
      return { sentence: `other matches in its file: ${names.join(', ')}` };
    },
  },
  {
    name: 'path',
    title: 'Its path is mentioned',
    impliedBy: 'lines',
    ...measureMention(({ form }) => form !== 'base name', 'path'),
  },
  /**
   * For a chunk at lines that the issue points to, by a link or by line numbers next to a path: 1 / √n for the n chunks at
   * these lines.
   */
  {
    name: 'lines',
    title: 'Its lines are mentioned',
    measure(candidates) {
      const values = new Map<number, number>();
      for (const { slots } of candidates.issue.paths.flatMap((path) => path.lines ?? []))
        for (const slot of slots)
          values.set(slot, Math.max(values.get(slot) ?? 0, 1 / Math.sqrt(slots.length)));
      return measureSlots(candidates, values);
    },
    format: formatDecimals(2),
    explain({ slot, candidates: { issue } }) {
      const mentions = issue.paths.filter((path) => path.lines?.slots.includes(slot));
      const [{ lines } = { lines: null }] = mentions;
      const spans = mentions.map(({ span }) => span);
      return { sentence: `the issue points to ${lines ? describeLines(lines) : 'it'}`, spans };
    },
  },
  /** 1 if the issue mentions the base name of the chunk's file, alone or at the end of a path. */
  {
    name: 'baseName',
    title: 'Its file name is mentioned',
    impliedBy: 'path',
    ...measureMention(({ form }) => form !== 'module', 'file'),
  },
  FILE_COVERAGE,
  FOLDER_COVERAGE,
  /**
   * For a file whose tests are similar to the issue, found by name, such as `cookies.py` for `test_cookies.py`: the score of
   * the most similar test.
   */
  {
    name: 'testFile',
    title: 'Its tests resemble the issue',
    measure(candidates) {
      const likeness = new Map<string, number>();
      for (const { slot, score: own } of candidates.similarTests) {
        const stem = getTestedStem(candidates.index.getChunk(slot).path);
        likeness.set(stem, Math.max(own, likeness.get(stem) ?? 0));
      }
      return measureEach(candidates, ({ path, role }) =>
        role === 'source' ? (likeness.get(getTestedStem(path)) ?? 0) : 0,
      );
    },
    format: formatDecimals(2),
    explain({ slot, candidates: { index, similarTests } }) {
      const stem = getTestedStem(index.getChunk(slot).path);
      const test = similarTests.find(
        (one) => getTestedStem(index.getChunk(one.slot).path) === stem,
      );
      const name = test ? ` ${quoteText(index.getChunk(test.slot).qualifiedName)}` : '';
      return { sentence: `a test of its file resembles the issue:${name}` };
    },
  },
]);

/** Number of best chunks of a file that count. */
const BEST = 3;

/** Returns the best chunks of a file, best first; equal ones in file order. Keeps few, since it runs for every candidate's file. */
function findBestInFile(path: string, { index, combinedScores }: Candidates): number[] {
  const best: number[] = [];
  for (const slot of index.getSlotsByPath(path)) {
    const score = getScore(slot, combinedScores);
    if (score === Number.NEGATIVE_INFINITY) continue;
    let rank = best.length;
    while (rank > 0 && getScore(best[rank - 1] ?? slot, combinedScores) < score) rank--;
    if (rank === BEST) continue;
    best.splice(rank, 0, slot);
    if (best.length > BEST) best.pop();
  }
  return best;
}

const describeLines = ({ first, last }: IssueLines): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`;

/** Returns the members of a signal that is 1 if an accepted mention refers to the chunk's file. */
function measureMention(isAccepted: (mention: PathMention) => boolean, noun: string) {
  return {
    measure(candidates: Candidates) {
      const mentions = candidates.issue.paths.filter(isAccepted);
      const files = new Set(mentions.flatMap((mention) => mention.files));
      return measureEach(candidates, ({ path }) => (files.has(path) ? 1 : 0));
    },
    format: formatCount,
    explain({ slot, candidates: { index, issue } }: ExplainedValue) {
      const { path } = index.getChunk(slot);
      const mentions = issue.paths.filter(
        (mention) => isAccepted(mention) && mention.files.includes(path),
      );
      const spans = mentions.map(({ span }) => span);
      return { sentence: `the issue mentions its ${noun} ${quoteFirst(spans, '')}`, spans };
    },
  };
}
