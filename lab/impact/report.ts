/**
 * Prints how good the suggestions of `impact` are: `npm run -s lab -- impact-report --choose <jsonl> --report <jsonl>`
 *
 * Both files are output of `impact-trials`, of different repositories. The precision of each reason, by bands of its strength, is measured on
 * the first; suggestions are ordered by it, and measured on the second. Each commit counts the same; intervals are 95 % and drawn
 * over repositories.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseJsonLines } from '../../src/services/evaluation/dataset.ts';
import { createRandom } from '../../src/services/evaluation/statistics.ts';
import { IMPACT_REASONS, MIN_STRENGTH } from '../../src/shared/impact.ts';
import { type Suggestion, type Trial, trial } from './trial.ts';

const option = { type: 'string' } as const;
const { values } = parseArgs({ options: { choose: option, report: option } });
if (!values.choose || !values.report) {
  console.error('usage: npm run -s lab -- impact-report --choose <jsonl> --report <jsonl>');
  process.exit(2);
}
const read = (file: string): Trial[] => [
  ...parseJsonLines(readFileSync(file, 'utf8'), file, trial, 'Use impact-trials.'),
];
const [chosen, reported] = [read(values.choose), read(values.report)];

/** Lower bounds of the bands of strength, for reasons that have one. */
const BANDS: Readonly<Record<string, readonly number[]>> = {
  changed: [0, 0.05, 0.1, 0.2, 0.4],
  similar: [0.6, 0.7, 0.8, 0.9],
};
/** Number of suggestions that are assumed beside the measured ones, all wrong, since rare reasons prove little. */
const SMOOTHING = 20;
const ROUNDS = 2_000;

function getBand(kind: string, strength: number): string {
  const bound = BANDS[kind]?.findLast((least) => strength >= least);
  return bound === undefined ? kind : `${kind} ${bound}+`;
}

const listBands = ({ reasons }: Suggestion): string[] =>
  Object.entries(reasons).map(([kind, strength]) => getBand(kind, strength));

interface Precision {
  right: number;
  all: number;
}

function measureReasons(trials: readonly Trial[]): Map<string, Precision> {
  const found = new Map<string, Precision>();
  const count = (band: string, isRight: boolean) => {
    const sum = found.get(band) ?? { right: 0, all: 0 };
    found.set(band, { right: sum.right + Number(isRight), all: sum.all + 1 });
  };
  for (const { hidden, suggestions, neighbors, callers, callees } of trials) {
    for (const one of suggestions)
      for (const band of listBands(one)) count(band, one.address === hidden);
    for (const one of neighbors.slice(0, 5)) count('file, nearest 5', one === hidden);
    for (const one of callers) count('any caller', one === hidden);
    for (const one of callees) count('any callee', one === hidden);
  }
  return found;
}

const precisions = measureReasons(chosen);

/** Returns the chance that a suggestion is right, as if its reasons were independent. */
function score(one: Suggestion): number {
  const wrong = listBands(one).map((band) => {
    const { right, all } = precisions.get(band) ?? { right: 0, all: 0 };
    return 1 - right / (all + SMOOTHING);
  });
  return 1 - wrong.reduce((product, each) => product * each, 1);
}

type Order = (trial: Trial) => string[];
const byScore: Order = ({ suggestions }) =>
  suggestions
    .map((one) => ({ one, score: score(one) }))
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one.address);
const interleave = (a: readonly string[], b: readonly string[]): string[] => [
  ...new Set(a.flatMap((one, i) => [one, ...b.slice(i, i + 1)]).concat(b)),
];
/** Returns the suggestions above the thresholds, in the order of the engine. */
const asAnswered: Order = ({ suggestions }) =>
  suggestions
    .map(({ address, reasons }) => {
      const kinds = IMPACT_REASONS.filter(
        (kind) => (reasons[kind] ?? -1) >= (MIN_STRENGTH[kind] ?? 0),
      );
      const [first] = kinds;
      const order = first ? IMPACT_REASONS.indexOf(first) : IMPACT_REASONS.length;
      return { address, order, count: kinds.length, strength: first ? (reasons[first] ?? 0) : 0 };
    })
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.order - b.order || b.count - a.count || b.strength - a.strength)
    .map(({ address }) => address);
const ORDERS: Readonly<Record<string, Order>> = {
  'as answered': asAnswered,
  'by measured precision': byScore,
  'nearest in the same file': ({ neighbors }) => neighbors,
  'both, taking turns': (trial) => interleave(asAnswered(trial), trial.neighbors),
};

/** Returns for each commit the share of its trials with the hidden function among the first `k`. */
function measureHits(trials: readonly Trial[], order: Order, k: number): Map<string, number[]> {
  const commits = Map.groupBy(trials, ({ repository, commit }) => `${repository} ${commit}`);
  const byRepository = new Map<string, number[]>();
  for (const some of commits.values()) {
    const hits = some.filter((one) => order(one).slice(0, k).includes(one.hidden)).length;
    const { repository = '' } = some[0] ?? {};
    byRepository.set(repository, [...(byRepository.get(repository) ?? []), hits / some.length]);
  }
  return byRepository;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length);

/** Returns the mean and its interval, by drawing repositories. */
function estimate(byRepository: ReadonlyMap<string, readonly number[]>): string {
  const random = createRandom(1);
  const all = [...byRepository.values()];
  const draws = Array.from({ length: ROUNDS }, () =>
    mean(all.flatMap(() => all[Math.floor(random() * all.length)] ?? [])),
  ).sort((a, b) => a - b);
  const at = (share: number) => percent(draws[Math.floor(share * ROUNDS)] ?? 0);
  return `${percent(mean(all.flat()))} [${at(0.025)}, ${at(0.975)}]`;
}

const percent = (share: number): string => (100 * share).toFixed(1);

for (const [name, trials] of Object.entries({ choose: chosen, report: reported })) {
  const commits = new Set(trials.map(({ commit }) => commit)).size;
  const repositories = new Set(trials.map(({ repository }) => repository)).size;
  console.log(
    `\n${name}: ${repositories} repositories, ${commits} commits, ${trials.length} trials\n`,
  );
  console.log('| reason | suggestions | right | precision, % |\n|---|---|---|---|');
  for (const [band, { right, all }] of [...measureReasons(trials)].sort())
    console.log(`| ${band} | ${all} | ${right} | ${percent(right / all)} |`);
  const away = trials.filter(({ hidden, neighbors }) => !neighbors.includes(hidden));
  printOrders('all', trials);
  printOrders('hidden in a file that the diff does not edit', away);
}

function printOrders(title: string, trials: readonly Trial[]): void {
  const commits = new Set(trials.map(({ commit }) => commit)).size;
  console.log(`\n${title}: ${commits} commits, ${trials.length} trials\n`);
  console.log('| order | among 5, % | among 10, % |\n|---|---|---|');
  for (const [label, order] of Object.entries(ORDERS)) {
    const [five, ten] = [5, 10].map((k) => estimate(measureHits(trials, order, k)));
    console.log(`| ${label} | ${five} | ${ten} |`);
  }
}
