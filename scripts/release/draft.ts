/**
 * `node scripts/release/draft.ts <tag> <folder>`: makes a draft of a release on the code host, with the files that `assemble.ts` wrote. A
 * person reads and publishes it. Needs GitHub's `gh`. Imports no package, as it runs with the right to write.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NOTES } from './assemble.ts';
import { NAMES } from './names.ts';

/** Runs `gh`. Returns its output. */
type RunGh = (args: readonly string[]) => string;

/**
 * Makes the draft, or replaces the files of one that exists.
 * @throws Error if the release is already published
 */
export function draftRelease(tag: string, folder: string, gh: RunGh): void {
  const repository = ['--repo', new URL(NAMES.repository).pathname.slice(1)];
  const notes = join(folder, NOTES);
  const drafts = gh(['release', 'list', ...repository, '--json', 'tagName,isDraft']);
  const found = JSON.parse(drafts).find(({ tagName }: { tagName: string }) => tagName === tag);
  if (found?.isDraft === false)
    throw new Error(`${tag} is already published. Its files stay as they are.`);
  const text = ['--title', `Locus ${tag.slice(1)}`, '--notes-file', notes, ...repository];
  const kind = tag.includes('-') ? ['--prerelease'] : [];
  if (found) gh(['release', 'edit', tag, ...text]);
  else gh(['release', 'create', tag, '--draft', '--verify-tag', ...kind, ...text]);
  // The page of a release has no folders.
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== NOTES)
    .map(({ name }) => name);
  gh([
    'release',
    'upload',
    tag,
    ...files.map((name) => join(folder, name)),
    '--clobber',
    ...repository,
  ]);
}

if (import.meta.filename === process.argv[1]) {
  const [tag = '', folder = ''] = process.argv.slice(2);
  try {
    draftRelease(tag, folder, (args) => execFileSync('gh', args, { encoding: 'utf8' }));
  } catch (error) {
    console.error(`release: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
