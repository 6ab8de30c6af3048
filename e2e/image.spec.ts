/** The Dockerfile without Docker: its commands run in a Linux system with only Debian's required packages, Node, and no network. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { enterRoot, tryCleanRoot } from '../scripts/rehearsal/clean-root.ts';
import { removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { copyTarballs, ensurePackages } from './shared-packages.ts';

const PROJECT = join(import.meta.dirname, '..');
/** User and group `node` of the base image. */
const USER = '1000';
/** Runs a program as a container does with `--cap-drop ALL --security-opt no-new-privileges`. */
const CONFINED = [
  ...['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'],
  ...['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'],
];

/** Starts the server, and prints the status of its page. */
const SERVE = `
const { spawn } = require('node:child_process');
const options = ['serve', '/repository', '--root', '/repository', '--no-open', '--json'];
const server = spawn('locus', options, { stdio: ['ignore', 'pipe', 'inherit'] });
server.stdout.once('data', async (line) => {
  const { url } = JSON.parse(line);
  console.log(new URL(url).host, (await fetch(url)).status);
  server.kill('SIGTERM');
});`;

/** Instructions of the Dockerfile by their names, in order. */
const instructions = Map.groupBy(
  readFileSync(join(PROJECT, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
  ([name]) => name,
);
const read = (name: string) => (instructions.get(name) ?? []).map(([, text]) => text);

it('the image has a pinned base, and starts Locus as a user without rights', () => {
  const [base, ...more] = read('FROM');
  assert.match(base ?? '', /^node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
  assert.deepEqual(more, []);
  assert.deepEqual(read('USER'), ['node']);
  assert.deepEqual(read('ENTRYPOINT'), ['["locus"]']);
  // Only the packages, from the build context, and only while they are installed.
  assert.deepEqual([...read('COPY'), ...read('ADD'), ...read('EXPOSE'), ...read('ARG')], []);
});

describe('the image', { skip: process.platform !== 'linux' && 'needs Linux' }, () => {
  let folder: string;
  let root: string;
  let reason: string | null;

  before(async () => {
    folder = temporaryFolder('locus-image-');
    // Another user must be able to enter.
    chmodSync(folder, 0o755);
    root = join(folder, 'root');
    reason = tryCleanRoot(root);
    if (reason !== null) return;
    chmodSync(join(root, 'tmp'), 0o1777);
    copyTarballs(await ensurePackages(), join(root, 'packages'));
    // The base image has these two.
    writeFileSync(join(root, 'etc/passwd'), `node:x:${USER}:${USER}::/home/node:/bin/sh\n`, {
      flag: 'a',
    });
    writeFileSync(join(root, 'etc/group'), `node:x:${USER}:\n`);
    cpSync(join(PROJECT, 'demo/repository'), join(root, 'repository'), { recursive: true });
    mkdirSync(join(root, 'home/node'), { recursive: true });
    for (const command of read('RUN').filter((text) => !text.includes('apt-get')))
      enter('sh', '-c', command.replace(/^--mount=\S+ /, ''));
  });
  after(() => removeFolder(folder));

  function enter(...command: string[]): string {
    const [program = '', ...args] = enterRoot(root, ...command);
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
  }

  /** Runs a program as a container does. */
  function contain(input: string, ...command: string[]): string {
    const variables = read('ENV').flatMap((text) => text.split(/\s+/));
    const confined = ['env', 'HOME=/home/node', ...variables, ...CONFINED];
    const [program = '', ...rest] = enterRoot(root, ...confined, ...command);
    return execFileSync(program, rest, { encoding: 'utf8', input, timeout: 120_000 });
  }

  it('installs without a network, and ranks', (context) => {
    if (reason !== null) return context.skip(reason);
    assert.equal(JSON.parse(contain('', 'locus', 'demo', '--json', '--no-daemon')).rank, 1);
  });

  it('serves an agent by default, about the mounted repository', (context) => {
    if (reason !== null) return context.skip(reason);
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const command = [...read('ENTRYPOINT'), ...read('CMD')].flatMap((text) => JSON.parse(text));
    const printed = contain(`${JSON.stringify(message)}\n`, ...command);
    assert.equal(JSON.parse(printed).result.serverInfo.name, 'locus');
  });

  it('serves the window on the loopback interface, and ends when it is stopped', (context) => {
    if (reason !== null) return context.skip(reason);
    assert.equal(contain('', 'node', '-e', SERVE), '127.0.0.1:4747 200\n');
  });

  it('lets a user write to the data folder alone', (context) => {
    if (reason !== null) return context.skip(reason);
    const find = ['find', '/', '-xdev', '-user', USER, '-not', '-path', '/proc/*'];
    const written = enter(...find)
      .split('\n')
      .filter(Boolean);
    assert.ok(written.length > 0);
    assert.deepEqual(
      written.filter((path) => !path.startsWith('/data/')),
      [],
    );
  });
});
