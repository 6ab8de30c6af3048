/** Makes checkouts of a commit for agents. No commit after it can be reached from them, so an agent cannot read the fix there. */
import { execFileSync } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { git } from '../../src/base/git/git.ts';

/** Settings under which no hook runs and nothing is packed in the background. */
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0'];
/** Lets a commit be fetched that no branch names. */
const SERVE_ANY = 'git -c uploadpack.allowAnySHA1InWant=true upload-pack';

function runGit(folder: string, args: readonly string[], input = ''): string {
  const env = {
    ...process.env,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
  return execFileSync('git', ['-C', folder, ...SETTINGS, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
    stdio: ['pipe', 'pipe', 'pipe'],
    input,
    env,
  });
}

/**
 * Copies a commit and its ancestors, and nothing else, from a clone to a new bare repository with the branch `main`. Files that a partial
 * clone lacks are missing in the copy, too.
 */
export async function copyAncestors(clone: string, commit: string, target: string): Promise<void> {
  const id = String(await git(clone, ['rev-parse', `${commit}^{commit}`])).trim();
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', target]);
  const fetch = ['fetch', '-q', '--no-tags', `--upload-pack=${SERVE_ANY}`, clone];
  try {
    runGit(target, [...fetch, `${id}:refs/heads/main`]);
  } catch {
    // The clone is partial, or damaged, which packing reports.
    const pack = `${target}.pack`;
    const packing = ['pack-objects', '-q', '--revs', '--missing=allow-any', '--stdout'];
    execFileSync('git', ['-C', clone, ...SETTINGS, ...packing], {
      input: `${id}\n`,
      stdio: ['pipe', openSync(pack, 'w'), 'pipe'],
    });
    execFileSync('git', ['-C', target, 'index-pack', '--stdin'], {
      stdio: [openSync(pack, 'r'), 'ignore', 'pipe'],
    });
    rmSync(pack);
    runGit(target, ['update-ref', 'refs/heads/main', id]);
    runGit(target, ['config', 'remote.origin.promisor', 'true']);
  }
}

/** Checks out the branch `main` of such a repository, without files that it lacks. The objects are shared with it. */
export function checkOutMain(source: string, target: string): void {
  runGit(source, ['clone', '-q', '--shared', '--no-tags', '--no-checkout', source, target]);
  runGit(target, ['read-tree', 'HEAD']);
  const missing = listMissing(target);
  if (missing.length > 0) {
    // Git then takes these files for unchanged.
    const input = missing.map((path) => `${path}\0`).join('');
    runGit(target, ['update-index', '--skip-worktree', '-z', '--stdin'], input);
    runGit(target, ['config', 'remote.origin.promisor', 'true']);
    runGit(target, ['config', 'remote.origin.partialclonefilter', 'blob:none']);
  }
  runGit(target, ['checkout-index', '-q', '-a', '-f']);
}

/** Returns the paths of the files of HEAD whose content is missing. */
function listMissing(checkout: string): string[] {
  const entries = runGit(checkout, ['ls-tree', '-r', '-z', 'HEAD']).split('\0').filter(Boolean);
  const files = entries.flatMap((entry) => {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    return id !== undefined && path !== undefined ? [{ id, path }] : [];
  });
  const input = files.map(({ id }) => `${id}\n`).join('');
  const lines = runGit(checkout, ['cat-file', '--batch-check'], input).split('\n');
  return files.filter((_, i) => lines[i]?.endsWith(' missing')).map(({ path }) => path);
}

/** Returns the changes that were made in a checkout, as a unified diff against its first state, without new files. */
export function diffCheckout(checkout: string): string {
  const diff = [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--ignore-cr-at-eol',
  ];
  return runGit(checkout, [...diff, 'refs/remotes/origin/main', '--']);
}
