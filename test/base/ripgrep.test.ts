import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRipgrep, type RipgrepMatch, searchTexts } from '../../src/base/ripgrep.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const NONE = async () => null;

describe('ripgrep', () => {
  let folder: string;
  let program: string;

  before(async () => {
    folder = temporaryFolder();
    program = await findRipgrep(folder);
  });
  after(() => removeFolder(folder));

  /** Writes an executable shell script. */
  function writeProgram(path: string, text: string): string {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** Searches one text, and returns the matching parts. */
  async function search(
    pattern: string,
    text: string,
    { isRegex = false, ignoreCase = false } = {},
  ) {
    const bytes = Buffer.from(`${text}\n`);
    const found: RipgrepMatch[] = [];
    const onMatch = (match: RipgrepMatch) => found.push(match) > 0;
    const options = { milliseconds: 10_000, onMatch };
    await searchTexts(program, { pattern, isRegex, ignoreCase }, [[bytes]], options);
    return found.map(({ line, offset, length }) => {
      return `${line}:${bytes.toString('utf8', offset, offset + length)}`;
    });
  }

  it('is the packaged program', () => {
    assert.match(program, /node_modules\/@vscode\/ripgrep-[\w-]+\/bin\/rg$/);
  });

  it('is the one on the PATH without a package, but never one inside the repository', async () => {
    const root = join(folder, 'repository');
    const own = writeProgram(join(folder, 'bin/rg'), 'exit 1');
    const fake = writeProgram(join(root, 'bin/rg'), 'exit 1');
    mkdirSync(join(folder, 'linked'));
    symlinkSync(fake, join(folder, 'linked/rg'));
    const find = (...folders: string[]) =>
      findRipgrep(root, { PATH: [...folders, join(folder, 'bin')].join(':') }, NONE);
    assert.equal(await find(), own);
    assert.equal(await find(root, join(root, 'bin'), join(folder, 'linked'), '.', 'bin', ''), own);
    await assert.rejects(findRipgrep(root, { PATH: join(root, 'bin') }, NONE), {
      code: 'not-found',
      message: 'Ripgrep is not installed.',
      remedy: /put rg on the PATH/,
    });
  });

  it('gets neither settings nor credentials, and the pattern as a part of an option', async () => {
    const log = join(folder, 'log');
    const spy = writeProgram(
      join(folder, 'spy'),
      `env > ${log}; pwd >> ${log}; for each in "$@"; do echo "[$each]" >> ${log}; done; cat > /dev/null`,
    );
    process.env.RIPGREP_CONFIG_PATH = join(folder, 'settings');
    process.env.TEST_TOKEN = 'secret';
    try {
      const pattern = { pattern: '--pre=sh', isRegex: false, ignoreCase: false };
      await searchTexts(spy, pattern, [[Buffer.from('x\n')]], {
        milliseconds: 10_000,
        onMatch: () => true,
      });
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
      delete process.env.TEST_TOKEN;
    }
    const { readFileSync } = await import('node:fs');
    const said = readFileSync(log, 'utf8');
    assert.doesNotMatch(said, /RIPGREP|secret|^HOME/m);
    assert.match(said, /^\[--no-config\]$/m);
    assert.match(said, /^\[--regexp=--pre=sh\]\n\[--\]\n\[-\]$/m);
  });

  it('finds exact text, also if it looks like an option or an expression', async () => {
    for (const pattern of [
      '--files',
      '-e',
      '-',
      '--',
      '--pre=sh',
      'a.b',
      '(',
      '\\',
      '$x',
      "'",
      '*',
    ])
      assert.deepEqual(
        await search(pattern, `no\n  ${pattern}${pattern} and axb`),
        [`2:${pattern}`, `2:${pattern}`],
        pattern,
      );
  });

  it('finds every match, with its line and bytes', async () => {
    assert.deepEqual(await search('é', 'é\n\ud83d\ude00é é'), ['1:é', '2:é', '2:é']);
    assert.deepEqual(await search('É:', 'é:é', { ignoreCase: true }), ['1:é:']);
    assert.deepEqual(await search('\\w+:\\d', 'a:1 b:2\nc:\nd:4', { isRegex: true }), [
      '1:a:1',
      '1:b:2',
      '3:d:4',
    ]);
    assert.deepEqual(await search('a\\x00b', 'a\0b', { isRegex: true }), ['1:a\0b']);
    assert.deepEqual(await search('\ufeffx', '\ufeffx'), ['1:\ufeffx']);
    assert.deepEqual(await search('x*', 'ab', { isRegex: true }), [], 'empty matches do not count');
  });

  it('rejects an invalid expression, one that needs much memory, and one that is not linear', async () => {
    for (const pattern of [
      '(',
      '[',
      'a{2,1}',
      '((a{1000}){1000}){1000}',
      '(?=a)b',
      '(a)\\1',
      '\\n',
    ])
      await assert.rejects(
        search(pattern, 'a', { isRegex: true }),
        { code: 'bad-input', message: /^The regular expression is invalid: `.{5,}`\.$/ },
        pattern,
      );
  });

  it('takes linear time for expressions that others backtrack on', async () => {
    const text = 'a'.repeat(200_000);
    assert.deepEqual(await search('(a+)+$b', text, { isRegex: true }), []);
    assert.deepEqual(await search('^(a|aa)+c$', text, { isRegex: true }), []);
  });

  it('says if the program does not start, or fails', async () => {
    const pattern = { pattern: 'x', isRegex: false, ignoreCase: false };
    const run = (path: string) =>
      searchTexts(path, pattern, [[Buffer.from('x\n')]], {
        milliseconds: 1000,
        onMatch: () => true,
      });
    await assert.rejects(run(join(folder, 'missing')), {
      code: 'not-found',
      message: /^Ripgrep did not start: /,
    });
    const failing = writeProgram(join(folder, 'failing'), 'echo "no such option" >&2; exit 2');
    await assert.rejects(run(failing), { message: 'Ripgrep failed: `no such option`.' });
  });

  it('is killed when the search is cancelled, and when nothing more is wanted', async () => {
    const pid = join(folder, 'pid');
    const hanging = writeProgram(join(folder, 'hanging'), `echo $$ > ${pid}; exec sleep 600`);
    const controller = new AbortController();
    const pattern = { pattern: 'x', isRegex: false, ignoreCase: false };
    const { existsSync, readFileSync } = await import('node:fs');
    const run = searchTexts(hanging, pattern, [[Buffer.from('x\n')]], {
      milliseconds: 60_000,
      signal: controller.signal,
      onMatch: () => true,
    });
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await sleep(10);
    controller.abort();
    await assert.rejects(run, { code: 'cancelled' });
    assert.throws(() => process.kill(Number(readFileSync(pid, 'utf8')), 0), { code: 'ESRCH' });
    await assert.rejects(
      searchTexts(program, pattern, [], {
        milliseconds: 1000,
        signal: controller.signal,
        onMatch: () => true,
      }),
      { code: 'cancelled' },
    );

    let taken = 0;
    const endless = (function* () {
      for (;;) yield [Buffer.from('x\n'.repeat(1000))];
    })();
    await searchTexts(program, pattern, endless, {
      milliseconds: 600_000,
      onMatch: () => ++taken < 5000,
    });
    assert.equal(taken, 5000);
  });

  it('gets no more texts after the time, and finds what it got', async () => {
    let found = 0;
    const endless = (function* () {
      for (;;) yield [Buffer.from(`x\n${'y\n'.repeat(500_000)}`)];
    })();
    const pattern = { pattern: 'x', isRegex: false, ignoreCase: false };
    const { sent, isComplete } = await searchTexts(program, pattern, endless, {
      milliseconds: 50,
      onMatch: () => ++found > 0,
    });
    assert.equal(found, sent);
    assert.equal(isComplete, true);
  });

  it('passes failures of the caller on', async () => {
    const pattern = { pattern: 'x', isRegex: false, ignoreCase: false };
    const fail = () => {
      throw new RangeError('mine');
    };
    const texts = [[Buffer.from('x\n')]];
    await assert.rejects(
      searchTexts(program, pattern, texts, { milliseconds: 1000, onMatch: fail }),
      RangeError,
    );
    const failing = (function* () {
      yield [Buffer.from('x\n')];
      fail();
    })();
    await assert.rejects(
      searchTexts(program, pattern, failing, { milliseconds: 1000, onMatch: () => true }),
      RangeError,
    );
  });
});
