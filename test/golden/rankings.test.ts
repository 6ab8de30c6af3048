/**
 * Golden recordings of Locus's output for fourteen small repositories in twelve languages, and for all of them in one. For
 * each, `rankings/<name>/` has
 *
 * - `index.txt`: counts, languages, packages, skipped files;
 * - `chunks.txt`, `edges.txt`: every chunk and every edge of the call graph;
 * - `issues.txt`: the names and other parts recognized in each issue;
 * - `initial.txt`: the first 20 results of each issue with their scores and all of their evidence;
 * - `reranked.txt`: the same after reranking, without a deadline;
 * - `around.txt`: callers, callees, neighbors, references and similar chunks of each first result;
 * - `variants.txt`: the first issue with filters and marks.
 *
 * Numbers have three decimals, so that even a small change of a weight shows. Numbers that depend on the reranker's cosines, which
 * have five, are on separate lines that begin with `~`. `settle.ts` compares them, with a tolerance for other processors.
 *
 * A repository is recorded from a new index. Some of them, and all in `npm run torture`, are also recorded from the same index
 * opened again and from an updated index of the first commit. All recordings must be equal. `npm run golden` writes them;
 * explain each change in the diff.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createTwoFilesPatch } from 'diff';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { scaleRounds } from '../support/effort.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Recording, recordInitial, recordReranked } from './recording.ts';
import {
  checkOut,
  createRepository,
  type GoldenRepository,
  listRepositories,
} from './repositories.ts';
import { settle } from './settle.ts';

await keepThreads();

const RANKINGS = join(import.meta.dirname, 'rankings');
const UPDATE = Boolean(process.env.LOCUS_UPDATE_GOLDEN);
/**
 * Repositories that `npm test` also opens again and updates, which takes most of the time: one in Python, one in C with a
 * link and a file that is too large, one in TypeScript with several packages.
 */
const REOPENED = ['courier', 'ringlog', 'wayfare'];
const REOPEN_ALL = scaleRounds(1) > 1;
/** Maximum number of shown lines of a difference in one file. */
const SHOWN_LINES = 40;
/** Number of added and removed lines above which no difference is computed. */
const MAX_EDITS = 1000;

describe('golden recordings', { concurrency: 2 }, () => {
  let scratch: string;
  before(() => {
    scratch = temporaryFolder();
  });
  after(() => removeFolder(scratch));

  for (const name of listRepositories()) {
    test(`${name} is indexed, ranked, reranked and explained as recorded`, async () => {
      const golden = await createRepository(name, scratch);
      const paths = git(golden.root, 'ls-files').split('\n');
      const record = (repository: Repository) => recordInitial(repository, paths, golden.issues);
      const dataDir = join(scratch, `${name}-new`);
      await withRepository(golden, dataDir, async (repository) => {
        await repository.index();
        const recording = {
          ...(await record(repository)),
          ...(await recordReranked(repository, golden.reranked)),
        };
        if (UPDATE) write(name, recording);
        assertRecorded(name, recording, 'from a new index');
      });
      if (!REOPEN_ALL && !REOPENED.includes(name)) return;
      await withRepository(golden, dataDir, async (repository) => {
        assertRecorded(name, await record(repository), 'from an index opened again');
      });
      checkOut(golden, golden.commits[0]);
      await withRepository(golden, join(scratch, `${name}-edited`), async (repository) => {
        await repository.index();
        checkOut(golden, 'main');
        await repository.index();
        assertRecorded(name, await record(repository), 'from an index brought up to date');
      });
    });
  }
});

async function withRepository(
  { root }: GoldenRepository,
  dataDir: string,
  use: (repository: Repository) => Promise<void>,
): Promise<void> {
  const repository = await openRepository(root, { dataDir, device: 'cpu', shared: null });
  try {
    await use(repository);
  } finally {
    await repository.close();
  }
}

function read(name: string, file: string): string {
  const path = join(RANKINGS, name, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Writes a recording, but keeps old numbers that differ only because of the processor. */
function write(name: string, recording: Recording): void {
  mkdirSync(join(RANKINGS, name), { recursive: true });
  for (const [file, text] of Object.entries(recording)) {
    writeFileSync(join(RANKINGS, name, file), settleFile(file, text, read(name, file)));
  }
}

/** Asserts that a recording equals the stored one. Reports a difference for each file. */
function assertRecorded(name: string, recording: Recording, origin: string): void {
  const differences = Object.entries(recording).flatMap(([file, text]) => {
    const before = read(name, file);
    const now = settleFile(file, text, before);
    return now === before ? [] : [describeDifference(`${name}/${file}`, before, now)];
  });
  if (differences.length === 0) return;
  assert.fail(
    `The recording ${origin} differs. If that is intended, run npm run golden.\n${differences.join('\n')}`,
  );
}

function settleFile(file: string, now: string, before: string): string {
  return file === 'reranked.txt' ? settle(now, before) : now;
}

function describeDifference(file: string, before: string, now: string): string {
  const options = { context: 1, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch(
    `recorded/${file}`,
    `now/${file}`,
    before,
    now,
    '',
    '',
    options,
  );
  if (patch === undefined) return `${file}: more than ${MAX_EDITS} lines differ.`;
  const lines = patch.split('\n');
  const more = lines.length - SHOWN_LINES;
  return [...lines.slice(0, SHOWN_LINES), ...(more > 0 ? [`… and ${more} lines`] : [])].join('\n');
}
