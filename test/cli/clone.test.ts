/** A URL as the target of `locus search`: consent, cloning, updating, and hostile repositories. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readCloneUrl } from '../../src/services/clone-url.ts';
import { updateClone } from '../../src/services/clones.ts';
import { COOKIES } from '../exchange/sample.ts';
import { fakeSsh } from '../support/fake-ssh.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

const ISSUE = 'parse_cookie cuts quoted values short';
const TERMINAL = { seated: true, terminal: 100 };

let source: string;
let url: string;
let dataDir: string;

beforeEach(() => {
  source = gitRepository({ 'a.py': 'def a():\n    return 1\n' });
  writeFiles(source, { 'b.py': 'def b():\n    return 2\n' });
  commit();
  url = pathToFileURL(source).href;
  dataDir = temporaryFolder();
});
afterEach(() => {
  for (const folder of [source, dataDir]) removeFolder(folder);
});

function commit(): string {
  git(source, 'add', '-A');
  git(source, 'commit', '-q', '--allow-empty', '-m', 'Edit');
  return git(source, 'rev-parse', 'HEAD');
}

async function search(target: string, args: string[] = [], setting: Setting = {}) {
  const fake = fakeEngine(COOKIES);
  const env = { ...process.env, NO_COLOR: '1', LOCUS_DATA_DIR: dataDir } as Record<string, string>;
  const done = await locus(fake, ['search', target, ISSUE, ...args], { ...setting, env });
  const [opened] = fake.opened;
  return { ...done, root: opened?.root, revision: opened?.options.revision };
}

const listClones = (): string[] => {
  const folder = join(dataDir, 'clones');
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.lock')) : [];
};

test('nothing is cloned without consent', async () => {
  for (const [args, setting] of [
    [[], {}],
    [[], { ...TERMINAL, stdin: 'n\n' }],
    [[], { ...TERMINAL, stdin: '' }],
    [['--json'], { ...TERMINAL, stdin: 'y\n' }],
  ] satisfies [string[], Setting][]) {
    const { exitCode, root, stderr, stdout } = await search(url, args, setting);
    assert.equal(exitCode, 2);
    assert.match(stderr + stdout, /was not cloned: you did not agree\./);
    assert.equal(root, undefined);
    assert.deepEqual(listClones(), []);
  }
});

test('a repository is cloned once, and updated by the next search', async () => {
  const asked = await search(url, [], { ...TERMINAL, stdin: 'y\n' });
  assert.equal(asked.exitCode, 0);
  assert.match(asked.stderr, /Clone the newest commit of .* \[y\/N\]: /);
  assert.equal(asked.revision, git(source, 'rev-parse', 'HEAD'));
  assert.equal(git(asked.root!, 'rev-list', '--count', asked.revision!), '1', 'it is shallow');
  assert.equal(git(asked.root!, 'config', 'remote.origin.url'), url);

  const newest = commit();
  const next = await search(url);
  assert.equal(next.exitCode, 0);
  assert.deepEqual([next.root, next.revision], [asked.root, newest]);
  assert.equal(listClones().length, 1);

  renameSync(source, `${source}-away`);
  const offline = await search(url);
  renameSync(`${source}-away`, source);
  assert.match(offline.stderr, /The commit that was fetched last is searched\./);
  assert.equal(offline.revision, newest);
});

test('--yes agrees, and needs a URL', async () => {
  assert.equal((await search(url, ['--yes'])).exitCode, 0);
  assert.equal(listClones().length, 1);
  const { exitCode, stderr } = await search(source, ['--yes']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /--yes has no effect/);
  assert.equal((await search(url, ['--at', 'main'])).exitCode, 2);
});

test('hostile URLs are refused before anything is asked', async () => {
  for (const hostile of ['ext::sh', 'file:///srv/../etc', 'http://example.org/a/b']) {
    const { exitCode, stderr } = await search(hostile, ['--yes']);
    assert.equal(exitCode, 2, hostile);
    assert.match(stderr, /cannot be cloned/);
  }
  assert.equal((await search('-uevil', ['--yes'])).exitCode, 2);
  assert.deepEqual(listClones(), []);
});

test('a missing repository leaves nothing behind', async () => {
  const { exitCode, stderr } = await search(`${url}-missing`, ['--yes']);
  assert.notEqual(exitCode, 0);
  assert.match(stderr, /cannot be fetched/);
  assert.deepEqual(listClones(), []);
});

test('a clone that is too large is removed', async () => {
  const options = { dataDirectory: dataDir, agree: async () => {}, onNote: () => {} };
  await assert.rejects(updateClone(readCloneUrl(url), { ...options, maxBytes: 1000 }), {
    message: /is larger than 0 MiB/,
  });
  assert.deepEqual(listClones(), []);
  await assert.rejects(
    updateClone(readCloneUrl(url), { ...options, signal: AbortSignal.abort() }),
    { code: 'cancelled' },
  );
});

test('searches at the same time share a clone', async () => {
  const options = { dataDirectory: dataDir, agree: async () => {}, onNote: () => {} };
  const both = await Promise.all([1, 2].map(() => updateClone(readCloneUrl(url), options)));
  assert.deepEqual(both[0], both[1]);
});

test('hooks, filters, submodules and credential helpers do not run', async (t) => {
  const ran = join(dataDir, 'ran');
  const program = join(dataDir, 'run.sh');
  writeFiles(dataDir, { 'run.sh': `#!/bin/sh\ntouch '${ran}'\ncat\n`, 'home/.keep': '' });
  chmodSync(program, 0o755);
  writeFiles(source, {
    '.gitattributes': '*.py filter=evil\n',
    '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch\n',
  });
  const hook = `.git/hooks/post-checkout`;
  writeFiles(source, { [hook]: `#!/bin/sh\ntouch '${ran}'\n` });
  chmodSync(join(source, hook), 0o755);
  git(source, 'config', 'uploadpack.packObjectsHook', program);
  commit();
  const settings = join(dataDir, 'gitconfig');
  writeFiles(dataDir, {
    gitconfig: `[credential]\n\thelper = "!${program}"\n[filter "evil"]\n\tsmudge = ${program}\n\tclean = ${program}\n[core]\n\thooksPath = ${dataDir}\n`,
  });
  const before = process.env.GIT_CONFIG_GLOBAL;
  process.env.GIT_CONFIG_GLOBAL = settings;
  t.after(() => {
    if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL;
    else process.env.GIT_CONFIG_GLOBAL = before;
  });
  const { exitCode, root } = await search(url, ['--yes']);
  assert.equal(exitCode, 0);
  assert.ok(!existsSync(ran));
  assert.ok(!existsSync(join(root!, 'a.py')), 'nothing is checked out');
});

test('a repository by SSH', async (t) => {
  const ssh = fakeSsh();
  const { PATH } = process.env;
  process.env.PATH = ssh.path;
  t.after(() => {
    process.env.PATH = PATH;
    ssh.remove();
  });
  const { exitCode, root } = await search(ssh.serve(source, 'acme/a'), ['--yes']);
  assert.equal(exitCode, 0);
  assert.match(readFileSync(join(root!, 'config'), 'utf8'), /acme\/a/);
});
