/** Grows the trees of a ranker with LightGBM, which `grow.py` runs. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { findPython } from '../../scripts/python.ts';
import {
  type Feature,
  type Forest,
  type ForestFile,
  scoresBy,
} from '../../src/engine/search/forest.ts';
import { present } from '../../src/shared/present.ts';
import type { RankedIssue } from './issue.ts';

export interface GrowOptions {
  trees: number;
  /** LightGBM's parameters. */
  settings: Record<string, number | boolean | string>;
}

/** What LightGBM itself says of the rows that it is asked to show. */
export interface Shown {
  scores: number[];
  /** By row: what each feature adds, and then the mean. */
  parts: number[][];
}

const SCRIPT = join(import.meta.dirname, 'grow.py');
/** Bytes of what it prints. */
const LARGEST = 1 << 28;

/**
 * Trees that correct the scores of these issues; those without an edited candidate say nothing.
 * @param start the scores, by candidate of an issue
 * @param show of how many of the first rows LightGBM's own numbers are asked
 */
export function grow(
  issues: readonly RankedIssue[],
  features: readonly Feature[],
  start: (issue: RankedIssue) => Float64Array,
  { trees, settings }: GrowOptions,
  show = 0,
): ForestFile & Shown {
  const telling = issues.filter(({ labels }) => labels.includes(1));
  const groups = telling.map(({ labels }) => labels.length);
  const task = {
    features: features.length,
    labels: telling.flatMap(({ labels }) => [...labels]),
    groups,
    start: telling.flatMap((issue) => [...start(issue)]),
    settings,
    trees,
    shown: show,
  };
  const rows = telling.map((issue) => rowsOf(inputsOf(issue, features)));
  const output = execFileSync(findPython(), [SCRIPT], {
    input: Buffer.concat([Buffer.from(`${JSON.stringify(task)}\n`), ...rows]),
    maxBuffer: LARGEST,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { features: [...features], ...JSON.parse(output.toString('utf8')) };
}

/** What the trees add, by candidate. */
export function grownScores(issue: RankedIssue, forest: Forest): Float64Array {
  return scoresBy(forest, inputsOf(issue, forest.features));
}

function inputsOf({ names, values, columns }: RankedIssue, features: readonly Feature[]) {
  return features.map(({ signal, as }) => {
    const from = as === 'measured' ? values : columns;
    return present(from[names.indexOf(signal)], `the column ${signal}`);
  });
}

/** Row by row. */
function rowsOf(inputs: readonly Float64Array[]): Buffer {
  const count = inputs[0]?.length ?? 0;
  const rows = new Float64Array(count * inputs.length);
  for (const [f, column] of inputs.entries()) {
    for (const [i, value] of column.entries()) rows[i * inputs.length + f] = value;
  }
  return Buffer.from(rows.buffer);
}
