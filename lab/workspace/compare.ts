/**
 * Compares ways to merge the lists of several repositories: `npm run -s lab -- bench-workspace --dataset issues.jsonl --repos ~/clones
 * --together a/a,b/b,… [--each 10] [--data-dir folder] [--read-only] [--samples file] [--fit] [--write]`
 *
 * Searches for every issue in all repositories. Prints how often its own repository comes first, and how the merged list
 * compares with a search in its own repository alone. With `--fit`, the weights are fitted on the issues of the other
 * repositories; without it, they are the installed ones. `--write` writes weights that are fitted on all of these issues into
 * `models/ranker-1/workspace.json`. For this, the repositories must be in the part *train* of the split.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ranker from '../../models/ranker-1/initial.json' with { type: 'json' };
import { CONFIDENCE_NAMES, estimateConfidence } from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { recall, reciprocalRank } from '../../src/services/evaluation/metrics.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import { estimateChances } from '../../src/services/workspace/chance.ts';
import { at } from '../ranker/at.ts';
import { writeTrainedOn } from '../ranker/command.ts';
import { findBreaches } from '../split/split.ts';
import { collectTrials, type Trial } from './collect.ts';
import { fitWeights, heldOutChances } from './fit.ts';
import { computeTraits, TRAIT_NAMES, type TraitName } from './traits.ts';

const FILE = fileURLToPath(new URL('../../models/ranker-1/workspace.json', import.meta.url));
const SERVING: TraitName[] = ['likeness', 'cori'];

/** Way to merge lists: a value for each repository of each trial. */
interface Way {
  title: string;
  chances: number[][];
  /** True if all results of one repository come before those of the next. */
  oneByOne?: boolean;
}

const { values } = parseArgs({
  options: {
    dataset: { type: 'string', default: '' },
    repos: { type: 'string', default: '' },
    together: { type: 'string', default: '' },
    each: { type: 'string', default: '10' },
    'data-dir': { type: 'string' },
    'read-only': { type: 'boolean' },
    samples: { type: 'string' },
    fit: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const trials = await collectTrials({
  dataset: values.dataset,
  repos: values.repos,
  together: values.together.split(','),
  each: Number(values.each),
  dataDir: values['data-dir'],
  readOnly: values['read-only'],
  samples: values.samples,
});
report();
if (values.write) write();

function report(): void {
  const confidences = trials.map((trial) => byStanding(trial, getConfidence));
  const named = trials.map((trial) => listTrait(trial, 'named'));
  const ways: Way[] = [
    { title: 'best confidence first', chances: confidences, oneByOne: true },
    { title: 'confidence × share', chances: confidences },
    { title: 'names that resolve × share', chances: named },
    { title: 'words by CORI × share', chances: trials.map((trial) => listTrait(trial, 'cori')) },
    ...(values.fit
      ? [
          { title: 'fitted, all traits × share', chances: heldOutChances(trials, TRAIT_NAMES) },
          { title: 'fitted, likeness and CORI × share', chances: heldOutChances(trials, SERVING) },
        ]
      : [
          {
            title: 'as it serves: likeness and CORI × share',
            chances: trials.map(({ standings }) => estimateChances(Object.values(standings))),
          },
        ]),
  ];
  const rows = ways.map(({ title, chances, oneByOne = false }) => {
    const first = trials.map((trial, t) => Number(isOwnFirst(trial, at(chances, t))));
    const ranks = trials.map((trial, t) => ranksAmong(trial, at(chances, t), oneByOne));
    return [title, shown(mean(first)), ...measures(ranks)];
  });
  const alone = trials.map((trial) => trial.alone);
  const head = ['merged by', 'its own repository first', 'MRR', 'recall@5', 'recall@20'];
  console.log(`${trials.length} issues of ${values.together.split(',').length} repositories\n`);
  console.log(
    formatMarkdownTable(head, [...rows, ['its own repository alone', '', ...measures(alone)]]).join(
      '\n',
    ),
  );
}

function measures(ranks: readonly (number | null)[][]): string[] {
  return [
    mean(ranks.map(reciprocalRank)),
    mean(ranks.map((own) => recall(own, 5))),
    mean(ranks.map((own) => recall(own, 20))),
  ].map(shown);
}

function shown(value: number): string {
  return value.toFixed(3);
}

/** Returns the ranks of the edited chunks in the merged list. In ties, the other repository's result comes first. */
function ranksAmong(trial: Trial, chances: number[], oneByOne: boolean): (number | null)[] {
  const repos = Object.keys(trial.standings);
  const own = repos.indexOf(trial.repo);
  const others = repos.flatMap((repo, r) => {
    const shares = trial.standings[repo]?.calibratedScore?.probabilities ?? [];
    return r === own ? [] : shares.map((share) => at(chances, r) * (oneByOne ? 1 : share));
  });
  const ownShares = trial.standings[trial.repo]?.calibratedScore?.probabilities ?? [];
  return trial.alone.map((rank) => {
    if (rank === null) return null;
    const value = (chances[own] ?? 0) * (oneByOne ? 1 : (ownShares[rank - 1] ?? 0));
    return rank + others.filter((other) => other >= value).length;
  });
}

function isOwnFirst(trial: Trial, chances: number[]): boolean {
  const own = Object.keys(trial.standings).indexOf(trial.repo);
  return chances.every((chance, r) => r === own || chance < (chances[own] ?? 0));
}

function byStanding(
  trial: Trial,
  value: (calibratedScore: NonNullable<Trial['standings'][string]['calibratedScore']>) => number,
): number[] {
  return Object.values(trial.standings).map(({ calibratedScore }) =>
    calibratedScore ? value(calibratedScore) : 0,
  );
}

function getConfidence({ evidence }: { evidence: Record<string, number> }): number {
  const known = CONFIDENCE_NAMES.map((name) => [name, evidence[name] ?? 0] as const);
  return estimateConfidence(ranker.calibration, Object.fromEntries(known) as never);
}

function listTrait(trial: Trial, name: TraitName): number[] {
  return computeTraits(trial).map((traits) => traits?.[name] ?? 0);
}

function write(): void {
  const repositories = [...new Set(trials.map(({ repo }) => repo))].sort();
  const forbidden = findBreaches(repositories, 'train');
  if (forbidden.length > 0)
    throw new Error(
      `The split forbids training on ${forbidden.join(', ')}. Remove them from --together.`,
    );
  const origin = `Conditional logit on ${trials.length} real issues of ${repositories.length} public Python repositories, each searched in all of them: npm run lab -- bench-workspace.`;
  const weights = fitWeights(trials, SERVING);
  writeFileSync(FILE, `${JSON.stringify({ origin, weights }, null, 2)}\n`);
  writeTrainedOn('workspace', 'issues, by bench-workspace', repositories);
}
