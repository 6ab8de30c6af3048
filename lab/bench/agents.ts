/**
 * Measures what `locate` saves an agent: the calls and tokens until it sees the code that a fix edited, compared with a search
 * for the words of the issue's title. `npm run -s lab -- bench-agents --dataset issues.jsonl --repos ~/clones [--issues 30]`
 *
 * The issues are evenly spaced over the data set. Each is searched in its repository at the commit before its fix. Indexes stay
 * in `--data-dir`; `--read-only` uses only those that are there. An attempt ends when an edited line is shown for any reason,
 * or after 20 calls. Prints a row for each issue, and the medians.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpEndpoint } from '../../src/mcp/server.ts';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';
import { COMMITS_KEPT } from '../../src/services/evaluation/evaluate.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { median } from '../../src/services/evaluation/statistics.ts';
import { type Attempt, MAX_CALLS } from './support/attempt.ts';
import { searchByLocate } from './support/by-locate.ts';
import { searchByWords } from './support/by-words.ts';
import { readEditedLines } from './support/edited-lines.ts';
import { pickEvenly } from './support/spaced.ts';

const { values } = parseArgs({
  options: {
    dataset: { type: 'string' },
    repos: { type: 'string' },
    issues: { type: 'string', default: '30' },
    'data-dir': { type: 'string' },
    'read-only': { type: 'boolean', default: false },
  },
});
const { dataset, repos, 'data-dir': dataDir, 'read-only': readOnly } = values;
if (dataset === undefined || repos === undefined) {
  console.error('usage: npm run -s lab -- bench-agents --dataset issues.jsonl --repos <folder>');
  process.exit(2);
}

const WAYS = ['locate', 'words'] as const;
type Way = (typeof WAYS)[number];

async function runAttempts(
  instance: EvaluationInstance,
  root: string,
): Promise<Record<Way, Attempt>> {
  const revision = instance.base_commit;
  const options = {
    dataDir,
    revision,
    device: 'cpu' as const,
    commitsKept: COMMITS_KEPT,
    readOnly,
  };
  const endpoint = createMcpEndpoint([root], options);
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('http://bench.invalid/mcp'), {
    fetch: (url, init) => endpoint.fetch(new Request(url, init)),
  });
  try {
    await client.connect(transport);
    const edited = await readEditedLines(root, instance);
    const { problem_statement: issue } = instance;
    return {
      locate: await searchByLocate(client, issue, edited),
      words: await searchByWords(root, revision, issue, edited),
    };
  } finally {
    await client.close();
    await endpoint.close();
  }
}

const done: Record<Way, Attempt>[] = [];
const rows: string[][] = [];
const cell = ({ found, calls, tokens }: Attempt) => `${found ? calls : 'never'} / ${tokens}`;
const instances = parseDataset(await readFile(dataset, 'utf8'), dataset);
for (const instance of pickEvenly(instances, Number(values.issues))) {
  const tried = await runAttempts(instance, join(repos, getCloneName(instance.repo)));
  done.push(tried);
  rows.push([instance.instance_id, ...WAYS.map((way) => cell(tried[way]))]);
  console.error(rows.at(-1)?.join('  '));
}
for (const line of formatMarkdownTable(['issue (calls / tokens)', ...WAYS], rows))
  console.log(line);

/** Tokens of all attempts, of the successful ones, and of the issues that all ways solved. */
const summary = WAYS.map((way) => {
  const all = done.map((tried) => tried[way]);
  const found = all.filter((attempt) => attempt.found);
  const both = done.filter((tried) => tried[way].found && tried.words.found);
  const tokens = (list: readonly Attempt[]) => String(median(list.map((one) => one.tokens)));
  return [
    way,
    `${found.length} of ${all.length}`,
    String(median(found.map(({ calls }) => calls))),
    tokens(found),
    tokens(all),
    String(median(both.map((tried) => tried[way].calls))),
    tokens(both.map((tried) => tried[way])),
  ];
});
console.log();
const head = [
  'way',
  `found within ${MAX_CALLS} calls`,
  'calls, median where found',
  'tokens, median where found',
  'tokens, median of all',
  'calls where words found it too',
  'tokens where words found it too',
];
for (const line of formatMarkdownTable(head, summary)) console.log(line);
