import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const root = join(import.meta.dirname, '../..');
const { scripts, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Makes a program see another version of Node. */
function onNode(version: string): string[] {
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  return ['--import', `data:text/javascript,${encodeURIComponent(versions)}`];
}

describe('the checkout on another Node', () => {
  let copy: string;
  before(() => {
    copy = temporaryFolder();
    for (const path of ['package.json', 'bin/locus.cjs', 'scripts/run.cjs'])
      cpSync(join(root, path), join(copy, path));
    writeFiles(copy, {
      'scripts/hello.ts': 'const said: string[] = process.argv.slice(1);\nconsole.log(said);\n',
      'src/cli/locus.ts': 'const said: string[] = process.argv.slice(2);\nconsole.log(said);\n',
    });
  });
  after(() => removeFolder(copy));

  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });

  for (const command of [
    ['scripts/run.cjs', 'scripts/hello.ts'],
    ['bin/locus.cjs', '--version'],
  ])
    it(`${command.join(' ')} names the Node that it needs, and the remedy`, () => {
      const { status, stdout, stderr } = run(...onNode('20.20.2'), ...command);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(
        stderr,
        /^locus: The checkout needs Node 24 or later\. This is Node 20\.20\.2\.\n/,
      );
      assert.match(
        stderr,
        /\n {2}→ Run npm ci, which installs that Node into the checkout\. .*\n$/,
      );
    });

  it('says that packages are missing, and else runs the script with its arguments', () => {
    const missing = run('scripts/run.cjs', 'scripts/hello.ts');
    assert.equal(missing.status, 2);
    assert.match(
      missing.stderr,
      /^locus: The packages of the checkout are not installed\.\n.*npm ci/,
    );
    writeFiles(copy, { 'node_modules/here': '' });
    const hello = run('scripts/run.cjs', 'scripts/hello.ts', '--one', 'two');
    assert.equal(hello.stdout, `[ '${join(copy, 'scripts/hello.ts')}', '--one', 'two' ]\n`);
    assert.equal(run('bin/locus.cjs', '--one').stdout, "[ '--one' ]\n");
  });
});

it('npm starts no TypeScript without checking Node first', () => {
  const unchecked = Object.entries<string>(scripts).filter(([, command]) =>
    /^node \S+\.ts/.test(command),
  );
  assert.deepEqual(unchecked, []);
  assert.match(scripts.start, /^node scripts\/run\.cjs /);
});

it('docs and usages run TypeScript on the Node of the checkout', () => {
  const files = ['*.md', 'lab/*.ts', 'scripts/*.ts', 'e2e/*.ts', ':!lab/notes', ':!models'];
  const listed = execFileSync('git', ['ls-files', ...files], { cwd: root, encoding: 'utf8' });
  const wrong = listed
    .trim()
    .split('\n')
    .filter((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const said = path.endsWith('.md') ? text : text.match(/usage: .*/g)?.join('\n');
      return /(?<!npx )\bnode (?:--\S+ )*[\w<][\w./<>-]*\.ts\b/.test(said ?? '');
    });
  assert.deepEqual(wrong, []);
});

it('programs of the checkout are executable in git, so npm ci changes none', () => {
  const files = [...new Set(Object.values<string>(bin))];
  const listed = execFileSync('git', ['ls-files', '-s', ...files], { cwd: root, encoding: 'utf8' });
  const modes = listed.trim().split('\n');
  assert.equal(modes.length, files.length);
  for (const line of modes) assert.match(line, /^100755 /);
});
