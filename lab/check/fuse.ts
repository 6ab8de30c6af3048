/**
 * Measures how the order of the list and a language model's are combined, also for models that are worse than the list:
 * `npm run -s lab -- fuse-checks --report <json>`
 *
 * The report is that of `locus eval --check --json`. Worse models are simulated from its answers. Each model meets the issues in
 * several random orders, as its trust follows from the answers before.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type AnswerTraits,
  fuseOrders,
  getWeight,
  measureAgreement,
  START_TRUST,
  updateTrust,
} from '../../src/services/check/fuse.ts';
import type { InstanceOutcome } from '../../src/services/evaluation/evaluate.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { perfectRecall, reciprocalRank } from '../../src/services/evaluation/metrics.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import { Random } from '../encoder/random.ts';
import { type CheckedIssue, MODELS, type SimulatedModel } from './models.ts';

/** Repositories whose issues the numbers of `fuse.ts` were chosen on: half of them, at random. */
const CHOSEN_ON = new Set([
  'JodaOrg/joda-time',
  'apache/commons-lang',
  'apache/zookeeper',
  'awslabs/gluon-ts',
  'cortexlabs/cortex',
  'deepforge-dev/deepforge',
  'jwtk/jjwt',
  'mwydmuch/vizdoom',
  'photoprism/photoprism',
  'scisharp/tensorflow.net',
  'tensorflow/tfjs',
]);
/** Random orders in which each model meets the issues. */
const ROUNDS = 20;

interface Measures {
  mrr: number;
  perfect: number;
}

/** Returns the ranks of the edited chunks in another order of the candidates. The others keep theirs. */
function moveRanks({ before }: CheckedIssue, order: readonly number[]): (number | null)[] {
  const ranks = new Map(order.map((index, at) => [index + 1, at + 1]));
  return before.map((rank) => (rank === null ? null : (ranks.get(rank) ?? rank)));
}

/** Measures a model that meets the issues one after another. @param weight of its order, instead of the one that it earns */
function measure(
  issues: readonly CheckedIssue[],
  model: SimulatedModel,
  weight: number | null,
): Measures {
  const ranks: (number | null)[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const random = new Random(`round ${round}`);
    let trust = START_TRUST;
    for (const issue of random.some(issues, issues.length)) {
      const { order, fit } = model(issue, random, issues);
      const traits: AnswerTraits = { fit, agreement: measureAgreement(issue.scores, order) };
      trust = updateTrust(trust, traits);
      const used = weight ?? getWeight(trust, traits);
      ranks.push(moveRanks(issue, fuseOrders(issue.scores.length, order, used)));
    }
  }
  return {
    mrr: mean(ranks.map(reciprocalRank)),
    perfect: mean(ranks.map((each) => perfectRecall(each, 5))),
  };
}

function readIssues(file: string): CheckedIssue[] {
  const { outcomes } = JSON.parse(readFileSync(file, 'utf8')) as { outcomes: InstanceOutcome[] };
  return outcomes.flatMap(({ repo, check }) =>
    check?.fusion
      ? [
          {
            repo,
            before: check.before.chunk,
            scores: check.scores,
            order: check.fusion.order.map((rank) => rank - 1),
            fit: check.fusion.fit,
          },
        ]
      : [],
  );
}

function print(name: string, issues: readonly CheckedIssue[]): void {
  const list = measure(issues, ({ order, fit }) => ({ order, fit }), 0);
  const format = (value: number) => value.toFixed(3);
  const rows = Object.entries(MODELS).map(([model, simulate]) => {
    const alone = measure(issues, simulate, 1);
    const fused = measure(issues, simulate, null);
    return [
      model,
      format(alone.mrr),
      format(fused.mrr),
      format(fused.mrr - list.mrr),
      format(alone.perfect),
      format(fused.perfect),
    ];
  });
  const repositories = new Set(issues.map(({ repo }) => repo)).size;
  console.log(
    [
      `${name}: ${issues.length} issues of ${repositories} repositories. The list has MRR ${format(list.mrr)} and perfect recall@5 ${format(list.perfect)}.`,
      '',
      ...formatMarkdownTable(
        ['model', 'MRR alone', 'fused', 'to the list', 'p. recall@5 alone', 'fused'],
        rows,
      ),
      '',
    ].join('\n'),
  );
}

const { values } = parseArgs({ options: { report: { type: 'string' } } });
if (!values.report) {
  console.error('usage: npm run -s lab -- fuse-checks --report <json>');
  process.exit(2);
}
const issues = readIssues(values.report);
const [chosen, others] = [true, false].map((isChosen) =>
  issues.filter(({ repo }) => CHOSEN_ON.has(repo) === isChosen),
);
if (chosen?.length) print('Repositories that the numbers were chosen on', chosen);
if (others?.length) print('Other repositories', others);
print('All', issues);
