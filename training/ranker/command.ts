/** What the commands of this folder share: options, data set, samples that are kept, the ranker's file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { parseDataset } from '../../src/engine/evaluation/dataset.ts';
import { checkRanker, type Ranker } from '../../src/engine/search/rank.ts';
import { SIGNALS } from '../../src/engine/search/signals/index.ts';
import { type Snapshot, snapshots } from './samples.ts';

const RANKER = fileURLToPath(new URL('../../models/linear-0/ranker.json', import.meta.url));

export interface Options {
  dataset: string;
  repos: string;
  'data-dir'?: string;
  samples?: string;
  write?: boolean;
}

/** Ends the process with how to use it when an option is missing. */
export function readOptions(command: string): Options {
  const { values } = parseArgs({
    options: {
      dataset: { type: 'string' },
      repos: { type: 'string' },
      'data-dir': { type: 'string' },
      samples: { type: 'string' },
      write: { type: 'boolean' },
    },
  });
  if (values.dataset && values.repos) return values as Options;
  console.error(
    `usage: npm run ${command} -- --dataset <jsonl> --repos <folder of clones> [--data-dir <folder>] [--samples <file>] [--write]`,
  );
  process.exit(2);
}

/** What `sample` makes of every snapshot, or what it made of them before. */
export async function collect<T>(
  options: Options,
  sample: (snapshot: Snapshot) => T[],
): Promise<T[]> {
  const { samples: file } = options;
  if (file && existsSync(file)) return deserialize(readFileSync(file));
  const instances = parseDataset(readFileSync(options.dataset, 'utf8'), options.dataset);
  const all: T[] = [];
  for await (const snapshot of snapshots(instances, {
    repos: options.repos,
    dataDir: options['data-dir'],
  })) {
    all.push(...sample(snapshot));
    console.error(snapshot.instance.instance_id);
  }
  if (file) writeFileSync(file, serialize(all));
  return all;
}

export function readRanker(): Ranker {
  return checkRanker(JSON.parse(readFileSync(RANKER, 'utf8')), SIGNALS);
}

/** Puts weights, with two decimals, into the ranker's file; the weights of other signals stay. */
export function writeWeights(weights: Record<string, number>): void {
  const ranker = readRanker();
  for (const [name, weight] of Object.entries(weights)) {
    ranker.weights[name] = Number(weight.toFixed(2));
  }
  writeFileSync(RANKER, `${JSON.stringify(ranker, null, 2)}\n`);
}
