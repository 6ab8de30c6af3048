/** Past commits of a repository that is searched by its URL: on request, in steps, from hosts that fail in every way. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { FileLock } from '../../src/base/file-lock.ts';
import { CommitReader } from '../../src/engine/history/read-commits.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import { planNextDepth } from '../../src/services/clone-history.ts';
import { readCloneUrl } from '../../src/services/clone-url.ts';
import { type CloneOptions, updateClone } from '../../src/services/clones.ts';
import { COOKIES } from '../exchange/sample.ts';
import { addEmptyCommits, commit } from '../history/support.ts';
import { respondAsGit } from '../support/git-host.ts';
import {
  type Heard,
  type LoopbackHost,
  makeCertificate,
  type Respond,
  respondRaw,
  startLoopbackHost,
} from '../support/loopback.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

const small = (n: number) => `def a():\n    return ${n}\n`;
const large = (n: number) => `T = """${'x'.repeat(1_100_000)}"""\ndef big():\n    return ${n}\n`;
/** Commits besides those of the test itself. */
const PAST = 150;

let folder: string;
let source: string;
let url: string;
let dataDir: string;
let notes: string[];
const environment = { ...process.env };

beforeEach(() => {
  folder = temporaryFolder();
  source = gitRepository({ 'a.py': small(0), 'big.py': large(0) }, join(folder, 'source'));
  addEmptyCommits(source, PAST);
  commit(source, 'Large', { 'big.py': 'def big():\n    return 1\n' });
  commit(source, 'Small', { 'a.py': small(1) });
  git(source, 'config', 'uploadpack.allowFilter', 'true');
  url = pathToFileURL(source).href;
  dataDir = join(folder, 'data');
  notes = [];
});
afterEach(() => {
  process.env = { ...environment };
  removeFolder(folder);
});

function update(options: Partial<CloneOptions> = {}, target = url) {
  const onNote = (note: string) => notes.push(note);
  const agree = async () => {};
  return updateClone(readCloneUrl(target), { dataDirectory: dataDir, agree, onNote, ...options });
}

const count = (clone: string) => Number(git(clone, 'rev-list', '--count', 'refs/locus/fleet'));

async function readEdits(clone: string): Promise<string[]> {
  const hashes = await listCommits(clone, 'refs/locus/fleet', 1_000);
  const found: string[] = [];
  for await (const commits of new CommitReader(clone).read(hashes))
    found.push(...commits.map(({ message }) => message.trim()));
  return found;
}

test('the first search says that past commits are missing, and how to fetch them', async () => {
  const env = { ...process.env, NO_COLOR: '1', LOCUS_DATA_DIR: dataDir } as Record<string, string>;
  const run = (target: string, args: string[], setting: Setting = {}) =>
    locus(fakeEngine(COOKIES), ['search', target, 'cookies', ...args], { ...setting, env });
  const refused = await run(url, ['--history'], { seated: true, terminal: 100, stdin: 'n\n' });
  assert.match(refused.stderr, /Clone the newest commit and about 5,000 past commits of /);
  assert.equal(refused.exitCode, 2);
  assert.equal(existsSync(join(dataDir, 'clones')), false);
  const first = await run(url, ['--yes']);
  assert.match(first.stderr, /, without past commits\. Add --history to fetch them\./);
  const whole = await run(url, ['--history']);
  assert.match(whole.stderr, /, with 152 past commits\.\n/);
  commit(source, 'Newer', { 'a.py': small(2) });
  assert.match((await run(url, [])).stderr, /, with 153 past commits\.\n/, 'it stays');
  const misplaced = await run(source, ['--history']);
  assert.equal(misplaced.exitCode, 2);
  assert.match(misplaced.stderr, /--history has no effect without a URL to clone\./);
});

