import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { it } from 'node:test';
import { getInvocation } from '../../src/cli/invocation.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(PROJECT, 'src/cli/locus.ts');
const npm = (from: string, script = 'locus', manifest = join(PROJECT, 'package.json')) => ({
  npm_lifecycle_event: script,
  npm_package_json: manifest,
  INIT_CWD: from,
});

it('a command to paste begins as this one did', () => {
  const as = (env: NodeJS.ProcessEnv, program = PROGRAM) =>
    getInvocation({ env, argv: ['node', program] });
  assert.equal(as(npm(PROJECT)), 'npm run locus --');
  assert.equal(as(npm(join(PROJECT, 'src'))), 'npm run --prefix .. locus --');
  assert.equal(as({}, '/usr/bin/locus'), 'locus');
  assert.equal(as({}, '/usr/bin/locus-edit'), 'locus-edit');
  assert.match(as({}, join(PROJECT, 'bin/locus.cjs')), /^node .*locus\.cjs$/);
  assert.match(as({}), /^node .*locus\.ts$/);
  // A script of another project, which may start an installed Locus.
  assert.equal(
    as(npm('/elsewhere', 'locus', '/elsewhere/package.json'), '/usr/bin/locus'),
    'locus',
  );
});

it('npm run --prefix … locus means paths from where npm was called', () => {
  const root = gitRepository({ 'a.py': 'def f():\n    return 1\n' });
  const dataDir = temporaryFolder();
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, 'index', '.', '--json', '--data-dir', dataDir],
      { cwd: PROJECT, encoding: 'utf8', env: { ...process.env, ...npm(root) } },
    );
    assert.equal(status, 0, stderr);
    assert.equal(JSON.parse(stdout).files, 1);
  } finally {
    removeFolder(root);
    removeFolder(dataDir);
  }
});

it('in a deleted folder, help works but commands do not', {
  skip: process.platform === 'win32',
}, () => {
  const inNone = (...args: string[]) => {
    const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
    const words = ['-c', script, 'sh', temporaryFolder(), process.execPath, PROGRAM, ...args];
    return spawnSync('sh', words, { encoding: 'utf8' });
  };
  assert.match(inNone('--help').stdout, /^Usage: locus/);
  for (const args of [['status', '.'], ['search', PROJECT, 'x'], ['mcp']]) {
    const { status, stdout, stderr } = inNone(...args);
    const told = 'locus: The current folder was deleted.\n  → Change to an existing folder.\n';
    assert.deepEqual([status, stdout, stderr], [2, '', told]);
  }
});
