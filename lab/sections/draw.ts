/**
 * Draws commits that edit only files without definitions, as issues for `measure-sections`:
 * `npm run -s lab -- draw-section-commits --repos <folder of clones> --seed <text> --each <number> --out <jsonl>`
 *
 * A commit counts if it edits one to three files that are all split into sections, and adds none. Its message, of at least 25 characters,
 * is the issue. Releases, changelogs and version bumps are left out, since no issue asks for them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { git } from '../../src/base/git/git.ts';
import { findLanguage, findSectionForm } from '../../src/engine/lab.ts';
import { findEditedFiles } from '../../src/services/evaluation/edited-files.ts';
import { Random } from '../encoder/random.ts';

const option = { type: 'string' } as const;
const { values } = parseArgs({
  options: { repos: option, seed: option, each: option, out: option },
});
const { repos, seed, each, out } = values;
if (!repos || !seed || !each || !out) {
  console.error(
    'usage: npm run -s lab -- draw-section-commits --repos <folder of clones> --seed <text> --each <number> --out <jsonl>',
  );
  process.exit(2);
}

const MAX_COMMITS = 4_000;
const MIN_MESSAGE = 25;
const ROUTINE = /changelog|release|bump|version|merge|news|history/i;
const TRAILERS = /^(?:signed-off-by|co-authored-by|git-svn-id|change-id|reviewed-by).*$/gim;

interface SectionCommit {
  hash: string;
  parent: string;
  message: string;
}

const lines: string[] = [];
for (const name of readdirSync(repos).toSorted()) {
  const commits = listSectionCommits(join(repos, name));
  for (const { hash, parent, message } of new Random(`${seed} ${name}`).some(
    commits,
    Number(each),
  )) {
    // A clone without old files lacks some patches.
    const patch = await git(join(repos, name), ['diff-tree', '-p', parent, hash]).then(
      (bytes) => bytes.toString('utf8'),
      () => '',
    );
    const { paths, added } = findEditedFiles(patch);
    if (added > 0 || paths.length === 0) continue;
    const id = `${name}@${hash.slice(0, 10)}`;
    const issue = { instance_id: id, repo: name.replace('__', '/'), base_commit: parent };
    lines.push(JSON.stringify({ ...issue, problem_statement: message, patch }));
  }
}
writeFileSync(out, lines.map((line) => `${line}\n`).join(''));
console.error(`${lines.length} commits`);

function listSectionCommits(root: string): SectionCommit[] {
  const format = '--format=%x01%H%x02%P%x02%B%x03';
  const limit = `--max-count=${MAX_COMMITS}`;
  // A clone without old files ends the output early.
  const { stdout: log } = spawnSync(
    'git',
    ['-C', root, 'log', '--no-merges', limit, '--name-only', format],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const records = log.split('\x01').slice(1);
  return records.flatMap((record) => {
    const [head = '', files = ''] = record.split('\x03');
    const [hash = '', parent = '', body = ''] = head.split('\x02');
    const paths = files.trim().split('\n').filter(Boolean);
    const message = body.replace(TRAILERS, '').trim();
    const [title = ''] = message.split('\n');
    const isWanted =
      /^[\da-f]+$/.test(parent) &&
      paths.length >= 1 &&
      paths.length <= 3 &&
      paths.every((path) => findSectionForm(path) && !findLanguage(path) && !ROUTINE.test(path)) &&
      message.length >= MIN_MESSAGE &&
      !ROUTINE.test(title);
    return isWanted ? [{ hash, parent, message }] : [];
  });
}
