/**
 * Measures how every cost grows with the number of functions: `npm run lab -- bench-million [--queries <clone>] [--data <folder>]
 * [--output <name>] [--searches 50] <folder> [<folder> ...]`
 *
 * Indexes the folders one after the other. It measures once they have 10,000, 30,000, 100,000, 300,000 and 1,000,000 functions
 * together, and at the end. Each time, it opens the folders so far as one window does, once as if they were never indexed and
 * once indexed, searches them with commit messages of `--queries`, and edits a function (the file is restored afterwards). Each
 * step runs in a process of its own. Results are stored in `--data`, beside the indexes, so that an interrupted run continues
 * where it stopped. Remove the folder to start over.
 * Prints a Markdown table, and writes it and a plot to `<name>.md` and `<name>.svg`. `lab/million/collect.ts` makes folders
 * without copies of the same file.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCommitMessages } from '../bench/support/commit-messages.ts';
import { COSTS } from './costs.ts';
import { drawPlot } from './plot.ts';
import {
  firstResults,
  type IndexedFolder,
  indexedFolder,
  limits,
  openSet,
  type Point,
  RUNGS,
  reachesRung,
  total,
} from './points.ts';
import { ResultFile } from './result-file.ts';
import { formatTable } from './table.ts';
import { runTask } from './task.ts';

const { values, positionals } = parseArgs({
  options: {
    queries: { type: 'string', default: join(import.meta.dirname, '../..') },
    data: { type: 'string', default: join(tmpdir(), 'locus-million') },
    output: { type: 'string' },
    searches: { type: 'string', default: '50' },
  },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('usage: npm run lab -- bench-million [--data <folder>] <folder> [<folder> ...]');
  process.exit(2);
}
const roots = [...new Set(positionals.map((folder) => resolve(folder)))];
const data = resolve(values.data);
const dataDir = join(data, 'locus');
mkdirSync(data, { recursive: true });
const resultFile = new ResultFile(join(data, 'measured.json'));
const queries = await readCommitMessages(resolve(values.queries), Number(values.searches));

resultFile.results.limits ??= limits.parse(await runTask('./machine.ts', { roots, folder: data }));
resultFile.write();

const folders: IndexedFolder[] = [];
const points: Point[] = [];
for (const root of roots) {
  folders.push(await indexFolder(root));
  const isLast = folders.length === roots.length;
  const counts = folders.map(({ functions }) => functions);
  if (isLast || reachesRung(counts, RUNGS)) points.push(await measurePoint([...folders]));
}
report(points);

function indexFolder(root: string): Promise<IndexedFolder> {
  return resultFile.measureOnce(resultFile.results.folders, root, async () => {
    const folder = indexedFolder.parse(await runTask('./index-folder.ts', { root, dataDir }));
    const { functions, seconds, processorSeconds } = folder;
    console.error(
      `${root}: ${functions} functions in ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time`,
    );
    return folder;
  });
}

async function measurePoint(set: IndexedFolder[]): Promise<Point> {
  const paths = set.map(({ root }) => root);
  const key = JSON.stringify(paths);
  const open = await resultFile.measureOnce(resultFile.results.open, key, async () =>
    openSet.parse(await runTask('./open-set.ts', { roots: paths, dataDir, queries })),
  );
  const first = await resultFile.measureOnce(resultFile.results.first, key, async () => {
    const scratch = mkdtempSync(join(data, 'first-'));
    try {
      const answer = await runTask('./first-results.ts', { roots: paths, dataDir: scratch });
      return firstResults.parse(answer);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
  console.error(`measured with ${total(set, 'functions')} functions`);
  return { folders: set, open, first };
}

function report(all: readonly Point[]): void {
  const { limits: machine } = resultFile.results;
  if (!machine) return;
  const table = formatTable(all, machine).join('\n');
  console.log(table);
  if (values.output === undefined) return;
  const xs = all.map((point) => total(point.folders, 'functions'));
  const panels = COSTS.map(({ title, unit, goal, lines }) => ({
    title,
    unit,
    goal,
    curves: lines.map(({ name, isLimit, of }) => {
      return { name, isLimit, ys: all.map((point) => of(point, machine)) };
    }),
  }));
  const description =
    'Costs against the number of functions, both logarithmic; the table has the numbers';
  writeFileSync(`${values.output}.md`, `${table}\n`);
  writeFileSync(`${values.output}.svg`, drawPlot(xs, panels, description));
}
