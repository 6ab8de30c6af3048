import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ensureProgram } from '../../scripts/debian.ts';
import { describeGrammar } from '../../src/cli/completion/grammar.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { fakeEngine, locus } from './fake-host.ts';

const silent = { write: () => {} };
const program = await makeProgram({ stdout: silent, stderr: silent, env: {} }, async () => {});
const grammar = describeGrammar(program);
const names = program.commands.map((command) => command.name());
const flagsOf = (name: string) =>
  grammar.commands
    .find((command) => command.name === name)!
    .flags.flatMap(({ short, long }) => (short ? [short, long] : [long]));

/** Returns the completions of a line, in any order. */
const CASES: [line: string, offered: readonly string[]][] = [
  ['locus se', ['search', 'serve', 'setup']],
  ['locus search ', ['shop', 'src']],
  ['locus search sh', ['shop']],
  ['locus search --kind ', ['class', 'function', 'method', 'module', 'section']],
  ['locus search . --tests ex', ['exclude']],
  ['locus search . -f ', ['issue.md', 'shop', 'src']],
  ['locus search . --fi', ['--file']],
  ['locus search . --js', ['--json']],
  // `--at` takes a value, which is not completed as a folder.
  ['locus export --at shop --format s', ['sarif']],
  ['locus import . is', ['issue.md']],
  ['locus doctor s', ['shop', 'src']],
  ['locus models ', ['add', 'list', 'remove', 'use', 'verify']],
  ['locus completion ', ['bash', 'fish', 'zsh']],
  ['locus help mo', ['models']],
];

describe('locus completion', () => {
  let folder: string;
  before(() => {
    folder = temporaryFolder();
    writeFiles(join(folder, 'here'), { 'issue.md': 'x', 'src/a.py': '' });
    mkdirSync(join(folder, 'here/shop'));
  });
  after(() => removeFolder(folder));

  async function offered(shell: string, options: string[], lines: string[]): Promise<string[][]> {
    const { stdout, exitCode } = await locus(fakeEngine([]), ['completion', shell]);
    assert.equal(exitCode, 0);
    const script = join(folder, `locus.${shell}`);
    writeFileSync(script, stdout);
    const driver = join(import.meta.dirname, `shells/complete.${shell}`);
    const told = execFileSync(ensureProgram(shell), [...options, driver, script, ...lines], {
      encoding: 'utf8',
      cwd: join(folder, 'here'),
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LC_ALL: 'C' },
      timeout: 60_000,
    });
    return told
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split(' ')
          .filter(Boolean)
          .map((word) => word.replace(/\/$/, ''))
          .sort(),
      );
  }

  for (const [shell, options] of [
    ['bash', ['--norc', '--noprofile']],
    ['zsh', ['-f']],
    ['fish', ['--no-config']],
  ] as const) {
    it(`${shell} offers commands, options, values, files and folders`, async () => {
      const lines = [...CASES.map(([line]) => line), 'locus ', 'locus search . -'];
      const answers = await offered(shell, [...options], lines);
      const cases = CASES.map(([line], i) => [line, answers[i] ?? []]);
      assert.deepEqual(cases, CASES);
      const [first = [], flags = []] = answers.slice(CASES.length);
      for (const name of names) assert.ok(first.includes(name), name);
      for (const flag of flagsOf('search').filter((flag) => flag.startsWith('--')))
        assert.ok(flags.includes(flag), flag);
    });
  }

  it('bash completes after an equals sign, and folders that are no command', async () => {
    const lines = ['locus search --kind=', 'locus search --kind=m', 'locus ./s'];
    assert.deepEqual(await offered('bash', ['--norc'], lines), [
      ['class', 'function', 'method', 'module', 'section'],
      ['method', 'module'],
      ['./shop', './src'],
    ]);
  });

  it('knows every command, every option, and what each takes', () => {
    assert.deepEqual(
      grammar.commands.map(({ name }) => name),
      [...names, 'help'],
    );
    for (const command of program.commands) {
      const known = flagsOf(command.name());
      for (const { long } of command.options) assert.ok(known.includes(long!), long);
    }
    const of = (command: string, flag: string) =>
      grammar.commands.find(({ name }) => name === command)?.flags.find(({ long }) => long === flag)
        ?.value;
    assert.equal(of('search', '--data-dir'), 'folder');
    assert.equal(of('serve', '--root'), 'folder');
    assert.equal(of('eval', '--compare'), 'file');
    assert.equal(of('search', '--at'), 'any');
    assert.equal(of('search', '--fast'), null);
  });

  it('refuses a shell that it does not know', async () => {
    const { exitCode, stderr } = await locus(fakeEngine([]), ['completion', 'tcsh']);
    assert.equal(exitCode, 2);
    assert.match(stderr, /tcsh.*bash, zsh, fish/);
  });
});
