/** Files named by the user are read whatever their kind, up to a limit, and reading can be cancelled. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { FileTooLarge, readWholeFile } from '../../src/base/named-file.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');
const LIMITS = { maxBytes: 1_000_000 };

let folder: string;
let pipe: string;
before(() => {
  folder = temporaryFolder('locus-named-');
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder, 'repo'));
  writeFileSync(join(folder, 'repo', 'shop.py'), 'def total(items):\n    return sum(items)\n');
});
after(() => removeFolder(folder));

test('a regular file, a pipe that is filled later and an empty device are read', async () => {
  writeFileSync(join(folder, 'file'), 'sound');
  assert.equal(String(await readWholeFile(join(folder, 'file'), LIMITS)), 'sound');
  const reading = readWholeFile(pipe, LIMITS);
  const writing = spawn('sh', ['-c', `(printf one; sleep 0.2; printf two) > "$0"`, pipe]);
  assert.equal(String(await reading), 'onetwo');
  await once(writing, 'exit');
  assert.equal((await readWholeFile('/dev/null', LIMITS)).length, 0);
});

test('a folder and a missing file fail as the system says', async () => {
  await assert.rejects(readWholeFile(folder, LIMITS), { code: 'EISDIR' });
  await assert.rejects(readWholeFile(join(folder, 'none'), LIMITS), { code: 'ENOENT' });
});

describe('a file without an end', () => {
  test('is read up to the limit', async () => {
    await assert.rejects(readWholeFile('/dev/zero', LIMITS), FileTooLarge);
    writeFileSync(join(folder, 'large'), Buffer.alloc(LIMITS.maxBytes + 1));
    await assert.rejects(readWholeFile(join(folder, 'large'), LIMITS), FileTooLarge);
  });
  test('is cancelled', async () => {
    for (const path of [pipe, '/dev/zero']) {
      const cancelling = new AbortController();
      const reading = readWholeFile(path, { maxBytes: 2 ** 50, signal: cancelling.signal });
      setTimeout(50).then(() => cancelling.abort());
      await assert.rejects(reading, { code: 'cancelled' });
    }
  });
});

describe('locus import', () => {
  const importing = (script: string) =>
    spawnSync('bash', ['-c', script, process.execPath, LOCUS], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    });
  const RUN = '"$0" "$1" import repo --data-dir data';
  before(() => {
    const { stderr } = importing(
      '"$0" "$1" export repo --output list.json --issue total --data-dir data --format json',
    );
    assert.ok(existsSync(join(folder, 'list.json')), stderr);
  });
  test('reads a file, standard input and pipes', () => {
    for (const list of [
      'list.json',
      '- < list.json',
      '<(cat list.json)',
      '/dev/stdin < list.json',
    ]) {
      const { stdout, stderr, status } = importing(`${RUN} ${list}`);
      assert.equal(status, 0, `${list}: ${stderr}`);
      assert.match(stdout, /total/);
    }
    assert.match(importing(`cat list.json | ${RUN} /dev/stdin`).stdout, /total/);
  });
  test('ends at a device without an end', () => {
    for (const endless of ['/dev/zero', '- < /dev/zero', '<(cat /dev/zero)']) {
      const { stderr, status } = importing(`${RUN} ${endless}`);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /is too large\.\n/);
    }
  });
  test('is interrupted while a pipe is silent', async () => {
    for (const silent of [pipe, '-']) {
      const args = [LOCUS, 'import', 'repo', silent, '--data-dir', 'data'];
      const child = spawn(process.execPath, args, {
        cwd: folder,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      const ended = once(child, 'exit');
      // More than a pipe holds, so it is written once the command reads.
      const begin = Buffer.alloc(1_000_000, ' ');
      const writing = silent === pipe ? await open(pipe, 'w') : null;
      if (writing) await writing.writeFile(begin);
      else await new Promise((written) => child.stdin.write(begin, written));
      assert.equal(child.exitCode, null, 'it waits');
      child.kill('SIGINT');
      const [code] = await ended;
      await writing?.close();
      assert.equal(code, 130);
    }
  });
});
