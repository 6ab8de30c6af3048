/**
 * Compares Locus with `rg` and `git grep`, in one run: `npm run -s lab -- bench-grep --dataset issues.jsonl --repos ~/clones [--repo owner/name]
 * [--issues 20] [--beside <folder>]… [--rg <program>] [--data-dir <folder>] [--read-only]`
 *
 * Searches for each issue in its repository at the commit before its fix; with `--beside` in a workspace with these folders.
 * `typed-words.ts` and `tries.ts` define what the person searches for and how ranks are counted. The best of three tries counts,
 * and the time of all three. For Locus, the initial ranking in an open repository counts; opening is timed separately. Tests are
 * left out everywhere. An interrupt ends the run after the current issue. Prints a row for each issue on standard error, and a
 * Markdown table.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findEditedChunks } from '../../src/base/edited-chunks.ts';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';
import {
  COMMITS_KEPT,
  findPatchedChunks,
  isCandidateChunk,
} from '../../src/services/evaluation/evaluate.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { median } from '../../src/services/evaluation/statistics.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { joinRepositories } from '../../src/services/workspace/join-repositories.ts';
import { nameRepositories } from '../../src/services/workspace/names.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { appendTo } from '../../src/shared/lists-by-key.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { checkOut } from '../bench/support/check-out.ts';
import { pickEvenly } from '../bench/support/spaced.ts';
import { gitGrep, type Line, ripgrep, type Tool } from './tools.ts';
import { findRank, runThreeTries, sortByMatches, TRIES, type Tried } from './tries.ts';

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    repo: { type: 'string' },
    issues: { type: 'string', default: '20' },
    beside: { type: 'string', multiple: true, default: [] },
    rg: { type: 'string', default: 'rg' },
    'data-dir': { type: 'string' },
    'read-only': { type: 'boolean', default: false },
  },
});
const { dataset, repos, 'data-dir': dataDir, 'read-only': readOnly } = values;
if (dataset === undefined || repos === undefined) {
  console.error('usage: npm run -s lab -- bench-grep --dataset issues.jsonl --repos <folder>');
  process.exit(2);
}
const LOCUS = 'Locus';
const CUTOFFS = [1, 5, 20];
/** Maximum number of results of Locus that count. */
const MAX_SHOWN = 100;

/** Outcome of an issue with one tool: the rank, null if not found, and the milliseconds. */
interface Outcome {
  rank: number | null;
  milliseconds: number;
}

/** Other repositories of the workspace, open for the whole run. */
const others = values.beside.map((folder) => resolve(folder));
const tools: Tool[] = [ripgrep(values.rg), gitGrep];
const outcomes = new Map<string, Outcome[]>();
const openings: number[] = [];
const note = (way: string, outcome: Outcome) => appendTo(outcomes, way, outcome);

const beside = await Promise.all(
  others.map(async (root) => {
    const repository = await openRepository(root, { dataDir, device: 'cpu', readOnly });
    if (!readOnly) await repository.index();
    return repository;
  }),
);
const all = parseDataset(await readFile(dataset, 'utf8'), dataset);
const instances = all.filter(({ repo }) => values.repo === undefined || repo === values.repo);
let isEnded = false;
process.once('SIGINT', () => {
  isEnded = true;
});
for (const instance of pickEvenly(instances, Number(values.issues)))
  if (!isEnded) await compare(instance);
for (const repository of beside) await repository.close();
report();

