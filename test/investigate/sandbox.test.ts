import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AgentProcess } from '../../src/services/investigate/agent-process.ts';
import { getInvestigator } from '../../src/services/investigate/agents.ts';
import { findSandbox, wrapInSandbox } from '../../src/services/investigate/sandbox.ts';
import { parseEndpoint } from '../../src/shared/check-endpoint.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { waitUntilEnded } from './install-agent.ts';

const paths = {
  folder: '/tmp/locus-agent-1/work-1',
  writable: ['/home/ada/.claude'],
  readable: ['/tmp/src/shop', '/home/ada/shop', '/run/media/ada/shop'],
};
const command = ['/usr/bin/agent', '--acp'];

describe('the arguments of a sandbox', () => {
  const skip = process.platform !== 'linux';
  it('of Linux make everything read-only except the folder and the agent’s own files', {
    skip,
  }, () => {
    const args = wrapInSandbox({ name: 'bwrap', program: '/usr/bin/bwrap' }, paths, command);
    const at = (...words: string[]) => args.join('\0').indexOf(words.join('\0'));
    const order = [
      ['--ro-bind', '/', '/'],
      ['--tmpfs', '/tmp'],
      ['--tmpfs', '/run'],
      ['--ro-bind-try', '/tmp/src', '/tmp/src'],
      ['--ro-bind-try', '/run/media', '/run/media'],
      ['--bind-try', '/home/ada/.claude', '/home/ada/.claude'],
      ['--bind', paths.folder, paths.folder],
      ['--', ...command],
    ];
    const found = order.map((words) => at(...words));
    assert.ok(found[0] !== undefined && found[0] >= 0);
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    );
    for (const option of ['--die-with-parent', '--unshare-pid', '--cap-drop'])
      assert.ok(args.includes(option), option);
    const writable = args.flatMap((arg, index) =>
      /^--(bind|dev-bind)/.test(arg) ? [args[index + 1]] : [],
    );
    assert.deepEqual(writable, ['/home/ada/.claude', paths.folder]);
    assert.equal(at('--ro-bind-try', '/home'), -1, 'only hidden folders need more');
  });

  it('of macOS do the same, and quote paths', () => {
    const own = '/Users/a "b"/.claude';
    const sandbox = { name: 'sandbox-exec', program: '/usr/bin/sandbox-exec' } as const;
    const [option, profile = '', ...rest] = wrapInSandbox(
      sandbox,
      { ...paths, writable: [own] },
      command,
    );
    assert.equal(option, '-p');
    assert.deepEqual(rest, command);
    assert.match(profile, /\(deny file-write\*\)\n\(allow file-write\* \(subpath "\/tmp\/locus-/);
    assert.ok(profile.includes('(subpath "/Users/a \\"b\\"/.claude")'));
    assert.match(profile, /\(deny appleevent-send\)\n\(deny lsopen\)/);
  });
});

describe('a sandbox', { skip: process.platform !== 'linux' }, () => {
  let folder: string;
  before(() => {
    folder = realpathSync(temporaryFolder());
  });
  after(() => removeFolder(folder));

  it('is missing without its program, with one that fails, and on other systems', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    assert.equal(await findSandbox({ PATH: bin }, 'linux'), null);
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\nexit 1\n');
    chmodSync(join(bin, 'bwrap'), 0o755);
    assert.equal(await findSandbox({ PATH: bin }, 'linux'), null);
    assert.equal(await findSandbox({ PATH: bin }, 'win32'), null);
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\nexit 0\n');
    assert.equal((await findSandbox({ PATH: bin }, 'linux'))?.name, 'bwrap');
  });

  it('keeps an agent from changing files and from leaving programs behind', async (t) => {
    const sandbox = await findSandbox(process.env, 'linux');
    if (!sandbox) return t.skip('this machine has no bubblewrap that works');
    const home = join(folder, 'home');
    const own = join(home, '.claude');
    const program = join(folder, 'agent.cjs');
    const other = temporaryFolder();
    t.after(() => removeFolder(other));
    mkdirSync(own, { recursive: true });
    writeFileSync(
      program,
      `#!${process.execPath}
const { existsSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const attempt = (act) => { try { act(); return 'done'; } catch ({ code }) { return code; } };
const write = (path) => attempt(() => writeFileSync(path, ''));
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ${JSON.stringify(folder)}], { stdio: 'ignore', detached: true });
process.stdout.write(JSON.stringify({
  program: write(__filename), home: write(process.env.HOME + '/.bashrc'), usr: write('/usr/made'),
  own: write(process.env.HOME + '/.claude/state'), cwd: write('made'), tmp: write('/tmp/made'),
  others: existsSync(${JSON.stringify(other)}),
}) + '\\n');
setInterval(() => {}, 1000);
`,
    );
    chmodSync(program, 0o755);
    const investigator = { ...getInvestigator(parseEndpoint('agent:claude')), program };
    const env = { PATH: dirname(process.execPath), HOME: home };
    const agent = new AgentProcess({
      investigator,
      program,
      sandbox,
      readable: [process.execPath],
      env,
    });
    const [line] = await Promise.race([
      once(agent.child.stdout, 'data'),
      agent.ended.then(() => [agent.errors]),
    ]);
    assert.deepEqual(JSON.parse(String(line)), {
      ...{ program: 'EROFS', home: 'EROFS', usr: 'EROFS' },
      ...{ own: 'done', cwd: 'done', tmp: 'done' },
      others: false,
    });
    assert.ok(existsSync(join(own, 'state')));
    assert.equal(existsSync('/tmp/made'), false);
    const left = findProcesses(folder);
    assert.ok(left.length > 0);
    await agent[Symbol.asyncDispose]();
    await Promise.all(left.map(waitUntilEnded));
    assert.equal(existsSync(agent.folder), false);
  });
});

/** Lists the processes of this machine that have a text among their arguments. */
function findProcesses(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readArguments(name).includes(text))
    .map(Number);
}

function readArguments(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
