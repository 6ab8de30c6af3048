/**
 * Measures how the fleet's engine scales on this machine: `npm run lab -- bench-fleet [--data <folder>] [--output <name>]
 * [--sizes 10000,…] [--memory <GiB>] <clone> [<clone> ...]`
 *
 * Indexes the clones, starts Milvus Lite's server (`npm run test:fleet` installs it) and stores the rows of the clones' functions
 * again and again, each time as those of another repository, with other ids. At each size it searches with messages of the first
 * clone's commits, in all repositories and in one, and measures the server's memory, processor time and disk. It stops before
 * the server takes more memory than `--memory`, or the disk is nearly full. Prints a Markdown table, and writes it and a plot
 * to `<name>.md` and `<name>.svg`.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startMilvusLite } from '../../scripts/milvus-lite.ts';
import {
  acquireSharedEncoder,
  chooseQueryWords,
  encodeIssue,
  getModelKey,
  loadManifest,
  readIssue,
  readRowContents,
  sampleTerms,
  type TermSample,
} from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { FleetEngine, makeRowId } from '../../src/services/fleet/engine.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { findModelFolder } from '../../src/services/models.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { FleetRow, FleetRowContent } from '../../src/shared/fleet-row.ts';
import { readCommitMessages } from '../bench/support/commit-messages.ts';
import { drawPlot } from '../million/plot.ts';

const { values, positionals } = parseArgs({
  options: {
    data: { type: 'string', default: join(tmpdir(), 'locus-fleet-growth') },
    output: { type: 'string' },
    sizes: { type: 'string', default: '10000,30000,100000,300000,1000000' },
    memory: { type: 'string', default: '12' },
    searches: { type: 'string', default: '3' },
  },
  allowPositionals: true,
});
const [first] = positionals;
if (first === undefined) {
  console.error('usage: npm run lab -- bench-fleet [--data <folder>] <clone> [<clone> ...]');
  process.exit(2);
}
const dataDir = resolve(values.data);
mkdirSync(dataDir, { recursive: true });
const sizes = values.sizes.split(',').map(Number);
const folder = await findModelFolder({ dataDir });
const manifest = await loadManifest(folder);
const model = getModelKey(manifest.id, manifest.version);
const { dimensions } = manifest;

const contents: FleetRowContent[] = [];
for (const clone of positionals) contents.push(...(await readContents(resolve(clone))));
console.error(`${contents.length} rows of ${positionals.length} repositories`);
const sample = sampleTerms(
  contents.map(({ terms }) => terms),
  contents.length,
);
const queries = await encodeQueries(
  await readCommitMessages(resolve(first), Number(values.searches)),
  sample,
);
if (queries.length === 0) {
  console.error(`${first} has no commit messages to search with. Clone it with its history.`);
  process.exit(2);
}

/** Minimum free disk space in MiB. */
const MIN_FREE = 2_500;

interface Point {
  rows: number;
  repositories: number;
  /** Rows per second since the previous point, by wall clock and by the server's processor time. */
  rowsASecond: number;
  rowsAProcessorSecond: number;
  /** Median times in milliseconds. */
  search: number;
  searchProcessor: number;
  searchOne: number;
  ids: number;
  /** Memory and disk in MiB. */
  memory: number;
  disk: number;
}

const stored = mkdtempSync(join(dataDir, 'milvus-'));
const server = await startMilvusLite(stored);
// If memory runs out, the system ends the server first.
writeFileSync(`/proc/${server.pid}/oom_score_adj`, '1000');
const engine = await FleetEngine.open({ address: server.address, model, dimensions });
const points: Point[] = [];
try {
  let rows = 0;
  let repositories = 0;
  for (const size of sizes) {
    const [clock, processor, before] = [performance.now(), processorSeconds(server.pid), rows];
    while (rows < size) {
      const batch = copyRows(repositories++).slice(0, size - rows);
      await putAll(batch);
      rows += batch.length;
      if (readMemory(server.pid) > Number(values.memory) * 1024 || readFreeSpace(stored) < MIN_FREE)
        break;
    }
    const seconds = (performance.now() - clock) / 1000;
    const taken = processorSeconds(server.pid) - processor;
    points.push({
      rows,
      repositories,
      rowsASecond: (rows - before) / seconds,
      rowsAProcessorSecond: (rows - before) / taken,
      ...(await measureServer()),
    });
    console.error(JSON.stringify(points.at(-1)));
    if (rows < size) break;
  }
} finally {
  await engine.close();
  await server.stop();
  rmSync(stored, { recursive: true, force: true });
}
report();

async function readContents(root: string): Promise<FleetRowContent[]> {
  const revision = execFileSync('git', ['-C', root, 'rev-parse', 'HEAD']).toString().trim();
  const repository = await openRepository(root, { dataDir, revision });
  try {
    await repository.index();
  } finally {
    await repository.close();
  }
  return [...readRowContents(getIndexFolder(dataDir, root), revision, manifest)];
}

