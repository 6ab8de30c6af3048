/** The npm packages: built, installed from files, and used with the oldest and the newest supported Node. */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ensureProgram } from '../scripts/debian.ts';
import { getPlatformName, thisMachine } from '../scripts/npm/platforms.ts';
import type { WrittenPackages } from '../scripts/pack.ts';
import { getPlatformPackage, NAMES } from '../scripts/release/names.ts';
import { OLDEST_NODE } from '../scripts/release/oldest-node.ts';
import { manyCommits } from '../test/lab/mining/history.ts';
import { assertLoads, LOADED_LIMITS, recordModules } from '../test/support/loaded-code.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../test/support/repository.ts';
import { openWindow } from '../test/support/served-window.ts';
import { readDescriptorPath, readString, trace } from '../test/support/strace.ts';
import { ensureNode } from './nodes.ts';
import { ensurePackages } from './shared-packages.ts';

const ROOT = join(import.meta.dirname, '..');
const ISSUE = 'prices are rounded to the wrong number of digits';

const PLATFORM = getPlatformName(thisMachine());
const PLATFORM_PACKAGE = getPlatformPackage(PLATFORM);

/** Upper limits of what people download, in MB: about a tenth above the current sizes, which are next to them. */
const MAX_DOWNLOAD = {
  // 0.01 MB.
  main: 0.02,
  // 85 MB.
  models: 93,
  // 35.8 MB.
  platform: 39,
};

/** Longest wait for what a command prints or starts, in milliseconds. */
const WAIT_MS = 60_000;

/** System calls that open a file or start a program. */
const OPENING = ['?open', 'openat', '?openat2', 'execve'];

