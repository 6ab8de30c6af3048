/**
 * Compares searches in a fleet with local searches of the same repositories: `node lab/fleet/compare.ts --data <folder>
 * [--each 2] <clone> …`, with the folder of `lab/fleet/workers.ts`, which indexed the clones.
 *
 * Issues are the messages of each clone's newest commits; answers are the functions that the commits edited. All clones are
 * searched locally twice (as with `locus search --workspace`, initial rankings only): with all signals, which recognize the
 * commit by its message, and without those of history. Prints how often an answer is among the first results, and how many of the
 * fleet's first ten results the local list has.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readMessage } from '../../demo/messages.ts';
import ranker1 from '../../models/ranker-1/initial.json' with { type: 'json' };
import { startMilvusLite } from '../../scripts/milvus-lite.ts';
import {
  acquireSharedEncoder,
  checkLinearModel,
  computeCalibratedScore,
  encodeIssue,
  explain,
  getModelKey,
  type LinearModel,
  LinearRanker,
  LiveSnapshot,
  loadManifest,
  rankChunks,
  readIssue,
  SIGNALS,
  Store,
} from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import { AccessChecker } from '../../src/services/fleet/access.ts';
import { makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { openFleet } from '../../src/services/fleet/fleet.ts';
import { searchFleet } from '../../src/services/fleet/search.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { findModelFolder } from '../../src/services/models.ts';
import { estimateChances } from '../../src/services/workspace/chance.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';

const { values, positionals } = parseArgs({
  options: { data: { type: 'string' }, each: { type: 'string', default: '2' } },
  allowPositionals: true,
});
if (!values.data || positionals.length === 0) {
  console.error('usage: npx node lab/fleet/compare.ts --data <folder> [--each 2] <clone> …');
  process.exit(2);
}
const data = resolve(values.data);
const LISTED = 100;
const folder = await findModelFolder();
const manifest = await loadManifest(folder);
const model = { key: getModelKey(manifest.id, manifest.version), dimensions: manifest.dimensions };
const ALL = checkLinearModel(ranker1, SIGNALS);
const OF_HISTORY = SIGNALS.filter(({ family }) => family === 'history').map(({ name }) => name);
const WITHOUT_HISTORY: LinearModel = {
  ...ALL,
  weights: Object.fromEntries(
    Object.entries(ALL.weights).map(([name, weight]) => [
      name,
      OF_HISTORY.some((known) => known === name) ? 0 : weight,
    ]),
  ),
};

const members = positionals.map((place) => {
  const clone = realpathSync(place);
  const revision = execFileSync('git', ['-C', clone, 'rev-parse', 'HEAD']).toString().trim();
  const store = new Store(findIndex(clone), null, { revision });
  const name = clone.replace(/^\/+/, '');
  return { clone, name, store, index: new LiveSnapshot(store, revision, model).index };
});
type Member = (typeof members)[number];

/** Finds the index of a clone among those of the workers. */
function findIndex(clone: string): string {
  const folders = [3, 2, 1].map((n) => getIndexFolder(join(data, `worker-${n}`, 'fleet'), clone));
  return assertPresent(folders.find(existsSync), `an index of ${clone}`);
}

interface Question {
  issue: string;
  /** Answers in the form `name path::qualifiedName`. */
  answers: Set<string>;
}

const questions: Question[] = [];
for (const member of members) questions.push(...(await readQuestions(member)));

