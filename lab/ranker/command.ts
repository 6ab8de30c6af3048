/** What the commands of this folder share: options, data set, samples that are kept, the ranker's file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { checkRanker, type Ranker } from '../../src/engine/search/rank.ts';
import { SIGNALS } from '../../src/engine/search/signals/index.ts';
import { parseDataset } from '../../src/services/evaluation/dataset.ts';
import { type Snapshot, snapshots } from './samples.ts';

const RANKER = fileURLToPath(new URL('../../models/ranker-1/ranker.json', import.meta.url));

export interface Options {
  dataset: string;
  repos: string;
  'data-dir'?: string;
  samples?: string;
  /** A second data set to learn from, such as commits; nothing is measured on it. */
  also?: string;
  /** Whether to grow trees as well. */
  trees?: boolean;
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
      also: { type: 'string' },
      trees: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  if (values.dataset && values.repos) return values as Options;
  console.error(
    `usage: npm run ${command} -- --dataset <jsonl> --repos <folder of clones> [--data-dir <folder>] [--samples <file>] [--also <jsonl>] [--trees] [--write]`,
  );
  process.exit(2);
}

/** What `sample` makes of every snapshot, or what it made of them before. */
export async function collect<T>(
  options: Options,
  sample: (snapshot: Snapshot) => T[] | Promise<T[]>,
): Promise<T[]> {
  const { samples: file } = options;
  if (file && existsSync(file)) return deserialize(readFileSync(file));
  const instances = parseDataset(readFileSync(options.dataset, 'utf8'), options.dataset);
  const all: T[] = [];
  for await (const snapshot of snapshots(instances, {
    repos: options.repos,
    dataDir: options['data-dir'],
  })) {
    all.push(...(await sample(snapshot)));
    console.error(snapshot.instance.instance_id);
  }
  if (file) writeFileSync(file, serialize(all));
  return all;
}

export function readRanker(): Ranker {
  return checkRanker(JSON.parse(readFileSync(RANKER, 'utf8')), SIGNALS);
}

/** Puts weights, with two decimals, and what else is given into the ranker's file; all else there stays. */
export function writeRanker(
  weights: Record<string, number>,
  parts: Partial<Pick<Ranker, 'calibration'>> = {},
): void {
  const ranker = { ...readRanker(), ...parts };
  for (const [name, weight] of Object.entries(weights)) {
    ranker.weights[name] = Number(weight.toFixed(2));
  }
  writeFileSync(RANKER, `${JSON.stringify(ranker, rounded, 2)}\n`);
}

/** Six digits are more than anybody knows. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value;
}
