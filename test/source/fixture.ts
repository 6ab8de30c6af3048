import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type OpenTreeOptions, openTree } from '../../src/engine/source/open.ts';
import type { SourceTree } from '../../src/engine/source/types.ts';
import type { SkippedFile } from '../../src/shared/indexing.ts';

export const isPython = (path: string) => path.endsWith('.py');

/** Creates a folder that is removed when the test ends. */
export function temporaryFolder(test: TestContext): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'locus-scan-')));
  test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

export function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Runs git with a neutral identity and without the machine's settings. */
export function git(folder: string, ...args: string[]): string {
  const identity = [
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.org',
    '-c',
    'commit.gpgsign=false',
  ];
  const settings = ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...identity, ...settings, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  }).trim();
}

/** Creates a repository with these files in one commit. */
export function repository(test: TestContext, files: Record<string, string | Uint8Array>): string {
  const root = temporaryFolder(test);
  git(root, 'init', '--quiet');
  write(root, files);
  commit(root);
  return root;
}

export function commit(root: string): string {
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'change');
  return git(root, 'rev-parse', 'HEAD');
}

/** Opens a source tree that is closed when the test ends. */
export async function open(
  test: TestContext,
  root: string,
  options?: OpenTreeOptions,
): Promise<SourceTree> {
  const tree = await openTree(root, options);
  test.after(() => tree.close());
  return tree;
}

/** Reads the Python files of a tree. Returns texts by path, and the files that listing and reading skipped. */
export async function contents(tree: SourceTree) {
  const listing = await tree.list(isPython);
  const texts: Record<string, string> = {};
  const hashes: Record<string, string> = {};
  const skipped: SkippedFile[] = [...listing.skipped];
  for await (const content of tree.read(listing.entries)) {
    if ('skipped' in content) skipped.push(content.skipped);
    else {
      texts[content.path] = content.text;
      hashes[content.path] = content.hash;
    }
  }
  return {
    paths: listing.entries.map((entry) => entry.path),
    texts,
    hashes,
    skipped,
    submodules: listing.submodules,
  };
}
