/** Repositories that the bench measures, and the files of them that Locus indexes. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSourcePath, openTree } from '../../src/engine/lab.ts';
import { readCommitMessages } from '../bench/support/commit-messages.ts';
import { findTitleWords } from '../bench/support/typed-words.ts';

const QUERIES = 50;

export interface Measured {
  name: string;
  root: string;
  /** File that lists the paths of the sources, one a line. */
  list: string;
  files: number;
  /** Size of the sources in MB. */
  megabytes: number;
  /** Newest commit messages, to search for. The first one is the issue. */
  queries: string[];
  /** File of the issue. */
  issue: string;
  /** A word of the issue, to look for with ripgrep. */
  word: string;
}

/** Clones a repository, or copies a plain folder, into a folder, so that nothing is written to the original. */
export function copyRepository(original: string, folder: string): string {
  const root = join(folder, basename(original));
  if (existsSync(join(original, '.git')))
    execFileSync('git', ['clone', '-q', '--local', original, root]);
  else cpSync(original, root, { recursive: true });
  return root;
}

/**
 * Lists a repository's sources and reads what to search for. Writes the list and the issue to `scratch`.
 *
 * @param queriesOf clone whose commit messages are searched for
 * @throws Error if it has none
 */
export async function describeRepository(
  root: string,
  scratch: string,
  queriesOf = root,
): Promise<Measured> {
  const name = basename(root);
  const tree = await openTree(root, {});
  const { entries } = await tree.list(isSourcePath);
  await tree.close();
  const queries = await readCommitMessages(queriesOf, QUERIES);
  const [issue] = queries;
  if (issue === undefined)
    throw new Error(
      `${queriesOf} has no commit messages to search for. Name a clone by --queries.`,
    );
  const measured: Measured = {
    name,
    root,
    list: join(scratch, `${name}.list`),
    files: entries.length,
    megabytes: entries.reduce((sum, { size }) => sum + size, 0) / 2 ** 20,
    queries,
    issue: join(scratch, `${name}.issue`),
    word: findTitleWords(issue).toSorted((a, b) => b.length - a.length)[0] ?? 'error',
  };
  writeFileSync(measured.list, entries.map(({ path }) => path).join('\n'));
  writeFileSync(measured.issue, issue);
  return measured;
}

/** Returns the size of all files in a folder, in MB. */
export function measureFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size / 2 ** 20,
      0,
    );
}