async function encodeQueries(texts: readonly string[], known: TermSample) {
  const encoder = await acquireSharedEncoder({ modelFolder: folder, device: 'cpu' });
  try {
    const asked = [];
    for (const text of texts) {
      const issue = readIssue(text);
      const vectors = await encodeIssue(encoder, issue);
      asked.push({ vector: vectors.issue, words: chooseQueryWords(issue.title, text, known) });
    }
    return asked;
  } finally {
    await encoder.close();
  }
}

/** Sends rows as several workers do: the server receives the next rows while it stores others. */
async function putAll(rows: readonly FleetRow[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(rows.length / 1_000) }, (_, i) =>
    rows.slice(1_000 * i, 1_000 * (i + 1)),
  ).values();
  const worker = async () => {
    for (const batch of batches) await engine.put(batch);
  };
  await Promise.all([worker(), worker(), worker()]);
}

/** Copies the rows of the clones as those of another repository. */
function copyRows(number: number): FleetRow[] {
  const repository = makeKey(number);
  return contents.map((content) => ({
    ...content,
    id: makeRowId(repository, model, content),
    repository,
    generation: 1,
    commit: '0'.repeat(40),
  }));
}

function makeKey(number: number): string {
  return number.toString(16).padStart(32, '0');
}

async function measureServer() {
  const times: number[] = [];
  const ofProcessor: number[] = [];
  const inOne: number[] = [];
  for (const query of queries) {
    const [clock, processor] = [performance.now(), processorSeconds(server.pid)];
    await engine.search(query, { repositories: null }, 1_000);
    times.push(performance.now() - clock);
    ofProcessor.push(1000 * (processorSeconds(server.pid) - processor));
    const again = performance.now();
    await engine.search(query, { repositories: [makeKey(0)] }, 1_000);
    inOne.push(performance.now() - again);
  }
  const clock = performance.now();
  await engine.listIds(makeKey(0));
  return {
    search: median(times),
    searchProcessor: median(ofProcessor),
    searchOne: median(inOne),
    ids: performance.now() - clock,
    memory: readMemory(server.pid),
    disk: Number(execFileSync('du', ['-sk', stored]).toString().split('\t')[0]) / 1024,
  };
}

/** Returns the user and system time of a process in seconds. Clock ticks are hundredths, see proc(5). */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the resident memory of a process in MiB. */
function readMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Returns the free space on the disk of a folder in MiB. */
function readFreeSpace(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return (bavail * bsize) / 2 ** 20;
}

function median(numbers: readonly number[]): number {
  return assertPresent(numbers.toSorted((a, b) => a - b)[numbers.length >> 1], 'a measure');
}

function report(): void {
  const row = (name: string, of: (point: Point) => number) => [
    name,
    ...points.map((point) => Math.round(of(point)).toLocaleString('en')),
  ];
  const table = formatMarkdownTable(
    ['functions', ...points.map(({ rows }) => rows.toLocaleString('en'))],
    [
      row('repositories', (point) => point.repositories),
      row('stored a second', (point) => point.rowsASecond),
      row('stored a second of processor time', (point) => point.rowsAProcessorSecond),
      row('search, ms', (point) => point.search),
      row('search, ms of processor time', (point) => point.searchProcessor),
      row('search in one repository, ms', (point) => point.searchOne),
      row('ids of one repository, ms', (point) => point.ids),
      row('memory, MiB', (point) => point.memory),
      row('disk, MiB', (point) => point.disk),
    ],
  );
  const lines = [
    ...table,
    '',
    `${contents.length.toLocaleString('en')} functions of ${positionals.length} repositories, stored again and again with other ids; ${availableParallelism()} processors, shared.`,
  ];
  console.log(lines.join('\n'));
  if (!values.output) return;
  writeFileSync(`${values.output}.md`, `${lines.join('\n')}\n`);
  const curve = (name: string, of: (point: Point) => number) => ({ name, ys: points.map(of) });
  const panels = [
    {
      title: 'Storing',
      unit: 'functions a second',
      curves: [
        curve('by the clock', (point) => point.rowsASecond),
        curve('of processor time', (point) => point.rowsAProcessorSecond),
      ],
    },
    {
      title: 'Searching',
      unit: 'ms',
      curves: [
        curve('all repositories', (point) => point.search),
        curve('its processor time', (point) => point.searchProcessor),
        curve('one repository', (point) => point.searchOne),
      ],
    },
    {
      title: 'Room',
      unit: 'MiB',
      curves: [curve('memory', (point) => point.memory), curve('disk', (point) => point.disk)],
    },
  ];
  const xs = points.map(({ rows }) => rows);
  const plot = drawPlot(xs, panels, 'Costs of Milvus Lite against the number of functions');
  writeFileSync(`${values.output}.svg`, plot);
}
