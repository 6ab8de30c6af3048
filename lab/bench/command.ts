/**
 * Measures how long a person waits for the list of `locus search --fast`: `node lab/bench/command.ts <folder> <data directory>
 * <file of an issue> <entry> [<entry> ...]`. An entry is the script that Node runs: `src/cli/locus.ts`, or `bin/locus.js` of an
 * npm package. Several entries take turns, so that other work on the machine affects all of them. The first two runs of each
 * do not count.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { median } from '../../src/services/evaluation/statistics.ts';

const RUNS = 9;
const UNCOUNTED = 2;

const { positionals } = parseArgs({ allowPositionals: true });
const [folder, dataDir, file, ...entries] = positionals;
if (!folder || !dataDir || !file || entries.length === 0) {
  console.error('usage: node lab/bench/command.ts <folder> <data directory> <file> <entry> ...');
  process.exit(2);
}
const args = ['search', folder, '--data-dir', dataDir, '--fast', '--file', file];

interface Run {
  list: number;
  end: number;
  answer: string;
}

const runs = new Map<string, Run[]>(entries.map((entry) => [entry, []]));
for (let round = 0; round < UNCOUNTED + RUNS; round++)
  for (const [entry, of] of runs) {
    const run = await timed(entry);
    if (round >= UNCOUNTED) of.push(run);
  }
const answers = new Set([...runs.values()].flatMap((of) => of.map(({ answer }) => answer)));
const seconds = (times: number[]) => times.map((time) => (time / 1000).toFixed(3));
console.log(
  formatMarkdownTable(
    ['entry', 'list, median', 'least', 'end, median'],
    Array.from(runs, ([entry, of]) => {
      const lists = of.map(({ list }) => list);
      return [entry, ...seconds([median(lists), Math.min(...lists), median(of.map((r) => r.end))])];
    }),
  ).join('\n'),
);
console.log(`seconds; the answers are ${answers.size === 1 ? 'equal' : 'NOT equal'}`);

/** Runs the command once; returns the milliseconds until its first output and until its end. */
async function timed(entry: string): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [list, answer] = [0, ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    list ||= performance.now() - start;
    answer += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${entry} exited with code ${code}.`);
  return { list, end: performance.now() - start, answer: answer.replace(/[\d,]+ ms/g, 'ms') };
}
