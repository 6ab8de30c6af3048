/**
 * Turns the history of a git repository into data that an encoder can be trained on:
 * `npm run -s lab -- mine <dir> [--out <file>] [--name <owner/name>] …`; docs/reference/training.md describes the file and the options.
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createEncoder } from '../../src/engine/lab.ts';
import { parseFixedIssues } from '../../src/services/evaluation/fixed-issues.ts';
import { findModelFolder } from '../../src/services/models.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { formatCount } from '../../src/shared/format-count.ts';
import { DEFAULTS } from './defaults.ts';
import excluded from './excluded-repositories.json' with { type: 'json' };
import { type MineReport, mine } from './mine.ts';
import { readRepositoryName } from './name.ts';

const option = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: option,
    name: option,
    at: option,
    'min-message': option,
    'max-files': option,
    'max-chunks': option,
    'require-tests': { type: 'boolean' },
    issues: option,
    limit: option,
    'top-k': option,
    negatives: option,
    model: option,
  },
});
const [dir] = positionals;
if (!dir) fail('Give the folder of a git repository: npm run -s lab -- mine <dir>');

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
try {
  const { header, summary } = await run(dir);
  console.log(summary);
  if (header.pairs === 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof LocusError)) throw error;
  console.error(`mine: ${error.message}\n  → ${error.remedy}`);
  process.exitCode = 1;
}

async function run(repository: string) {
  const name =
    values.name?.replace('/', '+') ?? (await readRepositoryName(repository, stop.signal));
  if (!/^[\w.+-]+$/.test(name))
    fail(`${name} is not the name of a repository. Give --name owner/name.`);
  warnIfExcluded(name);
  const out = values.out ?? `${name}.zst`;
  const { issues, model } = values;
  const report = await mine(repository, out, {
    ...DEFAULTS,
    name,
    revision: values.at ?? DEFAULTS.revision,
    minMessage: readCount('min-message') ?? DEFAULTS.minMessage,
    maxFiles: readCount('max-files') ?? DEFAULTS.maxFiles,
    maxChunks: readCount('max-chunks') ?? DEFAULTS.maxChunks,
    requireTests: values['require-tests'] ?? DEFAULTS.requireTests,
    issues: issues ? parseFixedIssues(readFileSync(issues, 'utf8'), issues, name) : null,
    limit: readCount('limit') ?? null,
    topK: readCount('top-k') ?? null,
    negatives: readCount('negatives') ?? DEFAULTS.negatives,
    encoder: async () =>
      createEncoder({ modelFolder: await findModelFolder({ model }), device: 'auto' }),
    signal: stop.signal,
    onProgress: ({ phase, done, total }) => showLine(`${phase} ${done}/${total}`),
  });
  showLine('');
  return { header: report.header, summary: describe(out, report) };
}

/** Replaces the last line of the terminal. */
function showLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

function readCount(key: Exclude<keyof typeof values, 'require-tests'>): number | undefined {
  const text = values[key];
  if (text !== undefined && !/^\d{1,8}$/.test(text))
    fail(`--${key} ${text} is not a whole number.`);
  return text === undefined ? undefined : Number(text);
}

/** Warns about repositories that must not be trained on. Also compares names without owners, since forks hold the same code. */
function warnIfExcluded(mined: string): void {
  const full = mined.replace('+', '/').toLowerCase();
  const project = (path: string) => path.slice(path.indexOf('/') + 1).toLowerCase();
  for (const [why, repositories] of Object.entries(excluded)) {
    if (!Array.isArray(repositories)) continue;
    const same = repositories.find(
      (known) => known.toLowerCase() === full || project(known) === project(full),
    );
    if (!same) continue;
    console.error(
      `mine: ${mined} looks like ${same}, which must never be trained on (${why}). Training leaves its file out.`,
    );
    return;
  }
}

function describe(file: string, { header, resumed, bytes, seconds }: MineReport): string {
  const rejected = Object.entries(header.rejected ?? {}).sort(([, a], [, b]) => b - a);
  return [
    `file       ${basename(file)}, ${(bytes / 1e6).toFixed(1)} MB`,
    `instances  ${formatCount(header.pairs)} of ${formatCount(header.commits ?? 0)} commits`,
    `chunks     ${formatCount(header.n)}`,
    `took       ${seconds.total.toFixed(1)} s${resumed ? `, ${formatCount(resumed)} done before` : ''}`,
    'left out',
    ...rejected.map(([reason, count]) => `  ${formatCount(count)} ${reason}`),
  ].join('\n');
}

function fail(message: string): never {
  console.error(`mine: ${message}`);
  process.exit(2);
}
