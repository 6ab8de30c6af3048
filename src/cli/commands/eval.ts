import { Command } from 'commander';
import { reportChecks } from '../../services/evaluation/check-report.ts';
import { type EvaluationInstance, parseDataset } from '../../services/evaluation/dataset.ts';
import { COMMITS_KEPT, evaluate } from '../../services/evaluation/evaluate.ts';
import { FinishedIssues } from '../../services/evaluation/finished-issues.ts';
import { buildReport, compareEvaluations, parseReport } from '../../services/evaluation/report.ts';
import { badInput } from '../../shared/errors.ts';
import { MAX_RESULTS } from '../../shared/limits.ts';
import {
  type CheckCliOptions,
  createChecker,
  readCheckSettings,
  withCheckOptions,
} from '../check.ts';
import { renderChecks, renderComparison, renderReport } from '../evaluation-tables.ts';
import { EXIT } from '../exit-codes.ts';
import {
  collect,
  MAX_DATA_BYTES,
  type RerankOptions,
  readResumeFile,
  readTextFile,
  toOpenOptions,
  toRerankRequest,
  withEngineOptions,
  withRerankOptions,
} from '../options.ts';
import type { RunAction, Session } from '../session.ts';

interface EvalOptions extends CheckCliOptions, RerankOptions {
  dataset?: string;
  repos?: string;
  repo?: string[];
  compare?: string[];
  checkAnswers?: string;
  resume?: string;
}

const EXAMPLES = `
The data set is a JSON Lines file with instance_id, repo, base_commit, problem_statement and patch, as in SWE-bench. Each
repository needs a clone, bare or not, in a folder named owner__name. Its commits are read from git's object store; nothing
is checked out. docs/explanation/evaluation.md defines the measures.

Examples:
  locus eval --dataset issues.jsonl --repos ~/clones
  locus eval --dataset issues.jsonl --repos ~/clones --fast
  locus eval --dataset issues.jsonl --repos ~/clones --repo psf/requests --json > requests.json
  locus eval --dataset issues.jsonl --repos ~/clones --resume finished.jsonl      continues if it was interrupted
  locus eval --compare before.json after.json
  locus eval --dataset issues.jsonl --repos ~/clones --check --check-answers answers.jsonl`;

export function evalCommand(run: RunAction): Command {
  return withEngineOptions(
    withCheckOptions(withRerankOptions(new Command('eval')))
      .option('--dataset <file>', 'issues, as JSON Lines')
      .option('--repos <folder>', 'folder with the clones')
      .option('--repo <owner/name>', 'only this repository; can be repeated', collect)
      .option('--compare <reports...>', 'compare two reports written by --json, with a paired test')
      .option(
        '--resume <file>',
        'write each finished issue to this file, and continue with those in it',
      )
      .option(
        '--check-answers <file>',
        'file of requests and answers of the model, which are used again and added to',
      ),
  )
    .addHelpText('after', EXAMPLES)
    .action((options: EvalOptions) =>
      run(async (session) => {
        if (options.compare) await compareReports(session, options.compare);
        else await measure(session, options);
        return EXIT.ok;
      }),
    );
}

async function compareReports(session: Session, files: string[]): Promise<void> {
  const [earlier, later, ...others] = files;
  if (earlier === undefined || later === undefined || others.length > 0) {
    throw badInput(
      `--compare needs two reports, but ${files.length} were given.`,
      'Give the earlier one first: locus eval --compare before.json after.json.',
    );
  }
  const read = async (file: string) =>
    parseReport(
      await readTextFile(session.host, file, { what: 'a report', maxBytes: MAX_DATA_BYTES }),
      file,
    );
  const [before, after] = await Promise.all([read(earlier), read(later)]);
  const comparison = compareEvaluations(before, after);
  session.printResult(comparison, () => renderComparison(comparison));
}

async function measure(session: Session, options: EvalOptions): Promise<void> {
  const { dataset, repos, repo } = options;
  if (!dataset || !repos) {
    throw badInput(`${dataset ? '--repos' : '--dataset'} is missing.`, 'See locus eval --help.');
  }
  const instances = selectInstances(
    parseDataset(
      await readTextFile(session.host, dataset, { what: 'a data set', maxBytes: MAX_DATA_BYTES }),
      dataset,
    ),
    repo,
  );
  const { host } = session;
  const model = await readCheckSettings(options, host.env);
  const checker = model && (await createChecker(model, options, session));
  const rerank = toRerankRequest(options, host.env);
  const finished = await openFinished(session, options, [rerank, model]);
  const known = instances.filter((instance) => finished?.find(instance)).length;
  if (known > 0) session.note(`${options.resume} has ${known} of ${instances.length} issues.`);
  const evaluation = await evaluate(instances, {
    repos,
    signal: host.signal,
    ...rerank,
    finished,
    // Keep the index of every commit of the data set for the next run.
    openOptions: {
      ...toOpenOptions(options, host),
      commitsKept: COMMITS_KEPT,
      signal: host.signal,
    },
    open: host.openRepository,
    check: checker ?? undefined,
    onOutcome: (outcome, done) => {
      const result =
        'reason' in outcome
          ? `skipped: ${outcome.reason}`
          : `rank ${outcome.ranks.chunk.map((rank) => rank ?? `> ${MAX_RESULTS}`).join(', ')}`;
      session.note(`${done}/${instances.length} ${outcome.instance}: ${result}`);
    },
  });
  const report = buildReport(dataset, evaluation);
  const checks = reportChecks(evaluation.outcomes);
  session.printResult({ ...report, ...(checks && { checks }) }, () => [
    ...renderReport(report),
    ...(checks ? renderChecks(checks) : []),
  ]);
}

/** Reads the file of finished issues; null without one. `settings` are those of reranking and checking. */
async function openFinished(
  { host }: Session,
  { resume, model, exclude }: EvalOptions,
  settings: unknown[],
): Promise<FinishedIssues | null> {
  if (resume === undefined) return null;
  const text = await readResumeFile(host, resume);
  return new FinishedIssues(resume, text, [model, exclude, ...settings]);
}

/** Returns the instances of these repositories. @throws LocusError `bad-input` if the data set lacks one of them */
function selectInstances(
  instances: EvaluationInstance[],
  repos: string[] | undefined,
): EvaluationInstance[] {
  if (!repos) return instances;
  const missing = repos.find((name) => !instances.some(({ repo }) => repo === name));
  if (missing) {
    const available = [...new Set(instances.map(({ repo }) => repo))].sort().join(', ');
    throw badInput(`The data set has no issue of ${missing}.`, `Use one of ${available}.`);
  }
  return instances.filter(({ repo }) => repos.includes(repo));
}
