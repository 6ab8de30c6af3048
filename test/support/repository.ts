import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Tests must not touch the keychain of the user. test/secrets uses one of its own.
process.env.LOCUS_KEYCHAIN ??= 'off';

/** Creates an empty folder. Tests remove it with `removeFolder`. */
export function temporaryFolder(prefix = 'locus-test-'): string {
  return mkdtempSync(join(tmpdir(), prefix));
}

export function removeFolder(folder: string): void {
  // A process that was told to end may still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Writes files by relative path, and creates their folders. */
export function writeFiles(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Runs git with a test identity and without the configuration of the machine. */
export function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.com',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
    },
  }).trim();
}

/** Makes a git repository with these files committed, in a new folder unless one is given. Returns its root. */
export function gitRepository(
  files: Record<string, string | Uint8Array>,
  root = temporaryFolder(),
): string {
  writeFiles(root, files);
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'First');
  return root;
}

/**
 * Returns the files of a Python package with `count` modules that import and call each other. Each module has a
 * function, a class with three methods, and a docstring. The same `count` gives the same files.
 */
export function syntheticPackage(count: number): Record<string, string> {
  const nouns = [
    'cookie',
    'session',
    'header',
    'query',
    'cache',
    'token',
    'route',
    'form',
    'field',
    'index',
  ];
  const verbs = [
    'parse',
    'encode',
    'merge',
    'split',
    'check',
    'load',
    'store',
    'render',
    'match',
    'clean',
  ];
  const files: Record<string, string> = { 'pkg/__init__.py': '' };
  for (let i = 0; i < count; i++) {
    const noun = nouns[i % nouns.length];
    const verb = verbs[Math.floor(i / nouns.length) % verbs.length];
    const other = (i * 7 + 1) % count;
    files[`pkg/module_${i}.py`] = `"""Module ${i}: ${verb} the ${noun}."""
from pkg.module_${other} import ${className(other)}

LIMIT_${i} = ${i}


def ${verb}_${noun}_${i}(value, strict=False):
    """${verb} a ${noun} numbered ${i}."""
    if strict and value is None:
        raise ValueError("no ${noun} to ${verb}")
    return ${className(i)}(value).${verb}()


class ${className(i)}:
    def __init__(self, value):
        self.value = value
        self.next = ${className(other)}(value) if value else None

    def ${verb}(self):
        return self.check(self.value)

    def check(self, value):
        """Whether the ${noun} is sound."""
        return value is not None and value != LIMIT_${i}
`;
  }
  return files;

  function className(n: number): string {
    const noun = nouns[n % nouns.length];
    return `${noun[0].toUpperCase()}${noun.slice(1)}${n}`;
  }
}
