/**
 * Measures time, memory and disk use on real repositories: `npm run lab -- bench [--queries <clone>] <clone> [<clone> ...]`.
 *
 * Each clone is cloned once more into a temporary folder, indexed by a fresh process, searched with 50 of its own
 * commit messages (or those of the clone named by `--queries`), edited in one line nine times while being watched, and
 * searched again. Prints one Markdown table.
 * Parsing alone is timed in the same run, as the baseline for all other times.
 */

import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isSourcePath, openTree, ParserPool } from '../../src/engine/lab.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { SMALL_ARENA_VARIABLES, SMALL_HEAP_FLAGS } from '../../src/shared/small-heaps.ts';
import { readCommitMessages } from './support/commit-messages.ts';
import { quantile } from './support/quantile.ts';

const QUERIES = 50;
/** Time until a watcher has started and notices edits. */
const SETTLED_MS = 20_000;
const EDITS = 9;
const BETWEEN_MS = 1_000;
/** Searches stop at the initial ranking. Reranking takes additional time. */
const rerank = { count: 0 };

interface Measured {
  name: string;
  files: number;
  chunks: number;
  edges: number;
  parseAlone: number;
  firstSearch: number;
  indexed: number;
  reopened: number;
  /** Peak memory of the whole process in MB: until everything is indexed, and after searches and an edit. */
  memory: { indexed: number; all: number };
  /** Size of the data directory and of the indexed files in MB. */
  disk: { index: number; sources: number };
  search: number[];
  edits: number[];
  searchAfterEdit: number[];
}

