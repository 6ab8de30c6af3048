/**
 * Measures precision and recall of the call graph on hand-checked call sites:
 * `node lab/bench/call-graph.ts [--list] [--edges] [--sites=<file>] <folder of clones>`.
 *
 * The sites are test/graph/fixtures/call-sites.jsonl or another file of that folder. Its README describes how they were
 * sampled and labelled. A clone is found by the last part of the repository's name. Each commit is read from git; nothing is
 * checked out. `--list` prints every site that was missed or resolved wrongly. `--edges` counts all edges of each repository.
 *
 * A predicted target that the labels call an alternative counts neither for nor against.
 */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RepositoryGraph, runToEnd } from '../../src/engine/lab.ts';
import { formatAddress } from '../../src/shared/address.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { parseClone } from './support/parse-clone.ts';

interface LabelledSite {
  repository: string;
  commit: string;
  path: string;
  nameLine: number;
  nameColumn: number;
  kind: 'call' | 'decorate' | 'inherit';
  expression: string;
  enclosing: string;
  targets: string[];
  alternatives: string[];
  why: string | null;
  note: string;
}

interface Prediction {
  caller: string;
  callee: string;
  guess: boolean;
}

interface Outcome {
  site: LabelledSite;
  predictions: Prediction[];
}

/**
 * Share of sites with a target among all sites, as observed while the sample was drawn (see its README). The sample has
 * 50 sites with and 30 without a target for each repository, so precision must be weighted back to that share. Samples of
 * repositories that are not listed here were drawn in the natural proportion.
 */
const SHARE_WITH_TARGET: Record<string, number> = {
  'psf/requests': 0.3,
  'pallets/click': 0.27,
  'django/django': 0.52,
};

const {
  values: { list, edges, sites },
  positionals: [clones],
} = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    edges: { type: 'boolean', default: false },
    sites: { type: 'string', default: 'call-sites.jsonl' },
  },
});
if (!clones) {
  console.error(
    'usage: npx node lab/bench/call-graph.ts [--list] [--edges] [--sites=<file>] <folder of clones>',
  );
  process.exit(2);
}

