import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { COOKIES } from '../exchange/sample.ts';
import { installAgent, readRecord } from '../investigate/install-agent.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus } from './fake-host.ts';

describe('locus investigate', { skip: process.platform === 'win32' }, () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => removeFolder(folder));

  /** Runs the command on a system without a sandbox. */
  const investigate = (args: string[], env: Record<string, string> = {}) =>
    locus(fakeEngine(COOKIES), ['investigate', 'shop', 'cookies are cut', ...args], {
      env: { LOCUS_DATA_DIR: folder, PATH: dirname(process.execPath), HOME: folder, ...env },
    });
  const install = (script: string) => ['--agent', installAgent(folder, script).path];
  const log = () => join(folder, 'agent.mjs.log');

  it('starts no agent before the user agreed and trusts its program, each once', async () => {
    const agent = install('answers');
    const first = await investigate(agent);
    assert.equal(first.exitCode, 2);
    assert.match(first.stderr, /would let .*agent\.mjs read the issue and the files of .*--agree/s);
    const second = await investigate([...agent, '--agree']);
    assert.equal(second.exitCode, 2);
    assert.match(second.stderr, /no sandbox that works.*--trust/s);
    assert.equal(existsSync(log()), false);
    assert.equal((await investigate([...agent, '--trust'])).exitCode, 0);
    const last = await investigate(agent);
    assert.equal(last.exitCode, 0);
    assert.match(last.stderr, /investigates without a sandbox, as a program that you trust/);
  });

  it('withdraws the agreement and the trust', async () => {
    const agent = install('answers');
    await investigate([...agent, '--agree', '--trust']);
    assert.equal((await investigate([...agent, '--withdraw'])).exitCode, 0);
    assert.match((await investigate(agent)).stderr, /--agree/);
    assert.match((await investigate([...agent, '--agree'])).stderr, /--trust/);
  });

  it('prints the steps, then the checked order with reasons', async () => {
    const agent = install('answers');
    const { exitCode, stdout, stderr } = await investigate([...agent, '--agree', '--trust']);
    assert.equal(exitCode, 0);
    assert.match(stderr, /thinks {2}wrong in two places\.\n {2}plan {4}Read f2\n {2}tool {4}locus/);
    assert.match(stderr, /1 tool call, 0 refused requests\./);
    assert.match(stdout, /1 .*Request\.cookies[\s\S]*Edit here ↑1 {2}`Here\.`/);
    assert.match(stdout, /check {2}.*agent\.mjs through its provider, checked order/);
    const { mcpServers } = readRecord(log()).session;
    assert.match(JSON.stringify(mcpServers), /"mcp","--no-daemon","--repo",".*","--data-dir"/);
  });

  it('prints JSON with the outcome', async () => {
    const agent = install('answers');
    const args = [...agent, '--agree', '--trust', '--json', '--limit', '1'];
    const { results, check } = (await investigate(args)).json();
    assert.deepEqual(
      results.map(({ rank, name }: { rank: number; name: string }) => [rank, name]),
      [[1, 'cookies']],
    );
    assert.deepEqual(check.investigation, { sandbox: null, toolCalls: 1, refused: 0 });
    assert.deepEqual(check.missing, ['sold']);
  });

  it('prints the original order if the agent fails, and its text without effect', async () => {
    const { exitCode, stdout, stderr } = await investigate([
      ...install('dies'),
      ...['--agree', '--trust'],
    ]);
    assert.equal(exitCode, 0);
    assert.match(stdout, /1 .*parse_cookie/);
    assert.match(stderr, /Not checked\. The original order stays\. .* ended with 3: Out of credit/);
    assert.doesNotMatch(stderr, /\p{Cc}\[2J/u);
  });

  it('takes the agent of the check, and reports one that is missing or unknown', async () => {
    const none = await investigate([], { LOCUS_CHECK_URL: 'http://127.0.0.1:1/v1' });
    assert.equal(none.exitCode, 2);
    assert.match(none.stderr, /No agent is given\..*--agent/s);
    const claude = await investigate(['--agree'], { LOCUS_CHECK_URL: 'agent:claude' });
    assert.match(claude.stderr, /claude-agent-acp is not installed\..*npm install -g/s);
    assert.match((await investigate(['--agent', 'bash'])).stderr, /names no agent/);
  });
});
