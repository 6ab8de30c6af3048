import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { VERSION } from '../../src/shared/version.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { NOT_HERE, runStep } from './step.ts';

const PLATFORM = `${process.platform}-${process.arch}`;

let folder: string;
const at = (path: string) => join(folder, path);
beforeEach(() => {
  folder = temporaryFolder();
  writeFiles(folder, { 'workspace/.git/HEAD': '' });
});
afterEach(() => removeFolder(folder));

/** Writes a package with a script that must not run. */
function pack(name: string, to: string): void {
  const source = at(`sources/${name}`);
  writeFiles(source, {
    'package.json': JSON.stringify({
      name,
      version: VERSION,
      type: 'module',
      scripts: { preinstall: `touch ${at('ran')}`, postinstall: `touch ${at('ran')}` },
    }),
    'bin/locus.js': `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(at('calls'))}, process.argv[2] + '\\n');\n`,
  });
  mkdirSync(at(to), { recursive: true });
  execFileSync('npm', ['pack', source, '--pack-destination', at(to)], { stdio: 'ignore' });
}

const index = (packages: string) =>
  runStep(folder, { inputs: { mode: 'index', packages: at(packages) } });

it('Locus is installed once from a folder of packages, and no script runs', {
  skip: NOT_HERE,
}, async () => {
  pack('locus-edit', 'packages');
  pack(`locus-edit-${PLATFORM}`, `packages/${PLATFORM}`);
  pack('locus-edit-other', 'packages/plan9-x64');
  // Settings of the repository, which npm must not read.
  writeFiles(folder, { 'workspace/.npmrc': 'ignore-scripts=false\nscript-shell=/nowhere\n' });
  for (const _ of [1, 2]) {
    const { code, log } = await index('packages');
    assert.equal(code, 0, log);
  }
  assert.ok(!existsSync(at('ran')));
  const installed = at(`temp/locus-edit/${VERSION}/${process.arch}`);
  assert.deepEqual(
    readdirSync(join(installed, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['locus-edit', `locus-edit-${PLATFORM}`],
  );
  assert.deepEqual(readdirSync(join(installed, '..')), [process.arch]);
  assert.deepEqual(readdirSync(at('workspace')).toSorted(), ['.git', '.npmrc']);
});

it('a folder without packages for this platform is named', { skip: NOT_HERE }, async () => {
  pack('locus-edit', 'packages');
  const { code, log } = await index('packages');
  assert.equal(code, 1);
  assert.match(log, new RegExp(`::error::.*packages has no packages of Locus for ${PLATFORM}`));
});

it('a failed installation is told, and leaves nothing', { skip: NOT_HERE }, async () => {
  writeFiles(folder, {
    'packages/locus-edit.tgz': 'no archive',
    [`packages/${PLATFORM}/x.tgz`]: 'no archive',
  });
  const { code, log } = await index('packages');
  assert.equal(code, 1);
  assert.match(
    log,
    /::error::Installing locus-edit [\d.]+ with npm failed: `.*Check that npm works/,
  );
  assert.deepEqual(readdirSync(at(`temp/locus-edit/${VERSION}`)), []);
});
