/** Output is written completely, or the exit code reports a failure. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeFileAtomically } from '../../src/base/write-file.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { compileShim, type Faults, faultyEnvironment } from '../support/shim.ts';

const LOCUS = fileURLToPath(new URL('../../src/cli/locus.ts', import.meta.url));
const MINE = fileURLToPath(new URL('../../lab/mining/command.ts', import.meta.url));
const FILES = { 'shop/cookies.py': 'def parse_cookie(header):\n    return header\n' };

let scratch: string;
let shim: string;
let root: string;
let dataDir: string;
before(() => {
  scratch = temporaryFolder();
  shim = compileShim(scratch);
  root = gitRepository(FILES);
  dataDir = join(scratch, 'data');
});
after(() => {
  removeFolder(scratch);
  removeFolder(root);
});

describe('standard output on a full disk', () => {
  const locus = (stdout: string | null, stderr: string | null, ...args: string[]) => {
    const open = (path: string | null) => (path === null ? ('pipe' as const) : openSync(path, 'w'));
    const streams = [open(stdout), open(stderr)];
    try {
      return spawnSync(process.execPath, [LOCUS, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', ...streams],
        env: { ...process.env, LOCUS_DATA_DIR: dataDir },
      });
    } finally {
      for (const stream of streams) if (typeof stream === 'number') closeSync(stream);
    }
  };

  it('ends with exit code 74 and a message on standard error', () => {
    for (const args of [
      ['search', root, 'parse_cookie', '--json'],
      ['export', root, 'parse_cookie'],
      ['--help'],
    ]) {
      const { status, stderr } = locus('/dev/full', null, ...args);
      assert.equal(status, 74, stderr);
      assert.match(
        stderr,
        /^locus: Standard output cannot be written: ENOSPC: no space left on device.*\n {2}→ .*\n$/,
      );
    }
  });

  it('ends with exit code 74 even if the message cannot be written', () => {
    assert.equal(locus('/dev/full', '/dev/full', '--help').status, 74);
    const { status, stdout } = locus(null, '/dev/full', 'search', join(root, 'nowhere'), 'x');
    assert.deepEqual([status, stdout], [74, '']);
  });
});

describe('locus export --output', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(scratch, 'lists');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'where.json'), 'the old file');
  });

  const exported = (at?: number) => {
    const args = ['export', root, 'parse_cookie', '--output', join(folder, 'where.json')];
    const log = join(scratch, 'calls');
    rmSync(log, { force: true });
    const { status, stderr } = spawnSync(process.execPath, [LOCUS, ...args], {
      encoding: 'utf8',
      env: {
        ...faultyEnvironment(shim, { root: folder, log, at, error: 'ENOSPC' }),
        LOCUS_DATA_DIR: dataDir,
      },
    });
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    return { status, stderr, calls: calls.map((line) => line.split(' ')[1]) };
  };

  it('writes a temporary file and renames it', () => {
    const { status, stderr, calls } = exported();
    assert.equal(status, 0, stderr);
    assert.deepEqual(calls, ['open', 'write', 'fchmod', 'fsync', 'rename']);
    assert.equal(JSON.parse(readFileSync(join(folder, 'where.json'), 'utf8')).chunks.length, 2);
  });

  it('keeps the old file, and no temporary one, if one of these steps fails', () => {
    for (const at of [1, 2, 4, 5]) {
      const { status, stderr } = exported(at);
      assert.equal(status, 74, stderr);
      assert.match(
        stderr,
        /^locus: Cannot write .*where\.json: ENOSPC: no space left on device\.\n/,
      );
      assert.deepEqual(readdirSync(folder), ['where.json']);
      assert.equal(readFileSync(join(folder, 'where.json'), 'utf8'), 'the old file');
    }
  });
});

describe('mining', () => {
  const FIX = 'Round prices to two digits, not to one\n\nCents were lost at the till.';
  let folder: string;
  let history: string;
  before(() => {
    folder = join(scratch, 'mined');
    mkdirSync(folder);
    history = gitRepository(FILES);
    writeFileSync(join(history, 'shop/cookies.py'), 'def parse_cookie(header):\n    return {}\n');
    git(history, 'commit', '-qam', FIX);
  });
  after(() => removeFolder(history));

  const mined = (faults: Omit<Faults, 'root'>, out = join(folder, 'shop.zst')) =>
    spawnSync(process.execPath, [MINE, history, '--name', 'a/shop', '--out', out], {
      encoding: 'utf8',
      env: { ...faultyEnvironment(shim, { root: folder, ...faults }), LOCUS_DATA_DIR: dataDir },
    });

  it('fails on a full disk, and keeps the earlier output', () => {
    const log = join(scratch, 'mining');
    assert.equal(mined({ log }).status, 0);
    const calls = readFileSync(log, 'utf8').trim().split('\n');
    const first = (name: string) => calls.findIndex((call) => call.includes(name)) + 1;
    for (const at of [first('.partial') + 3, Math.floor(calls.length / 2), first('.tmp')]) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      const { status, stderr } = mined({ error: 'ENOSPC', at, forEver: true });
      assert.equal(status, 1, `${at} of ${calls.length}: ${stderr}`);
      assert.match(stderr, /^mine: Cannot write .*shop\.zst.*\n {2}→ Free some space/);
    }
    assert.ok(statSync(join(folder, 'shop.zst.partial')).size > 0);
    assert.equal(mined({}).status, 0);
    assert.deepEqual(readdirSync(folder), ['shop.zst']);
  });

  it('fails in a folder that is not writable', () => {
    const readOnly = mined({ error: 'EROFS', at: 1, forEver: true });
    assert.equal(readOnly.status, 1, readOnly.stderr);
    assert.match(
      readOnly.stderr,
      /^mine: Cannot write .*shop\.zst.*\n {2}→ Choose a writable file/,
    );
    const below = mined({}, join(history, 'shop/cookies.py', 'shop.zst'));
    assert.equal(below.status, 1, below.stderr);
    assert.match(below.stderr, /^mine: Cannot write .*\n {2}→ Choose a writable file/);
  });
});

describe('a file that is written atomically', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(scratch, 'files');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });

  it('keeps the permissions of the old file', async () => {
    for (const mode of [0o600, 0o640, 0o755]) {
      const path = join(folder, `with-${mode}`);
      writeFileSync(path, 'before');
      chmodSync(path, mode);
      await writeFileAtomically(path, 'after');
      assert.equal(statSync(path).mode & 0o7777, mode);
      assert.equal(readFileSync(path, 'utf8'), 'after');
    }
  });

  it('is the target if the path is a symbolic link', async () => {
    writeFileSync(join(folder, 'file'), 'before');
    symlinkSync('file', join(folder, 'link'));
    await writeFileAtomically(join(folder, 'link'), 'after');
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'after');
    assert.deepEqual(readdirSync(folder).sort(), ['file', 'link']);
    assert.ok(lstatSync(join(folder, 'link')).isSymbolicLink());
  });

  it('stays unchanged if its content fails midway', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'before');
    async function* pieces() {
      yield 'half of it';
      throw new Error('no more');
    }
    await assert.rejects(writeFileAtomically(path, pieces()), /no more/);
    assert.equal(readFileSync(path, 'utf8'), 'before');
    assert.deepEqual(readdirSync(folder), ['file']);
  });

  it('may have a name of the maximum length', async () => {
    const path = join(folder, 'x'.repeat(255));
    await writeFileAtomically(path, 'whole');
    assert.equal(readFileSync(path, 'utf8'), 'whole');
  });

  it('does not replace a device', async () => {
    await writeFileAtomically('/dev/null', 'gone');
    assert.ok(statSync('/dev/null').isCharacterDevice());
    await assert.rejects(writeFileAtomically('/dev/full', 'x'), { code: 'bad-output' });
    await assert.rejects(writeFileAtomically(join(folder, 'no/where'), 'x'), {
      code: 'bad-input',
      message: /no\/where: ENOENT: no such file or directory\.$/,
    });
  });
});
