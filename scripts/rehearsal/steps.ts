/**
 * The steps of a rehearsal. It runs alone, in a root without the checkout, so it imports nothing of it. Prints a line of JSON for each
 * step, and stops at the first that fails.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { StepsInput } from './rehearsal.ts';

const { watched, packages, prefix, names, bundle }: StepsInput = JSON.parse(process.argv[2] ?? '');
const LOCUS = join(prefix, 'bin/locus');
const SAMPLE = join(homedir(), 'sample');
/** Function to edit for the issue of the sample. */
const ANSWER = 'tasklane/retry.py::RetryPolicy.backoff';
/** Folders that other programs change, or that stay by intent: the user's indexes, npm's cache and log, and the rehearsal's own. */
const IGNORED = [
  'proc',
  'dev',
  'sys',
  'tmp',
  'rehearsal',
  'root/.npm',
  '.npm',
  'root/sample',
  'sample',
];

const before = listFiles();
const steps: [name: string, run: () => Promise<void> | void][] = [
  ...bundleSteps(),
  ['npm install from a folder of tarballs, into an empty prefix', install],
  ['locus --version', checkVersion],
  ['locus demo', demonstrate],
  ['locus search', search],
  ['locus serve, and its page', serve],
  ['locus mcp, and an agent’s handshake', greetAgent],
  ['locus update --check, against a registry on the loopback', checkForUpdate],
  ['npm uninstall, which leaves nothing but the data directory', uninstall],
];
for (const [name, run] of steps) {
  const problem = await Promise.resolve()
    .then(run)
    .then(
      () => null,
      (error: Error) => error.message,
    );
  console.log(JSON.stringify({ name, problem }));
  if (problem !== null) break;
}

function npm(...args: string[]): void {
  const options = ['-g', '--prefix', prefix, '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', [...args, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function install(): void {
  npm('install', ...globSync('*.tgz', { cwd: packages }).map((name) => join(packages, name)));
}

function locus(...args: string[]): string {
  return execFileSync(LOCUS, args, { encoding: 'utf8', cwd: homedir(), maxBuffer: 1e8 });
}

function checkVersion(): void {
  const manifest = join(prefix, 'lib/node_modules', names[0] ?? '', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  assert.equal(locus('--version'), `${version}\n`);
}

function demonstrate(): void {
  assert.equal(JSON.parse(locus('demo', '--json', '--no-daemon')).rank, 1);
}

function search(): void {
  const demo = join(prefix, 'lib/node_modules', names.at(-1) ?? '', 'demo');
  cpSync(join(demo, 'repository'), SAMPLE, { recursive: true });
  const issue = ['--file', join(demo, 'issue.md'), '--json', '--no-daemon'];
  const { results, reranking } = JSON.parse(locus('search', SAMPLE, ...issue));
  assert.equal(results[0].address, ANSWER);
  assert.equal(reranking.state, 'reranked');
}

async function serve(): Promise<void> {
  const options = ['serve', '--no-open', '--port', '0', '--root', homedir(), '--json'];
  const child = spawn(LOCUS, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const { url } = JSON.parse(await nextLine(child.stdout));
    const page = await fetch(url);
    assert.equal(page.status, 200);
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    assert.equal((await fetch(new URL(script, url))).status, 200);
  } finally {
    child.kill('SIGINT');
  }
  assert.equal(await ended, 0);
}

/** Returns the step of the bundle. It precedes the installation, on which a bundle does not depend. */
function bundleSteps(): typeof steps {
  if (bundle === null) return [];
  return [['the .mcpb bundle, started as its manifest says', () => greetBundle(bundle)]];
}

/** Starts the server of a bundle as a client does: it replaces the variables of the manifest. */
async function greetBundle(folder: string): Promise<void> {
  const { server, user_config, icon } = JSON.parse(
    readFileSync(join(folder, 'manifest.json'), 'utf8'),
  );
  for (const path of [server.entry_point, icon]) assert.ok(existsSync(join(folder, path)), path);
  assert.deepEqual(Object.keys(user_config), ['repository']);
  const [repository = ''] = globSync('node_modules/*/demo/repository', { cwd: folder });
  const values = new Map([
    ['__dirname', folder],
    ['user_config.repository', join(folder, repository)],
  ]);
  const { command, args } = server.mcp_config;
  const replaced = args.map((arg: string) =>
    arg.replaceAll(/\$\{([\w.]+)\}/g, (whole, name) => values.get(name) ?? whole),
  );
  await greet(command, replaced);
}

async function greetAgent(): Promise<void> {
  await greet(LOCUS, ['mcp', '--repo', SAMPLE]);
}

/** Starts an MCP server and lists its tools. */
async function greet(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    const clientInfo = { name: 'rehearsal', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const read = async () => JSON.parse((await lines.next()).value ?? '').result;
    assert.equal((await read()).serverInfo.name, 'locus');
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list' });
    const { tools } = await read();
    assert.ok(tools.some(({ name }: { name: string }) => name === 'locate'));
  } finally {
    child.stdin.end();
    child.kill();
  }
}

/** Checks for updates without consent, which asks nobody, and with it. */
async function checkForUpdate(): Promise<void> {
  const [name] = names;
  const asked: string[] = [];
  const registry = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: '99.0.0' } }));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` };
  // The registry answers in this process, so it must not block.
  const check = (...args: string[]) =>
    promisify(execFile)(LOCUS, ['update', '--check', ...args], { cwd: homedir(), env });
  try {
    await assert.rejects(check(), { code: 2 });
    assert.deepEqual(asked, []);
    const { isNewer, command } = JSON.parse((await check('--yes', '--json')).stdout);
    assert.deepEqual([isNewer, command], [true, `npm install -g ${name}@latest`]);
    assert.deepEqual(asked, [`/${name}`]);
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

async function nextLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  throw new Error('It printed nothing.');
}

function uninstall(): void {
  const { checks } = JSON.parse(locus('doctor', '--json'));
  const found = checks.find(({ name }: { name: string }) => name === 'data directory');
  const [data = ''] = found.detail.split(', ');
  npm('uninstall', ...names);
  const known = new Set(before);
  const left = listFiles().filter((path) => !known.has(path) && !path.startsWith(data));
  assert.deepEqual(left, []);
  assert.ok(existsSync(data));
}

/** Returns all files below the watched folder that are not ignored. */
function listFiles(folder = watched): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (IGNORED.some((name) => path === join(watched, name))) return [];
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
