import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LogFiles, readLog } from '../../src/base/log-files.ts';
import { scaleRounds } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const WRITER = join(import.meta.dirname, '../support/log-lines.ts');
const WRITERS = ['a', 'b', 'c', 'd'];

let parent: string;
let folder: string;
before(() => {
  parent = temporaryFolder('locus-log-');
});
after(() => removeFolder(parent));

function newFolder(): string {
  folder = join(parent, `data-${readdirSync(parent).length}`, 'logs');
  mkdirSync(join(folder, '..'));
  return folder;
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
/** Returns the content of all files, in order. */
const readAll = () =>
  readdirSync(folder)
    .toSorted((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)))
    .map(read)
    .join('');

/** Runs several processes that append at the same time. */
async function appendAtOnce(count: number, maxBytes: number, maxFiles: number): Promise<void> {
  const codes = WRITERS.map(async (name) => {
    const args = [WRITER, folder, name, ...[count, maxBytes, maxFiles].map(String)];
    const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
    return code;
  });
  assert.deepEqual(await Promise.all(codes), [0, 0, 0, 0]);
}

/** Describes the first line that is incomplete, missing, repeated or out of order; null if none exists. */
function findFault(text: string, count: number): string | null {
  const next = new Map(WRITERS.map((name) => [name, 0]));
  for (const line of text.trimEnd().split('\n')) {
    const [, name = '', number, filler = ''] = /^(\w) (\d+) (x*) end$/.exec(line) ?? [];
    const expected = next.get(name);
    if (expected !== Number(number) || filler.length !== expected % 300) return `“${line}”`;
    next.set(name, expected + 1);
  }
  return [...next].every(([, all]) => all === count) ? null : 'lines are missing at the end';
}

describe('files of the log', () => {
  it('keep the lines of several processes complete and in order across files', async () => {
    const count = scaleRounds(1000);
    newFolder();
    await appendAtOnce(count, 8000, Infinity);
    const text = readAll();
    assert.equal(findFault(text, count), null);
    assert.ok(readdirSync(folder).length > 20, 'writers moved on often');
    // The check detects each kind of fault.
    const lines = text.trimEnd().split('\n');
    const faulty = (change: (lines: string[]) => unknown) => {
      const changed = [...lines];
      change(changed);
      return findFault(changed.join('\n'), count);
    };
    assert.notEqual(
      faulty((all) => all.splice(100, 1)),
      null,
      'a lost line',
    );
    assert.notEqual(
      faulty((all) => all.splice(100, 2, all.slice(100, 102).join(''))),
      null,
      'torn',
    );
    assert.notEqual(
      faulty((all) => all.pop()),
      null,
      'the last line is lost',
    );
  });

  it('are limited in size and number, and the newest stay', async () => {
    newFolder();
    await appendAtOnce(scaleRounds(1000), 8000, 3);
    const names = readdirSync(folder);
    assert.ok(names.length <= 3 + WRITERS.length, names.join());
    for (const name of names) assert.ok(read(name).length < 8000 + WRITERS.length * 400, name);
    assert.match(readAll(), new RegExp(`${scaleRounds(1000) - 1} x* end`));
    assert.ok(!names.includes('locus-1.log'));
  });

  it('are private, in a private folder', { skip: process.platform === 'win32' }, () => {
    newFolder();
    const umask = process.umask(0);
    try {
      new LogFiles(folder).append('line\n');
    } finally {
      process.umask(umask);
    }
    assert.equal(lstatSync(folder).mode & 0o777, 0o700);
    assert.equal(lstatSync(join(folder, 'locus-1.log')).mode & 0o777, 0o600);
  });

  it('skip anything that is not a private file of this user, and leave it unchanged', () => {
    newFolder();
    mkdirSync(folder);
    const target = join(parent, 'target');
    writeFileSync(target, 'mine\n', { mode: 0o600 });
    symlinkSync(target, join(folder, 'locus-1.log'));
    linkSync(target, join(folder, 'locus-2.log'));
    mkdirSync(join(folder, 'locus-3.log'));
    writeFileSync(join(folder, 'locus-4.log'), 'open\n');
    chmodSync(join(folder, 'locus-4.log'), 0o666);
    symlinkSync(join(parent, 'missing'), join(folder, 'locus-5.log'));
    const files = new LogFiles(folder, 100, 2);
    for (let at = 0; at < 20; at++) assert.ok(files.append(`${'y'.repeat(60)}\n`));
    assert.equal(readFileSync(target, 'utf8'), 'mine\n');
    assert.equal(read('locus-4.log'), 'open\n');
    assert.ok(!readdirSync(parent).includes('missing'));
    assert.deepEqual(
      readdirSync(folder).filter((name) => /-[1-5]\./.test(name)),
      [1, 2, 3, 4, 5].map((number) => `locus-${number}.log`),
    );
    assert.ok(read('locus-15.log').startsWith('yyy'), 'it went on behind them');
  });

  it('do not create a removed data directory again', () => {
    newFolder();
    const files = new LogFiles(folder);
    files.append('line\n');
    rmSync(join(folder, '..'), { recursive: true });
    assert.throws(() => files.append('line\n'), { code: 'ENOENT' });
    assert.ok(!existsSync(join(folder, '..')));
  });
});

describe('reading the log', () => {
  const entry = (level: string, at: number) =>
    `2026-01-02T03:04:05.${at}Z ${level} cli[1] defect error=Error@src/a.ts:1:2`;

  it('returns the last entries of all files, with the numbers of errors and warnings', () => {
    newFolder();
    const files = new LogFiles(folder, 200);
    for (let at = 100; at < 110; at++)
      files.append(`${entry(at % 2 ? 'error' : at % 4 ? 'warn' : 'info', at)}\n`);
    assert.ok(readdirSync(folder).length > 3);
    const { lines, errors, warnings } = readLog(join(folder, '..'), 2);
    assert.deepEqual(lines, [entry('info', 108), entry('error', 109)]);
    assert.equal(errors, 5);
    assert.equal(warnings, 2);
  });

  it('leaves out incomplete entries, links and text of other programs', () => {
    newFolder();
    mkdirSync(folder);
    const kept = entry('info', 1);
    writeFileSync(join(folder, 'locus-1.log'), `Password: swordfish\n${kept}\n2026-01-02T03`);
    writeFileSync(join(parent, 'elsewhere'), `${entry('error', 2)}\n`);
    symlinkSync(join(parent, 'elsewhere'), join(folder, 'locus-2.log'));
    assert.deepEqual(readLog(join(folder, '..'), 10).lines, [kept]);
  });

  it('finds nothing if nothing was logged', () => {
    assert.deepEqual(readLog(join(newFolder(), '..'), 10).lines, []);
  });
});