async function compare(instance: EvaluationInstance): Promise<void> {
  const { repo, base_commit: revision, problem_statement: issue, patch } = instance;
  const clone = join(resolve(repos ?? ''), getCloneName(repo));
  const start = performance.now();
  const options = { dataDir, device: 'cpu' as const, readOnly, commitsKept: COMMITS_KEPT };
  const repository = await openRepository(clone, { ...options, revision });
  const opening = performance.now() - start;
  const scratch = mkdtempSync(join(tmpdir(), 'locus-grep-'));
  try {
    if (!readOnly) await repository.index();
    const right = await findPatchedChunks(patch, repository);
    const { state } = await repository.status();
    if (right.length === 0 || state !== 'complete') {
      console.error(`${instance.instance_id}: skipped, ${right.length} functions, ${state}`);
      return;
    }
    const addresses = new Set(right.map(({ address }) => address));
    const first = await searchByLocus(repository, clone, issue, addresses);
    openings.push(opening + first.cold);
    note(LOCUS, first.outcome);
    const checkout = join(scratch, basename(repo));
    checkOut(clone, revision, checkout);
    const functionOf = makeFunctionFinder(repository, checkout);
    const rank = (lines: readonly Line[]) => findRank(lines, functionOf, addresses);
    const shown = [`${LOCUS} ${first.outcome.rank}`];
    for (const tool of tools) {
      const tries = await runThreeTries(tool, issue, [checkout, ...others]);
      const inOrder = await listRanks(tries, rank);
      const byCount = await listRanks(tries, (lines) => rank(sortByMatches(lines)));
      const milliseconds = tries.reduce((sum, tried) => sum + (tried?.milliseconds ?? 0), 0);
      for (const [i, way] of TRIES.entries()) {
        const own = tries[i]?.milliseconds ?? 0;
        note(`${tool.name}, ${way}`, { rank: inOrder[i] ?? null, milliseconds: own });
      }
      note(`${tool.name}, best of the three`, { rank: findBest(inOrder), milliseconds });
      note(`${tool.name}, best of them, most matches first`, {
        rank: findBest(byCount),
        milliseconds,
      });
      shown.push(`${tool.name} ${inOrder.join(' ')}`);
    }
    console.error(`${instance.instance_id}  ${shown.join('  ')}`);
  } finally {
    await repository.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Searches twice and times the second search, since the first one loads the model. */
async function searchByLocus(
  own: Repository,
  root: string,
  issue: string,
  right: ReadonlySet<string>,
): Promise<{ outcome: Outcome; cold: number }> {
  const roots = [root, ...others];
  const names = nameRepositories(roots);
  const several = joinRepositories(
    [own, ...beside].map((repository, i) => ({
      name: names[i] ?? '',
      root: roots[i] ?? '',
      staysOpen: true,
      use: (run) => run(repository),
    })),
  );
  const request = {
    issue,
    limit: MAX_SHOWN,
    tests: 'exclude' as const,
    kinds: ['function' as const, 'method' as const, 'class' as const],
    rerank: { count: 0 },
  };
  const searched = others.length > 0 ? several : own;
  const start = performance.now();
  await searched.search(request);
  const cold = performance.now() - start;
  const again = performance.now();
  const { results } = await searched.search(request);
  const milliseconds = performance.now() - again;
  const prefix = others.length > 0 ? `${names[0]}/` : '';
  const found = results.find(
    ({ address }) => address.startsWith(prefix) && right.has(address.slice(prefix.length)),
  );
  return { outcome: { rank: found?.rank ?? null, milliseconds }, cold };
}

/** Returns a function that finds the innermost function, method or class around a line, with the index of the file's repository. */
function makeFunctionFinder(
  own: Repository,
  checkout: string,
): (line: Line) => Promise<string | null> {
  const places = [{ root: checkout, repository: own }].concat(
    others.flatMap((root, i) => {
      const repository = beside[i];
      return repository ? [{ root, repository }] : [];
    }),
  );
  const files = new Map<string, ReturnType<Repository['file']>>();
  return async ({ path, line }) => {
    const place = places.find(({ root }) => path.startsWith(`${root}/`));
    if (!place) return null;
    const asked = getOrAdd(files, path, () =>
      place.repository.file({ path: relative(place.root, path) }),
    );
    const file = await asked.catch((error) => {
      if (error instanceof LocusError && error.code === 'not-found') return null;
      throw error;
    });
    if (!file) return null;
    const [chunk] = findEditedChunks(file.chunks, [{ first: line, last: line }]);
    if (!chunk || !isCandidateChunk(chunk)) return null;
    return place.repository === own ? chunk.address : join(place.root, chunk.address);
  };
}

function listRanks(
  tries: readonly Tried[],
  rank: (lines: readonly Line[]) => Promise<number | null>,
): Promise<(number | null)[]> {
  return Promise.all(tries.map((tried) => (tried ? rank(tried.lines) : null)));
}

function findBest(ranks: readonly (number | null)[]): number | null {
  const found = ranks.filter((rank) => rank !== null);
  return found.length > 0 ? Math.min(...found) : null;
}

function report(): void {
  const rows = [...outcomes].map(([way, list]) => {
    const ranks = list.flatMap(({ rank }) => rank ?? []);
    const within = (k: number) => `${ranks.filter((rank) => rank <= k).length} of ${list.length}`;
    const middle = median(list.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY));
    return [
      way,
      `${median(list.map(({ milliseconds }) => milliseconds)).toFixed(0)} ms`,
      ...CUTOFFS.map(within),
      Number.isFinite(middle) ? String(middle) : 'not shown',
      `${ranks.length} of ${list.length}`,
    ];
  });
  const head = [
    'way',
    'answered in, median',
    ...CUTOFFS.map((k) => `right function in the first ${k}`),
    'its rank, median',
    'shown at all',
  ];
  for (const line of formatMarkdownTable(head, rows)) console.log(line);
  console.log(`\nLocus opened and searched for the first time: ${median(openings).toFixed(0)} ms`);
}
