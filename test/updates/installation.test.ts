import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findUpdateCommand } from '../../src/services/updates/installation.ts';
import { REPOSITORY } from '../../src/shared/version.ts';

const IN_PACKAGE = 'node_modules/locus-edit/node_modules/locus-edit-linux-x64/lib';
const CASES: Record<string, string> = {
  '/work/locus/src/services/updates': 'git pull && npm ci',
  '/work/locus/out/command/4f': 'git pull && npm ci',
  [`/usr/local/lib/${IN_PACKAGE}`]: 'npm install -g locus-edit@latest',
  'C:\\Users\\ann\\AppData\\Roaming\\npm\\node_modules\\locus-edit-win32-x64\\lib':
    'npm install -g locus-edit@latest',
  [`/work/shop/${IN_PACKAGE}`]: 'npm install locus-edit@latest',
  [`/home/ann/.npm/_npx/12ab/${IN_PACKAGE}`]: 'npx locus-edit@latest',
  '/home/ann/.local/share/pnpm/global/5/.pnpm/locus-edit-linux-x64@0.1.0/node_modules/locus-edit-linux-x64/lib':
    'pnpm add -g locus-edit@latest',
  [`/home/ann/.bun/install/global/${IN_PACKAGE}`]: 'bun add -g locus-edit@latest',
  [`/opt/homebrew/Cellar/locus-edit/0.1.0/libexec/lib/${IN_PACKAGE}`]: 'brew upgrade locus-edit',
  'C:\\Users\\ann\\scoop\\apps\\locus-edit\\current\\node_modules\\locus-edit-win32-x64\\lib':
    'scoop update locus-edit',
};

/** Files that npm writes for a project, and in its cache for npx. */
const exists = (path: string) => /^\/work\/shop\/package\.json$|_npx/.test(path);

for (const [folder, command] of Object.entries(CASES))
  it(`what is in ${folder} is updated with ${command}`, () => {
    assert.deepEqual(findUpdateCommand(folder, exists), { command, page: null });
  });

it('the desktop app has a page with its releases instead', () => {
  for (const folder of [
    '/opt/Locus/resources/app.asar.unpacked/src/services/updates',
    'C:\\Program Files\\Locus\\resources\\app.asar\\lib',
  ])
    assert.deepEqual(findUpdateCommand(folder, exists), {
      command: null,
      page: `${REPOSITORY}/releases`,
    });
});

it('this copy is a checkout', () => {
  assert.equal(findUpdateCommand().command, 'git pull && npm ci');
});
