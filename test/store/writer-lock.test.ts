import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WriterLock } from '../../src/engine/store/writer-lock.ts';
import { noteWriter, readWriter } from '../../src/engine/store/writer-note.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

test('a jump of the clock does not end the wait for another writer', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, 'writer.lock');
  const [holder, waiting] = [new WriterLock(path), new WriterLock(path)];
  t.after(() => {
    holder.close();
    waiting.close();
  });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = holder.hold(() => released);
  let looks = 0;
  t.mock.method(Date, 'now', () => {
    if (++looks === 3) release();
    return looks * 3_600_000;
  });
  const done = waiting.hold(async () => 'its turn', 60_000);
  // A wait that uses the monotonic clock ignores this one.
  setTimeout(release, 300);
  assert.equal(await done, 'its turn');
  await held;
  await assert.rejects(
    holder.hold(() => waiting.hold(async () => 'never', 0)),
    { code: 'busy' },
    'a wait ends all the same',
  );
});

const isWindows = process.platform === 'win32';

test('a process that waits learns which one it waits for, while that one runs', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, 'writer.lock');
  const script = `
    import { WriterLock } from ${JSON.stringify(import.meta.resolve('../../src/engine/store/writer-lock.ts'))};
    new WriterLock(${JSON.stringify(path)}).hold(() => {
      console.log('held');
      return new Promise(() => setInterval(() => {}, 1e6));
    });
  `;
  const args = ['--input-type=module-typescript', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  // Suspended, as by Ctrl-Z, it keeps the lock.
  if (!isWindows) child.kill('SIGSTOP');
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 500));
  const writers: unknown[] = [];
  const lock = new WriterLock(path);
  t.after(() => lock.close());
  const waiting = lock.hold(
    async () => {},
    30_000,
    undefined,
    (writer) => writers.push(writer),
  );
  await assert.rejects(waiting, ({ code, message }) => {
    assert.equal(code, 'busy');
    assert.match(message, new RegExp(`^Another Locus process, ${child.pid}, has been`));
    return true;
  });
  assert.deepEqual(writers, [child.pid]);
  child.kill('SIGKILL');
  await ended;
  assert.equal(readWriter(path), null, 'it has ended');
});

test('the note of a writer is believed only if it is a number of a running process', (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, 'writer.lock');
  assert.equal(readWriter(path), null);
  noteWriter(path);
  assert.equal(readFileSync(`${path}.pid`, 'utf8'), `${process.pid}\n`);
  if (!isWindows) assert.equal(statSync(`${path}.pid`).mode & 0o777, 0o600);
  assert.equal(readWriter(path), null, 'this process does not wait for itself');
  writeFileSync(`${path}.pid`, `${process.ppid}\n`);
  assert.equal(readWriter(path), process.ppid);
  for (const text of [
    '',
    '0\n',
    '-1\n',
    '1',
    '1; rm -r /\n',
    '99999999999\n',
    `${'1'.repeat(50)}\n`,
  ]) {
    writeFileSync(`${path}.pid`, text);
    assert.equal(readWriter(path), null, text);
  }
});

test('a note of a writer changes no other file', { skip: isWindows }, (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const other = join(folder, 'other');
  writeFileSync(other, 'precious');
  const plants: Record<string, (note: string) => void> = {
    link: (note) => symlinkSync(other, note),
    'hard link': (note) => linkSync(other, note),
    pipe: (note) => execFileSync('mkfifo', [note]),
  };
  for (const [name, plant] of Object.entries(plants)) {
    const path = join(folder, `${name}.lock`);
    plant(`${path}.pid`);
    assert.equal(readWriter(path), null, name);
    noteWriter(path);
    assert.equal(readFileSync(other, 'utf8'), 'precious', name);
    assert.equal(readFileSync(`${path}.pid`, 'utf8'), `${process.pid}\n`, name);
  }
  const path = join(folder, 'folder.lock');
  mkdirSync(`${path}.pid`);
  noteWriter(path);
  assert.equal(readWriter(path), null);
});
