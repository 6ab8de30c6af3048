import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Help } from 'commander';
import { COMMANDS } from '../../src/cli/commands.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { LocusError, type LocusErrorCode } from '../../src/shared/errors.ts';
import { MAX_ISSUE } from '../../src/shared/limits.ts';
import { QUERIES } from '../../src/shared/queries.ts';
import { COOKIES, chunk } from '../exchange/sample.ts';
import { fakeEngine, locus } from './fake-host.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that act on a terminal
const ACTING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
const COLOR = /\u001b\[\d/;
const PROGRESS = { phase: 'parse', done: 50, total: 200, rate: 100, secondsLeft: 1.5 } as const;

describe('on a terminal', () => {
  it('there are colors, but not with NO_COLOR or in a pipe', async () => {
    const search = ['search', 'shop', 'x'];
    assert.match((await locus(fakeEngine(COOKIES), search, { terminal: 100 })).stdout, COLOR);
    const dull = { terminal: 100, env: { NO_COLOR: '1' } };
    assert.doesNotMatch((await locus(fakeEngine(COOKIES), search, dull)).stdout, COLOR);
    assert.doesNotMatch((await locus(fakeEngine(COOKIES), search)).stdout, COLOR);
    const forced = await locus(fakeEngine(COOKIES), search, { env: { FORCE_COLOR: '1' } });
    assert.match(forced.stdout, COLOR);
  });

  it('progress shows a rate and the time left on one line that is cleared at the end', async () => {
    const fake = fakeEngine(COOKIES, { progress: [PROGRESS] });
    const { stderr } = await locus(fake, ['search', 'shop', 'x'], {
      terminal: 100,
      env: { NO_COLOR: '1' },
    });
    assert.match(stderr, /parsing +█+ +25% {2}50\/200 files {2}100\/s {2}1\.5 s left/);
    assert.ok(stderr.endsWith('\r\u001b[2K'), 'the line is cleared');
    assert.doesNotMatch(stderr, /\n/);
  });

  it('a longer list has the same bars', async () => {
    const bars = async (count: number) => {
      const { stdout } = await locus(fakeEngine(COOKIES.slice(0, count)), ['search', 'shop', 'x'], {
        terminal: 100,
        env: { NO_COLOR: '1' },
      });
      return Array.from(stdout.matchAll(/^ +\d+ ([█-▏]+)/gm), ([, bar]) => bar);
    };
    const all = await bars(COOKIES.length);
    assert.equal(all.length, COOKIES.length);
    assert.deepEqual(await bars(COOKIES.length - 1), all.slice(0, -1));
  });

  it('suggested commands name the program as it was started', async () => {
    const args = ['search', 'shop', 'x'];
    const settings = { terminal: 100, env: { NO_COLOR: '1' } };
    assert.match(
      (await locus(fakeEngine(COOKIES), args, settings)).stdout,
      /^ {2}locus show shop /m,
    );
    const npm = { ...settings, program: 'npm run locus --' };
    assert.match(
      (await locus(fakeEngine(COOKIES), args, npm)).stdout,
      /^ {2}npm run locus -- show shop /m,
    );
  });

  it('no line is wider than the terminal', async () => {
    const long = 'a/'.repeat(60);
    const chunks = [1, 2].map((n) =>
      chunk(`${long}${n}.py`, `Outer.${'name'.repeat(30)}${n}`, String(n)),
    );
    for (const columns of [60, 80, 120]) {
      const fake = fakeEngine(chunks, { progress: [PROGRESS] });
      const setting = { terminal: columns, env: { NO_COLOR: '1' } };
      const { stdout, stderr } = await locus(fake, ['search', 'shop', 'x'], setting);
      // The suggested command below the list is not cut, so that it can be copied.
      const lines = [
        ...stdout.split('\n').filter((line) => !line.includes('locus show')),
        stderr.split('\u001b[2K')[1]!,
      ];
      for (const line of lines)
        assert.ok(line.length <= columns, `${line.length} > ${columns}: ${line}`);
    }
  });
});

describe('in a pipe', () => {
  it('there is no progress', async () => {
    const { stderr } = await locus(fakeEngine(COOKIES, { progress: [PROGRESS] }), [
      'search',
      'shop',
      'x',
    ]);
    assert.equal(stderr, '');
  });

  it('notes of the engine go to standard error', async () => {
    const fake = fakeEngine(COOKIES, { notes: ['cuda does not work here, so the CPU is used'] });
    const { stderr, json } = await locus(fake, ['search', 'shop', 'x', '--json']);
    assert.equal(stderr, 'locus: cuda does not work here, so the CPU is used\n');
    assert.equal(json().results.length, 2);
  });
});

describe('hostile names', () => {
  const hostile = chunk('a\u001b]0;owned\u0007\n.py', 'f\u202egnp\u009b31m', 'x');

  it('are displayed without effect on the terminal', async () => {
    const commands = [
      ['search', 'shop', 'x'],
      ['search', 'shop', 'x', '--json'],
      ['show', 'shop', hostile.address],
      ['export', 'shop', 'x', '--format', 'markdown'],
      ['export', 'shop', 'x', '--format', 'csv'],
      ['export', 'shop', 'x', '--format', 'sarif'],
    ];
    for (const args of commands) {
      const { stdout } = await locus(fakeEngine([hostile]), args);
      assert.match(stdout, /202e/);
      assert.doesNotMatch(stdout.replaceAll('\r\n', '\n'), ACTING, args.join(' '));
    }
  });

  it('are unchanged in JSON', async () => {
    const { json } = await locus(fakeEngine([hostile]), ['search', 'shop', 'x', '--json']);
    assert.equal(json().results[0].path, hostile.path);
  });
});

describe('exit codes', () => {
  it('tell a script what went wrong, and a person what to do', async () => {
    const expected: [LocusErrorCode, number][] = [
      ['bad-input', 2],
      ['ambiguous', 2],
      ['not-found', 1],
      ['bad-repository', 3],
      ['bad-store', 4],
      ['busy', 4],
      ['bad-model', 5],
      ['device', 5],
      ['bad-objects', 8],
      ['cancelled', 130],
    ];
    for (const [code, exitCode] of expected) {
      const fake = fakeEngine([], { failure: new LocusError(code, 'it broke', 'mend it') });
      const result = await locus(fake, ['index', 'shop', '--json']);
      assert.equal(result.exitCode, exitCode, code);
      assert.deepEqual(result.json(), { error: { code, message: 'it broke', remedy: 'mend it' } });
      assert.equal(result.stderr, 'locus: it broke\n  → mend it\n');
      assert.equal(fake.closed, 1);
    }
  });

  it('are 2 for bad usage, with a suggestion', async () => {
    const usage = async (...args: string[]) => {
      const { exitCode, stderr } = await locus(fakeEngine([]), args);
      assert.equal(exitCode, 2, args.join(' '));
      return stderr;
    };
    assert.match(await usage('serch', '.'), /Unknown command 'serch'\. Did you mean search\?/);
    assert.match(
      await usage('help', 'serch'),
      /\nlocus: Unknown command 'serch'\.\n {2}→ Run locus --help/,
    );
    for (const [args, named] of [
      [['--json'], 'locus'],
      [['--json', 'fleet'], 'locus fleet'],
    ] as const) {
      const { exitCode, json } = await locus(fakeEngine([]), [...args]);
      const error = {
        code: 'bad-input',
        message: `${named} needs a command.`,
        remedy: `Run ${named} --help to see how it is used.`,
      };
      assert.deepEqual([exitCode, json()], [2, { error }]);
    }
    for (const command of ['search', 'export'])
      assert.match(
        await usage(command, '.', '--verbose is ignored'),
        /Unknown option '--verbose is ignored'\.\n.* If the issue begins with a dash, write it after --, /,
      );
    assert.match(
      await usage('search', '.', 'x', '--path', ''),
      /--path <glob>.* must not be empty/,
    );
    assert.match(await usage('search', '.', 'x', '--package', ''), /It must not be empty/);
    for (const args of [
      ['search', '.', 'x', '--at', ''],
      ['index', '.', '--model', ''],
      ['index', '.', '--exclude', ''],
      ['export', '.', 'x', '--output', ''],
    ])
      assert.match(await usage(...args), /argument '' is invalid\. It must not be empty/);
    assert.match(await usage('search', '.', 'x', '--limit', '0'), /whole number from 1 to 1000/);
    assert.match(
      await usage('search', '.', 'x', '--kind', 'struct'),
      /one of function, method, class, module/,
    );
    assert.match(await usage('search', '.', 'x', '--device', 'tpu'), /one of auto, cuda/);
    for (const args of [
      ['index', '.', ''],
      ['search', '', 'x'],
      ['status', '--repo', ''],
      ['serve', ''],
      ['serve', '--root', ''],
      ['window', ''],
    ])
      assert.match(await usage(...args), /The path is empty\.\n {2}→ Enter the path of a folder/);
    for (const args of [
      ['publish', '.', '--to', ''],
      ['shared', ''],
      ['fleet', 'use', ''],
    ])
      assert.match(await usage(...args), /The address is empty\.\n {2}→ Give a folder, s3:/);
    assert.match(
      await usage('shared', '--key', 'x'),
      /A key is given without a storage\.\n {2}→ Run locus shared <storage> --key …/,
    );
    const [stdin, expected] = [
      'x'.repeat(MAX_ISSUE + 1),
      /has 5,000,001 characters, of at most 5,0/,
    ];
    const tooLong = await locus(fakeEngine([]), ['search', '.', '-'], { stdin });
    assert.equal(tooLong.exitCode, 2);
    assert.match(tooLong.stderr, expected);
    assert.match(await usage('search', '.'), /No issue is given\.\n {2}→ Give its text, or --file/);
    assert.match(await usage('search', '.', ' '), /The issue is empty/);
    assert.match(await usage('search', '.', 'x', '--file', 'y'), /The issue is given twice/);
    assert.match(
      await usage('search', '.', '--file', 'no/such/file'),
      /Cannot read no\/such\/file: the file does not exist/,
    );
    assert.match(
      await usage('eval', '--dataset', 'no/such/file', '--repos', '.'),
      /Cannot read no\/such\/file: the file does not exist\.\n {2}→ Give the path of/,
    );
    assert.match(
      await usage('export', '.', 'x', '--output', 'x.pdf'),
      /The format of x\.pdf cannot be inferred/,
    );
    for (const [args, help] of [
      [['show', '.'], 'locus show --help'],
      [['--json', 'index', '--all'], 'locus index --help'],
      [['index', '--device', 'tpu'], 'locus index --help'],
      [['--all'], 'locus --help'],
      [['fleet', 'add'], 'locus fleet add --help'],
      [['fleet', 'ad'], 'locus fleet --help'],
      [['fleet', '--all'], 'locus fleet --help'],
    ] as const)
      assert.match(await usage(...args), new RegExp(`\n {2}→ Run ${help} to see`));
    assert.match(await usage('show', '.'), /Missing required argument 'function'/);
  });

  it('are 130 when interrupted', async () => {
    const signal = AbortSignal.abort();
    const { exitCode, stderr } = await locus(fakeEngine(COOKIES), ['index', 'shop'], { signal });
    assert.equal(exitCode, 130);
    assert.match(stderr, /The command was cancelled\.\n {2}→ Files that were indexed stay indexed/);
  });

  it('are 70 for a defect, with its stack', async () => {
    const fake = fakeEngine([], { failure: new TypeError('x is not a function') });
    const { exitCode, stderr } = await locus(fake, ['index', 'shop']);
    assert.equal(exitCode, 70);
    assert.match(
      stderr,
      /failed unexpectedly: `x is not a function`\.\n.*\n\| TypeError[\s\S]*conventions\.test\.ts/,
    );
  });
});

describe('--help', () => {
  it('teaches by example, for every command', async () => {
    const { stdout, exitCode } = await locus(fakeEngine([]), ['--help']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /Examples:\n {2}locus search/);
    assert.match(stdout, /Exit codes:/);
    for (const name of COMMANDS.keys()) {
      assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'));
      const help = await locus(fakeEngine([]), [name, '--help']);
      assert.equal(help.exitCode, 0);
      assert.match(help.stdout, new RegExp(`Examples:\\n {2}locus ${name}`));
    }
  });

  it('lists commands as they are declared, and shows the help of one of them', async () => {
    const output = { write: () => true, columns: 80 };
    const program = await makeProgram({ stdout: output, stderr: output, env: {} }, async () => {});
    for (const [name, { usage, summary }] of COMMANDS) {
      const command = program.commands.find((candidate) => candidate.name() === name);
      assert.ok(command, name);
      assert.equal(`${name} ${usage}`.trim(), new Help().subcommandTerm(command));
      assert.equal(command.description(), summary);
      const { stdout } = await locus(fakeEngine([]), ['help', name]);
      assert.equal(stdout, (await locus(fakeEngine([]), [name, '--help'])).stdout);
    }
  });

  it('describes commands about one function as agents see them', () => {
    for (const name of ['neighbors', 'tests', 'similar', 'grep', 'impact'] as const)
      assert.equal(COMMANDS.get(name)?.summary, QUERIES[name].summary);
  });

  it('is printed without a command', async () => {
    const [bare, help] = [await locus(fakeEngine([]), []), await locus(fakeEngine([]), ['--help'])];
    assert.equal(bare.stdout, help.stdout);
    assert.equal(bare.exitCode, 0);
  });
});
