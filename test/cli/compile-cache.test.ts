import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../src/shared/version.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const DEMO = inProject('demo/repository');
const SEARCH = ['search', DEMO, '--fast', 'retries wait too long'];

let folder: string;
let data: string;
const compiled = (...path: string[]) => join(data, 'compiled', ...path);
before(() => {
  folder = temporaryFolder();
  data = join(folder, 'data');
});
after(() => removeFolder(folder));

function start(args: readonly string[], env: Record<string, string> = {}) {
  const { NODE_COMPILE_CACHE: _, ...others } = process.env;
  return spawnSync(process.execPath, [inProject('src/cli/entry.ts'), ...args], {
    encoding: 'utf8',
    env: { ...others, ...env },
  });
}

/** Returns the output of a command, without the time that it took. */
function run(args: readonly string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = start(args, env);
  assert.equal(status, 0, stderr);
  return stdout.replace(/\d+ ms/g, 'ms');
}

/** Returns the paths of all files of the cache. */
const listCache = (): string[] =>
  readdirSync(compiled(VERSION), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

test('a search has Node keep what it compiled, in a data directory that is there and nobody else can write to', () => {
  const first = run([...SEARCH, '--data-dir', data]);
  assert.ok(listCache().length > 100, 'the first one caches the code of all threads');
  rmSync(compiled(), { recursive: true });

  run(['status', DEMO, '--data-dir', data]);
  run(SEARCH, { LOCUS_DATA_DIR: data, NODE_COMPILE_CACHE: join(folder, 'elsewhere') });
  assert.ok(!existsSync(compiled()), 'what only looks writes nothing, and who says where is heard');

  mkdirSync(compiled('0.0.1'), { recursive: true });
  run([...SEARCH, `--data-dir=${data}`]);
  for (let i = 0; i <= 2_000; i++) writeFileSync(compiled(VERSION, `old-${i}`), '');
  run(['--json', ...SEARCH, '--data-dir', data]);
  assert.ok(!existsSync(compiled(VERSION, 'old-0')), 'a cache that is too large is emptied');
  assert.equal(run(SEARCH, { LOCUS_DATA_DIR: data }), first);
  assert.deepEqual(readdirSync(compiled()), [VERSION], 'what other versions left is gone');
  assert.ok(readdirSync(compiled(VERSION)).length > 0);

  if (process.platform === 'win32') return;
  // A command that soon fails compiles less.
  const failing = ['search', join(folder, 'missing'), 'text', '--data-dir', data];
  assert.equal(statSync(compiled()).mode & 0o777, 0o700);
  // A cache from a time when other users could write to the directory.
  for (const planted of [compiled(), compiled(VERSION)]) {
    chmodSync(planted, 0o777);
    writeFileSync(join(planted, 'planted'), '');
    start(failing);
    assert.ok(!existsSync(join(planted, 'planted')), 'what others may have written is not run');
    assert.ok(readdirSync(compiled(VERSION)).length > 0, 'and is compiled again');
  }
  const elsewhere = join(folder, 'planted');
  mkdirSync(elsewhere);
  rmSync(compiled(), { recursive: true });
  symlinkSync(elsewhere, compiled());
  start(failing);
  assert.deepEqual(readdirSync(elsewhere), [], 'a link is not followed');
  rmSync(compiled(), { recursive: true });
  chmodSync(data, 0o770);
  // A file that is not from Locus keeps the mode of the directory unchanged.
  mkdirSync(join(data, 'other'));
  assert.equal(run([...SEARCH, '--data-dir', data]), first);
  assert.ok(!existsSync(compiled()), 'others could have it run what they write there');
});

test('a command that stores no index leaves no data directory for its cache, and one of others is not used', () => {
  const missing = join(folder, 'missing');
  const unused = join(folder, 'unused');
  assert.notEqual(start(['search', missing, 'text', '--data-dir', unused]).status, 0);
  assert.ok(!existsSync(unused));

  const empty = join(folder, 'empty');
  mkdirSync(empty, { mode: 0o700 });
  start(['search', missing, 'text', '--data-dir', empty]);
  assert.ok(existsSync(empty), 'a directory of the user stays');
  rmSync(join(empty, 'compiled'), { recursive: true });

  writeFileSync(join(empty, 'notes.txt'), '');
  start(['search', missing, 'text', '--data-dir', empty]);
  assert.ok(!existsSync(join(empty, 'compiled')), 'no code beside files of the user');
});
