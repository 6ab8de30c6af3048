/** What a worker fetches into, and what it fetches, runs no program. `control`s are calls of plain git that run them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fetchCommit } from '../../src/services/fleet/clone.ts';
import { progressReader } from '../../src/services/fleet/clone-whole.ts';
import type { CloneProgress } from '../../src/shared/fleet.ts';
import { type FakeSsh, fakeSsh } from '../support/fake-ssh.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

describe('a clone of the fleet', () => {
  const { PATH } = process.env;
  const folder = temporaryFolder();
  const ran = join(folder, 'ran');
  const run = join(folder, 'run.sh');
  let ssh: FakeSsh;
  let source: string;
  let url: string;

  before(() => {
    ssh = fakeSsh();
    process.env.PATH = ssh.path;
    source = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
    url = ssh.serve(source, 'acme/a');
    writeFiles(folder, { 'run.sh': `#!/bin/sh\ntouch '${ran}'\n` });
    chmodSync(run, 0o755);
  });
  after(() => {
    process.env.PATH = PATH;
    ssh.remove();
    for (const one of [folder, source]) removeFolder(one);
  });

  /** A bare repository whose configuration and hooks name programs. */
  function hostile(name: string, prepare: (clone: string) => void): string {
    const clone = join(folder, name);
    execFileSync('git', ['init', '--quiet', '--bare', clone]);
    prepare(clone);
    return clone;
  }

  const HOSTILE: Record<string, (clone: string) => void> = {
    'core.alternateRefsCommand': (clone) => {
      const borrowed = gitRepository({ 'b.py': 'def b():\n    return 2\n' });
      writeFiles(clone, { 'objects/info/alternates': `${join(borrowed, '.git/objects')}\n` });
      git(clone, 'config', 'core.alternateRefsCommand', run);
    },
    'a hook': (clone) => {
      writeFiles(clone, { 'hooks/reference-transaction': `#!/bin/sh\ntouch '${ran}'\n` });
      chmodSync(join(clone, 'hooks/reference-transaction'), 0o755);
    },
  };
  for (const [what, prepare] of Object.entries(HOSTILE)) {
    it(`runs no program that it names by ${what}`, async () => {
      const control = hostile(`${what} control`, prepare);
      git(control, 'fetch', '--quiet', url, '+HEAD:refs/heads/x');
      assert.ok(existsSync(ran), 'plain git runs it');
      rmSync(ran);
      const clone = hostile(what, prepare);
      const commit = await fetchCommit(clone, { url, ref: null }, null);
      assert.equal(commit, git(source, 'rev-parse', 'HEAD'));
      assert.equal(existsSync(ran), false);
    });
  }

  it('says how far it is, however git’s words are cut', () => {
    const told: CloneProgress[] = [];
    const said =
      'remote: Counting objects: 100% (9/9), done.\nReceiving objects:  50% (2/4)\rReceiving objects: 100% (4/4), 1.2 KiB | 3 KiB/s, done.\nUpdating files: 100% (7/7), done.\n';
    const read = progressReader((progress) => told.push(progress));
    for (const letter of said) read(letter);
    assert.deepEqual(
      told.map(({ phase, done, total }) => `${phase} ${done}/${total}`),
      ['asking 0/0', 'receiving 2/4', 'receiving 4/4', 'writing 7/7'],
    );
  });
});
