import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { buildCheckout } from '../../scripts/bundle/checkout.ts';
import { BUILD_FOLDER, findCurrentBuild, readBuild } from '../../scripts/bundle/stored-build.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const ENTRY = `
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { word } from './barrel.ts';
const data: string = readFileSync(new URL('./word.txt', import.meta.url), 'utf8');
const { late } = await import('./late.ts');
new Worker(new URL('./worker.ts', import.meta.url)).once('message', (place: string) => {
  console.log([word, data, late, place].join(' '));
});
`;
const SOURCES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{}',
  'src/cli/entry.ts': ENTRY,
  'src/cli/word.txt': 'data',
  'src/cli/barrel.ts': "export { word } from './word.ts';\n",
  'src/cli/word.ts': "export const word = 'one';\n",
  'src/cli/other.ts': "export const word = 'two';\n",
  'src/cli/late.ts': "export const late = 'late';\n",
  'src/cli/worker.ts': `
    import { parentPort } from 'node:worker_threads';
    parentPort?.postMessage(new Error().stack?.includes('command') ? 'built' : 'not built');
  `,
};

describe('the build of a checkout', () => {
  let root: string;
  const inRoot = (path: string) => join(root, path);
  const run = (entry: string | null) =>
    execFileSync(process.execPath, [assertPresent(entry, 'a build')], { encoding: 'utf8' }).trim();
  const age = () => new Promise((resolve) => setTimeout(resolve, 100));
  beforeEach(async () => {
    root = temporaryFolder();
    writeFiles(root, SOURCES);
    await age();
  });
  afterEach(() => removeFolder(root));

  it('runs, with its threads and the files that it reads', async () => {
    assert.equal(findCurrentBuild(root), null);
    const entry = await buildCheckout(root);
    assert.equal(findCurrentBuild(root), entry);
    assert.equal(run(entry), 'one data late built');
    const read = assertPresent(readBuild(root), 'a build').inputs.map(([path]) => path);
    for (const path of ['entry.ts', 'barrel.ts', 'word.ts', 'late.ts', 'worker.ts'])
      assert.ok(read.includes(join('src/cli', path)), path);
  });

  it('refuses paths that would be those of the bundle', async () => {
    writeFiles(root, { 'src/cli/word.ts': 'export const word = import.meta.dirname;\n' });
    await age();
    await assert.rejects(buildCheckout(root), /use import\.meta\.url/);
  });

  it('is void after an edit, also one that only the time of the last change shows', async () => {
    await buildCheckout(root);
    const { atime, mtime } = statSync(inRoot('src/cli/word.ts'));
    writeFileSync(inRoot('src/cli/word.ts'), "export const word = 'six';\n");
    utimesSync(inRoot('src/cli/word.ts'), atime, mtime);
    assert.equal(findCurrentBuild(root), null);
    await age();
    assert.equal(run(await buildCheckout(root)), 'six data late built');
  });

  it('is void after a module that only passes on another is edited', async () => {
    await buildCheckout(root);
    writeFileSync(inRoot('src/cli/barrel.ts'), "export { word } from './other.ts';\n");
    assert.equal(findCurrentBuild(root), null);
    await age();
    assert.equal(run(await buildCheckout(root)), 'two data late built');
  });

  it('is void after a source or a package manifest is removed or added', async () => {
    await buildCheckout(root);
    writeFiles(root, { 'node_modules/.package-lock.json': '{}' });
    assert.equal(findCurrentBuild(root), null);
    await age();
    await buildCheckout(root);
    assert.notEqual(findCurrentBuild(root), null);
    rmSync(inRoot('src/cli/late.ts'));
    assert.equal(findCurrentBuild(root), null);
    await assert.rejects(buildCheckout(root), /late\.ts/);
  });

  it('is not stored while sources change', async () => {
    const touching = setInterval(() => utimesSync(inRoot('src/cli/word.ts'), 1, 1), 1);
    const entry = await buildCheckout(root).finally(() => clearInterval(touching));
    assert.equal(run(entry), 'one data late built');
    assert.equal(findCurrentBuild(root), null);
  });

  it('can be made by several processes at once', async () => {
    const entries = await Promise.all(Array.from({ length: 4 }, () => buildCheckout(root)));
    assert.equal(new Set(entries).size, 1);
    assert.equal(run(findCurrentBuild(root)), 'one data late built');
    const left = readdirSync(inRoot(BUILD_FOLDER)).filter((name) => name.endsWith('.tmp'));
    assert.deepEqual(left, []);
  });

  it('keeps the files of the build before it for a day', async () => {
    const first = await buildCheckout(root);
    const makeOld = () => {
      const old = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
      for (const name of readdirSync(inRoot(BUILD_FOLDER)))
        utimesSync(inRoot(join(BUILD_FOLDER, name)), old, old);
    };
    const edit = async (word: string) => {
      writeFileSync(inRoot('src/cli/word.ts'), `export const word = '${word}';\n`);
      await age();
      return buildCheckout(root);
    };
    makeOld();
    const second = await edit('two');
    assert.equal(run(first), 'one data late built', 'a command that was started before');
    makeOld();
    const third = await edit('three');
    assert.ok(!existsSync(first));
    assert.equal(run(second), 'two data late built');
    assert.equal(run(third), 'three data late built');
  });

  it('is made again if its files are damaged', async () => {
    const entry = await buildCheckout(root);
    writeFileSync(entry, '');
    writeFileSync(inRoot(join(BUILD_FOLDER, 'build.json')), '{ "entry": ');
    assert.equal(findCurrentBuild(root), null);
    assert.equal(run(await buildCheckout(root)), 'one data late built');
  });
});
