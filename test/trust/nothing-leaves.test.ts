/*
 * Nothing leaves this machine, and files are written only where the user expects them. Every command runs under a guard
 * that sees each socket and each file opened for writing, also of threads and child processes.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILD_FOLDER } from '../../scripts/bundle/stored-build.ts';
import { ensureProgram } from '../../scripts/debian.ts';
import { readLog } from '../../src/base/log-files.ts';
import { fakeEndpoint, finds } from '../check/fake-endpoint.ts';
import { githubIssue, serving, startCodeHost } from '../issue-urls/code-host-server.ts';
import { FIXES, shop } from '../lab/mining/history.ts';
import { fakeGh } from '../support/fake-gh.ts';
import { provideRuntime } from '../support/gguf-runtime.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { openWindow } from '../support/served-window.ts';
import type { TraceOptions } from '../support/strace.ts';
import { writeTinyModel } from '../support/tiny-gguf.ts';
import { packageDocument } from '../updates/package-document.ts';
import { type Allowance, type Guarded, guard } from './guard.ts';

const PROJECT = join(import.meta.dirname, '../..');
const ISSUE = 'The prices of a cart are rounded to the wrong number of digits';
/** Seconds in which onnxruntime would call its vendor. It takes 11 s on an idle machine. */
const VENDOR_CALL_S = 60;
const require = createRequire(import.meta.url);

/** Parent of the program, the user's own folders, and the folders that the user names. */
let folder: string;
const at = (...names: string[]) => join(folder, ...names);
/** Variables for the user's folders. Among these, Locus may write to `data/locus` and `tmp`. */
const environment = (): Record<string, string> => ({
  // No other variables: onnxruntime does not call its vendor if it finds those of a build server.
  PATH: process.env.PATH!,
  HOME: at('home'),
  TMPDIR: at('tmp'),
  XDG_DATA_HOME: at('data'),
  XDG_CONFIG_HOME: at('config'),
  XDG_CACHE_HOME: at('cache'),
  XDG_STATE_HOME: at('state'),
  XDG_RUNTIME_DIR: at('run'),
  // A traced command would wait for it.
  LOCUS_NO_DAEMON: '1',
});
const OWN = ['home', 'tmp', 'data', 'config', 'cache', 'state', 'run'];

before(() => {
  folder = realpathSync(temporaryFolder());
  for (const name of [...OWN, 'repos', 'named', 'named/list', 'traces']) mkdirSync(at(name));
  // A copy of the program, with substitutes for the pages that `npm run build` makes.
  for (const name of ['bin', 'src', 'scripts', 'demo', 'package.json', 'tsconfig.json', '.npmrc'])
    cpSync(join(PROJECT, name), at('program', name), { recursive: true });
  for (const name of ['node_modules', 'models'])
    symlinkSync(join(PROJECT, name), at('program', name));
  writeFiles(at('program/out/renderer'), { 'index.html': '<!doctype html><title>Locus</title>' });
  const made = shop();
  cpSync(made, at('repos/acme__shop'), { recursive: true });
  removeFolder(made);
  const commit = (message: string) =>
    git(at('repos/acme__shop'), 'log', '-1', '--format=%H', `--grep=${message.split('\n')[0]}`);
  const instance = {
    instance_id: 'shop-1',
    problem_statement: ISSUE,
    repo: 'acme/shop',
    base_commit: git(at('repos/acme__shop'), 'rev-parse', `${commit(FIXES.price)}~1`),
    patch: git(at('repos/acme__shop'), 'diff', `${commit(FIXES.price)}~1`, commit(FIXES.price)),
  };
  writeFiles(folder, { 'issue.md': ISSUE, 'issues.jsonl': `${JSON.stringify(instance)}\n` });
});
after(() => removeFolder(folder));

/** Fault that makes every socket call fail, so that nothing really leaves. */
const NO_SOCKETS = 'socket:error=EACCES';

const BUILD = () => at('program', BUILD_FOLDER);

