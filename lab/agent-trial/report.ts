/** Prints what a trial measured: a row for each arm, and differences between arms, paired by issue. */
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import {
  createRandom,
  estimateMean,
  mean,
  median,
  runRandomizationTest,
} from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { Outcome } from './outcome.ts';
import { ARMS, type Arm } from './tools.ts';

/** A measure of an attempt. */
interface Measure {
  name: string;
  of(outcome: Outcome): number;
}

const isFound = (rank: number | null): rank is number => rank !== null;

const SHARES: readonly Measure[] = [
  { name: 'a right one first', of: ({ ranks }) => Number(ranks.includes(1)) },
  { name: 'any right', of: ({ ranks }) => Number(ranks.some(isFound)) },
  { name: 'all right', of: ({ ranks }) => Number(ranks.every(isFound)) },
];

const COSTS: readonly Measure[] = [
  { name: 'commands', of: ({ calls }) => calls },
  { name: 'kB returned', of: ({ bytes }) => bytes / 1000 },
  { name: 'seconds', of: ({ seconds }) => seconds },
  { name: 'tokens', of: ({ tokens }) => tokens ?? Number.NaN },
];

/** Pairs of arms to compare: the first minus the second. */
const COMPARED: readonly [Arm, Arm][] = [
  ['locus', 'rg'],
  ['placebo', 'rg'],
  ['locus', 'placebo'],
];

const RESAMPLES = 10_000;

/**
 * Returns the ratio of two sums of paired values, and its 95% interval by resampling the pairs (Efron & Tibshirani, 1993).
 * @returns NaN if the second sum is 0
 */
export function estimateRatio(pairs: readonly (readonly [number, number])[]) {
  const divide = (some: readonly (readonly [number, number])[]) =>
    some.reduce((sum, [a]) => sum + a, 0) / some.reduce((sum, [, b]) => sum + b, 0);
  const random = createRandom(1);
  const pick = () => assertPresent(pairs[Math.floor(random() * pairs.length)], 'a pair');
  const ratios = Float64Array.from({ length: RESAMPLES }, () => divide(pairs.map(pick))).sort();
  const at = (share: number) => assertPresent(ratios[Math.floor(share * (RESAMPLES - 1))], 'one');
  return { ratio: divide(pairs), low: at(0.025), high: at(0.975) };
}

const format = (value: number): string =>
  Number.isNaN(value) ? '' : value.toFixed(Math.abs(value) < 10 ? 2 : 0);

/** Returns the lines of the report. Only issues that all arms finished count. */
export function formatReport(outcomes: readonly Outcome[]): string[] {
  const byIssue = Map.groupBy(outcomes, ({ instance }) => instance);
  const arms = ARMS.filter((arm) => outcomes.some((one) => one.arm === arm));
  const complete = [...byIssue.values()].filter((some) => some.length === arms.length);
  if (complete.length === 0) return ['No issue is finished in all arms.'];
  const listArm = (arm: Arm) =>
    complete.map((some) =>
      assertPresent(
        some.find((one) => one.arm === arm),
        'an outcome',
      ),
    );
  const compared = COMPARED.filter((pair) => pair.every((arm) => arms.includes(arm)));
  return [
    `${complete.length} issues, each in ${arms.length} arms. Costs are means, medians in brackets.`,
    '',
    ...formatArms(arms, listArm),
    '',
    'Differences paired by issue, with 95% intervals by resampling issues.',
    '',
    ...formatDifferences(compared, listArm),
  ];
}

function formatArms(arms: readonly Arm[], listArm: (arm: Arm) => Outcome[]): string[] {
  const rows = arms.map((arm) => {
    const list = listArm(arm);
    const shares = SHARES.map(({ of }) => `${list.filter((one) => of(one) === 1).length}`);
    const costs = COSTS.map(({ of }) => {
      const values = list.map(of).filter((value) => !Number.isNaN(value));
      return values.length === 0 ? '' : `${format(mean(values))} (${format(median(values))})`;
    });
    const unanswered = list.filter(({ ending }) => ending !== 'answered').length;
    return [arm, ...shares, ...costs, String(unanswered)];
  });
  const names = [...SHARES, ...COSTS].map(({ name }) => name);
  return formatMarkdownTable(['arm', ...names, 'not answered'], rows);
}

function formatDifferences(
  compared: readonly [Arm, Arm][],
  listArm: (arm: Arm) => Outcome[],
): string[] {
  const rows = compared.flatMap(([one, other]) => {
    const pairMeasure = ({ of }: Measure) => {
      const others = listArm(other).map(of);
      return listArm(one).map((outcome, i): [number, number] => [of(outcome), others[i] ?? 0]);
    };
    const measured = [...SHARES, ...COSTS].map((measure) => ({
      measure,
      pairs: pairMeasure(measure).filter((pair) => !pair.some(Number.isNaN)),
    }));
    return measured
      .filter(({ pairs }) => pairs.length > 0)
      .map(({ measure, pairs }) => {
        const differences = pairs.map(([a, b]) => a - b);
        const { mean: difference, interval } = estimateMean(differences);
        const { ratio, low, high } = estimateRatio(pairs);
        const isCost = COSTS.includes(measure);
        return [
          `${one} − ${other}`,
          measure.name,
          format(difference),
          interval.map(format).join(' to '),
          isCost ? `${percent(ratio)} (${percent(low)} to ${percent(high)})` : '',
          runRandomizationTest(differences).toFixed(3),
        ];
      });
  });
  return formatMarkdownTable(['arms', 'measure', 'difference', '95%', 'ratio', 'p'], rows);
}

const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
