/**
 * Hides one edited function after another of past commits, and writes what `impact` suggests for the rest:
 * `npm run -s lab -- impact-trials --repos <folder of clones> --each <commits> --seed <number> --data-dir <folder> --out <jsonl> <owner__name> ...`
 *
 * Candidates are those of `locus bench`, from four random stretches of the history; commits that edit two to six functions outside
 * tests count.
 * The index is that of the parent, with the history up to there. The diff has one hunk a file, so it does not show what is hidden.
 * Only repositories to train or to tune on are accepted. Appends to the output, commit by commit.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findEdits } from '../../src/base/edited-chunks.ts';
import { git } from '../../src/base/git/git.ts';
import { type FileDiff, parseDiff } from '../../src/base/unified-diff.ts';
import {
  type FixCandidate,
  judgeHistory,
  listRevisions,
  readFixEdits,
} from '../../src/engine/index.ts';
import { COMMITS_KEPT, findCandidatesEdited } from '../../src/services/evaluation/evaluate.ts';
import { createRandom } from '../../src/services/evaluation/statistics.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { ChunkSummary } from '../../src/shared/chunk.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { findBreaches } from '../split/split.ts';
import { buildDiff } from './build-diff.ts';
import type { Trial } from './trial.ts';

const option = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repos: option, each: option, seed: option, out: option, 'data-dir': option },
});
const { repos, each, seed, out, 'data-dir': dataDir } = values;
if (!repos || !each || !seed || !out || !dataDir || positionals.length === 0) {
  console.error(
    'usage: npm run -s lab -- impact-trials --repos <folder of clones> --each <commits> --seed <number> --data-dir <folder> --out <jsonl> <owner__name> ...',
  );
  process.exit(2);
}
const breaches = findBreaches(
  positionals.map((name) => name.replace('__', '/')),
  'train',
  'tune',
);
if (breaches.length > 0) throw new Error(`Not to be learned from: ${breaches.join(', ')}`);

const [MIN_EDITED, MAX_EDITED] = [2, 6];
/** Number of commits that are tried for one that counts. */
const MAX_TRIES = 5;
const MAX_SUGGESTIONS = 200;
/** Number of stretches of the history of a repository. */
const WINDOWS = 4;

// An open repository keeps the threads that parse and encode.
const held = await openRepository(join(repos, positionals[0] ?? ''), {
  dataDir,
  indexesFolder: join(dataDir, 'held'),
  shared: null,
});
const windows = new Map<string, FixCandidate[][]>();
for (const name of positionals) windows.set(name, await chooseCommits(join(repos, name)));
let commits = 0;
// Repositories take turns, so that a run that is stopped has some of each.
for (let window = 0; window < WINDOWS; window++) {
  for (const name of positionals) {
    let left = Number(each) / WINDOWS;
    for (const candidate of windows.get(name)?.[window] ?? []) {
      const trials = await replayCommit(name, join(repos, name), candidate);
      appendFileSync(out, trials.map((one) => `${JSON.stringify(one)}\n`).join(''));
      if (trials.length === 0) continue;
      console.error(`${++commits} commits: ${name}, ${trials.length} trials`);
      if (--left <= 0) break;
    }
  }
}
await held.close();

/** Returns some stretches of the history, each of commits in a row, since indexing a commit near the last one is fast. */
async function chooseCommits(root: string): Promise<FixCandidate[][]> {
  const head = (await listRevisions(root, { name: 'HEAD' }))?.named?.commit;
  if (!head) throw new Error(`${root} has no commit.`);
  const filter = { minMessage: 1, maxFiles: MAX_EDITED, requireTests: false };
  const { candidates } = await judgeHistory(root, head, { filter, issues: null });
  candidates.sort((a, b) => a.time - b.time);
  const random = createRandom(Number(seed));
  const share = candidates.length / WINDOWS;
  const length = (Number(each) / WINDOWS) * MAX_TRIES;
  return Array.from({ length: WINDOWS }, (_, i) => {
    const start = Math.floor(i * share + random() * Math.max(0, share - length));
    return candidates.slice(start, start + length);
  });
}

