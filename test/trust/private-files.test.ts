/** No file in the data directory can be read by the group or by others, for any umask. */
import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { isCreatedByLocus } from '../../src/base/private.ts';
import { scaleRounds } from '../support/effort.ts';
import { runFullSession, runLocus } from '../support/full-session.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

/** Umasks to try; `npm test` uses only the first. With 0, files get exactly the permissions that Locus requests. */
const UMASKS = [0o000, 0o022, 0o077].slice(0, scaleRounds(1));

/** Files that git and Node create, inside a folder that others cannot open. */
const PROTECTED = /^(sample\/tasklane|fleet\/clones\/[^/]+|compiled\/[^/]+)\//;

function pathsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return [folder, ...names.map((name) => join(folder, name))];
}

/** Returns the paths in a data directory that other users may read. */
function openPaths(dataDir: string): string[] {
  return pathsIn(dataDir).filter((path) => {
    const found = lstatSync(path);
    if (found.isSymbolicLink() || PROTECTED.test(relative(dataDir, path))) return false;
    return (found.mode & 0o077) !== 0;
  });
}

for (const umask of UMASKS)
  test(`files are private with umask ${umask.toString(8)}`, {
    skip: process.platform === 'win32',
  }, async (t) => {
    const parent = temporaryFolder('locus-private-');
    t.after(() => removeFolder(parent));
    const before = process.umask(umask);
    t.after(() => process.umask(before));
    const { dataDir, root } = await runFullSession(parent);
    t.after(() => removeFolder(root));
    assert.deepEqual(openPaths(dataDir), []);
    const names = readdirSync(dataDir);
    for (const name of ['repositories', 'servers', 'sample', 'compiled', 'app.db', 'fleet.json'])
      assert.ok(names.includes(name), `${name} is among ${names}`);
    assert.deepEqual(
      names.filter((name) => !isCreatedByLocus(name)),
      [],
      'the list of files is complete',
    );
    for (const path of pathsIn(dataDir))
      if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0o755);
    assert.ok(openPaths(dataDir).length > names.length, 'control: open files are found');
    runLocus(dataDir, ['search', root, 'total']);
    assert.deepEqual(openPaths(dataDir), [], 'files left open by an earlier version are closed');
  });