let runs = 0;
/** Starts a script with this Node under the guard. By default, it may do what every command may do. */
function start(
  command: readonly string[],
  may: Partial<Allowance> = {},
  { env = {}, cwd = at('named'), inject }: Partial<TraceOptions> = {},
): Guarded {
  return guard(
    command,
    // A command of a checkout also writes its build.
    { ...may, write: [at('data/locus'), at('tmp'), BUILD(), ...(may.write ?? [])] },
    {
      folder: at('traces', String(runs++)),
      cwd,
      env: { ...environment(), ...env },
      inject,
    },
  );
}

const locus = (args: readonly string[], may?: Partial<Allowance>, env?: Record<string, string>) =>
  start([process.execPath, at('program/src/cli/locus.ts'), ...args], may, { env });

/** Asserts that a program succeeds without violations. Returns its output. */
async function assertSucceeds(program: Guarded): Promise<string> {
  const { code, stdout, stderr } = await program.ended;
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(program.violations(), []);
  return stdout;
}

/** Exported list, in its own folder, since a temporary file is written beside it first. */
const LIST = () => at('named/list/list.json');
const REPOSITORY = () => at('repos/acme__shop');
const LINK = () => {
  const [path, id] = [
    git(REPOSITORY(), 'grep', '-l', 'def rounded'),
    git(REPOSITORY(), 'rev-parse', 'HEAD'),
  ];
  return `locus://open?commit=${id}&path=${path}&name=rounded`;
};
const WITH_ISSUE = () => [REPOSITORY(), '--file', at('issue.md')];

interface Case {
  args: () => string[];
  prints: RegExp;
  may?: () => Partial<Allowance>;
}

/** Commands that make the index, a list to import, and a shared index. */
const FIRST: Record<string, Case> = {
  index: { args: () => ['index', REPOSITORY()], prints: /\d+ functions in/ },
  'export --output': {
    args: () => ['export', ...WITH_ISSUE(), '--output', LIST()],
    prints: /results? written/,
    may: () => ({ write: [at('named/list')] }),
  },
  publish: {
    args: () => ['publish', REPOSITORY(), '--to', at('named/shared')],
    prints: / published to /,
    may: () => ({ write: [at('named/shared')] }),
  },
};