if (process.send) {
  const [root = '', dataDir = '', queries = ''] = process.argv.slice(2);
  process.send(await measure(root, dataDir, queries));
  process.exit(0);
} else {
  const { values, positionals } = parseArgs({
    options: { queries: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length === 0) {
    console.error('usage: npm run lab -- bench [--queries <clone>] <clone> [<clone> ...]');
    process.exit(2);
  }
  const rows: Measured[] = [];
  for (const clone of positionals) {
    rows.push(await measureInFreshProcess(resolve(clone), resolve(values.queries ?? clone)));
  }
  print(rows);
}

async function measureInFreshProcess(clone: string, queries: string): Promise<Measured> {
  const scratch = mkdtempSync(join(tmpdir(), 'locus-bench-'));
  try {
    const root = join(scratch, basename(clone));
    execFileSync('git', ['clone', '-q', '--local', clone, root]);
    const child = fork(fileURLToPath(import.meta.url), [root, join(scratch, 'data'), queries], {
      execArgv: [...SMALL_HEAP_FLAGS],
      env: { ...SMALL_ARENA_VARIABLES, ...process.env },
    });
    return await new Promise((done, failed) => {
      child.once('message', (measured) => done(measured as Measured));
      child.once('exit', (code) =>
        failed(new Error(`Measuring ${clone} exited with code ${code}.`)),
      );
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measure(root: string, dataDir: string, queriesOf: string): Promise<Measured> {
  const repository = await openRepository(root, { dataDir });
  const started = performance.now();
  const indexing = repository.index();
  const firstSearch = await timeFirstResult(repository, started);
  const report = await indexing;
  const indexedMemory = peakMemory();
  const queries = await readCommitMessages(queriesOf, QUERIES);
  const search = await timeSearches(repository, queries);
  const edits = await timeEdits(repository, root);
  const searchAfterEdit = await timeSearches(repository, queries);
  await repository.close();
  const memory = { indexed: indexedMemory, all: peakMemory() };
  const reopened = await timeReopening(
    root,
    dataDir,
    assertPresent(queries[0], 'a commit message'),
  );
  return {
    name: basename(root),
    files: report.files,
    chunks: report.chunks,
    edges: report.edges,
    parseAlone: await timeParsing(root),
    firstSearch,
    indexed: report.seconds.total,
    reopened,
    memory,
    disk: { index: measureFolder(dataDir), sources: await measureSources(root) },
    search,
    edits,
    searchAfterEdit,
  };
}

/** Returns the peak memory of the whole process so far, in MB. */
function peakMemory(): number {
  return process.resourceUsage().maxRSS / 1024;
}

function measureFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size / 2 ** 20,
      0,
    );
}

async function measureSources(root: string): Promise<number> {
  const tree = await openTree(root, {});
  const { entries } = await tree.list(isSourcePath);
  await tree.close();
  return entries.reduce((sum, { size }) => sum + size / 2 ** 20, 0);
}

/** Returns the seconds until a search has any result while indexing runs. */
async function timeFirstResult(repository: Repository, started: number): Promise<number> {
  for (;;) {
    const { results } = await repository.search({ issue: 'error in the main function', rerank });
    if (results.length > 0) return (performance.now() - started) / 1000;
    await sleep(20);
  }
}

async function timeSearches(repository: Repository, queries: readonly string[]): Promise<number[]> {
  await repository.search({ issue: assertPresent(queries[0], 'a commit message'), rerank });
  const times: number[] = [];
  for (const issue of queries) {
    const start = performance.now();
    await repository.search({ issue, rerank });
    times.push(performance.now() - start);
  }
  return times;
}

/**
 * Adds lines to one function of a watched repository, one after the other. Returns for each the milliseconds until a search
 * shows it. Searches as a window does: once, when it is notified of the change.
 */
async function timeEdits(repository: Repository, root: string): Promise<number[]> {
  const abort = new AbortController();
  let told = () => {};
  const tell = () => told();
  const watching = repository.watch({
    signal: abort.signal,
    onSearchable: tell,
    onUpdate: tell,
  });
  await sleep(SETTLED_MS);
  const { results } = await repository.search({
    issue: 'parse the value and return it',
    limit: 50,
    tests: 'exclude',
    rerank,
  });
  const target = assertPresent(
    results.find((result) => result.kind === 'function' || result.kind === 'method'),
    'a function to edit',
  );
  const path = join(root, target.path);
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const lines = readFileSync(path, 'utf8').split('\n');
    const [indent] = /^\s*/.exec(lines[target.endLine - 1] ?? '') ?? [];
    const word = `zyzzyva_${'q'.repeat(edit + 1)}`;
    lines.splice(target.endLine - 1, 0, `${indent}${word} = "${word}"`);
    const start = performance.now();
    let change = new Promise<void>((resolve) => {
      told = resolve;
    });
    writeFileSync(path, lines.join('\n'));
    for (let shown = false; !shown; ) {
      await change;
      change = new Promise((resolve) => {
        told = resolve;
      });
      const [first] = (await repository.search({ issue: `\`${word}\``, limit: 1, rerank })).results;
      shown =
        first?.path === target.path &&
        (await repository.show({ chunk: first.address })).code.includes(`"${word}"`);
    }
    times.push(performance.now() - start);
    await sleep(BETWEEN_MS);
  }
  abort.abort();
  await watching.catch(() => {});
  return times;
}

async function timeReopening(root: string, dataDir: string, issue: string): Promise<number> {
  const start = performance.now();
  const repository = await openRepository(root, { dataDir });
  await repository.search({ issue, rerank });
  const seconds = (performance.now() - start) / 1000;
  await repository.close();
  return seconds;
}

/** Returns the seconds to read and parse everything with all worker threads, without storing anything. */
async function timeParsing(root: string): Promise<number> {
  const tree = await openTree(root, {});
  const pool = new ParserPool();
  const start = performance.now();
  const { entries } = await tree.list(isSourcePath);
  for await (const _ of pool.parse([readable(tree.read(entries))])) void _;
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  await tree.close();
  return seconds;
}

async function* readable(contents: ReturnType<Awaited<ReturnType<typeof openTree>>['read']>) {
  for await (const content of contents) if (!('skipped' in content)) yield content;
}

function print(rows: readonly Measured[]): void {
  const columns: [string, (row: Measured) => string][] = [
    ['files', (row) => row.files.toLocaleString('en')],
    ['chunks', (row) => row.chunks.toLocaleString('en')],
    ['edges', (row) => row.edges.toLocaleString('en')],
    ['parsing alone', (row) => `${row.parseAlone.toFixed(1)} s`],
    ['first search', (row) => `${row.firstSearch.toFixed(1)} s`],
    [
      'fully indexed',
      (row) =>
        `${row.indexed.toFixed(1)} s (${(row.indexed / row.parseAlone).toFixed(1)} × parsing)`,
    ],
    ['opened again and searched', (row) => `${row.reopened.toFixed(1)} s`],
    [
      'peak memory: indexing / all of this',
      ({ memory }) => `${memory.indexed.toFixed(0)} / ${memory.all.toFixed(0)} MB`,
    ],
    [
      'index on disk',
      ({ disk }) =>
        `${disk.index.toFixed(0)} MB (${(disk.index / disk.sources).toFixed(1)} × the sources)`,
    ],
    [
      'search, median / 95th',
      (row) =>
        `${quantile(row.search, 0.5).toFixed(0)} / ${quantile(row.search, 0.95).toFixed(0)} ms`,
    ],
    [
      'one-line edit shown, first / median',
      (row) => `${row.edits[0]?.toFixed(0)} / ${quantile(row.edits, 0.5).toFixed(0)} ms`,
    ],
    [
      'search after the edits, median / 95th',
      (row) =>
        `${quantile(row.searchAfterEdit, 0.5).toFixed(0)} / ${quantile(row.searchAfterEdit, 0.95).toFixed(0)} ms`,
    ],
  ];
  console.log(`| | ${rows.map((row) => row.name).join(' | ')} |`);
  console.log(`|---|${rows.map(() => '---:|').join('')}`);
  for (const [label, cell] of columns) console.log(`| ${label} | ${rows.map(cell).join(' | ')} |`);
}
