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

/** Returns the output of a command, without the time that it took. */
function run(args: readonly string[], env: Record<string, string> = {}): string {
  const { NODE_COMPILE_CACHE: _, ...others } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [inProject('src/cli/entry.ts'), ...args],
    { encoding: 'utf8', env: { ...others, ...env } },
  );
  assert.equal(status, 0, stderr);
  return stdout.replace(/\d+ ms/g, 'ms');
}

test('a search has Node keep what it compiled, in a data directory that is there and nobody else can write to', () => {
  const first = run([...SEARCH, '--data-dir', data]);
  assert.ok(!existsSync(compiled()), 'the first one makes the data directory');

  run(['status', DEMO, '--data-dir', data]);
  run(SEARCH, { LOCUS_DATA_DIR: data, NODE_COMPILE_CACHE: join(folder, 'elsewhere') });
  assert.ok(!existsSync(compiled()), 'what only looks writes nothing, and who says where is heard');

  mkdirSync(compiled('0.0.1'), { recursive: true });
  for (const args of [
    [...SEARCH, `--data-dir=${data}`],
    ['--json', ...SEARCH, '--data-dir', data],
  ])
    run(args);
  assert.equal(run(SEARCH, { LOCUS_DATA_DIR: data }), first);
  assert.deepEqual(readdirSync(compiled()), [VERSION], 'what other versions left is gone');
  assert.ok(readdirSync(compiled(VERSION)).length > 0);

  if (process.platform === 'win32') return;
  assert.equal(statSync(compiled()).mode & 0o777, 0o700);
  // A cache from a time when other users could write to the directory.
  for (const planted of [compiled(), compiled(VERSION)]) {
    chmodSync(planted, 0o777);
    writeFileSync(join(planted, 'planted'), '');
    run([...SEARCH, '--data-dir', data]);
    assert.ok(!existsSync(join(planted, 'planted')), 'what others may have written is not run');
    assert.ok(readdirSync(compiled(VERSION)).length > 0, 'and is compiled again');
  }
  const elsewhere = join(folder, 'planted');
  mkdirSync(elsewhere);
  rmSync(compiled(), { recursive: true });
  symlinkSync(elsewhere, compiled());
  run([...SEARCH, '--data-dir', data]);
  assert.deepEqual(readdirSync(elsewhere), [], 'a link is not followed');
  rmSync(compiled(), { recursive: true });
  chmodSync(data, 0o770);
  // A file that is not from Locus keeps the mode of the directory unchanged.
  mkdirSync(join(data, 'other'));
  assert.equal(run([...SEARCH, '--data-dir', data]), first);
  assert.ok(!existsSync(compiled()), 'others could have it run what they write there');
});