async function replayCommit(name: string, root: string, candidate: FixCandidate): Promise<Trial[]> {
  const { commit, parent } = candidate;
  const args = [
    '-r',
    '-p',
    '-U0',
    '--no-renames',
    '--diff-algorithm=myers',
    parent,
    commit,
  ] as const;
  let repository: Repository | null = null;
  try {
    const patch = (await git(root, ['diff-tree', ...args], { maxBytes: 2_000_000 })).toString();
    const files = parseDiff(patch);
    // Cheap first guess, so that most commits need no index.
    if (countEdits(files, candidate) < MIN_EDITED) return [];
    const fix = await readFixEdits(root, candidate);
    if (!fix || fix.formattingOnly || fix.names.length < MIN_EDITED) return [];
    repository = await openRepository(root, {
      dataDir,
      indexesFolder: join(dataDir ?? '', name),
      commitsKept: COMMITS_KEPT,
      revision: parent,
      shared: null,
    });
    await repository.index();
    return await tryEach(name, commit, files, candidate, repository);
  } catch (error) {
    if (error instanceof LocusError && error.code === 'bad-repository') return [];
    throw error;
  } finally {
    await repository?.close();
  }
}

function listSources({ files }: FixCandidate): Set<string> {
  return new Set(files.map(({ path }) => path));
}

function countEdits(files: readonly FileDiff[], candidate: FixCandidate): number {
  const sources = listSources(candidate);
  return files
    .filter(({ from }) => from && sources.has(from))
    .reduce((sum, { hunks }) => sum + hunks.length, 0);
}

async function tryEach(
  repository: string,
  commit: string,
  files: readonly FileDiff[],
  candidate: FixCandidate,
  opened: Repository,
): Promise<Trial[]> {
  const sources = listSources(candidate);
  const changes = new Map(
    files.flatMap(({ from, hunks }) => (from && sources.has(from) ? [[from, hunks] as const] : [])),
  );
  const edited = await findCandidatesEdited(changes, opened, (hunks) => findEdits(hunks));
  if (edited.length < MIN_EDITED || edited.length > MAX_EDITED) return [];
  const texts = new Map<string, string>();
  for (const { from } of files)
    if (from) texts.set(from, (await opened.file({ path: from }).catch(() => null))?.text ?? '');
  const trials: Trial[] = [];
  for (const hidden of edited) {
    const diff = buildDiff(files, texts, { hidden, edited });
    const visible = edited.filter((one) => one !== hidden);
    if (diff === '') continue;
    const { suggestions, edited: found } = await opened.impact({ diff, limit: MAX_SUGGESTIONS });
    // A nested function or a class around it may be edited by the same line.
    if (found.some(({ chunk }) => chunk?.address === hidden.address)) continue;
    const own = new Set(found.flatMap(({ chunk }) => chunk?.address ?? []));
    trials.push({
      ...{ repository, commit, hidden: hidden.address, edited: edited.length },
      suggestions: suggestions.map(({ address, reasons }) => ({
        address,
        reasons: Object.fromEntries(reasons.map(({ kind, strength }) => [kind, strength])),
      })),
      neighbors: await listNeighbors(visible, own, opened),
      callers: await listRelated(visible, own, 'callers', opened),
      callees: await listRelated(visible, own, 'callees', opened),
    });
  }
  return trials;
}

async function listNeighbors(
  visible: readonly ChunkSummary[],
  own: ReadonlySet<string>,
  opened: Repository,
): Promise<string[]> {
  const found = new Map<string, number>();
  for (const { path, startLine, endLine } of visible) {
    const { chunks } = await opened.file({ path });
    for (const other of chunks) {
      if (other.kind === 'module' || own.has(other.address)) continue;
      const distance = Math.max(0, startLine - other.endLine, other.startLine - endLine);
      found.set(other.address, Math.min(distance, found.get(other.address) ?? distance));
    }
  }
  return [...found].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([one]) => one);
}

async function listRelated(
  visible: readonly ChunkSummary[],
  own: ReadonlySet<string>,
  direction: 'callers' | 'callees',
  opened: Repository,
): Promise<string[]> {
  const found = new Set<string>();
  for (const { address } of visible) {
    const { nodes } = await opened.neighbors({ chunk: address, direction, depth: 1 });
    for (const node of nodes)
      if (node.role === 'source' && node.kind !== 'module' && !own.has(node.address))
        found.add(node.address);
  }
  return [...found];
}
