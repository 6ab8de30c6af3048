/**
 * Fits the confidence of a list: `npm run lab -- train-confidence --dataset issues.jsonl --repos ~/clones [--by json | --reranked] [--samples file] [--write]`
 *
 * Searches for each issue and checks if one of the first results was edited. The ranker must not have been fitted on these
 * issues. If the ranker that comes with Locus was, `--by` names one that was fitted in the same way on other families.
 * Also runs searches that the repository cannot answer (`unanswered.ts`), which count as not found.
 *
 * Prints the reliability diagram for issues of repositories that the calibration was not fitted on, and the confidence of
 * searches without an answer. `--write` writes the calibration into the ranker's file. `--reranked` uses the list that the
 * installed reranker makes, and writes into its ranker's file.
 */

import { readFileSync } from 'node:fs';
import {
  CONFIDENCE_NAMES,
  estimateConfidence,
  getSlot,
  measureConfidenceEvidence,
  openRerankers,
  RerankStep,
} from '../../src/engine/lab.ts';
import { parseDataset } from '../../src/services/evaluation/dataset.ts';
import { isCandidateChunk } from '../../src/services/evaluation/evaluate.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import { findRerankerFolders } from '../../src/services/models.ts';
import { findBreaches } from '../split/split.ts';
import { at } from './at.ts';
import {
  calibrate,
  calibrationError,
  heldOutConfidences,
  reliability,
  type Trial,
} from './calibration.ts';
import { collect, readOptions, readRanker, readRankerFrom, writeCalibration } from './command.ts';
import type { Snapshot } from './samples.ts';
import { makeInitialSearch, makeRerankSearch } from './searched.ts';
import { CONFIDENCE_TOP } from './settings.ts';
import { makeUnanswered, type Unanswered } from './unanswered.ts';

/** Kind of search: an issue of the repository, or a text that it has no answer to. */
type Kind = 'issue' | Unanswered;

interface KindOfTrial extends Trial {
  kind: Kind;
}

/** Every third issue is followed by a search without an answer, of each kind in turn. */
const WITHOUT_ANSWER = 3;

const options = readOptions('train-confidence');
const instances = parseDataset(readFileSync(options.dataset, 'utf8'), options.dataset);
const list = options.reranked ? 'reranked' : 'first';
const step = options.reranked ? await openInstalledReranker() : null;
const search = step
  ? makeRerankSearch(step)
  : makeInitialSearch(options.by ? readRankerFrom(options.by) : readRanker());
const trials = await collect(options, collectTrials);
await step?.close();

printReport(
  'By calibrations that were fitted on the other repositories',
  heldOutConfidences(trials, CONFIDENCE_TOP),
);
const { calibration } = readRanker(list);
if (calibration) {
  const confidences = trials.map(({ evidence }) => estimateConfidence(calibration, evidence));
  printReport('By the one in the ranker’s file', confidences);
}
printWorth();
const fitted = calibrate(trials, CONFIDENCE_TOP);
const weights = Object.entries(fitted.weights).map(([name, weight]) => [name, weight.toFixed(3)]);
console.log(
  formatMarkdownTable(
    ['evidence', 'weight'],
    [['intercept', fitted.intercept.toFixed(3)], ...weights],
  ).join('\n'),
);
if (options.write) {
  const repositories = [...new Set(trials.map(({ repo }) => repo))].sort();
  const forbidden = findBreaches(repositories, 'train', 'tune');
  if (forbidden.length > 0)
    throw new Error(
      `The split forbids training on ${forbidden.join(', ')}. Remove them from the data set.`,
    );
  writeCalibration(fitted, repositories, list);
}

