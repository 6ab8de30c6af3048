/**
 * Measures Locus on public benchmarks. docs/reference/public-benchmarks.md has the results.
 *
 * `npm run -s lab -- public-benchmarks --benchmark semble --data <folder> --repos ~/clones [--only flask,gin] [--json]`: asks the
 * queries of semble. The folder has `repos.json` and `annotations` of its repository's folder `benchmarks`. Clones are named
 * `owner__name`.
 *
 * `… --benchmark swe-bench --dataset instances.jsonl`: prints the instances of a benchmark as `locus eval` reads them. With
 * `--report report.json`, the output of `locus eval --json`, prints its measures instead. With `--predictions loc_outputs.jsonl`,
 * prints those of LocAgent's published predictions too, on the same instances; without a report only its Acc@k of files.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { EvaluationReport } from '../../src/services/evaluation/report.ts';
import { convertInstances } from './convert.ts';
import { rankPredictedChunks, rankPredictedFiles, readPredictions } from './predictions.ts';
import { type Answer, askQueries } from './semble.ts';
import { readBenchmark } from './semble-data.ts';
import { formatAnswers, formatFileRanks, formatRanks } from './tables.ts';

const USAGE = `usage: npm run -s lab -- public-benchmarks --benchmark semble --data <folder> --repos <folder of clones> [--only <names>] [--json]
       npm run -s lab -- public-benchmarks --benchmark swe-bench --dataset <jsonl> [--report <json>] [--predictions <jsonl>]`;

const { values } = parseArgs({
  options: {
    benchmark: { type: 'string' },
    data: { type: 'string' },
    repos: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    dataset: { type: 'string' },
    report: { type: 'string' },
    predictions: { type: 'string' },
  },
});
const { benchmark, data, repos, dataset, report, predictions } = values;
if (benchmark === 'semble' && data && repos) await runSemble(data, repos);
else if (benchmark === 'swe-bench' && dataset) runSweBench(dataset);
else {
  console.error(USAGE);
  process.exitCode = 2;
}

async function runSemble(folder: string, clones: string): Promise<void> {
  const answers: Answer[] = [];
  for (const { repository, queries } of readBenchmark(folder, values.only?.split(',')))
    answers.push(...(await askQueries(repository, queries, clones)));
  print(values.json ? [JSON.stringify(answers, null, 2)] : formatAnswers(answers));
}

function runSweBench(file: string): void {
  const instances = convertInstances(readFileSync(file, 'utf8'), file);
  const found = predictions && readPredictions(readFileSync(predictions, 'utf8'), predictions);
  if (report) {
    const { outcomes } = JSON.parse(readFileSync(report, 'utf8')) as EvaluationReport;
    const ids = new Set(instances.map(({ instance_id }) => instance_id));
    const counted = outcomes.filter(({ instance }) => ids.has(instance));
    print([
      `${counted.length} of ${instances.length} instances edit a function, method or class.`,
      '',
      ...formatRanks({
        Locus: counted.map(({ ranks }) => ranks),
        ...(found && {
          predictions: counted.map((one) => rankPredictedChunks(one, found.get(one.instance))),
        }),
      }),
    ]);
  } else if (found) {
    const ranks = instances.flatMap((one) => {
      const own = rankPredictedFiles(one, found.get(one.instance_id));
      return own ? [own] : [];
    });
    print([`${ranks.length} instances`, '', ...formatFileRanks('predictions', ranks)]);
  } else print(instances.map((instance) => JSON.stringify(instance)));
}

function print(lines: readonly string[]): void {
  console.log(lines.join('\n'));
}