/** All other commands, except those that run until they are interrupted. */
const COMMANDS: Record<string, Case> = {
  search: { args: () => ['search', ...WITH_ISSUE()], prints: /rounded .* on cpu/s },
  show: { args: () => ['show', REPOSITORY(), 'rounded', '--issue', ISSUE], prints: /in cents/ },
  neighbors: { args: () => ['neighbors', REPOSITORY(), 'rounded'], prints: /Cart\.total/ },
  tests: { args: () => ['tests', REPOSITORY(), 'rounded'], prints: /rounded {2}/ },
  similar: { args: () => ['similar', REPOSITORY(), 'rounded'], prints: /\d\.\d\d {2}\w/ },
  grep: {
    args: () => ['grep', REPOSITORY(), 'rounded'],
    prints: /\d \| def rounded/,
    may: () => ({ run: ['rg'] }),
  },
  impact: { args: () => ['impact', REPOSITORY()], prints: /0 functions edited/ },
  'impact --commit': {
    args: () => ['impact', REPOSITORY(), '--commit', 'HEAD'],
    prints: /functions? edited/,
  },
  export: { args: () => ['export', ...WITH_ISSUE(), '--code'], prints: /rounded/ },
  import: { args: () => ['import', REPOSITORY(), LIST()], prints: /same/ },
  open: {
    args: () => ['open', LINK(), '--in', REPOSITORY()],
    prints: /rounded \(same\)/,
  },
  pull: {
    args: () => ['pull', REPOSITORY(), '--from', at('named/shared')],
    prints: / downloaded from /,
  },
  shared: { args: () => ['shared'], prints: /No shared index is set up/ },
  status: { args: () => ['status', REPOSITORY()], prints: /complete/ },
  eval: {
    args: () => ['eval', '--dataset', at('issues.jsonl'), '--repos', at('repos')],
    prints: /acme\/shop/,
  },
  bench: {
    args: () => ['bench', REPOSITORY(), '--fast', '--svg', at('named/list/bench.svg')],
    prints: /fixes, searched by commit messages/,
    may: () => ({ write: [at('named/list')] }),
  },
  demo: { args: () => ['demo'], prints: /: rank 1\./ },
  languages: { args: () => ['languages'], prints: /Python/ },
  models: { args: () => ['models'], prints: /bag-1/ },
  'models verify': { args: () => ['models', 'verify'], prints: /bag-1/ },
  'models use': { args: () => ['models', 'use', 'bag-1'], prints: /bag-1/ },
  'fleet use': {
    args: () => ['fleet', 'use', 's3://acme-locus/fleet', '--data-dir', at('data/locus/other')],
    prints: /List of repositories: s3:\/\/acme-locus/,
  },
  'fleet add': {
    args: () => ['fleet', 'add', REPOSITORY(), '--objects', at('named/fleet')],
    prints: /Added 1 repository/,
    may: () => ({ write: [at('named/fleet')] }),
  },
  setup: { args: () => ['setup', 'claude', '--dry-run'], prints: /Nothing was written/ },
  doctor: { args: () => ['doctor', REPOSITORY()], prints: /device cpu/ },
  completion: { args: () => ['completion', 'zsh'], prints: /#compdef locus/ },
};

describe('nothing leaves the machine with', { concurrency: 2 }, () => {
  before(async () => {
    for (const { args, prints, may } of Object.values(FIRST))
      assert.match(await assertSucceeds(locus(args(), may?.())), prints);
  });

  it('locus serve and locus watch, for as long as onnxruntime would take to call its vendor', async () => {
    const unconfigured = startUnconfigured();
    const watch = locus(['watch', REPOSITORY()]);
    const serve = locus(['serve', '--no-open', '--port', '0', '--root', folder], { listen: true });
    try {
      const window = await openWindow((await serve.firstLine).split(' ').at(-1)!);
      const { id } = await window.client.call('repository.open', { root: REPOSITORY() });
      for (let waited = 0; !triesToCall(unconfigured); waited++) {
        assert.ok(waited < VENDOR_CALL_S, 'control: onnxruntime would have called its vendor');
        const request = { issue: ISSUE };
        const { results } = await window.client.call('search', { repository: id, request });
        assert.ok(results.some(({ qualifiedName }) => qualifiedName === 'rounded'));
        await sleep(1000);
      }
      window.close();
    } finally {
      unconfigured.kill('SIGKILL');
      serve.kill('SIGINT');
      watch.kill('SIGINT');
    }
    await assertSucceeds(serve);
    await assertSucceeds(watch);
    // Control: without Locus's settings, onnxruntime calls its vendor.
    await unconfigured.ended;
    assert.match(
      unconfigured.violations().join('\n'),
      /Microsoft.DeveloperTools.\.onnxruntime.*deviceid/,
    );
  });

  for (const [name, { args, prints, may }] of Object.entries(COMMANDS)) {
    it(`locus ${name}`, async () => {
      assert.match(await assertSucceeds(locus(args(), may?.())), prints);
    });
  }

  it('locus search --check, except to the endpoint that the user configured', async () => {
    const model = await fakeEndpoint(finds('rounded'));
    try {
      const may = { connect: [Number(new URL(model.address).port)] };
      const env = { LOCUS_CHECK_URL: model.address, LOCUS_CHECK_MODEL: 'tiny' };
      const search = locus(['search', ...WITH_ISSUE(), '--check'], may, env);
      assert.match(await assertSucceeds(search), /tiny/);
      assert.ok(model.asked.length > 0);
    } finally {
      await model.close();
    }
  });

  it('locus investigate before the user agreed, which starts no agent', async () => {
    const agent = at('agent');
    writeFiles(folder, { agent: `#!/bin/sh\ntouch ${at('made')}\n` });
    chmodSync(agent, 0o755);
    const search = locus(['investigate', ...WITH_ISSUE(), '--agent', agent]);
    const { code, stderr } = await search.ended;
    assert.equal(code, 2, stderr);
    assert.match(stderr, /--agree/);
    assert.deepEqual(search.violations(), []);
    assert.equal(existsSync(at('made')), false);
  });

  it('locus models add without consent, and a check by a model that was added', async () => {
    const file = at('named/tiny.gguf');
    writeTinyModel(file);
    const refused = locus(['models', 'add', file]);
    assert.match((await refused.ended).stderr, /To agree to download them, add --download/);
    assert.deepEqual(refused.violations(), []);
    // The component is fetched outside the guard.
    await provideRuntime(at('data/locus'));
    assert.match(await assertSucceeds(locus(['models', 'add', file])), /tiny is added/);
    const check = ['--check', '--check-url', 'local:tiny', '--check-context', '32000', '--json'];
    const search = locus(['search', ...WITH_ISSUE(), ...check]);
    const { check: outcome } = JSON.parse(await assertSucceeds(search));
    assert.equal(outcome.failure, null);
    assert.equal(outcome.isExternal, false);
    await assertSucceeds(locus(['models', 'remove', 'tiny']));
  });

  it('locus update --check, which asks the registry once with consent, and nobody without', async () => {
    const registry = await startCodeHost(serving({ '/locus-edit': packageDocument('99.0.0') }));
    const env = { npm_config_registry: registry.origin };
    const refused = locus(['update', '--check'], {}, env);
    assert.match((await refused.ended).stderr, /was not asked .* you did not agree/);
    assert.deepEqual(refused.violations(), []);
    assert.equal(registry.asked.length, 0);
    const agreed = locus(['update', '--check', '--yes'], { connect: [registry.port] }, env);
    assert.match(await assertSucceeds(agreed), /Locus 99\.0\.0 is available/);
    assert.equal(registry.asked.length, 1);
    await registry.close();
  });

  it('locus pull, except to the given address, and to no source of credentials', async () => {
    const asked: string[] = [];
    const place = createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.split('/')[1]}`);
      response.writeHead(404, { 'content-type': 'application/xml' });
      response.end('<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>');
    });
    await new Promise<void>((listening) => place.listen(0, '127.0.0.1', listening));
    const { port } = place.address() as AddressInfo;
    const host = `http://127.0.0.1:${port}`;
    const env = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
    for (const from of [`${host}/files`, `s3://bucket/x?endpoint=${host}`]) {
      const may = { connect: [port] };
      const program = locus(['pull', REPOSITORY(), '--from', from], may, env);
      const { code, stdout, stderr } = await program.ended;
      assert.equal(code, 1, stderr);
      assert.match(stdout, /No index of a nearby commit is published/);
      assert.deepEqual(program.violations(), []);
    }
    place.close();
    assert.deepEqual(asked, ['GET files', 'GET bucket']);
  });

  it('locus export --post, which runs no gh and posts nothing without consent', async () => {
    const gh = fakeGh();
    try {
      const program = locus(['export', ...WITH_ISSUE(), '--post', 'o/r#7'], {}, { PATH: gh.path });
      const { code, stderr } = await program.ended;
      assert.equal(code, 2, stderr);
      assert.match(stderr, /Nothing was posted to o\/r#7: you did not agree/);
      assert.deepEqual(program.violations(), []);
      assert.equal(gh.asked(), null);
    } finally {
      removeFolder(gh.folder);
    }
  });

  it('locus search, which starts a daemon, and another one, which asks it', async () => {
    const env = { LOCUS_NO_DAEMON: '0', LOCUS_DAEMON_IDLE: '3' };
    const search = ['search', ...WITH_ISSUE(), '--fast'];
    const first = locus(search, {}, env);
    assert.match(await first.firstLine, /Cart/);
    const second = locus(search, {}, env);
    for (const program of [second, first]) await assertSucceeds(program);
    const { lines } = readLog(at('data/locus'), 1000);
    assert.ok(
      lines.some((line) => / engine\[\d+\] started /.test(line)),
      'control: it ran',
    );
    assert.match(await assertSucceeds(locus(['daemon', '--stop'])), /No daemon is running/);
  });

  it('locus mcp, with an agent that calls tools', async () => {
    writeFiles(folder, { 'agent.cjs': AGENT });
    const agent = [process.execPath, at('agent.cjs'), at('program/src/cli/locus.ts'), REPOSITORY()];
    const program = start([...agent, ISSUE], { run: ['rg'] });
    assert.match(await assertSucceeds(program), /rounded` .*in cents.*\n\d match/s);
  });

  describe('an issue URL', () => {
    const path = '/api/v1/repos/acme/shop/issues/7';
    const forge = () => startCodeHost(serving({ [path]: githubIssue({ title: ISSUE, body: '' }) }));
    const search = (link: string, ...more: string[]) => [
      ...['search', REPOSITORY(), '--issue', link],
      ...more,
    ];

    it('opens no socket and runs nothing without consent', async () => {
      const { origin, asked, close } = await forge();
      for (const link of [`${origin}/acme/shop/issues/7`, 'https://github.com/o/r/pull/1']) {
        const program = locus(search(link));
        const { code, stderr } = await program.ended;
        assert.equal(code, 2, stderr);
        assert.match(stderr, /Locus fetches it only if you agree/);
        assert.deepEqual(program.violations(), []);
      }
      await close();
      assert.deepEqual(asked, []);
    });

    it('is fetched from its host and no other with consent', async () => {
      const { origin, port, asked, close } = await forge();
      const link = `${origin}/acme/shop/issues/7`;
      // If the kind of host is unknown, its other tools are also asked for a token.
      const env = { GITEA_TOKEN: 'secret', GITEA_SERVER_URL: origin };
      const tools = { connect: [port], run: ['gh', 'glab'] };
      const found = await assertSucceeds(locus(search(link, '--fetch'), tools, env));
      await close();
      assert.match(found, /rounded/);
      assert.deepEqual(
        asked.map(({ url, headers }) => [url, headers.authorization]),
        [[path, 'token secret']],
      );
    });

    it('is offered in a window without a socket, and not fetched before consent', async () => {
      const serve = locus(['serve', '--no-open', '--port', '0', '--root', folder], {
        listen: true,
        run: ['gh', 'glab'],
      });
      try {
        const window = await openWindow((await serve.firstLine).split(' ').at(-1)!);
        const { id: repository } = await window.client.call('repository.open', {
          root: REPOSITORY(),
        });
        const text = 'https://git.invalid/acme/shop/issues/7';
        const offer = await window.client.call('issueLink.offer', { repository, text });
        assert.equal(offer?.host, 'git.invalid');
        for (const host of [null, 'github.com'])
          await assert.rejects(
            window.client.call('issueLink.fetch', { repository, text, host }),
            /You have not agreed to fetch from git\.invalid/,
          );
        window.close();
      } finally {
        serve.kill('SIGINT');
      }
      await assertSucceeds(serve);
    });
  });

  it('every command of the program, all of which are tested', () => {
    // At a terminal, `window` is `serve`, or starts Electron; without one it does nothing.
    const names = Object.keys({
      ...FIRST,
      ...COMMANDS,
      daemon: null,
      investigate: null,
      serve: null,
      update: null,
      watch: null,
      window: null,
      mcp: null,
    });
    const commands = readdirSync(join(PROJECT, 'src/cli/commands'));
    assert.deepEqual(
      [...new Set(names.map((name) => `${name.split(' ')[0]}.ts`))].sort(),
      commands.sort(),
    );
  });

  it('npm run demo', async () => {
    assert.match(
      await assertSucceeds(start([process.execPath, at('program/demo/run.ts')])),
      /: rank 1\./,
    );
  });
});

it('npm run does not look for a newer npm', async () => {
  const home = mkdtempSync(at('npm-'));
  const npm = start(
    [ensureProgram('npm'), 'run', 'locus', '--', '--version'],
    { write: [home], interfaces: true, run: ['npm', 'sh', 'node', 'env'] },
    // On Node 24 npm keeps compiled code in the temporary folder.
    { cwd: at('program'), env: { HOME: home, TMPDIR: home }, inject: [NO_SOCKETS] },
  );
  assert.match(await assertSucceeds(npm), /\d+\.\d+\.\d+\n$/);
});

it('the user’s folders contain the index and nothing else', () => {
  const left = OWN.flatMap((name) => readdirSync(at(name)).map((entry) => join(name, entry)));
  assert.deepEqual(left, ['data/locus']);
  assert.equal(git(REPOSITORY(), 'status', '--porcelain', '--ignored'), '');
});

describe('the guard', () => {
  it('sees forbidden actions of all threads and processes, even if they fail', async () => {
    const elsewhere = await fakeEndpoint((_, response) => response.end());
    const port = new URL(elsewhere.address).port;
    writeFiles(folder, { 'forbidden.cjs': FORBIDDEN });
    const command = [process.execPath, at('forbidden.cjs'), port];
    const program = start(command, { connect: [Number(port) + 1] });
    const { stderr } = await program.ended;
    await elsewhere.close();
    assert.equal(stderr, '');
    const seen = program.violations().map((what) => what.replace(folder, ''));
    assert.deepEqual(seen.sort(), [
      'bind AF_INET 0.0.0.0',
      `connect AF_INET 127.0.0.1 port ${port}`,
      'connect AF_INET 192.0.2.1 port 9',
      'connect AF_INET6 2001:db8::1 port 9',
      'connect AF_UNIX /run/nobody',
      'execve /bin/sh',
      'fchmod /home/read',
      'mkdir /home/folder',
      'openat /home/by-a-child',
      'openat /home/by-a-worker',
      'openat /home/missing/file',
      'openat /home/read',
      'openat /named/relative',
      'rename /home/read',
      'rename /home/renamed',
      'unlink /home/renamed',
    ]);
  });
});

/** Script that does each forbidden action once, also in threads and child processes. */
const FORBIDDEN = `
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const { Worker } = require('node:worker_threads');
const { HOME } = process.env;
process.umask(0o022);
fs.writeFileSync(HOME + '/read', '');
fs.fchmodSync(fs.openSync(HOME + '/read'), 0o600);
fs.renameSync(HOME + '/read', HOME + '/renamed');
fs.unlinkSync(HOME + '/renamed');
fs.mkdirSync(HOME + '/folder');
fs.writeFileSync('relative', '');
try { fs.writeFileSync(HOME + '/missing/file', ''); } catch {}
fs.writeFileSync(process.env.TMPDIR + '/allowed', '');
fs.unlinkSync(process.env.TMPDIR + '/allowed');
new Worker('require("node:fs").writeFileSync(' + JSON.stringify(HOME + '/by-a-worker') + ', "")', { eval: true });
spawnSync('/bin/sh', ['-c', 'echo x > "$HOME/by-a-child"']);
const ended = (socket) => socket.on('error', () => {}).setTimeout(200, () => socket.destroy());
ended(net.connect(Number(process.argv[2]), '127.0.0.1'));
ended(net.connect(9, '192.0.2.1'));
ended(net.connect(9, '2001:db8::1'));
ended(net.connect('/run/nobody'));
const server = net.createServer().listen(0, '0.0.0.0', () => server.close());
`;

/** Script that starts `locus mcp` as agents do, calls three tools and prints their answers. */
const AGENT = `
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const [program, repository, issue] = process.argv.slice(2);
const server = spawn(process.execPath, [program, 'mcp', '--repo', repository], { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const call = (id, name, args) => send({ id, method: 'tools/call', params: { name, arguments: args } });
const clientInfo = { name: 'test', version: '1' };
send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line);
  if (id === 0) send({ method: 'notifications/initialized' });
  if (id === 0) return call(1, 'locate', { query: issue, waitSeconds: 60 });
  console.log(result.content[0].text);
  if (id === 1) return call(2, 'read', { names: ['rounded'] });
  if (id === 2) return call(3, 'grep', { pattern: 'in cents' });
  server.stdin.end();
});
server.on('exit', (code) => { process.exitCode = code; });
`;

/** Starts a program that loads onnxruntime unchanged and keeps running. It gets no socket, so nothing leaves. */
function startUnconfigured(): Guarded {
  const home = mkdtempSync(at('unconfigured-'));
  const library = require.resolve('onnxruntime-node');
  const model = join(PROJECT, 'models/coret-1/model.int8.onnx');
  const script = `require(${JSON.stringify(library)}).InferenceSession.create(${JSON.stringify(model)});
setInterval(() => {}, 1000);
`;
  writeFiles(home, { 'unconfigured.cjs': script });
  return start(
    [process.execPath, join(home, 'unconfigured.cjs')],
    {},
    { env: { HOME: home, XDG_CACHE_HOME: home, TMPDIR: home }, inject: [NO_SOCKETS] },
  );
}

const triesToCall = (program: Guarded) =>
  program.violations().some((what) => what.startsWith('socket AF_INET'));