/** Prints the reliability diagram of issues, and the confidence of searches without an answer. */
function printReport(title: string, confidences: readonly number[]): void {
  const issues = [...trials.keys()].filter((t) => at(trials, t).kind === 'issue');
  const bins = reliability(
    issues.map((t) => at(trials, t)),
    issues.map((t) => at(confidences, t)),
  );
  const rows = bins.map(({ from, to, trials: count, confidence, hits }) => [
    `${from.toFixed(1)} to ${to.toFixed(1)}`,
    String(count),
    count > 0 ? confidence.toFixed(2) : '',
    count > 0 ? hits.toFixed(2) : '',
  ]);
  const head = ['confidence', 'issues', 'mean confidence', `edit in the first ${CONFIDENCE_TOP}`];
  console.log(`${title}: ${issues.length} issues\n\n${formatMarkdownTable(head, rows).join('\n')}`);
  console.log(`\nexpected calibration error ${calibrationError(bins).toFixed(3)}\n`);
  const kinds = [...Map.groupBy(trials.keys(), (t) => at(trials, t).kind)].map(([kind, of]) => {
    const own = of.map((t) => at(confidences, t));
    return [kind, String(of.length), mean(own).toFixed(2), Math.max(...own).toFixed(2)];
  });
  const headOfKinds = ['searched for', 'searches', 'mean confidence', 'the largest'];
  console.log(`${formatMarkdownTable(headOfKinds, kinds).join('\n')}\n`);
}

/**
 * Prints what each part of the evidence contributes: the mean of −log of the probability of the true outcome, and the
 * confidence of searches without an answer.
 */
function printWorth(): void {
  const ofWords = ['likeness', 'said', 'explained'];
  const rows: [string, string[]][] = [
    ['all', []],
    ...CONFIDENCE_NAMES.map((name): [string, string[]] => [`without ${name}`, [name]]),
    ['scores alone', ofWords],
  ];
  const table = rows.map(([title, left]) => {
    const own = heldOutConfidences(trials.map(dropEvidence(left)), CONFIDENCE_TOP);
    const losses = trials.map(({ hit }, t) => -Math.log(hit ? at(own, t) : 1 - at(own, t)));
    const unanswered = own.filter((_, t) => at(trials, t).kind !== 'issue');
    const figures = [mean(losses), mean(unanswered), Math.max(...unanswered)];
    return [title, ...figures.map((figure) => figure.toFixed(3))];
  });
  const head = ['evidence', 'loss', 'confidence without an answer', 'the largest of these'];
  console.log(`${formatMarkdownTable(head, table).join('\n')}\n`);
}

function dropEvidence(names: readonly string[]): (trial: KindOfTrial) => KindOfTrial {
  const none = Object.fromEntries(names.map((name) => [name, 0]));
  return (trial) => ({ ...trial, evidence: { ...trial.evidence, ...none } });
}

async function collectTrials(snapshot: Snapshot): Promise<KindOfTrial[]> {
  const { instance, edited } = snapshot;
  const number = instances.findIndex(({ instance_id }) => instance_id === instance.instance_id);
  const asked: [Kind, string][] = [['issue', instance.problem_statement]];
  if (number % WITHOUT_ANSWER === 0)
    asked.push(makeUnanswered(instance, number / WITHOUT_ANSWER, instances));
  const made: KindOfTrial[] = [];
  for (const [kind, text] of asked) {
    const ranking = await search(snapshot, text);
    if (!ranking) continue;
    const slots = ranking.order
      .map((i) => getSlot(i, ranking.candidates))
      .filter((slot) => isCandidateChunk(snapshot.index.getChunk(slot)));
    const hit =
      kind === 'issue' && slots.slice(0, CONFIDENCE_TOP).some((slot) => edited.includes(slot));
    made.push({
      kind,
      repo: instance.repo,
      evidence: measureConfidenceEvidence(ranking, CONFIDENCE_TOP),
      hit,
    });
  }
  return made;
}

/**
 * Opens the installed reranker.
 * @throws Error if no reranker is installed
 * @throws LocusError if it cannot be used
 */
async function openInstalledReranker(): Promise<RerankStep> {
  const scorers = await openRerankers(findRerankerFolders(), 'cpu');
  if (scorers.length > 0) return new RerankStep(scorers);
  throw new Error('No reranker is installed. Put its folder into models/.');
}
