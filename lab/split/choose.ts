/**
 * Chooses the families of repositories whose issues tune and test models: `npm run -s lab -- choose-split <jsonl of published issues>`.
 * `split.json` has the output.
 *
 * Families are ordered by the SHA-256 of their names, so that the choice is arbitrary: first those of *test*, then those
 * of *tune*, each until there are enough issues. Only reliable issues count: linked to one change, written by people,
 * complete, and about Python. Each family counts with a limited number of issues.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { assertPresent } from '../../src/shared/assert-present.ts';
import excluded from '../mining/excluded-repositories.json' with { type: 'json' };
import { getFamily, getPart } from './split.ts';

interface PublishedIssue {
  repo: string;
  link: string;
  text_kind: string;
  title_only?: boolean;
  files?: string[];
}

const SURE = ['exact', 'key single', 'pr-or-log single'];
const WRITTEN_BY_PEOPLE = ['issue', 'jira', 'bugzilla'];
/** Names of repositories that are too large to copy to the training machine, or that contain little Python. */
const UNFIT =
  'tensorflow pytorch opencv ray linux paddle openvino onnxruntime tvm oneflow cntk hadoop-common storm zookeeper'.split(
    ' ',
  );
const HELD_OUT = new Set(excluded['held out for development'].map(getFamily));
const [MOST, LEAST] = [25, 3];
const [TEST_ISSUES, TUNE_ISSUES] = [360, 80];

function isSure({ link, text_kind, title_only, files = [], repo }: PublishedIssue): boolean {
  const python = files.filter((file) => extname(file) === '.py').length;
  const isPython = 2 * python >= Math.max(1, files.length);
  const isKnown = SURE.includes(link) && WRITTEN_BY_PEOPLE.includes(text_kind) && !title_only;
  return isKnown && isPython && getPart(repo) !== 'never' && !HELD_OUT.has(getFamily(repo));
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: npm run -s lab -- choose-split <jsonl of published issues>');
  process.exit(2);
}
const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
const issues = lines.map((line): PublishedIssue => JSON.parse(line)).filter(isSure);
const counts = new Map(
  [...Map.groupBy(issues, ({ repo }) => getFamily(repo))]
    .map(([family, { length }]) => [family, length] as const)
    .filter(([family, count]) => count >= LEAST && !UNFIT.includes(family.split('/')[1] ?? '')),
);
const families = [...counts.keys()].sort((a, b) =>
  hash('sha256', a) < hash('sha256', b) ? -1 : 1,
);
for (const [part, wanted] of [
  ['test', TEST_ISSUES],
  ['tune', TUNE_ISSUES],
] as const) {
  const taken: string[] = [];
  for (let total = 0; total < wanted; ) {
    const family = assertPresent(families.shift(), 'a family');
    taken.push(family);
    total += Math.min(MOST, counts.get(family) ?? 0);
  }
  console.log(JSON.stringify({ [part]: taken.sort() }, null, 2));
}
console.log(`left to train on: ${families.length} families`);
