import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ignoring, LOG_EVENTS, log, logFailure, openLog } from '../../src/base/log.ts';
import { readLog } from '../../src/base/log-files.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { VERSION } from '../../src/shared/version.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const PROCESS = join(import.meta.dirname, '../support/logging-process.ts');
const SECRET = 'swordfish';

let parent: string;
let dataDirectory: string;
let made = 0;
before(() => {
  parent = temporaryFolder('locus-log-');
});
after(() => removeFolder(parent));
beforeEach(() => {
  dataDirectory = join(parent, String(made++));
  mkdirSync(dataDirectory);
});

/** Returns the entries, without time and process. */
const entries = () =>
  readLog(dataDirectory, 1000).lines.map((line) => line.replace(/^\S+ (\w+) \S+/, '$1'));
const last = () => entries().at(-1);

describe('the log', () => {
  it('starts with the version and has one entry per line', () => {
    openLog(dataDirectory, 'info');
    log('page-failed', { line: 7 });
    const { node } = process.versions;
    const { platform } = process;
    assert.deepEqual(entries(), [
      `info started version=${VERSION} node=${node} platform=${platform}`,
      'error page-failed line=7',
    ]);
  });

  it('contains entries up to its level', () => {
    const has = { off: 0, error: 1, warn: 2, info: 3, debug: 4 };
    for (const [level, count] of Object.entries(has)) {
      dataDirectory = join(parent, level);
      mkdirSync(dataDirectory);
      openLog(dataDirectory, level as keyof typeof has);
      log('page-failed', { line: 1 });
      log('data-damaged', { file: 'index' });
      ignoring('save-snapshot')(new Error('no'));
      assert.equal(entries().length, count, level);
    }
  });

  it('describes an error by class, code, cause and locations, never by its message', () => {
    openLog(dataDirectory, 'debug');
    const cause = Object.assign(new Error(`open '/home/${SECRET}'`), { code: 'ENOSPC' });
    logFailure(new LocusError('bad-store', `${SECRET} cannot be written.`, SECRET, { cause }));
    assert.match(last() ?? '', /^warn failed error=LocusError\/bad-store<Error\/ENOSPC$/);
    logFailure(new TypeError(SECRET));
    assert.equal(last(), 'error defect error=TypeError');
    logFailure(`${SECRET}`);
    assert.equal(last(), 'error defect error=string');
    try {
      // This fails in Locus's own sources.
      openLog(null as unknown as string, 'info');
    } catch (error) {
      logFailure(error);
    }
    assert.match(
      last() ?? '',
      /^error defect error=TypeError\/ERR_\w+@src\/base\/log\.ts:\d+:\d+$/,
    );
    const count = entries().length;
    logFailure(new LocusError('cancelled', 'Stopped.', 'Start it again.'));
    assert.equal(entries().length, count, 'what a user cancelled is not logged');
  });

  it('contains no text of an error that imitates locations or codes', () => {
    openLog(dataDirectory, 'info');
    const root = new URL('../../', import.meta.url).pathname;
    const message = `no\n    at f (${root}src/${SECRET}.ts:1:2)\n    at ${root}src/${SECRET}.ts:3:4`;
    logFailure(Object.assign(new Error(message), { code: `E ${SECRET}`, name: SECRET }));
    logFailure(Object.assign(new Error('x'), { code: SECRET, cause: SECRET }));
    class Odd extends Error {}
    Object.defineProperty(Odd, 'name', { value: `${SECRET} x` });
    logFailure(new Odd());
    assert.ok(!entries().join().includes(SECRET), entries().join('\n'));
    assert.equal(entries().length, 4);
  });

  it('shows a repository as the end of its index folder’s name, and drops any other text', () => {
    openLog(dataDirectory, 'info');
    const text = SECRET as never;
    log('searched', { repository: `/home/${SECRET}`, results: text, ms: 1.6 });
    assert.match(last() ?? '', /^info searched repository=[0-9a-f]{12} results=\? ms=2$/);
    log('data-damaged', { file: text });
    log('process-ended', { process: 'engine', reason: SECRET });
    log('process-ended', { process: text, reason: 'exit code 139' });
    log('started', { version: SECRET, node: SECRET, platform: text });
    assert.deepEqual(entries().slice(-4), [
      'warn data-damaged file=?',
      'error process-ended process=engine reason=?',
      'error process-ended process=? reason=139',
      'info started version=? node=? platform=?',
    ]);
  });

  it('never throws, and writes pending entries once it can', () => {
    const missing = join(dataDirectory, 'missing');
    openLog(missing, 'info');
    for (let line = 0; line < 300; line++) log('page-failed', { line });
    dataDirectory = missing;
    assert.deepEqual(entries(), []);
    mkdirSync(missing);
    log('page-failed', { line: 300 });
    assert.equal(entries().length, 200, 'a bounded number of entries is kept');
    assert.equal(last(), 'error page-failed line=300');
  });

  it('contains threads of a process, its earlier entries, and the error that ends it', () => {
    const { status } = spawnSync(process.execPath, [PROCESS, dataDirectory, 'info']);
    assert.notEqual(status, 0);
    const lines = readLog(dataDirectory, 100).lines.map((line) => line.replace(/^\S+ /, ''));
    const [, pid] = /\[(\d+)\]/.exec(lines[0] ?? '') ?? [];
    const engine = String.raw`engine\[${pid}\]`;
    const expected = [
      `error ${engine} page-failed line=1`,
      `info ${engine} started .*`,
      `error ${engine} defect error=RangeError`,
      String.raw`error engine\[${pid}\.\d+\] page-failed line=2`,
      `error ${engine} defect error=SyntaxError`,
    ];
    assert.equal(lines.length, expected.length, lines.join('\n'));
    for (const [at, line] of lines.entries()) assert.match(line, new RegExp(`^${expected[at]}$`));
    assert.ok(!lines.join().includes(SECRET));
  });
});

it('every event has a sentence in docs/reference/cli.md and only fields of declared kinds', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/cli.md'), 'utf8');
  for (const [event, { level, meaning, fields }] of Object.entries(LOG_EVENTS)) {
    assert.ok(page.includes(`| \`${event}\` (${level}) | ${meaning} |`), event);
    for (const kind of Object.values(fields))
      assert.ok(
        Array.isArray(kind) || /^(number|exit|error|repository|version)$/.test(String(kind)),
      );
  }
});