const encoder = await acquireSharedEncoder({ modelFolder: folder, device: 'cpu' });
const server = await startMilvusLite(join(data, 'milvus'));
const fleet = await openFleet({
  objects: join(data, 'objects'),
  engine: server.address,
  dataDir: join(data, 'compared'),
});
const access = new AccessChecker({});
access.findReadable = async () => ({
  keys: new Set(members.map(({ name }) => makeRepositoryKey({ name, ref: null }))),
  notes: [],
});
try {
  const lists: Record<string, string[][]> = { fleet: [], 'local, without history': [], local: [] };
  for (const { issue } of questions) {
    lists.fleet?.push(await askFleet(issue));
    lists['local, without history']?.push(await searchLocally(issue, WITHOUT_HISTORY));
    lists.local?.push(await searchLocally(issue, ALL));
    console.error(`${lists.fleet?.length} of ${questions.length}`);
  }
  const rows = Object.entries(lists).map(([name, own]) => [
    name,
    ...[1, 5, 20].map((places) => share(own, places)),
    reciprocal(own).toFixed(3),
    mean(
      own.map((list, i) => countCommon(list, lists['local, without history']?.[i] ?? [])),
    ).toFixed(2),
  ]);
  const head = [
    'list',
    'first',
    'among 5',
    'among 20',
    'MRR',
    'of its first ten in the list without history',
  ];
  console.log(formatMarkdownTable(head, rows).join('\n'));
  console.log(`\n${questions.length} commits of ${members.length} repositories.`);
} finally {
  await fleet[Symbol.asyncDispose]();
  await server.stop();
  await encoder.close();
  for (const { store } of members) store.close();
}

/** Returns the newest commits that edited a few functions which still exist. */
async function readQuestions({ clone, name, index }: Member): Promise<Question[]> {
  const found: Question[] = [];
  const byName = new Map<number, string>();
  for (const chunk of index.chunks) {
    if (!chunk || chunk.kind === 'module') continue;
    const definition = index.history?.findDefinition(chunk);
    if (definition !== undefined)
      byName.set(definition, `${name} ${chunk.path}::${chunk.qualifiedName}`);
  }
  for (const { hash, definitions } of index.history?.commits ?? []) {
    if (found.length === Number(values.each)) break;
    const answers = definitions.flatMap((one) => byName.get(one) ?? []);
    if (answers.length === 0 || definitions.length > 5) continue;
    const issue = await readMessage(clone, hash);
    if (issue.length > 30) found.push({ issue, answers: new Set(answers) });
  }
  return found;
}

async function askFleet(issue: string): Promise<string[]> {
  const { results } = await searchFleet(fleet, access, { issue, limit: LISTED }, { device: 'cpu' });
  return results.map((one) => `${one.repository} ${one.path}::${one.qualifiedName}`);
}

/** Merges initial rankings as `searchWorkspace` does. */
async function searchLocally(issue: string, ranker: LinearModel): Promise<string[]> {
  const read = readIssue(issue);
  const vectors = await encodeIssue(encoder, read);
  const parts = members.map(({ name, index }) => {
    const own = rankChunks(
      index,
      vectors,
      { issue, limit: LISTED },
      { ranker: new LinearRanker(ranker), read },
    );
    return {
      name,
      results: explain(own).results,
      calibratedScore: computeCalibratedScore(own, index),
    };
  });
  const chances = estimateChances(parts);
  return parts
    .flatMap(({ name, results, calibratedScore }, i) =>
      results.map((one, at) => ({
        place: `${name} ${one.path}::${one.qualifiedName}`,
        probability: (chances[i] ?? 0) * (calibratedScore?.probabilities[at] ?? 0),
      })),
    )
    .sort((a, b) => b.probability - a.probability)
    .slice(0, LISTED)
    .map(({ place }) => place);
}

function findRank(list: readonly string[], { answers }: Question): number {
  const at = list.findIndex((place) => answers.has(place));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

function ranks(lists: readonly string[][]): number[] {
  return questions.map((question, i) => findRank(lists[i] ?? [], question));
}

function share(lists: readonly string[][], places: number): string {
  return mean(ranks(lists).map((rank) => Number(rank <= places))).toFixed(2);
}

function reciprocal(lists: readonly string[][]): number {
  return mean(ranks(lists).map((rank) => 1 / rank));
}

function countCommon(list: readonly string[], other: readonly string[]): number {
  const first = new Set(other.slice(0, 10));
  return list.slice(0, 10).filter((place) => first.has(place)).length / 10;
}