test('old versions of large files are left out, new ones are not, and reading fetches nothing', async () => {
  const { folder: clone } = await update({ history: true });
  const listed = git(clone, 'rev-list', '--objects', '--all', '--missing=print');
  const missing = listed.split('\n').filter((line) => line.startsWith('?'));
  assert.equal(missing.length, 1);

  const asked = join(folder, 'asked');
  writeFileSync(join(folder, 'pack.sh'), `#!/bin/sh\ntouch '${asked}'\nexit 1\n`);
  chmodSync(join(folder, 'pack.sh'), 0o755);
  git(clone, 'config', `remote.${url}.uploadpack`, join(folder, 'pack.sh'));
  const control = ['-c', 'protocol.file.allow=always', 'cat-file', '-p', missing[0]!.slice(1)];
  assert.throws(() => execFileSync('git', control, { cwd: clone, stdio: 'ignore' }));
  assert.ok(existsSync(asked), 'plain git asks the host');
  removeFolder(asked);
  assert.deepEqual(await readEdits(clone), ['Small']);
  assert.equal(existsSync(asked), false);
  git(clone, 'config', '--unset', `remote.${url}.uploadpack`);

  commit(source, 'Large again', { 'new.py': large(7) });
  await update();
  const [blob = ''] = git(clone, 'rev-parse', 'refs/locus/fleet:new.py').split('\n');
  const all = git(clone, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  assert.ok(all.split('\n').includes(blob));
});

test('a server without filters sends everything', async () => {
  git(source, 'config', 'uploadpack.allowFilter', 'false');
  const { folder: clone, history } = await update({ history: true });
  assert.deepEqual([history.commits, history.isComplete, notes], [152, true, []]);
  assert.deepEqual((await readEdits(clone)).sort(), ['Large', 'Small']);
});

test('what a killed git left behind stops nothing', async () => {
  const { folder: clone } = await update({ history: true });
  for (const name of ['shallow.lock', 'config.lock', 'objects/pack/tmp_pack_1'])
    writeFileSync(join(clone, name), 'x');
  commit(source, 'Newer', { 'a.py': small(2) });
  assert.equal((await update()).history.commits, 153);
  assert.deepEqual(
    readdirSync(clone, { recursive: true }).filter((name) => /lock$|tmp_/.test(String(name))),
    [],
  );
});

test('a search does not wait until another process has fetched past commits', async () => {
  const { folder: clone, commit: known } = await update();
  commit(source, 'Newer', { 'a.py': small(2) });
  const other = new FileLock(`${clone}.lock`);
  assert.ok(other.acquire());
  try {
    assert.equal((await update({ history: true })).commit, known);
    assert.match(notes.join('\n'), /Another Locus process is fetching commits\. The commit that/);
  } finally {
    other.close();
  }
  assert.notEqual((await update()).commit, known);
});

test('a clone takes no more than its limit', async () => {
  const { folder: clone } = await update();
  const { history } = await update({ history: true, maxBytes: 1000 });
  assert.equal(history.commits, 0);
  assert.match(
    notes.join('\n'),
    /Past commits are missing\. More .* would make the clone too large/,
  );
  assert.equal(count(clone), 1, 'the commit that is searched stays');
});

test('steps grow until the commits suffice or the clone is full', () => {
  const first = { depth: 1, commits: 0, bytes: 100 };
  assert.equal(planNextDepth(first, null, 1000), 20);
  assert.equal(planNextDepth(first, null, 100), null);
  const second = { depth: 100, commits: 100, bytes: 200 };
  assert.equal(planNextDepth(second, first, 1e9), 500, 'at most five times as many');
  assert.equal(planNextDepth(second, first, 250), 150, 'one byte for each commit');
  assert.equal(planNextDepth(second, first, 200.5), null);
  assert.equal(planNextDepth({ depth: 20, commits: 20, bytes: 200 }, first, 204), null);
  assert.equal(planNextDepth({ depth: 100, commits: 2500, bytes: 200 }, null, 1e9), 200);
  assert.equal(planNextDepth({ depth: 100, commits: 4990, bytes: 200 }, null, 1e9), 110);
});

describe('over HTTPS', () => {
  let host: LoopbackHost;
  let respond: Respond;
  const honest: Respond = (heard, response) => respondAsGit(dirname(folder), heard, response);
  const certificate = makeCertificate();
  /** Returns true if a request is for commits up to a depth. The length of the line comes before it. */
  const isFor = ({ headers, body }: Heard, depth: RegExp) => {
    const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    const [, two, three] =
      /000ddeepen (\d\d)|000edeepen (\d{3})/.exec(plain.toString('latin1')) ?? [];
    return depth.test(two ?? three ?? '');
  };

  before(async () => {
    host = await startLoopbackHost((heard, response) => respond(heard, response), certificate);
  });
  after(() => host.close());
  beforeEach(() => {
    respond = honest;
    url = `${host.origin}/${basename(folder)}/source`;
    const helper = join(folder, 'helper.sh');
    writeFileSync(helper, `#!/bin/sh\ntouch '${join(folder, 'helped')}'\n`);
    chmodSync(helper, 0o755);
    writeFileSync(join(folder, 'authority.pem'), certificate.cert);
    const settings = `[http]\n\tsslCAInfo = ${join(folder, 'authority.pem')}\n`;
    const helpers = `[credential]\n\thelper = ${helper}\n[credential "${host.origin}"]\n\thelper = ${helper}\n`;
    writeFileSync(join(folder, 'gitconfig'), settings + helpers);
    process.env.GIT_CONFIG_GLOBAL = join(folder, 'gitconfig');
  });

  /** Sends half of git's answer, then closes the connection. */
  const cutShort: Respond = (heard, response) => {
    const end = (answer: Buffer) =>
      response.write(answer.subarray(0, answer.length / 2), () => response.socket?.destroy());
    const writeHead = (status: number, fields: Record<string, string>) => {
      response.writeHead(status, fields);
      return { end };
    };
    return honest(heard, { writeHead } as unknown as ServerResponse);
  };

  /** Answers requests for past commits differently. */
  const misbehave = (other: Respond) => {
    respond = (heard, response) => (isFor(heard, /./) ? other : honest)(heard, response);
  };

  test('a failure while past commits arrive is a note, and the next try continues', async () => {
    await update();
    const silent: Respond = () => {};
    const failures: [Respond, RegExp][] = [
      [silent, /^Past commits are missing\. 127\.0\.0\.1:\d+ sent nothing for 4 seconds\./],
      [cutShort, /cannot be fetched\./],
      [
        (_, response) => respondRaw(response, 302, ['Location: https://localhost:1/x']),
        /redirects git to/,
      ],
      [
        (_, response) => respondRaw(response, 401, ['WWW-Authenticate: Basic realm="x"']),
        /cannot be/,
      ],
    ];
    for (const [other, expected] of failures) {
      misbehave(other);
      const { history } = await update({
        history: true,
        ...(other === silent && { silenceMs: 4000 }),
      });
      assert.equal(history.commits, 0);
      assert.match(notes.splice(0).join('\n'), expected);
    }
    assert.equal(existsSync(join(folder, 'helped')), false, 'no credential helper runs');
    respond = honest;
    const { history } = await update({ history: true });
    assert.deepEqual([history.commits, notes], [152, []]);
  });

  test('steps that are complete stay when a later one is canceled', async () => {
    const stop = new AbortController();
    respond = (heard, response) => {
      if (!isFor(heard, /500/)) return honest(heard, response);
      stop.abort();
    };
    await assert.rejects(update({ history: true, signal: stop.signal }), { code: 'cancelled' });
    respond = honest;
    const { history } = await update();
    assert.deepEqual([history.depth, history.isComplete], [100, false]);
    assert.equal((await update({ history: true })).history.commits, 152);
  });

  test('a certificate that nobody vouches for is refused', async () => {
    await update();
    const heard = host.heard.length;
    writeFileSync(join(folder, 'gitconfig'), '');
    const { history } = await update({ history: true });
    assert.equal(history.commits, 0);
    assert.match(
      notes.join('\n'),
      /cannot be fetched\. .*The commit that was fetched last is searched/,
    );
    assert.equal(host.heard.length, heard);
  });
});
