/**
 * Draws issues for a trial: `npm run -s lab -- draw-trial --dataset <jsonl> --repos <folder> --seed <text> --count <issues>
 * [--functions 5000] [--each 2] > trial.jsonl`
 *
 * An issue counts if its text has 120 to 8,000 characters, its repository has more than so many functions at the base commit, and the fix
 * edits one to four functions outside of tests and nothing else in classes. The title must not name one of them or its file. Takes one issue
 * of each repository in an order that depends only on the seed, then a second one, until there are enough.
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
import { type ChunkKind, DEFINITION_KINDS } from '../../src/shared/chunk-kind.ts';
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
/** Maximum number of files whose functions are counted. */
const MAX_FILES = 2000;
/** Number of commits at which a repository is too small before its other issues are left out. */
const MAX_SMALL = 2;

interface EditedFunction {
  path: string;
  name: string;
  kind: ChunkKind;
}

const isFunction = ({ kind }: { kind: string }): boolean =>
  kind === 'function' || kind === 'method';

/** Yields the path, the text and the functions of each file of an issue's base commit that is indexed and accepted. */
async function* parseBase(issue: EvaluationInstance, accepts: (path: string) => boolean) {
  const clone = join(repos ?? '', getCloneName(issue.repo));
  const isWanted = (path: string) => isIndexedPath(path) && accepts(path);
  const sources = await readSources(clone, issue.base_commit, isWanted);
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const pool = new ParserPool();
  try {
    for await (const file of pool.parse([sources])) {
      const { path, chunks } = unpackFile(file);
      yield { path, text: texts.get(path), chunks };
    }
  } finally {
    await pool.close();
  }
}

/** Returns the functions and classes outside of tests that the fix of an issue edits. */
async function findEditedFunctions(issue: EvaluationInstance): Promise<EditedFunction[]> {
  const hunks = groupHunks(issue.patch);
  const edited: EditedFunction[] = [];
  for await (const { path, text, chunks } of parseBase(issue, (path) => hunks.has(path))) {
    if (inferRole(path) !== 'source') continue;
    const changed = findEditedChunks(chunks, findEdits(hunks.get(path) ?? [], text));
    for (const { name, kind } of changed)
      if (DEFINITION_KINDS.includes(kind)) edited.push({ path, name, kind });
  }
  return edited;
}

/** Returns true if the first files of a repository have more functions than the minimum. Stops to count there. */
async function isLarge(issue: EvaluationInstance): Promise<boolean> {
  let functions = 0;
  let files = 0;
  for await (const { chunks } of parseBase(issue, () => files++ < MAX_FILES)) {
    functions += chunks.filter(isFunction).length;
    if (functions > Number(values.functions)) return true;
  }
  return false;
}

/** Returns true if a title contains the name of a function or of its file as a word, in any case. */
function isNamed(issue: string, { path, name }: EditedFunction): boolean {
  const [title = ''] = issue.trim().split('\n');
  const words = new Set(title.toLowerCase().split(/[^\p{L}\p{N}_]+/u));
  const [file = ''] = basename(path).split('.');
  return [name, file].some((one) => words.has(one.toLowerCase()));
}

const TOO_SMALL = 'too few functions';

/** Returns why an issue does not count; null if it does. */
async function findFault(issue: EvaluationInstance): Promise<string | null> {
  const edited = await findEditedFunctions(issue);
  if (edited.length === 0 || edited.length > MAX_EDITED) return `${edited.length} edited`;
  if (!edited.every(isFunction)) return 'edits the body of a class';
  if (edited.some((one) => isNamed(issue.problem_statement, one))) return 'named in the title';
  return (await isLarge(issue)) ? null : TOO_SMALL;
}

/** Yields the issues of a repository that count, in the order of the seed. */
async function* drawOf(repo: string, issues: readonly EvaluationInstance[]) {
  let small = 0;
  for (const issue of new Random(`${seed} ${repo}`).some(issues, issues.length)) {
    const fault = await findFault(issue).catch(({ message }: Error) => message);
    console.error(`${issue.instance_id}: ${fault ?? 'drawn'}`);
    if (fault === null) yield issue;
    if (fault === TOO_SMALL) small++;
    if (small === MAX_SMALL) return;
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
