/** Shared parts of this folder's commands: options, the data set, cached samples and the ranker's file. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import {
  type Calibration,
  checkLinearModel,
  type LinearModel,
  RERANK_SIGNALS,
  SIGNALS,
} from '../../src/engine/lab.ts';
import { parseDataset } from '../../src/services/evaluation/dataset.ts';
import { at } from './at.ts';
import type { Weights } from './linear.ts';
import { type Snapshot, snapshots } from './samples.ts';

const resolveModelFile = (name: string) =>
  fileURLToPath(new URL(`../../models/ranker-1/${name}`, import.meta.url));
/** Files of the rankers, by the list that they order. */
const FILES = {
  first: resolveModelFile('initial.json'),
  reranked: resolveModelFile('reranked.json'),
};
type ListName = keyof typeof FILES;
const TRAINED_ON = join(import.meta.dirname, '../split/trained-on');

export interface Options {
  dataset: string;
  repos: string;
  'data-dir'?: string;
  samples?: string;
  /** A second data set to learn from, such as commits. It is not used for measurements. */
  also?: string;
  /** File of another ranker to search with. Only `train-confidence` uses this option and the next. */
  by?: string;
  /** True to fit the confidence of the reranked list. */
  reranked?: boolean;
  write?: boolean;
}

/** Parses the options. Prints the usage and ends the process if one is missing. */
export function readOptions(command: string): Options {
  const { values } = parseArgs({
    options: {
      dataset: { type: 'string' },
      repos: { type: 'string' },
      'data-dir': { type: 'string' },
      samples: { type: 'string' },
      also: { type: 'string' },
      by: { type: 'string' },
      reranked: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  if (values.dataset && values.repos) return values as Options;
  console.error(
    `usage: npm run -s lab -- ${command} --dataset <jsonl> --repos <folder of clones> [--data-dir <folder>] [--samples <file>] [--also <jsonl>] [--by <json>] [--reranked] [--write]`,
  );
  process.exit(2);
}

/** Applies `sample` to every snapshot, or reads what an earlier run saved. */
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

/**
 * Reads the ranker that orders a list.
 * @throws LocusError if the file is not a ranker
 */
export function readRanker(list: ListName = 'first'): LinearModel {
  return readRankerFrom(FILES[list]);
}

/** @throws LocusError if the file is not a ranker */
export function readRankerFrom(file: string): LinearModel {
  return checkLinearModel(JSON.parse(readFileSync(file, 'utf8')), [...RERANK_SIGNALS, ...SIGNALS]);
}

type Changes = Partial<Pick<LinearModel, 'calibration' | 'weights' | 'deviations'>>;

/** Writes weights, with two decimals, into the ranker's file. Everything else in the file stays. */
export function writeWeights(weights: Record<string, number>): void {
  writeRanker({ weights });
}

/** Writes the weight of one signal, with two decimals, into the files of both rankers. */
export function writeWeight(signal: string, weight: number): void {
  writeRanker({ weights: { [signal]: weight } }, 'first');
  writeRanker({ weights: { [signal]: weight } }, 'reranked');
}

/**
 * Writes a model that was learned from lists into the ranker's file, and its training repositories into
 * `split/trained-on/`, where the tests check the split. With `to`, writes only the model, into that file.
 * @param names names of the columns, in the order of the weights
 */
export function writeModel(
  weights: Weights,
  names: readonly string[],
  repositories: readonly string[],
  to?: string,
): void {
  const byName = Object.fromEntries(names.map((name, f) => [name, at(weights, f)]));
  writeRanker({ weights: byName }, 'first', to);
  if (to === undefined) writeTrainedOn('ranker-1', 'issues, by training-lists', repositories);
}

/**
 * Writes the ranker of the reranked list into its file: the weights of the initial ranking and those of the reranker's signals.
 * @param names names of the columns, in the order of the weights
 * @param deviations standard deviations, by signal of the reranker
 */
export function writeReranked(
  weights: Weights,
  names: readonly string[],
  deviations: Record<string, number>,
  repositories: readonly string[],
): void {
  const byName = Object.fromEntries(names.map((name, f) => [name, at(weights, f)]));
  writeRanker({ weights: byName, deviations }, 'reranked');
  writeTrainedOn('reranked', 'issues, by train-reranker', repositories);
}

/** Writes a calibration into the file of a list's ranker, and its training repositories into `split/trained-on/`. */
export function writeCalibration(
  calibration: Calibration,
  repositories: readonly string[],
  list: ListName,
): void {
  writeRanker({ calibration }, list);
  const name = list === 'first' ? 'confidence' : `${list}-confidence`;
  writeTrainedOn(name, 'issues, by train-confidence', repositories);
}

/** Records in `split/trained-on/` which repositories a model learned from. The tests check the split with it. */
export function writeTrainedOn(model: string, data: string, repositories: readonly string[]): void {
  const text = JSON.stringify({ model, data, repositories }, null, 2);
  writeFileSync(join(TRAINED_ON, `${model}.json`), `${text}\n`);
}

function writeRanker(
  { weights, ...parts }: Changes,
  list: ListName = 'first',
  to = FILES[list],
): void {
  const ranker = { ...JSON.parse(readFileSync(FILES[list], 'utf8')), ...parts };
  for (const [name, weight] of Object.entries(weights ?? {})) {
    ranker.weights[name] = Number(weight.toFixed(2));
  }
  const text = JSON.stringify(ranker, formatJsonValue, 2);
  writeFileSync(to, `${text.replaceAll(`"${IN_A_LINE}`, '').replaceAll(`${IN_A_LINE}"`, '')}\n`);
}

const IN_A_LINE = '#';

/** Formats values for JSON: numbers with six digits, long lists of numbers on one line. */
function formatJsonValue(_: string, value: unknown): unknown {
  const isNumbers = Array.isArray(value) && value.every((one) => typeof one === 'number');
  if (isNumbers) return `${IN_A_LINE}${JSON.stringify(value.map(roundWeight))}${IN_A_LINE}`;
  return typeof value === 'number' ? roundWeight(value) : value;
}

function roundWeight(value: number): number {
  return Number(value.toPrecision(6));
}
