/**
 * Runs a task of the lab: `npm run lab -- <task> [option ...]`. Without a task it lists the tasks. A task that lacks an option prints its usage.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Task {
  /** Script, relative to this folder. */
  script: string;
  /** One line for the list. */
  about: string;
}

const task = (script: string, about: string): Task => ({ script, about });

const TASKS: Readonly<Record<string, Task>> = {
  counts: task('counts.ts', 'Count lines, files, megabytes, names and docstrings of the project.'),

  bench: task('speed/bench.ts', 'Time Locus beside limits and peers, in the same run.'),
  'bench-shared': task('bench/shared.ts', 'Measure what a shared index saves.'),
  'bench-workspace': task(
    'workspace/compare.ts',
    'Compare ways to merge lists of the repositories of a workspace.',
  ),
  'bench-million': task('million/measure.ts', 'Measure how costs grow up to a million functions.'),
  'bench-fleet': task('fleet/grow.ts', "Measure how the fleet's engine grows on this machine."),
  'bench-fixes': task('bench/fixes.ts', 'Rank the functions that real commits edited.'),
  'bench-grep': task('grep/compare.ts', 'Compare Locus with ripgrep and git grep.'),
  'public-benchmarks': task(
    'public-benchmarks/command.ts',
    'Measure answers on public benchmarks.',
  ),
  'bench-agents': task('bench/agents.ts', 'Measure what an agent reads with and without Locus.'),
  'agent-trial': task(
    'agent-trial/command.ts',
    'Measure what Locus is worth to a coding agent of yours.',
  ),
  'draw-trial': task('agent-trial/draw.ts', 'Draw issues of large repositories for such a trial.'),
  'bench-answers': task('bench/answers.ts', 'Count the tokens of replies to agents.'),

  'adapter-commits': task(
    'adapter/commits.ts',
    'Write the commits before issues, and what they edited.',
  ),
  'adapter-embed': task('adapter/embed.ts', 'Embed those commits and lists, to fit an adapter.'),
  mine: task('mining/command.ts', "Turn a repository's history into training data."),
  'choose-split': task('split/choose.ts', 'Choose the families to tune and test on.'),
  'dataset-commits': task('ranker/commits.ts', "Make a data set of a repository's commits."),
  'impact-trials': task('impact/replay.ts', 'Hide an edited function of commits, and ask for it.'),
  'impact-report': task('impact/report.ts', 'Measure the reasons of what else may change.'),
  'draw-issues': task('check/draw.ts', 'Draw issues of a data set by a seed.'),
  'count-edited-files': task('files/count.ts', 'Count the kinds of files that fixes edit.'),
  'draw-section-commits': task('sections/draw.ts', 'Draw commits that edit no code.'),
  'measure-sections': task('sections/measure.ts', 'Measure which sections issues point to.'),
  'draw-edited-files': task('files/draw.ts', 'Draw issues to measure edited files on.'),
  'fuse-checks': task('check/fuse.ts', 'Combine the list with models that are worse than it.'),
  'dataset-issues': task('languages/dataset.ts', 'Make a data set of published issues.'),

  'training-lists': task('lists/write.ts', 'Write ranked lists of issues, to learn from.'),
  'training-issues': task('encoder/issues.ts', 'Write issues and code as encoders get them.'),
  'training-rows': task('encoder/rows.ts', 'Write the rows of tokens that encoders learn from.'),
  'gpu-pack': task('encoder/gpu/pack.ts', 'Pack data and programs for a short run on a GPU.'),
  'training-measure': task('encoder/measure.ts', 'Measure encoders alone on real issues.'),
  'read-lists': task(
    'rerank/read-lists.ts',
    'Score the candidates of lists with the shipped models.',
  ),

  'train-ranker': task('ranker/fit.ts', 'Fit the weights of the initial ranking.'),
  'train-lists': task('forest/learn.ts', 'Fit weights of the initial ranking to lists.'),
  'train-signal': task('forest/signal.ts', 'Fit the weight of one signal.'),
  'train-reranker': task('rerank/fit.ts', 'Fit the weights of the reranked list.'),
  'train-confidence': task('ranker/confidence.ts', 'Fit the confidence of a list.'),
  'train-feedback': task('ranker/feedback.ts', 'Fit and measure relevance feedback.'),

  'measure-reranked': task(
    'rerank/measure.ts',
    'Measure initial and reranked lists on real issues.',
  ),
  'report-reranked': task('rerank/report.ts', 'Print tables of lists that were scored.'),
  'measure-parts': task('rerank/parts.ts', 'Measure what each part of the ranking contributes.'),
  'measure-other-reranker': task(
    'rerank/other.ts',
    'Measure the weight of a reranker that nothing was fitted with.',
  ),
  'compare-published': task(
    'published/compare.ts',
    "Compare published models with their authors' code.",
  ),
  ctags: task('languages/ctags.ts', 'Compare definitions with those of Universal Ctags.'),
  'draw-definitions': task('languages/draw-definitions.ts', 'Draw definitions to check by hand.'),
  floor: task('languages/floor.ts', 'Compare the ranking in a language with BM25F and ripgrep.'),
  floors: task('languages/floors.ts', 'Print the results of several `floor` runs in one table.'),
  'count-names': task('names/count.ts', 'Count ordinary words that are taken for names.'),
  attribution: task(
    'languages/attribution.ts',
    'Measure how lines of diffs are attributed to functions.',
  ),
};

const [name = '', ...options] = process.argv.slice(2);
const chosen = TASKS[name];
if (chosen) {
  const path = join(import.meta.dirname, chosen.script);
  process.exitCode =
    spawnSync(process.execPath, [path, ...options], { stdio: 'inherit' }).status ?? 1;
} else {
  const width = Math.max(...Object.keys(TASKS).map(({ length }) => length));
  const lines = Object.entries(TASKS).map(([id, { about }]) => `  ${id.padEnd(width)}  ${about}`);
  const print = name === '' ? console.log : console.error;
  if (name !== '') print(`lab: There is no task ${name}. Choose one of these.\n`);
  print(`usage: npm run -s lab -- <task> [option ...]\n\n${lines.join('\n')}`);
  process.exitCode = name === '' ? 0 : 2;
}
