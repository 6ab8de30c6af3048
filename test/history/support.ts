import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { readCommits } from '../../src/engine/history/read-commits.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import type { Commit } from '../../src/engine/history/types.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

/** Creates a folder that is removed when the test ends. */
export function createFolder(test: TestContext): string {
  const path = temporaryFolder();
  test.after(() => removeFolder(path));
  return path;
}

/** Creates a git repository with these files in its first commit, removed when the test ends. */
export function createRepository(
  test: TestContext,
  files: Record<string, string | Uint8Array>,
): string {
  const root = gitRepository(files);
  test.after(() => removeFolder(root));
  return root;
}

/** Commits these files, null for one that is deleted, and returns the commit's id. */
export function commit(
  root: string,
  message: string,
  files: Record<string, string | Uint8Array | null>,
  ...options: string[]
): string {
  for (const [path, content] of Object.entries(files)) {
    if (content === null) rmSync(`${root}/${path}`);
    else writeFiles(root, { [path]: content });
  }
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', message, ...options);
  return git(root, 'rev-parse', 'HEAD');
}

/** Adds commits without changes to the branch `main`, all by one process. */
export function addEmptyCommits(root: string, count: number): void {
  const one = (at: number) =>
    `commit refs/heads/main\ncommitter Test <test@example.com> ${1_700_000_000 + at} +0000\ndata 5\nEmpty\n`;
  const first = one(0).replace(/$/, 'from refs/heads/main^0\n');
  const rest = Array.from({ length: count - 1 }, (_, at) => one(at + 1));
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: first + rest.join('') });
}

/** Reads the history of HEAD, newest first; leaves out commits without edits of indexed files. */
export async function readAllCommits(root: string): Promise<Commit[]> {
  const hashes = await listCommits(root, 'HEAD', 1_000);
  const found: Commit[] = [];
  for await (const commits of readCommits(root, hashes)) found.push(...commits);
  return found.sort((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash));
}
