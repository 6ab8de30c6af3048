/**
 * Mines training data from a repository's history. SweRank (Reddy et al., 2025, arXiv 2505.07849) pairs issues with the
 * functions that their fixes edit. Here a commit's message replaces the issue, so that any repository can be used; or an issue
 * does, if its fix is known. docs/reference/training.md describes the data and the filters.
 */

import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { throwIfCancelled } from '../../src/base/cancel.ts';
import { explainWriteError } from '../../src/base/write-file.ts';
import {
  computeLanguagesDigest,
  type FixCandidate,
  type JudgedHistory,
  judgeHistory,
  openTree,
  type ParsedSource,
  ParserPool,
  type Rejection,
  readFixPatches,
  type SourceTree,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { checkConsistency } from './consistency.ts';
import { FORMAT_VERSION, type HeaderLine } from './format.ts';
import { type Prepared, prepareCommit, toInstance } from './instances.ts';
import { Clock, type MineOptions, type MineProgress } from './options.ts';
import { parseFiles, SnapshotGraph } from './snapshot-graph.ts';
import { findNearestSnapshot, findSnapshots, type Snapshot } from './snapshots.ts';
import { recentLines } from './source-lines.ts';
import { explainWorkFailure, WorkFile } from './work-file.ts';
import { writeTrainingData } from './writer.ts';

export interface MineReport {
  header: HeaderLine;
  /** Number of commits that an earlier, interrupted run processed. */
  resumed: number;
  /** Size of the file. */
  bytes: number;
  seconds: Record<MineProgress['phase'] | 'total', number>;
}

/** Number of commits whose files are parsed and stored together. */
const BATCH = 32;

/**
 * Mines a repository's history into one compressed file of training data. An interrupted run leaves its results in
 * `<file>.partial`, and the next run continues from there. The same repository, commit and options give the same bytes.
 * @throws LocusError `bad-repository`; `not-found` if there is no history to mine; `bad-input` or `bad-output` if the file or
 * `<file>.partial` cannot be written; `busy` while another process mines into it; or `cancelled`
 */
export async function mine(root: string, file: string, options: MineOptions): Promise<MineReport> {
  const { signal, onProgress = () => {} } = options;
  const clock = new Clock(onProgress);
  const tree = await openTree(root, { revision: options.revision, signal });
  try {
    const history = await clock.time('history', () =>
      readHistory(tree.root, headOf(tree), options),
    );
    await mkdir(dirname(resolve(file)), { recursive: true }).catch((error) => {
      throw explainWriteError(error, file);
    });
    // Created only when there is something to mine, so that a failed run leaves no file.
    return await mineHistory(tree, file, history, { ...options, clock });
  } catch (error) {
    throw explainWorkFailure(error, file);
  } finally {
    await tree.close();
  }
}

const headOf = (tree: SourceTree): string => assertPresent(tree.revision, 'the revision of a tree');

async function mineHistory(
  tree: SourceTree,
  file: string,
  { candidates, commits, rejected }: JudgedHistory,
  options: MineOptions & { clock: Clock },
): Promise<MineReport> {
  const { clock, signal } = options;
  const head = headOf(tree);
  const snapshots = await findSnapshots(tree.root, head, signal);
  const work = new WorkFile(`${file}.partial`, makePlan(head, options));
  const pool = new ParserPool();
  try {
    const done = work.done();
    const resumed = done.size;
    const miner = { tree, pool, work, options, clock, total: candidates.length };
    for (const snapshot of snapshots) {
      const mine = [...candidates.entries()].filter(
        ([, { time }]) => findNearestSnapshot(snapshots, time) === snapshot.number,
      );
      await mineSnapshot(snapshot, mine, done, miner);
    }
    if (options.topK !== null || options.negatives > 0) {
      await clock.time('ranking', () => checkConsistency(work, { ...options, clock }));
    }
    throwIfCancelled(signal, 'Mining');
    const header: HeaderLine = {
      repo: options.name,
      n: work.chunkCount(),
      pairs: work.commitCount(),
      version: FORMAT_VERSION,
      head,
      snapshots: snapshots.map(({ commit }) => commit),
      commits,
      rejected: { ...rejected, ...work.rejections() },
    };
    await clock.time('writing', () => writeTrainingData(file, header, work));
    work.remove();
    const { size } = await stat(file);
    return { header, resumed, bytes: size, seconds: clock.seconds() };
  } finally {
    work.close();
    await pool.close();
  }
}

interface Miner {
  tree: SourceTree;
  pool: ParserPool;
  work: WorkFile;
  options: MineOptions;
  clock: Clock;
  /** Total number of candidates. */
  total: number;
}

/** Mines the commits nearest to a snapshot. Positions are positions in the history. */
async function mineSnapshot(
  snapshot: Snapshot,
  candidates: readonly [number, FixCandidate][],
  done: Set<number>,
  miner: Miner,
): Promise<void> {
  const { work, options, clock } = miner;
  const { signal } = options;
  const commitTree = await openTree(miner.tree.root, { revision: snapshot.commit, signal });
  try {
    // Loaded even if all its commits are done, to complete the chunks and links of an interrupted load.
    const graph = await clock.time('snapshot', () =>
      SnapshotGraph.load(commitTree, snapshot.number, { pool: miner.pool, work, signal }),
    );
    const waiting = candidates.filter(([position]) => !done.has(position));
    await clock.time('commits', async () => {
      for (let start = 0; start < waiting.length; start += BATCH) {
        throwIfCancelled(signal, 'Mining');
        const batch = waiting.slice(start, start + BATCH);
        await mineBatch(batch, snapshot.number, graph, miner);
        for (const [position] of batch) done.add(position);
        clock.report('commits', done.size, miner.total);
      }
    });
  } finally {
    await commitTree.close();
  }
}

async function mineBatch(
  batch: readonly [number, FixCandidate][],
  snapshot: number,
  graph: SnapshotGraph,
  { tree, pool, work, options }: Miner,
): Promise<void> {
  const candidates = batch.map(([, candidate]) => candidate);
  const patches = await readFixPatches(tree.root, candidates, options.signal);
  const files = await parseBefore(tree, pool, candidates, options.signal);
  const linesOf = recentLines(tree);
  const prepared: (readonly [number, Prepared | Rejection])[] = [];
  for (const [position, candidate] of batch) {
    const parsed = candidate.files.flatMap((file) => files.get(keyOf(file)) ?? []);
    const patch = patches.get(candidate.commit);
    const { maxChunks } = options;
    const found = await prepareCommit(candidate, patch, parsed, { maxChunks, graph, linesOf });
    prepared.push([position, found] as const);
  }
  work.transaction(() => {
    for (const [position, found] of prepared) {
      const outcome = typeof found === 'string' ? found : toInstance(found, snapshot, graph);
      work.addCommit(position, outcome);
    }
  });
}

/** Parses the commits' files in the versions before them, each version once. */
async function parseBefore(
  tree: SourceTree,
  pool: ParserPool,
  candidates: readonly FixCandidate[],
  signal: AbortSignal | undefined,
): Promise<Map<string, ParsedSource>> {
  const versions = new Map(
    candidates.flatMap(({ files }) => files.map((file) => [keyOf(file), file] as const)),
  );
  const entries = Array.from(versions.values(), ({ path, before }) => {
    return { path, hash: before, size: 0 };
  });
  const parsed = await parseFiles(tree, pool, entries, signal);
  return new Map(parsed.map((file) => [keyOf({ path: file.path, before: file.hash }), file]));
}

const keyOf = ({ path, before }: { path: string; before: string }) => `${before} ${path}`;

async function readHistory(
  root: string,
  head: string,
  { issues, limit, signal, ...filter }: MineOptions,
): Promise<JudgedHistory> {
  const judged = await judgeHistory(root, head, { filter, issues, signal });
  if (judged.candidates.length === 0)
    throw makeNothingToMineError(root, judged.commits, { issues });
  return { ...judged, candidates: spreadEvenly(judged.candidates, limit) };
}

function makeNothingToMineError(
  root: string,
  commits: number,
  { issues }: Pick<MineOptions, 'issues'>,
): LocusError {
  if (issues) {
    const none = `None of the commits that closed the ${issues.length} issues is in ${root} and passes the filters.`;
    return new LocusError('not-found', none, 'Fetch the branches that contain the fixes.');
  }
  return new LocusError(
    'not-found',
    `None of the ${commits} commits of ${root} passes the filters.`,
    'Choose a repository with more history. Run git fetch --unshallow in a shallow clone.',
  );
}

function spreadEvenly<T>(all: T[], limit: number | null): T[] {
  if (limit === null || all.length <= limit) return all;
  return Array.from({ length: limit }, (_, i) =>
    assertPresent(all[Math.floor((i * all.length) / limit)], 'an item'),
  );
}

/** Returns everything that the outcome depends on, as JSON. */
function makePlan(head: string, options: MineOptions): string {
  const { name, minMessage, maxFiles, maxChunks, requireTests, issues, limit, topK, negatives } =
    options;
  return JSON.stringify({
    format: FORMAT_VERSION,
    parsers: computeLanguagesDigest(),
    ...{ head, name, minMessage, maxFiles, maxChunks, requireTests, limit, topK, negatives },
    ...(issues && { issues: createHash('sha1').update(JSON.stringify(issues)).digest('hex') }),
  });
}
