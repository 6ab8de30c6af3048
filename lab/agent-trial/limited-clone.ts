/** Makes checkouts of a commit for agents. No commit after it can be reached from them, so an agent cannot read the fix there. */
import { execFileSync } from 'node:child_process';
import { git } from '../../src/base/git/git.ts';

/** Settings under which no hook runs and nothing is packed in the background. */
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0'];
/** Lets a commit be fetched that no branch names. */
const SERVE_ANY = 'git -c uploadpack.allowAnySHA1InWant=true upload-pack';

function runGit(folder: string, args: readonly string[]): string {
  const env = { ...process.env, GIT_LFS_SKIP_SMUDGE: '1', GIT_TERMINAL_PROMPT: '0' };
  return execFileSync('git', ['-C', folder, ...SETTINGS, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
}

/** Copies a commit and its ancestors, and nothing else, from a clone to a new bare repository with the branch `main`. */
export async function copyAncestors(clone: string, commit: string, target: string): Promise<void> {
  const id = String(await git(clone, ['rev-parse', `${commit}^{commit}`])).trim();
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', target]);
  const fetch = ['fetch', '-q', '--no-tags', `--upload-pack=${SERVE_ANY}`, clone];
  runGit(target, [...fetch, `${id}:refs/heads/main`]);
}

/** Checks out the branch `main` of such a repository. The objects are shared with it. */
export function checkOutMain(source: string, target: string): void {
  runGit(source, ['clone', '-q', '--shared', '--no-tags', source, target]);
}

/** Returns the changes that were made in a checkout, as a unified diff against its first state, without new files. */
export function diffCheckout(checkout: string): string {
  const diff = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];
  return runGit(checkout, [...diff, 'refs/remotes/origin/main', '--']);
}
