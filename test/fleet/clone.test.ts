/** Tests that fetching into a clone runs no program. Each `control` is a call of plain git that would run one. */
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchCommit } from '../../src/services/fleet/clone.ts';
import { makeCloneFolder, removeAbandonedClones } from '../../src/services/fleet/clone-folder.ts';
import {
  cloneRepository,
  createProgressReader,
} from '../../src/services/fleet/clone-repository.ts';
import type { CloneProgress } from '../../src/shared/fleet.ts';
import { type FakeSsh, fakeSsh } from '../support/fake-ssh.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const HOLDER = join(import.meta.dirname, '../support/clone-folder-and-hang.ts');

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

  /** Creates a bare repository whose configuration and hooks name programs. */
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

  it('is fetched again after a fetch was interrupted', async () => {
    const large = gitRepository({ 'a.bin': randomBytes(400_000) });
    try {
      // Includes a commit that is not fetched: git holds a lock while it notices that the commit is missing.
      writeFiles(large, { 'b.py': 'def b():\n    return 2\n' });
      git(large, 'add', '-A');
      git(large, 'commit', '-qm', 'Second');
      const from = { url: ssh.serve(large, 'acme/large'), ref: null };
      const into = join(folder, 'cut short');
      ssh.stall(true);
      const stop = new AbortController();
      const cut = assert.rejects(fetchCommit(into, from, null, stop.signal), { code: 'cancelled' });
      while (!existsSync(join(into, 'shallow.lock'))) await sleep(20);
      stop.abort();
      await cut;
      ssh.stall(false);
      assert.equal(await fetchCommit(into, from, null), git(large, 'rev-parse', 'HEAD'));
      assert.equal(await fetchCommit(into, from, null), git(large, 'rev-parse', 'HEAD'));
    } finally {
      ssh.stall(false);
      removeFolder(large);
    }
  });

  it('is created where only its folder existed', async () => {
    const into = join(folder, 'begun');
    mkdirSync(into);
    const commit = await fetchCommit(into, { url, ref: null }, null);
    assert.equal(commit, git(source, 'rev-parse', 'HEAD'));
  });

  /** Returns the folder of a clone, and a process that holds it until it is killed. */
  async function heldIn(parent: string): Promise<{ path: string; kill: () => Promise<unknown> }> {
    const holder = fork(HOLDER, [parent]);
    const [path] = await once(holder, 'message');
    return {
      path,
      kill: () => {
        const ended = once(holder, 'exit');
        holder.kill('SIGKILL');
        return ended;
      },
    };
  }
  const into = (name: string) => {
    const parent = join(folder, name);
    mkdirSync(parent);
    return parent;
  };
  const clone = (parent: string) =>
    cloneRepository({ url, ref: null }, parent, { authorization: null });

  it('removes abandoned folders, but none that are in use', async () => {
    const parent = into('left');
    const [left, held] = [await heldIn(parent), await heldIn(parent)];
    const own = await makeCloneFolder(parent);
    try {
      await left.kill();
      assert.ok(existsSync(left.path));
      await clone(parent);
      const names = [held.path, own.path, join(parent, 'a')].map((path) => basename(path));
      assert.deepEqual(readdirSync(parent).sort(), names.sort());
      // Checking the lock has not released it.
      await removeAbandonedClones(parent);
      assert.ok(existsSync(own.path) && existsSync(held.path));
    } finally {
      await held.kill();
    }
    await own.remove();
    await removeAbandonedClones(parent);
    assert.deepEqual(readdirSync(parent), ['a']);
  });

  it('is reused if its URL differs only in case', async () => {
    const parent = into('capitals');
    const whole = await clone(parent);
    const written = { url: url.replace('acme', 'Acme'), ref: null };
    assert.equal(await cloneRepository(written, parent, { authorization: null }), whole);
  });

  it('keeps a folder that is in use, even if a clock jump makes it look old', async () => {
    const parent = into('a clock that jumped');
    const { path, kill } = await heldIn(parent);
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(path, yesterday, yesterday);
    await removeAbandonedClones(parent);
    assert.ok(existsSync(path));
    await kill();
    await removeAbandonedClones(parent);
    assert.equal(existsSync(path), false);
  });

  const DOUBTFUL: Record<string, (path: string) => void> = {
    'of another machine': (path) => writeFileSync(join(path, 'maker'), 'elsewhere 1'),
    'that nobody can have locked': (path) => rmSync(join(path, 'maker')),
    'whose lock is a link': (path) => {
      const linked = join(folder, 'precious');
      writeFileSync(linked, 'not a lock');
      rmSync(join(path, 'maker.lock'));
      symlinkSync(linked, join(path, 'maker.lock'));
    },
  };
  for (const [what, change] of Object.entries(DOUBTFUL)) {
    it(`keeps a folder ${what} until it is a day old`, async () => {
      const parent = into(what);
      const { path, kill } = await heldIn(parent);
      await kill();
      change(path);
      await removeAbandonedClones(parent);
      assert.ok(existsSync(path));
      const yesterday = Date.now() / 1000 - 25 * 3600;
      utimesSync(path, yesterday, yesterday);
      await removeAbandonedClones(parent);
      assert.equal(existsSync(path), false);
      if (existsSync(join(folder, 'precious')))
        assert.equal(readFileSync(join(folder, 'precious'), 'utf8'), 'not a lock');
    });
  }

  it('ignores files, links and other folders', async () => {
    const parent = into('others');
    writeFiles(parent, { '.locus-clone-aaaaaa': '', '.locus-clone-bbbbbbb/x': '', 'c/x': '' });
    symlinkSync(join(parent, 'c'), join(parent, '.locus-clone-dddddd'));
    const yesterday = Date.now() / 1000 - 25 * 3600;
    for (const name of readdirSync(parent)) utimesSync(join(parent, name), yesterday, yesterday);
    const before = readdirSync(parent, { recursive: true });
    await removeAbandonedClones(parent);
    assert.deepEqual(readdirSync(parent, { recursive: true }), before);
  });

  it('reports progress, however git’s output is split', () => {
    const told: CloneProgress[] = [];
    const said =
      'remote: Counting objects: 100% (9/9), done.\nReceiving objects:  50% (2/4)\rReceiving objects: 100% (4/4), 1.2 KiB | 3 KiB/s, done.\nUpdating files: 100% (7/7), done.\n';
    const read = createProgressReader((progress) => told.push(progress));
    for (const letter of said) read(letter);
    assert.deepEqual(
      told.map(({ phase, done, total }) => `${phase} ${done}/${total}`),
      ['asking 0/0', 'receiving 2/4', 'receiving 4/4', 'writing 7/7'],
    );
  });
});
