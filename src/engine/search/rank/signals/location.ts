import { assertPresent } from '../../../../shared/assert-present.ts';
import { getOrAdd } from '../../../../shared/get-or-add.ts';
import { quoteText } from '../../../../shared/quote.ts';
import type { IssueLines } from '../../../issue/mentions/paths.ts';
import { getTestedStem } from '../../../source/role.ts';
import { getScore } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { PathMention } from '../../gather/locations.ts';
import { FILE_COVERAGE, FOLDER_COVERAGE } from './coverage.ts';
import { type ExplainedValue, measureEach, measureSlots, withFamily } from './signal.ts';
import { formatScore, formatShare, formatYesOrNo, nameChunk, quoteFirst } from './wording.ts';

export const LOCATION_SIGNALS = withFamily('location', [
  /** Mean combined score (similarity and BM25F) of the best three chunks in the chunk's file. */
  {
    name: 'file',
    title: 'Other matches in this file',
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
    format: formatScore,
    explain({ slot, candidates }) {
      const { index } = candidates;
      const chunk = index.getChunk(slot);
      const best = findBestInFile(chunk.path, candidates);
      const others = new Set(best.map((other) => nameChunk(index.getChunk(other))));
      others.delete(nameChunk(chunk));
      // The chunk is the only one of its file that can be ranked, apart from redefinitions.
      if (others.size === 0) return { sentence: 'the whole file matches' };
      return { sentence: `other matches in this file: ${[...others].join(', ')}` };
    },
  },
  /** 1 if the issue mentions the chunk's file by a path or a module, not only by a base name. */
  {
    name: 'path',
    title: 'Its path is mentioned',
    impliedBy: 'lines',
    ...createMentionSignal(({ form }) => form !== 'base name', 'path'),
  },
  /**
   * 1 / √n for each of the n chunks at lines that the issue points to, by a link or by line numbers next to a path; the largest
   * value if it points to a chunk several times.
   */
  {
    name: 'lines',
    title: 'Its lines are mentioned',
    measure(candidates) {
      const values = new Map<number, number>();
      for (const { slots } of candidates.issue.paths.flatMap((mention) => mention.lines ?? []))
        for (const slot of slots)
          values.set(slot, Math.max(values.get(slot) ?? 0, 1 / Math.sqrt(slots.length)));
      return measureSlots(candidates, values);
    },
    format: formatShare,
    explain({ slot, candidates: { issue } }) {
      const mentions = issue.paths.filter((mention) => mention.lines?.slots.includes(slot));
      const lines = mentions[0]?.lines;
      const spans = mentions.map(({ span }) => span);
      return { sentence: `the issue points to ${lines ? describeLines(lines) : 'it'}`, spans };
    },
  },
  /** 1 if the issue mentions the base name of the chunk's file, alone or at the end of a path. */
  {
    name: 'baseName',
    title: 'Its file name is mentioned',
    impliedBy: 'path',
    ...createMentionSignal(({ form }) => form !== 'module', 'file'),
  },
  FILE_COVERAGE,
  FOLDER_COVERAGE,
  /**
   * Score of the test of this file that is most similar to the issue. A test belongs to the file that its name contains:
   * `test_cookies.py` to `cookies.py`.
   */
  {
    name: 'testFile',
    title: 'A test for this file is similar to the issue',
    measure(candidates) {
      const bestByStem = new Map<string, number>();
      for (const { slot, score } of candidates.similarTests) {
        const stem = getTestedStem(candidates.index.getChunk(slot).path);
        bestByStem.set(stem, Math.max(score, bestByStem.get(stem) ?? 0));
      }
      return measureEach(candidates, ({ path, role }) =>
        role === 'source' ? (bestByStem.get(getTestedStem(path)) ?? 0) : 0,
      );
    },
    format: formatScore,
    explain({ slot, candidates: { index, similarTests } }) {
      const stem = getTestedStem(index.getChunk(slot).path);
      const test = similarTests.find(
        (similar) => getTestedStem(index.getChunk(similar.slot).path) === stem,
      );
      const name = test ? ` ${quoteText(index.getChunk(test.slot).qualifiedName)}` : '';
      return { sentence: `a test for this file is similar to the issue:${name}` };
    },
  },
]);

/** Number of chunks of a file that the `file` signal averages. */
const BEST_COUNT = 3;

/**
 * Returns up to `BEST_COUNT` chunks of a file by combined score, best first; equal ones in file order. Inserts them into a short list
 * instead of sorting all chunks, since it runs for every candidate's file.
 */
function findBestInFile(path: string, { index, combinedScores }: Candidates): number[] {
  const best: number[] = [];
  for (const slot of index.getSlotsByPath(path)) {
    const score = getScore(slot, combinedScores);
    // Chunks that cannot be ranked have this score.
    if (score === Number.NEGATIVE_INFINITY) continue;
    let rank = best.length;
    while (rank > 0 && getScore(assertPresent(best[rank - 1], 'a chunk'), combinedScores) < score)
      rank--;
    if (rank === BEST_COUNT) continue;
    best.splice(rank, 0, slot);
    if (best.length > BEST_COUNT) best.pop();
  }
  return best;
}

const describeLines = ({ first, last }: IssueLines): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`;

/**
 * Creates `measure`, `format` and `explain` of a signal that is 1 if an accepted mention refers to the chunk's file.
 * @param mentioned word for what is mentioned, in the reason
 */
function createMentionSignal(
  isAccepted: (mention: PathMention) => boolean,
  mentioned: 'path' | 'file',
) {
  return {
    measure(candidates: Candidates) {
      const mentions = candidates.issue.paths.filter(isAccepted);
      const files = new Set(mentions.flatMap((mention) => mention.files));
      return measureEach(candidates, ({ path }) => (files.has(path) ? 1 : 0));
    },
    format: formatYesOrNo,
    explain({ slot, candidates: { index, issue } }: ExplainedValue) {
      const { path } = index.getChunk(slot);
      const mentions = issue.paths.filter(
        (mention) => isAccepted(mention) && mention.files.includes(path),
      );
      const spans = mentions.map(({ span }) => span);
      return { sentence: `the issue mentions its ${mentioned} ${quoteFirst(spans, '')}`, spans };
    },
  };
}
