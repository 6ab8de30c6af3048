import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findSandbox } from '../../src/services/investigate/sandbox.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { installAgent } from './install-agent.ts';

const ENTRY = join(import.meta.dirname, '../../src/cli/entry.ts');

describe('an agent with Locus’s tools', { skip: process.platform === 'win32' }, () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    writeFiles(join(folder, 'shop'), {
      'cart.py': 'def total(cart):\n    return sum(item.price for item in cart)\n',
      'money.py': 'def rounded(price):\n    return round(price, 2)\n',
    });
  });
  afterEach(() => removeFolder(folder));

  /** Runs the command with an agent that searches, and says that the fix edits what it found first. */
  async function investigate(path: string) {
    const agent = installAgent(folder, 'uses the tools').path;
    const args = [
      ...['investigate', join(folder, 'shop'), 'rounded prices are wrong', '--json', '--no-daemon'],
      ...['--agent', agent, '--agree', '--trust'],
    ];
    const env = { PATH: path, HOME: folder, LOCUS_DATA_DIR: join(folder, 'data') };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [ENTRY, ...args], {
      env,
      timeout: 120_000,
    });
    return { ...JSON.parse(stdout), stderr };
  }

  it('searches the repository, and its answer orders the list', async () => {
    const { results, check, stderr } = await investigate(dirname(process.execPath));
    assert.equal(check.failure, null, stderr);
    assert.equal(results[0].name, 'rounded');
    assert.equal(check.chunks[0].reason, 'Found rounded.');
    assert.deepEqual(check.investigation, { sandbox: null, toolCalls: 1, refused: 0 });
  });

  it('does the same in the sandbox', async (t) => {
    const sandbox = await findSandbox(process.env, process.platform);
    if (!sandbox) return t.skip('this machine has no sandbox that works');
    const { check, stderr } = await investigate(process.env.PATH ?? '');
    assert.equal(check.failure, null, stderr);
    assert.equal(check.chunks[0].reason, 'Found rounded.');
    assert.equal(check.investigation.sandbox, sandbox.name);
    assert.match(stderr, /in the sandbox of/);
  });
});