const samplePath = new URL(`../../test/graph/fixtures/${sites}`, import.meta.url);
const sample: LabelledSite[] = readFileSync(samplePath, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const outcomes: Outcome[] = [];
for (const [repository, sites] of Map.groupBy(sample, (site) => site.repository)) {
  const clone = resolve(clones, basename(repository));
  if (!existsSync(clone)) {
    console.error(`${repository} is skipped: ${clone} is missing. Clone it there.`);
    continue;
  }
  outcomes.push(...(await evaluate(clone, sites)));
}
print(outcomes);

async function evaluate(clone: string, sites: LabelledSite[]): Promise<Outcome[]> {
  const [site] = sites;
  if (!site) return [];
  const files = await parseClone(clone, site.commit);
  const graph = new RepositoryGraph();
  for (const [path, file] of files) graph.put(path, file);
  if (edges) printEdges(clone, graph, files.keys());
  const addresses = new Map<number, string>();
  for (const { path, chunkIds, chunks } of files.values())
    for (const [index, { qualifiedName, ordinal }] of chunks.entries())
      addresses.set(
        assertPresent(chunkIds[index], 'the id of a chunk'),
        formatAddress({ path, qualifiedName, ordinal }),
      );

  const found = new Map<string, Prediction[]>();
  for (const path of new Set(sites.map((site) => site.path)))
    for (const { caller, callee, kind, guess, sites: places } of runToEnd(graph.resolve(path))
      .edges)
      for (const { line, column } of places) {
        const key = makeKey(path, line, column, kind);
        const prediction = {
          caller: assertPresent(addresses.get(caller), 'the address of a caller'),
          callee: assertPresent(addresses.get(callee), 'the address of a callee'),
          guess,
        };
        found.set(key, [...(found.get(key) ?? []), prediction]);
      }
  return sites.map((site) => ({
    site,
    predictions: found.get(makeKey(site.path, site.nameLine, site.nameColumn, site.kind)) ?? [],
  }));
}

/** Prints the number of edges, of guessed edges, and of call sites with several targets. */
function printEdges(clone: string, graph: RepositoryGraph, paths: Iterable<string>): void {
  const total = { edges: 0, guesses: 0, ambiguous: 0 };
  for (const path of paths) {
    const found = runToEnd(graph.resolve(path)).edges;
    total.edges += found.length;
    total.guesses += found.filter(({ guess }) => guess).length;
    const sites = found.flatMap(({ caller, kind, sites }) =>
      sites.map(({ line, column }) => `${caller} ${makeKey(path, line, column, kind)}`),
    );
    total.ambiguous += Map.groupBy(sites, (site) => site)
      .values()
      .filter((same) => same.length > 1)
      .toArray().length;
  }
  const { edges, guesses, ambiguous } = total;
  console.log(
    `${basename(clone)}: ${edges} edges, ${guesses} guesses; ${ambiguous} sites with several targets`,
  );
}

function makeKey(path: string, line: number, column: number, kind: string): string {
  return `${path}:${line}:${column}:${kind === 'construct' ? 'call' : kind}`;
}

interface Score {
  withTarget: number;
  found: number;
  /** Sites with a target for which something else was predicted. */
  misled: number;
  without: number;
  /** Sites without a target for which something was predicted. */
  invented: number;
}

function score(
  outcomes: Outcome[],
  counts: (prediction: Prediction) => boolean = () => true,
): Score {
  const total: Score = { withTarget: 0, found: 0, misled: 0, without: 0, invented: 0 };
  for (const { site, predictions } of outcomes) {
    const counted = predictions.filter(counts);
    const isRight = counted.some((one) => site.targets.includes(one.callee));
    const isWrong = findWrong(site, counted).length > 0;
    if (site.targets.length > 0) {
      total.withTarget++;
      if (isRight) total.found++;
      if (isWrong) total.misled++;
    } else {
      total.without++;
      if (isWrong) total.invented++;
    }
  }
  return total;
}

function findWrong(site: LabelledSite, predictions: Prediction[]): Prediction[] {
  return predictions.filter(
    ({ callee }) => !site.targets.includes(callee) && !site.alternatives.includes(callee),
  );
}

/** Returns the precision, weighted by the share of sites with a target in the whole repository. */
function weightedPrecision(outcomes: Outcome[], counts?: (prediction: Prediction) => boolean) {
  let right = 0;
  let wrong = 0;
  for (const [repository, group] of Map.groupBy(outcomes, ({ site }) => site.repository)) {
    const one = score(group, counts);
    const share = SHARE_WITH_TARGET[repository] ?? one.withTarget / group.length;
    right += (share * one.found) / Math.max(1, one.withTarget);
    wrong += (share * one.misled) / Math.max(1, one.withTarget);
    wrong += ((1 - share) * one.invented) / Math.max(1, one.without);
  }
  return right + wrong === 0 ? Number.NaN : right / (right + wrong);
}

function print(outcomes: Outcome[]): void {
  const percent = (value: number) => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} %`);
  const row = (
    name: string,
    group: Outcome[],
    counts?: (prediction: Prediction) => boolean,
    weighted = true,
  ) => {
    const { withTarget, found, misled, without, invented } = score(group, counts);
    const precision = weighted ? percent(weightedPrecision(group, counts)) : '-';
    const recall = percent(found / withTarget);
    console.log(
      `| ${name} | ${found} / ${withTarget} | ${recall} | ${misled} | ${invented} / ${without} | ${precision} |`,
    );
  };
  console.log('| sites | target found | recall | misled | invented | precision, weighted |');
  console.log('|---|---|---|---|---|---|');
  for (const [name, group] of Map.groupBy(outcomes, ({ site }) => site.repository))
    row(name, group);
  // The share of sites with a target is unknown for each kind, so precision by kind cannot be computed.
  for (const [name, group] of Map.groupBy(outcomes, ({ site }) => site.kind))
    row(name, group, undefined, false);
  row('certain only', outcomes, (one) => !one.guess);
  row('guesses only', outcomes, (one) => one.guess);
  row('all', outcomes);

  const strays = outcomes.filter(({ site, predictions }) =>
    predictions.some(({ caller }) => caller !== `${site.path}::${site.enclosing}`),
  );
  console.log(`\nSites attributed to another caller than their enclosing chunk: ${strays.length}`);
  if (!list) return;
  for (const { site, predictions } of outcomes) {
    const wrong = findWrong(site, predictions);
    const isFound = predictions.some((one) => site.targets.includes(one.callee));
    if (wrong.length === 0 && (isFound || site.targets.length === 0)) continue;
    const place = join(site.repository, site.path);
    console.log(`\n${place}:${site.nameLine} ${site.kind} ${site.expression} (${site.note})`);
    console.log(`  expected ${site.targets.join(', ') || `nothing: ${site.why}`}`);
    for (const one of predictions) console.log(`  got ${one.callee}${one.guess ? ' (guess)' : ''}`);
  }
}
