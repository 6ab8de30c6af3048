/**
 * Measures encoders alone on real issues, as they run in the engine:
 * `npm run -s lab -- training-measure --issues <folder of lab/encoder/issues.ts> models/<id> [models/<other>]`
 *
 * Candidates, edited chunks and metrics are those of docs/explanation/evaluation.md. The encoder's similarity alone ranks. For two models,
 * also prints the paired differences, second minus first.
 */

import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import {
  createEncoder,
  createTextQuery,
  type Encoder,
  type EncoderDocument,
} from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { perfectRecall, recall, reciprocalRank } from '../../src/services/evaluation/metrics.ts';
import {
  computeBootstrapInterval,
  mean,
  runRandomizationTest,
} from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';

const BATCH = 2048;
const MEASURES: Record<string, (ranks: number[]) => number> = {
  'perfect recall@5': (ranks) => perfectRecall(ranks, 5),
  'perfect recall@20': (ranks) => perfectRecall(ranks, 20),
  'recall@5': (ranks) => recall(ranks, 5),
  'recall@20': (ranks) => recall(ranks, 20),
  MRR: reciprocalRank,
};

interface Issue {
  instance: string;
  repo: string;
  issue: string;
  candidates: number[];
  edited: number[];
}

/** Embeds a repository's documents, and reads its issues. */
async function readRepository(file: string, encoder: Encoder) {
  const vectors: Float32Array[] = [];
  const issues: Issue[] = [];
  let batch: EncoderDocument[] = [];
  const flush = async () => {
    const encoded = await encoder.encode(batch, (keys) => keys.map(() => false));
    for (const key of encoded.keys)
      vectors.push(assertPresent(encoded.vectors.get(key), 'an embedding'));
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const read = JSON.parse(line);
    if ('instance' in read) issues.push(read);
    else if (batch.push(read) === BATCH) await flush();
  }
  await flush();
  return { vectors, issues };
}

/** Returns the ranks, from 1, of the edited chunks of each issue. Candidates with equal similarity rank before them. */
async function rankIssues(folder: string, modelFolder: string): Promise<Map<string, number[]>> {
  const encoder = await createEncoder({ modelFolder, device: 'cpu' });
  const ranks = new Map<string, number[]>();
  try {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
      const { vectors, issues } = await readRepository(join(folder, file), encoder);
      for (const { instance, issue, candidates, edited } of issues) {
        const query = await encoder.encodeQuery(createTextQuery(issue));
        const similarity = new Map(
          candidates.map((line) => [
            line,
            dot(query, assertPresent(vectors[line], 'an embedding')),
          ]),
        );
        const scores = [...similarity.values()];
        const rankOf = (own: number) => scores.filter((score) => score >= own).length;
        ranks.set(
          instance,
          edited.map((line) =>
            rankOf(assertPresent(similarity.get(line), `the rank of line ${line}`)),
          ),
        );
      }
      console.error(`${modelFolder}: ${file}`);
    }
  } finally {
    await encoder.close();
  }
  return ranks;
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, i) => sum + x * assertPresent(b[i], 'a dimension'), 0);
}

function cell(values: readonly number[]): string {
  const [low, high] = computeBootstrapInterval(values);
  return `${mean(values).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

const { values, positionals } = parseArgs({
  options: { issues: { type: 'string' } },
  allowPositionals: true,
});
const { issues } = values;
if (!issues || positionals.length < 1 || positionals.length > 2) {
  console.error(
    'usage: npm run -s lab -- training-measure --issues <folder> <model folder> [<other model folder>]',
  );
  process.exit(2);
}
const measured: Map<string, number[]>[] = [];
for (const model of positionals) measured.push(await rankIssues(issues, model));
const [first, second] = measured;
const instances = [...assertPresent(first, 'a model').keys()];
const rows = Object.entries(MEASURES).map(([name, measure]) => {
  const valueIn = (ranks: Map<string, number[]> | undefined, id: string) =>
    measure(assertPresent(ranks?.get(id), `the ranks of ${id}`));
  const cells = measured.map((ranks) => cell(instances.map((id) => valueIn(ranks, id))));
  if (second) {
    const differences = instances.map((id) => valueIn(second, id) - valueIn(first, id));
    cells.push(cell(differences), runRandomizationTest(differences).toFixed(3));
  }
  return [name, ...cells];
});
const compared = positionals.length === 2 ? ['difference', 'p'] : [];
console.log(`${instances.length} issues, 95% bootstrap intervals\n`);
for (const line of formatMarkdownTable(['', ...positionals, ...compared], rows)) console.log(line);