describe('the npm packages', {
  skip: process.platform !== 'linux' && 'it is watched with strace',
}, () => {
  let folder: string;
  let packages: WrittenPackages;
  let platform: string;
  let tarballs: string[];
  let repository: string;

  before(async () => {
    folder = realpathSync(temporaryFolder('locus-npm-'));
    packages = await ensurePackages();
    platform = packages.staged.platforms.get(PLATFORM) ?? '';
    tarballs = [packages.main, packages.models, ...packages.platforms.values()];
    repository = join(folder, 'shop');
    writeFiles(repository, {
      'shop/cart.py':
        'def rounded(price, digits):\n    """A price in cents."""\n    return round(price, digits)\n',
      'shop/mail.ts': 'export function send(to: string) {\n  return to.length;\n}\n',
    });
    git(repository, 'init', '-q');
    git(repository, 'add', '-A');
    git(repository, 'commit', '-q', '-m', 'First');
    // Enough files that worker threads parse them.
    manyCommits(
      repository,
      Array.from({ length: 110 }, (_, n) => ({
        message: `Letter ${n}`,
        path: 'shop/mail.ts',
        text: `export const letter = () => ${n};\n`,
      })),
    );
  });
  after(() => removeFolder(folder));

  const listFiles = (tarball: string) =>
    execFileSync('tar', ['tzf', tarball], { encoding: 'utf8', maxBuffer: 1e8 })
      .trim()
      .split('\n')
      .map((name) => name.replace(/^package\//, ''));

  it('are small, and the main package only starts the others', () => {
    const [platformTarball = ''] = packages.platforms.values();
    const { main, models } = packages;
    for (const [tarball, limit] of [
      [main, MAX_DOWNLOAD.main],
      [models, MAX_DOWNLOAD.models],
      [platformTarball, MAX_DOWNLOAD.platform],
    ] as const) {
      const megabytes = statSync(tarball).size / 1e6;
      assert.ok(megabytes <= limit, `${tarball}: ${megabytes} MB`);
    }
    const files = ['LICENSE', 'README.md', 'bin/locus.js', 'man/locus.1', 'package.json'];
    assert.deepEqual(listFiles(main).sort(), files);
    const folders = new Set(listFiles(models).map((name) => name.split('/', 1)[0]));
    const license = ['LICENSE', 'THIRD-PARTY-NOTICES.txt'];
    assert.deepEqual([...folders].sort(), [...license, 'bag-1', 'coret-1', 'package.json'].sort());
  });

  it('contain the program and no development files', () => {
    const [tarball = ''] = packages.platforms.values();
    const names = listFiles(tarball);
    for (const name of [
      'lib/locus.js',
      'out/renderer/index.html',
      'LICENSE',
      'THIRD-PARTY-NOTICES.txt',
    ])
      assert.ok(names.includes(name), name);
    const folders = new Set(names.map((name) => name.split('/', 1)[0]));
    for (const name of ['test', 'e2e', 'lab', 'docs', 'scripts', 'resources'])
      assert.ok(!folders.has(name), name);
    assert.deepEqual(
      names.filter((name) => /usearch\/(c|cpp|numkong)\/|\.gyp|\.map$|\.d\.ts$/.test(name)),
      [],
    );
    const parts = new Set(
      names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1] ?? []),
    );
    for (const name of ['better-sqlite3', 'onnxruntime-node', 'usearch'])
      assert.ok(parts.has(name), name);
    assert.equal(names.filter((name) => /usearch\/prebuilds\/.*\.node$/.test(name)).length, 1);
    for (const name of parts) {
      const manifest = readFileSync(join(platform, 'node_modules', name, 'package.json'), 'utf8');
      assert.equal(
        JSON.parse(manifest).scripts,
        undefined,
        `${name} runs nothing when it is installed`,
      );
    }
  });

  it('have every script at the path from which it is started', () => {
    const lib = join(platform, 'lib');
    const started = readdirSync(lib)
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [
        ...readFileSync(join(lib, name), 'utf8').matchAll(/new URL\(new URL\("([^"]+)"/g),
      ])
      .map(([, name = '']) => name.replace(/-[\w-]{8}\.js$/, ''));
    assert.deepEqual(started.sort(), [
      'backend-node',
      'engine-encode-device-trial-process',
      'engine-encode-encode-worker',
      'engine-history-worker',
      'engine-nearest-worker',
      'engine-parse-worker',
      'engine-vectors-compare-worker',
      'server-host',
      'services-check-gguf-server',
      'services-objects-folder-server',
      'services-secrets-keychain-server',
    ]);
  });

  for (const [tag, options] of [
    [OLDEST_NODE, []],
    ['latest', ['--ignore-scripts']],
  ] as const) {
    describe(`on Node ${tag}, installed with ${['npm install -g', ...options].join(' ')}`, () => {
      let node: string;
      let prefix: string;
      let bin: string;
      let env: Record<string, string>;

      before(() => {
        node = ensureNode(tag);
        prefix = join(folder, `prefix-${tag}`);
        mkdirSync(join(folder, 'home'), { recursive: true });
        // No variables of this process: its PATH has the checkout's programs.
        const path = (process.env.PATH ?? '').split(delimiter).filter((at) => !at.startsWith(ROOT));
        env = {
          PATH: [dirname(node), ...path].join(delimiter),
          HOME: join(folder, 'home'),
          TMPDIR: folder,
          LOCUS_DATA_DIR: join(folder, `data-${tag}`),
        };
        const npm = realpathSync(ensureProgram('npm'));
        const install = ['install', '-g', '--prefix', prefix, ...options, ...tarballs];
        // Nothing listens there, and nothing must connect.
        const alone = ['--offline', '--registry=http://127.0.0.1:9', '--no-audit', '--no-fund'];
        execFileSync(node, [npm, ...install, ...alone, `--cache=${join(folder, 'cache')}`], {
          env,
          cwd: folder,
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        bin = join(prefix, 'bin/locus');
      });

      const locus = (...args: string[]) =>
        spawnSync(bin, args, { env, cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });

      it('is on the PATH, with its manual page', () => {
        const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
        assert.equal(locus('--version').stdout, `${version}\n`);
        const alias = spawnSync(join(prefix, 'bin', NAMES.alias), ['--version'], { env });
        assert.equal(String(alias.stdout), `${version}\n`);
        assert.match(locus().stdout, /^Usage: locus /);
        assert.ok(existsSync(join(prefix, 'share/man/man1/locus.1')));
        const { stdout } = locus('completion', 'bash');
        assert.equal(spawnSync('bash', ['-n'], { input: stdout }).status, 0);
        assert.match(stdout, /complete -F _locus locus/);
      });

      it('has everything that doctor checks', () => {
        const { checks } = JSON.parse(locus('doctor', '--json').stdout);
        const broken = checks.filter(({ state }: { state: string }) => state === 'problem');
        assert.deepEqual(broken, []);
        const states = new Map(
          checks.map((check: { name: string; state: string }) => [check.name, check.state]),
        );
        for (const name of [
          'node',
          'sqlite',
          'tree-sitter',
          'vectors',
          'model bag-1',
          'device cpu',
          'file watcher',
        ])
          assert.equal(states.get(name), 'ok', name);
      });

      it('indexes and searches in threads, without reading the checkout', async () => {
        const run = trace([bin, 'index', repository], {
          folder: join(folder, `trace-${tag}`),
          calls: OPENING,
          cwd: folder,
          env,
        });
        const { code, stdout, stderr } = await run.ended;
        assert.equal(code, 0, stderr);
        assert.match(stdout, /functions in 2 files/);
        const opened = run
          .calls()
          .filter(({ result }) => !result.startsWith('-1'))
          .map(
            ({ name, args, result }) =>
              readDescriptorPath(result) ??
              readString(args[name.startsWith('openat') ? 1 : 0]) ??
              '',
          );
        assert.deepEqual(
          opened.filter((path) => path.startsWith(ROOT)),
          [],
        );
        assert.doesNotMatch(stderr, /Ranking does without/);
        for (const script of ['parse-worker', 'encode-encode-worker', 'history-worker'])
          assert.ok(
            opened.some((path) => path.includes(`/lib/engine-${script}-`)),
            script,
          );

        const { partial, results } = JSON.parse(
          locus('search', repository, ISSUE, '--json').stdout,
        );
        assert.equal(partial, null);
        assert.equal(results[0].qualifiedName, 'rounded');
      });

      it('loads little for the version, the help, and a search of an unchanged repository', () => {
        const program = [node, realpathSync(bin)];
        assertLoads(recordModules([...program, '--version'], env), LOADED_LIMITS.version);
        assertLoads(recordModules([...program, '--help'], env), LOADED_LIMITS.help);
        const search = [...program, 'search', repository, ISSUE, '--fast'];
        recordModules(search, env);
        assertLoads(recordModules(search, env), LOADED_LIMITS.search);
      });

      it('answers agents and prints their skill', async () => {
        assert.match(locus('mcp', '--skill').stdout, /^---\nname: locus\n/);
        const client = new Client({ name: 'an agent', version: '1' });
        const args = ['mcp', '--repo', repository];
        await client.connect(new StdioClientTransport({ command: bin, args, env, cwd: folder }));
        try {
          const located = await client.callTool({ name: 'locate', arguments: { query: ISSUE } });
          assert.match(JSON.stringify(located.content), /`rounded` \(function/);
          const found = await client.callTool({ name: 'grep', arguments: { pattern: 'rounded' } });
          assert.match(JSON.stringify(found.content), /`rounded` \(function/);
        } finally {
          await client.close();
        }
      });

      it('serves its pages and searches over their WebSocket', async () => {
        const serve = spawn(
          bin,
          ['serve', '--no-open', '--port', '0', '--root', folder, '--json'],
          {
            env,
            cwd: folder,
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        );
        try {
          const first = await new Promise<string>((resolve) =>
            serve.stdout.setEncoding('utf8').once('data', resolve),
          );
          const { url } = JSON.parse(first);
          const page = await (await fetch(new URL('/', url))).text();
          const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
          const answer = await fetch(new URL(script, url));
          assert.equal(answer.status, 200);
          const window = await openWindow(url);
          const { id } = await window.client.call('repository.open', { root: repository });
          const { results } = await window.client.call('search', {
            repository: id,
            request: { issue: ISSUE },
          });
          assert.equal(results[0]?.qualifiedName, 'rounded');
          window.close();
        } finally {
          const ended = new Promise((resolve) => serve.once('exit', resolve));
          serve.kill('SIGINT');
          assert.equal(await ended, 0);
        }
      });

      it('opens a browser from a terminal, and works without one', async () => {
        const opened = join(folder, `opened-${tag}`);
        const browsers = join(folder, `browsers-${tag}`);
        writeFiles(browsers, { 'xdg-open': `#!/bin/sh\necho "$1" > ${opened}\n` });
        chmodSync(join(browsers, 'xdg-open'), 0o755);
        const address = await atTerminal(
          `${bin} ${repository}`,
          { ...env, PATH: `${browsers}:${env.PATH}` },
          () => (existsSync(opened) ? readFileSync(opened, 'utf8') : ''),
        );
        assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
        // A PATH with Node and the shell only, so no program opens a browser.
        const alone = join(folder, `alone-${tag}`);
        mkdirSync(alone);
        for (const name of ['node', 'sh', 'env']) {
          const program = name === 'node' ? node : ensureProgram(name);
          symlinkSync(program, join(alone, name));
        }
        await atTerminal(bin, { ...env, PATH: alone });
      });

      it('opens the window in Electron if it is installed beside it', async () => {
        const electron = join(prefix, 'lib/node_modules/electron');
        const told = join(folder, `electron-${tag}`);
        writeFiles(electron, {
          'package.json': '{ "name": "electron", "version": "45.0.0" }',
          'path.txt': 'electron',
          'dist/electron': `#!/bin/sh\necho "$@" > ${told}\nexec sleep 600\n`,
        });
        chmodSync(join(electron, 'dist/electron'), 0o755);
        try {
          const said = await atTerminal(`${bin} ./shop`, { ...env, DISPLAY: ':9' }, () =>
            existsSync(told) ? readFileSync(told, 'utf8') : '',
          );
          const root = join(prefix, 'lib/node_modules', PLATFORM_PACKAGE);
          assert.equal(said, `${root}/ ${repository}\n`);
          const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
          assert.ok(existsSync(join(root, main)) && existsSync(join(root, 'lib/electron.js')));
        } finally {
          removeFolder(electron);
        }
      });

      /**
       * Runs a command in a new terminal, waits for an output for a minute at most, and interrupts it.
       * @param look finds the output, by default the printed address.
       */
      async function atTerminal(
        command: string,
        environment: Record<string, string>,
        look?: () => string,
      ) {
        const terminal = spawn(
          ensureProgram('script', 'bsdutils'),
          ['-qefc', `exec ${command}`, '/dev/null'],
          {
            cwd: folder,
            env: { ...environment, SHELL: '/bin/sh', TERM: 'xterm' },
            stdio: ['pipe', 'pipe', 'inherit'],
          },
        );
        let printed = '';
        terminal.stdout.setEncoding('utf8').on('data', (text) => {
          printed += text;
        });
        let code: number | null | undefined;
        const ended = new Promise<void>((resolve) =>
          terminal.once('exit', (status) => {
            code = status;
            resolve();
          }),
        );
        const find =
          look ?? (() => /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(printed)?.[0] ?? '');
        const deadline = Date.now() + WAIT_MS;
        while (find() === '' && code === undefined && Date.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 50));
        // Ctrl+C.
        if (code === undefined) terminal.stdin.write('\x03');
        await ended;
        assert.equal(code, 0, printed);
        assert.notEqual(find(), '', printed);
        return find();
      }
    });
  }
});
