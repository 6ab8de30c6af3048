/**
 * Draws the issues on which recall of edited files is measured:
 * `npm run -s lab -- draw-edited-files --dataset <jsonl> --repos <folder of clones> --seed <text> --each <number> --out <folder>`
 *
 * The data set is what `dataset-issues --sure` writes. The rule is:
 *
 * 1. Repositories to train or tune on only, issues with the commit of their fix, one of each fix, with 120 to 8,000 characters, whose fix edits one to twenty
 *    files that count (`findEditedFiles`).
 * 2. Repositories with at most 4,000 files before the fix of their first issue. They are in the group `wide` if one in twenty of
 *    these files, or fifty, are components, templates, notebooks or in a language other than the twelve; otherwise in `main`.
 * 3. Of each repository at most `--each` issues, in an order that depends only on the seed and the issues.
 *
 * Writes `main.jsonl` and `wide.jsonl`, and prints the number of issues and a digest of their ids.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { git } from '../../src/base/git/git.ts';
import {
  type EvaluationInstance,
  getCloneName,
  parseJsonLines,
} from '../../src/services/evaluation/dataset.ts';
import { findEditedFiles, getFileKind } from '../../src/services/evaluation/edited-files.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { Random } from '../encoder/random.ts';
import { getPart } from '../split/split.ts';

const [MIN_LENGTH, MAX_LENGTH] = [120, 8_000];
const MAX_EDITED = 20;
const MAX_FILES = 4_000;
const [WIDE_SHARE, WIDE_FILES] = [1 / 20, 50];
const WIDE_KINDS = new Set(
  (
    '.vue .svelte .astro .ipynb .ejs .erb .twig .jinja .jinja2 .hbs .swift .scala .dart .lua .ex .exs .hs .ml .mli .jl .r .pl ' +
    '.pm .m .mm .fs .zig .sol .erl .clj .cljs .ps1 .sh .sql .tf .proto .graphql .cmake .nix'
  ).split(' '),
);

type Group = 'main' | 'wide';

const instance = z.looseObject({
  instance_id: z.string(),
  repo: z.string(),
  base_commit: z.string(),
  problem_statement: z.string(),
  patch: z.string(),
  fix_commit: z.string().nullish(),
});
type Fixed = z.output<typeof instance>;

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: { dataset: option, repos: option, seed: option, each: option, out: option },
});
const { dataset, repos, seed, each, out } = values;
if (!dataset || !repos || !seed || !each || !out) {
  console.error(
    'usage: npm run -s lab -- draw-edited-files --dataset <jsonl> --repos <folder of clones> --seed <text> --each <number> --out <folder>',
  );
  process.exit(2);
}
const lines = parseJsonLines(
  readFileSync(dataset, 'utf8'),
  dataset,
  instance,
  'Use dataset-issues.',
);
const drawn: Record<Group, EvaluationInstance[]> = { main: [], wide: [] };
const byRepository = Map.groupBy(takeOncePerFix(lines), ({ repo }) => repo.toLowerCase());
for (const [name, issues] of [...byRepository].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const group = await findGroup(assertPresent(issues[0], 'an issue'), repos);
  if (group) drawn[group].push(...new Random(`${seed} ${name}`).some(issues, Number(each)));
}
mkdirSync(out, { recursive: true });
for (const [group, issues] of Object.entries(drawn)) {
  const text = issues.map((issue) => `${JSON.stringify(issue)}\n`).join('');
  writeFileSync(join(out, `${group}.jsonl`), text);
  const ids = issues.map(({ instance_id }) => instance_id).join('\n');
  const repositories = new Set(issues.map(({ repo }) => repo.toLowerCase())).size;
  console.error(
    `${group}: ${issues.length} issues of ${repositories} repositories, ids ${hash('sha256', ids).slice(0, 12)}`,
  );
}

/** Returns the issues that can be drawn, the first of each fix. */
function takeOncePerFix(issues: Iterable<Fixed>): Fixed[] {
  const byFix = new Map<string, Fixed>();
  for (const issue of issues) {
    const { repo, patch, problem_statement, fix_commit } = issue;
    const { length } = problem_statement;
    const edited = findEditedFiles(patch).paths.length;
    const part = getPart(repo);
    if (!fix_commit || (part !== 'train' && part !== 'tune')) continue;
    if (length < MIN_LENGTH || length > MAX_LENGTH || edited < 1 || edited > MAX_EDITED) continue;
    const fix = hash('sha256', patch);
    if (!byFix.has(fix)) byFix.set(fix, issue);
  }
  return [...byFix.values()];
}

/** Returns the group of a repository by its files before a fix, or null if it is too large. */
async function findGroup(
  { repo, base_commit }: EvaluationInstance,
  clones: string,
): Promise<Group | null> {
  const root = join(clones, getCloneName(repo));
  const listed = await git(root, ['ls-tree', '-r', '-z', '--name-only', base_commit]);
  const paths = listed.toString('utf8').split('\0');
  const wide = paths.filter((path) => WIDE_KINDS.has(getFileKind(path))).length;
  if (paths.length > MAX_FILES) return null;
  return wide >= WIDE_FILES || wide >= WIDE_SHARE * paths.length ? 'wide' : 'main';
}
