/**
 * Embeds commits and lists with a model, to fit an adapter:
 * `npm run -s lab -- adapter-embed --commits <folder> --lists <folder> --model bag-1 --out <folder>`
 *
 * `--commits` has what `adapter-commits` wrote, `--lists` what `training-lists` wrote. Writes a folder for each repository:
 * `vectors.f32`, rows of unit length, and `index.json`, an `EmbeddedRepository`. A new run embeds only what is missing.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createEncoder,
  createIssueQuery,
  createProseQuery,
  createTextQuery,
  type EncoderDocument,
  getIssueSyntaxes,
  readIssue,
} from '../../src/engine/lab.ts';
import { MODELS_FOLDER } from '../../src/services/models-folder.ts';
import type { List } from '../lists/list.ts';
import type { IssuePast, PastFix } from './commits.ts';
import { type EmbeddedRepository, readLines, VectorFile } from './vector-file.ts';

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: { commits: option, lists: option, model: option, out: option },
});
const { commits, lists, model, out } = values;
if (!commits || !lists || !model || !out) {
  console.error(
    'usage: npm run -s lab -- adapter-embed --commits <folder> --lists <folder> --model <id> --out <folder>',
  );
  process.exit(2);
}
const encoder = await createEncoder({
  modelFolder: join(MODELS_FOLDER, model),
  device: 'cpu',
});
for (const file of readdirSync(lists).filter((name) => name.endsWith('.jsonl'))) {
  if (!existsSync(join(commits, file))) continue;
  const start = performance.now();
  const embedded = await embedRepository(file);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.error(`${file}: ${embedded} vectors, ${seconds} s`);
}
await encoder.close();

async function embedRepository(file: string): Promise<number> {
  const rows = new VectorFile(join(out ?? '', file.replace('.jsonl', '')), encoder);
  const lines = readLines<PastFix | IssuePast>(join(commits ?? '', file));
  const fixes = lines.filter((line): line is PastFix => 'commit' in line);
  const pasts = new Map(
    lines.flatMap((line) => ('instance' in line ? [[line.instance, line.past] as const] : [])),
  );
  const issues = readLines<List>(join(lists ?? '', file)).filter(
    ({ candidates }) => candidates.length > 0,
  );
  const index: EmbeddedRepository = {
    repo: issues[0]?.repo ?? '',
    dimensions: encoder.dimensions,
    commits: [],
    issues: [],
  };
  for (const list of issues) {
    const languages = new Set(list.candidates.map(({ language }) => language));
    const { sections } = readIssue(list.issue, getIssueSyntaxes(languages));
    index.issues.push({
      instance: list.instance,
      past: pasts.get(list.instance) ?? [],
      issue: await rows.embedQuery(createIssueQuery(sections)),
      prose: await rows.embedQuery(createProseQuery(sections)),
      candidates: await rows.embed(list.candidates),
    });
  }
  for (const [number, fix] of fixes.entries()) {
    index.commits.push({
      number,
      message: await rows.embedQuery(createTextQuery(fix.message)),
      edited: await rows.embed(fix.edited),
      siblings: await rows.embed(fix.siblings),
      keys: fix.edited.map(makeKey),
    });
  }
  rows.close(index);
  return rows.rows.size;
}

/** Identifies a function by its path and signature. */
function makeKey({ path, text, signatureEnd }: EncoderDocument): string {
  return `${path}\0${text.slice(0, signatureEnd).replace(/\s+/g, '')}`;
}
