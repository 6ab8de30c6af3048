/** Pipes, sockets, devices and folders in the place of files: nothing waits for them, and errors name them. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTree } from '../../src/engine/source/open.ts';
import { watchTree } from '../../src/engine/source/watch.ts';
import type { SkippedFile } from '../../src/shared/indexing.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

/** Limit that is far longer than reading takes on a busy machine. */
const HUNG_MS = 60_000;
/** Seconds without output after which git is stopped, for cases that show in no other way. */
const SILENCE = '2';

const READ_TREE = fileURLToPath(new URL('../support/read-tree.ts', import.meta.url));
const LOCUS = fileURLToPath(new URL('../../src/cli/locus.ts', import.meta.url));

type Outcome =
  | { texts: Record<string, string>; skipped: SkippedFile[]; commits: number; error?: undefined }
  | { error: { code: string; message: string; remedy: string } };

let folder: string;
let template: string;
let made = 0;
before(() => {
  folder = temporaryFolder('locus-special-');
  template = join(folder, 'template');
  writeFiles(template, { 'a.py': 'a = 1\n', 'pkg/b.py': 'b = 1\n', 'pkg/.gitignore': 'x\n' });
  git(template, 'init', '-q');
  git(template, 'add', '-A');
  git(template, 'commit', '-q', '-m', 'First');
  writeFiles(template, { 'a.py': 'a = 2\n' });
  git(template, 'commit', '-q', '-a', '-m', 'Second');
});
after(() => removeFolder(folder));

