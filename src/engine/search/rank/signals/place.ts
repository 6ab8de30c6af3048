import { getOrAdd } from '../../../../shared/get-or-add.ts';
import { quoted } from '../../../../shared/quoted.ts';
import type { NamedLines } from '../../../issue/mentions/paths.ts';
import { testedStem } from '../../../source/role.ts';
import { scoreAt } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import type { PathMention } from '../../gather/locations.ts';
import { FILE_COVERAGE, FOLDER_COVERAGE } from './coverage.ts';
import { type ExplainedValue, measureEach, measureSlots, withFamily } from './signal.ts';
import { asCount, asNumber, quoteFirst } from './wording.ts';

export const PLACE_SIGNALS = withFamily('place', [
  /** Mean `first` score (similarity and BM25F) of the best three chunks in the chunk's file. */
  {
    name: 'file',
    title: 'Its file fits',
    measure(candidates) {
      const means = new Map<string, number>();
      const meanOf = (path: string) => {
        const best = bestInFile(path, candidates);
        return best.reduce((sum, slot) => sum + scoreAt(slot, candidates.first), 0) / best.length;
      };
      return measureEach(candidates, ({ path }) => getOrAdd(means, path, () => meanOf(path)));
    },
    format: asNumber(2),
    explain({ slot, candidates }) {
      const { index } = candidates;
      const best = bestInFile(index.chunk(slot).path, candidates);
      const names = best.map((one) => quoted(index.chunk(one).qualifiedName));
      return { sentence: `its file fits, with ${names.join(', ')}` };
    },
  },
  {
    name: 'path',
    title: 'Its path is named',
    impliedBy: 'lines',
    ...namedBy(({ by }) => by !== 'base name', 'path'),
  },
  /**
   * For a chunk at lines that the issue points at, by a link or by line numbers beside a path: 1 / root of the number of
   * chunks at these lines.
   */
  {
    name: 'lines',
    title: 'Its lines are named',
    measure(candidates) {
      const values = new Map<number, number>();
      for (const { slots } of candidates.issue.paths.flatMap((path) => path.lines ?? []))
        for (const slot of slots)
          values.set(slot, Math.max(values.get(slot) ?? 0, 1 / Math.sqrt(slots.length)));
      return measureSlots(candidates, values);
    },
    format: asNumber(2),
    explain({ slot, candidates: { issue } }) {
      const naming = issue.paths.filter((path) => path.lines?.slots.includes(slot));
      const [{ lines: named } = { lines: null }] = naming;
      const spans = naming.map(({ span }) => span);
      return { sentence: `the issue points at ${named ? inWords(named) : 'it'}`, spans };
    },
  },
  /** 1 where the issue has the base name of the chunk's file, alone or at the end of a path. */
  {
    name: 'baseName',
    title: 'Its file’s name is named',
    impliedBy: 'path',
    ...namedBy(({ by }) => by !== 'module', 'file'),
  },
  FILE_COVERAGE,
  FOLDER_COVERAGE,
  /**
   * For a file that tests like the issue are named after, `cookies.py` for `test_cookies.py`: how much the best of them is
   * like it.
   */
  {
    name: 'testFile',
    title: 'Tests of its file are like the issue',
    measure(candidates) {
      const likeness = new Map<string, number>();
      for (const { slot, likeness: own } of candidates.tests) {
        const stem = testedStem(candidates.index.chunk(slot).path);
        likeness.set(stem, Math.max(own, likeness.get(stem) ?? 0));
      }
      return measureEach(candidates, ({ path, role }) =>
        role === 'source' ? (likeness.get(testedStem(path)) ?? 0) : 0,
      );
    },
    format: asNumber(2),
    explain({ slot, candidates: { index, tests } }) {
      const stem = testedStem(index.chunk(slot).path);
      const test = tests.find((one) => testedStem(index.chunk(one.slot).path) === stem);
      const name = test ? quoted(index.chunk(test.slot).qualifiedName) : 'a test';
      return { sentence: `${name} of its file is like the issue` };
    },
  },
]);

const BEST = 3;

/** Returns the best chunks of a file, of equal ones the first in the file. Indexed, as it looks through every candidate's file. */
function bestInFile(path: string, { index, first }: Candidates): number[] {
  const best: number[] = [];
  for (const slot of index.slotsByPath(path)) {
    const score = scoreAt(slot, first);
    if (score === Number.NEGATIVE_INFINITY) continue;
    let place = best.length;
    while (place > 0 && scoreAt(best[place - 1] ?? slot, first) < score) place--;
    if (place === BEST) continue;
    best.splice(place, 0, slot);
    if (best.length > BEST) best.pop();
  }
  return best;
}

const inWords = ({ first, last }: NamedLines): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`;

/** A signal that is 1 where the issue has the chunk's file, by a mention that counts. */
function namedBy(counts: (mention: PathMention) => boolean, what: string) {
  return {
    measure(candidates: Candidates) {
      const mentions = candidates.issue.paths.filter(counts);
      const files = new Set(mentions.flatMap((mention) => mention.files));
      return measureEach(candidates, ({ path }) => (files.has(path) ? 1 : 0));
    },
    format: asCount,
    explain({ slot, candidates: { index, issue } }: ExplainedValue) {
      const { path } = index.chunk(slot);
      const naming = issue.paths.filter(
        (mention) => counts(mention) && mention.files.includes(path),
      );
      const spans = naming.map(({ span }) => span);
      return { sentence: `its ${what} ${quoteFirst(spans, '')} in the issue`, spans };
    },
  };
}
