/**
 * Draws issues for a trial: `npm run -s lab -- draw-trial --dataset <jsonl> --repos <folder> --seed <text> --count <issues>
 * [--functions 5000] [--each 2] > trial.jsonl`
 *
 * An issue counts if its text has 120 to 8,000 characters, its repository has more than so many functions at the base commit, and the fix
 * edits one to four functions outside of tests, none of which, and no file of which, the title names. Takes one issue of each repository in
 * an order that depends only on the seed, then a second one, until there are enough.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findEditedChunks, findEdits, groupHunks } from '../../src/base/edited-chunks.ts';
import { inferRole, isIndexedPath, ParserPool, unpackFile } from '../../src/engine/lab.ts';
import {
  type EvaluationInstance,
  getCloneName,
  parseDataset,
} from '../../src/services/evaluation/dataset.ts';
import { readSources } from '../bench/support/read-sources.ts';
import { Random } from '../encoder/random.ts';

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ dataset: option, repos: option, seed: option, count: option },
    functions: { type: 'string', default: '5000' },
    each: { type: 'string', default: '2' },
  },
});
const { dataset, repos, seed } = values;
if (!dataset || !repos || !seed || !values.count) {
  console.error(
    'usage: npm run -s lab -- draw-trial --dataset <jsonl> --repos <folder> --seed <text> --count <number>',
  );
  process.exit(2);
}
const count = Number(values.count);
const MIN_LENGTH = 120;
const MAX_LENGTH = 8_000;
const MAX_EDITED = 4;
/** A repository with fewer functions than this share of the minimum at one commit is not tried at others. */
const FAR_TOO_SMALL = 0.5;

interface ParsedCommit {
  functions: number;
  /** Functions that the fix edits, outside of tests. */
  edited: { path: string; name: string }[];
}

/** Parses the base commit of an issue, and finds what its fix edits. */
async function parseBase({ repo, base_commit, patch }: EvaluationInstance): Promise<ParsedCommit> {
  const clone = join(repos ?? '', getCloneName(repo));
  const sources = await readSources(clone, base_commit, isIndexedPath);
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const hunks = groupHunks(patch);
  const parsed: ParsedCommit = { functions: 0, edited: [] };
  const pool = new ParserPool();
  try {
    for await (const file of pool.parse([sources])) {
      const { path, chunks } = unpackFile(file);
      parsed.functions += chunks.filter(isFunction).length;
      const changes = hunks.get(path);
      if (!changes || inferRole(path) !== 'source') continue;
      const edited = findEditedChunks(chunks, findEdits(changes, texts.get(path)));
      for (const chunk of edited)
        if (isFunction(chunk)) parsed.edited.push({ path, name: chunk.name });
    }
    return parsed;
  } finally {
    await pool.close();
  }
}

const isFunction = ({ kind }: { kind: string }): boolean =>
  kind === 'function' || kind === 'method';

/** Returns true if a title contains one of the names as a word, in any case. */
function isNamed(issue: string, { path, name }: { path: string; name: string }): boolean {
  const [title = ''] = issue.trim().split('\n');
  const words = new Set(title.toLowerCase().split(/[^\p{L}\p{N}_]+/u));
  const [file = ''] = basename(path).split('.');
  return [name, file].some((one) => words.has(one.toLowerCase()));
}

/** Returns why an issue does not count; null if it does. */
function findFault(issue: EvaluationInstance, { functions, edited }: ParsedCommit): string | null {
  if (functions <= Number(values.functions)) return `${functions} functions`;
  if (edited.length === 0 || edited.length > MAX_EDITED) return `${edited.length} edited`;
  return edited.some((one) => isNamed(issue.problem_statement, one)) ? 'named in the title' : null;
}

/** Yields the issues of a repository that count, in the order of the seed. */
async function* drawOf(repo: string, issues: readonly EvaluationInstance[]) {
  const random = new Random(`${seed} ${repo}`);
  for (const issue of random.some(issues, issues.length)) {
    const parsed = await parseBase(issue).catch((error: Error) => error);
    const fault = parsed instanceof Error ? parsed.message : findFault(issue, parsed);
    console.error(`${issue.instance_id}: ${fault ?? 'drawn'}`);
    if (fault === null) yield issue;
    if (parsed instanceof Error || parsed.functions < FAR_TOO_SMALL * Number(values.functions))
      return;
  }
}

const instances = parseDataset(readFileSync(dataset, 'utf8'), dataset).filter(
  ({ problem_statement: { length } }) => length >= MIN_LENGTH && length <= MAX_LENGTH,
);
const byRepository = [...Map.groupBy(instances, ({ repo }) => repo)].sort(([a], [b]) =>
  a < b ? -1 : 1,
);
const open = new Random(seed)
  .some(byRepository, byRepository.length)
  .map(([repo, issues]) => drawOf(repo, issues));
const drawn: EvaluationInstance[] = [];
for (let round = 0; round < Number(values.each); round++)
  for (const issues of open) {
    if (drawn.length >= count) break;
    const { value } = await issues.next();
    if (value) drawn.push(value);
  }
for (const issue of drawn) console.log(JSON.stringify(issue));
console.error(`seed ${seed}: ${drawn.length} issues`);