/** Replacements for a file. */
const KINDS = {
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a link to a pipe': (path: string) => {
    execFileSync('mkfifo', [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  'a link to a device': (path: string) => symlinkSync('/dev/zero', path),
  'a folder': (path: string) => mkdirSync(path),
};

const UNHARMED = { 'a.py': 'a = 2\n', 'pkg/b.py': 'b = 1\n' };

/** Expected errors by git's file and its replacement; null if git works without the file. */
const GIT_FILES: Record<string, Partial<Record<keyof typeof KINDS, RegExp | null>>> = {
  '.git': { 'a pipe': /\.git` is a pipe/, 'a link to a device': /\.git` is a device/ },
  '.git/HEAD': {
    'a pipe': /HEAD` is a pipe/,
    'a link to a pipe': /HEAD` is a pipe/,
    'a link to a device': /HEAD` is a device/,
  },
  '.git/config': { 'a pipe': /config` is a pipe/ },
  '.git/index': { 'a pipe': /index` is a pipe/, 'a folder': /index/ },
  '.git/packed-refs': { 'a pipe': /packed-refs` is a pipe/ },
  '.git/refs/heads/main': { 'a pipe': /main` is a pipe/ },
  '.git/commondir': { 'a pipe': /commondir` is a pipe/ },
  '.git/info/exclude': { 'a pipe': /exclude` is a pipe/ },
  '.git/info/attributes': { 'a pipe': /attributes` is a pipe/ },
  '.git/objects/info/alternates': { 'a pipe': /alternates` is a pipe/ },
  '.gitignore': {
    'a pipe': /\.gitignore` is a pipe/,
    'a link to a pipe': null,
    'a link to a device': null,
    'a folder': null,
  },
  'new/.gitignore': { 'a pipe': /new\/\.gitignore` is a pipe/ },
};

for (const [name, kinds] of Object.entries(GIT_FILES)) {
  for (const [kind, expected] of Object.entries(kinds)) {
    test(`replacing ${name} by ${kind} is handled`, () => {
      const root = repository();
      replace(root, name, kind as keyof typeof KINDS);
      const outcome = readTree(root);
      if (expected === null) {
        assert.deepEqual('texts' in outcome && outcome.texts, UNHARMED);
      } else {
        assert.equal(outcome.error?.code, 'bad-repository');
        assert.match(outcome.error.message, expected);
        assert.ok(outcome.error.message.includes(root), outcome.error.message);
        assert.notEqual(outcome.error.remedy, '');
      }
    });
  }
}

test('a pipe that is only read for the history is handled', () => {
  const root = repository();
  replace(root, '.gitattributes', 'a pipe');
  assert.match(readTree(root).error!.message, /\.gitattributes` is a pipe/);
});

test('an unchecked pipe ends after a timeout, and the error says how to wait longer', () => {
  const settings = { 'core.excludesFile': '', 'core.attributesFile': '', 'include.path': '' };
  for (const name of Object.keys(settings)) {
    const root = repository();
    execFileSync('mkfifo', [join(root, '.git/pipe')]);
    git(root, 'config', name, join(root, '.git/pipe'));
    const { code, message, remedy } = readTree(root).error!;
    assert.equal(code, 'bad-repository');
    assert.match(message, /^git [\w-]+ printed nothing for 2 seconds in /);
    assert.ok(message.endsWith(`${root}.`));
    assert.match(remedy, /LOCUS_GIT_TIMEOUT/);
  }
});

test('an object that is a pipe is handled', () => {
  const root = repository();
  const blob = git(root, 'rev-parse', 'HEAD:a.py');
  replace(root, `.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`, 'a pipe');
  assert.match(readTree(root, 'HEAD').error!.message, /printed nothing/);
});

test('special files among sources and ignore files of a plain folder are skipped', async () => {
  const root = join(folder, 'plain');
  writeFiles(root, { 'a.py': 'a = 2\n', 'pkg/b.py': 'b = 1\n' });
  for (const [kind, put] of Object.entries(KINDS))
    put(join(root, `${kind.replaceAll(' ', '-')}.py`));
  const server = createServer().listen(join(root, 'socket.py'));
  await once(server, 'listening');
  KINDS['a pipe'](join(root, '.gitignore'));
  KINDS['a link to a device'](join(root, 'pkg/.gitignore'));
  const outcome = readTree(root);
  server.close();
  assert.ok('texts' in outcome);
  assert.deepEqual(outcome.texts, UNHARMED);
  assert.deepEqual(
    outcome.skipped.map(({ path, reason, detail }) => `${path} ${reason}: ${detail}`),
    [
      '.gitignore unreadable: its rules are not applied: a pipe, not a file',
      'a-link-to-a-device.py outside the root: a symbolic link to `/dev/zero`',
      'a-link-to-a-pipe.py excluded: a symbolic link to `a-link-to-a-pipe.py.pipe`, which is indexed once',
      'a-pipe.py unreadable: not a regular file',
      'pkg/.gitignore unreadable: its rules are not applied: a device, not a file',
      'socket.py unreadable: not a regular file',
    ],
  );
});

test('a file that becomes a pipe between listing and reading is skipped', async () => {
  const root = repository();
  const tree = await openTree(root);
  const { entries } = await tree.list((path) => path === 'a.py');
  replace(root, 'a.py', 'a pipe');
  for await (const content of tree.read(entries)) {
    assert.deepEqual('skipped' in content && content.skipped.detail, 'not a regular file');
  }
});

test('pipes that appear while a folder is watched are handled', { timeout: HUNG_MS }, async () => {
  for (const root of [repository(), plainFolder()]) {
    const ending = new AbortController();
    const ready = Promise.withResolvers<void>();
    const paths = new Set<string>();
    const errors: Error[] = [];
    const watching = watchTree(root, {
      accepts: (path) => path.endsWith('.py'),
      signal: ending.signal,
      onReady: ready.resolve,
      onHealth: ({ failure, warning }) => {
        for (const error of [failure, warning]) if (error) errors.push(error);
      },
      onChange: (batch) => {
        for (const path of batch.paths) paths.add(path);
      },
    });
    await ready.promise;
    replace(root, 'a.py', 'a pipe');
    while (!paths.has('a.py')) await sleep(20);
    replace(root, '.gitignore', 'a pipe');
    const isRepository = readdirSync(root).includes('.git');
    while (isRepository && errors.length === 0) await sleep(20);
    // Without git, the watcher continues with the rules that can be read.
    while (!isRepository && !paths.has('c.py')) {
      writeFileSync(join(root, 'c.py'), '');
      await sleep(100);
    }
    ending.abort();
    await watching;
    if (isRepository) assert.match(errors[0]!.message, /\.gitignore` is a pipe/);
  }
});

test('an interrupt ends a waiting git and Locus', { timeout: HUNG_MS }, async () => {
  const root = repository();
  const pipe = join(root, '.git/pipe');
  execFileSync('mkfifo', [pipe]);
  git(root, 'config', 'core.excludesFile', pipe);
  const child = spawn(process.execPath, [LOCUS, 'index', root], {
    env: { ...process.env, LOCUS_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  while (listGitProcesses(root).length === 0) await sleep(50);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 130);
  while (listGitProcesses(root).length > 0) await sleep(50);
});

test('huge files of git are refused', () => {
  const root = repository();
  writeFileSync(join(root, '.git/config'), Buffer.alloc(17 << 20, '#'));
  const { message, remedy } = readTree(root).error!;
  assert.match(message, /config` is too large: 17,825,792 bytes/);
  assert.notEqual(remedy, '');
});

function repository(): string {
  const root = join(folder, `repository-${++made}`);
  cpSync(template, root, { recursive: true });
  return root;
}

function plainFolder(): string {
  const root = repository();
  rmSync(join(root, '.git'), { recursive: true });
  return root;
}

/** Replaces a file, which may be missing. */
function replace(root: string, name: string, kind: keyof typeof KINDS): void {
  const path = join(root, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  KINDS[kind](path);
}

function readTree(root: string, ...revision: string[]): Outcome {
  const { stdout, stderr, signal } = spawnSync(process.execPath, [READ_TREE, root, ...revision], {
    encoding: 'utf8',
    timeout: HUNG_MS,
    killSignal: 'SIGKILL',
    env: { ...process.env, LOCUS_GIT_TIMEOUT: SILENCE },
  });
  assert.equal(signal, null, 'it waits forever');
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

/** Lists the git processes that work in a folder. */
function listGitProcesses(root: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/comm`, 'utf8') === 'git\n' &&
        relative(root, readlinkSync(`/proc/${pid}/cwd`)) === ''
      );
    } catch {
      return false;
    }
  });
}
