import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findPlaces } from '../../src/services/setup/places.ts';
import { findServerCommands } from '../../src/services/setup/server-command.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

describe('the command in an entry', () => {
  const execPath = '/opt/node/bin/node';

  it('is locus in a terminal whose PATH has this program, and paths in a desktop app', (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    writeFiles(folder, { 'lib/locus.js': '#!/usr/bin/env node\n', 'bin/x': '', 'other/locus': '' });
    const script = join(folder, 'bin/locus');
    for (const name of ['lib/locus.js', 'other/locus']) chmodSync(join(folder, name), 0o755);
    symlinkSync('../lib/locus.js', script);
    const byPath = { command: execPath, args: [script] };
    const start = (path: string, platform = 'linux') =>
      findServerCommands({ execPath, argv: [execPath, script], env: { PATH: path }, platform });
    const found = start(join(folder, 'bin'));
    assert.deepEqual(found.terminal, { command: 'locus', args: [] });
    assert.deepEqual(found.desktop, byPath);
    assert.deepEqual(found.shared, { command: 'locus', args: [] });
    // Another program of this name, none, and Windows, where agents do not start scripts of a shell.
    assert.deepEqual(start(join(folder, 'other')).terminal, byPath);
    assert.deepEqual(start('').terminal, byPath);
    assert.deepEqual(start(join(folder, 'bin'), 'win32').terminal, byPath);
  });

  it('is npx if npx runs the program, and the program of a checkout otherwise', () => {
    const start = (script: string) =>
      findServerCommands({ execPath, argv: [execPath, script], env: {}, platform: 'linux' });
    const npx = start('/home/me/.npm/_npx/1a2b/node_modules/.bin/locus-edit');
    assert.deepEqual(npx.desktop, { command: 'npx', args: ['-y', 'locus-edit'] });
    const { args } = start(join(import.meta.dirname, '../../src/cli/entry.ts')).desktop;
    assert.deepEqual(args, [join(import.meta.dirname, '../../bin/locus.cjs')]);
  });
});

it('folders of agents follow the system and its variables', () => {
  const linux = findPlaces({ HOME: '/home/me', XDG_CONFIG_HOME: '/cfg' }, 'linux');
  assert.deepEqual([linux.config, linux.apps], ['/cfg', '/cfg']);
  assert.equal(
    findPlaces({ HOME: '/home/me', XDG_CONFIG_HOME: 'cfg' }, 'linux').config,
    '/home/me/.config',
  );
  const mac = findPlaces({ HOME: '/Users/me' }, 'darwin');
  assert.equal(mac.apps, '/Users/me/Library/Application Support');
  assert.equal(
    findPlaces({ USERPROFILE: 'C:\\me', APPDATA: 'C:\\data' }, 'win32').apps,
    'C:\\data',
  );
});
